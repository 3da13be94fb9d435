"""Casts, type tests, dtypes of scalars, promotion, and messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch_refine.abstract_interp_lib.scalar_types import NAMES
from torch_refine.abstract_interpreter.conditions.conditions import Opaque
from torch_refine.abstract_interpreter.numbers.expressions import dimension, fresh
from torch_refine.abstract_interpreter.running import folding
from torch_refine.abstract_interpreter.running.errors import Raised
from torch_refine.abstract_interpreter.running.path_state import PathState
from torch_refine.abstract_interpreter.tensors import QUESTIONS
from torch_refine.abstract_interpreter.values import (
    ListObject,
    Maybe,
    Message,
    TensorValue,
    Unknown,
    is_number,
    kind_of,
    shown,
    unknown,
)

Operation = Callable[["PathState", list[Any]], Any]

# Kinds whose values may have a narrower kind.
_WIDE = ("any", "optional<", "union<", "number")


def cast(value: Any, kind: str) -> Any:
    """A value cast to a kind that the calculation asserts."""
    if isinstance(value, Maybe) and not kind.startswith("optional<"):
        return cast(value.value, kind)
    if isinstance(value, Unknown) and value.kind != kind and value.kind.startswith(_WIDE):
        if kind.startswith(_WIDE):
            return value
        if kind not in value.views:
            value.views[kind] = unknown(kind)
        return value.views[kind]
    return value


def _derefine(state: PathState, operands: list[Any]) -> Any:
    """A cast to a wider type keeps the narrow kind."""
    return operands[0]


def _is_none(state: PathState, operands: list[Any]) -> Any:
    left, right = operands
    if left is None and right is None:
        return True
    if left is not None and right is not None:
        return NotImplemented
    value = right if left is None else left
    if isinstance(value, Maybe):
        return state.condition(value.absent)
    if isinstance(value, Unknown) and value.kind.startswith(("any", "optional<", "union<")):
        return value.views.setdefault("none", Opaque())
    return False


def _is_not_none(state: PathState, operands: list[Any]) -> Any:
    none = _is_none(state, operands)
    return NotImplemented if none is NotImplemented else state.negation(none)


def _is_instance(state: PathState, operands: list[Any]) -> Any:
    value, types = operands
    kind = kind_of(value)
    return kind in types.split("|") if kind in ("int", "float", "str") else NotImplemented


def _dtype_of_number(state: PathState, operands: list[Any]) -> Any:
    return folding.dtype_of_kind(kind_of(operands[0]))


def _number_to_tensor(state: PathState, operands: list[Any]) -> Any:
    """A scalar as a tensor, whose dtype is queried."""
    dtype = folding.dtype_of_kind(kind_of(operands[0]))
    if dtype is NotImplemented:
        return NotImplemented
    tensor = Unknown("tensor")
    tensor.views["dtype"] = dtype
    return tensor


def _question(name: str, default: Callable[[], Any]) -> Operation:
    """A query of a tensor; `default` creates the value of an unknown result."""

    def ask(state: PathState, operands: list[Any]) -> Any:
        tensor, *others = operands
        found = NotImplemented
        if isinstance(tensor, TensorValue):
            found = QUESTIONS[name](tensor.lattice_value, *map(state.known_int, others))
        if found is NotImplemented and not others and isinstance(tensor, Unknown):
            # Equal queries give the same value.
            return tensor.views.setdefault(name, default())
        return default() if found is NotImplemented else found

    return ask


def _dtype_of_tensor(state: PathState, operands: list[Any]) -> Any:
    (tensor,) = operands
    found = tensor.views.get("dtype", NotImplemented)
    return _DTYPE(state, operands) if found is NotImplemented else found


def _sizes_of_tensor(state: PathState, operands: list[Any]) -> Any:
    (tensor,) = operands
    found = NotImplemented
    if isinstance(tensor, TensorValue):
        found = QUESTIONS["torch.aten.size"](tensor.lattice_value)
    if found is NotImplemented:
        return ListObject("list<int>", None, nonnegative=True)
    return found


_DTYPE = _question("torch.prim.dtype", lambda: fresh(0, len(NAMES) - 1))


def _runs_on_cpu(state: PathState, operands: list[Any]) -> Any:
    """Whether the program runs on the CPU, if known."""
    if state.device is None:
        return state.unknown_device
    return state.device == "cpu"


def _is_known(state: PathState, operands: list[Any]) -> Any:
    """Whether a size is a constant."""
    return isinstance(state.known_int(operands[0]), int)


def _promote(state: PathState, operands: list[Any]) -> Any:
    ranks, dtypes = operands
    if ranks.items is None or dtypes.items is None:
        return NotImplemented
    if len(ranks.items) != len(dtypes.items):
        raise Raised("torch.promote_dtypes: expected as many ranks as dtypes")
    known_ranks = [_rank_class(state, rank) for rank in ranks.items]
    resolved = [state.known_int(dtype) for dtype in dtypes.items]
    if len(resolved) == 1 and known_ranks[0] is not None and is_number(dtypes.items[0]):
        # A single tensor promotes to its own dtype, even an unknown one.
        return dtypes.items[0]
    if _MAYBE_NUMBER in known_ranks:
        return NotImplemented
    return folding.promote(known_ranks, resolved)


_MAYBE_NUMBER = object()


def _rank_class(state: PathState, rank: Any) -> Any:
    """A rank as promotion distinguishes it: None, zero, one for more, NotImplemented."""
    if rank is None:
        return None
    if not is_number(rank):
        return _MAYBE_NUMBER
    found = state.assumptions.range_of(state.assumptions.resolve(rank))
    if found.low > 0:
        return 1
    return 0 if found.value == 0 else NotImplemented


def _format(state: PathState, operands: list[Any]) -> Any:
    """A message with its known parts filled in."""
    parts = [shown(operand, state.assumptions) for operand in operands]
    if not isinstance(parts[0], str):
        return NotImplemented
    text = folding.format_message(*parts)
    return text if all(map(_is_told, parts)) else Message(text)


def _is_told(part: Any) -> bool:
    """Whether a part of a message is fully known."""
    if isinstance(part, list | tuple):
        return all(map(_is_told, part))
    return part is not NotImplemented


OPERATIONS: dict[str, Operation] = {
    "torch.derefine": _derefine,
    "torch.aten.__is__": _is_none,
    "torch.aten.__isnot__": _is_not_none,
    "torch_refine.isinstance": _is_instance,
    "torch_refine.dtype_of_number": _dtype_of_number,
    "torch_refine.is_known": _is_known,
    "torch_refine.runs_on_cpu": _runs_on_cpu,
    "torch_refine.unknown_size": lambda state, operands: dimension(),
    "torch_refine.unknown_sizes": lambda state, operands: ListObject(
        "list<int>", None, nonnegative=True
    ),
    "torch.prim.NumToTensor.Scalar": _number_to_tensor,
    "torch.prim.dtype": _dtype_of_tensor,
    "torch.aten.size": _sizes_of_tensor,
    **{
        name: _question(name, dimension)
        for name in (
            "torch.aten.size.int",
            "torch.aten.sym_size.int",
            "torch.aten.dim",
            "torch.aten.numel",
            "torch.aten.sym_numel",
            "torch.aten.len.Tensor",
        )
    },
    "torch_refine.bool_or_int": lambda state, operands: Unknown("bool or int"),
    "torch.promote_dtypes": _promote,
    "torch.aten.format": _format,
}
