"""The library as programs, each decoded on first use."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import torch_refine.abstract_interp_lib as _lib
from torch_refine.abstract_interpreter.running.decoder import Program, decode
from torch_refine.abstract_interpreter.running.programs import PreparedPrograms
from torch_refine.dialect.bindings import ir, new_context, operations
from torch_refine.dialect.library import read_extra
from torch_refine.dialect.tensor_type import Types

PROGRAMS = Path(_lib.__file__).parent / "exported" / "library.programs"


@cache
def _shipped_library() -> PreparedPrograms:
    return PreparedPrograms(PROGRAMS)


@cache
def _shipped(symbol: str) -> Program | None:
    """A shipped function; decoded once per process, as programs are immutable."""
    return _shipped_library().find(symbol)


class Programs:
    """Library functions by symbol: those of extra libraries, then the shipped ones.

    Raises LibraryError for an extra library that cannot be read.
    """

    def __init__(self, extra: Iterable[Path] = ()) -> None:
        self._extra: dict[str, Program] = {}
        for path in extra:
            text = "\n".join(read_extra(path).values())
            context = new_context()
            types = Types(context)
            module = ir.Module.parse(text, context)
            for function in operations(module.body):
                symbol = ir.StringAttr(function.attributes["sym_name"]).value
                blocks = list(function.regions[0].blocks)
                if len(blocks) == 1:
                    self._extra[symbol] = decode(blocks[0], types).without_ir()

    def find(self, symbol: str) -> Program | None:
        """The program of a function, None if there is none."""
        return self._extra.get(symbol) or _shipped(symbol)

    def is_extra(self, symbol: str) -> bool:
        """Whether a function is one of an extra library."""
        return symbol in self._extra

    def __contains__(self, symbol: str) -> bool:
        return symbol in self._extra or symbol in _shipped_library()
