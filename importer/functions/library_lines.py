"""The lines of Python that decisions of exported functions come from, as `library.lines`.

`library.mlir` has no locations, so that it only changes if a function does. A line of the file is a
function: its symbol, the module and name of the Python function, and the lines of its ops that
decide (`DECIDING`) in the order of the IR, counted from the line of `def`.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import torch_refine.abstract_interp_lib as _lib
from torch_refine.abstract_interpreter.running.library_lines import is_deciding
from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.diagnostics import diagnostic
from torch_refine.dialect.names import name_of

_FOLDER = Path(_lib.__file__).parent


def lines_text(module: ir.Operation) -> str:
    """The lines of the functions of an exported module, sorted by symbol."""
    found = []
    for function in operations(module.regions[0].blocks[0]):
        places = [
            diagnostic("note", op.location, "") for op in walk(function) if is_deciding(name_of(op))
        ]
        files = {place.file for place in places}
        if len(files) != 1:
            continue
        (file,) = files
        lines = [place.line or 0 for place in places]
        if file is not None and Path(file).is_relative_to(_FOLDER):
            start = _function_at(file, lines[0])
            if start is not None:
                symbol = ir.StringAttr(function.attributes["sym_name"]).value
                offsets = ",".join(str(line - start[1]) for line in lines)
                path = Path(file).relative_to(_FOLDER).as_posix()
                found.append(f"{symbol}\t{path}\t{start[0]}\t{offsets}\n")
    return "".join(sorted(found))


@cache
def _function_at(file: str, line: int) -> tuple[str, int] | None:
    """The top-level function that a line belongs to, and the line of its `def`."""
    for name, first, last in _functions(file):
        if first <= line <= last:
            return name, first
    return None


@cache
def _functions(file: str) -> list[tuple[str, int, int]]:
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return [
        (node.name, node.lineno, node.end_lineno or node.lineno)
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    ]
