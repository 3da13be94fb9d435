"""Linear systems, least squares, inverses and pseudoinverses."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.families.shapes_and_indexing.permutations import (
    movedim_rule,
    transpose_rule,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three
from torch_refine.abstract_interp_lib.rules.device import runs_on_cpu
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.linalg import (
    broadcast_batch,
    check_matrices,
    check_solvable,
    check_square,
    common_dtype,
    is_vector_side,
    lapack_dtype,
    precise_dtype,
    precise_of_matrix,
    precise_of_self,
    solved,
    square,
    values_per_matrix,
    with_rows,
)
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.promotion import real_dtype
from torch_refine.abstract_interp_lib.rules.sizes import append_size, product, remove_size
from torch_refine.abstract_interp_lib.rules.unknown import unknown_sizes

_DTYPES = (torch.float32, torch.float64, torch.complex64, torch.complex128)
_HALVES = (torch.float16, torch.bfloat16)

# Right-hand sides that are vectors or matrices.


def solve_rule(A: List[int], B: List[int], left: bool) -> List[int]:
    """The solution has the shape of the right-hand side, its batch dimensions broadcast.

    The right-hand side is a batch of vectors if it is 1-D or its shape is the batch shape of `A`
    plus one dimension.
    """
    if is_vector_side(A, B):
        assert left, f"B must not be a vector if left is False, got shape {B}"
        out = solved(A, append_size(B, 1), left)[:-1]
    else:
        out = solved(A, B, left)
    return out


def solve_ex_rule(A: List[int], B: List[int], left: bool) -> Tuple[List[int], List[int]]:
    """The solution and `info`."""
    return solve_rule(A, B, left), A[:-2]


def solve_in_kernel(
    A: List[int], B: List[int], left: bool
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """The solution, LU, the pivots and `info`."""
    return solve_rule(A, B, left), A, A[:-1], A[:-2]


def solve_dtype(A: Tuple[int, int], B: Tuple[int, int]) -> int:
    """`A` and `B` have the same dtype, which the result keeps."""
    return common_dtype(A[1], B[1])


def solve_ex_dtype(A: Tuple[int, int], B: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of both operands, and int32 for `info`."""
    return solve_dtype(A, B), torch.int32


def solve_in_kernel_dtype(A: Tuple[int, int], B: Tuple[int, int]) -> Tuple[int, int, int, int]:
    """The dtype of both operands for the solution and LU, int32 for pivots and `info`."""
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

# Right-hand sides that are matrices; triangular or factored coefficient matrices.


def solve_triangular_rule(self: List[int], B: List[int], left: bool) -> List[int]:
    """The solution has the shape of `B`, its batch dimensions broadcast with those of `A`."""
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
    """The solution, and a copy of the triangular matrix; the batch dimensions of both broadcast."""
    check_solvable(A, self, True)
    return broadcast_batch(self, A), broadcast_batch(A, self)


def triangular_solve_dtype(self: Tuple[int, int], A: Tuple[int, int]) -> Tuple[int, int]:
    """Both operands have the same dtype, which both results keep."""
    assert self[1] == A[1], f"dtypes must match, got {self[1]} and {A[1]}"
    return self[1], A[1]


def cholesky_solve_dtype(self: Tuple[int, int], input2: Tuple[int, int]) -> int:
    """Both operands have the same dtype, which the result keeps."""
    assert self[1] == input2[1], f"dtypes must match, got {self[1]} and {input2[1]}"
    return self[1]


def cholesky_solve_rule(self: List[int], input2: List[int]) -> List[int]:
    """The solution has the shape of `self`; its batch dimensions broadcast with `input2`."""
    return solved(input2, self, True)


def cholesky_solve_in_kernel(self: List[int], A: List[int]) -> List[int]:
    """The shape of the right-hand side, whose batch dimensions are those of `A`."""
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

shape_family(
    triangular_solve_rule,
    "aten::triangular_solve",
    ok=[
        *_SIDES_OK,
        *[
            Invocation(T(3, 1, dtype=dtype), T(3, 3, dtype=dtype), upper, transpose)
            for dtype in (torch.float32, torch.complex64)
            for upper in (True, False)
            for transpose in (True, False)
        ],
    ],
    error=_SIDES_ERROR,
)
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
    """Raise unless there is one row of pivots per factored matrix."""
    check_square(LU)
    check_same(pivots, LU[:-1], "pivots")


def lu_solve_factored(LU: List[int], pivots: List[int], B: List[int], left: bool) -> List[int]:
    """The solution has the shape of `B`, its batch dimensions broadcast with those of `LU`."""
    check_pivots(LU, pivots)
    return solved(LU, B, left)


def lu_solve_rule(self: List[int], LU_data: List[int], LU_pivots: List[int]) -> List[int]:
    """As `linalg_lu_solve`."""
    return lu_solve_factored(LU_data, LU_pivots, self, True)


