"""Lists and tuples: reading them, and changing lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from torch_refine.abstract_interpreter.running.decoder import Instruction
from torch_refine.abstract_interpreter.running.errors import STEP_LIMIT, Raised
from torch_refine.passes.partial_evaluation.values import ListObject, TupleValue

if TYPE_CHECKING:
    from torch_refine.passes.partial_evaluation.evaluator import Evaluator


def _list_construct(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    kind = evaluator.residual.kind(instruction.op.result)
    items = [frame[slot] for slot in instruction.operands]
    frame[instruction.results[0]] = ListObject(kind, items, depth=len(evaluator.scopes))


def _tuple_construct(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    kind = evaluator.residual.kind(instruction.op.result)
    items = tuple(frame[slot] for slot in instruction.operands)
    frame[instruction.results[0]] = TupleValue(kind, items)


def _tuple_index(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    value, index = (frame[slot] for slot in instruction.operands)
    if isinstance(value, TupleValue) and type(index) is int:
        frame[instruction.results[0]] = value.items[index]
    else:
        evaluator.write_op(instruction, frame, [value, index])


def _unpack(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    value = frame[instruction.operands[0]]
    if isinstance(value, TupleValue | ListObject) and value.items is not None:
        if len(value.items) != len(instruction.results):
            raise Raised(f"{len(value.items)} values to unpack into {len(instruction.results)}")
        for slot, item in zip(instruction.results, value.items, strict=True):
            frame[slot] = item
    else:
        evaluator.write_op(instruction, frame, [value])


def _length(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    value = frame[instruction.operands[0]]
    if isinstance(value, ListObject) and value.items is not None:
        frame[instruction.results[0]] = len(value.items)
    elif isinstance(value, str):
        frame[instruction.results[0]] = len(value)
    else:
        evaluator.write_op(instruction, frame, [value])


def _get_item(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    value, index = (frame[slot] for slot in instruction.operands)
    if isinstance(value, ListObject) and value.items is not None and type(index) is int:
        frame[instruction.results[0]] = value.items[_position(value, index)]
    else:
        evaluator.write_op(instruction, frame, [value, index])


def _position(value: ListObject, index: int) -> int:
    length = len(value.items or ())
    if not -length <= index < length:
        raise Raised(f"list index {index} is out of range for a list of {length}")
    return index


def _slice(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    value, *bounds = (frame[slot] for slot in instruction.operands)
    known = isinstance(value, ListObject) and value.items is not None
    if known and all(bound is None or type(bound) is int for bound in bounds):
        low, high, step = bounds
        if step is None or step > 0:
            items = value.items[slice(low, high, step)]
            frame[instruction.results[0]] = evaluator.new_list(value.kind, items)
            return
    evaluator.write_op(instruction, frame, [value, *bounds])


def _copy_list(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    value = frame[instruction.operands[0]]
    if isinstance(value, ListObject) and value.items is not None:
        frame[instruction.results[0]] = evaluator.new_list(value.kind, value.items)
    else:
        evaluator.write_op(instruction, frame, [value])


def _concatenate(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    left, right = (frame[slot] for slot in instruction.operands)
    if left.items is not None and right.items is not None:
        frame[instruction.results[0]] = evaluator.new_list(left.kind, left.items + right.items)
    else:
        evaluator.write_op(instruction, frame, [left, right])


def _repeat_list(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    arguments = [frame[slot] for slot in instruction.operands]
    value, count = sorted(arguments, key=lambda entry: not isinstance(entry, ListObject))
    if value.items is not None and type(count) is int and count * len(value.items) < STEP_LIMIT:
        frame[instruction.results[0]] = evaluator.new_list(value.kind, value.items * count)
    else:
        evaluator.write_op(instruction, frame, arguments)


def _append(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    value, item = (frame[slot] for slot in instruction.operands)
    evaluator.change(instruction, frame, [value, item], lambda items: items.append(item))


def _extend(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    value, more = (frame[slot] for slot in instruction.operands)
    added = more.items
    evaluator.change(
        instruction,
        frame,
        [value, more],
        None if added is None else lambda items: items.extend(list(added)),
    )


def _insert(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    value, index, item = (frame[slot] for slot in instruction.operands)
    known = type(index) is int
    apply = (lambda items: items.insert(index, item)) if known else None
    evaluator.change(instruction, frame, [value, index, item], apply)


def _set_item(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    value, index, item = (frame[slot] for slot in instruction.operands)
    apply = None
    if type(index) is int:
        if value.items is not None:
            _position(value, index)
        apply = lambda items: items.__setitem__(index, item)  # noqa: E731
    evaluator.change(instruction, frame, [value, index, item], apply)


def _pop(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    value, *rest = (frame[slot] for slot in instruction.operands)
    index = rest[0] if rest else -1
    if value.items is None or type(index) is not int or value.ssa is not None:
        evaluator.write_unknown_op(instruction, frame, [value, *rest])
        return
    _position(value, index)
    popped = value.items[index]
    evaluator.change(instruction, frame, [value, *rest], lambda items: items.pop(index))
    frame[instruction.results[0]] = popped


HANDLERS: dict[str, Callable[[Evaluator, Instruction, list[Any]], None]] = {
    "torch.prim.ListConstruct": _list_construct,
    "torch.prim.TupleConstruct": _tuple_construct,
    "torch.prim.TupleIndex": _tuple_index,
    "torch.prim.TupleUnpack": _unpack,
    "torch.prim.ListUnpack": _unpack,
    "torch.aten.len.t": _length,
    "torch.aten.len.str": _length,
    "torch.aten.__getitem__.t": _get_item,
    "torch.aten.slice.t": _slice,
    "torch.aten.list.t": _copy_list,
    "torch.aten.copy.t": _copy_list,
    "torch.aten.add.t": _concatenate,
    "torch.aten.mul.left_t": _repeat_list,
    "torch.aten.mul.right_": _repeat_list,
    "torch.aten.append.t": _append,
    "torch.aten.extend.t": _extend,
    "torch.aten.insert.t": _insert,
    "torch.aten._set_item.t": _set_item,
    "torch.aten.pop.t": _pop,
}
