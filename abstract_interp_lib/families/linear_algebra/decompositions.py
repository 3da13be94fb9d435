"""Matrix decompositions: Cholesky, LU, LDL, QR, eigenvalues and singular values.

All are batched. Factors that are not requested are empty vectors.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.shapes_and_indexing.permutations import (
    transpose_rule,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.linalg import (
    check_matrices,
    check_square,
    complex_of_self,
    fewer,
    lapack_dtype,
    lapack_of_self,
    real_of_matrix,
    square,
    values_per_matrix,
    with_columns,
    with_rows,
)
from torch_refine.abstract_interp_lib.rules.promotion import real_dtype

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
# The CPU kernels reject them, except for empty inputs.
_MATRIX_OK_HALVES = [Invocation(T(2, 3, dtype=dtype)) for dtype in _HALVES]
_MATRIX_OK_INTS = [Invocation(T(2, 3, dtype=dtype)) for dtype in _INTS]
_MATRIX_ERROR = [Invocation(T(3)), Invocation(T())]
_DTYPE_ERROR = [Invocation(T(3, 3, dtype=dtype)) for dtype in _INTS]

# Cholesky factors.


def square_self(self: List[int]) -> List[int]:
    """The shape of the input, a batch of square matrices."""
    return square(self)


def factor_and_info(self: List[int]) -> Tuple[List[int], List[int]]:
    """A factor of the input's shape, and `info`, one scalar per matrix."""
    check_square(self)
    return self, self[:-2]


def factor_and_info_dtype(self: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of `self`, and int32 for `info`."""
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
    """P, L and U; with `pivot` false, P is empty."""
    check_matrices(A)
    permutation = with_columns(A, A[-2]) if pivot else [0]
    return permutation, with_columns(A, fewer(A)), with_rows(A, fewer(A))


def lu_dtype(A: Tuple[int, int]) -> Tuple[int, int, int]:
    """All have the dtype of `A`."""
    return A[1], A[1], A[1]


def lu_factor_rule(A: List[int]) -> Tuple[List[int], List[int]]:
    """LU in one matrix, and the pivots."""
    return A, values_per_matrix(A)


def lu_factor_dtype(A: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of `A`, and int32 for the pivots."""
    return A[1], torch.int32


def lu_factor_ex_rule(A: List[int]) -> Tuple[List[int], List[int], List[int]]:
    """LU in one matrix, the pivots, and `info`."""
    factors, pivots = lu_factor_rule(A)
    return factors, pivots, A[:-2]


def lu_factor_ex_dtype(A: Tuple[int, int]) -> Tuple[int, int, int]:
    """The dtype of `A`, and int32 twice."""
    return A[1], torch.int32, torch.int32


def lu_with_info_rule(self: List[int]) -> Tuple[List[int], List[int], List[int]]:
    """As `linalg_lu_factor_ex`."""
    return lu_factor_ex_rule(self)


def lu_with_info_dtype(self: Tuple[int, int]) -> Tuple[int, int, int]:
    """The dtype of `self`, and int32 twice."""
    return lu_factor_ex_dtype(self)


# The CPU kernels do not support `pivot=False`.
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
    """As `linalg_lu`; what is not requested is empty."""
    permutation, lower, upper = lu_rule(LU_data, unpack_pivots)
    none = [0]
    if not unpack_data:
        lower, upper = none, none
    return permutation, lower, upper


def lu_unpack_dtype(
    LU_data: Tuple[int, int], LU_pivots: Tuple[int, int], unpack_pivots: bool
) -> Tuple[int, int, int]:
    """All have the dtype of `LU_data`."""
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
    """LD in one matrix, and the pivots."""
    check_square(self)
    return self, self[:-1]


def ldl_factor_ex_rule(self: List[int]) -> Tuple[List[int], List[int], List[int]]:
    """LD in one matrix, the pivots, and `info`."""
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
    """The shapes of Q and R for a mode: reduced, complete, or r, where Q is empty."""
    check_matrices(A)
    assert mode == "reduced" or mode == "complete" or mode == "r", (
        f"mode must be 'reduced', 'complete' or 'r', got {mode}"
    )
    inner = A[-2] if mode == "complete" else fewer(A)
    q = [0] if mode == "r" else with_columns(A, inner)
    return q, with_rows(A, inner)


def qr_rule(self: List[int], some: bool) -> Tuple[List[int], List[int]]:
    """Q and R: reduced with `some`, else complete."""
    return qr_sizes(self, "reduced" if some else "complete")


def matrix_twice_dtype(A: Tuple[int, int]) -> Tuple[int, int]:
    """Both have the dtype of `A`."""
    return lapack_dtype(A[1]), lapack_dtype(A[1])


def precise_twice(self: Tuple[int, int]) -> Tuple[int, int]:
    """Both have the dtype of `self`."""
    return lapack_dtype(self[1]), lapack_dtype(self[1])


def geqrf_rule(self: List[int]) -> Tuple[List[int], List[int]]:
    """R and the Householder vectors in one matrix, and tau, one scalar per reflector."""
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
    """The first `input.size(-1)` columns of a product of Householder reflectors."""
    check_matrices(input)
    assert input[-2] >= input[-1], f"input must not have more columns than rows, got shape {input}"
    assert len(tau) == len(input) - 1, (
        f"the batch dimensions must match, got shapes {input} and {tau}"
    )
    assert tau[-1] <= input[-1], (
        f"tau must have at most {input[-1]} elements for input {input}, got {tau[-1]}"
    )
    for i in range(len(input) - 2):
        assert tau[i] == input[i], f"the batch dimensions must match, got shapes {input} and {tau}"
    return input


def orgqr_rule(self: List[int], input2: List[int]) -> List[int]:
    """As `linalg_householder_product`."""
    return householder_product(self, input2)


def householder_product_dtype(input: Tuple[int, int], tau: Tuple[int, int]) -> int:
    """`input` and `tau` have the same dtype, which the result keeps."""
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
    """The matrix `input3` multiplied by the product of the Householder reflectors in `self`."""
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
        f"too many Householder reflectors for shape {self}, got {input2[-1]}"
    )
    side = input3[-2] if left else input3[-1]
    assert side == self[-2], (
        f"incompatible shapes of reflectors and matrices, got {self} and {input3}"
    )
    return input3


