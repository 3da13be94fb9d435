"""Inverses, solutions and factors that must exist, and determinants."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import asserted
from torch_refine.abstract_interp_lib.rules.promotion import is_complex


def where_found(self: torch.Tensor, info: torch.Tensor) -> torch.Tensor:
    """A result, if LAPACK reports none of the errors that it reports in `info`."""
    return asserted(self, torch.eq(info, 0), "the matrix is singular, or not positive definite")


@decomposition("aten::linalg_det")
def linalg_det(A: torch.Tensor) -> torch.Tensor:
    """The first result of the operator that keeps the factors."""
    return torch.ops.aten._linalg_det(A)[0]


@decomposition("aten::det")
def det(self: torch.Tensor) -> torch.Tensor:
    """Another name of `linalg_det`."""
    return torch.ops.aten._linalg_det(self)[0]


@decomposition("aten::linalg_slogdet")
def linalg_slogdet(A: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """The first results of the operator that keeps the factors."""
    found = torch.ops.aten._linalg_slogdet(A)
    return found[0], found[1]


@decomposition("aten::slogdet")
def slogdet(self: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """Another name of `linalg_slogdet`."""
    found = torch.ops.aten._linalg_slogdet(self)
    return found[0], found[1]


@decomposition("aten::logdet")
def logdet(self: torch.Tensor) -> torch.Tensor:
    """The logarithm of the determinant's size, unless it is negative."""
    assert not is_complex(self.dtype), "the logarithm of a complex sign is added"
    found = torch.ops.aten._linalg_slogdet(self)
    return torch.where(torch.eq(found[0], -1), float("nan"), found[1])


@decomposition("aten::linalg_cholesky")
def linalg_cholesky(self: torch.Tensor, upper: bool = False) -> torch.Tensor:
    """The factor, which must exist."""
    found, info = torch.ops.aten.linalg_cholesky_ex(self, upper=upper, check_errors=False)
    return where_found(found, info)


@decomposition("aten::linalg_inv")
def linalg_inv(A: torch.Tensor) -> torch.Tensor:
    """The inverse, which must exist."""
    found, info = torch.ops.aten.linalg_inv_ex(A, check_errors=False)
    return where_found(found, info)


@decomposition("aten::inverse")
def inverse(self: torch.Tensor) -> torch.Tensor:
    """Another name of `linalg_inv`."""
    return torch.ops.aten.linalg_inv(self)


@decomposition("aten::linalg_lu_factor")
def linalg_lu_factor(A: torch.Tensor, pivot: bool = True) -> Tuple[torch.Tensor, torch.Tensor]:
    """The factors of a matrix that must not be singular."""
    factors, pivots, info = torch.ops.aten.linalg_lu_factor_ex(A, pivot=pivot, check_errors=False)
    return where_found(factors, info), pivots


@decomposition("aten::linalg_ldl_factor")
def linalg_ldl_factor(
    self: torch.Tensor, hermitian: bool = False
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The factors of a matrix that must not be singular."""
    factors, pivots, info = torch.ops.aten.linalg_ldl_factor_ex(
        self, hermitian=hermitian, check_errors=False
    )
    return where_found(factors, info), pivots


@decomposition("aten::_lu_with_info")
def _lu_with_info(
    self: torch.Tensor, pivot: bool = True, check_errors: bool = True
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The factors, checked if asked for."""
    factors, pivots, info = torch.ops.aten.linalg_lu_factor_ex(
        self, pivot=pivot, check_errors=False
    )
    return where_found(factors, info) if check_errors else factors, pivots, info


@decomposition("aten::linalg_solve_ex")
def linalg_solve_ex(
    A: torch.Tensor, B: torch.Tensor, left: bool = True, check_errors: bool = False
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The solution, checked if asked for."""
    found, _, _, info = torch.ops.aten._linalg_solve_ex(A, B, left=left, check_errors=False)
    return where_found(found, info) if check_errors else found, info


@decomposition("aten::linalg_solve")
def linalg_solve(A: torch.Tensor, B: torch.Tensor, left: bool = True) -> torch.Tensor:
    """The solution, for matrices that must not be singular."""
    found, _, _, info = torch.ops.aten._linalg_solve_ex(A, B, left=left, check_errors=False)
    return where_found(found, info)


@decomposition("aten::lu_solve")
def lu_solve(self: torch.Tensor, LU_data: torch.Tensor, LU_pivots: torch.Tensor) -> torch.Tensor:
    """Another order of the operands."""
    return torch.ops.aten.linalg_lu_solve(LU_data, LU_pivots, self, left=True, adjoint=False)


@decomposition("aten::orgqr")
def orgqr(self: torch.Tensor, input2: torch.Tensor) -> torch.Tensor:
    """Another name of the product of reflectors."""
    return torch.ops.aten.linalg_householder_product(self, input2)


@decomposition("aten::linalg_tensorinv")
def linalg_tensorinv(self: torch.Tensor, ind: int = 2) -> torch.Tensor:
    """The inverse of the matrix of the first dimensions and the others."""
    rows = 1
    for size in self.size()[:ind]:
        rows *= size
    found = torch.ops.aten.linalg_inv(torch.reshape(self, [rows, rows]))
    return torch.reshape(found, self.size()[ind:] + self.size()[:ind])


@decomposition("aten::linalg_tensorsolve")
def linalg_tensorsolve(
    self: torch.Tensor, other: torch.Tensor, dims: Optional[List[int]] = None
) -> torch.Tensor:
    """The solution of the matrix of the dimensions of `other` and the others."""
    order: List[int] = []
    last: List[int] = []
    if dims is not None:
        for dim in dims:
            last.append(dim + self.dim() if dim < 0 else dim)
    for dim in range(self.dim()):
        if dim not in last:
            order.append(dim)
    moved = torch.permute(self, order + last)
    count = other.numel()
    found = torch.ops.aten.linalg_solve(
        torch.reshape(moved, [count, count]), torch.reshape(other, [count])
    )
    return torch.reshape(found, moved.size()[other.dim() :])
