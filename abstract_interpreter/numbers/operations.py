"""Arithmetic, comparisons and logic on partly known ints and bools.

Each operation takes the state and its operands, of which at least one is unknown, and returns a
value; NotImplemented if only its kind is known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch_refine.abstract_interpreter.conditions import conditions
from torch_refine.abstract_interpreter.conditions.conditions import Condition
from torch_refine.abstract_interpreter.conditions.path_condition import PathCondition
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import Number, fresh
from torch_refine.abstract_interpreter.running.errors import Raised
from torch_refine.abstract_interpreter.running.path_state import PathState
from torch_refine.abstract_interpreter.values import (
    ListObject,
    is_condition,
    is_number,
)

Operation = Callable[["PathState", list[Any]], Any]


def _numbers(state: PathState, operands: list[Any]) -> list[Number] | None:
    """The operands resolved on this path; None if one is not an int."""
    if not all(map(is_number, operands)):
        return None
    return [state.assumptions.resolve(operand) for operand in operands]


def _arithmetic(function: Callable[..., Number]) -> Operation:
    def apply(state: PathState, operands: list[Any]) -> Any:
        numbers = _numbers(state, operands)
        return NotImplemented if numbers is None else state.named(function(*numbers))

    return apply


def _division(function: Callable[[Number, Number], Number]) -> Operation:
    def apply(state: PathState, operands: list[Any]) -> Any:
        numbers = _numbers(state, operands)
        if numbers is None:
            return NotImplemented
        number, divisor = numbers
        if divisor == 0:
            raise Raised("division by zero")
        state.require(conditions.invert(conditions.equal(divisor, 0)), "division by zero")
        divisor = state.assumptions.resolve(divisor)
        return state.named(function(state.assumptions.resolve(number), divisor))

    return apply


def _extreme(operation: str) -> Operation:
    def apply(state: PathState, operands: list[Any]) -> Any:
        numbers = _numbers(state, operands)
        if numbers is None:
            return NotImplemented
        known = known_extreme(state.assumptions, operation, *numbers)
        return state.named(expressions.extreme(operation, *numbers)) if known is None else known

    return apply


def known_extreme(
    path: PathCondition, operation: str, left: Number, right: Number
) -> Number | None:
    """The minimum or maximum of two numbers if their order is known on a path."""
    if path.evaluate(conditions.at_least(left, right)):
        return left if operation == "max" else right
    if path.evaluate(conditions.at_least(right, left)):
        return right if operation == "max" else left
    return None


def _absolute(state: PathState, operands: list[Any]) -> Any:
    numbers = _numbers(state, operands)
    if numbers is None:
        return NotImplemented
    (number,) = numbers
    positive = state.assumptions.evaluate(conditions.nonnegative(number))
    if positive is None:
        return fresh(0)
    return number if positive else expressions.negate(number)


def _comparison(function: Callable[[Number, Number], Condition]) -> Operation:
    def apply(state: PathState, operands: list[Any]) -> Any:
        numbers = _numbers(state, operands)
        if numbers is None:
            return NotImplemented
        return state.condition(function(*numbers))

    return apply


def _not_equal(left: Number, right: Number) -> Condition:
    return conditions.invert(conditions.equal(left, right))


def _at_most(left: Number, right: Number) -> Condition:
    return conditions.at_least(right, left)


def _more(left: Number, right: Number) -> Condition:
    return conditions.at_least(left, expressions.add(right, 1))


def _less(left: Number, right: Number) -> Condition:
    return _more(right, left)


def _logic(function: Callable[..., Condition]) -> Operation:
    def apply(state: PathState, operands: list[Any]) -> Any:
        if not all(map(is_condition, operands)):
            return NotImplemented
        return state.condition(function(*operands))

    return apply


def _same_bools(left: Condition, right: Condition) -> Condition:
    if isinstance(left, bool):
        left, right = right, left
    if isinstance(right, bool):
        return left if right else conditions.invert(left)
    return True if left == right else conditions.Opaque()


def _bool_of_int(state: PathState, operands: list[Any]) -> Any:
    return _COMPARE_NE(state, [*operands, 0])


def _int_of_bool(state: PathState, operands: list[Any]) -> Any:
    (condition,) = operands
    if not is_condition(condition):
        return NotImplemented
    known = state.assumptions.evaluate(condition)
    return fresh(0, 1) if known is None else int(known)


def _identity(state: PathState, operands: list[Any]) -> Any:
    return operands[0] if is_number(operands[0]) else NotImplemented


def _same_lists(state: PathState, operands: list[Any]) -> Any:
    one, other = operands
    if one is other:
        return True
    if one.items is None or other.items is None:
        return NotImplemented
    if len(one.items) != len(other.items):
        return False
    result: Condition = True
    for left, right in zip(one.items, other.items, strict=True):
        same = _COMPARE_EQ(state, [left, right])
        if same is NotImplemented:
            return NotImplemented
        result = conditions.both(result, same)
    return state.condition(result)


def _different_lists(state: PathState, operands: list[Any]) -> Any:
    same = _same_lists(state, operands)
    return NotImplemented if same is NotImplemented else conditions.invert(same)


def _contains(state: PathState, operands: list[Any]) -> Any:
    values, item = operands
    if not isinstance(values, ListObject) or values.items is None:
        return NotImplemented
    result: Condition = False
    for value in values.items:
        same = _COMPARE_EQ(state, [value, item])
        if same is NotImplemented:
            return NotImplemented
        result = conditions.either(result, same)
    return state.condition(result)


def _fold_list(function: Callable[[Condition, Condition], Condition], start: bool) -> Operation:
    def apply(state: PathState, operands: list[Any]) -> Any:
        items = operands[0].items
        if items is None or not all(map(is_condition, items)):
            return NotImplemented
        result: Condition = start
        for item in items:
            result = function(result, item)
        return state.condition(result)

    return apply


def _extreme_of_list(operation: str) -> Operation:
    def apply(state: PathState, operands: list[Any]) -> Any:
        items = operands[0].items
        if not items:
            return NotImplemented
        result = items[0]
        for item in items[1:]:
            result = _extreme(operation)(state, [result, item])
            if result is NotImplemented:
                return NotImplemented
        return result

    return apply


def _range_length(state: PathState, operands: list[Any]) -> Any:
    numbers = _numbers(state, operands)
    if numbers is None or numbers[2] != 1:
        return NotImplemented
    distance = expressions.subtract(numbers[1], numbers[0])
    return _extreme("max")(state, [distance, 0])


def _derive_index(state: PathState, operands: list[Any]) -> Any:
    numbers = _numbers(state, operands)
    if numbers is None:
        return NotImplemented
    index, start, step = numbers
    return state.named(expressions.add(start, expressions.multiply(index, step)))


_COMPARE_EQ = _comparison(conditions.equal)
_COMPARE_NE = _comparison(_not_equal)

_COMPARISONS = {
    "eq": _COMPARE_EQ,
    "ne": _COMPARE_NE,
    "lt": _comparison(_less),
    "le": _comparison(_at_most),
    "gt": _comparison(_more),
    "ge": _comparison(conditions.at_least),
}

OPERATIONS: dict[str, Operation] = {
    **{f"torch.aten.{name}.int": apply for name, apply in _COMPARISONS.items()},
    **{f"torch.aten.{name}": apply for name, apply in _COMPARISONS.items()},
    "torch.aten.add.int": _arithmetic(expressions.add),
    "torch.aten.sub.int": _arithmetic(expressions.subtract),
    "torch.aten.mul.int": _arithmetic(expressions.multiply),
    "torch.aten.add": _arithmetic(expressions.add),
    "torch.aten.sub": _arithmetic(expressions.subtract),
    "torch.aten.mul": _arithmetic(expressions.multiply),
    "torch.aten.neg.int": _arithmetic(expressions.negate),
    "torch.aten.floordiv.int": _division(expressions.floor_divide),
    "torch.aten.remainder.int": _division(expressions.remainder),
    "torch.prim.min.int": _extreme("min"),
    "torch.prim.max.int": _extreme("max"),
    "torch.prim.min.self_int": _extreme_of_list("min"),
    "torch.prim.max.self_int": _extreme_of_list("max"),
    "torch.prim.abs.int": _absolute,
    "torch.aten.eq.bool": _logic(_same_bools),
    "torch.aten.ne.bool": _logic(lambda a, b: conditions.invert(_same_bools(a, b))),
    "torch.aten.eq.int_list": _same_lists,
    "torch.aten.ne.int_list": _different_lists,
    "torch.aten.__contains__.int_list": _contains,
    "torch.aten.all.bool": _fold_list(conditions.both, True),
    "torch.aten.any.bool": _fold_list(conditions.either, False),
    "torch.aten.__not__": _logic(conditions.invert),
    "torch.aten.__and__.bool": _logic(conditions.both),
    "torch.aten.__or__.bool": _logic(conditions.either),
    "torch.aten.Bool.int": _bool_of_int,
    "torch.aten.Int.bool": _int_of_bool,
    "torch.aten.Int.Scalar": _identity,
    "torch.aten.Int.int": _identity,
    "torch.aten.ceil.int": _identity,
    "torch.aten.floor.int": _identity,
    "torch.aten.ceil.Scalar": _identity,
    "torch.aten.floor.Scalar": _identity,
    "torch.aten.__range_length": _range_length,
    "torch.aten.__derive_index": _derive_index,
}
