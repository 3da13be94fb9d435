"""Write `pipelines/upstream_passes.json`: the passes that the wheel registers.

The bindings cannot list passes, so every string in the shared library that could be a name is
tried. The summaries are those of the wheel's own tool, for passes that it registers.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from torch_mlir import _mlir_libs
from torch_refine.dialect.bindings import PassManager, new_context, peer_tool
from torch_refine.pipelines import parsing

_CANDIDATE = re.compile(rb"(?<![\w-])[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?=\0)")
_HELP = re.compile(r"^ {6}--([a-z][\w-]*)\S*\s+-\s+(.*)$", re.MULTILINE)
_OPTION = re.compile(r"([\w-]+)=")


def candidates() -> set[str]:
    """Strings in the wheel's shared library that could name a pass."""
    library = Path(_mlir_libs.__file__).with_name("libTorchMLIRAggregateCAPI.so")
    return {found.decode() for found in _CANDIDATE.findall(library.read_bytes()) if len(found) > 2}


def summaries() -> dict[str, str]:
    """The summaries of passes in the help text of the wheel's tool."""
    shown = subprocess.run([peer_tool(), "--help"], capture_output=True, text=True, check=True)
    return {name: text.strip() for name, text in _HELP.findall(shown.stdout)}


def snapshot() -> str:
    """The JSON text: per pass, its summary and the names of its options."""
    known = summaries()
    found = {}
    with new_context():
        for name in sorted(candidates()):
            try:
                text = str(PassManager.parse(f"any({name})"))
                options = _OPTION.findall(text.partition("{")[2])
            except ValueError as error:
                if "does not refer to a registered" in str(error):
                    continue
                options = []
            found[name] = {"summary": known.get(name, ""), "options": options}
    return json.dumps(found, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    path = parsing._UPSTREAM
    path.write_text(snapshot(), encoding="utf-8")
    print(f"{path.name}: {len(json.loads(path.read_text()))} passes")
