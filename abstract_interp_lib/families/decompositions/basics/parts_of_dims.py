"""Parts of dimensions, and tensors joined along them: `select`, `narrow`, `stack`, `roll`."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import asserted, in_dtype
from torch_refine.abstract_interp_lib.rules.dims import wrap_dim
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def counted_from_front(index: int, size: int) -> torch.Tensor:
    """An index that is not negative, as a row of one element."""
    given = torch.full([1], index, dtype=torch.int64)
    behind = torch.full([1], index + size, dtype=torch.int64)
    return torch.where(torch.lt(given, 0), behind, given)


@decomposition("aten::select.int")
def select(self: torch.Tensor, dim: int, index: int) -> torch.Tensor:
    """A slice of one element, without its dimension.

    If the index may be out of the bounds of the dimension, it is checked as those of
    `index_select` are.
    """
    place = wrap_dim(dim, self.dim())
    size = self.size(place)
    if is_known(index) and is_known(size):
        start = index + size if index < 0 else index
        found = torch.ops.aten.slice(self, place, start, start + 1, 1)
    else:
        found = torch.index_select(self, place, counted_from_front(index, size))
    return torch.squeeze(found, place)


@decomposition("aten::narrow")
def narrow(self: torch.Tensor, dim: int, start: int, length: int) -> torch.Tensor:
    """A slice; a negative start counts from the end."""
    first = start
    if not is_known(start):
        is_right = torch.ge(torch.full([1], start, dtype=torch.int64), 0)
        self = asserted(self, is_right, "a start that is not a constant is negative")
    elif start < 0:
        first = start + self.size(dim)
    return torch.ops.aten.slice(self, dim, first, first + length, 1)


@decomposition("aten::select_scatter")
def select_scatter(self: torch.Tensor, src: torch.Tensor, dim: int, index: int) -> torch.Tensor:
    """A slice of one element is replaced."""
    place = wrap_dim(dim, self.dim())
    size = self.size(place)
    given = torch.unsqueeze(in_dtype(src, self.dtype), place)
    if is_known(index) and is_known(size):
        start = index + size if index < 0 else index
        return torch.slice_scatter(self, given, place, start, start + 1, 1)
    return torch.index_copy(self, place, counted_from_front(index, size), given)


@decomposition("aten::stack")
def stack(tensors: List[torch.Tensor], dim: int = 0) -> torch.Tensor:
    """Tensors joined along a new dimension."""
    place = wrap_dim(dim, tensors[0].dim() + 1)
    return torch.cat([torch.unsqueeze(tensor, place) for tensor in tensors], place)


def rolled(self: torch.Tensor, shift: int, dim: int) -> torch.Tensor:
    """The last elements of a dimension in front of the others."""
    size = self.size(dim)
    if is_known(size) and is_known(shift):
        if size == 0:
            return self
        start = size - shift % size
        return torch.cat(
            [
                torch.ops.aten.slice(self, dim, start, size, 1),
                torch.ops.aten.slice(self, dim, 0, start, 1),
            ],
            dim,
        )
    moved = torch.sub(torch.arange(size, dtype=torch.int64), shift)
    return torch.index_select(self, dim, torch.remainder(moved, max(size, 1)))


def roll(self: torch.Tensor, shifts: List[int], dims: List[int]) -> torch.Tensor:
    """Along each dimension, or all elements as a row."""
    if self.dim() == 0:
        return self
    if len(dims) == 0:
        flat = torch.reshape(self, [self.numel()])
        return torch.reshape(rolled(flat, shifts[0], 0), self.size())
    found = self
    for index in range(len(dims)):
        found = rolled(found, shifts[index], wrap_dim(dims[index], self.dim()))
    return found


def rot90(self: torch.Tensor, k: int, dims: List[int]) -> torch.Tensor:
    """Quarter turns: two dimensions exchanged, and one of them reversed."""
    turns = k % 4
    first, second = wrap_dim(dims[0], self.dim()), wrap_dim(dims[1], self.dim())
    if turns == 1:
        return torch.transpose(torch.flip(self, [second]), first, second)
    if turns == 2:
        return torch.flip(self, [first, second])
    if turns == 3:
        return torch.transpose(torch.flip(self, [first]), first, second)
    return self


decomposition_family(roll, "aten::roll")
decomposition_family(rot90, "aten::rot90")


@decomposition("aten::flipud")
def flipud(self: torch.Tensor) -> torch.Tensor:
    """The first dimension reversed."""
    return torch.flip(self, [0])


@decomposition("aten::fliplr")
def fliplr(self: torch.Tensor) -> torch.Tensor:
    """The second dimension reversed."""
    return torch.flip(self, [1])


@decomposition("aten::channel_shuffle")
def channel_shuffle(self: torch.Tensor, groups: int) -> torch.Tensor:
    """The channels of all groups take turns."""
    apart: List[int] = [self.size(0), groups, self.size(1) // groups]
    for dim in range(2, self.dim()):
        apart.append(self.size(dim))
    return torch.reshape(torch.transpose(torch.reshape(self, apart), 1, 2), self.size())


@decomposition("aten::pixel_shuffle")
def pixel_shuffle(self: torch.Tensor, upscale_factor: int) -> torch.Tensor:
    """Channels become pixels of a larger image."""
    factor, rank = upscale_factor, self.dim()
    channels = self.size(-3) // (factor * factor)
    height, width = self.size(-2), self.size(-1)
    apart: List[int] = []
    together: List[int] = []
    order: List[int] = []
    for dim in range(rank - 3):
        apart.append(self.size(dim))
        together.append(self.size(dim))
        order.append(dim)
    for size in [channels, factor, factor, height, width]:
        apart.append(size)
    for size in [channels, height * factor, width * factor]:
        together.append(size)
    for dim in [0, 3, 1, 4, 2]:
        order.append(rank - 3 + dim)
    return torch.reshape(torch.permute(torch.reshape(self, apart), order), together)


@decomposition("aten::pixel_unshuffle")
def pixel_unshuffle(self: torch.Tensor, downscale_factor: int) -> torch.Tensor:
    """Pixels become channels of a smaller image; an empty batch remains as it is."""
    if is_known(self.size(0)) and self.size(0) == 0:
        return self
    factor, rank = downscale_factor, self.dim()
    channels = self.size(-3)
    height, width = self.size(-2) // factor, self.size(-1) // factor
    apart: List[int] = []
    together: List[int] = []
    order: List[int] = []
    for dim in range(rank - 3):
        apart.append(self.size(dim))
        together.append(self.size(dim))
        order.append(dim)
    for size in [channels, height, factor, width, factor]:
        apart.append(size)
    for size in [channels * factor * factor, height, width]:
        together.append(size)
    for dim in [0, 2, 4, 1, 3]:
        order.append(rank - 3 + dim)
    return torch.reshape(torch.permute(torch.reshape(self, apart), order), together)


@decomposition("aten::diag")
def diag(self: torch.Tensor, diagonal: int = 0) -> torch.Tensor:
    """The diagonal of a matrix, or a matrix with a vector on its diagonal."""
    if self.dim() == 1:
        return torch.diag_embed(self, diagonal)
    return torch.diagonal(self, diagonal)


@decomposition("aten::repeat_interleave.self_int")
def repeat_interleave(
    self: torch.Tensor, repeats: int, dim: Optional[int] = None, output_size: Optional[int] = None
) -> torch.Tensor:
    """Each element of a dimension several times; of all elements as a row without one."""
    found, place = self, 0
    if dim is None or self.dim() == 0:
        found = torch.reshape(self, [self.numel()])
    else:
        place = wrap_dim(dim, self.dim())
    apart: List[int] = []
    together: List[int] = []
    for index in range(found.dim()):
        size = found.size(index)
        apart.append(size)
        together.append(size * repeats if index == place else size)
        if index == place:
            apart.append(repeats)
    return torch.reshape(torch.unsqueeze(found, place + 1).expand(apart), together)


@decomposition("aten::pad")
def pad(
    self: torch.Tensor, pad: List[int], mode: str = "constant", value: Optional[float] = None
) -> torch.Tensor:
    """Padding of the last dimensions, by the operator for the mode."""
    if mode == "constant":
        return torch.constant_pad_nd(self, pad, 0.0 if value is None else value)
    if mode == "circular":
        return torch.ops.aten._pad_circular(self, pad)
    assert mode == "reflect" or mode == "replicate", "PyTorch rejects others"
    count = len(pad) // 2
    if mode == "reflect":
        if count == 1:
            return torch.ops.aten.reflection_pad1d(self, pad)
        if count == 2:
            return torch.ops.aten.reflection_pad2d(self, pad)
        return torch.ops.aten.reflection_pad3d(self, pad)
    if count == 1:
        return torch.ops.aten.replication_pad1d(self, pad)
    if count == 2:
        return torch.ops.aten.replication_pad2d(self, pad)
    return torch.ops.aten.replication_pad3d(self, pad)


@decomposition("aten::narrow.Tensor")
def narrow_from(self: torch.Tensor, dim: int, start: torch.Tensor, length: int) -> torch.Tensor:
    """Consecutive indices from an element of a tensor on, which are checked."""
    first = torch.reshape(in_dtype(start, torch.int64), [1])
    first = torch.where(torch.lt(first, 0), torch.add(first, self.size(dim)), first)
    return torch.index_select(self, dim, torch.add(torch.arange(length, dtype=torch.int64), first))


@decomposition("aten::tile")
def tile(self: torch.Tensor, dims: List[int]) -> torch.Tensor:
    """`repeat`, once along the dimensions in front of those that are listed."""
    repeats: List[int] = []
    for _ in range(self.dim() - len(dims)):
        repeats.append(1)
    for each in dims:
        repeats.append(each)
    return self.repeat(repeats)
