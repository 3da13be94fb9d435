"""Symbolic sizes that a program declares: `torch.bind_symbolic_shape`.

    %s0 = torch.symbolic_int "s0" {min_val = 2, max_val = 64} : !torch.int
    torch.bind_symbolic_shape %arg0, [%s0], affine_map<()[s0] -> (s0, s0 * 2, 3)>

Programs exported with dynamic shapes declare equal sizes of their inputs, and bounds of sizes, this
way.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import (
    INT_MAX,
    Number,
    Symbol,
    single_atom,
)
from torch_refine.abstract_interpreter.running.decoder import constant_value, is_constant
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.symbolic_shapes.affine import number_of_affine

SYMBOL = "torch.symbolic_int"
BINDING = "torch.bind_symbolic_shape"


@dataclass
class DeclaredSymbols:
    """The symbols of one function, by the names that the program gives them."""

    numbers: dict[str, Number] = field(default_factory=dict)
    names: dict[Symbol, str] = field(default_factory=dict)

    def symbol(self, value: ir.Value) -> Number | None:
        """The symbol that a `torch.symbolic_int` defines, None for any other value."""
        found = symbol_op(value)
        if found is None:
            return None
        name, low, high = declared_symbol(found)
        if name not in self.numbers:
            number = expressions.fresh(max(low, 0), max(high, low, 0))
            atom = single_atom(number)
            assert isinstance(atom, Symbol)
            self.numbers[name], self.names[atom] = number, name
        return self.numbers[name]

    def sizes(self, op: ir.Operation) -> list[Number | None]:
        """The sizes that an op binds, None for one that is not an expression of symbols."""
        map = ir.AffineMapAttr(op.attributes["shape_expressions"]).value
        values = [self.symbol(value) for value in list(op.operands)[1:]]
        if map.n_symbols != len(values):
            return []
        return [number_of_affine(result, values) for result in map.results]

    def sizes_of(self, argument: ir.Value) -> list[Number | None]:
        """The sizes that an argument, or a permutation of it, is bound to; empty if it is not."""
        op = binding_of(argument)
        if op is not None:
            return self.sizes(op)
        for use in argument.uses:
            order = permutation_of(use.owner.operation)
            op = None if order is None else binding_of(use.owner.operation.results[0])
            if order is None or op is None:
                continue
            sizes = self.sizes(op)
            if len(sizes) == len(order):
                return [sizes[order.index(dim)] for dim in range(len(order))]
        return []


def symbol_op(value: ir.Value) -> ir.Operation | None:
    """The `torch.symbolic_int` that defines a value, None for any other value."""
    if isinstance(value.owner, ir.Block) or value.owner.operation.name != SYMBOL:
        return None
    op: ir.Operation = value.owner.operation
    return op


def declared_symbol(op: ir.Operation) -> tuple[str, int, int]:
    """The name of a `torch.symbolic_int`, and the bounds of its values."""
    attributes = op.attributes
    name = ir.StringAttr(attributes["symbol_name"]).value
    low, high = (ir.IntegerAttr(attributes[key]).value for key in ("min_val", "max_val"))
    return name, low, min(high, INT_MAX)


def binding_of(value: ir.Value) -> ir.Operation | None:
    """The op that binds the sizes of a value to symbols."""
    for use in value.uses:
        if use.owner.operation.name == BINDING and use.operand_number == 0:
            return use.owner.operation
    return None


def permutation_of(op: ir.Operation | None) -> list[int] | None:
    """The order of a `torch.aten.permute` with constant dimensions; None for any other op."""
    if op is None or op.name != "torch.aten.permute":
        return None
    listed = defining_op(op.operands[1])
    order = []
    for value in [] if listed is None else listed.operands:
        producer = defining_op(value)
        if producer is None or not is_constant(producer.name):
            return None
        order.append(constant_value(producer))
    return order if sorted(order) == list(range(len(order))) else None
