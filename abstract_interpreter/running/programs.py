"""Programs in prepared form: one line of text per function, read on demand.

The first line has the symbols of all functions, separated by tabs, the second the end offset of
each text, in bytes from the start of the third. Each further line is a function's JSON, in the
order of the symbols. The JSON is the result of `decoder` on the exported library without the IR:
`[parameters, slots, constants, block]`, where a block is `[parameters, instructions, yields,
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
    """A file of prepared programs, of which only the index is read eagerly.

    The file is mapped, so it must be replaced, never rewritten in place.
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
        """The program of a symbol, None if there is none."""
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
    """Serialize a program; it must not capture values."""
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
    """Deserialize a program written by `prepare`."""
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
