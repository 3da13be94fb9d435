"""Matrix functions: determinants, powers, exponentials, ranks, condition numbers."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.shapes_and_indexing.permutations import diagonal_rule
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.linalg import (
    check_matrices,
    lapack_dtype,
    lapack_of_matrix,
    lapack_of_self,
    per_matrix,
    precise_dtype,
    precise_of_self,
    square,
)
from torch_refine.abstract_interp_lib.rules.promotion import real_dtype
from torch_refine.abstract_interp_lib.rules.reduction import int64_dtype

_DTYPES = (torch.float32, torch.float64, torch.complex64, torch.complex128)
_HALVES = (torch.float16, torch.bfloat16)
_INTS = (torch.int64, torch.bool)

_SQUARE_OK = [
    Invocation(T(3, 3)),
    Invocation(T(5, 2, 3, 3)),
    Invocation(T(0, 3, 3)),
    Invocation(T(2, 0, 0)),
    *[Invocation(T(3, 3, dtype=dtype)) for dtype in _DTYPES],
]
_SQUARE_OK_HALVES = [Invocation(T(3, 3, dtype=dtype)) for dtype in _HALVES]
_SQUARE_ERROR = [Invocation(T(3)), Invocation(T(2, 3)), Invocation(T())]
_DTYPE_ERROR = [Invocation(T(3, 3, dtype=dtype)) for dtype in _INTS]
_DTYPE_ERROR_HALVES = [Invocation(T(3, 3, dtype=dtype)) for dtype in _HALVES]

# Determinants. The meta kernels, and the CPU kernels for empty inputs, accept half precision.


def per_matrix_of_self(self: List[int]) -> List[int]:
    """One scalar per square matrix."""
    return per_matrix(self)


def determinant_in_kernel(A: List[int]) -> Tuple[List[int], List[int], List[int]]:
    """The determinant per matrix, LU, and the pivots."""
    return per_matrix(A), A, A[:-1]


def determinant_in_kernel_dtype(A: Tuple[int, int]) -> Tuple[int, int, int]:
    """The dtype of `A`, and int32 for the pivots."""
    return lapack_dtype(A[1]), A[1], torch.int32


def sign_and_logarithm(A: List[int]) -> Tuple[List[int], List[int]]:
    """Sign and log-determinant per matrix."""
    return per_matrix(A), per_matrix(A)


def sign_and_logarithm_of_self(self: List[int]) -> Tuple[List[int], List[int]]:
    """Sign and log-determinant per matrix."""
    return sign_and_logarithm(self)


def sign_and_logarithm_in_kernel(
    A: List[int],
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """Sign and log-determinant per matrix, LU, and the pivots."""
    return per_matrix(A), per_matrix(A), A, A[:-1]


def sign_and_logarithm_dtype(A: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of `A`, and its real dtype."""
    return precise_dtype(A[1]), real_dtype(A[1])


