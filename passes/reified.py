"""Analysis of reified calculations, cached while only passes run that preserve it."""

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
    """The structural key of a calculation, and the values it captures.

    `held` is the op in the calculate op's body, if it is the only one and all of its results are
    yielded.
    """

    key: int
    captured: list[ir.Value]
    held: ir.Operation | None


@dataclass(eq=False, slots=True)
class Nest:
    """An operator in nested calculate ops, from the outermost one inwards.

    `values` are the operands of the calculations, the inner ones first, and of the operator;
    `chains` are, for each result, its values outside of each op; `key` is equal for structurally
    equal nests. `source` is the operand of the operator if that is a cast.
    """

    layers: list[Layer]
    values: list[ir.Value]
    chains: list[list[ir.Value]]
    key: tuple[Hashable, ...]
    source: ir.Value | None


def nest_around(op: ir.Operation) -> Nest | None:
    """An operator in no calculate op; None if its results must keep their types."""
    if not is_free(op.name) or len(op.regions):
        return None
    operands = list(op.operands)
    chains = [[result] for result in op.results]
    return Nest([], operands, chains, (name_of(op),), operands[0] if op.name == CAST else None)


def add_layer(nest: Nest, layer: Layer, reading: Reading) -> None:
    """Add the calculate op directly around the operator of a nest."""
    kind, op, _ = layer
    nest.layers.append(layer)
    nest.values[0:0] = reading.captured
    for chain, result in zip(nest.chains, op.results, strict=True):
        chain.insert(-1, result)
    nest.key = (kind, reading.key, *nest.key)


@dataclass
class Reified:
    """Cached analysis of the reified calculations of a run's modules.

    `readings` and `nests` are keyed by the bodies of calculate ops, `sweeps` holds whole-program
    results by the first block of the program, and `constants` are ops created for calculations.
    """

    readings: dict[ir.Block, Reading] = field(default_factory=dict)
    nests: dict[ir.Block, Nest | None] = field(default_factory=dict)
    sweeps: dict[ir.Block | None, Any] = field(default_factory=dict)
    constants: list[ir.Operation] = field(default_factory=list)
    _numbers: dict[Hashable, int] = field(default_factory=dict)

    def number(self, parts: list[Hashable]) -> int:
        """The number of a structural key; equal keys have equal numbers."""
        return self._numbers.setdefault(tuple(parts), len(self._numbers))
