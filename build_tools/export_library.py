"""Export the library: every declared function, and its callees, as `library.mlir`.

The lines of Python that its branches come from are written beside it, as `library.lines`, the
element functions as `elements.mlir`, and how operands promote as `promotions.json`.

Run by `make library`; with `--check` it writes nothing and fails if the file is stale.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from torch_refine.abstract_interp_lib.declaration import declarations, decompositions
from torch_refine.abstract_interp_lib.promotion_kinds import (
    PROMOTIONS,
    Promotion,
    exported_promotions,
    promotion_of,
)
from torch_refine.build_tools.check_functions import load_families
from torch_refine.build_tools.functions.element_functions import exported_elements
from torch_refine.dialect.library import LIBRARY, functions_in
from torch_refine.importer.functions.exporting import export_with_lines
from torch_refine.importer.functions.user_code import run_command
from torch_refine.passes.lowering.elements.translating import ELEMENT_FUNCTIONS


def difference(old: str, new: str) -> list[str]:
    """The changes between two exported libraries, a line per function."""
    before, after = functions_in(old), functions_in(new)
    lines = [f"added   {symbol}" for symbol in after if symbol not in before]
    lines += [f"removed {symbol}" for symbol in before if symbol not in after]
    lines += [f"changed {s}" for s in after if s in before and before[s] != after[s]]
    return sorted(lines)


def main(arguments: Sequence[str]) -> int:
    """Write the library, or compare it with `--check`; returns the exit code.

    Raises UserCodeError for a function that cannot be exported; nothing is written then.
    """
    described = load_families().values()
    new, lines = export_with_lines([*described, *decompositions().values()])
    elements = exported_elements()
    promotions = exported_promotions(declared_promotions())
    lines_file = LIBRARY.with_suffix(".lines")
    written = {
        LIBRARY: new,
        lines_file: lines,
        ELEMENT_FUNCTIONS: elements,
        LIBRARY.with_name(PROMOTIONS.name): promotions,
    }
    old = _text_of(LIBRARY)
    changes = difference(old, new) + difference(_text_of(ELEMENT_FUNCTIONS), elements)
    for line in changes:
        print(line)
    if "--check" in arguments:
        stale = [file for file, text in written.items() if _text_of(file) != text]
        for file in stale:
            print(f"{file.name} is stale: run `make library`", file=sys.stderr)
        return int(bool(stale))
    for file, text in written.items():
        file.write_text(text, encoding="utf-8")
    print(f"{LIBRARY.name}: {len(functions_in(new))} functions, {len(changes)} changes")
    return 0


def declared_promotions() -> dict[str, Promotion]:
    """How the operands of the declared operators promote, where their dtype functions say so."""
    found = {
        operator: promotion_of(each.function)
        for (kind, operator), each in declarations().items()
        if kind == "dtype"
    }
    return {operator: each for operator, each in found.items() if each is not None}


def _text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""


if __name__ == "__main__":
    sys.exit(run_command(main, sys.argv[1:]))
