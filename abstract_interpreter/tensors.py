"""Queries of tensors by programs and calculations: sizes, rank, dtype, elements.

Each query takes the lattice value of a tensor and further arguments, and returns a value;
NotImplemented if unknown. A dimension out of range raises Raised.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch_refine.abstract_interpreter.lattice import Tensor
from torch_refine.abstract_interpreter.numbers.expressions import Number, multiply
from torch_refine.abstract_interpreter.running.errors import Raised
from torch_refine.abstract_interpreter.values import ListObject


def _size_of(tensor: Tensor, dim: Any) -> Any:
    if tensor.sizes is None or type(dim) is not int:
        return NotImplemented
    if not -len(tensor.sizes) <= dim < len(tensor.sizes):
        raise Raised(f"dimension {dim} is out of range for a tensor of rank {len(tensor.sizes)}")
    return tensor.sizes[dim]


def _sizes_of(tensor: Tensor) -> Any:
    return NotImplemented if tensor.sizes is None else ListObject("list<int>", list(tensor.sizes))


def _rank_of(tensor: Tensor) -> Any:
    return NotImplemented if tensor.sizes is None else len(tensor.sizes)


def _dtype_of(tensor: Tensor) -> Any:
    return NotImplemented if tensor.dtype is None else tensor.dtype


def _count_of(tensor: Tensor) -> Any:
    if tensor.sizes is None:
        return NotImplemented
    count: Number = 1
    for size in tensor.sizes:
        count = multiply(count, size)
    return count


def _first_size_of(tensor: Tensor) -> Any:
    return tensor.sizes[0] if tensor.sizes else NotImplemented


def _element_of(tensor: Tensor) -> Any:
    if tensor.elements is None or len(tensor.elements) != 1:
        return NotImplemented
    return tensor.elements[0]


QUESTIONS: dict[str, Callable[..., Any]] = {
    "torch.aten.size.int": _size_of,
    "torch.aten.sym_size.int": _size_of,
    "torch.aten.size": _sizes_of,
    "torch.aten.dim": _rank_of,
    "torch.prim.dtype": _dtype_of,
    "torch.aten.numel": _count_of,
    "torch.aten.sym_numel": _count_of,
    "torch.aten.len.Tensor": _first_size_of,
    "torch.aten.Int.Tensor": _element_of,
    "torch.aten.item": _element_of,
    "torch.aten._local_scalar_dense": _element_of,
    "torch.aten.IntImplicit": _element_of,
}
