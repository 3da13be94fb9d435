"""Programs in prepared form: a line of text a function, so that only what is used is decoded.

The first line has the symbols of all functions, with tabs between them; the others are JSON, a line
for each symbol in that order. The JSON is what `decoder` finds in the exported library, less the
IR: `[parameters, slots, constants, block]`, where a block is `[parameters, instructions, yields,
raises]` and an instruction `[name, operands, results, kinds, callee, blocks]`.
"""

from __future__ import annotations

import json
from typing import Any

from torch_refine.passes.abstract_interpreter.decoder import Block, Instruction, Program


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