def sign_and_logarithm_dtype_of_self(self: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of `self`, and its real dtype."""
    return sign_and_logarithm_dtype(self)


def sign_and_logarithm_in_kernel_dtype(A: Tuple[int, int]) -> Tuple[int, int, int, int]:
    """The dtype of `A`, its real dtype, and int32 for the pivots."""
    return precise_dtype(A[1]), real_dtype(A[1]), A[1], torch.int32


_DETERMINANT_OK = [*_SQUARE_OK, *_SQUARE_OK_HALVES]
_PRECISE_ERROR = [*_DTYPE_ERROR, *_DTYPE_ERROR_HALVES]

shape_family(per_matrix, "aten::linalg_det", ok=_DETERMINANT_OK, error=_SQUARE_ERROR)
dtype_family(lapack_of_matrix, "aten::linalg_det", error=_DTYPE_ERROR)
shape_family(per_matrix_of_self, "aten::det", ok=_DETERMINANT_OK, error=_SQUARE_ERROR)
dtype_family(lapack_of_self, "aten::det", error=_DTYPE_ERROR)
shape_family(determinant_in_kernel, "aten::_linalg_det", ok=_DETERMINANT_OK, error=_SQUARE_ERROR)
dtype_family(determinant_in_kernel_dtype, "aten::_linalg_det", error=_DTYPE_ERROR)
shape_family(per_matrix_of_self, "aten::logdet", ok=_SQUARE_OK, error=_SQUARE_ERROR)
dtype_family(precise_of_self, "aten::logdet", error=_PRECISE_ERROR)
shape_family(sign_and_logarithm, "aten::linalg_slogdet", ok=_SQUARE_OK, error=_SQUARE_ERROR)
dtype_family(sign_and_logarithm_dtype, "aten::linalg_slogdet", error=_PRECISE_ERROR)
shape_family(sign_and_logarithm_of_self, "aten::slogdet", ok=_SQUARE_OK, error=_SQUARE_ERROR)
dtype_family(sign_and_logarithm_dtype_of_self, "aten::slogdet", error=_PRECISE_ERROR)
shape_family(
    sign_and_logarithm_in_kernel,
    "aten::_linalg_slogdet",
    ok=_SQUARE_OK,
    error=_SQUARE_ERROR,
)
dtype_family(sign_and_logarithm_in_kernel_dtype, "aten::_linalg_slogdet", error=_PRECISE_ERROR)

# Exponentials and powers.


def square_self(self: List[int]) -> List[int]:
    """The shape of `self`, a batch of square matrices."""
    return square(self)


_EXPONENTIALS = ["aten::linalg_matrix_exp", "aten::matrix_exp"]
shape_family(square_self, *_EXPONENTIALS, ok=_DETERMINANT_OK, error=_SQUARE_ERROR)
dtype_family(lapack_of_self, *_EXPONENTIALS, error=_DTYPE_ERROR)
_POWERS = ["aten::linalg_matrix_power", "aten::matrix_power"]
shape_family(
    square_self,
    *_POWERS,
    ok=[
        *[Invocation(*case.args, power) for case in _SQUARE_OK for power in (0, 1, 2, 3, -2)],
        *[Invocation(*case.args, 5) for case in _SQUARE_OK_HALVES],
        Invocation(T(3, 3, dtype=torch.int64), 3),
        Invocation(T(3, 3, dtype=torch.int32), 0),
    ],
    error=[Invocation(*case.args, 2) for case in _SQUARE_ERROR],
)
dtype_family(dtype_of_self, *_POWERS)


def exponential_gradient(self: List[int], grad: List[int]) -> List[int]:
    """The shape of `self`."""
    return square(self)


def exponential_gradient_dtype(grad: Tuple[int, int]) -> int:
    """The dtype of the incoming gradient."""
    return grad[1]


shape_family(
    exponential_gradient,
    "aten::matrix_exp_backward",
    ok=[
        Invocation(T(3, 3), T(3, 3)),
        Invocation(T(5, 2, 3, 3), T(5, 2, 3, 3)),
        Invocation(T(0, 3, 3), T(0, 3, 3)),
        *[Invocation(*[T(3, 3, dtype=dtype)] * 2) for dtype in _DTYPES + _HALVES],
    ],
)
dtype_family(exponential_gradient_dtype, "aten::matrix_exp_backward")

# Ranks and condition numbers.


def per_any_matrix(self: List[int]) -> List[int]:
    """One scalar per matrix, square or not."""
    check_matrices(self)
    return self[:-2]


def rank_in_bounds(
    input: List[int], atol: Optional[List[int]], rtol: Optional[List[int]]
) -> List[int]:
    """The batch dimensions broadcast with the tolerances; no broadcasting if the input is empty."""
    out = per_any_matrix(input)
    first: List[int] = []
    if atol is not None:
        first = atol
    second: List[int] = []
    if rtol is not None:
        second = rtol
    if 0 not in input:
        out = broadcast_three(out, first, second)
    return out


def rank_in_bound(input: List[int], tol: List[int]) -> List[int]:
    """The batch dimensions broadcast with the tolerance; no broadcasting if the input is empty."""
    return rank_in_bounds(input, tol, None)


def count_of_input(input: Tuple[int, int]) -> int:
    """A rank is int64."""
    return torch.int64


_MATRICES = [
    *[T(3, 4), T(5, 2, 4, 3), T(0, 3, 4), T(2, 0, 3), T(3, 0)],
    *[T(2, 3, dtype=dtype) for dtype in _DTYPES],
]

shape_family(
    per_any_matrix,
    "aten::linalg_matrix_rank",
    ok=[
        *[Invocation(case, 1e-3) for case in _MATRICES],
        Invocation(T(2, 3, 3), 1e-3, True),
    ],
    error=[Invocation(T(3), 1e-3)],
)
shape_family(
    per_any_matrix,
    "aten::linalg_matrix_rank.atol_rtol_float",
    ok=[
        *[Invocation(case) for case in _MATRICES],
        Invocation(T(2, 3, 3), atol=1e-3, hermitian=True),
        Invocation(T(2, 3, 4), rtol=1e-3, atol=None),
    ],
    error=[Invocation(T(3))],
)
dtype_family(int64_dtype, "aten::linalg_matrix_rank", "aten::linalg_matrix_rank.atol_rtol_float")
shape_family(
    rank_in_bound,
    "aten::linalg_matrix_rank.tol_tensor",
    ok=[
        *[Invocation(case, T()) for case in _MATRICES],
        Invocation(T(3, 4), T(5)),
        Invocation(T(2, 3, 4), T(5, 1)),
        Invocation(T(0, 3), T(5)),
        Invocation(T(2, 3, 3), T(2, dtype=torch.float64), True),
    ],
    error=[Invocation(T(3), T()), Invocation(T(2, 3, 4), T(5))],
)
shape_family(
    rank_in_bounds,
    "aten::linalg_matrix_rank.atol_rtol_tensor",
    ok=[
        *[Invocation(case) for case in _MATRICES],
        Invocation(T(3, 4), atol=T(5)),
        Invocation(T(3, 4), rtol=T(5)),
        Invocation(T(2, 3, 4), atol=T(5, 1), rtol=T()),
        Invocation(T(0, 3), rtol=T(5)),
        Invocation(T(2, 3, 3), atol=T(2), hermitian=True),
    ],
    error=[Invocation(T(3)), Invocation(T(2, 3, 4), atol=T(5))],
)
dtype_family(
    count_of_input,
    "aten::linalg_matrix_rank.tol_tensor",
    "aten::linalg_matrix_rank.atol_rtol_tensor",
)


def condition_dtype(self: Tuple[int, int]) -> int:
    """The real dtype of `self`."""
    return real_dtype(self[1])


shape_family(
    per_any_matrix,
    "aten::linalg_cond",
    ok=[
        *[Invocation(case) for case in _MATRICES],
        Invocation(T(2, 3, 4), -2),
        *[Invocation(T(2, 3, 3), norm) for norm in (1, -1, 2.0, float("inf"), float("-inf"))],
        Invocation(T(2, 3, 3, dtype=torch.complex64), 1),
        Invocation(T(2, 0, 0), 1),
        Invocation(T(0, 3, dtype=torch.int64)),
    ],
    error=[Invocation(T(3))],
)
shape_family(
    per_any_matrix,
    "aten::linalg_cond.p_str",
    ok=[
        *[Invocation(T(2, 3, 3, dtype=dtype), "fro") for dtype in _DTYPES],
        Invocation(T(3, 3, dtype=torch.complex64), "nuc"),
        Invocation(T(2, 0, 0), "nuc"),
    ],
    error=[Invocation(T(3), "fro")],
)
dtype_family(condition_dtype, "aten::linalg_cond", "aten::linalg_cond.p_str")

# Diagonals and transposes.


def linalg_diagonal(A: List[int], offset: int, dim1: int, dim2: int) -> List[int]:
    """As `diagonal`."""
    return diagonal_rule(A, offset, dim1, dim2)


def dtype_of_matrix(A: Tuple[int, int]) -> int:
    """The dtype of `A`."""
    return A[1]


shape_family(
    linalg_diagonal,
    "aten::linalg_diagonal",
    ok=[
        Invocation(T(3, 4)),
        Invocation(T(5, 3, 4), offset=1),
        Invocation(T(5, 3, 4), offset=-4),
        Invocation(T(5, 3, 4), dim1=0, dim2=1),
        Invocation(T(0, 3)),
        *[Invocation(T(2, 3, dtype=dtype)) for dtype in _HALVES + _INTS],
    ],
    error=[Invocation(T(3)), Invocation(T(2, 3), dim1=1), Invocation(T(2, 3), dim1=2)],
)
dtype_family(dtype_of_matrix, "aten::linalg_diagonal")


def conjugate_transpose(self: List[int]) -> List[int]:
    """The conjugate transpose of a matrix; a 0-dim tensor is returned unchanged."""
    assert len(self) == 0 or len(self) == 2, f"self must be a matrix, got shape {self}"
    return [self[len(self) - 1 - index] for index in range(len(self))]


_MATRIX_H = ["aten::matrix_H", "aten::matrix_H.a"]
shape_family(
    conjugate_transpose,
    *_MATRIX_H,
    ok=[
        Invocation(T(2, 3)),
        Invocation(T()),
        Invocation(T(0, 3)),
        *[Invocation(T(2, 3, dtype=dtype)) for dtype in _DTYPES + _HALVES + _INTS],
    ],
    error=[Invocation(T(3)), Invocation(T(2, 3, 4))],
)
dtype_family(dtype_of_self, *_MATRIX_H)


def trace_gradient(grad: List[int], sizes: List[int]) -> List[int]:
    """The shape of the input, given as `sizes`."""
    assert len(sizes) == 2, f"aten::trace_backward: sizes must be those of a matrix, got {sizes}"
    return sizes


shape_family(
    trace_gradient,
    "aten::trace_backward",
    ok=[
        Invocation(T(), [2, 3]),
        Invocation(T(), [0, 3]),
        *[Invocation(T(dtype=dtype), [3, 3]) for dtype in _DTYPES + _HALVES],
    ],
    error=[Invocation(T(), [3])],
)
dtype_family(exponential_gradient_dtype, "aten::trace_backward")
