"""Joined, split and moved tensors, computed by other operators."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import (
    between,
    in_dtype,
    in_pieces,
    in_slices,
)
from torch_refine.abstract_interp_lib.rules.promotion import promote_dtypes


@decomposition("aten::atleast_1d")
def atleast_1d(self: torch.Tensor) -> torch.Tensor:
    """A scalar becomes a vector."""
    return torch.unsqueeze(self, 0) if self.dim() == 0 else self


@decomposition("aten::atleast_2d")
def atleast_2d(self: torch.Tensor) -> torch.Tensor:
    """Dimensions are added in front."""
    out = self
    for _ in range(2 - self.dim()):
        out = torch.unsqueeze(out, 0)
    return out


@decomposition("aten::atleast_3d")
def atleast_3d(self: torch.Tensor) -> torch.Tensor:
    """Dimensions are added in front, but a last one behind a vector or matrix."""
    if self.dim() == 0:
        return torch.unsqueeze(torch.unsqueeze(torch.unsqueeze(self, 0), 0), 0)
    if self.dim() == 1:
        return torch.unsqueeze(torch.unsqueeze(self, 0), 2)
    return torch.unsqueeze(self, 2) if self.dim() == 2 else self


@decomposition("aten::dstack")
def dstack(tensors: List[torch.Tensor]) -> torch.Tensor:
    """Joined along the third dimension."""
    parts: List[torch.Tensor] = []
    for each in tensors:
        parts.append(torch.ops.aten.atleast_3d(each))
    return torch.cat(parts, 2)


@decomposition("aten::hstack")
def hstack(tensors: List[torch.Tensor]) -> torch.Tensor:
    """Joined along the second dimension, vectors along their only one."""
    parts: List[torch.Tensor] = []
    for each in tensors:
        parts.append(torch.ops.aten.atleast_1d(each))
    return torch.cat(parts, 0 if parts[0].dim() == 1 else 1)


@decomposition("aten::vstack")
def vstack(tensors: List[torch.Tensor]) -> torch.Tensor:
    """Joined along the first dimension, vectors as rows."""
    parts: List[torch.Tensor] = []
    for each in tensors:
        parts.append(torch.ops.aten.atleast_2d(each))
    return torch.cat(parts, 0)


@decomposition("aten::row_stack")
def row_stack(tensors: List[torch.Tensor]) -> torch.Tensor:
    """Another name of `vstack`."""
    return torch.ops.aten.vstack(tensors)


@decomposition("aten::column_stack")
def column_stack(tensors: List[torch.Tensor]) -> torch.Tensor:
    """Joined along the second dimension, vectors as columns."""
    parts: List[torch.Tensor] = []
    for each in tensors:
        if each.dim() == 0:
            parts.append(torch.reshape(each, [1, 1]))
        elif each.dim() == 1:
            parts.append(torch.unsqueeze(each, 1))
        else:
            parts.append(each)
    return torch.cat(parts, 1)


@decomposition("aten::block_diag")
def block_diag(tensors: List[torch.Tensor]) -> torch.Tensor:
    """Each block is a row of blocks, padded with zeros."""
    assert len(tensors) > 0, "there is no block whose dtype the result has"
    ranks: List[Optional[int]] = []
    dtypes: List[int] = []
    for each in tensors:
        ranks.append(each.dim())
        dtypes.append(each.dtype)
    dtype = promote_dtypes(ranks, dtypes)
    rows: List[torch.Tensor] = []
    width = 0
    for each in tensors:
        width += 1 if each.dim() == 0 else each.size(-1)
    start = 0
    for each in tensors:
        matrix = torch.ops.aten.atleast_2d(in_dtype(each, dtype))
        end = start + matrix.size(1)
        rows.append(torch.constant_pad_nd(matrix, [start, width - end]))
        start = end
    return torch.cat(rows, 0)


@decomposition("aten::cartesian_prod")
def cartesian_prod(tensors: List[torch.Tensor]) -> torch.Tensor:
    """Each column repeats the elements of one operand, the last one changes fastest."""
    if len(tensors) == 1:
        return tensors[0]
    columns: List[torch.Tensor] = []
    for place in range(len(tensors)):
        before = 1
        after = 1
        for other in range(len(tensors)):
            if other < place:
                before *= tensors[other].numel()
            elif other > place:
                after *= tensors[other].numel()
        size = tensors[place].numel()
        column = torch.reshape(tensors[place], [1, size, 1]).expand([before, size, after])
        columns.append(torch.reshape(column, [before * size * after, 1]))
    return torch.cat(columns, 1)


@decomposition("aten::diagflat")
def diagflat(self: torch.Tensor, offset: int = 0) -> torch.Tensor:
    """The elements on a diagonal."""
    return torch.diag_embed(torch.reshape(self, [self.numel()]), offset)


def chunk(self: torch.Tensor, chunks: int, dim: int) -> List[torch.Tensor]:
    """Slices of equal length but the last; without elements, as many as were asked for."""
    size = self.size(dim)
    if size > 0:
        return in_slices(self, (size + chunks - 1) // chunks, dim)
    parts: List[torch.Tensor] = []
    for _ in range(chunks):
        parts.append(self)
    return parts


decomposition_family(chunk, "aten::chunk", "aten::unsafe_chunk")


decomposition_family(in_pieces, "aten::tensor_split.sections")
decomposition_family(in_pieces, "aten::vsplit.int", dim=0)
decomposition_family(in_pieces, "aten::dsplit.int", dim=2)
decomposition_family(between, "aten::tensor_split.indices")
decomposition_family(between, "aten::vsplit.array", dim=0)
decomposition_family(between, "aten::dsplit.array", dim=2)


@decomposition("aten::hsplit.int")
def hsplit_int(self: torch.Tensor, sections: int) -> List[torch.Tensor]:
    """Slices of the columns, or of a vector."""
    return in_pieces(self, sections, 0 if self.dim() == 1 else 1)


@decomposition("aten::hsplit.array")
def hsplit_array(self: torch.Tensor, indices: List[int]) -> List[torch.Tensor]:
    """Slices of the columns, or of a vector, between the indices."""
    return between(self, indices, 0 if self.dim() == 1 else 1)


@decomposition("aten::meshgrid.indexing")
def meshgrid_indexing(tensors: List[torch.Tensor], indexing: str) -> List[torch.Tensor]:
    """Each vector along its dimension; `xy` exchanges the first two."""
    swaps = indexing == "xy" and len(tensors) > 1
    sizes: List[int] = []
    for each in tensors:
        sizes.append(each.numel())
    if swaps:
        first = sizes[0]
        sizes[0] = sizes[1]
        sizes[1] = first
    out: List[torch.Tensor] = []
    for index, each in enumerate(tensors):
        place = 1 - index if swaps and index < 2 else index
        shape: List[int] = []
        for dim in range(len(sizes)):
            shape.append(sizes[dim] if dim == place else 1)
        out.append(torch.reshape(each, shape).expand(sizes))
    return out


@decomposition("aten::meshgrid")
def meshgrid(tensors: List[torch.Tensor]) -> List[torch.Tensor]:
    """Indexed by row, then by column."""
    return meshgrid_indexing(tensors, "ij")


@decomposition("aten::movedim.intlist")
def movedim(self: torch.Tensor, source: List[int], destination: List[int]) -> torch.Tensor:
    """A permutation: the other dimensions keep their order."""
    rank = self.dim()
    if rank == 0:
        return self
    order: List[int] = []
    for _ in range(rank):
        order.append(-1)
    moved: List[int] = []
    for index in range(len(source)):
        origin = source[index] % rank
        moved.append(origin)
        order[destination[index] % rank] = origin
    rest: List[int] = []
    for dim in range(rank):
        if dim not in moved:
            rest.append(dim)
    used = 0
    for dim in range(rank):
        if order[dim] == -1:
            order[dim] = rest[used]
            used += 1
    return torch.permute(self, order)


@decomposition("aten::movedim.int")
def movedim_int(self: torch.Tensor, source: int, destination: int) -> torch.Tensor:
    """A single dimension is moved."""
    return torch.movedim(self, [source], [destination])


@decomposition("aten::fft_fftshift")
def fft_fftshift(self: torch.Tensor, dim: Optional[List[int]] = None) -> torch.Tensor:
    """Half of each dimension is rolled."""
    dims: List[int] = []
    if dim is not None:
        dims = dim
    else:
        for each in range(self.dim()):
            dims.append(each)
    shifts: List[int] = []
    for each in dims:
        shifts.append(self.size(each) // 2)
    return torch.roll(self, shifts, dims)


@decomposition("aten::fft_ifftshift")
def fft_ifftshift(self: torch.Tensor, dim: Optional[List[int]] = None) -> torch.Tensor:
    """The other half of each dimension is rolled."""
    dims: List[int] = []
    if dim is not None:
        dims = dim
    else:
        for each in range(self.dim()):
            dims.append(each)
    shifts: List[int] = []
    for each in dims:
        shifts.append((self.size(each) + 1) // 2)
    return torch.roll(self, shifts, dims)


@decomposition("aten::diff")
def diff(
    self: torch.Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Optional[torch.Tensor] = None,
    append: Optional[torch.Tensor] = None,
) -> torch.Tensor:
    """Differences of neighbours, repeated; those of bools are inequalities."""
    if n == 0:
        return self
    parts: List[torch.Tensor] = []
    if prepend is not None:
        parts.append(prepend)
    parts.append(self)
    if append is not None:
        parts.append(append)
    out = torch.cat(parts, dim)
    for _ in range(min(n, out.size(dim))):
        size = out.size(dim)
        later = torch.ops.aten.slice(out, dim, 1, size, 1)
        earlier = torch.ops.aten.slice(out, dim, 0, size - 1, 1)
        out = torch.ne(later, earlier) if self.dtype == torch.bool else torch.sub(later, earlier)
    return out


def split_by_size(self: torch.Tensor, split_size: int, dim: int) -> List[torch.Tensor]:
    """Slices of a size, and one with what remains."""
    return in_slices(self, split_size, dim)


decomposition_family(
    split_by_size, "aten::split.Tensor", "aten::split_copy.Tensor", "aten::unsafe_split.Tensor"
)


def split_by_sizes(self: torch.Tensor, split_sizes: List[int], dim: int) -> List[torch.Tensor]:
    """Slices of these sizes."""
    parts: List[torch.Tensor] = []
    start = 0
    for size in split_sizes:
        parts.append(torch.ops.aten.slice(self, dim, start, start + size, 1))
        start += size
    return parts


decomposition_family(
    split_by_sizes,
    "aten::split_with_sizes",
    "aten::split_with_sizes_copy",
    "aten::unsafe_split_with_sizes",
)


def unbind(self: torch.Tensor, dim: int) -> List[torch.Tensor]:
    """A tensor without the dimension for each index of it."""
    parts: List[torch.Tensor] = []
    for index in range(self.size(dim)):
        parts.append(torch.select(self, dim, index))
    return parts


decomposition_family(unbind, "aten::unbind.int", "aten::unbind_copy.int")


@decomposition("aten::ravel")
def ravel(self: torch.Tensor) -> torch.Tensor:
    """All elements in one dimension."""
    return torch.reshape(self, [self.numel()])


@decomposition("aten::view_as")
def view_as(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """A view with the other's sizes."""
    return torch.ops.aten.view(self, other.size())


def squeezed(self: torch.Tensor, dim: List[int]) -> torch.Tensor:
    """One dimension after the other, from the last."""
    rank = self.dim()
    out = self
    for index in range(rank):
        place = rank - 1 - index
        if place in dim or place - rank in dim:
            out = torch.squeeze(out, place)
    return out


decomposition_family(squeezed, "aten::squeeze.dims", "aten::squeeze_copy.dims")