def lu_solve_factored_dtype(
    LU: Tuple[int, int], pivots: Tuple[int, int], B: Tuple[int, int]
) -> int:
    """Both operands have the same dtype, which the result keeps."""
    assert pivots[1] == torch.int32, f"pivots must be int32, got dtype {pivots[1]}"
    return common_dtype(LU[1], B[1])


def lu_solve_dtype(
    self: Tuple[int, int], LU_data: Tuple[int, int], LU_pivots: Tuple[int, int]
) -> int:
    """As `linalg_lu_solve`."""
    return lu_solve_factored_dtype(LU_data, LU_pivots, self)


def _pivots(*sizes: int) -> TensorCase:
    """Pivots, for a case."""
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
    """The solution has the shape of `B`, its batch dimensions broadcast with those of `LD`."""
    return lu_solve_factored(LD, pivots, B, True)


def ldl_solve_dtype(LD: Tuple[int, int], B: Tuple[int, int]) -> int:
    """Both operands have the same dtype, which the result keeps."""
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


# Least squares.

_LEAST_SQUARES_DTYPES = (torch.float64, torch.complex64, torch.complex128)


# Cases are matrices of ones. The driver 'gels' requires full rank, as a single row or column has.
_FULL_RANK = [
    (T(4, 1), T(4, 2)),
    (T(4, 1), T(4)),
    (T(1, 4), T(1, 2)),
    (T(5, 4, 1), T(5, 4)),
    (T(2, 1, 4, 1), T(1, 5, 4, 2)),
    (T(0, 4, 3), T(0, 4, 2)),
    *[(T(4, 1, dtype=dtype), T(4, 2, dtype=dtype)) for dtype in _LEAST_SQUARES_DTYPES],
]
_ANY_RANK = [
    *_FULL_RANK,
    (T(4, 3), T(4, 2)),
    (T(4, 3), T(4)),
    (T(3, 4), T(3, 2)),
    (T(4, 4, 3), T(4, 4)),
    (T(2, 1, 4, 3), T(1, 5, 4, 2)),
]


