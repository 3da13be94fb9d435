"""Decompositions of matrices: Cholesky, LU, LDL and QR factors, Householder reflections.

All work on batches. Factors that are not asked for are vectors without entries.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.linalg import (
    check_matrices,
    check_square,
    fewer,
    lapack_dtype,
    lapack_of_self,
    square,
    values_per_matrix,
    with_columns,
    with_rows,
)

_DTYPES = (torch.float32, torch.float64, torch.complex64, torch.complex128)
_HALVES = (torch.float16, torch.bfloat16)
_INTS = (torch.int64, torch.bool)

_SQUARE_OK = [
    Invocation(T(3, 3)),
    Invocation(T(5, 2, 3, 3)),
    Invocation(T(0, 3, 3)),
    Invocation(T(2, 0, 0)),
    *[Invocation(T(3, 3, dtype=dtype)) for dtype in _DTYPES],
    *[Invocation(T(0, 0, dtype=dtype)) for dtype in _HALVES],
]
_SQUARE_ERROR = [Invocation(T(3)), Invocation(T(2, 3)), Invocation(T())]
_MATRIX_OK = [
    Invocation(T(3, 4)),
    Invocation(T(4, 3)),
    Invocation(T(5, 2, 3, 4)),
    Invocation(T(0, 4, 3)),
    Invocation(T(2, 0, 3)),
    Invocation(T(3, 0)),
    *[Invocation(T(2, 3, dtype=dtype)) for dtype in _DTYPES],
]
# The CPU kernels reject them, unless there is nothing to do.
_MATRIX_OK_HALVES = [Invocation(T(2, 3, dtype=dtype)) for dtype in _HALVES]
_MATRIX_OK_INTS = [Invocation(T(2, 3, dtype=dtype)) for dtype in _INTS]
_MATRIX_ERROR = [Invocation(T(3)), Invocation(T())]
_DTYPE_ERROR = [Invocation(T(3, 3, dtype=dtype)) for dtype in _INTS]

# Cholesky factors.


def square_self(self: List[int]) -> List[int]:
    """As many rows as columns, like the matrix itself."""
    return square(self)


def factor_and_info(self: List[int]) -> Tuple[List[int], List[int]]:
    """A factor like the matrix, and a number that says whether all went well."""
    check_square(self)
    return self, self[:-2]


def factor_and_info_dtype(self: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of `self`, and int32."""
    return lapack_dtype(self[1]), torch.int32


shape_family(
    square_self,
    "aten::cholesky",
    "aten::cholesky_inverse",
    ok=[*_SQUARE_OK, Invocation(T(3, 3), True)],
    error=_SQUARE_ERROR,
)
dtype_family(dtype_of_self, "aten::cholesky", "aten::cholesky_inverse")
shape_family(
    square_self,
    "aten::linalg_cholesky",
    ok=[*_SQUARE_OK, Invocation(T(3, 3), upper=True)],
    error=_SQUARE_ERROR,
)
dtype_family(lapack_of_self, "aten::linalg_cholesky", error=_DTYPE_ERROR)
shape_family(
    factor_and_info,
    "aten::linalg_cholesky_ex",
    ok=[*_SQUARE_OK, Invocation(T(3, 3), upper=True)],
    error=_SQUARE_ERROR,
)
dtype_family(factor_and_info_dtype, "aten::linalg_cholesky_ex", error=_DTYPE_ERROR)

# LU and LDL factors.


def lu_rule(A: List[int], pivot: bool) -> Tuple[List[int], List[int], List[int]]:
    """A permutation, where rows are exchanged, and two triangles, one of them square."""
    check_matrices(A)
    permutation = with_columns(A, A[-2]) if pivot else [0]
    return permutation, with_columns(A, fewer(A)), with_rows(A, fewer(A))


def lu_dtype(A: Tuple[int, int]) -> Tuple[int, int, int]:
    """All have the dtype of the matrix."""
    return A[1], A[1], A[1]


def lu_factor_rule(A: List[int]) -> Tuple[List[int], List[int]]:
    """Both triangles in one, and which rows were exchanged."""
    return A, values_per_matrix(A)


