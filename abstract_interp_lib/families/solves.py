"""Systems of linear equations: `linalg_solve`, and those of triangular or factored matrices."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.linalg import (
    broadcast_batch,
    check_solvable,
    check_square,
    common_dtype,
    is_vector_side,
    solved,
)
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.sizes import append_size

_DTYPES = (torch.float32, torch.float64, torch.complex64, torch.complex128)
_HALVES = (torch.float16, torch.bfloat16)

# Right-hand sides that are vectors or matrices.


def solve_rule(A: List[int], B: List[int], left: bool) -> List[int]:
    """The unknowns of one system for each matrix, or for each matrix and column.

    A vector on the right-hand side is a lone one or, where the batch dimensions say so, one for
    each matrix.
    """
    if is_vector_side(A, B):
        assert left, f"a vector cannot stand on the left-hand side, got shape {B}"
        out = solved(A, append_size(B, 1), left)[:-1]
    else:
        out = solved(A, B, left)
    return out


def solve_ex_rule(A: List[int], B: List[int], left: bool) -> Tuple[List[int], List[int]]:
    """The unknowns, and whether all went well."""
    return solve_rule(A, B, left), A[:-2]


def solve_in_kernel(
    A: List[int], B: List[int], left: bool
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """The unknowns, the factors of `A`, which rows were exchanged, and whether all went well."""
    return solve_rule(A, B, left), A, A[:-1], A[:-2]


def solve_dtype(A: Tuple[int, int], B: Tuple[int, int]) -> int:
    """Both sides have one dtype, which the unknowns have, too."""
    return common_dtype(A[1], B[1])


def solve_ex_dtype(A: Tuple[int, int], B: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of both sides, and int32."""
    return solve_dtype(A, B), torch.int32


def solve_in_kernel_dtype(A: Tuple[int, int], B: Tuple[int, int]) -> Tuple[int, int, int, int]:
    """The dtype of both sides for unknowns and factors, int32 for what counts."""
    return solve_dtype(A, B), A[1], torch.int32, torch.int32


_SOLVE_OK = [
    Invocation(T(3, 3), T(3)),
    Invocation(T(3, 3), T(3, 4)),
    Invocation(T(2, 3, 3), T(3)),
    Invocation(T(2, 3, 3), T(2, 3)),
    Invocation(T(2, 2, 2), T(2, 2)),
    Invocation(T(2, 3, 3), T(3, 4)),
    Invocation(T(3, 3), T(2, 3, 4)),
    Invocation(T(5, 1, 3, 3), T(4, 3, 2)),
    Invocation(T(3, 3), T(4, 3), left=False),
    Invocation(T(2, 3, 3), T(4, 3), left=False),
    Invocation(T(0, 3, 3), T(0, 3)),
    Invocation(T(0, 0), T(0)),
    Invocation(T(2, 0, 0), T(0, 4)),
    *[Invocation(T(3, 3, dtype=dtype), T(3, 1, dtype=dtype)) for dtype in _DTYPES + _HALVES],
]
_SOLVE_ERROR = [
    Invocation(T(3), T(3)),
    Invocation(T(2, 3), T(3)),
    Invocation(T(3, 3), T()),
    Invocation(T(3, 3), T(4)),
    Invocation(T(3, 3), T(4, 3)),
    Invocation(T(3, 3), T(3, 4), left=False),
    Invocation(T(3, 3), T(3), left=False),
    Invocation(T(2, 3, 3), T(4, 3, 3)),
]
_SOLVE_DTYPE_ERROR = [
    Invocation(T(3, 3), T(3, dtype=torch.float64)),
    *[
        Invocation(T(3, 3, dtype=dtype), T(3, 1, dtype=dtype))
        for dtype in (torch.int64, torch.bool)
    ],
]

shape_family(solve_rule, "aten::linalg_solve", ok=_SOLVE_OK, error=_SOLVE_ERROR)
dtype_family(solve_dtype, "aten::linalg_solve", error=_SOLVE_DTYPE_ERROR)
shape_family(solve_ex_rule, "aten::linalg_solve_ex", ok=_SOLVE_OK, error=_SOLVE_ERROR)
dtype_family(solve_ex_dtype, "aten::linalg_solve_ex", error=_SOLVE_DTYPE_ERROR)
shape_family(solve_in_kernel, "aten::_linalg_solve_ex", ok=_SOLVE_OK, error=_SOLVE_ERROR)
dtype_family(solve_in_kernel_dtype, "aten::_linalg_solve_ex", error=_SOLVE_DTYPE_ERROR)

# Right-hand sides that are matrices, and matrices that are triangular or factored.


def solve_triangular_rule(self: List[int], B: List[int], left: bool) -> List[int]:
    """The unknowns of one system for each triangle and column."""
    return solved(self, B, left)


