"""Sequences of different lengths: concatenated, which is called jagged, or padded to one length.

Offsets are those of the sequences' starts, and of the end of the last one. As in PyTorch's kernels
for CPUs (`NestedTensorTransformerFunctions.cpp`), there is one dimension of different lengths.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import asserted, in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral


def starts_and_lengths(offsets: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """Where each sequence starts, and how many elements it has, as columns."""
    assert offsets.dim() == 1, "PyTorch rejects offsets of another rank"
    assert is_integral(offsets.dtype) and offsets.dtype != torch.bool, "offsets are integers"
    wide = in_dtype(offsets, torch.int64)
    count = offsets.size(0) - 1
    start = torch.ops.aten.slice(wide, 0, 0, count, 1)
    length = torch.sub(torch.ops.aten.slice(wide, 0, 1, count + 1, 1), start)
    is_right = torch.logical_and(torch.ge(start, 0), torch.ge(length, 0))
    start = asserted(start, is_right, "offsets must not be negative, or decrease")
    return torch.unsqueeze(start, 1), torch.unsqueeze(length, 1)


def with_sizes_after(first: List[int], self: torch.Tensor, dim: int) -> List[int]:
    """Sizes, and those of a tensor from a dimension on."""
    sizes = first[:]
    for index in range(self.dim() - dim):
        sizes.append(self.size(dim + index))
    return sizes


def padding_row(values: torch.Tensor, padding_value: float) -> torch.Tensor:
    """An element of a sequence that has the padding value only."""
    shape = with_sizes_after([1], values, 1)
    if values.dtype == torch.bool:
        return torch.full(shape, padding_value != 0.0, dtype=torch.bool)
    if is_integral(values.dtype):
        return in_dtype(torch.full(shape, int(padding_value), dtype=torch.int64), values.dtype)
    return torch.full(shape, padding_value, dtype=values.dtype)


@decomposition("aten::_jagged_to_padded_dense_forward")
def _jagged_to_padded_dense_forward(
    values: torch.Tensor,
    offsets: List[torch.Tensor],
    max_lengths: List[int],
    padding_value: float = 0.0,
) -> torch.Tensor:
    """Each sequence up to the longest length, then the padding value."""
    assert len(offsets) == 1 and len(max_lengths) == 1, "one dimension of different lengths"
    assert not is_complex(values.dtype), "PyTorch rejects complex numbers"
    sizes = with_sizes_after([offsets[0].size(0) - 1, max_lengths[0]], values, 1)
    if max_lengths[0] == 0:
        return torch.zeros(sizes, dtype=values.dtype)
    start, length = starts_and_lengths(offsets[0])
    place = torch.arange(max_lengths[0], dtype=torch.int64)
    rows = values.size(0)
    end = torch.add(start, torch.clamp(length, max=max_lengths[0]))
    start = asserted(start, torch.le(end, rows), "a sequence ends after the values")
    # The padding is the row after the last one.
    index = torch.where(torch.lt(place, length), torch.add(start, place), rows)
    padded = torch.cat([values, padding_row(values, padding_value)], 0)
    found = torch.index_select(padded, 0, torch.reshape(index, [-1]))
    return torch.reshape(found, sizes)


@decomposition("aten::_padded_dense_to_jagged_forward")
def _padded_dense_to_jagged_forward(
    dense: torch.Tensor, offsets: List[torch.Tensor], total_L: Optional[int] = None
) -> torch.Tensor:
    """The elements of each sequence without its padding, one sequence after the other."""
    assert len(offsets) == 1 and dense.dim() >= 2, "one dimension of different lengths"
    count = offsets[0].size(0) - 1
    assert count <= dense.size(0), "PyTorch rejects more sequences than there are rows"
    most = dense.size(1)
    start, length = starts_and_lengths(offsets[0])
    length = asserted(length, torch.le(length, most), "a sequence is longer than the padded ones")
    first = in_dtype(torch.ops.aten.slice(offsets[0], 0, 0, 1, 1), torch.int64)
    length = asserted(length, torch.eq(first, 0), "the first offset must be 0")
    place = torch.arange(most, dtype=torch.int64)
    is_inside = torch.reshape(torch.lt(place, length), [-1])
    kept = torch.ops.aten.slice(dense, 0, 0, count, 1)
    rows = torch.reshape(kept, with_sizes_after([count * most], dense, 2))
    if total_L is None:
        found = torch.reshape(torch.nonzero(is_inside), [-1])
        return torch.index_select(rows, 0, found)
    last = in_dtype(torch.ops.aten.slice(offsets[0], 0, count, count + 1, 1), torch.int64)
    start = asserted(start, torch.eq(last, total_L), "final offset should match total_L value")
    # The padding is written to a place after the last one.
    target = torch.where(is_inside, torch.reshape(torch.add(start, place), [-1]), total_L)
    source = torch.zeros([total_L + 1], dtype=torch.int64)
    source = torch.scatter(source, 0, target, torch.arange(count * most, dtype=torch.int64))
    return torch.index_select(rows, 0, torch.ops.aten.slice(source, 0, 0, total_L, 1))
