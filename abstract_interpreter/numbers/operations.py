"""Arithmetic, comparisons and logic over ints and bools that are not all known.

Each operation takes the evaluator and its operands, of which at least one is not known, and gives
a value; NotImplemented when it cannot say more than the kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from torch_refine.abstract_interpreter.conditions import formulas
from torch_refine.abstract_interpreter.conditions.formulas import Condition
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import Number, fresh
from torch_refine.abstract_interpreter.running.errors import Raised
from torch_refine.abstract_interpreter.values import (
    ListObject,
    is_condition,
    is_number,
)

if TYPE_CHECKING:
    from torch_refine.abstract_interpreter.running.evaluator import Evaluator

Operation = Callable[["Evaluator", list[Any]], Any]


def _numbers(evaluator: Evaluator, operands: list[Any]) -> list[Number] | None:
    """The operands in terms of what is not bound on this path; None if one is no int."""
    if not all(map(is_number, operands)):
        return None
    return [evaluator.assumptions.resolve(operand) for operand in operands]


def _arithmetic(function: Callable[..., Number]) -> Operation:
    def apply(evaluator: Evaluator, operands: list[Any]) -> Any:
        numbers = _numbers(evaluator, operands)
        return NotImplemented if numbers is None else evaluator.named(function(*numbers))

    return apply


def _division(function: Callable[[Number, Number], Number]) -> Operation:
    def apply(evaluator: Evaluator, operands: list[Any]) -> Any:
        numbers = _numbers(evaluator, operands)
        if numbers is None:
            return NotImplemented
        number, divisor = numbers
        if divisor == 0:
            raise Raised("division by zero")
        evaluator.require(formulas.invert(formulas.equal(divisor, 0)), "division by zero")
        divisor = evaluator.assumptions.resolve(divisor)
        return evaluator.named(function(evaluator.assumptions.resolve(number), divisor))

    return apply


def _extreme(operation: str) -> Operation:
    def apply(evaluator: Evaluator, operands: list[Any]) -> Any:
        numbers = _numbers(evaluator, operands)
        if numbers is None:
            return NotImplemented
        left, right = numbers
        larger = evaluator.assumptions.evaluate(formulas.at_least(left, right))
        if larger is None:
            return evaluator.named(expressions.extreme(operation, left, right))
        return left if larger == (operation == "max") else right

    return apply


def _absolute(evaluator: Evaluator, operands: list[Any]) -> Any:
    numbers = _numbers(evaluator, operands)
    if numbers is None:
        return NotImplemented
    (number,) = numbers
    positive = evaluator.assumptions.evaluate(formulas.nonnegative(number))
    if positive is None:
        return fresh(0)
    return number if positive else expressions.negate(number)


def _comparison(function: Callable[[Number, Number], Condition]) -> Operation:
    def apply(evaluator: Evaluator, operands: list[Any]) -> Any:
        numbers = _numbers(evaluator, operands)
        if numbers is None:
            return NotImplemented
        return evaluator.condition(function(*numbers))

    return apply


def _not_equal(left: Number, right: Number) -> Condition:
    return formulas.invert(formulas.equal(left, right))


def _at_most(left: Number, right: Number) -> Condition:
    return formulas.at_least(right, left)


def _more(left: Number, right: Number) -> Condition:
    return formulas.at_least(left, expressions.add(right, 1))


def _less(left: Number, right: Number) -> Condition:
    return _more(right, left)


def _logic(function: Callable[..., Condition]) -> Operation:
    def apply(evaluator: Evaluator, operands: list[Any]) -> Any:
        if not all(map(is_condition, operands)):
            return NotImplemented
        return evaluator.condition(function(*operands))

    return apply


def _same_bools(left: Condition, right: Condition) -> Condition:
    if isinstance(left, bool):
        left, right = right, left
    if isinstance(right, bool):
        return left if right else formulas.invert(left)
    return True if left == right else formulas.Opaque()


def _bool_of_int(evaluator: Evaluator, operands: list[Any]) -> Any:
    return _COMPARE_NE(evaluator, [*operands, 0])


def _int_of_bool(evaluator: Evaluator, operands: list[Any]) -> Any:
    (condition,) = operands
    if not is_condition(condition):
        return NotImplemented
    known = evaluator.assumptions.evaluate(condition)
    return fresh(0, 1) if known is None else int(known)


def _identity(evaluator: Evaluator, operands: list[Any]) -> Any:
    return operands[0] if is_number(operands[0]) else NotImplemented


def _same_lists(evaluator: Evaluator, operands: list[Any]) -> Any:
    one, other = operands
    if one is other:
        return True
    if one.items is None or other.items is None:
        return NotImplemented
    if len(one.items) != len(other.items):
        return False
    result: Condition = True
    for left, right in zip(one.items, other.items, strict=True):
        same = _COMPARE_EQ(evaluator, [left, right])
        if same is NotImplemented:
            return NotImplemented
        result = formulas.both(result, same)
    return evaluator.condition(result)


def _different_lists(evaluator: Evaluator, operands: list[Any]) -> Any:
    same = _same_lists(evaluator, operands)
    return NotImplemented if same is NotImplemented else formulas.invert(same)


def _contains(evaluator: Evaluator, operands: list[Any]) -> Any:
    values, item = operands
    if not isinstance(values, ListObject) or values.items is None:
        return NotImplemented
    result: Condition = False
    for value in values.items:
        same = _COMPARE_EQ(evaluator, [value, item])
        if same is NotImplemented:
            return NotImplemented
        result = formulas.either(result, same)
    return evaluator.condition(result)


def _fold_list(function: Callable[[Condition, Condition], Condition], start: bool) -> Operation:
    def apply(evaluator: Evaluator, operands: list[Any]) -> Any:
        items = operands[0].items
        if items is None or not all(map(is_condition, items)):
            return NotImplemented
        result: Condition = start
        for item in items:
            result = function(result, item)
        return evaluator.condition(result)

    return apply


def _extreme_of_list(operation: str) -> Operation:
    def apply(evaluator: Evaluator, operands: list[Any]) -> Any:
        items = operands[0].items
        if not items:
            return NotImplemented
        result = items[0]
        for item in items[1:]:
            result = _extreme(operation)(evaluator, [result, item])
            if result is NotImplemented:
                return NotImplemented
        return result

    return apply


def _range_length(evaluator: Evaluator, operands: list[Any]) -> Any:
    numbers = _numbers(evaluator, operands)
    if numbers is None or numbers[2] != 1:
        return NotImplemented
    distance = expressions.subtract(numbers[1], numbers[0])
    return _extreme("max")(evaluator, [distance, 0])


def _derive_index(evaluator: Evaluator, operands: list[Any]) -> Any:
    numbers = _numbers(evaluator, operands)
    if numbers is None:
        return NotImplemented
    index, start, step = numbers
    return evaluator.named(expressions.add(start, expressions.multiply(index, step)))


_COMPARE_EQ = _comparison(formulas.equal)
_COMPARE_NE = _comparison(_not_equal)

_COMPARISONS = {
    "eq": _COMPARE_EQ,
    "ne": _COMPARE_NE,
    "lt": _comparison(_less),
    "le": _comparison(_at_most),
    "gt": _comparison(_more),
    "ge": _comparison(formulas.at_least),
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
    "torch.aten.ne.bool": _logic(lambda a, b: formulas.invert(_same_bools(a, b))),
    "torch.aten.eq.int_list": _same_lists,
    "torch.aten.ne.int_list": _different_lists,
    "torch.aten.__contains__.int_list": _contains,
    "torch.aten.all.bool": _fold_list(formulas.both, True),
    "torch.aten.any.bool": _fold_list(formulas.either, False),
    "torch.aten.__not__": _logic(formulas.invert),
    "torch.aten.__and__.bool": _logic(formulas.both),
    "torch.aten.__or__.bool": _logic(formulas.either),
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
