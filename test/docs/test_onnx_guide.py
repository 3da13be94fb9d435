"""`docs/onnx.md`: its files are saved and its commands run, in order, in an empty folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "onnx.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# It names the build of PyTorch.
VERSION = re.compile(r'producer_version = "[^"]*"')


def _commands(text):
    """The commands of a console block, each with what it is said to print."""
    found = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)[1:]
    return list(zip(found[::2], found[1::2], strict=True))


def test_the_guide_shows_what_is_printed(tmp_path):
    for needed in ("onnx", "onnxscript"):
        pytest.importorskip(needed, reason="needs the extra [onnx] and onnxscript")
    tools = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        # What the exporter and the importer warn of is theirs.
        "PYTHONWARNINGS": "ignore",
        "TORCH_LOGS": "-all",
        "TORCH_REFINE_CACHE": "0",
    }
    ran = 0
    for language, text in BLOCK.findall(GUIDE.read_text()):
        if language == "python":
            name = re.match(r"# (\w+\.py)\n", text)[1]
            (tmp_path / name).write_text(text)
            continue
        for command, shown in _commands(text):
            done = subprocess.run(
                command,
                shell=True,
                cwd=tmp_path,
                env=environment,
                stdout=subprocess.PIPE,
                # What the exporter logs is not shown.
                stderr=subprocess.DEVNULL if "export.py" in command else subprocess.STDOUT,
                text=True,
                timeout=300,
            )
            printed = "" if "export.py" in command else done.stdout
            assert VERSION.sub("", printed) == VERSION.sub("", shown), (
                f"`{command}` prints\n{printed}"
            )
            ran += 1
    assert ran == 10