shape_family(
    solve_triangular_rule,
    "aten::linalg_solve_triangular",
    ok=[
        Invocation(T(3, 3), T(3, 4), upper=True),
        Invocation(T(2, 3, 3), T(3, 4), upper=False),
        Invocation(T(5, 1, 3, 3), T(4, 2, 3), upper=True, left=False),
        Invocation(T(0, 3, 3), T(3, 4), upper=True, unitriangular=True),
        Invocation(T(0, 0), T(0, 4), upper=True),
        *[Invocation(T(3, 3, dtype=d), T(3, 1, dtype=d), upper=True) for d in _DTYPES],
    ],
    error=[
        Invocation(T(3), T(3, 4), upper=True),
        Invocation(T(2, 3), T(3, 4), upper=True),
        Invocation(T(3, 3), T(3), upper=True),
        Invocation(T(3, 3), T(4, 3), upper=True),
        Invocation(T(3, 3), T(3, 4), upper=True, left=False),
        Invocation(T(2, 3, 3), T(5, 3, 4), upper=True),
    ],
)
# The kernels do not compare the dtypes.
dtype_family(dtype_of_self, "aten::linalg_solve_triangular")


def triangular_solve_rule(self: List[int], A: List[int]) -> Tuple[List[int], List[int]]:
    """The unknowns, and the triangles; the batch dimensions of both broadcast."""
    check_solvable(A, self, True)
    return broadcast_batch(self, A), broadcast_batch(A, self)


def triangular_solve_dtype(self: Tuple[int, int], A: Tuple[int, int]) -> Tuple[int, int]:
    """Both sides have one dtype, which both results have, too."""
    assert self[1] == A[1], f"dtypes must match, got {self[1]} and {A[1]}"
    return self[1], A[1]


def cholesky_solve_dtype(self: Tuple[int, int], input2: Tuple[int, int]) -> int:
    """Both sides have one dtype, which the unknowns have, too."""
    assert self[1] == input2[1], f"dtypes must match, got {self[1]} and {input2[1]}"
    return self[1]


def cholesky_solve_rule(self: List[int], input2: List[int]) -> List[int]:
    """The unknowns of one system for each factored matrix and column."""
    return solved(input2, self, True)


def cholesky_solve_in_kernel(self: List[int], A: List[int]) -> List[int]:
    """The shape of the right-hand sides, whose batch dimensions are those of `A`."""
    return self


_SIDES_OK = [
    Invocation(T(3, 4), T(3, 3)),
    Invocation(T(3, 4), T(2, 3, 3)),
    Invocation(T(4, 3, 2), T(5, 1, 3, 3)),
    Invocation(T(0, 3, 4), T(3, 3)),
    Invocation(T(3, 0), T(3, 3)),
    *[Invocation(T(3, 1, dtype=dtype), T(3, 3, dtype=dtype)) for dtype in _DTYPES],
]
_SIDES_ERROR = [
    Invocation(T(3), T(3, 3)),
    Invocation(T(3, 4), T(3)),
    Invocation(T(3, 4), T(3, 2)),
    Invocation(T(4, 3), T(3, 3)),
    Invocation(T(2, 3, 4), T(5, 3, 3)),
]

shape_family(triangular_solve_rule, "aten::triangular_solve", ok=_SIDES_OK, error=_SIDES_ERROR)
_SIDES_DTYPE_ERROR = [Invocation(T(3, 4), T(3, 3, dtype=torch.float64))]
dtype_family(triangular_solve_dtype, "aten::triangular_solve", error=_SIDES_DTYPE_ERROR)
shape_family(cholesky_solve_rule, "aten::cholesky_solve", ok=_SIDES_OK, error=_SIDES_ERROR)
dtype_family(cholesky_solve_dtype, "aten::cholesky_solve", error=_SIDES_DTYPE_ERROR)
shape_family(
    cholesky_solve_in_kernel,
    "aten::_cholesky_solve_helper",
    ok=[
        Invocation(T(3, 4), T(3, 3), False),
        Invocation(T(2, 3, 4), T(2, 3, 3), True),
        *[Invocation(T(3, 1, dtype=dtype), T(3, 3, dtype=dtype), False) for dtype in _DTYPES],
    ],
)
dtype_family(dtype_of_self, "aten::_cholesky_solve_helper")


def check_pivots(LU: List[int], pivots: List[int]) -> None:
    """Raise unless there is a row of pivots for each factored matrix."""
    check_square(LU)
    check_same(pivots, LU[:-1], "pivots")


def lu_solve_factored(LU: List[int], pivots: List[int], B: List[int], left: bool) -> List[int]:
    """The unknowns of one system for each factored matrix and column."""
    check_pivots(LU, pivots)
    return solved(LU, B, left)


