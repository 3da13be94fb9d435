"""Export the library: every declared function, and its callees, as `library.mlir`.

The lines of Python that its branches come from are written beside it, as `library.lines`.

Run by `make library`; with `--check` it writes nothing and fails if the file is stale.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from torch_refine.abstract_interp_lib.declaration import decompositions
from torch_refine.build_tools.check_functions import load_families
from torch_refine.dialect.library import LIBRARY, functions_in
from torch_refine.importer.functions.exporting import export_with_lines
from torch_refine.importer.functions.user_code import run_command


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
    lines_file = LIBRARY.with_suffix(".lines")
    old = LIBRARY.read_text(encoding="utf-8") if LIBRARY.exists() else ""
    changes = difference(old, new)
    for line in changes:
        print(line)
    if "--check" in arguments:
        before = lines_file.read_text(encoding="utf-8") if lines_file.exists() else ""
        stale = [
            f for f, same in ((LIBRARY, old == new), (lines_file, before == lines)) if not same
        ]
        for file in stale:
            print(f"{file.name} is stale: run `make library`", file=sys.stderr)
        return int(bool(stale))
    LIBRARY.write_text(new, encoding="utf-8")
    lines_file.write_text(lines, encoding="utf-8")
    print(f"{LIBRARY.name}: {len(functions_in(new))} functions, {len(changes)} changes")
    return 0


if __name__ == "__main__":
    sys.exit(run_command(main, sys.argv[1:]))
