"""Fourier transforms and the parts of complex numbers, computed by real numbers."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import complex_of
from torch_refine.abstract_interp_lib.rules.formulas.fourier_sums import (
    parts_of,
    real_of_half,
    scale_of,
    transform_of_real,
    transformed_dims,
)
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def complex_from(parts: List[torch.Tensor]) -> torch.Tensor:
    """Complex numbers of their parts."""
    return complex_of(parts[0], parts[1])


def _is_covered(self: torch.Tensor, dim: List[int]) -> bool:
    dtype = self.dtype
    # Half precision has no complex type in MLIR.
    covered = dtype == torch.float32 or dtype == torch.float64
    covered = covered or dtype == torch.complex64 or dtype == torch.complex128
    for each in dim:
        # PyTorch's kernels, below the functions of `torch.fft`, misread negative ones or crash. A
        # trace would have the stages of one size.
        covered = covered and each >= 0 and is_known(self.size(each))
    return covered


@decomposition("prims::fft_c2c")
def prims_fft_c2c(self: torch.Tensor, dim: List[int], forward: bool) -> torch.Tensor:
    """The transform of complex numbers."""
    assert _is_covered(self, dim), "half precision, a negative dimension or unknown size"
    assert self.is_complex(), "real numbers, which the kernel rejects"
    return complex_from(transformed_dims(parts_of(self), dim, forward, 1.0))


@decomposition("prims::fft_r2c")
def prims_fft_r2c(self: torch.Tensor, dim: List[int], onesided: bool) -> torch.Tensor:
    """The transform of real numbers, or the half of it that determines it."""
    assert _is_covered(self, dim), "half precision, a negative dimension or unknown size"
    return complex_from(transform_of_real(self, dim, onesided, 1.0))


@decomposition("prims::fft_c2r")
def prims_fft_c2r(self: torch.Tensor, dim: List[int], last_dim_size: int) -> torch.Tensor:
    """The real numbers that have a transform."""
    assert _is_covered(self, dim), "half precision, a negative dimension or unknown size"
    assert is_known(last_dim_size), "an unknown size"
    return real_of_half(parts_of(self), dim, last_dim_size, 1.0)


@decomposition("aten::_fft_c2c")
def fft_c2c(self: torch.Tensor, dim: List[int], normalization: int, forward: bool) -> torch.Tensor:
    """The transform of complex numbers, times a factor."""
    assert _is_covered(self, dim), "half precision, a negative dimension or unknown size"
    assert self.is_complex(), "real numbers, which the kernel rejects"
    scale = scale_of(self, dim, normalization, -1)
    return complex_from(transformed_dims(parts_of(self), dim, forward, scale))


@decomposition("aten::_fft_r2c")
def fft_r2c(self: torch.Tensor, dim: List[int], normalization: int, onesided: bool) -> torch.Tensor:
    """The transform of real numbers, or the half of it that determines it, times a factor."""
    assert _is_covered(self, dim), "half precision, a negative dimension or unknown size"
    scale = scale_of(self, dim, normalization, -1)
    return complex_from(transform_of_real(self, dim, onesided, scale))


@decomposition("aten::_fft_c2r")
def fft_c2r(
    self: torch.Tensor, dim: List[int], normalization: int, last_dim_size: int
) -> torch.Tensor:
    """The real numbers that have a transform, times a factor."""
    assert _is_covered(self, dim), "half precision, a negative dimension or unknown size"
    assert is_known(last_dim_size), "an unknown size"
    scale = scale_of(self, dim, normalization, last_dim_size)
    return real_of_half(parts_of(self), dim, last_dim_size, scale)
