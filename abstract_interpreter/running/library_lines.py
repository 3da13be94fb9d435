"""The lines of Python that the decisions of shipped library functions come from.

`library.lines` has them (`make library` writes it), relative to the `def` of each function, so that
they stay right if the file changes elsewhere. The Python files are read as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import torch_refine.abstract_interp_lib as _lib
from torch_refine.abstract_interpreter.running.decoder import Block, Instruction, Program

_FOLDER = Path(_lib.__file__).parent
LINES = _FOLDER / "exported" / "library.lines"
# The symbols of functions that TorchScript names.
_PREFIX = "__torch__.torch_refine.abstract_interp_lib."
_UNKNOWN = "torch_refine.unknown_"


@dataclass(frozen=True)
class LibraryPlace:
    """A line of a library function: its file in the library, its number and its text."""

    function: str
    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"abstract_interp_lib/{self.file}:{self.line}"


def is_deciding(name: str) -> bool:
    """Whether ops of a name have their lines recorded: branches, loops and unknown sizes."""
    return name in ("torch.prim.If", "torch.prim.Loop") or name.startswith(_UNKNOWN)


def place_of(symbol: str, program: Program, instruction: Instruction) -> LibraryPlace | None:
    """The line of an instruction of a shipped function, or of the function's `def`.

    None for a function that is none of the shipped ones, or has no file of its own.
    """
    file, function, offsets = _recorded().get(symbol) or _named(symbol)
    start = _line_of(file, function)
    if start is None:
        return None
    index = next(
        (n for n, each in enumerate(_deciding(program.block)) if each is instruction), None
    )
    line = start if index is None or index >= len(offsets) else start + offsets[index]
    lines = _text(file)
    return (
        LibraryPlace(function, file, line, lines[line - 1].strip()) if line <= len(lines) else None
    )


def _named(symbol: str) -> tuple[str, str, tuple[int, ...]]:
    """The file and name of a function that the symbol says, without lines."""
    *folders, function = symbol.removeprefix(_PREFIX).split(".")
    return f"{'/'.join(folders)}.py", function, ()


def _deciding(block: Block) -> Iterator[Instruction]:
    """The instructions whose lines are recorded, each before those of its blocks."""
    for instruction in block.instructions:
        if is_deciding(instruction.name):
            yield instruction
        for inner in instruction.blocks:
            yield from _deciding(inner)


@cache
def _recorded() -> dict[str, tuple[str, str, tuple[int, ...]]]:
    found = {}
    if LINES.exists():
        for line in LINES.read_text(encoding="utf-8").splitlines():
            symbol, file, function, offsets = line.split("\t")
            found[symbol] = (file, function, tuple(map(int, offsets.split(","))))
    return found


@cache
def _text(file: str) -> list[str]:
    path = _FOLDER / file
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@cache
def _line_of(file: str, function: str) -> int | None:
    """The line of a function's `def`."""
    start = re.compile(rf"def {re.escape(function)}\b")
    return next((n for n, line in enumerate(_text(file), 1) if start.match(line)), None)
