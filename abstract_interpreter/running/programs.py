"""Programs in prepared form: a line of text a function, so that only what is used is read.

The first line has the symbols of all functions, with tabs between them, the second where the text
of each ends, in bytes from the start of the third. From there on a line is a function's JSON, in
the order of the symbols. The JSON is what `decoder` finds in the exported library, less the
IR: `[parameters, slots, constants, block]`, where a block is `[parameters, instructions, yields,
raises]` and an instruction `[name, operands, results, kinds, callee, blocks]`.
"""

from __future__ import annotations

import itertools
import json
import mmap
from pathlib import Path
from typing import Any

from torch_refine.abstract_interpreter.running.decoder import Block, Instruction, Program


class PreparedPrograms:
    """A file of prepared programs; only its index is read at first.

    The file is mapped, so it is replaced and never written in place.
    """

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        symbols = self._text.readline().rstrip(b"\n").decode().split("\t")
        self._ends = self._text.readline().rstrip(b"\n").split(b"\t")
        self._places = dict(zip(symbols, range(len(symbols)), strict=True))
        self._start = self._text.tell()

    def __contains__(self, symbol: str) -> bool:
        return symbol in self._places

    def find(self, symbol: str) -> Program | None:
        """The program of a symbol, None when there is none."""
        place = self._places.get(symbol)
        if place is None:
            return None
        begin = int(self._ends[place - 1]) if place else 0
        return restore(self._text[self._start + begin : self._start + int(self._ends[place])])


def prepare_all(programs: dict[str, Program]) -> str:
    """The text of a file of prepared programs."""
    lines = [prepare(program) + "\n" for program in programs.values()]
    ends = itertools.accumulate(len(line.encode()) for line in lines)
    return "\n".join(["\t".join(programs), "\t".join(map(str, ends)), "".join(lines)])


def prepare(program: Program) -> str:
    """A program as text; it must not capture values from outside."""
    assert not program.captured
    data = [program.parameters, program.slots, program.constants, _block_data(program.block)]
    return json.dumps(data, separators=(",", ":"))


def _block_data(block: Block) -> list[Any]:
    instructions = [
        [
            each.name,
            each.operands,
            each.results,
            each.kinds,
            each.callee,
            list(map(_block_data, each.blocks)),
        ]
        for each in block.instructions
    ]
    return [block.parameters, instructions, block.yields, block.raises]


def restore(text: str | bytes) -> Program:
    """The program that `prepare` made a text of."""
    parameters, slots, constants, block = json.loads(text)
    found = [(slot, value) for slot, value in constants]
    return Program(_block(block), slots, found, [], parameters)


def _block(data: list[Any]) -> Block:
    parameters, instructions, yields, raises = data
    decoded = [
        Instruction(name, operands, results, kinds, None, list(map(_block, blocks)), callee)
        for name, operands, results, kinds, callee, blocks in instructions
    ]
    return Block(parameters, decoded, yields, raises)
