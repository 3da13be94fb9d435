"""Fourier transforms and the parts of complex numbers, computed by real numbers."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.fourier_sums import (
    half_of,
    joined,
    parts,
    real_of_half,
    scale_of,
    transformed_dims,
    with_no_imaginary_part,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_complex


def _is_covered(self: torch.Tensor, dim: List[int]) -> bool:
    dtype = self.dtype
    # Half precision has no complex type in MLIR.
    covered = dtype == torch.float32 or dtype == torch.float64
    covered = covered or dtype == torch.complex64 or dtype == torch.complex128
    for each in dim:
        # PyTorch's kernels, below the functions of `torch.fft`, misread them or crash.
        covered = covered and each >= 0
    return covered


@decomposition("prims::fft_c2c")
def prims_fft_c2c(self: torch.Tensor, dim: List[int], forward: bool) -> torch.Tensor:
    """The transform of complex numbers."""
    assert _is_covered(self, dim), "half precision, or a negative dimension"
    return joined(transformed_dims(parts(self), dim, forward))


@decomposition("prims::fft_r2c")
def prims_fft_r2c(self: torch.Tensor, dim: List[int], onesided: bool) -> torch.Tensor:
    """The transform of real numbers, or the half of it that determines it."""
    assert _is_covered(self, dim), "half precision, or a negative dimension"
    found = transformed_dims(with_no_imaginary_part(self), dim, True)
    return joined(half_of(found, dim[len(dim) - 1]) if onesided else found)


@decomposition("prims::fft_c2r")
def prims_fft_c2r(self: torch.Tensor, dim: List[int], last_dim_size: int) -> torch.Tensor:
    """The real numbers that have a transform."""
    assert _is_covered(self, dim), "half precision, or a negative dimension"
    return real_of_half(parts(self), dim, last_dim_size)


@decomposition("aten::_fft_c2c")
def fft_c2c(self: torch.Tensor, dim: List[int], normalization: int, forward: bool) -> torch.Tensor:
    """The transform of complex numbers, times a factor."""
    assert _is_covered(self, dim), "half precision, or a negative dimension"
    scale = scale_of(self, dim, normalization, -1)
    return joined(torch.mul(transformed_dims(parts(self), dim, forward), scale))


@decomposition("aten::_fft_r2c")
def fft_r2c(self: torch.Tensor, dim: List[int], normalization: int, onesided: bool) -> torch.Tensor:
    """The transform of real numbers, or the half of it that determines it, times a factor."""
    assert _is_covered(self, dim), "half precision, or a negative dimension"
    scale = scale_of(self, dim, normalization, -1)
    found = torch.mul(transformed_dims(with_no_imaginary_part(self), dim, True), scale)
    return joined(half_of(found, dim[len(dim) - 1]) if onesided else found)


@decomposition("aten::_fft_c2r")
def fft_c2r(
    self: torch.Tensor, dim: List[int], normalization: int, last_dim_size: int
) -> torch.Tensor:
    """The real numbers that have a transform, times a factor."""
    assert _is_covered(self, dim), "half precision, or a negative dimension"
    scale = scale_of(self, dim, normalization, last_dim_size)
    return torch.mul(real_of_half(parts(self), dim, last_dim_size), scale)


@decomposition("prims::conj_physical")
def prims_conj_physical(self: torch.Tensor) -> torch.Tensor:
    """The same real part, the imaginary part negated."""
    assert self.dtype == torch.complex64 or self.dtype == torch.complex128, "of complex numbers"
    pair = parts(self)
    return joined(torch.stack([torch.select(pair, 0, 0), torch.neg(torch.select(pair, 0, 1))]))


@decomposition("prims::convert_element_type")
def convert_element_type(a: torch.Tensor, dtype: int) -> torch.Tensor:
    """Real numbers as complex ones."""
    assert not is_complex(a.dtype) and is_complex(dtype), "other conversions are operations"
    assert dtype == torch.complex64 or dtype == torch.complex128, "of single or double precision"
    real = torch.float32 if dtype == torch.complex64 else torch.float64
    return joined(with_no_imaginary_part(in_dtype(a, real)))
