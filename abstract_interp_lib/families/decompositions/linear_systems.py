"""Linear systems and determinants, computed with factors of matrices."""

from typing import Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import (
    real_dtype,
)
from torch_refine.abstract_interp_lib.rules.formulas.matrices import (
    adjoint_of,
    batch_of,
    factors_for_products,
    identities,
    in_batch,
    least_size,
    solved,
    solved_triangular,
    swap_sign,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_complex

_SOLVES = [
    Invocation(T(3, 3), T(3, 2)),
    Invocation(T(2, 3, 3), T(3, 2)),
    Invocation(T(3, 3), T(4, 3, 1)),
    Invocation(T(3, 3, dtype=torch.complex64), T(3, 2, dtype=torch.complex64)),
]


@decomposition("aten::_linalg_solve_ex", ok=_SOLVES)
def _linalg_solve_ex(
    A: torch.Tensor, B: torch.Tensor, left: bool = True, check_errors: bool = False
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """The solution, and the factors it was found with."""
    assert not check_errors, "errors are checked by another operator"
    is_vector = B.dim() == 1
    if A.dim() - 1 == B.dim():
        is_vector = A.size()[:-1] == B.size()
    factors, pivots, info = torch.ops.aten.linalg_lu_factor_ex(A, pivot=True, check_errors=False)
    right = torch.unsqueeze(B, -1) if is_vector else B
    found = solved(factors, pivots, right, left, False)
    return torch.squeeze(found, -1) if is_vector else found, factors, pivots, info


@decomposition("aten::linalg_inv_ex")
def linalg_inv_ex(A: torch.Tensor, check_errors: bool = False) -> Tuple[torch.Tensor, torch.Tensor]:
    """The solution for the identity."""
    assert not check_errors, "errors are checked by another operator"
    factors, pivots, info = torch.ops.aten.linalg_lu_factor_ex(A, pivot=True, check_errors=False)
    right = identities(A, A.size(-1))
    return solved(factors, pivots, right, True, False), info


@decomposition("aten::linalg_lu_solve")
def linalg_lu_solve(
    LU: torch.Tensor,
    pivots: torch.Tensor,
    B: torch.Tensor,
    left: bool = True,
    adjoint: bool = False,
) -> torch.Tensor:
    """Operands in one batch, with the unknown factor on the right."""
    return solved(LU, pivots, B, left, adjoint)


@decomposition("aten::linalg_solve_triangular")
def linalg_solve_triangular(
    self: torch.Tensor,
    B: torch.Tensor,
    upper: bool,
    left: bool = True,
    unitriangular: bool = False,
) -> torch.Tensor:
    """Operands in one batch."""
    batch = broadcast_two(batch_of(self), batch_of(B))
    return torch.ops.aten.linalg_solve_triangular(
        in_batch(self, batch),
        in_batch(B, batch),
        upper=upper,
        left=left,
        unitriangular=unitriangular,
    )


@decomposition("aten::triangular_solve")
def triangular_solve(
    self: torch.Tensor,
    A: torch.Tensor,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The solution, and the matrices in its batch; the transposed ones are not conjugated."""
    matrices = torch.transpose(A, -2, -1) if transpose else A
    found = solved_triangular(matrices, self, upper != transpose, unitriangular)
    return found, torch.clone(in_batch(A, batch_of(found)))


@decomposition("aten::cholesky_solve")
def cholesky_solve(self: torch.Tensor, input2: torch.Tensor, upper: bool = False) -> torch.Tensor:
    """Two triangular systems."""
    other = adjoint_of(input2)
    first, second = (other, input2) if upper else (input2, other)
    found = solved_triangular(first, self, False, False)
    return solved_triangular(second, found, True, False)


@decomposition(
    "aten::linalg_ldl_solve",
    ok=[Invocation(T(3, 3), T(3, dtype=torch.int32, values=[1, 2, 3]), T(3, 2), device="cpu")],
)
def linalg_ldl_solve(
    LD: torch.Tensor, pivots: torch.Tensor, B: torch.Tensor, hermitian: bool = False
) -> torch.Tensor:
    """Operands in one batch."""
    batch = broadcast_two(batch_of(LD), batch_of(B))
    if len(batch) > 0:
        pivots = pivots.expand(batch + pivots.size()[-1:])
    return torch.ops.aten.linalg_ldl_solve(
        in_batch(LD, batch), pivots, in_batch(B, batch), hermitian=hermitian
    )


@decomposition("aten::_linalg_det")
def _linalg_det(A: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The product of the diagonal of U, with the sign of the swaps."""
    factors, pivots, _ = factors_for_products(A)
    diagonal = torch.diagonal(factors, 0, -2, -1)
    return torch.mul(swap_sign(factors, pivots), torch.prod(diagonal, -1)), factors, pivots


@decomposition("aten::_linalg_slogdet")
def _linalg_slogdet(
    A: torch.Tensor,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """The sign of the determinant, and the logarithm of its size."""
    factors, pivots, _ = factors_for_products(A)
    diagonal = torch.diagonal(factors, 0, -2, -1)
    signs = torch.prod(torch.sgn(diagonal), -1)
    logarithm = torch.sum(torch.log(torch.abs(diagonal)), [-1])
    return torch.mul(swap_sign(factors, pivots), signs), logarithm, factors, pivots


@decomposition("aten::linalg_pinv.atol_rtol_tensor")
def linalg_pinv(
    self: torch.Tensor,
    atol: Optional[torch.Tensor] = None,
    rtol: Optional[torch.Tensor] = None,
    hermitian: bool = False,
) -> torch.Tensor:
    """The product of singular vectors with the inverses of singular values that are not small."""
    dtype = real_dtype(self.dtype) if is_complex(self.dtype) else self.dtype
    if hermitian:
        values, left = torch.ops.aten._linalg_eigh(self, "L", True)
        right = adjoint_of(left)
    else:
        left, values, right = torch.ops.aten._linalg_svd(self, False, True, driver=None)
    sizes = torch.abs(values) if hermitian else values
    least = least_size(self, sizes, atol, rtol)
    inverses = torch.where(torch.gt(sizes, least), torch.reciprocal(values), 0.0)
    scaled = torch.mul(left, torch.unsqueeze(in_dtype(inverses, dtype), -2))
    if hermitian:
        return torch.matmul(scaled, right)
    return torch.matmul(adjoint_of(right), adjoint_of(scaled))