def ormqr_dtype(self: Tuple[int, int], input2: Tuple[int, int], input3: Tuple[int, int]) -> int:
    """All operands have the same dtype, which the result keeps."""
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


# Eigenvalues and singular values, with their vectors. The meta kernels accept half precision, the
# CPU kernels only for empty inputs.

_EIGEN_SQUARE_OK = [
    Invocation(T(3, 3)),
    Invocation(T(5, 2, 3, 3)),
    Invocation(T(0, 3, 3)),
    Invocation(T(2, 0, 0)),
    *[Invocation(T(3, 3, dtype=dtype)) for dtype in _DTYPES + _HALVES],
]


def values_of_square(self: List[int]) -> List[int]:
    """One eigenvalue per row."""
    check_square(self)
    return self[:-1]


def values_and_vectors(self: List[int]) -> Tuple[List[int], List[int]]:
    """The eigenvalues, and the eigenvectors as columns."""
    check_square(self)
    return self[:-1], self


def complex_twice(self: Tuple[int, int]) -> Tuple[int, int]:
    """Both are complex."""
    return complex_of_self(self), complex_of_self(self)


_EIGENVALUES = ["aten::linalg_eigvals", "aten::_linalg_eigvals"]
shape_family(values_of_square, *_EIGENVALUES, ok=_EIGEN_SQUARE_OK, error=_SQUARE_ERROR)
dtype_family(complex_of_self, *_EIGENVALUES, error=_DTYPE_ERROR)
shape_family(values_and_vectors, "aten::linalg_eig", ok=_EIGEN_SQUARE_OK, error=_SQUARE_ERROR)
dtype_family(complex_twice, "aten::linalg_eig", error=_DTYPE_ERROR)

# Symmetric or Hermitian matrices, whose eigenvalues are real.


def check_triangle(UPLO: str) -> None:
    """Raise unless UPLO is 'L' or 'U', in either case."""
    assert UPLO in ["L", "U", "l", "u"], f"UPLO must be 'L' or 'U', got {UPLO}"


def eigvalsh_rule(self: List[int], UPLO: str) -> List[int]:
    """One eigenvalue per row."""
    check_triangle(UPLO)
    return values_of_square(self)


