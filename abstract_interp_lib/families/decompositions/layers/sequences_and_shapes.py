"""Sequences that are padded, flattened, repeated or counted, and channels that are shuffled."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import asserted, in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral


@decomposition("aten::pad_sequence")
def pad_sequence(
    sequences: List[torch.Tensor],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> torch.Tensor:
    """A batch of sequences, as long as the longest one."""
    assert padding_side == "right" or padding_side == "left", "PyTorch rejects others"
    longest = 0
    for each in sequences:
        longest = max(longest, each.size(0))
    parts: List[torch.Tensor] = []
    for each in sequences:
        around: List[int] = []
        for _ in range(each.dim() - 1):
            around.append(0)
            around.append(0)
        less = longest - each.size(0)
        around.append(less if padding_side == "left" else 0)
        around.append(less if padding_side == "right" else 0)
        given = in_dtype(each, sequences[0].dtype)
        parts.append(torch.constant_pad_nd(given, around, padding_value))
    return torch.stack(parts, 0 if batch_first else 1)


@decomposition("aten::_pad_enum")
def _pad_enum(
    self: torch.Tensor, pad: List[int], mode: int, value: Optional[float] = None
) -> torch.Tensor:
    """`pad` with the number of a mode."""
    assert mode >= 0 and mode <= 3, "PyTorch rejects others"
    if mode == 0:
        return torch.ops.aten.pad(self, pad, "reflect")
    if mode == 1:
        return torch.ops.aten.pad(self, pad, "replicate")
    if mode == 2:
        return torch.ops.aten.pad(self, pad, "circular")
    return torch.ops.aten.pad(self, pad, "constant", value)


@decomposition("aten::flatten_dense_tensors")
def flatten_dense_tensors(tensors: List[torch.Tensor]) -> torch.Tensor:
    """The elements of all tensors."""
    parts: List[torch.Tensor] = []
    for each in tensors:
        parts.append(torch.reshape(each, [each.numel()]))
    return torch.cat(parts, 0)


@decomposition("aten::unflatten_dense_tensors")
def unflatten_dense_tensors(flat: torch.Tensor, tensors: List[torch.Tensor]) -> List[torch.Tensor]:
    """Elements in the shapes of tensors."""
    found: List[torch.Tensor] = []
    start = 0
    for each in tensors:
        count = each.numel()
        part = torch.ops.aten.slice(flat, 0, start, start + count, 1)
        found.append(torch.reshape(part, each.size()))
        start += count
    return found


@decomposition("aten::_chunk_cat")
def _chunk_cat(tensors: List[torch.Tensor], dim: int, num_chunks: int) -> torch.Tensor:
    """Each tensor in chunks, which are rows of the result; missing elements are zeros."""
    parts: List[torch.Tensor] = []
    for each in tensors:
        at = dim + each.dim() if dim < 0 else dim
        size = each.size(at)
        whole = (size + num_chunks - 1) // num_chunks * num_chunks
        around: List[int] = []
        shape: List[int] = []
        row = whole // num_chunks
        for place in range(each.dim()):
            around.append(0)
            around.append(0)
            if place < at:
                shape.append(each.size(place))
            elif place > at:
                row *= each.size(place)
        around[2 * (each.dim() - 1 - at) + 1] = whole - size
        shape.append(num_chunks)
        shape.append(row)
        parts.append(torch.reshape(torch.constant_pad_nd(each, around), shape))
    return torch.cat(parts, -1)


@decomposition("aten::_dim_arange")
def _dim_arange(like: torch.Tensor, dim: int) -> torch.Tensor:
    """The indices of a dimension."""
    return torch.arange(like.size(dim), dtype=torch.int64)


def split_by_given_sizes(self: torch.Tensor, split_size: List[int], dim: int) -> List[torch.Tensor]:
    """Slices of these sizes."""
    parts: List[torch.Tensor] = []
    start = 0
    for size in split_size:
        parts.append(torch.ops.aten.slice(self, dim, start, start + size, 1))
        start += size
    return parts


decomposition_family(split_by_given_sizes, "aten::split.sizes")


@decomposition("aten::native_channel_shuffle")
def native_channel_shuffle(self: torch.Tensor, groups: int) -> torch.Tensor:
    """The channels of all groups in turn."""
    shape: List[int] = [self.size(0), groups, self.size(1) // groups]
    for dim in range(self.dim() - 2):
        shape.append(self.size(dim + 2))
    return torch.reshape(torch.transpose(torch.reshape(self, shape), 1, 2), self.size())


def as_dense(grad: torch.Tensor, input: torch.Tensor) -> torch.Tensor:
    """The gradient in the dtype of the input."""
    return in_dtype(grad, input.dtype)


decomposition_family(as_dense, "aten::to_dense_backward", "aten::to_mkldnn_backward")


@decomposition(
    "aten::vander", ok=[Invocation(T(3), 5, True), Invocation(T(3, dtype=torch.int32), 1)]
)
def vander(x: torch.Tensor, N: Optional[int] = None, increasing: bool = False) -> torch.Tensor:
    """Powers of each element in a row."""
    assert not is_complex(x.dtype), "the powers of complex numbers are computed otherwise"
    rows = x.size(0)
    count = rows if N is None else N
    given = in_dtype(x, torch.int64) if is_integral(x.dtype) else x
    others = torch.unsqueeze(given, 1).expand([rows, max(count - 1, 0)])
    factors = torch.cat([torch.ones([rows, 1], dtype=given.dtype), others], 1)
    found = torch.ops.aten.slice(torch.cumprod(factors, 1), 1, 0, count, 1)
    return found if increasing else torch.flip(found, [1])


@decomposition(
    "aten::repeat_interleave.self_Tensor",
    ok=[
        Invocation(
            T(2, 3), T(3, dtype=torch.int64, values=[2, 0, 1]), 1, output_size=3, device="cpu"
        ),
        Invocation(*(T(2, 3), T(1, dtype=torch.int64, values=[2])), output_size=12, device="cpu"),
    ],
)
def repeat_interleave(
    self: torch.Tensor,
    repeats: torch.Tensor,
    dim: Optional[int] = None,
    output_size: Optional[int] = None,
) -> torch.Tensor:
    """Each slice as often as its number says."""
    given = torch.reshape(self, [self.numel()]) if dim is None else self
    at = 0 if dim is None else dim
    assert given.dim() > 0, "a scalar has no slices"
    assert repeats.dim() < 2, "PyTorch rejects others"
    assert repeats.dtype == torch.int64 or repeats.dtype == torch.int32, "PyTorch rejects others"
    size = given.size(at)
    times = in_dtype(repeats, torch.int64)
    if repeats.dim() == 0 or repeats.size(0) == 1:
        times = torch.reshape(times, [1]).expand([size])
    assert times.size(0) == size, "PyTorch rejects other numbers of repeats"
    ends = torch.cumsum(times, 0)
    total = torch.sum(times)
    count = int(total) if output_size is None else output_size
    each = torch.unsqueeze(torch.arange(count, dtype=torch.int64), 1)
    places = torch.sum(in_dtype(torch.ge(each, ends), torch.int64), [1])
    is_whole = torch.eq(total, count)
    is_right = torch.logical_and(is_whole, torch.all(torch.ge(times, 0)))
    places = asserted(places, is_right, "allocated size does not match required size")
    return torch.index_select(given, at, places)
