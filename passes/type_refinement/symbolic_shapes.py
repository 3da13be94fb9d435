"""The sizes that a function's arguments are bound to, as lattice values."""

from __future__ import annotations

from collections.abc import Sequence

from torch_refine.abstract_interpreter.lattice import LatticeValue, Tensor
from torch_refine.abstract_interpreter.numbers.expressions import Number
from torch_refine.dialect.bindings import ir
from torch_refine.passes.symbolic_shapes.reading import DeclaredSymbols
from torch_refine.passes.type_refinement.sweep_state import SweepState


def argument_sizes(sweep: SweepState, function: ir.Operation) -> tuple[LatticeValue, ...]:
    """The lattice values of a function's arguments, with one symbol for sizes of one name."""
    symbols = DeclaredSymbols()
    lattice_values = []
    for argument in function.regions[0].blocks[0].arguments:
        lattice_value = sweep.declared.lattice_value(argument.type)
        if isinstance(lattice_value, Tensor) and lattice_value.symbols:
            lattice_value = _bound(sweep, lattice_value, symbols.sizes_of(argument))
        lattice_values.append(lattice_value)
    sweep.symbol_names.update(symbols.names)
    return tuple(lattice_values)


def _bound(
    sweep: SweepState, lattice_value: Tensor, sizes: Sequence[Number | None]
) -> LatticeValue:
    """A tensor with unknown sizes replaced by those that it is bound to."""
    assert lattice_value.sizes is not None
    if len(sizes) != len(lattice_value.sizes):
        return lattice_value
    met = tuple(
        one if isinstance(one, int) or other is None else other
        for one, other in zip(lattice_value.sizes, sizes, strict=True)
    )
    return sweep.facts.tensor(met, lattice_value.dtype)
