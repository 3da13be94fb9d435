"""Lists and tuples: reading them, and changing lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from torch_refine.abstract_interpreter.conditions import formulas
from torch_refine.abstract_interpreter.conditions.joining import length
from torch_refine.abstract_interpreter.lists import patterns
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import Number
from torch_refine.abstract_interpreter.running.errors import STEP_LIMIT, Raised
from torch_refine.abstract_interpreter.values import (
    ListObject,
    freeze,
    is_number,
    unknown,
)

if TYPE_CHECKING:
    from torch_refine.abstract_interpreter.running.evaluator import Evaluator

Operation = Callable[["Evaluator", list[Any]], Any]


def _tuple_construct(evaluator: Evaluator, operands: list[Any]) -> Any:
    return tuple(operands)


def _tuple_index(evaluator: Evaluator, operands: list[Any]) -> Any:
    value, index = operands
    if isinstance(value, tuple) and type(index) is int and -len(value) <= index < len(value):
        return value[index]
    return NotImplemented


def _length(evaluator: Evaluator, operands: list[Any]) -> Any:
    (value,) = operands
    if isinstance(value, str):
        return len(value)
    return length(value) if isinstance(value, ListObject) else NotImplemented


def _get_item(evaluator: Evaluator, operands: list[Any]) -> Any:
    value, index = operands
    if not isinstance(value, ListObject):
        return NotImplemented
    index = evaluator.assumptions.resolve(index) if is_number(index) else index
    if value.items is None:
        _require_index(evaluator, index, value.length)
        return value.element(index)
    if isinstance(index, int):
        return value.items[_position(value, index)]
    if not value.items:
        raise Raised("an element of an empty list is asked for")
    _require_index(evaluator, index, len(value.items))
    return value.items[0] if len(value.items) == 1 else _any_item(evaluator, value)


def _require_index(evaluator: Evaluator, index: Any, length: Number) -> None:
    """Go on where an index that is not known is in range."""
    if not is_number(index):
        return
    message = "a list index is out of range"
    low = evaluator.assumptions.range_of(evaluator.assumptions.resolve(index)).low
    if low >= 0:
        evaluator.require(formulas.at_least(length, expressions.add(index, 1)), message)
    elif isinstance(index, int):
        evaluator.require(formulas.at_least(length, -index), message)
    else:
        below = formulas.at_least(length, expressions.add(index, 1))
        above = formulas.at_least(expressions.add(index, length), 0)
        evaluator.require(formulas.both(above, below), message)


def _any_item(evaluator: Evaluator, value: ListObject) -> Any:
    """An element at an index that is not known."""
    assert value.items
    first, *others = value.items
    if all(item is first or (is_number(item) and item == first) for item in others):
        return first
    # Which of them it is cannot be told, so none may change.
    freeze(value.items)
    return value.new_element()


def _position(value: ListObject, index: int) -> int:
    length = len(value.items or ())
    if not -length <= index < length:
        raise Raised(f"list index {index} is out of range for a list of {length}")
    return index


def _slice(evaluator: Evaluator, operands: list[Any]) -> Any:
    value, low, high, step = operands
    if value.items is not None:
        bounds = [evaluator.known_int(bound) for bound in (low, high, step)]
        if NotImplemented not in bounds and (bounds[2] is None or bounds[2] > 0):
            return ListObject(value.kind, value.items[slice(*bounds)])
    return _some_of(value)


def _some_of(value: ListObject) -> ListObject:
    """A new list of any elements of another."""
    freeze(value.items or ())
    sizes = value.nonnegative and value.items is None
    return ListObject(value.kind, None, nonnegative=sizes)


def _copy_list(evaluator: Evaluator, operands: list[Any]) -> Any:
    (value,) = operands
    copy = ListObject(value.kind, [])
    copy.restore(value.state())
    return copy


def _concatenate(evaluator: Evaluator, operands: list[Any]) -> Any:
    left, right = operands
    if left.items is not None and right.items is not None:
        return ListObject(left.kind, left.items + right.items)
    total = evaluator.total(length(left), length(right))
    sizes = evaluator.only_sizes(left) and evaluator.only_sizes(right)
    freeze([*(left.items or ()), *(right.items or ())])
    return ListObject(left.kind, None, total, sizes)


def _repeat(evaluator: Evaluator, operands: list[Any]) -> Any:
    value, times = operands
    times = evaluator.known_int(times)
    # The same elements stand in several places.
    freeze(value.items or ())
    if value.items is None or not isinstance(times, int):
        return ListObject(value.kind, None)
    if len(value.items) * times > STEP_LIMIT:
        evaluator.give_up(f"a list of more than {STEP_LIMIT} elements is made")
    return ListObject(value.kind, value.items * times)


def _append(evaluator: Evaluator, operands: list[Any]) -> Any:
    value, item = operands
    evaluator.about_to_change(value)
    if value.items is not None:
        value.items.append(item)
    else:
        sizes = value.nonnegative and evaluator.is_size(item)
        common = patterns.of_element(item, evaluator.assumptions)
        common = patterns.combine(value.pattern, common)
        freeze([item])
        value.forget(evaluator.total(value.length, 1), sizes, common)
    return value


def _extend(evaluator: Evaluator, operands: list[Any]) -> Any:
    value, more = operands
    evaluator.about_to_change(value)
    if value.items is not None and more.items is not None:
        value.items.extend(list(more.items))
    else:
        sizes = evaluator.only_sizes(value) and evaluator.only_sizes(more)
        freeze(more.items or ())
        value.forget(evaluator.total(length(value), length(more)), sizes)
    return None


def _insert(evaluator: Evaluator, operands: list[Any]) -> Any:
    value, index, item = operands
    evaluator.about_to_change(value)
    index = evaluator.known_int(index)
    if value.items is not None and isinstance(index, int):
        value.items.insert(index, item)
    else:
        sizes = evaluator.only_sizes(value) and evaluator.is_size(item)
        freeze([item])
        value.forget(evaluator.total(length(value), 1), sizes)
    return None


def _set_item(evaluator: Evaluator, operands: list[Any]) -> Any:
    value, index, item = operands
    evaluator.about_to_change(value)
    index = evaluator.known_int(index)
    if value.items is None:
        sizes = value.nonnegative and evaluator.is_size(item)
        freeze([item])
        value.forget(value.length, sizes)
    elif isinstance(index, int):
        value.items[_position(value, index)] = item
    else:
        freeze([*value.items, item])
        value.items = [
            old if old is item or (is_number(old) and old == item) else value.new_element()
            for old in value.items
        ]
    return value


def _pop(evaluator: Evaluator, operands: list[Any]) -> Any:
    value, *rest = operands
    index = evaluator.known_int(rest[0]) if rest else -1
    evaluator.about_to_change(value)
    if value.items is not None and isinstance(index, int):
        return value.items.pop(_position(value, index))
    popped = value.new_element()
    value.forget(evaluator.total(length(value), -1), evaluator.only_sizes(value))
    return popped


def unpack(evaluator: Evaluator, value: Any, kinds: list[str]) -> list[Any]:
    """The elements of a tuple, or of a list that must have as many."""
    items: Any = value if isinstance(value, tuple) else None
    if isinstance(value, ListObject):
        items = value.items
        if items is None:
            wanted = f"a list of {len(kinds)} elements is needed"
            evaluator.require(formulas.equal(value.length, len(kinds)), wanted)
            return [value.element(index) for index in range(len(kinds))]
    if items is None:
        return [unknown(kind) for kind in kinds]
    if len(items) != len(kinds):
        raise Raised(f"{len(items)} values to unpack into {len(kinds)}")
    return list(items)


OPERATIONS: dict[str, Operation] = {
    "torch.prim.TupleConstruct": _tuple_construct,
    "torch.prim.TupleIndex": _tuple_index,
    "torch.aten.len.t": _length,
    "torch.aten.len.str": _length,
    "torch.aten.__getitem__.t": _get_item,
    "torch.aten.slice.t": _slice,
    "torch.aten.list.t": _copy_list,
    "torch.aten.copy.t": _copy_list,
    "torch.aten.add.t": _concatenate,
    "torch.aten.mul.left_t": _repeat,
    "torch.aten.mul.right_": lambda evaluator, operands: _repeat(evaluator, operands[::-1]),
    "torch.aten.append.t": _append,
    "torch.aten.extend.t": _extend,
    "torch.aten.insert.t": _insert,
    "torch.aten._set_item.t": _set_item,
    "torch.aten.pop.t": _pop,
}
