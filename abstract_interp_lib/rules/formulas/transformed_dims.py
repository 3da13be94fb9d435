"""The arguments of Fourier transforms: dimensions, sizes and normalizations."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def inverse_mode(norm: Optional[str]) -> int:
    """The number of a normalization of inverse transforms: none, by the root of n, by n."""
    if norm is not None and norm == "forward":
        return 0
    if norm is not None and norm == "ortho":
        return 1
    return 2


def resized(self: torch.Tensor, dim: int, size: int) -> torch.Tensor:
    """A tensor with a dimension cut or filled with zeros to a size."""
    if is_known(self.size(dim)) and is_known(size) and size <= self.size(dim):
        return torch.ops.aten.slice(self, dim, 0, size, 1)
    shape: List[int] = []
    for index in range(self.dim()):
        shape.append(size if index == dim else self.size(index))
    filled = torch.cat([self, torch.zeros(shape, dtype=self.dtype)], dim)
    return torch.ops.aten.slice(filled, dim, 0, size, 1)


def transformed_dims(
    self: torch.Tensor, s: Optional[List[int]], dim: Optional[List[int]]
) -> List[int]:
    """The given dimensions, from the front; by default as many as `s` has, or all."""
    dims: List[int] = []
    if dim is not None:
        for each in dim:
            dims.append(each if each >= 0 else each + self.dim())
    else:
        count = self.dim() if s is None else len(s)
        for index in range(count):
            dims.append(self.dim() - count + index)
    return dims


def all_resized(self: torch.Tensor, dims: List[int], s: Optional[List[int]]) -> torch.Tensor:
    """A tensor with dimensions cut or filled with zeros to sizes, of which -1 is no other."""
    found = self
    if s is not None:
        for index in range(len(s)):
            if s[index] != -1:
                found = resized(found, dims[index], s[index])
    return found
