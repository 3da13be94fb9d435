"""Gradients of pooling and of padding, added to the elements of each window."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    in_dtype,
    of_sizes,
    repeated,
)
from torch_refine.abstract_interp_lib.rules.formulas.scattering import planes, sums_at
from torch_refine.abstract_interp_lib.rules.formulas.windows_of_dims import (
    added_to_ranges,
    added_to_windows,
    along_dim,
)
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def of_same_images(self: torch.Tensor, other: torch.Tensor, kept: int) -> torch.Tensor:
    """A tensor that has the sizes of another one but for the last, `kept` dimensions."""
    sizes: List[int] = []
    for dim in range(other.dim()):
        sizes.append(other.size(dim) if dim < other.dim() - kept else self.size(dim))
    return of_sizes(self, sizes)


def max_pool_gradient(
    grad_output: torch.Tensor, self: torch.Tensor, indices: torch.Tensor, rank: int
) -> torch.Tensor:
    """Each gradient is added to the maximum of its window, whose index counts within an image."""
    count = 1
    for place in range(rank):
        count *= self.size(self.dim() - 1 - place)
    places = in_dtype(planes(indices, rank), torch.int64)
    given = planes(of_sizes(grad_output, indices.size()), rank)
    return torch.reshape(sums_at(given, places, count), self.size())


decomposition_family(
    max_pool_gradient,
    "aten::adaptive_max_pool2d_backward",
    "aten::fractional_max_pool2d_backward",
    "aten::max_pool2d_with_indices_backward",
    rank=2,
)
decomposition_family(
    max_pool_gradient,
    "aten::adaptive_max_pool3d_backward",
    "aten::fractional_max_pool3d_backward",
    "aten::max_pool3d_with_indices_backward",
    rank=3,
)


def average_pool_gradient(
    grad_output: torch.Tensor,
    self: torch.Tensor,
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    count_include_pad: bool,
    divisor_override: Optional[int],
    rank: int,
) -> torch.Tensor:
    """Each gradient, divided by the number of elements of its window, is added to all of them."""
    dtype = computation_dtype(grad_output.dtype)
    assert grad_output.dtype != torch.int64, "the kernels divide integers"
    found = in_dtype(grad_output, dtype)
    kernel = repeated(kernel_size, rank)
    step = kernel if len(stride) == 0 else repeated(stride, rank)
    around = repeated(padding, rank)
    total = self.dim()
    for index in range(rank):
        dim = total - rank + index
        size = self.size(dim)
        starts = torch.arange(grad_output.size(dim), dtype=torch.int64)
        starts = torch.sub(torch.mul(starts, step[index]), around[index])
        if divisor_override is None:
            ends = torch.clamp_max(torch.add(starts, kernel[index]), size + around[index])
            lengths = torch.sub(ends, starts)
            if not count_include_pad:
                lengths = torch.sub(torch.clamp_max(ends, size), torch.clamp_min(starts, 0))
            found = torch.div(found, along_dim(lengths, total, dim))
    if divisor_override is not None:
        found = torch.div(found, divisor_override)
    for index in range(rank):
        dim = total - rank + index
        size = self.size(dim)
        starts = torch.arange(grad_output.size(dim), dtype=torch.int64)
        starts = torch.sub(torch.mul(starts, step[index]), around[index])
        ends = torch.add(starts, kernel[index])
        most = (kernel[index] + step[index] - 1) // step[index]
        found = added_to_ranges(found, dim, starts, ends, size, most)
    return in_dtype(found, grad_output.dtype)


decomposition_family(
    average_pool_gradient,
    "aten::avg_pool2d_backward",
    ok=[
        Invocation(T(2, 3, 3), T(2, 6, 7), [2, 3], [2, 2], [1, 1], True, False, 3),
        Invocation(T(2, 4, 4), T(2, 6, 6), [3], [2], [1], True, True, None),
    ],
    rank=2,
)
decomposition_family(average_pool_gradient, "aten::avg_pool3d_backward", rank=3)


def adaptive_average_gradient(
    grad_output: torch.Tensor, self: torch.Tensor, rank: int
) -> torch.Tensor:
    """Each gradient, divided by the size of its window, is added to all of the window."""
    dtype = computation_dtype(grad_output.dtype)
    total = self.dim()
    found = of_same_images(in_dtype(grad_output, dtype), self, rank)
    for index in range(rank):
        dim = total - rank + index
        size, wanted = self.size(dim), grad_output.size(dim)
        each = torch.arange(wanted, dtype=torch.int64)
        starts = torch.floor_divide(torch.mul(each, size), wanted)
        ends = torch.mul(torch.add(each, 1), size)
        ends = torch.floor_divide(torch.add(ends, wanted - 1), wanted)
        found = torch.div(found, along_dim(torch.sub(ends, starts), total, dim))
        if is_known(size) and is_known(wanted):
            most = (wanted + size - 1) // max(size, 1) + 1
            found = added_to_ranges(found, dim, starts, ends, size, most)
        else:
            longest = (size + wanted - 1) // max(wanted, 1) + 1
            each = torch.arange(longest, dtype=torch.int64)
            places = torch.add(torch.unsqueeze(starts, 1), each)
            is_inside = torch.lt(places, torch.unsqueeze(ends, 1))
            places = torch.clamp_max(places, size - 1)
            found = added_to_windows(found, dim, places, None, is_inside, size)
    return in_dtype(found, grad_output.dtype)


decomposition_family(
    adaptive_average_gradient,
    "aten::_adaptive_avg_pool2d_backward",
    ok=[Invocation(T(2, 3, 4), T(2, 5, 7))],
    rank=2,
)
decomposition_family(adaptive_average_gradient, "aten::_adaptive_avg_pool3d_backward", rank=3)


def padding_gradient(
    grad_output: torch.Tensor, self: torch.Tensor, padding: List[int], reflects: int
) -> torch.Tensor:
    """The gradients of a border are added to the element that it repeats, or reflects."""
    rank = len(padding) // 2
    sizes: List[int] = []
    for dim in range(self.dim()):
        index = self.dim() - 1 - dim
        more = padding[2 * index] + padding[2 * index + 1] if index < rank else 0
        sizes.append(self.size(dim) + more)
    found = of_sizes(grad_output, sizes)
    for index in range(rank):
        dim = self.dim() - 1 - index
        size = self.size(dim)
        places = torch.arange(grad_output.size(dim), dtype=torch.int64)
        places = torch.sub(places, padding[2 * index])
        if reflects == 1:
            places = torch.sub(size - 1, torch.abs(torch.sub(size - 1, torch.abs(places))))
        else:
            places = torch.clamp(places, 0, size - 1)
        found = added_to_windows(found, dim, torch.unsqueeze(places, 1), None, None, size)
    return found


decomposition_family(
    padding_gradient,
    "aten::replication_pad1d_backward",
    "aten::replication_pad2d_backward",
    "aten::replication_pad3d_backward",
    reflects=0,
)
decomposition_family(
    padding_gradient,
    "aten::reflection_pad1d_backward",
    "aten::reflection_pad2d_backward",
    "aten::reflection_pad3d_backward",
    reflects=1,
)
