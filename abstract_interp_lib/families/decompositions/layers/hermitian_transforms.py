"""Fourier transforms of Hermitian signals and inverse ones, whose results are real."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.transformed_dims import (
    inverse_mode,
    resized,
    transformed_dims,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral


def in_parts(self: torch.Tensor) -> torch.Tensor:
    """The real and the imaginary part of each element; that of real ones is 0."""
    if is_complex(self.dtype):
        return torch.view_as_real(self)
    given = in_dtype(self, torch.float32) if is_integral(self.dtype) else self
    is_wide = given.dtype == torch.float32 or given.dtype == torch.float64
    assert is_wide, "half precision has no complex type in MLIR"
    return torch.stack([given, torch.zeros_like(given)], -1)


def real_transform(
    self: torch.Tensor,
    s: Optional[List[int]],
    dim: Optional[List[int]],
    norm: Optional[str],
    is_inverse: bool,
) -> torch.Tensor:
    """The transform of dimensions, by default of as many as `s` has, or of all."""
    dims = transformed_dims(self, s, dim)
    assert len(dims) > 0, "PyTorch rejects no dimensions"
    last = len(dims) - 1
    size = 2 * (self.size(dims[last]) - 1)
    if s is None and is_complex(self.dtype):
        whole = self
    else:
        found = in_parts(self)
        if s is not None:
            for index in range(last):
                if s[index] != -1:
                    found = resized(found, dims[index], s[index])
            if s[last] != -1:
                size = s[last]
        whole = torch.view_as_complex(resized(found, dims[last], size // 2 + 1))
    mode = inverse_mode(norm)
    if not is_inverse:
        # The other way around, where nothing is divided by default.
        whole = torch.conj_physical(whole)
        mode = 2 - mode
    return torch.ops.aten._fft_c2r(whole, dims, mode, size)


def single(size: Optional[int]) -> Optional[List[int]]:
    """The size of a dimension, if it is given, as that of several."""
    if size is None:
        return None
    sizes: List[int] = [size]
    return sizes


@decomposition("aten::fft_irfft")
def fft_irfft(
    self: torch.Tensor, n: Optional[int] = None, dim: int = -1, norm: Optional[str] = None
) -> torch.Tensor:
    """The inverse of the transform of real numbers."""
    return real_transform(self, single(n), [dim], norm, True)


@decomposition("aten::fft_hfft")
def fft_hfft(
    self: torch.Tensor, n: Optional[int] = None, dim: int = -1, norm: Optional[str] = None
) -> torch.Tensor:
    """The transform of a Hermitian signal."""
    return real_transform(self, single(n), [dim], norm, False)


def inverse_of_dims(
    self: torch.Tensor, s: Optional[List[int]], dim: Optional[List[int]], norm: Optional[str]
) -> torch.Tensor:
    """The inverse of the transform of real numbers, of several dimensions."""
    return real_transform(self, s, dim, norm, True)


def transform_of_dims(
    self: torch.Tensor, s: Optional[List[int]], dim: Optional[List[int]], norm: Optional[str]
) -> torch.Tensor:
    """The transform of a Hermitian signal of several dimensions."""
    return real_transform(self, s, dim, norm, False)


def inverse_of_two(
    self: torch.Tensor, s: Optional[List[int]], dim: List[int], norm: Optional[str]
) -> torch.Tensor:
    """The inverse of the transform of real numbers, by default of the last two dimensions."""
    return real_transform(self, s, dim, norm, True)


def transform_of_two(
    self: torch.Tensor, s: Optional[List[int]], dim: List[int], norm: Optional[str]
) -> torch.Tensor:
    """The transform of a Hermitian signal, by default of the last two dimensions."""
    return real_transform(self, s, dim, norm, False)


decomposition_family(inverse_of_dims, "aten::fft_irfftn")
decomposition_family(transform_of_dims, "aten::fft_hfftn")
decomposition_family(inverse_of_two, "aten::fft_irfft2")
decomposition_family(transform_of_two, "aten::fft_hfft2")
