"""Parts of matrices, and linear systems by their factors."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype, swapped
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import (
    complex_of,
    imag_of,
    real_of,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_complex


def conjugated(self: torch.Tensor) -> torch.Tensor:
    """The complex conjugate."""
    if not is_complex(self.dtype):
        return self
    return complex_of(real_of(self), torch.neg(imag_of(self)))


def adjoint_of(self: torch.Tensor) -> torch.Tensor:
    """The conjugate transposes of matrices."""
    return conjugated(swapped(self))


def batch_of(self: torch.Tensor) -> List[int]:
    """The sizes before those of matrices."""
    return self.size()[:-2]


def in_batch(self: torch.Tensor, batch: List[int]) -> torch.Tensor:
    """Matrices, repeated in a batch."""
    shape = batch + self.size()[-2:]
    return self if len(shape) == 2 else self.expand(shape)


def identities(like: torch.Tensor, size: int) -> torch.Tensor:
    """Identity matrices in the batch and dtype of others."""
    rows = torch.arange(size)
    ones = torch.eq(torch.unsqueeze(rows, 1), rows)
    return in_batch(in_dtype(ones, like.dtype), batch_of(like))


def columns_up_to(self: torch.Tensor, count: int) -> torch.Tensor:
    """The first columns of matrices."""
    return torch.ops.aten.slice(self, -1, 0, count, 1)


def rows_up_to(self: torch.Tensor, count: int) -> torch.Tensor:
    """The first rows of matrices."""
    return torch.ops.aten.slice(self, -2, 0, count, 1)


def smaller_size(self: torch.Tensor) -> int:
    """The smaller of the numbers of rows and columns."""
    return min(self.size(-2), self.size(-1))


def lower_factor(factors: torch.Tensor) -> torch.Tensor:
    """The lower factor of LU factors, which has ones on its diagonal."""
    count = smaller_size(factors)
    below = columns_up_to(torch.tril(factors, -1), count)
    rows = torch.arange(factors.size(-2))
    columns = torch.arange(count)
    ones = torch.eq(torch.unsqueeze(rows, 1), columns)
    return torch.add(below, in_dtype(ones, factors.dtype))


def upper_factor(factors: torch.Tensor) -> torch.Tensor:
    """The upper factor of LU factors."""
    return rows_up_to(torch.triu(factors), smaller_size(factors))


def factors_for_products(
    matrices: torch.Tensor,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """LU factors, pivots and infos: of the transposed matrices if they are real, as PyTorch has
    them."""
    return torch.ops.aten.linalg_lu_factor_ex(
        matrices if is_complex(matrices.dtype) else swapped(matrices),
        pivot=True,
        check_errors=False,
    )


def solved(
    factors: torch.Tensor,
    pivots: torch.Tensor,
    right: torch.Tensor,
    left: bool,
    adjoint: bool,
) -> torch.Tensor:
    """The solution of a linear system with LU factors, for one batch of all operands."""
    batch = broadcast_two(batch_of(factors), batch_of(right))
    factors = in_batch(factors, batch)
    if len(batch) > 0:
        pivots = pivots.expand(batch + pivots.size()[-1:])
    right = in_batch(right, batch)
    if left:
        return torch.ops.aten.linalg_lu_solve(factors, pivots, right, left=True, adjoint=adjoint)
    # X A = B is A' X' = B'.
    turned = adjoint_of(right)
    found = torch.ops.aten.linalg_lu_solve(factors, pivots, turned, left=True, adjoint=not adjoint)
    return adjoint_of(found)


def solved_triangular(
    matrices: torch.Tensor, right: torch.Tensor, upper: bool, unitriangular: bool
) -> torch.Tensor:
    """The solution of triangular systems, for one batch of both operands."""
    batch = broadcast_two(batch_of(matrices), batch_of(right))
    return torch.ops.aten.linalg_solve_triangular(
        in_batch(matrices, batch),
        in_batch(right, batch),
        upper=upper,
        left=True,
        unitriangular=unitriangular,
    )


def swap_sign(factors: torch.Tensor, pivots: torch.Tensor) -> torch.Tensor:
    """The determinant of the permutations of LU factors: each swap of two rows changes the sign."""
    places = torch.arange(1, factors.size(-1) + 1)
    swaps = in_dtype(torch.ne(in_dtype(pivots, torch.int64), places), torch.int64)
    is_odd = torch.remainder(torch.sum(swaps, [-1]), 2)
    return in_dtype(torch.sub(1, torch.mul(is_odd, 2)), factors.dtype)


def least_size(
    matrices: torch.Tensor,
    sizes: torch.Tensor,
    atol: Optional[torch.Tensor],
    rtol: Optional[torch.Tensor],
) -> torch.Tensor:
    """The bound of singular values, or of sizes of eigenvalues, up to which they count as zero.

    It is the larger of an absolute one and of one relative to the largest. By default, the latter
    is the accuracy of the dtype times the larger size of the matrices, unless the absolute one is
    positive.
    """
    # With a zero, as there may be no sizes at all.
    one = sizes.size()[:-1]
    one.append(1)
    zero = torch.zeros(one, dtype=sizes.dtype)
    largest = torch.amax(torch.cat([zero, sizes], -1), [-1], True)
    if rtol is not None:
        least = torch.mul(torch.unsqueeze(rtol, -1), largest)
    else:
        accuracy = 2.220446049250313e-16 if sizes.dtype == torch.float64 else 1.1920928955078125e-07
        least = torch.mul(largest, accuracy * max(matrices.size(-2), matrices.size(-1)))
        if atol is not None:
            least = torch.where(torch.gt(torch.unsqueeze(atol, -1), 0), 0.0, least)
    if atol is not None:
        least = torch.maximum(torch.unsqueeze(atol, -1), least)
    return in_dtype(least, sizes.dtype)


def full_product(reflectors: torch.Tensor, scales: torch.Tensor) -> torch.Tensor:
    """The square orthogonal matrices of reflectors."""
    rows = reflectors.size(-2)
    sizes = batch_of(reflectors)
    sizes.append(rows)
    sizes.append(max(rows - reflectors.size(-1), 0))
    square = torch.cat([reflectors, torch.zeros(sizes, dtype=reflectors.dtype)], -1)
    return torch.ops.aten.linalg_householder_product(columns_up_to(square, rows), scales)
