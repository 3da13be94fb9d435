"""Extremes of several dimensions, averages and norms: `aminmax`, `renorm`, `mse_loss`."""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import (
    as_row,
    computation_dtype,
    in_dtype,
    promoted_dtype,
    reduced,
)
from torch_refine.abstract_interp_lib.rules.dims import wrap_dim
from torch_refine.abstract_interp_lib.rules.formulas.shared_shapes import broadcast_all
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral


def amax(self: torch.Tensor, dim: List[int], keepdim: bool) -> torch.Tensor:
    """Of one dimension after the other, from the last."""
    if self.dim() == 0:
        return torch.reshape(torch.max(as_row(self), 0).values, [])
    found = self
    for index in range(self.dim()):
        each = self.dim() - 1 - index
        if len(dim) == 0 or each in dim or each - self.dim() in dim:
            found = torch.max(found, each, keepdim).values
    return found


decomposition_family(
    amax, "aten::amax", ok=[Invocation(T(), [-1], True), Invocation(T(2, 3, 4), [0, -1])]
)


def amin(self: torch.Tensor, dim: List[int], keepdim: bool) -> torch.Tensor:
    """Of one dimension after the other, from the last."""
    if self.dim() == 0:
        return torch.reshape(torch.min(as_row(self), 0).values, [])
    found = self
    for index in range(self.dim()):
        each = self.dim() - 1 - index
        if len(dim) == 0 or each in dim or each - self.dim() in dim:
            found = torch.min(found, each, keepdim).values
    return found


decomposition_family(
    amin, "aten::amin", ok=[Invocation(T(), [-1], True), Invocation(T(2, 3, 4), [0, -1])]
)


@decomposition("aten::aminmax")
def aminmax(
    self: torch.Tensor, dim: Optional[int] = None, keepdim: bool = False
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Both extremes of a dimension, or of all elements."""
    if dim is None:
        return torch.amin(self, [], keepdim), torch.amax(self, [], keepdim)
    return torch.amin(self, [dim], keepdim), torch.amax(self, [dim], keepdim)


@decomposition(
    "aten::linalg_vector_norm",
    ok=[
        Invocation(T(2, 3), float("inf"), [1]),
        Invocation(T(2, 3), -float("inf"), None, True),
        Invocation(T(2, 3, dtype=torch.float16), float("inf")),
    ],
)
def vector_norm(
    self: torch.Tensor,
    ord: Union[int, float, complex] = 2,
    dim: Optional[List[int]] = None,
    keepdim: bool = False,
    dtype: Optional[int] = None,
) -> torch.Tensor:
    """Of infinite order, the largest or the smallest absolute value."""
    order = float(ord)
    assert order == float("inf") or order == -float("inf"), "concerns only infinite orders"
    dims: List[int] = []
    size = torch.abs(self if dtype is None else in_dtype(self, dtype))
    if dim is not None:
        dims = dim
    return torch.amax(size, dims, keepdim) if order > 0.0 else torch.amin(size, dims, keepdim)


@decomposition("aten::norm.ScalarOpt_dim")
def norm_of_dims(
    self: torch.Tensor,
    p: Optional[Union[int, float, complex]],
    dim: List[int],
    keepdim: bool = False,
) -> torch.Tensor:
    """`linalg_vector_norm`; of order 2 if none is given."""
    order: Union[int, float, complex] = 2 if p is None else p
    return torch.linalg.vector_norm(self, order, dim, keepdim)


@decomposition("aten::renorm")
def renorm(
    self: torch.Tensor,
    p: Union[int, float, complex],
    dim: int,
    maxnorm: Union[int, float, complex],
) -> torch.Tensor:
    """Slices of a larger norm are scaled to a given one."""
    assert not is_complex(self.dtype), "the norms of complex numbers are real"
    kept = wrap_dim(dim, self.dim())
    dims: List[int] = []
    for each in range(self.dim()):
        if each != kept:
            dims.append(each)
    wide = in_dtype(self, computation_dtype(self.dtype))
    norm = torch.linalg.vector_norm(wide, p, dims, True)
    factor = torch.div(torch.full([], float(maxnorm), dtype=norm.dtype), torch.add(norm, 1e-7))
    factor = torch.where(torch.gt(norm, maxnorm), factor, torch.ones_like(norm))
    return torch.mul(self, in_dtype(factor, self.dtype))


@decomposition("aten::mse_loss")
def mse_loss(self: torch.Tensor, target: torch.Tensor, reduction: int = 1) -> torch.Tensor:
    """Squares of differences."""
    dtype = promoted_dtype(self, target)
    assert not is_integral(dtype) and not is_complex(dtype), "the kernel takes floats"
    wide = computation_dtype(dtype)
    away = torch.sub(in_dtype(self, wide), in_dtype(target, wide))
    return reduced(in_dtype(torch.mul(away, away), dtype), reduction)


@decomposition("aten::l1_loss")
def l1_loss(self: torch.Tensor, target: torch.Tensor, reduction: int = 1) -> torch.Tensor:
    """Absolute differences."""
    return reduced(torch.abs(torch.sub(self, target)), reduction)


@decomposition("aten::kl_div")
def kl_div(
    self: torch.Tensor, target: torch.Tensor, reduction: int = 1, log_target: bool = False
) -> torch.Tensor:
    """The divergence of two distributions, of which the first is given by logarithms."""
    if log_target:
        loss = torch.mul(torch.exp(target), torch.sub(target, self))
    else:
        loss = torch.sub(torch.xlogy(target, target), torch.mul(target, self))
    return reduced(loss, reduction)


@decomposition("aten::cosine_similarity")
def cosine_similarity(
    x1: torch.Tensor, x2: torch.Tensor, dim: int = 1, eps: float = 1e-8
) -> torch.Tensor:
    """The sum of products, of vectors divided by their norms."""
    assert x1.dtype == x2.dtype, "norms are rounded in the dtype of each operand"
    assert not is_integral(x1.dtype) and not is_complex(x1.dtype), "PyTorch takes floats"
    pair = broadcast_all([x1, x2])
    scaled: List[torch.Tensor] = []
    for each in pair:
        norm = torch.linalg.vector_norm(each, 2, [dim], True)
        scaled.append(torch.div(each, torch.clamp(norm, eps, None)))
    return torch.sum(torch.mul(scaled[0], scaled[1]), [dim])
