"""Casts, tests of types, and messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from torch_refine.abstract_interpreter.running import folding
from torch_refine.abstract_interpreter.running.decoder import Instruction
from torch_refine.passes.partial_evaluation.values import (
    ListObject,
    Message,
    TupleValue,
    Unknown,
    Value,
    is_known,
    is_scalar,
    kind_of,
    plain,
)

if TYPE_CHECKING:
    from torch_refine.passes.partial_evaluation.evaluator import Evaluator


def _derefine(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    """A cast to a wider type hides nothing here: the narrow type is kept."""
    frame[instruction.results[0]] = frame[instruction.operands[0]]


def _unchecked_cast(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    value = frame[instruction.operands[0]]
    kind = evaluator.residual.kind(instruction.op.result)
    if isinstance(value, Unknown) and value.kind != kind and value.kind not in ("int", "float"):
        evaluator.write_op(instruction, frame, [value])
    else:
        frame[instruction.results[0]] = value


def _is_none(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    left, right = (frame[slot] for slot in instruction.operands)
    same = _same(left, right)
    if same is None:
        evaluator.write_op(instruction, frame, [left, right])
    else:
        frame[instruction.results[0]] = same == (instruction.name == "torch.aten.__is__")


def _is_instance(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    value, types = (frame[slot] for slot in instruction.operands)
    kind = kind_of(value)
    if kind in ("int", "float", "str"):
        frame[instruction.results[0]] = kind in types.split("|")
    else:
        evaluator.write_op(instruction, frame, [value, types])


def _format(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    """A message: known parts are filled in, and it is kept for whoever reports it."""
    arguments = [frame[slot] for slot in instruction.operands]
    if all(map(is_known, arguments)):
        frame[instruction.results[0]] = folding.format_message(*map(plain, arguments))
    else:
        evaluator.write_op(instruction, frame, arguments)
        written = frame[instruction.results[0]]
        parts = [plain_or_unknown(argument) for argument in arguments]
        frame[instruction.results[0]] = Message(
            written.ssa, written.kind, folding.format_message(*parts)
        )


def _uninitialized(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    """A value that no path reads."""
    evaluator.write_op(instruction, frame, [])


def _same(left: Value, right: Value) -> bool | None:
    """Whether `left is right`, which programs ask of None only; None when that is not known."""
    if left is None and right is None:
        return True
    if left is not None and right is not None:
        return None
    value = right if left is None else left
    if isinstance(value, Unknown) and value.kind.startswith(("optional<", "any", "union<")):
        return None
    return False


def plain_or_unknown(value: Value) -> Any:
    """A value for a message, with NotImplemented for what is not known."""
    if isinstance(value, Message):
        return value.text
    if isinstance(value, ListObject | TupleValue):
        if value.items is None:
            return NotImplemented
        return [plain_or_unknown(item) for item in value.items]
    return value if is_scalar(value) else NotImplemented


HANDLERS: dict[str, Callable[[Evaluator, Instruction, list[Any]], None]] = {
    "torch_refine.isinstance": _is_instance,
    "torch.prim.Uninitialized": _uninitialized,
    "torch.derefine": _derefine,
    "torch.prim.unchecked_cast": _unchecked_cast,
    "torch.aten.__is__": _is_none,
    "torch.aten.__isnot__": _is_none,
    "torch.aten.format": _format,
}
