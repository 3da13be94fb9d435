"""Other names of operators on each element: `arccos`, `special_expit`, `greater`."""

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family


@decomposition("aten::arccos")
def arccos(self: torch.Tensor) -> torch.Tensor:
    """Another name of `acos`."""
    return torch.acos(self)


@decomposition("aten::arccosh")
def arccosh(self: torch.Tensor) -> torch.Tensor:
    """Another name of `acosh`."""
    return torch.acosh(self)


@decomposition("aten::arcsin")
def arcsin(self: torch.Tensor) -> torch.Tensor:
    """Another name of `asin`."""
    return torch.asin(self)


@decomposition("aten::arcsinh")
def arcsinh(self: torch.Tensor) -> torch.Tensor:
    """Another name of `asinh`."""
    return torch.asinh(self)


@decomposition("aten::arctan")
def arctan(self: torch.Tensor) -> torch.Tensor:
    """Another name of `atan`."""
    return torch.atan(self)


@decomposition("aten::arctanh")
def arctanh(self: torch.Tensor) -> torch.Tensor:
    """Another name of `atanh`."""
    return torch.atanh(self)


@decomposition("aten::negative")
def negative(self: torch.Tensor) -> torch.Tensor:
    """Another name of `neg`."""
    return torch.neg(self)


@decomposition("aten::special_digamma")
def special_digamma(self: torch.Tensor) -> torch.Tensor:
    """Another name of `digamma`."""
    return torch.digamma(self)


@decomposition("aten::special_psi")
def special_psi(self: torch.Tensor) -> torch.Tensor:
    """Another name of `digamma`."""
    return torch.digamma(self)


@decomposition("aten::special_erf")
def special_erf(self: torch.Tensor) -> torch.Tensor:
    """Another name of `erf`."""
    return torch.erf(self)


@decomposition("aten::special_erfinv")
def special_erfinv(self: torch.Tensor) -> torch.Tensor:
    """Another name of `erfinv`."""
    return torch.erfinv(self)


@decomposition("aten::special_exp2")
def special_exp2(self: torch.Tensor) -> torch.Tensor:
    """Another name of `exp2`."""
    return torch.exp2(self)


@decomposition("aten::special_expit")
def special_expit(self: torch.Tensor) -> torch.Tensor:
    """Another name of `sigmoid`."""
    return torch.sigmoid(self)


@decomposition("aten::special_expm1")
def special_expm1(self: torch.Tensor) -> torch.Tensor:
    """Another name of `expm1`."""
    return torch.expm1(self)


@decomposition("aten::special_gammaln")
def special_gammaln(self: torch.Tensor) -> torch.Tensor:
    """Another name of `lgamma`."""
    return torch.lgamma(self)


@decomposition("aten::special_log1p")
def special_log1p(self: torch.Tensor) -> torch.Tensor:
    """Another name of `log1p`."""
    return torch.log1p(self)


@decomposition("aten::special_sinc")
def special_sinc(self: torch.Tensor) -> torch.Tensor:
    """Another name of `sinc`."""
    return torch.sinc(self)


def unchanged(self: torch.Tensor) -> torch.Tensor:
    """The operand itself."""
    return self


decomposition_family(unchanged, "aten::data", "aten::lift")
