"""The exported library, parsed one function at a time.

The file is text, one function after the other. One scan finds their bounds; only functions that a
program uses, and their callees, are parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import torch_refine.abstract_interp_lib as _lib
from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.names import is_library_symbol

LIBRARY = Path(_lib.__file__).parent / "exported" / "library.mlir"

_FUNCTION = re.compile(r'^func\.func (?:private )?@(?:"([^"]+)"|([\w.$]+))', re.MULTILINE)
_CALLEE = re.compile(r'call @(?:"([^"]+)"|([\w.$]+))')


class LibraryError(Exception):
    """A library file cannot be read; the message names the file and the reason."""


def functions_in(text: str) -> dict[str, str]:
    """The text of each function of an exported library by symbol, in file order."""
    found = [(match.start(), match[1] or match[2]) for match in _FUNCTION.finditer(text)]
    ends = [start for start, _ in found[1:]] + [len(text)]
    return {symbol: text[start:end] for (start, symbol), end in zip(found, ends, strict=False)}


@cache
def _shipped() -> dict[str, str]:
    return functions_in(LIBRARY.read_text(encoding="utf-8"))


class Library:
    """Shape and dtype functions by symbol: the shipped ones, and those of extra libraries.

    An extra library is a module in the torch dialect whose functions follow the naming scheme
    (`dialect.names`). Its functions take precedence over the shipped ones.
    """

    def __init__(self, extra: Iterable[Path] = ()) -> None:
        self._functions = dict(_shipped())
        self._extra: set[str] = set()
        for path in extra:
            found = read_extra(path)
            self._extra |= set(found)
            self._functions.update(found)

    def __contains__(self, symbol: str) -> bool:
        return symbol in self._functions

    def is_extra(self, symbol: str) -> bool:
        """Whether a function is one of an extra library."""
        return symbol in self._extra

    def text(self, symbol: str) -> str:
        """The text of a function as MLIR prints it; KeyError if there is none."""
        return self._functions[symbol]

    def closure(self, symbols: Iterable[str]) -> dict[str, str]:
        """The texts of these functions and of their callees, direct and indirect."""
        closed: dict[str, str] = {}
        pending = list(symbols)
        while pending:
            symbol = pending.pop()
            if symbol in closed or symbol not in self._functions:
                continue
            closed[symbol] = self._functions[symbol]
            pending += [quoted or plain for quoted, plain in _CALLEE.findall(closed[symbol])]
        return closed

    def parse(self, symbols: Iterable[str], context: ir.Context) -> ir.Module:
        """A module with these functions and their callees."""
        closed = self.closure(symbols)
        return ir.Module.parse("\n".join(closed[symbol] for symbol in sorted(closed)), context)


def read_extra(path: Path) -> dict[str, str]:
    """The functions of a user's file, which may be text in any format, or bytecode."""
    from torch_refine.dialect.bindings import new_context

    try:
        source = path.read_bytes()
    except OSError as error:
        raise LibraryError(f"cannot read the extra library {path}: {error.strerror}") from None
    try:
        module = ir.Module.parse(source, new_context())
    except ir.MLIRError as error:
        raise LibraryError(f"cannot parse the extra library {path}: {error}") from None
    functions = {
        ir.StringAttr(op.attributes["sym_name"]).value: str(op)
        for op in operations(module.body)
        if op.name == "func.func" and len(op.regions[0].blocks)
    }
    if not any(map(is_library_symbol, functions)):
        raise LibraryError(
            f"the extra library {path} holds no shape or dtype function "
            "(a function named like @__torch_mlir_shape_fn.aten.mm)"
        )
    return functions