def eigh_rule(self: List[int], UPLO: str) -> Tuple[List[int], List[int]]:
    """The eigenvalues, and the eigenvectors as columns."""
    check_triangle(UPLO)
    return values_and_vectors(self)


def eigh_in_kernel(A: List[int], UPLO: str, compute_v: bool) -> Tuple[List[int], List[int]]:
    """The eigenvalues, and the eigenvectors as columns if requested."""
    values, vectors = eigh_rule(A, UPLO)
    return values, vectors if compute_v else [0]


def real_part_of_self(self: Tuple[int, int]) -> int:
    """The dtype of the real part of `self`."""
    return real_dtype(self[1])


def real_and_self(self: Tuple[int, int]) -> Tuple[int, int]:
    """Eigenvalues are real, eigenvectors have the dtype of `self`."""
    return real_part_of_self(self), self[1]


def real_and_matrix(A: Tuple[int, int]) -> Tuple[int, int]:
    """Eigenvalues are real, eigenvectors have the dtype of `A`."""
    return real_part_of_self(A), A[1]


_HERMITIAN_OK = [
    *_EIGEN_SQUARE_OK,
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

# Singular values, which are real.


def svdvals_rule(A: List[int]) -> List[int]:
    """min(rows, columns) singular values per matrix."""
    return values_per_matrix(A)


def svd_sizes(A: List[int], full_matrices: bool) -> Tuple[List[int], List[int], List[int]]:
    """U, S and Vh; with `full_matrices` U and Vh are square."""
    values = values_per_matrix(A)
    rows, columns = values[-1], values[-1]
    if full_matrices:
        rows, columns = A[-2], A[-1]
    return with_columns(A, rows), values, with_rows(A, columns)


def svd_in_kernel(
    A: List[int], full_matrices: bool, compute_uv: bool
) -> Tuple[List[int], List[int], List[int]]:
    """As `linalg_svd`; U and Vh are empty if not requested."""
    u, values, vh = svd_sizes(A, full_matrices)
    none = [0]
    return u if compute_uv else none, values, vh if compute_uv else none


def svd_rule(
    self: List[int], some: bool, compute_uv: bool
) -> Tuple[List[int], List[int], List[int]]:
    """U, S and V; U and V are square if `some` or `compute_uv` is false."""
    u, values, vh = svd_sizes(self, not some or not compute_uv)
    return u, values, transpose_rule(vh, -2, -1)


def svd_dtype(A: Tuple[int, int]) -> Tuple[int, int, int]:
    """S is real, U and Vh have the dtype of `A`."""
    return A[1], real_dtype(lapack_dtype(A[1])), A[1]


def svd_dtype_of_self(self: Tuple[int, int]) -> Tuple[int, int, int]:
    """S is real, U and V have the dtype of `self`."""
    return svd_dtype(self)


_EIGEN_MATRIX_OK = [
    Invocation(T(3, 4)),
    Invocation(T(4, 3)),
    Invocation(T(5, 2, 3, 4)),
    Invocation(T(0, 4, 3)),
    Invocation(T(2, 0, 3)),
    Invocation(T(3, 0)),
    *[Invocation(T(2, 3, dtype=dtype)) for dtype in _DTYPES + _HALVES],
]

# The driver, which only CUDA supports, does not affect shapes.
shape_family(svdvals_rule, "aten::linalg_svdvals", ok=_EIGEN_MATRIX_OK, error=_MATRIX_ERROR)
dtype_family(real_of_matrix, "aten::linalg_svdvals", error=_DTYPE_ERROR)
shape_family(
    svd_sizes,
    "aten::linalg_svd",
    ok=[
        *_EIGEN_MATRIX_OK,
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
        *_EIGEN_MATRIX_OK,
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
        *_EIGEN_MATRIX_OK,
        Invocation(T(2, 3, 4), False),
        Invocation(T(2, 4, 3), some=False),
        Invocation(T(2, 4, 3), True, False),
        Invocation(T(2, 3, 4), False, False),
        Invocation(T(0, 3), False),
    ],
    error=_MATRIX_ERROR,
)
dtype_family(svd_dtype_of_self, "aten::svd", error=_DTYPE_ERROR)
