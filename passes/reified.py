"""What passes know of reified calculations, as long as only such run that keep it true."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.names import Kind, name_of
from torch_refine.passes.casts import CAST, is_free

# One calculate op around an operator: its kind, and its body.
Layer: TypeAlias = tuple[Kind, ir.Operation, ir.Block]


@dataclass(eq=False, slots=True)
class Reading:
    """A calculation as it is read: what it does, by number, and the values that it captures.

    `held` is the op in the body of its op, where it is the only one and all that is yielded.
    """

    key: int
    captured: list[ir.Value]
    held: ir.Operation | None


@dataclass(eq=False, slots=True)
class Nest:
    """An operator in the calculate ops around it, from the outermost one inwards.

    `values` are what the calculations, the inner ones first, and the operator take; `chains` are,
    for each result, its value outside of each op; `key` is the same for nests that do the same with
    their values. `source` is what the operator casts, if that is all it does.
    """

    layers: list[Layer]
    values: list[ir.Value]
    chains: list[list[ir.Value]]
    key: tuple[Hashable, ...]
    source: ir.Value | None


def nest_around(op: ir.Operation) -> Nest | None:
    """An operator in no calculate op; None if its results may not change their types."""
    if not is_free(op.name) or len(op.regions):
        return None
    operands = list(op.operands)
    chains = [[result] for result in op.results]
    return Nest([], operands, chains, (name_of(op),), operands[0] if op.name == CAST else None)


def add_layer(nest: Nest, layer: Layer, reading: Reading) -> None:
    """Add the calculate op that stands directly around the operator of a nest."""
    kind, op, _ = layer
    nest.layers.append(layer)
    nest.values[0:0] = reading.captured
    for chain, result in zip(nest.chains, op.results, strict=True):
        chain.insert(-1, result)
    nest.key = (kind, reading.key, *nest.key)


@dataclass
class Reified:
    """What is known of the reified calculations of a run's modules.

    `readings` and `nests` are by the bodies of calculate ops, `sweeps` is what is remembered of a
    whole program by its first block, and `constants` are ops that were written for calculations.
    """

    readings: dict[ir.Block, Reading] = field(default_factory=dict)
    nests: dict[ir.Block, Nest | None] = field(default_factory=dict)
    sweeps: dict[ir.Block | None, Any] = field(default_factory=dict)
    constants: list[ir.Operation] = field(default_factory=list)
    _numbers: dict[Hashable, int] = field(default_factory=dict)

    def number(self, parts: list[Hashable]) -> int:
        """A number for what a calculation does, the same for the same parts."""
        return self._numbers.setdefault(tuple(parts), len(self._numbers))
