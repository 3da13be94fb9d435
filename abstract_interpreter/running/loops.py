"""Loops of unknown length: turns are run until what is carried does not change any more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch_refine.abstract_interpreter.conditions import formulas
from torch_refine.abstract_interpreter.conditions.formulas import Opaque
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

if TYPE_CHECKING:
    from torch_refine.abstract_interpreter.running.evaluator import Evaluator, Side


class Loop:
    """One loop of unknown length.

    What is carried is widened from turn to turn: an int that changes becomes one with a lower
    bound, then any; a list whose elements change becomes one of unknown elements.
    """

    def __init__(self, evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
        self.evaluator = evaluator
        self.instruction = instruction
        self.frame = frame
        # What each slot was widened to, so that it is the same value in every turn.
        self.widened: dict[Any, Value] = {}
        # Symbols with a larger number are names that a turn gave.
        self.since = next_serial()

    def settle(self, first: int, operands: list[Any]) -> list[Value]:
        """What is carried out of the loop, which may run no more turns; `first` are done."""
        limit, condition, *carried = operands
        before = condition, list(map(snapshot, carried))
        kinds = self.instruction.kinds
        (body,) = self.instruction.blocks
        for _ in range(ROUND_LIMIT):
            index = self.index(first, limit)
            entry = self.evaluator.assumptions
            possible = entry.assume(formulas.at_least(limit, add(index, 1)))
            possible = None if possible is None else possible.assume(condition)
            if possible is None:
                return carried
            for slot, value in zip(body.parameters, [index, *carried], strict=True):
                self.frame[slot] = value
            self.forget_found(carried)
            side = self.evaluator.run_side(body, self.frame, possible)
            if side.raised is not None:
                return self.without_turns(first, limit, condition, carried, side)
            condition = formulas.Opaque()
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
                if self.evaluator.recorder is not None:
                    bounds = limit, first, index
                    self.evaluator.recorder.looped(bounds, before, carried, side, kinds)
                return carried
            carried = wider
        return self.evaluator.give_up("what a loop changes does not settle")

    def forget_found(self, carried: list[Value]) -> None:
        """What one iteration reads of a list that is carried is not what another reads."""
        for value in self.widened.values():
            if isinstance(value, ListObject) and any(value is each for each in carried):
                value.found = {}

    def index(self, first: int, limit: Any) -> Expression:
        """The number of any turn."""
        high = self.evaluator.assumptions.range_of(self.evaluator.assumptions.resolve(limit)).high
        return fresh(first, int(min(high, INT_MAX)))

    def without_turns(
        self, first: int, limit: Any, condition: Any, carried: list[Value], side: Side
    ) -> list[Value]:
        """A turn raises, whatever the values: the loop has run none that was not run before."""
        done = formulas.at_least(first, limit)
        runs = formulas.both(formulas.invert(done), condition)
        self.evaluator.assume_otherwise(runs, side)
        return carried

    def widen(self, slot: Any, before: Any, after: Any, kind: str, side: Side) -> Any:
        """A value that is `before` at first and `after` a turn later."""
        if before is after or (slot in self.widened and _is_anything(before, self.widened[slot])):
            return before
        if is_number(before) and is_number(after):
            return self.widen_number(slot, before, after, side)
        if is_condition(before) and is_condition(after):
            return before if before == after else self.keep(slot, formulas.Opaque())
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
        """Have a slot widened to a value."""
        self.widened[slot] = value
        return value

    def widen_number(self, slot: Any, before: Any, after: Any, side: Side) -> Any:
        """An int: first one that is not below what it was, then any."""
        later = side.assumptions.resolve(after)
        if before == later:
            return before
        atom = single_atom(before)
        low = side.assumptions.range_of(later).low
        if slot in self.widened and self.widened[slot] == before and isinstance(atom, Symbol):
            return before if low >= atom.low else self.keep(slot, fresh())
        start = self.evaluator.assumptions.range_of(self.evaluator.assumptions.resolve(before)).low
        bounded = 0 <= min(low, start) < INT_MAX and slot not in self.widened
        return self.keep(slot, fresh(int(min(low, start))) if bounded else fresh())

    def widen_list(self, slot: Any, before: ListObject, after: ListObject, side: Side) -> Any:
        """A list that is another object after a turn."""
        freeze((before, after))
        if before.items is None:
            sizes = before.nonnegative and _only_sizes(after, side)
            if self.widened.get(slot) is before and sizes == before.nonnegative:
                return before
            # Another list than before, also in its length.
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
        sizes = self.evaluator.only_sizes(before) and _only_sizes(after, side)
        return self.keep(slot, ListObject(before.kind, None, nonnegative=sizes, frozen=True))

    def widen_lists(self, side: Side) -> bool:
        """Forget what is in the lists that a turn changed; whether there was more to forget."""
        changed = False
        for value, after in side.changed.values():
            items, length, nonnegative, _, pattern = after
            sizes = nonnegative if items is None else _all_sizes(items, side)
            sizes = sizes and self.evaluator.only_sizes(value)
            before = patterns.of_list(value.items, value.pattern, self.evaluator.assumptions)
            later = patterns.of_list(items, pattern, side.assumptions)
            common = patterns.without_new(patterns.combine(before, later), self.since)
            common = None if common is patterns.NOTHING else common
            settled = value.items is None and value.nonnegative == sizes
            lengths = value.length == length or ("length", value.serial) in self.widened
            freeze(items or ())
            if settled and lengths and value.pattern == common:
                # What was read in one turn is not what another turn reads.
                value.found = {}
                continue
            self.evaluator.about_to_change(value)
            same = items is not None and value.items is not None and len(items) == len(value.items)
            if same or (lengths and value.items is None):
                value.forget(len(items) if same else value.length, sizes, common)
            else:
                value.forget(None, sizes, common)
                self.widened["length", value.serial] = None
            changed = True
        return changed


def _is_anything(value: Any, widened: Any) -> bool:
    """Whether a value was widened to any of its kind."""
    return value is widened and isinstance(value, Unknown | Maybe | Opaque)


def _same(one: Any, other: Any) -> bool:
    return one is other or (is_number(one) and is_number(other) and bool(one == other))


def _only_sizes(value: ListObject, side: Side) -> bool:
    return value.nonnegative if value.items is None else _all_sizes(value.items, side)


def _all_sizes(items: list[Any], side: Side) -> bool:
    """Whether the elements are ints that are zero or more, as far as a turn knows."""
    known = side.assumptions
    return all(is_number(i) and known.range_of(known.resolve(i)).low >= 0 for i in items)
