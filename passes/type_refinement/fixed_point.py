"""Fixed points of values in cycles: loops, recursion, global slots."""

from __future__ import annotations

from collections.abc import Sequence

from torch_refine.abstract_interpreter.lattice import LatticeValue
from torch_refine.dialect.bindings import ir
from torch_refine.passes.type_refinement.joining import Joiner
from torch_refine.passes.type_refinement.sweep_state import SweepState

# After this many changes, what still changes is widened to its declared type; after twice as many,
# everything is.
_CHANGE_LIMIT = 16


class FixedPoint:
    """Lattice values that are joined until a fixed point is reached.

    `types` are the values' declared types. `state` is None before the first join. An int that
    changes becomes a symbol, so a few changes suffice in practice; their number is bounded for any
    program.
    """

    def __init__(self, sweep: SweepState, types: Sequence[ir.Type]) -> None:
        self.sweep = sweep
        self.types = types
        self.state: tuple[LatticeValue, ...] | None = None
        self._joiner = Joiner(sweep.facts, widening=True)
        self._changes = 0
        self._given_up: set[int] = set()

    def add(self, lattice_values: Sequence[LatticeValue]) -> bool:
        """Join `lattice_values` in; returns whether the state changed."""
        pairs = zip(lattice_values, self.types, strict=True)
        met = tuple(self.sweep.met(lattice_value, type) for lattice_value, type in pairs)
        if self.state is None:
            self.state = met
            return True
        joined = tuple(
            before if index in self._given_up else self._joined(before, after, index)
            for index, (before, after) in enumerate(zip(self.state, met, strict=True))
        )
        if joined == self.state:
            return False
        self._changes += 1
        if self._changes > _CHANGE_LIMIT:
            joined = self._without_changes(self.state, joined)
        self.state = joined
        return True

    def restart(self) -> None:
        """Reset the state, but not the number of changes."""
        if self.state is not None:
            self.state = None
            self._changes += 1

    def _joined(self, before: LatticeValue, after: LatticeValue, index: int) -> LatticeValue:
        kind = self.sweep.declared.kind(self.types[index])
        return self._joiner.join(before, after, kind, index)

    def _without_changes(
        self, before: tuple[LatticeValue, ...], after: tuple[LatticeValue, ...]
    ) -> tuple[LatticeValue, ...]:
        """Widen values that changed, or all of them, to their declared types."""
        everything = self._changes > 2 * _CHANGE_LIMIT
        lattice_values = list(after)
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            if index not in self._given_up and (everything or one is not other):
                self._given_up.add(index)
                lattice_values[index] = self.sweep.declared.lattice_value(self.types[index])
        return tuple(lattice_values)
