"""Linear systems whose matrices are given by their factors."""

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.formulas.matrices import (
    adjoint_of,
    batch_of,
    solved_triangular,
)


@decomposition(
    "aten::_cholesky_solve_helper",
    ok=[
        Invocation(T(2, 0, 3, 2), T(2, 0, 3, 3), False),
        Invocation(T(4, 2, dtype=torch.complex128), T(4, 4, dtype=torch.complex128), True),
    ],
)
def _cholesky_solve_helper(self: torch.Tensor, A: torch.Tensor, upper: bool) -> torch.Tensor:
    """The solution for L L' or U' U, which takes two triangular systems.

    The other triangle of the factor is not read, as in LAPACK's `potrs`.
    """
    assert self.dtype == A.dtype, "operands of one dtype"
    assert batch_of(self) == batch_of(A), "PyTorch's kernel reads as many factors as systems"
    assert A.size(-1) == A.size(-2) and self.size(-2) == A.size(-1), "one equation per row"
    if upper:
        return solved_triangular(
            A, solved_triangular(adjoint_of(A), self, False, False), True, False
        )
    return solved_triangular(adjoint_of(A), solved_triangular(A, self, False, False), True, False)
