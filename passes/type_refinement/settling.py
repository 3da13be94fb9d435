"""What holds of values that come by again: in loops, in recursion, in slots of a module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from torch_refine.abstract_interpreter.facts import Fact
from torch_refine.dialect.bindings import ir
from torch_refine.passes.type_refinement.joining import Joiner

if TYPE_CHECKING:
    from torch_refine.passes.type_refinement.sweep import Sweep

# After as many changes, what still changes is what its type declares; after twice as many, all is.
_CHANGE_LIMIT = 16


class Settling:
    """Facts of some values, joined until nothing that is added changes them.

    `types` are what the values are declared to be. `state` is None before anything was added. A
    number that changes becomes a symbol, so a few changes settle what a program does; the number
    of changes is bounded whatever the program.
    """

    def __init__(self, sweep: Sweep, types: Sequence[ir.Type]) -> None:
        self.sweep = sweep
        self.types = types
        self.state: tuple[Fact, ...] | None = None
        self._joiner = Joiner(sweep.facts, widening=True)
        self._changes = 0
        self._given_up: set[int] = set()

    def add(self, facts: Sequence[Fact]) -> bool:
        """Let the values also be what `facts` say; whether that changed anything."""
        pairs = zip(facts, self.types, strict=True)
        met = tuple(self.sweep.met(fact, type) for fact, type in pairs)
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
        """Forget the facts, not how often they changed."""
        if self.state is not None:
            self.state = None
            self._changes += 1

    def _joined(self, before: Fact, after: Fact, index: int) -> Fact:
        kind = self.sweep.declared.kind(self.types[index])
        return self._joiner.join(before, after, kind, index)

    def _without_changes(
        self, before: tuple[Fact, ...], after: tuple[Fact, ...]
    ) -> tuple[Fact, ...]:
        """What is declared in place of what changes, or of everything."""
        everything = self._changes > 2 * _CHANGE_LIMIT
        facts = list(after)
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            if index not in self._given_up and (everything or one is not other):
                self._given_up.add(index)
                facts[index] = self.sweep.declared.fact(self.types[index])
        return tuple(facts)
