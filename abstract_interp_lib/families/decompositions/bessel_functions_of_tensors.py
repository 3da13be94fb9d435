"""Bessel functions and the Airy function, computed in double precision."""

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.bessel_functions import (
    double_airy,
    double_j0,
    double_j1,
    double_k0,
    double_k1,
    double_spherical_j0,
    double_y0,
    double_y1,
)
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float, is_complex


def wide(self: torch.Tensor) -> torch.Tensor:
    """A tensor of real numbers in float64."""
    assert not is_complex(self.dtype), "of real numbers"
    return in_dtype(self, torch.float64)


def bessel_j0(self: torch.Tensor) -> torch.Tensor:
    """The Bessel function of the first kind of order 0."""
    return in_dtype(double_j0(wide(self)), int_to_float(self.dtype))


def bessel_j1(self: torch.Tensor) -> torch.Tensor:
    """The Bessel function of the first kind of order 1."""
    return in_dtype(double_j1(wide(self)), int_to_float(self.dtype))


@decomposition("aten::special_bessel_y0")
def bessel_y0(self: torch.Tensor) -> torch.Tensor:
    """The Bessel function of the second kind of order 0."""
    return in_dtype(double_y0(wide(self)), int_to_float(self.dtype))


@decomposition("aten::special_bessel_y1")
def bessel_y1(self: torch.Tensor) -> torch.Tensor:
    """The Bessel function of the second kind of order 1."""
    return in_dtype(double_y1(wide(self)), int_to_float(self.dtype))


@decomposition("aten::special_modified_bessel_k0")
def modified_bessel_k0(self: torch.Tensor) -> torch.Tensor:
    """The modified Bessel function of the second kind of order 0."""
    return in_dtype(double_k0(wide(self), False), int_to_float(self.dtype))


@decomposition("aten::special_modified_bessel_k1")
def modified_bessel_k1(self: torch.Tensor) -> torch.Tensor:
    """The modified Bessel function of the second kind of order 1."""
    return in_dtype(double_k1(wide(self), False), int_to_float(self.dtype))


@decomposition("aten::special_scaled_modified_bessel_k0")
def scaled_modified_bessel_k0(x: torch.Tensor) -> torch.Tensor:
    """That of order 0, times exp(x)."""
    return in_dtype(double_k0(wide(x), True), int_to_float(x.dtype))


@decomposition("aten::special_scaled_modified_bessel_k1")
def scaled_modified_bessel_k1(x: torch.Tensor) -> torch.Tensor:
    """That of order 1, times exp(x)."""
    return in_dtype(double_k1(wide(x), True), int_to_float(x.dtype))


@decomposition("aten::special_airy_ai")
def airy_ai(x: torch.Tensor) -> torch.Tensor:
    """The Airy function Ai."""
    return in_dtype(double_airy(wide(x)), int_to_float(x.dtype))


@decomposition("aten::special_spherical_bessel_j0")
def spherical_bessel_j0(x: torch.Tensor) -> torch.Tensor:
    """The spherical Bessel function of the first kind of order 0."""
    return in_dtype(double_spherical_j0(wide(x)), int_to_float(x.dtype))


@decomposition("prims::spherical_bessel_j0")
def prims_spherical_bessel_j0(self: torch.Tensor) -> torch.Tensor:
    """The spherical Bessel function of the first kind of order 0."""
    return in_dtype(double_spherical_j0(wide(self)), int_to_float(self.dtype))


decomposition_family(bessel_j0, "aten::special_bessel_j0", "prims::bessel_j0")
decomposition_family(bessel_j1, "aten::special_bessel_j1", "prims::bessel_j1")
