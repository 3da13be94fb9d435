"""Views that are copied, computed by other operators."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import asserted


@decomposition("aten::alias_copy")
def alias_copy(self: torch.Tensor) -> torch.Tensor:
    """A copy."""
    return torch.ops.aten.clone(self)


def of_memory(self: torch.Tensor, size: List[int], stride: List[int]) -> torch.Tensor:
    """All elements of a contiguous tensor in another shape; strides that mix them raise."""
    found = self
    apart = 1
    for index in range(len(size)):
        dim = len(size) - 1 - index
        is_right = torch.eq(torch.full([1], stride[dim], dtype=torch.int64), apart)
        is_one = torch.le(torch.full([1], size[dim], dtype=torch.int64), 1)
        is_right = torch.logical_or(is_right, is_one)
        found = asserted(found, is_right, "the strides are not those of a contiguous tensor")
        apart *= size[dim]
    return torch.reshape(found, size)


decomposition_family(of_memory, "aten::_reshape_alias", "aten::_reshape_alias_copy")


@decomposition("aten::as_strided_copy")
def as_strided_copy(
    self: torch.Tensor, size: List[int], stride: List[int], storage_offset: Optional[int] = None
) -> torch.Tensor:
    """`as_strided`, as a copy."""
    return torch.as_strided(self, size, stride, storage_offset)


@decomposition("aten::detach_copy")
def detach_copy(self: torch.Tensor) -> torch.Tensor:
    """A copy."""
    return torch.ops.aten.clone(self)


@decomposition("aten::diagonal_copy")
def diagonal_copy(
    self: torch.Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> torch.Tensor:
    """`diagonal`, as a copy."""
    return torch.diagonal(self, offset, dim1, dim2)


@decomposition("aten::expand_copy")
def expand_copy(self: torch.Tensor, size: List[int], implicit: bool = False) -> torch.Tensor:
    """`expand`, as a copy."""
    return self.expand(size, implicit=implicit)


@decomposition("aten::permute_copy")
def permute_copy(self: torch.Tensor, dims: List[int]) -> torch.Tensor:
    """`permute`, as a copy."""
    return torch.permute(self, dims)


@decomposition("aten::select_copy.int")
def select_copy(self: torch.Tensor, dim: int, index: int) -> torch.Tensor:
    """`select`, as a copy."""
    return torch.select(self, dim, index)


@decomposition("aten::slice_copy.Tensor")
def slice_copy(
    self: torch.Tensor,
    dim: int = 0,
    start: Optional[int] = None,
    end: Optional[int] = None,
    step: int = 1,
) -> torch.Tensor:
    """`slice`, as a copy."""
    return torch.ops.aten.slice(self, dim, start, end, step)


@decomposition("aten::narrow_copy")
def narrow_copy(self: torch.Tensor, dim: int, start: int, length: int) -> torch.Tensor:
    """`narrow`, as a copy."""
    return torch.narrow(self, dim, start, length)


@decomposition("aten::squeeze_copy")
def squeeze_copy(self: torch.Tensor) -> torch.Tensor:
    """`squeeze`, as a copy."""
    return torch.squeeze(self)


@decomposition("aten::squeeze_copy.dim")
def squeeze_copy_dim(self: torch.Tensor, dim: int) -> torch.Tensor:
    """`squeeze`, as a copy."""
    return torch.squeeze(self, dim)


@decomposition("aten::t_copy")
def t_copy(self: torch.Tensor) -> torch.Tensor:
    """`t`, as a copy."""
    return torch.t(self)


@decomposition("aten::transpose_copy.int")
def transpose_copy(self: torch.Tensor, dim0: int, dim1: int) -> torch.Tensor:
    """`transpose`, as a copy."""
    return torch.transpose(self, dim0, dim1)


@decomposition("aten::unfold_copy")
def unfold_copy(self: torch.Tensor, dimension: int, size: int, step: int) -> torch.Tensor:
    """`unfold`, as a copy."""
    return self.unfold(dimension, size, step)


@decomposition("aten::unsqueeze_copy")
def unsqueeze_copy(self: torch.Tensor, dim: int) -> torch.Tensor:
    """`unsqueeze`, as a copy."""
    return torch.unsqueeze(self, dim)


@decomposition("aten::view_copy")
def view_copy(self: torch.Tensor, size: List[int]) -> torch.Tensor:
    """`view`, as a copy."""
    return torch.reshape(self, size)


@decomposition("aten::_reshape_copy")
def reshape_copy(self: torch.Tensor, size: List[int]) -> torch.Tensor:
    """`reshape`, as a copy."""
    return torch.reshape(self, size)


@decomposition("aten::_neg_view")
def neg_view(self: torch.Tensor) -> torch.Tensor:
    """The negative elements, as another tensor."""
    return torch.neg(self)


@decomposition("aten::_neg_view_copy")
def neg_view_copy(self: torch.Tensor) -> torch.Tensor:
    """The negative elements."""
    return torch.neg(self)


@decomposition("aten::_lazy_clone")
def lazy_clone(self: torch.Tensor) -> torch.Tensor:
    """A copy."""
    return torch.ops.aten.clone(self)


@decomposition("aten::_stack")
def stacked(tensors: List[torch.Tensor], dim: int = 0) -> torch.Tensor:
    """`stack`."""
    return torch.stack(tensors, dim)


@decomposition("aten::_aminmax.dim")
def extremes_along(
    self: torch.Tensor, dim: int, keepdim: bool = False
) -> Tuple[torch.Tensor, torch.Tensor]:
    """`aminmax`."""
    return torch.amin(self, [dim], keepdim), torch.amax(self, [dim], keepdim)


@decomposition("aten::_aminmax")
def extremes(self: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """`aminmax`."""
    return torch.amin(self, []), torch.amax(self, [])