def lu_solve_rule(self: List[int], LU_data: List[int], LU_pivots: List[int]) -> List[int]:
    """As `linalg_lu_solve`."""
    return lu_solve_factored(LU_data, LU_pivots, self, True)


def lu_solve_factored_dtype(
    LU: Tuple[int, int], pivots: Tuple[int, int], B: Tuple[int, int]
) -> int:
    """Both sides have one dtype, which the unknowns have, too."""
    assert pivots[1] == torch.int32, f"pivots must be int32, got dtype {pivots[1]}"
    return common_dtype(LU[1], B[1])


def lu_solve_dtype(
    self: Tuple[int, int], LU_data: Tuple[int, int], LU_pivots: Tuple[int, int]
) -> int:
    """As `linalg_lu_solve`."""
    return lu_solve_factored_dtype(LU_data, LU_pivots, self)


def _pivots(*sizes: int) -> TensorCase:
    """Which rows were exchanged, for a case."""
    return T(*sizes, dtype=torch.int32)


shape_family(
    lu_solve_factored,
    "aten::linalg_lu_solve",
    ok=[
        Invocation(T(3, 3), _pivots(3), T(3, 4)),
        Invocation(T(2, 3, 3), _pivots(2, 3), T(3, 4)),
        Invocation(T(3, 3), _pivots(3), T(2, 4, 3), left=False),
        Invocation(T(5, 1, 3, 3), _pivots(5, 1, 3), T(4, 3, 2), adjoint=True),
        Invocation(T(0, 3, 3), _pivots(0, 3), T(3, 4)),
        *[Invocation(T(3, 3, dtype=d), _pivots(3), T(3, 1, dtype=d)) for d in _DTYPES],
    ],
    error=[
        Invocation(T(3), _pivots(), T(3, 4)),
        Invocation(T(2, 3), _pivots(2), T(3, 4)),
        Invocation(T(3, 3), _pivots(2), T(3, 4)),
        Invocation(T(2, 3, 3), _pivots(3), T(3, 4)),
        Invocation(T(3, 3), _pivots(3), T(4, 3)),
        Invocation(T(3, 3), _pivots(3), T(3)),
    ],
)
dtype_family(
    lu_solve_factored_dtype,
    "aten::linalg_lu_solve",
    error=[
        Invocation(T(3, 3), T(3, dtype=torch.int64), T(3, 4)),
        Invocation(T(3, 3), _pivots(3), T(3, 4, dtype=torch.float64)),
    ],
)
shape_family(
    lu_solve_rule,
    "aten::lu_solve",
    ok=[
        Invocation(T(3, 4), T(3, 3), _pivots(3)),
        Invocation(T(3, 4), T(2, 3, 3), _pivots(2, 3)),
        Invocation(T(0, 3, 4), T(3, 3), _pivots(3)),
        *[Invocation(T(3, 1, dtype=d), T(3, 3, dtype=d), _pivots(3)) for d in _DTYPES],
    ],
    error=[
        Invocation(T(4, 3), T(3, 3), _pivots(3)),
        Invocation(T(3, 4), T(3, 3), _pivots(2)),
    ],
)
dtype_family(
    lu_solve_dtype,
    "aten::lu_solve",
    error=[Invocation(T(3, 4), T(3, 3), T(3, dtype=torch.int64))],
)


def ldl_solve_rule(LD: List[int], pivots: List[int], B: List[int]) -> List[int]:
    """The unknowns of one system for each factored matrix and column."""
    return lu_solve_factored(LD, pivots, B, True)


def ldl_solve_dtype(LD: Tuple[int, int], B: Tuple[int, int]) -> int:
    """Both sides have one dtype, which the unknowns have, too."""
    return common_dtype(LD[1], B[1])


shape_family(
    ldl_solve_rule,
    "aten::linalg_ldl_solve",
    ok=[
        Invocation(T(3, 3), _pivots(3), T(3, 4)),
        Invocation(T(2, 3, 3), _pivots(2, 3), T(3, 4)),
        Invocation(T(5, 1, 3, 3), _pivots(5, 1, 3), T(4, 3, 2), hermitian=True),
        Invocation(T(0, 3, 3), _pivots(0, 3), T(3, 4)),
        *[Invocation(T(3, 3, dtype=d), _pivots(3), T(3, 1, dtype=d)) for d in _DTYPES],
    ],
    error=[
        Invocation(T(2, 3), _pivots(2), T(3, 4)),
        Invocation(T(3, 3), _pivots(2), T(3, 4)),
        Invocation(T(3, 3), _pivots(3), T(4, 3)),
        Invocation(T(3, 3), _pivots(3), T(3)),
    ],
)
dtype_family(
    ldl_solve_dtype,
    "aten::linalg_ldl_solve",
    error=[Invocation(T(3, 3), _pivots(3), T(3, 4, dtype=torch.float64))],
)
