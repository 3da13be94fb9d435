"""Loops of unknown trip count: iterated until the loop-carried values reach a fixed point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch_refine.abstract_interpreter.conditions import conditions
from torch_refine.abstract_interpreter.conditions.conditions import Opaque
from torch_refine.abstract_interpreter.conditions.path_condition import PathCondition
from torch_refine.abstract_interpreter.lists import patterns
from torch_refine.abstract_interpreter.numbers.expressions import (
    INT_MAX,
    Expression,
    Symbol,
    add,
    fresh,
    next_serial,
    single_atom,
)
from torch_refine.abstract_interpreter.outcomes import snapshot
from torch_refine.abstract_interpreter.running.decoder import Instruction
from torch_refine.abstract_interpreter.running.errors import ROUND_LIMIT
from torch_refine.abstract_interpreter.running.path_state import PathState
from torch_refine.abstract_interpreter.running.sides import Side
from torch_refine.abstract_interpreter.values import (
    ListObject,
    Maybe,
    Unknown,
    Value,
    freeze,
    is_condition,
    is_number,
    kind_of,
    unknown,
)


class Loop:
    """One loop of unknown trip count.

    Loop-carried values are widened: an int that changes gets a lower bound, then none; a list whose
    elements change gets unknown elements.
    """

    def __init__(
        self,
        state: PathState,
        instruction: Instruction,
        frame: list[Any],
        run: Callable[[PathCondition], Side],
    ) -> None:
        """`run` runs the body once under a path condition, with its parameters in `frame`."""
        self.state = state
        self.run = run
        self.instruction = instruction
        self.frame = frame
        # The widened value of each slot, so that it is the same value in every iteration.
        self.widened: dict[Any, Value] = {}
        # Symbols with a larger number were created in an iteration.
        self.since = next_serial()

    def settle(self, first: int, operands: list[Any]) -> list[Value]:
        """The final loop-carried values, possibly of zero further iterations; `first` have been
        run.
        """
        limit, condition, *carried = operands
        before = condition, list(map(snapshot, carried))
        kinds = self.instruction.kinds
        (body,) = self.instruction.blocks
        for _ in range(ROUND_LIMIT):
            index = self.index(first, limit)
            entry = self.state.assumptions
            possible = entry.assume(conditions.at_least(limit, add(index, 1)))
            possible = None if possible is None else possible.assume(condition)
            if possible is None:
                return carried
            for slot, value in zip(body.parameters, [index, *carried], strict=True):
                self.frame[slot] = value
            self.forget_found(carried)
            side = self.run(possible)
            if side.raised is not None:
                return self.without_turns(first, limit, condition, carried, side)
            condition = conditions.Opaque()
            after = side.values[1:]
            wider = [
                self.widen(slot, before, later, kind, side)
                for slot, (before, later, kind) in enumerate(
                    zip(carried, after, kinds, strict=True)
                )
            ]
            changed = self.widen_lists(side)
            self.forget_found(carried)
            if not changed and all(a is b or a == b for a, b in zip(wider, carried, strict=True)):
                if self.state.recorder is not None:
                    bounds = limit, first, index
                    self.state.recorder.looped(bounds, before, carried, side, kinds)
                return carried
            carried = wider
        return self.state.give_up("a loop does not reach a fixed point")

    def forget_found(self, carried: list[Value]) -> None:
        """Elements that one iteration reads of a loop-carried list differ from those of another."""
        for value in self.widened.values():
            if isinstance(value, ListObject) and any(value is each for each in carried):
                value.found = {}

    def index(self, first: int, limit: Any) -> Expression:
        """The induction variable."""
        high = self.state.assumptions.range_of(self.state.assumptions.resolve(limit)).high
        return fresh(first, int(min(high, INT_MAX)))

    def without_turns(
        self, first: int, limit: Any, condition: Any, carried: list[Value], side: Side
    ) -> list[Value]:
        """Every iteration raises, whatever the values: the loop ran no further iteration."""
        done = conditions.at_least(first, limit)
        runs = conditions.both(conditions.invert(done), condition)
        self.state.assume_otherwise(runs, side)
        return carried

    def widen(self, slot: Any, before: Any, after: Any, kind: str, side: Side) -> Any:
        """Widen a value that is `before` on entry and `after` an iteration."""
        if before is after or (slot in self.widened and _is_anything(before, self.widened[slot])):
            return before
        if is_number(before) and is_number(after):
            return self.widen_number(slot, before, after, side)
        if is_condition(before) and is_condition(after):
            return before if before == after else self.keep(slot, conditions.Opaque())
        if type(before) is type(after) and isinstance(before, str | float) and before == after:
            return before
        if isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after):
            wider = [
                self.widen((slot, number), a, b, kind_of(a), side)
                for number, (a, b) in enumerate(zip(before, after, strict=True))
            ]
            return before if all(map(_same, before, wider)) else tuple(wider)
        if isinstance(before, ListObject) and isinstance(after, ListObject):
            return self.widen_list(slot, before, after, side)
        freeze((before, after))
        one, other = kind_of(before), kind_of(after)
        return self.keep(slot, unknown(one if one == other else kind))

    def keep(self, slot: Any, value: Value) -> Any:
        """Set the widened value of a slot."""
        self.widened[slot] = value
        return value

    def widen_number(self, slot: Any, before: Any, after: Any, side: Side) -> Any:
        """Widen an int: first to any that is not smaller, then to any."""
        later = side.assumptions.resolve(after)
        if before == later:
            return before
        atom = single_atom(before)
        low = side.assumptions.range_of(later).low
        if slot in self.widened and self.widened[slot] == before and isinstance(atom, Symbol):
            return before if low >= atom.low else self.keep(slot, fresh())
        start = self.state.assumptions.range_of(self.state.assumptions.resolve(before)).low
        bounded = 0 <= min(low, start) < INT_MAX and slot not in self.widened
        return self.keep(slot, fresh(int(min(low, start))) if bounded else fresh())

    def widen_list(self, slot: Any, before: ListObject, after: ListObject, side: Side) -> Any:
        """Widen a list that is another object after an iteration."""
        freeze((before, after))
        if before.items is None:
            sizes = before.nonnegative and _only_sizes(after, side)
            if self.widened.get(slot) is before and sizes == before.nonnegative:
                return before
            # The list may differ in length, too.
            return self.keep(slot, ListObject(before.kind, None, nonnegative=sizes, frozen=True))
        if (
            after.items is not None
            and len(before.items) == len(after.items)
            and all(is_number(item) for item in (*before.items, *after.items))
        ):
            wider = [
                self.widen((slot, number), a, b, "int", side)
                for number, (a, b) in enumerate(zip(before.items, after.items, strict=True))
            ]
            if all(map(_same, before.items, wider)):
                return before
            return ListObject(before.kind, wider, frozen=True)
        sizes = self.state.only_sizes(before) and _only_sizes(after, side)
        return self.keep(slot, ListObject(before.kind, None, nonnegative=sizes, frozen=True))

    def widen_lists(self, side: Side) -> bool:
        """Forget the contents of lists mutated by an iteration; whether any were known."""
        changed = False
        for value, after in side.changed.values():
            items, length, nonnegative, _, pattern = after
            sizes = nonnegative if items is None else _all_sizes(items, side)
            sizes = sizes and self.state.only_sizes(value)
            before = patterns.of_list(value.items, value.pattern, self.state.assumptions)
            later = patterns.of_list(items, pattern, side.assumptions)
            common = patterns.without_new(patterns.combine(before, later), self.since)
            common = None if common is patterns.NOTHING else common
            settled = value.items is None and value.nonnegative == sizes
            lengths = value.length == length or ("length", value.serial) in self.widened
            freeze(items or ())
            if settled and lengths and value.pattern == common:
                # Elements read in one iteration differ from those of another.
                value.found = {}
                continue
            self.state.about_to_change(value)
            same = items is not None and value.items is not None and len(items) == len(value.items)
            if same or (lengths and value.items is None):
                value.forget(len(items) if same else value.length, sizes, common)
            else:
                value.forget(None, sizes, common)
                self.widened["length", value.serial] = None
            changed = True
        return changed


def _is_anything(value: Any, widened: Any) -> bool:
    """Whether a value was widened to any value of its kind."""
    return value is widened and isinstance(value, Unknown | Maybe | Opaque)


def _same(one: Any, other: Any) -> bool:
    return one is other or (is_number(one) and is_number(other) and bool(one == other))


def _only_sizes(value: ListObject, side: Side) -> bool:
    return value.nonnegative if value.items is None else _all_sizes(value.items, side)


def _all_sizes(items: list[Any], side: Side) -> bool:
    """Whether the elements are non-negative ints, as far as an iteration shows."""
    known = side.assumptions
    return all(is_number(i) and known.range_of(known.resolve(i)).low >= 0 for i in items)
