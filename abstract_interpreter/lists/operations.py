"""Operations on lists and tuples: queries, and mutations of lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch_refine.abstract_interpreter.conditions import conditions
from torch_refine.abstract_interpreter.conditions.joining import length
from torch_refine.abstract_interpreter.lists import patterns
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import Number
from torch_refine.abstract_interpreter.running.errors import STEP_LIMIT, Raised
from torch_refine.abstract_interpreter.running.path_state import PathState
from torch_refine.abstract_interpreter.values import (
    ListObject,
    freeze,
    is_number,
    unknown,
)

Operation = Callable[["PathState", list[Any]], Any]


def _tuple_construct(state: PathState, operands: list[Any]) -> Any:
    return tuple(operands)


def _tuple_index(state: PathState, operands: list[Any]) -> Any:
    value, index = operands
    if isinstance(value, tuple) and type(index) is int and -len(value) <= index < len(value):
        return value[index]
    return NotImplemented


def _length(state: PathState, operands: list[Any]) -> Any:
    (value,) = operands
    if isinstance(value, str):
        return len(value)
    return length(value) if isinstance(value, ListObject) else NotImplemented


def _get_item(state: PathState, operands: list[Any]) -> Any:
    value, index = operands
    if not isinstance(value, ListObject):
        return NotImplemented
    index = state.assumptions.resolve(index) if is_number(index) else index
    if value.items is None:
        _require_index(state, index, value.length)
        return value.element(index)
    if isinstance(index, int):
        return value.items[_position(value, index)]
    if not value.items:
        raise Raised("an element of an empty list is read")
    _require_index(state, index, len(value.items))
    return value.items[0] if len(value.items) == 1 else _any_item(state, value)


def _require_index(state: PathState, index: Any, length: Number) -> None:
    """Assume that an unknown index is in range."""
    if not is_number(index):
        return
    message = "a list index is out of range"
    low = state.assumptions.range_of(state.assumptions.resolve(index)).low
    if low >= 0:
        state.require(conditions.at_least(length, expressions.add(index, 1)), message)
    elif isinstance(index, int):
        state.require(conditions.at_least(length, -index), message)
    else:
        below = conditions.at_least(length, expressions.add(index, 1))
        above = conditions.at_least(expressions.add(index, length), 0)
        state.require(conditions.both(above, below), message)


def _any_item(state: PathState, value: ListObject) -> Any:
    """An element at an unknown index."""
    assert value.items
    first, *others = value.items
    if all(item is first or (is_number(item) and item == first) for item in others):
        return first
    # The element may be any of them, so none may be mutated.
    freeze(value.items)
    return value.new_element()


def _position(value: ListObject, index: int) -> int:
    length = len(value.items or ())
    if not -length <= index < length:
        raise Raised(f"list index {index} is out of range for a list of {length}")
    return index


def _slice(state: PathState, operands: list[Any]) -> Any:
    value, low, high, step = operands
    if value.items is not None:
        bounds = [state.known_int(bound) for bound in (low, high, step)]
        if NotImplemented not in bounds and (bounds[2] is None or bounds[2] > 0):
            return ListObject(value.kind, value.items[slice(*bounds)])
    return _some_of(value)


def _some_of(value: ListObject) -> ListObject:
    """A fresh list of any elements of another."""
    freeze(value.items or ())
    sizes = value.nonnegative and value.items is None
    return ListObject(value.kind, None, nonnegative=sizes)


def _copy_list(state: PathState, operands: list[Any]) -> Any:
    (value,) = operands
    copy = ListObject(value.kind, [])
    copy.restore(value.state())
    return copy


def _concatenate(state: PathState, operands: list[Any]) -> Any:
    left, right = operands
    if left.items is not None and right.items is not None:
        return ListObject(left.kind, left.items + right.items)
    total = state.total(length(left), length(right))
    sizes = state.only_sizes(left) and state.only_sizes(right)
    freeze([*(left.items or ()), *(right.items or ())])
    return ListObject(left.kind, None, total, sizes)


def _repeat(state: PathState, operands: list[Any]) -> Any:
    value, times = operands
    times = state.known_int(times)
    # The same elements may occur several times.
    freeze(value.items or ())
    if value.items is None or not isinstance(times, int):
        return ListObject(value.kind, None)
    if len(value.items) * times > STEP_LIMIT:
        state.give_up(f"a list has more than {STEP_LIMIT} elements")
    return ListObject(value.kind, value.items * times)


def _append(state: PathState, operands: list[Any]) -> Any:
    value, item = operands
    state.about_to_change(value)
    if value.items is not None:
        value.items.append(item)
    else:
        sizes = value.nonnegative and state.is_size(item)
        common = patterns.of_element(item, state.assumptions)
        common = patterns.combine(value.pattern, common)
        freeze([item])
        value.forget(state.total(value.length, 1), sizes, common)
    return value


def _extend(state: PathState, operands: list[Any]) -> Any:
    value, more = operands
    state.about_to_change(value)
    if value.items is not None and more.items is not None:
        value.items.extend(list(more.items))
    else:
        sizes = state.only_sizes(value) and state.only_sizes(more)
        freeze(more.items or ())
        value.forget(state.total(length(value), length(more)), sizes)
    return None


def _insert(state: PathState, operands: list[Any]) -> Any:
    value, index, item = operands
    state.about_to_change(value)
    index = state.known_int(index)
    if value.items is not None and isinstance(index, int):
        value.items.insert(index, item)
    else:
        sizes = state.only_sizes(value) and state.is_size(item)
        freeze([item])
        value.forget(state.total(length(value), 1), sizes)
    return None


def _set_item(state: PathState, operands: list[Any]) -> Any:
    value, index, item = operands
    state.about_to_change(value)
    index = state.known_int(index)
    if value.items is None:
        sizes = value.nonnegative and state.is_size(item)
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


def _pop(state: PathState, operands: list[Any]) -> Any:
    value, *rest = operands
    index = state.known_int(rest[0]) if rest else -1
    state.about_to_change(value)
    if value.items is not None and isinstance(index, int):
        return value.items.pop(_position(value, index))
    popped = value.new_element()
    value.forget(state.total(length(value), -1), state.only_sizes(value))
    return popped


def unpack(state: PathState, value: Any, kinds: list[str]) -> list[Any]:
    """The elements of a tuple, or of a list, which must have exactly as many."""
    items: Any = value if isinstance(value, tuple) else None
    if isinstance(value, ListObject):
        items = value.items
        if items is None:
            wanted = f"expected a list of {len(kinds)} elements"
            state.require(conditions.equal(value.length, len(kinds)), wanted)
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
    "torch.aten.mul.right_": lambda state, operands: _repeat(state, operands[::-1]),
    "torch.aten.append.t": _append,
    "torch.aten.extend.t": _extend,
    "torch.aten.insert.t": _insert,
    "torch.aten._set_item.t": _set_item,
    "torch.aten.pop.t": _pop,
}
