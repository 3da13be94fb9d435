"""Copies, and views in other shapes: `clone`, `reshape`, `flatten`, `expand`."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.dims import wrap_dim
from torch_refine.abstract_interp_lib.rules.formulas.shared_shapes import broadcast_all


# Values are immutable in a program whose operators are decomposed, so a copy is the same value.
@decomposition("aten::clone")
def clone(self: torch.Tensor, memory_format: Optional[int] = None) -> torch.Tensor:
    """The same value."""
    return self


@decomposition("aten::contiguous")
def contiguous(self: torch.Tensor, memory_format: int = 0) -> torch.Tensor:
    """The same value."""
    return self


@decomposition("aten::alias")
def alias(self: torch.Tensor) -> torch.Tensor:
    """The same value."""
    return self


@decomposition("aten::detach")
def detach(self: torch.Tensor) -> torch.Tensor:
    """The same value."""
    return self


@decomposition("aten::reshape")
def reshape(self: torch.Tensor, shape: List[int]) -> torch.Tensor:
    """A view of contiguous elements."""
    return torch.ops.aten.view(torch.ops.aten.contiguous(self), shape)


@decomposition("aten::_unsafe_view")
def unsafe_view(self: torch.Tensor, size: List[int]) -> torch.Tensor:
    """`reshape`."""
    return torch.reshape(self, size)


@decomposition("aten::reshape_as")
def reshape_as(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`reshape` in the shape of another tensor."""
    return torch.reshape(self, other.size())


@decomposition("aten::flatten.using_ints")
def flatten(self: torch.Tensor, start_dim: int = 0, end_dim: int = -1) -> torch.Tensor:
    """Consecutive dimensions become one; a tensor of rank 0 becomes a row."""
    rank = self.dim()
    if rank == 0:
        return torch.reshape(self, [1])
    first, last = wrap_dim(start_dim, rank), wrap_dim(end_dim, rank)
    sizes: List[int] = []
    for dim in range(rank):
        if dim > first and dim <= last:
            sizes[first] = sizes[first] * self.size(dim)
        else:
            sizes.append(self.size(dim))
    return torch.reshape(self, sizes)


@decomposition("aten::unflatten.int")
def unflatten(self: torch.Tensor, dim: int, sizes: List[int]) -> torch.Tensor:
    """A dimension becomes several, of which one size may be left open."""
    place = wrap_dim(dim, self.dim())
    whole = self.size(place)
    given = 1
    for size in sizes:
        if size != -1:
            given *= size
    shape: List[int] = []
    for index in range(self.dim()):
        if index != place:
            shape.append(self.size(index))
        else:
            for size in sizes:
                shape.append(whole // given if size == -1 else size)
    return torch.reshape(self, shape)


@decomposition("aten::expand")
def expand(self: torch.Tensor, size: List[int], implicit: bool = False) -> torch.Tensor:
    """`broadcast_to`."""
    return torch.broadcast_to(self, size)


@decomposition("aten::expand_as")
def expand_as(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`broadcast_to` the shape of another tensor."""
    return torch.broadcast_to(self, other.size())


@decomposition("aten::broadcast_tensors")
def broadcast_tensors(tensors: List[torch.Tensor]) -> List[torch.Tensor]:
    """`broadcast_to` the shape that all have in common."""
    return broadcast_all(tensors)


@decomposition("aten::t")
def t(self: torch.Tensor) -> torch.Tensor:
    """A matrix with rows and columns exchanged; a vector or a scalar as it is."""
    return self if self.dim() < 2 else torch.transpose(self, 0, 1)


@decomposition("aten::numpy_T")
def numpy_T(self: torch.Tensor) -> torch.Tensor:
    """All dimensions in the reverse order."""
    order: List[int] = []
    for dim in range(self.dim()):
        order.append(self.dim() - 1 - dim)
    return torch.permute(self, order)
