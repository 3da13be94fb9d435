"""Eigenvalues and singular values of matrices, and the vectors that go with them.

The meta kernels take half precision, the CPU kernels only where there is nothing to do.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.families.permutations import transpose_rule
from torch_refine.abstract_interp_lib.rules.complex import real_dtype
from torch_refine.abstract_interp_lib.rules.linalg import (
    check_square,
    complex_of_self,
    lapack_dtype,
    real_of_matrix,
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
    *[Invocation(T(3, 3, dtype=dtype)) for dtype in _DTYPES + _HALVES],
]
_SQUARE_ERROR = [Invocation(T(3)), Invocation(T(2, 3)), Invocation(T())]
_DTYPE_ERROR = [Invocation(T(3, 3, dtype=dtype)) for dtype in _INTS]


def values_of_square(self: List[int]) -> List[int]:
    """As many values as a matrix has rows."""
    check_square(self)
    return self[:-1]


def values_and_vectors(self: List[int]) -> Tuple[List[int], List[int]]:
    """The values, and the vectors as columns."""
    check_square(self)
    return self[:-1], self


def complex_twice(self: Tuple[int, int]) -> Tuple[int, int]:
    """Both are complex."""
    return complex_of_self(self), complex_of_self(self)


_EIGENVALUES = ["aten::linalg_eigvals", "aten::_linalg_eigvals"]
shape_family(values_of_square, *_EIGENVALUES, ok=_SQUARE_OK, error=_SQUARE_ERROR)
dtype_family(complex_of_self, *_EIGENVALUES, error=_DTYPE_ERROR)
shape_family(values_and_vectors, "aten::linalg_eig", ok=_SQUARE_OK, error=_SQUARE_ERROR)
dtype_family(complex_twice, "aten::linalg_eig", error=_DTYPE_ERROR)

# Of symmetric, or Hermitian, matrices. Their values are real.


def check_triangle(UPLO: str) -> None:
    """Raise unless a string names the lower or the upper triangle."""
    assert UPLO in ["L", "U", "l", "u"], f"UPLO must be 'L' or 'U', got {UPLO}"


def eigvalsh_rule(self: List[int], UPLO: str) -> List[int]:
    """As many values as a matrix has rows."""
    check_triangle(UPLO)
    return values_of_square(self)


def eigh_rule(self: List[int], UPLO: str) -> Tuple[List[int], List[int]]:
    """The values, and the vectors as columns."""
    check_triangle(UPLO)
    return values_and_vectors(self)


def eigh_in_kernel(A: List[int], UPLO: str, compute_v: bool) -> Tuple[List[int], List[int]]:
    """The values, and the vectors as columns where they are asked for."""
    values, vectors = eigh_rule(A, UPLO)
    return values, vectors if compute_v else [0]


def real_part_of_self(self: Tuple[int, int]) -> int:
    """The dtype of the real part of `self`."""
    return real_dtype(self[1])


def real_and_self(self: Tuple[int, int]) -> Tuple[int, int]:
    """Values are real, vectors as `self`."""
    return real_part_of_self(self), self[1]


def real_and_matrix(A: Tuple[int, int]) -> Tuple[int, int]:
    """Values are real, vectors as the matrix."""
    return real_part_of_self(A), A[1]


_HERMITIAN_OK = [
    *_SQUARE_OK,
    *[Invocation(T(0, 0, dtype=dtype), device="cpu") for dtype in _INTS],
    Invocation(T(3, 3), "U"),
    Invocation(T(2, 3, 3), UPLO="l"),
]
_HERMITIAN_ERROR = [*_SQUARE_ERROR, Invocation(T(3, 3), "X")]

shape_family(eigvalsh_rule, "aten::linalg_eigvalsh", ok=_HERMITIAN_OK, error=_HERMITIAN_ERROR)
dtype_family(real_part_of_self, "aten::linalg_eigvalsh")
shape_family(eigh_rule, "aten::linalg_eigh", ok=_HERMITIAN_OK, error=_HERMITIAN_ERROR)
dtype_family(real_and_self, "aten::linalg_eigh")
shape_family(
    eigh_in_kernel,
    "aten::_linalg_eigh",
    ok=[*_HERMITIAN_OK, Invocation(T(2, 3, 3), "L", False)],
    error=_HERMITIAN_ERROR,
)
dtype_family(real_and_matrix, "aten::_linalg_eigh")

# Singular values. They are real.


def svdvals_rule(A: List[int]) -> List[int]:
    """As many values as there are rows, or columns if these are less."""
    return values_per_matrix(A)


def svd_sizes(A: List[int], full_matrices: bool) -> Tuple[List[int], List[int], List[int]]:
    """U, the values, and the conjugate transpose of V; U and V are square with `full_matrices`."""
    values = values_per_matrix(A)
    rows, columns = values[-1], values[-1]
    if full_matrices:
        rows, columns = A[-2], A[-1]
    return with_columns(A, rows), values, with_rows(A, columns)


def svd_in_kernel(
    A: List[int], full_matrices: bool, compute_uv: bool
) -> Tuple[List[int], List[int], List[int]]:
    """As `linalg_svd`; U and V are without entries where they are not asked for."""
    u, values, vh = svd_sizes(A, full_matrices)
    none = [0]
    return u if compute_uv else none, values, vh if compute_uv else none


def svd_rule(
    self: List[int], some: bool, compute_uv: bool
) -> Tuple[List[int], List[int], List[int]]:
    """U, the values, and V; U and V are square, but with `some`, if they are asked for."""
    u, values, vh = svd_sizes(self, not some or not compute_uv)
    return u, values, transpose_rule(vh, -2, -1)


def svd_dtype(A: Tuple[int, int]) -> Tuple[int, int, int]:
    """The values are real, U and V as the matrix."""
    return A[1], real_dtype(lapack_dtype(A[1])), A[1]


def svd_dtype_of_self(self: Tuple[int, int]) -> Tuple[int, int, int]:
    """The values are real, U and V as `self`."""
    return svd_dtype(self)


_MATRIX_OK = [
    Invocation(T(3, 4)),
    Invocation(T(4, 3)),
    Invocation(T(5, 2, 3, 4)),
    Invocation(T(0, 4, 3)),
    Invocation(T(2, 0, 3)),
    Invocation(T(3, 0)),
    *[Invocation(T(2, 3, dtype=dtype)) for dtype in _DTYPES + _HALVES],
]
_MATRIX_ERROR = [Invocation(T(3)), Invocation(T())]

# The driver, which only CUDA has, changes no shape.
shape_family(svdvals_rule, "aten::linalg_svdvals", ok=_MATRIX_OK, error=_MATRIX_ERROR)
dtype_family(real_of_matrix, "aten::linalg_svdvals", error=_DTYPE_ERROR)
shape_family(
    svd_sizes,
    "aten::linalg_svd",
    ok=[
        *_MATRIX_OK,
        Invocation(T(2, 3, 4), False),
        Invocation(T(2, 4, 3), full_matrices=False),
        Invocation(T(0, 3), False),
    ],
    error=_MATRIX_ERROR,
)
dtype_family(svd_dtype, "aten::linalg_svd", error=_DTYPE_ERROR)
shape_family(
    svd_in_kernel,
    "aten::_linalg_svd",
    ok=[
        *_MATRIX_OK,
        Invocation(T(2, 3, 4), True),
        Invocation(T(2, 4, 3), True, False),
        Invocation(T(2, 4, 3, dtype=torch.complex64), False, False),
    ],
    error=_MATRIX_ERROR,
)
dtype_family(svd_dtype, "aten::_linalg_svd", error=_DTYPE_ERROR)
shape_family(
    svd_rule,
    "aten::svd",
    ok=[
        *_MATRIX_OK,
        Invocation(T(2, 3, 4), False),
        Invocation(T(2, 4, 3), some=False),
        Invocation(T(2, 4, 3), True, False),
        Invocation(T(2, 3, 4), False, False),
        Invocation(T(0, 3), False),
    ],
    error=_MATRIX_ERROR,
)
dtype_family(svd_dtype_of_self, "aten::svd", error=_DTYPE_ERROR)
