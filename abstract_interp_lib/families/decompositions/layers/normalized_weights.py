"""Normalization by norms: of rows by their mean square, and of weights by each norm but one's."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    as_row,
    computation_dtype,
    in_dtype,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral


@decomposition("aten::_fused_rms_norm")
def _fused_rms_norm(
    input: torch.Tensor,
    normalized_shape: List[int],
    weight: Optional[torch.Tensor],
    eps: Optional[float],
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The reciprocal root of the mean square, by default with the epsilon of the dtype."""
    assert not is_integral(input.dtype) and not is_complex(input.dtype), "of real floats"
    rank = input.dim() if len(normalized_shape) == 0 else len(normalized_shape)
    dtype = computation_dtype(input.dtype)
    dims: List[int] = []
    count = 1
    for index in range(min(rank, input.dim())):
        dims.append(input.dim() - 1 - index)
        count *= input.size(input.dim() - 1 - index)
    wide = in_dtype(input, dtype)
    total = torch.mul(wide, wide)
    if len(dims) > 0:
        total = torch.div(torch.sum(total, dims, True), count)
    more = 2.220446049250313e-16 if dtype == torch.float64 else 1.1920928955078125e-07
    scale = torch.rsqrt(torch.add(total, more if eps is None else eps))
    found = in_dtype(torch.mul(wide, scale), input.dtype)
    if weight is not None:
        found = in_dtype(torch.mul(found, weight), input.dtype)
    return found, scale


def sums_but_one(self: torch.Tensor, dim: int) -> torch.Tensor:
    """The sums over all dimensions but one, which remain with size 1."""
    dims: List[int] = []
    for place in range(self.dim()):
        if place != dim:
            dims.append(place)
    return torch.sum(self, dims, True) if len(dims) > 0 else self


@decomposition(
    "aten::norm_except_dim",
    ok=[Invocation(T(2, 3, 4), 2, 1), Invocation(T(2, 3, 4), 1, -2), Invocation(T(4), 0, 0)],
)
def norm_except_dim(v: torch.Tensor, pow: int = 2, dim: int = 0) -> torch.Tensor:
    """A norm for each index of a dimension; for -1, of all elements."""
    assert not is_complex(v.dtype), "the norms of complex numbers are real"
    dims: List[int] = []
    for place in range(v.dim()):
        if dim == -1 or (place != dim and place - v.dim() != dim):
            dims.append(place)
    if len(dims) == 0:
        flat = as_row(v)
        found = torch.ops.aten.linalg_vector_norm(torch.unsqueeze(flat, 1), pow, [1], False)
        return torch.reshape(found, v.size())
    return torch.ops.aten.linalg_vector_norm(v, pow, dims, dim != -1)


@decomposition("aten::_weight_norm_interface")
def _weight_norm_interface(
    v: torch.Tensor, g: torch.Tensor, dim: int = 0
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Weights of the norms `g`, and the norms that they had."""
    dtype = computation_dtype(v.dtype)
    wide = in_dtype(v, dtype)
    norms = torch.sqrt(sums_but_one(torch.mul(wide, wide), dim))
    found = torch.mul(wide, torch.div(in_dtype(g, dtype), norms))
    return in_dtype(found, v.dtype), torch.reshape(norms, g.size())


@decomposition("aten::_weight_norm_differentiable_backward")
def _weight_norm_differentiable_backward(
    grad_w: torch.Tensor,
    saved_v: torch.Tensor,
    saved_g: torch.Tensor,
    saved_norms: torch.Tensor,
    dim: int,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Of the direction, without what changes its norm, and of the norm."""
    norms = in_dtype(saved_norms, saved_g.dtype)
    sums = sums_but_one(torch.mul(grad_w, saved_v), dim)
    along = torch.mul(saved_v, torch.div(sums, torch.mul(norms, norms)))
    found = torch.mul(torch.div(saved_g, norms), torch.sub(grad_w, along))
    return found, torch.div(sums, norms)
