"""The structure of reified calculations, and the operators that their ops wrap."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from torch_refine.abstract_interpreter.running.decoder import TERMINATORS, is_constant
from torch_refine.abstract_interpreter.running.evaluator import KNOWN
from torch_refine.dialect.bindings import attributes_of, ir, operations
from torch_refine.dialect.calculate_ops import BODY_YIELDS, CALCULATE, OP_NAMES, body, calculation
from torch_refine.dialect.names import Kind, name_of
from torch_refine.passes.reified import Layer, Nest, Reading, Reified, add_layer, nest_around

KINDS: dict[str, Kind] = {names.op: kind for kind, names in CALCULATE.items()}
_NAMED_BY_ATTRIBUTE = {"func.call", "torch.operator"}


def reading_of(op: ir.Operation, place: ir.Block, reified: Reified) -> Reading:
    """The structural key and captured values of a calculation."""
    found = reified.readings.get(place)
    if found is None:
        reader = _Reader()
        reader.block(calculation(op))
        held = [each for each in operations(place) if each.name not in BODY_YIELDS]
        alone = len(held) == 1 and list(held[0].results) == list(_last(place).operands)
        found = Reading(reified.number(reader.parts), reader.captured, held[0] if alone else None)
        reified.readings[place] = found
    return found


def nest_of(op: ir.Operation, reified: Reified) -> Nest | None:
    """The nest whose outermost calculate op this is; None if it does not wrap a single operator."""
    layers: list[tuple[Layer, Reading]] = []
    while op.name in OP_NAMES:
        place = body(op)
        reading = reading_of(op, place, reified)
        layers.append(((KINDS[op.name], op, place), reading))
        if reading.held is None:
            return None
        op = reading.held
    nest = nest_around(op)
    if nest is not None:
        for layer, reading in layers:
            add_layer(nest, layer, reading)
    return nest


def operator_in(op: ir.Operation) -> ir.Operation:
    """The first op in the innermost calculate op's body; any other op itself."""
    while op.name in OP_NAMES and next(operations(body(op))).name not in BODY_YIELDS:
        op = next(operations(body(op)))
    return op


def operator_of(op: ir.Operation) -> str:
    """The name of the operator that a calculate op wraps."""
    return name_of(operator_in(op))


def _last(block: ir.Block) -> ir.Operation:
    return block.operations[len(block.operations) - 1].operation


@dataclass
class _Reader:
    numbers: dict[ir.Value, int] = field(default_factory=dict)
    captured: list[ir.Value] = field(default_factory=list)
    parts: list[Hashable] = field(default_factory=list)

    def block(self, block: ir.Block) -> None:
        numbers, parts = self.numbers, self.parts
        for argument in block.arguments:
            numbers[argument] = len(numbers)
        for op in operations(block):
            name = op.name
            parts.append(name)
            for operand in op.operands:
                number = numbers.get(operand)
                if number is None:
                    number = numbers[operand] = len(numbers)
                    self.captured.append(operand)
                parts.append(number)
            if name in TERMINATORS:
                break
            for region in op.regions:
                for inner in region:
                    self.block(inner)
            if is_constant(name) or name in _NAMED_BY_ATTRIBUTE or name not in KNOWN:
                parts += attributes_of(op).values()
            for result in op.results:
                numbers[result] = len(numbers)
                parts.append(result.type)
