"""Runs the examples of a guide: its files are saved and its commands run, in order, in a folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The first line of a file has its name.
NAME = re.compile(r"(?:#|//) (\w+\.(?:py|mlir))\n")
# It names the build of PyTorch.
VERSION = re.compile(r'producer_version = "[^"]*"')
# Where the library has a line changes with every edit above it.
LIBRARY_LINE = re.compile(r"(abstract_interp_lib/[\w/]+\.py):\d+")


def _commands(text):
    """The commands of a console block, each with what it is said to print."""
    found = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)[1:]
    return list(zip(found[::2], found[1::2], strict=True))


def _comparable(text):
    return LIBRARY_LINE.sub(r"\1", VERSION.sub("", text))


def run_guide(name, folder):
    """Run the examples of a guide, and compare what they print; returns the number of commands."""
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
    for language, text in BLOCK.findall((DOCS / name).read_text()):
        if language != "console":
            (folder / NAME.match(text)[1]).write_text(text)
            continue
        for command, shown in _commands(text):
            done = subprocess.run(
                command,
                shell=True,
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                # What the exporter logs is not shown.
                stderr=subprocess.DEVNULL if "export.py" in command else subprocess.STDOUT,
                text=True,
                timeout=300,
            )
            printed = "" if "export.py" in command else done.stdout
            assert _comparable(printed) == _comparable(shown), f"`{command}` prints\n{printed}"
            ran += 1
    return ran