def lu_factor_dtype(A: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the matrix, and int32."""
    return A[1], torch.int32


def lu_factor_ex_rule(A: List[int]) -> Tuple[List[int], List[int], List[int]]:
    """Both triangles in one, which rows were exchanged, and whether all went well."""
    factors, pivots = lu_factor_rule(A)
    return factors, pivots, A[:-2]


def lu_factor_ex_dtype(A: Tuple[int, int]) -> Tuple[int, int, int]:
    """The dtype of the matrix, and int32 twice."""
    return A[1], torch.int32, torch.int32


def lu_with_info_rule(self: List[int]) -> Tuple[List[int], List[int], List[int]]:
    """As `linalg_lu_factor_ex`."""
    return lu_factor_ex_rule(self)


def lu_with_info_dtype(self: Tuple[int, int]) -> Tuple[int, int, int]:
    """The dtype of `self`, and int32 twice."""
    return lu_factor_ex_dtype(self)


# The CPU kernels know no way without exchanging rows.
shape_family(
    lu_rule,
    "aten::linalg_lu",
    ok=[
        *_MATRIX_OK,
        *_MATRIX_OK_INTS,
        Invocation(T(3, 4), pivot=False),
        Invocation(T(2, 4, 3), pivot=False),
    ],
    error=_MATRIX_ERROR,
)
dtype_family(lu_dtype, "aten::linalg_lu")
shape_family(lu_factor_rule, "aten::linalg_lu_factor", ok=_MATRIX_OK, error=_MATRIX_ERROR)
dtype_family(lu_factor_dtype, "aten::linalg_lu_factor")
shape_family(lu_factor_ex_rule, "aten::linalg_lu_factor_ex", ok=_MATRIX_OK, error=_MATRIX_ERROR)
dtype_family(lu_factor_ex_dtype, "aten::linalg_lu_factor_ex")
shape_family(lu_with_info_rule, "aten::_lu_with_info", ok=_MATRIX_OK, error=_MATRIX_ERROR)
dtype_family(lu_with_info_dtype, "aten::_lu_with_info")


def lu_unpack_rule(
    LU_data: List[int], unpack_data: bool, unpack_pivots: bool
) -> Tuple[List[int], List[int], List[int]]:
    """As `linalg_lu`, of what is asked for."""
    permutation, lower, upper = lu_rule(LU_data, unpack_pivots)
    none = [0]
    if not unpack_data:
        lower, upper = none, none
    return permutation, lower, upper


def lu_unpack_dtype(
    LU_data: Tuple[int, int], LU_pivots: Tuple[int, int], unpack_pivots: bool
) -> Tuple[int, int, int]:
    """All have the dtype of the factors."""
    assert not unpack_pivots or LU_pivots[1] == torch.int32, (
        f"aten::lu_unpack: pivots must be int32, got dtype {LU_pivots[1]}"
    )
    return LU_data[1], LU_data[1], LU_data[1]


_PIVOTS = T(2, 3, dtype=torch.int32)

shape_family(
    lu_unpack_rule,
    "aten::lu_unpack",
    ok=[
        Invocation(T(2, 3, 4), _PIVOTS),
        Invocation(T(2, 4, 3), _PIVOTS),
        Invocation(T(2, 4, 3), _PIVOTS, unpack_data=False),
        Invocation(T(2, 4, 3), _PIVOTS, unpack_pivots=False),
        Invocation(T(2, 4, 3), T(2, 3), True, False),
        Invocation(T(0, 3), T(0, dtype=torch.int32)),
        Invocation(T(2, 3, 3, dtype=torch.complex64), _PIVOTS),
        Invocation(T(2, 3, 3, dtype=torch.float64), _PIVOTS),
    ],
    error=[Invocation(T(3), T(3, dtype=torch.int32))],
)
dtype_family(
    lu_unpack_dtype,
    "aten::lu_unpack",
    error=[Invocation(T(2, 3, 3), T(2, 3, dtype=torch.int64))],
)


def ldl_factor_rule(self: List[int]) -> Tuple[List[int], List[int]]:
    """The factors in one matrix, and how they are blocked."""
    check_square(self)
    return self, self[:-1]


def ldl_factor_ex_rule(self: List[int]) -> Tuple[List[int], List[int], List[int]]:
    """The factors in one matrix, how they are blocked, and whether all went well."""
    check_square(self)
    return self, self[:-1], self[:-2]


def ldl_factor_ex_dtype(self: Tuple[int, int]) -> Tuple[int, int, int]:
    """The dtype of `self`, and int32 twice."""
    return lapack_dtype(self[1]), torch.int32, torch.int32


_LDL_OK = [*_SQUARE_OK, Invocation(T(3, 3), hermitian=True)]

shape_family(ldl_factor_rule, "aten::linalg_ldl_factor", ok=_LDL_OK, error=_SQUARE_ERROR)
dtype_family(factor_and_info_dtype, "aten::linalg_ldl_factor", error=_DTYPE_ERROR)
shape_family(ldl_factor_ex_rule, "aten::linalg_ldl_factor_ex", ok=_LDL_OK, error=_SQUARE_ERROR)
dtype_family(ldl_factor_ex_dtype, "aten::linalg_ldl_factor_ex", error=_DTYPE_ERROR)

# QR factors.


def qr_sizes(A: List[int], mode: str) -> Tuple[List[int], List[int]]:
    """The shapes of Q and R; both are as small as can be, complete, or there is no Q."""
    check_matrices(A)
    assert mode == "reduced" or mode == "complete" or mode == "r", (
        f"mode must be 'reduced', 'complete' or 'r', got {mode}"
    )
    inner = A[-2] if mode == "complete" else fewer(A)
    q = [0] if mode == "r" else with_columns(A, inner)
    return q, with_rows(A, inner)


def qr_rule(self: List[int], some: bool) -> Tuple[List[int], List[int]]:
    """Q and R, as small as can be with `some`, else complete."""
    return qr_sizes(self, "reduced" if some else "complete")


def matrix_twice_dtype(A: Tuple[int, int]) -> Tuple[int, int]:
    """Both have the dtype of the matrix."""
    return lapack_dtype(A[1]), lapack_dtype(A[1])


def precise_twice(self: Tuple[int, int]) -> Tuple[int, int]:
    """Both have the dtype of `self`."""
    return lapack_dtype(self[1]), lapack_dtype(self[1])


def geqrf_rule(self: List[int]) -> Tuple[List[int], List[int]]:
    """R and the reflections that make Q in one matrix, and a factor for each reflection."""
    return self, values_per_matrix(self)


def dtype_of_self_twice(self: Tuple[int, int]) -> Tuple[int, int]:
    """Both have the dtype of `self`."""
    return self[1], self[1]


shape_family(
    qr_sizes,
    "aten::linalg_qr",
    ok=[
        *_MATRIX_OK,
        *[
            Invocation(case, mode)
            for mode in ("reduced", "complete", "r")
            for case in (T(3, 4), T(2, 4, 3), T(0, 3), T(2, 3, 0))
        ],
    ],
    error=[*_MATRIX_ERROR, Invocation(T(3, 4), "full")],
)
dtype_family(matrix_twice_dtype, "aten::linalg_qr", error=_DTYPE_ERROR)
shape_family(
    qr_rule,
    "aten::qr",
    ok=[*_MATRIX_OK, Invocation(T(3, 4), False), Invocation(T(2, 4, 3), some=False)],
    error=_MATRIX_ERROR,
)
dtype_family(precise_twice, "aten::qr", error=_DTYPE_ERROR)
# There is no meta kernel.
shape_family(
    geqrf_rule,
    "aten::geqrf",
    ok=[Invocation(*case.args, device="cpu") for case in _MATRIX_OK],
    error=[Invocation(*case.args, device="cpu") for case in _MATRIX_ERROR],
)
dtype_family(dtype_of_self_twice, "aten::geqrf")


def householder_product(input: List[int], tau: List[int]) -> List[int]:
    """The first columns of the product of reflections, as many as `input` has."""
    check_matrices(input)
    assert input[-2] >= input[-1], f"more columns than rows are not possible, got shape {input}"
    assert len(tau) == len(input) - 1, (
        f"the batch dimensions must match, got shapes {input} and {tau}"
    )
    assert tau[-1] <= input[-1], (
        f"there can be {input[-1]} reflections for shape {input}, got {tau[-1]}"
    )
    for i in range(len(input) - 2):
        assert tau[i] == input[i], f"the batch dimensions must match, got shapes {input} and {tau}"
    return input


def orgqr_rule(self: List[int], input2: List[int]) -> List[int]:
    """As `linalg_householder_product`."""
    return householder_product(self, input2)


def householder_product_dtype(input: Tuple[int, int], tau: Tuple[int, int]) -> int:
    """Both operands have one dtype, which the product keeps."""
    assert input[1] == tau[1], f"dtypes must match, got {input[1]} and {tau[1]}"
    return input[1]


def orgqr_dtype(self: Tuple[int, int], input2: Tuple[int, int]) -> int:
    """As `linalg_householder_product`."""
    return householder_product_dtype(self, input2)


_HOUSEHOLDER_OK = [
    Invocation(T(4, 3), T(3)),
    Invocation(T(5, 4, 3), T(5, 2)),
    Invocation(T(0, 3, 3), T(0, 3)),
    Invocation(T(2, 0), T(0)),
    *[Invocation(T(3, 3, dtype=dtype), T(3, dtype=dtype)) for dtype in _DTYPES],
]
_HOUSEHOLDER_ERROR = [
    Invocation(T(3), T()),
    Invocation(T(2, 3), T(2)),
    Invocation(T(4, 3), T(4)),
    Invocation(T(4, 3), T(1, 3)),
    Invocation(T(2, 4, 3), T(3, 3)),
]

shape_family(
    householder_product,
    "aten::linalg_householder_product",
    ok=_HOUSEHOLDER_OK,
    error=_HOUSEHOLDER_ERROR,
)
shape_family(orgqr_rule, "aten::orgqr", ok=_HOUSEHOLDER_OK, error=_HOUSEHOLDER_ERROR)
_HOUSEHOLDER_DTYPE_ERROR = [Invocation(T(4, 3), T(3, dtype=torch.float64))]
dtype_family(
    householder_product_dtype,
    "aten::linalg_householder_product",
    error=_HOUSEHOLDER_DTYPE_ERROR,
)
dtype_family(orgqr_dtype, "aten::orgqr", error=_HOUSEHOLDER_DTYPE_ERROR)


def ormqr_rule(self: List[int], input2: List[int], input3: List[int], left: bool) -> List[int]:
    """The matrix `input3`, multiplied by the product of reflections in `self`."""
    check_matrices(self)
    check_matrices(input3)
    assert len(input3) == len(self) and len(input2) == len(self) - 1, (
        f"the batch dimensions must match, got shapes {self}, {input2} and {input3}"
    )
    for i in range(len(self) - 2):
        assert input2[i] == self[i] and input3[i] == self[i], (
            f"the batch dimensions must match, got shapes {self}, {input2} and {input3}"
        )
    assert input2[-1] <= self[-1] and input2[-1] <= self[-2], (
        f"there cannot be {input2[-1]} reflections for shape {self}"
    )
    side = input3[-2] if left else input3[-1]
    assert side == self[-2], f"reflections of shape {self} do not fit matrices of shape {input3}"
    return input3


def ormqr_dtype(self: Tuple[int, int], input2: Tuple[int, int], input3: Tuple[int, int]) -> int:
    """All operands have one dtype, which the product keeps."""
    assert self[1] == input2[1] and self[1] == input3[1], (
        f"dtypes must match, got {self[1]}, {input2[1]} and {input3[1]}"
    )
    return input3[1]


shape_family(
    ormqr_rule,
    "aten::ormqr",
    ok=[
        Invocation(T(4, 3), T(3), T(4, 5)),
        Invocation(T(2, 4, 3), T(2, 2), T(2, 5, 4), left=False),
        Invocation(T(4, 3), T(3), T(4, 5), True, True),
        Invocation(T(0, 4, 3), T(0, 3), T(0, 4, 5)),
        *[
            Invocation(T(3, 3, dtype=dtype), T(3, dtype=dtype), T(3, 2, dtype=dtype))
            for dtype in _DTYPES
        ],
    ],
    error=[
        Invocation(T(3), T(), T(3, 3)),
        Invocation(T(4, 3), T(3), T(4)),
        Invocation(T(4, 3), T(3), T(3, 4)),
        Invocation(T(4, 3), T(4), T(4, 5)),
        Invocation(T(2, 4, 3), T(2, 3), T(4, 5)),
        Invocation(T(2, 4, 3), T(3, 3), T(2, 4, 5)),
    ],
)
dtype_family(
    ormqr_dtype,
    "aten::ormqr",
    error=[Invocation(T(4, 3), T(3), T(4, 5, dtype=torch.float64))],
)
