"""Indices along a dimension, computed by other operators."""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import along, filled, in_dtype


@decomposition("aten::index_add")
def index_add(
    self: torch.Tensor,
    dim: int,
    index: torch.Tensor,
    source: torch.Tensor,
    alpha: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """Slices are added to those at the indices."""
    assert self.dim() > 0, "a scalar has no dimension to scatter to"
    places = along(index, source, dim)
    return torch.scatter_add(self, dim, places, torch.mul(source, alpha))


@decomposition("aten::index_copy")
def index_copy(
    self: torch.Tensor, dim: int, index: torch.Tensor, source: torch.Tensor
) -> torch.Tensor:
    """Slices replace those at the indices."""
    assert self.dim() > 0, "a scalar has no dimension to scatter to"
    return torch.scatter(self, dim, along(index, source, dim), source)


@decomposition("aten::index_fill.int_Scalar")
def index_fill_scalar(
    self: torch.Tensor, dim: int, index: torch.Tensor, value: Union[int, float, complex]
) -> torch.Tensor:
    """A number replaces the slices at the indices."""
    assert self.dim() > 0, "a scalar has no dimension to scatter to"
    return torch.scatter(self, dim, filled(self, dim, index), value)


@decomposition("aten::index_fill.int_Tensor")
def index_fill_tensor(
    self: torch.Tensor, dim: int, index: torch.Tensor, value: torch.Tensor
) -> torch.Tensor:
    """A scalar tensor replaces the slices at the indices."""
    assert self.dim() > 0, "a scalar has no dimension to scatter to"
    places = filled(self, dim, index)
    return torch.scatter(self, dim, places, in_dtype(value, self.dtype).expand(places.size()))


@decomposition("aten::isin.Tensor_Tensor")
def isin(
    elements: torch.Tensor,
    test_elements: torch.Tensor,
    assume_unique: bool = False,
    invert: bool = False,
) -> torch.Tensor:
    """Each element is compared with all tests."""
    tests = torch.reshape(test_elements, [test_elements.numel()])
    found = torch.any(torch.eq(torch.unsqueeze(elements, -1), tests), -1)
    return torch.logical_not(found) if invert else found


@decomposition("aten::take")
def take(self: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    """Elements by their index in the flat tensor; negative ones count from the end."""
    count = self.numel()
    flat = torch.reshape(in_dtype(index, torch.int64), [index.numel()])
    flat = torch.where(torch.lt(flat, 0), torch.add(flat, count), flat)
    found = torch.gather(torch.reshape(self, [count]), 0, flat)
    return torch.reshape(found, index.size())


@decomposition("aten::take_along_dim")
def take_along_dim(
    self: torch.Tensor, indices: torch.Tensor, dim: Optional[int] = None
) -> torch.Tensor:
    """`gather` of operands that broadcast in the other dimensions."""
    if dim is None:
        flat = torch.reshape(indices, [indices.numel()])
        return torch.gather(torch.reshape(self, [self.numel()]), 0, flat)
    along_dim = dim + self.dim() if dim < 0 else dim
    from_sizes: List[int] = []
    at_sizes: List[int] = []
    for place in range(self.dim()):
        if place == along_dim:
            from_sizes.append(self.size(place))
            at_sizes.append(indices.size(place))
        else:
            size = indices.size(place) if self.size(place) == 1 else self.size(place)
            from_sizes.append(size)
            at_sizes.append(size)
    return torch.gather(self.expand(from_sizes), along_dim, indices.expand(at_sizes))
