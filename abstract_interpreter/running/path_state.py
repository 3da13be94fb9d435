"""The abstract state of one path through a function: what operations read and change."""

from __future__ import annotations

from typing import Any, NoReturn

from torch_refine.abstract_interpreter.conditions import conditions
from torch_refine.abstract_interpreter.conditions.conditions import Condition
from torch_refine.abstract_interpreter.conditions.path_condition import NOTHING
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import Expression, Number
from torch_refine.abstract_interpreter.running.errors import GivenUp, Raised
from torch_refine.abstract_interpreter.running.recording import Recorder
from torch_refine.abstract_interpreter.running.sides import Side, Trail
from torch_refine.abstract_interpreter.values import ListObject, is_number, lists_in

IMPOSSIBLE = "no values that are possible here lead on"


class PathState:
    """The path condition, and the lists that the open sides have mutated.

    `device` is the type of the device that the program was exported for, if known. A `recorder`, if
    given, receives all events of the run.
    """

    def __init__(self, device: str | None = None, recorder: Recorder | None = None) -> None:
        self.device = device
        self.unknown_device = conditions.Opaque()
        self.assumptions = NOTHING
        self.steps = 0
        self.trails: list[Trail] = []
        self.recorder = recorder

    def give_up(self, reason: str) -> NoReturn:
        """Infer nothing of this function."""
        raise GivenUp(reason)

    def condition(self, condition: Condition) -> Condition:
        """A condition, folded if this path determines it."""
        known = self.assumptions.evaluate(condition)
        return condition if known is None else known

    def negation(self, condition: Condition) -> Condition:
        """The negation of a condition, folded if this path determines it."""
        return self.condition(conditions.invert(condition))

    def require(self, condition: Condition, message: str) -> None:
        """Assume a condition; the operation raises otherwise."""
        narrowed = self.assumptions.assume(condition)
        if narrowed is None:
            raise Raised(message)
        if self.recorder is not None and narrowed is not self.assumptions:
            self.recorder.required(condition, message)
        self.assumptions = narrowed

    def assume_otherwise(self, condition: Condition, side: Side) -> None:
        """Assume the negation of a condition; the run ends like `side` otherwise."""
        narrowed = self.assumptions.assume(condition, False)
        if narrowed is None:
            raise side.raised or Raised(IMPOSSIBLE)
        if self.recorder is not None:
            self.recorder.raises(condition, True, side.trace)
        self.assumptions = narrowed

    def named(self, number: Number) -> Number:
        """A number, replaced by a fresh symbol with its bounds if its expression is too large."""
        if not expressions.too_large(number):
            return number
        found = self.assumptions.range_of(number)
        low, high = max(found.low, expressions.INT_MIN), min(found.high, expressions.INT_MAX)
        return expressions.fresh(int(low), int(high))

    def known_int(self, value: Any) -> Any:
        """An int that is known on this path, or None; NotImplemented for any other value."""
        if isinstance(value, Expression):
            value = self.assumptions.resolve(value)
        return value if value is None or isinstance(value, int) else NotImplemented

    def total(self, left: Number, right: Number) -> Number:
        """The sum of two lengths."""
        return self.named(expressions.add(left, right))

    def is_size(self, value: Any) -> bool:
        """Whether a value is a non-negative int."""
        if not is_number(value):
            return False
        return self.assumptions.range_of(self.assumptions.resolve(value)).low >= 0

    def only_sizes(self, value: ListObject) -> bool:
        """Whether the elements of a list are non-negative ints."""
        if value.items is None:
            return value.nonnegative
        return all(map(self.is_size, value.items))

    # List mutations.

    def about_to_change(self, value: ListObject) -> None:
        """Save a list's contents for every open side."""
        if value.frozen:
            self.give_up("it mutates a list that may be aliased")
        for trail in self.trails:
            if value.serial < trail.since and value.serial not in trail.before:
                trail.before[value.serial] = (value, value.state())

    def forget(self, operands: list[Any]) -> None:
        """An operation that may mutate its list operands in any way."""
        for operand in operands:
            for changed in lists_in(operand):
                self.about_to_change(changed)
                changed.forget()
                changed.frozen = True
