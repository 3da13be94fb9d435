"""What calculations ask of tensors and numbers: sizes, ranks, dtypes and their promotion."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from torch_refine.abstract_interpreter.running import folding
from torch_refine.abstract_interpreter.running.decoder import Instruction
from torch_refine.abstract_interpreter.running.errors import Raised
from torch_refine.dialect.element_types import dtype_of_element
from torch_refine.dialect.tensor_type import TensorType
from torch_refine.passes.partial_evaluation.values import (
    NumberTensor,
    TensorValue,
    Value,
    is_scalar,
    kind_of,
)

if TYPE_CHECKING:
    from torch_refine.passes.partial_evaluation.evaluator import Evaluator


def _size(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    tensor = frame[instruction.operands[0]]
    type = evaluator.residual.types.tensor(tensor.ssa.type)
    if type is None or type.sizes is None:
        evaluator.write_op(instruction, frame, [tensor])
        return
    items = [
        evaluator.residual.size(tensor.ssa, dim) if size is None else size
        for dim, size in enumerate(type.sizes)
    ]
    frame[instruction.results[0]] = evaluator.new_list("list<int>", items)


def _size_of_dim(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    tensor, dim = (frame[slot] for slot in instruction.operands)
    type = evaluator.residual.types.tensor(tensor.ssa.type)
    size = known_size(type, dim)
    if size is not None:
        frame[instruction.results[0]] = size
    elif type is not None and type.sizes is not None and dim in range(len(type.sizes)):
        # One name for each unknown size, however the calculation asks for it.
        frame[instruction.results[0]] = evaluator.residual.size(tensor.ssa, dim)
    else:
        evaluator.write_op(instruction, frame, [tensor, dim])


def _rank(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    tensor = frame[instruction.operands[0]]
    type = evaluator.residual.types.tensor(tensor.ssa.type)
    if type is None or type.sizes is None:
        evaluator.write_op(instruction, frame, [tensor])
    else:
        frame[instruction.results[0]] = len(type.sizes)


def _dtype(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    tensor = frame[instruction.operands[0]]
    type = None
    if isinstance(tensor, TensorValue):
        type = evaluator.residual.types.tensor(tensor.ssa.type)
    number = None if type is None or type.element is None else dtype_of_element(type.element)
    if number is None:
        evaluator.write_op(instruction, frame, [tensor])
    else:
        frame[instruction.results[0]] = number


def _number_to_tensor(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    """`NumToTensor` is how existing libraries ask for the dtype of a number."""
    (number,) = (frame[slot] for slot in instruction.operands)
    evaluator.write_op(instruction, frame, [number])
    kind = folding.dtype_of_kind(kind_of(number))
    if kind is not NotImplemented:
        frame[instruction.results[0]] = NumberTensor(frame[instruction.results[0]], kind)


def _dtype_of(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    tensor = frame[instruction.operands[0]]
    if isinstance(tensor, NumberTensor):
        frame[instruction.results[0]] = tensor.dtype
    else:
        _dtype(evaluator, instruction, frame)


def _dtype_of_number(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    (number,) = (frame[slot] for slot in instruction.operands)
    dtype = folding.dtype_of_kind(kind_of(number))
    if dtype is NotImplemented:
        evaluator.write_op(instruction, frame, [number])
    else:
        frame[instruction.results[0]] = dtype


def _runs_on_cpu(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    """Whether the program is for the CPU, where its function says for what it is."""
    # The answer differs between functions, so what it leads to is not remembered.
    evaluator.effects += 1
    if evaluator.device is None:
        evaluator.write_op(instruction, frame, [])
    else:
        frame[instruction.results[0]] = evaluator.device == "cpu"


def _promote(evaluator: Evaluator, instruction: Instruction, frame: list[Any]) -> None:
    ranks, dtypes = (frame[slot] for slot in instruction.operands)
    result = NotImplemented
    if ranks.items is not None and dtypes.items is not None:
        if len(ranks.items) != len(dtypes.items):
            raise Raised("torch.promote_dtypes: as many ranks as dtypes are needed")
        tensors_only = all(_is_rank(rank) for rank in ranks.items)
        if tensors_only or all(map(is_scalar, ranks.items)):
            known_ranks = [r if is_scalar(r) else NotImplemented for r in ranks.items]
            known_dtypes = [d if is_scalar(d) else NotImplemented for d in dtypes.items]
            result = folding.promote(known_ranks, known_dtypes)
    if result is NotImplemented:
        evaluator.write_op(instruction, frame, [ranks, dtypes])
    else:
        frame[instruction.results[0]] = result


def _is_rank(value: Value) -> bool:
    """Whether an entry of `promote_dtypes`' ranks is certainly a tensor's, known or not."""
    return value is not None and (is_scalar(value) or kind_of(value) == "int")


def known_size(type: TensorType | None, dim: Value) -> int | None:
    """The size of a dimension that a tensor type tells, None when it does not."""
    if type is None or type.sizes is None or not isinstance(dim, int) or isinstance(dim, bool):
        return None
    if not -len(type.sizes) <= dim < len(type.sizes):
        return None
    return type.sizes[dim]


HANDLERS: dict[str, Callable[[Evaluator, Instruction, list[Any]], None]] = {
    "torch.aten.size": _size,
    "torch.aten.size.int": _size_of_dim,
    "torch.aten.dim": _rank,
    "torch.prim.dtype": _dtype_of,
    "torch.prim.NumToTensor.Scalar": _number_to_tensor,
    "torch_refine.dtype_of_number": _dtype_of_number,
    "torch_refine.runs_on_cpu": _runs_on_cpu,
    "torch.promote_dtypes": _promote,
}
