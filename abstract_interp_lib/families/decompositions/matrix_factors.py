"""Factors of matrices, computed from those that LAPACK gives."""

from typing import Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.formulas.matrices import (
    columns_up_to,
    full_product,
    lower_factor,
    rows_up_to,
    smaller_size,
    upper_factor,
)


@decomposition("aten::cholesky")
def cholesky(self: torch.Tensor, upper: bool = False) -> torch.Tensor:
    """The factor, which must exist."""
    return torch.ops.aten.linalg_cholesky_ex(self, upper=upper, check_errors=True)[0]


@decomposition("aten::linalg_lu")
def linalg_lu(
    A: torch.Tensor, pivot: bool = True
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The permutation, and both factors."""
    factors, pivots, _ = torch.ops.aten.linalg_lu_factor_ex(A, pivot=pivot, check_errors=False)
    swaps, _, _ = torch.lu_unpack(factors, pivots, False, True)
    return swaps, lower_factor(factors), upper_factor(factors)


@decomposition("aten::lu_unpack")
def lu_unpack(
    LU_data: torch.Tensor,
    LU_pivots: torch.Tensor,
    unpack_data: bool = True,
    unpack_pivots: bool = True,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The permutation by its own, and both factors."""
    assert unpack_data or not unpack_pivots, "only the permutation"
    none = torch.zeros([0], dtype=LU_data.dtype)
    swaps = none
    if unpack_pivots:
        swaps, _, _ = torch.lu_unpack(LU_data, LU_pivots, False, True)
    if unpack_data:
        return swaps, lower_factor(LU_data), upper_factor(LU_data)
    return swaps, none, none


@decomposition("aten::linalg_qr")
def linalg_qr(A: torch.Tensor, mode: str = "reduced") -> Tuple[torch.Tensor, torch.Tensor]:
    """Reflectors, multiplied."""
    reflectors, scales = torch.geqrf(A)
    count = smaller_size(A)
    if mode == "complete":
        return full_product(reflectors, scales), torch.triu(reflectors)
    upper = rows_up_to(torch.triu(reflectors), count)
    if mode == "r":
        return torch.zeros([0], dtype=A.dtype), upper
    return torch.ops.aten.linalg_householder_product(
        columns_up_to(reflectors, count), scales
    ), upper
