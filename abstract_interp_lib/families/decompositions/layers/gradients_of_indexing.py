"""Gradients of operators that read elements by an index: zeros to which gradients are written."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    along,
    as_row,
    in_dtype,
)
from torch_refine.abstract_interp_lib.rules.formulas.overlapping import (
    may_overlap,
    overlapped,
    summation_dtype,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_complex
from torch_refine.abstract_interp_lib.rules.unknown import require_sizes


@decomposition(
    "aten::embedding_dense_backward",
    ok=[
        Invocation(T(4, 2), T(4, dtype=torch.int64, values=[0, 2, 2, 1]), 3, 1, True),
        Invocation(T(4, 2), T(4, dtype=torch.int32, values=[0, 2, 2, 1]), 3, -1, False),
    ],
)
def embedding_dense_backward(
    grad_output: torch.Tensor,
    indices: torch.Tensor,
    num_weights: int,
    padding_idx: int,
    scale_grad_by_freq: bool,
) -> torch.Tensor:
    """Gradients are added to the rows that were read, but not to that of the padding."""
    width = grad_output.size(grad_output.dim() - 1)
    count = indices.numel()
    dtype = summation_dtype(grad_output.dtype)
    given = torch.reshape(in_dtype(grad_output, dtype), [count, width])
    places = torch.reshape(in_dtype(indices, torch.int64), [count])
    is_row = torch.logical_and(torch.ge(places, 0), torch.lt(places, num_weights))
    is_row = torch.logical_and(is_row, torch.ne(places, padding_idx))
    # What has no row is added to another one behind them.
    places = torch.where(is_row, places, torch.full([1], num_weights, dtype=torch.int64))
    if scale_grad_by_freq:
        zeros = torch.zeros([num_weights + 1], dtype=dtype)
        times = torch.scatter_add(zeros, 0, places, torch.ones([count], dtype=dtype))
        scale = torch.reciprocal(torch.gather(times, 0, places))
        given = torch.mul(given, torch.unsqueeze(scale, 1))
    zeros = torch.zeros([num_weights + 1, width], dtype=dtype)
    found = torch.index_add(zeros, 0, places, given)
    return in_dtype(torch.ops.aten.slice(found, 0, 0, num_weights, 1), grad_output.dtype)


@decomposition("aten::gather_backward")
def gather_backward(
    grad: torch.Tensor, self: torch.Tensor, dim: int, index: torch.Tensor, sparse_grad: bool
) -> torch.Tensor:
    """Gradients are added to the elements that were read."""
    assert not sparse_grad, "the gradient is dense"
    zeros = torch.zeros(as_row(self).size(), dtype=grad.dtype)
    found = torch.scatter_add(zeros, dim, as_row(index), as_row(grad))
    return torch.reshape(found, self.size())


@decomposition("aten::index_select_backward")
def index_select_backward(
    grad: torch.Tensor, self_sizes: List[int], dim: int, index: torch.Tensor
) -> torch.Tensor:
    """Gradients are added to the slices that were read."""
    return torch.ops.aten.index_add(torch.zeros(self_sizes, dtype=grad.dtype), dim, index, grad)


@decomposition("aten::select_backward")
def select_backward(
    grad_output: torch.Tensor, input_sizes: List[int], dim: int, index: int
) -> torch.Tensor:
    """Gradients at an index of a dimension."""
    zeros = torch.zeros(input_sizes, dtype=grad_output.dtype)
    at = dim + len(input_sizes) if dim < 0 else dim
    place = index + input_sizes[at] if index < 0 else index
    written = grad_output.expand(torch.select(zeros, at, place).size())
    return torch.ops.aten.select_scatter(zeros, written, at, place)


@decomposition("aten::slice_backward")
def slice_backward(
    grad_output: torch.Tensor, input_sizes: List[int], dim: int, start: int, end: int, step: int
) -> torch.Tensor:
    """Gradients at a slice."""
    zeros = torch.zeros(input_sizes, dtype=grad_output.dtype)
    written = grad_output.expand(torch.ops.aten.slice(zeros, dim, start, end, step).size())
    return torch.ops.aten.slice_scatter(zeros, written, dim, start, end, step)


@decomposition("aten::diagonal_backward")
def diagonal_backward(
    grad_output: torch.Tensor, input_sizes: List[int], offset: int, dim1: int, dim2: int
) -> torch.Tensor:
    """Gradients on a diagonal."""
    zeros = torch.zeros(input_sizes, dtype=grad_output.dtype)
    written = grad_output.expand(torch.diagonal(zeros, offset, dim1, dim2).size())
    return torch.ops.aten.diagonal_scatter(zeros, written, offset, dim1, dim2)


@decomposition("aten::trace_backward", ok=[Invocation(T(), [4, 2]), Invocation(T(), [2, 5])])
def trace_backward(grad: torch.Tensor, sizes: List[int]) -> torch.Tensor:
    """The gradient on the diagonal."""
    assert len(sizes) == 2, "PyTorch rejects others"
    rows = torch.unsqueeze(torch.arange(sizes[0], dtype=torch.int64), 1)
    is_read = torch.eq(rows, torch.arange(sizes[1], dtype=torch.int64))
    zeros = torch.zeros([1], dtype=grad.dtype)
    return torch.where(is_read, grad, zeros)


def scattered_windows(
    grad_in: torch.Tensor, input_sizes: List[int], at: int, size: int, step: int
) -> torch.Tensor:
    """Elements of windows of unknown or large size, which are added by their indices."""
    rank = len(input_sizes)
    order: List[int] = []
    flat: List[int] = []
    wide: List[int] = []
    for place in range(rank):
        order.append(place)
        if place == at:
            order.append(rank)
            flat.append(grad_in.size(place) * size)
            wide.append(grad_in.size(place) * size)
        else:
            flat.append(grad_in.size(place))
            wide.append(input_sizes[place])
    starts = torch.mul(torch.arange(grad_in.size(at), dtype=torch.int64), step)
    places = torch.add(torch.unsqueeze(starts, 1), torch.arange(size, dtype=torch.int64))
    dtype = summation_dtype(grad_in.dtype)
    given = torch.reshape(torch.permute(in_dtype(grad_in, dtype), order), flat).expand(wide)
    zeros = torch.zeros(input_sizes, dtype=dtype)
    places = along(torch.reshape(places, [flat[at]]), given, at)
    return in_dtype(torch.scatter_add(zeros, at, places, given), grad_in.dtype)


@decomposition(
    "aten::unfold_backward",
    ok=[
        Invocation(T(3, 2, 4), [3, 7], 1, 4, 3),
        Invocation(T(1, 2, 4), [3, 7], 1, 4, 3),
        Invocation(T(3, 2, 99), [3, 100], 1, 99, 1),
        Invocation(T(3, 2, 4), [3, 9], 1, 4, 5),
        Invocation(T(3, 1, 4), [3, 13], 1, 4, 4),
    ],
)
def unfold_backward(
    grad_in: torch.Tensor, input_sizes: List[int], dim: int, size: int, step: int
) -> torch.Tensor:
    """Gradients of each window are added to its elements; they broadcast in other dimensions.

    Windows without common elements are counted, and one gradient is that of all.
    """
    rank = len(input_sizes)
    if rank == 0:
        # One window of one element, or none.
        require_sizes([grad_in.numel()], [size])
        return torch.sum(grad_in)
    at = dim + rank if dim < 0 else dim
    if step >= size and step > 0:
        counted: List[int] = []
        for place in range(rank + 1):
            counted.append(grad_in.size(place))
        counted[at] = (input_sizes[at] - size) // step + 1
        grad_in = grad_in.expand(counted)
    if not may_overlap(size, 1, step):
        return scattered_windows(grad_in, input_sizes, at, size, step)
    rows, columns = 1, 1
    sums: List[int] = []
    for place in range(rank):
        sums.append(input_sizes[at] if place == at else grad_in.size(place))
        if place < at:
            rows = rows * grad_in.size(place)
        if place > at:
            columns = columns * grad_in.size(place)
    given = in_dtype(grad_in, summation_dtype(grad_in.dtype))
    windows = torch.reshape(given, [rows, grad_in.size(at), columns, size])
    windows = torch.unsqueeze(torch.permute(windows, [0, 3, 1, 2]), 2)
    found = overlapped(windows, input_sizes[at], 1, 0, step)
    found = torch.reshape(in_dtype(found, grad_in.dtype), sums)
    return torch.clone(found.expand(input_sizes))


@decomposition("aten::value_selecting_reduction_backward")
def value_selecting_reduction_backward(
    grad: torch.Tensor, dim: int, indices: torch.Tensor, sizes: List[int], keepdim: bool
) -> torch.Tensor:
    """Gradients at the elements that were selected."""
    if len(sizes) == 0:
        found = torch.scatter(torch.zeros([1], dtype=grad.dtype), 0, as_row(indices), as_row(grad))
        return torch.reshape(found, [])
    zeros = torch.zeros(sizes, dtype=grad.dtype)
    if keepdim:
        return torch.scatter(zeros, dim, indices, grad)
    return torch.scatter(zeros, dim, torch.unsqueeze(indices, dim), torch.unsqueeze(grad, dim))


@decomposition("aten::cummaxmin_backward")
def cummaxmin_backward(
    grad: torch.Tensor, input: torch.Tensor, indices: torch.Tensor, dim: int
) -> torch.Tensor:
    """Gradients are added to the extremes, by their indices."""
    zeros = torch.zeros(as_row(input).size(), dtype=input.dtype)
    found = torch.scatter_add(zeros, dim, as_row(indices), as_row(grad))
    return torch.reshape(found, input.size())


@decomposition("aten::masked_select_backward")
def masked_select_backward(
    grad: torch.Tensor, input: torch.Tensor, mask: torch.Tensor
) -> torch.Tensor:
    """Gradients in order where the mask is true."""
    zeros = torch.zeros_like(torch.where(mask, input, input))
    return torch.ops.aten.masked_scatter(zeros, mask, grad)


@decomposition("aten::cumprod_backward")
def cumprod_backward(
    grad: torch.Tensor, input: torch.Tensor, dim: int, output: torch.Tensor
) -> torch.Tensor:
    """Sums of gradients times outputs, divided by the input up to its first zero.

    At the first zero, the products without it are summed up to the second one; behind it, all are 0.
    """
    assert not is_complex(input.dtype), "complex numbers are conjugated"
    if input.dim() == 0:
        return grad
    size = input.size(dim)
    none = torch.zeros_like(grad)
    is_zero = torch.eq(input, 0)
    zeros = torch.cumsum(in_dtype(is_zero, torch.int64), dim)
    is_before, is_between = torch.eq(zeros, 0), torch.eq(zeros, 1)
    given = torch.where(is_before, torch.mul(output, grad), none)
    total = torch.flip(torch.cumsum(torch.flip(given, [dim]), dim), [dim])
    found = torch.where(is_before, torch.div(total, input), none)
    is_first = torch.logical_and(is_zero, is_between)
    factors = torch.where(torch.logical_and(is_between, torch.logical_not(is_zero)), input, 1.0)
    products = torch.mul(torch.cumprod(factors, dim), torch.where(is_between, grad, none))
    products = torch.sum(products, [dim], True)
    ones = torch.ones_like(torch.ops.aten.slice(output, dim, 0, min(size, 1), 1))
    rest = torch.ops.aten.slice(output, dim, 0, max(size - 1, 0), 1)
    before = torch.cat([ones, rest], dim)
    at_first = in_dtype(torch.mul(products, before), grad.dtype)
    return torch.where(is_first, at_first, found)
