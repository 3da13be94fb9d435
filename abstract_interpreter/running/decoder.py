"""Decode IR into programs: numbered values, instructions, blocks.

Reading an op through the bindings costs microseconds, and a function runs for every op of its
operator; once decoded, running it touches no IR.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import Types

_CONSTANTS = {
    "torch.constant.int",
    "torch.constant.float",
    "torch.constant.bool",
    "torch.constant.str",
    "torch.constant.none",
}

TERMINATORS = {
    "func.return",
    "torch.prim.If.yield",
    "torch.prim.Loop.condition",
    "torch.shape.calculate.yield.shapes",
    "torch.dtype.calculate.yield.dtypes",
}


@dataclass(eq=False, slots=True)
class Instruction:
    """One operation, with the frame slots of its operands and results.

    `kinds` are the results' types without `!torch.`; a program read in prepared form, not decoded
    from IR, has no `op`s.
    """

    name: str
    operands: list[int]
    results: list[int]
    kinds: list[str]
    op: Any
    blocks: list[Block] = field(default_factory=list)
    callee: str | None = None


@dataclass(eq=False, slots=True)
class Block:
    """Straight-line instructions, then the slots that the terminator yields.

    `raises` tells that the block always raises, whatever its values.
    """

    parameters: list[int]
    instructions: list[Instruction]
    yields: list[int]
    raises: bool


@dataclass(eq=False, slots=True)
class Program:
    """A decoded function or calculation region.

    `constants` and `captured` fill the first slots of a frame: scalar constants, and values defined
    outside. `parameters` are the types of a function's parameters.
    """

    block: Block
    slots: int
    constants: list[tuple[int, Any]]
    captured: list[tuple[int, ir.Value]]
    parameters: list[str]

    def without_ir(self) -> Program:
        """The program without the ops it was decoded from, so that it can outlive its context."""
        _forget_ops(self.block)
        return self


def _forget_ops(block: Block) -> None:
    for instruction in block.instructions:
        instruction.op = None
        for inner in instruction.blocks:
            _forget_ops(inner)


def constant_value(op: ir.Operation) -> Any:
    """The Python value of a constant op of the torch dialect."""
    name = op.name
    if name == "torch.constant.none":
        return None
    attribute = op.attributes["value"]
    if name == "torch.constant.bool":
        return bool(ir.IntegerAttr(attribute).value)
    if name == "torch.constant.int":
        return ir.IntegerAttr(attribute).value
    if name == "torch.constant.float":
        return ir.FloatAttr(attribute).value
    return ir.StringAttr(attribute).value


def is_constant(name: str) -> bool:
    """Whether an op is a constant that calculations may use."""
    return name in _CONSTANTS


class _Decoder:
    def __init__(self, types: Types) -> None:
        self.types = types
        self.slot_of: dict[ir.Value, int] = {}
        self.constants: list[tuple[int, Any]] = []
        self.captured: list[tuple[int, ir.Value]] = []

    def new_slot(self, value: ir.Value) -> int:
        slot = self.slot_of[value] = len(self.slot_of)
        return slot

    def slot(self, value: ir.Value) -> int:
        """The slot of a value; a value defined outside is captured."""
        slot = self.slot_of.get(value)
        if slot is None:
            slot = self.new_slot(value)
            self.captured.append((slot, value))
        return slot

    def kind(self, value: ir.Value) -> str:
        """The type of a value without `!torch.`."""
        return self.types.text(value.type).removeprefix("!torch.")

    def block(self, block: ir.Block) -> Block:
        parameters = [self.new_slot(argument) for argument in block.arguments]
        instructions: list[Instruction] = []
        raises = False
        for op in operations(block):
            name = name_of(op)
            if name in _CONSTANTS:
                self.constants.append((self.new_slot(op.result), constant_value(op)))
                continue
            operands = [self.slot(operand) for operand in op.operands]
            if name in TERMINATORS:
                return Block(parameters, instructions, operands, raises)
            kinds = [self.kind(result) for result in op.results]
            instruction = Instruction(name, operands, [], kinds, op)
            if name == "func.call":
                instruction.callee = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
            for region in op.regions:
                instruction.blocks.extend(map(self.block, region.blocks))
            instruction.results = [self.new_slot(result) for result in op.results]
            raises = raises or _raises(instruction)
            instructions.append(instruction)
        return Block(parameters, instructions, [], raises)


def _raises(instruction: Instruction) -> bool:
    if instruction.name == "torch.prim.If":
        return all(block.raises for block in instruction.blocks)
    return instruction.name == "torch.prim.RaiseException"


def decode(block: ir.Block, types: Types) -> Program:
    """Decode the single block of a function or of a calculation region."""
    decoder = _Decoder(types)
    decoded = decoder.block(block)
    parameters = [decoder.kind(argument) for argument in block.arguments]
    return Program(decoded, len(decoder.slot_of), decoder.constants, decoder.captured, parameters)
