"""Inverses of Fourier transforms of Hermitian signals, over several dimensions.

The last dimension is transformed as real numbers, whose conjugate half is kept, the others as
complex ones; all have the normalization of inverse transforms.
"""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_integral


def of_size(self: torch.Tensor, dim: int, size: int) -> torch.Tensor:
    """A tensor with a dimension cut or filled with zeros to a size."""
    if size <= self.size(dim):
        return torch.narrow(self, dim, 0, size)
    shape: List[int] = []
    for index in range(self.dim()):
        shape.append(size - self.size(dim) if index == dim else self.size(index))
    return torch.cat([self, torch.zeros(shape, dtype=self.dtype)], dim)


def inverse_mode(norm: Optional[str]) -> int:
    """The number of a normalization of inverse transforms: none, by the root of n, by n."""
    if norm is not None and norm == "forward":
        return 0
    if norm is not None and norm == "ortho":
        return 1
    return 2


@decomposition("aten::fft_ihfftn")
def fft_ihfftn(
    self: torch.Tensor,
    s: Optional[List[int]] = None,
    dim: Optional[List[int]] = None,
    norm: Optional[str] = None,
) -> torch.Tensor:
    """The transform of the dimensions, by default of as many as `s` has, or of all."""
    found = in_dtype(self, torch.float32) if is_integral(self.dtype) else self
    dims: List[int] = []
    if dim is not None:
        for each in dim:
            dims.append(each if each >= 0 else each + self.dim())
    else:
        count = self.dim() if s is None else len(s)
        for index in range(count):
            dims.append(self.dim() - count + index)
    if s is not None:
        for index in range(len(dims)):
            if s[index] != -1:
                found = of_size(found, dims[index], s[index])
    mode = inverse_mode(norm)
    last = len(dims) - 1
    half = torch.conj_physical(torch.ops.aten._fft_r2c(found, [dims[last]], mode, True))
    return half if last == 0 else torch.ops.aten._fft_c2c(half, dims[:last], mode, False)


def of_two(
    self: torch.Tensor, s: Optional[List[int]], dim: List[int], norm: Optional[str]
) -> torch.Tensor:
    """`ihfftn` of two dimensions."""
    return torch.ops.aten.fft_ihfftn(self, s, dim, norm)


decomposition_family(of_two, "aten::fft_ihfft2")
