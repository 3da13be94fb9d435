"""Indexing by tensors, as in `Tensor.__getitem__` and NumPy's advanced indexing."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.sizes import append_size
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size


def is_mask(index: Tuple[List[int], int]) -> bool:
    """Whether an index, given as sizes and dtype, is a mask rather than a tensor of positions."""
    return index[1] == torch.bool or index[1] == torch.uint8


def index_entries(
    self: List[int], dim: int, index: Tuple[List[int], int]
) -> List[Optional[List[int]]]:
    """The shapes of the index tensors that an index at dimension `dim` expands to.

    A mask expands to one index vector per dimension. Their length is data-dependent; they appear
    here as 0-dim, which broadcasts with anything.
    """
    sizes, dtype = index
    entries: List[Optional[List[int]]] = []
    if is_mask(index):
        assert sizes == self[dim : dim + len(sizes)], (
            f"mask shape {sizes} does not match shape {self} from dimension {dim} on"
        )
        position: List[int] = []
        for _ in range(len(sizes)):
            entries.append(position)
    else:
        assert dtype == torch.int64 or dtype == torch.int32, (
            f"indices must be of dtype int64, int32, bool or uint8, got {dtype}"
        )
        entries.append(sizes)
    return entries


def index_per_dimension(
    self: List[int], indices: List[Optional[Tuple[List[int], int]]]
) -> List[Optional[List[int]]]:
    """For each dimension up to the last index, the shape of its index tensor, or None."""
    assert len(indices) <= len(self), f"too many indices for shape {self}, got {len(indices)}"
    none: Optional[List[int]] = None
    out: List[Optional[List[int]]] = []
    for index in indices:
        if index is None:
            out.append(none)
        else:
            out = out + index_entries(self, len(out), index)
    assert len(out) <= len(self), f"too many indices for shape {self}, got {len(out)}"
    return out


def positions_shape(
    entries: List[Optional[List[int]]], indices: List[Optional[Tuple[List[int], int]]]
) -> List[int]:
    """The broadcast shape of all index tensors.

    Its last size is data-dependent if there is a mask, unless an index tensor fixes it.
    """
    shape: List[int] = []
    for entry in entries:
        if entry is not None:
            shape = broadcast_two(shape, entry)
    masked = False
    for index in indices:
        if index is not None:
            masked = masked or (is_mask(index) and len(index[0]) > 0)
    if masked and len(shape) == 0:
        shape = [unknown_size()]
    elif masked and shape[len(shape) - 1] == 1:
        shape = append_size(shape[:-1], unknown_size())
    return shape


def indexed_place(entries: List[Optional[List[int]]]) -> int:
    """The position of the broadcast index dimensions in the result.

    They replace the indexed dimensions if these are adjacent; otherwise they come first.
    """
    first = -1
    last = -1
    count = 0
    for dim in range(len(entries)):
        if entries[dim] is not None:
            first = dim if count == 0 else first
            last = dim
            count = count + 1
    return first if count > 0 and last - first + 1 == count else 0


def index_sizes(self: List[int], indices: List[Optional[Tuple[List[int], int]]]) -> List[int]:
    """The shape of `self[indices]`; an index of None keeps its dimension."""
    entries = index_per_dimension(self, indices)
    kept: List[int] = []
    for dim in range(len(self)):
        if dim >= len(entries) or entries[dim] is None:
            kept.append(self[dim])
    place = indexed_place(entries)
    return kept[:place] + positions_shape(entries, indices) + kept[place:]


def check_index_vector(index: List[int]) -> None:
    """Raise unless an index is 0-dim or 1-D."""
    assert len(index) <= 1, f"index must be 0-dim or 1-D, got {len(index)} dimensions"


def size_at(sizes: List[int], dim: int) -> int:
    """The size of a dimension; a 0-dim tensor counts as having one dimension of size 1."""
    return sizes[dim] if len(sizes) > 0 else 1


def check_index_fits(index: List[int], sizes: List[int], dim: int) -> None:
    """Raise unless `index` has the rank of `sizes` and is no larger in any dimension but `dim`.

    `dim` is non-negative; an empty index is always valid.
    """
    assert max(len(index), 1) == max(len(sizes), 1) or 0 in index, (
        f"index and tensor must have the same rank, got shapes {index} and {sizes}"
    )
    if len(index) == len(sizes):
        for at in range(len(index)):
            assert at == dim or index[at] <= sizes[at] or 0 in index, (
                f"index must not be larger than the tensor, got shapes {index} and {sizes}"
            )
