"""Symbolic sizes that a program declares: `torch.bind_symbolic_shape`.

    %s0 = torch.symbolic_int "s0" {min_val = 2, max_val = 64} : !torch.int
    torch.bind_symbolic_shape %arg0, [%s0], affine_map<()[s0] -> (s0, s0 * 2, 3)>

Programs exported with dynamic shapes declare equal sizes of their inputs, and bounds of sizes, this
way.
"""

from __future__ import annotations

import re

from torch_refine.abstract_interpreter.lattice import LatticeValue, Tensor
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import Number
from torch_refine.abstract_interpreter.numbers.parsing import parse_number
from torch_refine.dialect.bindings import ir
from torch_refine.passes.type_refinement.sweep_state import SweepState

_MAP = re.compile(r"affine_map<\(\)\[(?P<names>[^\]]*)\] -> \((?P<sizes>.*)\)>")


def argument_sizes(sweep: SweepState, function: ir.Operation) -> tuple[LatticeValue, ...]:
    """The lattice values of a function's arguments, with one symbol for sizes of one name."""
    symbols: dict[str, Number] = {}
    lattice_values = []
    for argument in function.regions[0].blocks[0].arguments:
        lattice_value = sweep.declared.lattice_value(argument.type)
        if isinstance(lattice_value, Tensor) and lattice_value.symbols:
            bound = _binding(argument)
            if bound is not None:
                lattice_value = _bound(sweep, lattice_value, bound, symbols)
        lattice_values.append(lattice_value)
    return tuple(lattice_values)


def _binding(value: ir.Value) -> ir.Operation | None:
    """The op that binds the sizes of a value to symbols."""
    for use in value.uses:
        if use.owner.operation.name == "torch.bind_symbolic_shape":
            return use.owner.operation
    return None


def _bound(
    sweep: SweepState, lattice_value: Tensor, op: ir.Operation, symbols: dict[str, Number]
) -> LatticeValue:
    """A tensor with unknown sizes replaced by those that an op binds."""
    match = _MAP.fullmatch(str(op.attributes["shape_expressions"]))
    assert lattice_value.sizes is not None
    if match is None:
        return lattice_value
    names = [name.strip() for name in match["names"].split(",") if name.strip()]
    values = [_symbol(value, symbols) for value in list(op.operands)[1:]]
    if len(names) != len(values) or None in values:
        return lattice_value
    known = {name: value for name, value in zip(names, values, strict=True) if value is not None}
    sizes = [_size(text, known) for text in match["sizes"].split(",")]
    if len(sizes) != len(lattice_value.sizes):
        return lattice_value
    met = tuple(
        one if isinstance(one, int) or other is None else other
        for one, other in zip(lattice_value.sizes, sizes, strict=True)
    )
    return sweep.facts.tensor(met, lattice_value.dtype)


def _symbol(value: ir.Value, symbols: dict[str, Number]) -> Number | None:
    """The symbol of a `torch.symbolic_int`."""
    if isinstance(value.owner, ir.Block) or value.owner.operation.name != "torch.symbolic_int":
        return None
    attributes = value.owner.operation.attributes
    name = ir.StringAttr(attributes["symbol_name"]).value
    if name not in symbols:
        low = ir.IntegerAttr(attributes["min_val"]).value
        high = ir.IntegerAttr(attributes["max_val"]).value
        symbols[name] = expressions.fresh(max(low, 0), max(high, low, 0))
    return symbols[name]


def _size(text: str, symbols: dict[str, Number]) -> Number | None:
    """The size given by a result of an affine map, None if unsupported."""
    source = text.strip().replace("floordiv", "//").replace("mod", "%")
    try:
        return parse_number(source, symbols.get)
    except ValueError:
        return None