# There is no meta kernel.
@shape_function(
    "aten::linalg_lstsq",
    ok=[
        *[Invocation(*pair, device="cpu") for pair in _ANY_RANK],
        *[Invocation(*pair, None, driver="gels", device="cpu") for pair in _FULL_RANK],
        *[
            Invocation(*pair, 1e-3, driver=driver, device="cpu")
            for driver in ("gelsy", "gelsd", "gelss")
            for pair in _ANY_RANK
        ],
    ],
    error=[
        Invocation(T(4), T(4), device="cpu"),
        Invocation(T(2, 4, 3), T(4), device="cpu"),
        Invocation(T(4, 3), T(3, 2), device="cpu"),
        Invocation(T(2, 4, 3), T(5, 4, 2), device="cpu"),
        Invocation(T(2, 4, 3), T(5, 2, 4, 2), device="cpu"),
    ],
)
def linalg_lstsq(
    self: List[int], b: List[int], rcond: Optional[float] = None, driver: Optional[str] = None
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """The solution, and the driver's residuals, ranks and singular values.

    The drivers 'gelss' and 'gelsd' return residuals only if every matrix has full rank, which is
    data-dependent. The default driver is 'gelsy' on the CPU and 'gels' on CUDA.
    """
    check_matrices(self)
    vector = is_vector_side(self, b)
    sides = append_size(b, 1) if vector else b
    assert len(sides) == len(self), (
        f"aten::linalg_lstsq: incompatible ranks of input and other, got {self} and {b}"
    )
    assert sides[-2] == self[-2], (
        f"aten::linalg_lstsq: incompatible shapes of input and other, got {self} and {b}"
    )
    unknowns = with_rows(broadcast_batch(sides, self), self[-1])
    name = "gelsy" if runs_on_cpu() else "gels"
    if driver is not None:
        name = driver
    residuals, ranks, values = [0], self[:-2], [0]
    if name == "gels":
        ranks = [0]
        if self[-2] > self[-1]:
            residuals = remove_size(unknowns, len(unknowns) - 2)
    elif name != "gelsy":
        values = values_per_matrix(self)
        if self[-2] > self[-1]:
            residuals = unknown_sizes()
    return unknowns[:-1] if vector else unknowns, residuals, ranks, values


@dtype_function(
    "aten::linalg_lstsq",
    error=[Invocation(T(4, 3), T(4, 2, dtype=torch.float64), device="cpu")],
)
def linalg_lstsq_dtype(
    self: Tuple[int, int],
    b: Tuple[int, int],
    rcond: Optional[float] = None,
    driver: Optional[str] = None,
) -> Tuple[int, int, int, int]:
    """The dtype of both operands; residuals and singular values are real."""
    dtype = common_dtype(self[1], b[1])
    return dtype, real_dtype(dtype), torch.int64, real_dtype(dtype)


# Inverses of matrices and tensors, and pseudoinverses.

_WRONG_DTYPES = (torch.int64, torch.bool, torch.float16, torch.bfloat16)

_SQUARE_OK = [
    Invocation(T(3, 3)),
    Invocation(T(5, 2, 3, 3)),
    Invocation(T(0, 3, 3)),
    Invocation(T(2, 0, 0)),
    *[Invocation(T(3, 3, dtype=dtype)) for dtype in _DTYPES],
]
_SQUARE_ERROR = [Invocation(T(3)), Invocation(T(2, 3)), Invocation(T())]
_DTYPE_ERROR = [Invocation(T(3, 3, dtype=dtype)) for dtype in _WRONG_DTYPES]


def inverse(self: List[int]) -> List[int]:
    """The shape of the input, a batch of square matrices."""
    return square(self)


def inverse_and_info(A: List[int]) -> Tuple[List[int], List[int]]:
    """The inverse and `info`."""
    check_square(A)
    return A, A[:-2]


def inverse_and_info_dtype(A: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of `A`, and int32 for `info`."""
    return precise_dtype(A[1]), torch.int32


shape_family(inverse, "aten::inverse", ok=_SQUARE_OK, error=_SQUARE_ERROR)
dtype_family(precise_of_self, "aten::inverse", error=_DTYPE_ERROR)
shape_family(square, "aten::linalg_inv", ok=_SQUARE_OK, error=_SQUARE_ERROR)
dtype_family(precise_of_matrix, "aten::linalg_inv", error=_DTYPE_ERROR)
shape_family(
    inverse_and_info,
    "aten::linalg_inv_ex",
    ok=[*_SQUARE_OK, Invocation(T(3, 3), check_errors=False)],
    error=_SQUARE_ERROR,
)
dtype_family(inverse_and_info_dtype, "aten::linalg_inv_ex", error=_DTYPE_ERROR)

# Pseudoinverses.


def pseudoinverse(self: List[int]) -> List[int]:
    """Rows and columns are exchanged."""
    check_matrices(self)
    return transpose_rule(self, -2, -1)


def pseudoinverse_in_bounds(
    self: List[int], atol: Optional[List[int]], rtol: Optional[List[int]]
) -> List[int]:
    """Rows and columns are exchanged; a non-empty batch broadcasts with the tolerances."""
    out = pseudoinverse(self)
    first: List[int] = []
    if atol is not None:
        first = atol
    second: List[int] = []
    if rtol is not None:
        second = rtol
    if 0 not in self:
        out = broadcast_three(out[:-2], first, second) + out[-2:]
    return out


def pseudoinverse_in_bound(self: List[int], rcond: List[int]) -> List[int]:
    """Rows and columns are exchanged; a non-empty batch broadcasts with the tolerance."""
    return pseudoinverse_in_bounds(self, rcond, None)


_MATRICES = [T(3, 4), T(5, 2, 4, 3), T(0, 3, 4), T(2, 0, 3), T(3, 0)]
_MATRICES_AND_DTYPES = [*_MATRICES, *[T(2, 3, dtype=dtype) for dtype in _DTYPES]]
_PSEUDOINVERSES = ["aten::linalg_pinv", "aten::linalg_pinv.atol_rtol_float", "aten::pinverse"]

shape_family(
    pseudoinverse,
    "aten::linalg_pinv",
    ok=[
        *[Invocation(case, 1e-3) for case in _MATRICES_AND_DTYPES],
        Invocation(T(2, 3, 3), 1e-3, True),
    ],
    error=[Invocation(T(3), 1e-3)],
)
dtype_family(
    precise_of_self,
    "aten::linalg_pinv",
    error=[Invocation(T(3, 3, dtype=dtype), 1e-3) for dtype in _WRONG_DTYPES],
)
shape_family(
    pseudoinverse,
    "aten::linalg_pinv.atol_rtol_float",
    ok=[
        *[Invocation(case) for case in _MATRICES_AND_DTYPES],
        Invocation(T(2, 3, 4), atol=1e-3, rtol=None),
        Invocation(T(2, 3, 3), hermitian=True, rtol=1e-3),
    ],
    error=[Invocation(T(3))],
)
dtype_family(precise_of_self, "aten::linalg_pinv.atol_rtol_float", error=_DTYPE_ERROR)
shape_family(
    pseudoinverse,
    "aten::pinverse",
    ok=[*[Invocation(case) for case in _MATRICES_AND_DTYPES], Invocation(T(2, 3, 4), 1e-3)],
    error=[Invocation(T(3))],
)
dtype_family(precise_of_self, "aten::pinverse", error=_DTYPE_ERROR)
shape_family(
    pseudoinverse_in_bounds,
    "aten::linalg_pinv.atol_rtol_tensor",
    ok=[
        *[Invocation(case) for case in _MATRICES_AND_DTYPES],
        Invocation(T(3, 4), atol=T()),
        Invocation(T(2, 3, 4), atol=T(2), rtol=T()),
        Invocation(T(3, 4), rtol=T(5)),
        Invocation(T(5, 1, 3, 4), atol=T(2), rtol=T(1, 1)),
        Invocation(T(0, 3, 4), atol=T(5)),
        Invocation(T(3, 3), rtol=T(2, dtype=torch.float64), hermitian=True),
        Invocation(T(3, 3, dtype=torch.complex64), atol=T(2, dtype=torch.float64)),
    ],
    error=[Invocation(T(3)), Invocation(T(2, 3, 3), atol=T(4))],
)
dtype_family(precise_of_self, "aten::linalg_pinv.atol_rtol_tensor", error=_DTYPE_ERROR)
shape_family(
    pseudoinverse_in_bound,
    "aten::linalg_pinv.rcond_tensor",
    ok=[
        *[Invocation(case, T()) for case in _MATRICES_AND_DTYPES],
        Invocation(T(2, 3, 4), T(5, 1)),
        Invocation(T(2, 3, 3), T(2), True),
    ],
    error=[Invocation(T(3), T()), Invocation(T(2, 3, 3), T(4))],
)
dtype_family(
    precise_of_self,
    "aten::linalg_pinv.rcond_tensor",
    error=[Invocation(T(3, 3, dtype=dtype), T()) for dtype in _WRONG_DTYPES],
)

# Tensors as matrices: the leading dimensions are the rows, the trailing ones the columns.


def tensor_inverse(self: List[int], ind: int) -> List[int]:
    """The first `ind` dimensions are moved to the end."""
    assert ind > 0 and ind <= len(self), f"ind must be from 1 to {len(self)}, got {ind}"
    rows, columns = self[:ind], self[ind:]
    assert product(rows) == product(columns), (
        f"the products of the sizes before and after dimension {ind} must match, got {self}"
    )
    return columns + rows


def tensor_solve(self: List[int], other: List[int], dims: Optional[List[int]]) -> List[int]:
    """The dimensions of `self` after those of `other`, once `dims` are moved to the end."""
    sizes = self
    if dims is not None:
        last = [len(self) - len(dims) + index for index in range(len(dims))]
        sizes = movedim_rule(self, dims, last)
    out = sizes[len(other) :]
    assert product(out) == product(other) and product(sizes) == product(out) * product(other), (
        f"incompatible shapes of self and other, got {self} and {other}"
    )
    return out


def tensor_solve_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Both operands have the same dtype, which the result keeps."""
    assert self[1] == other[1], f"dtypes must match, got {self[1]} and {other[1]}"
    return lapack_dtype(self[1])


shape_family(
    tensor_inverse,
    "aten::linalg_tensorinv",
    ok=[
        Invocation(T(4, 6, 8, 3)),
        Invocation(T(24, 8, 3), 1),
        Invocation(T(3, 2, 6), ind=2),
        Invocation(T(0, 2, 0)),
        Invocation(T(1), 1),
        Invocation(T(1, 1), 2),
        *[Invocation(T(2, 3, 6, dtype=dtype)) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(4, 6, 8, 2)),
        Invocation(T(4, 4), 0),
        Invocation(T(4, 6, 8, 3), -1),
        Invocation(T(1, 1), 3),
    ],
)
dtype_family(
    precise_of_self,
    "aten::linalg_tensorinv",
    error=[Invocation(T(2, 3, 6, dtype=dtype)) for dtype in _WRONG_DTYPES],
)
shape_family(
    tensor_solve,
    "aten::linalg_tensorsolve",
    ok=[
        Invocation(T(2, 12, 4, 6), T(2, 12)),
        Invocation(T(2, 3, 6), T(2, 3)),
        Invocation(T(6, 2, 3), T(6)),
        Invocation(T(4, 6, 4, 3, 2), T(6, 4), dims=[0, 3]),
        Invocation(T(2, 3, 6), T(6), dims=[0, -2]),
        Invocation(T(0, 0), T(0)),
        *[Invocation(T(2, 3, 6, dtype=d), T(2, 3, dtype=d)) for d in _DTYPES],
    ],
    error=[Invocation(T(2, 3, 6), T(2, 2)), Invocation(T(2, 3, 6), T(6))],
)
dtype_family(
    tensor_solve_dtype,
    "aten::linalg_tensorsolve",
    error=[
        Invocation(T(2, 3, 6), T(2, 3, dtype=torch.float64)),
        Invocation(T(2, 3, 6, dtype=torch.int64), T(2, 3, dtype=torch.int64)),
    ],
)
