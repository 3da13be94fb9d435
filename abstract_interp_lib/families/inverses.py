"""Inverses of matrices and of tensors that act like matrices, pseudoinverses."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.families.permutations import movedim_rule, transpose_rule
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three
from torch_refine.abstract_interp_lib.rules.linalg import (
    check_matrices,
    check_square,
    lapack_dtype,
    precise_dtype,
    precise_of_matrix,
    precise_of_self,
    square,
)
from torch_refine.abstract_interp_lib.rules.sizes import product

_DTYPES = (torch.float32, torch.float64, torch.complex64, torch.complex128)
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
    """A square matrix for each."""
    return square(self)


def inverse_and_info(A: List[int]) -> Tuple[List[int], List[int]]:
    """The inverse, and whether there was one."""
    check_square(A)
    return A, A[:-2]


def inverse_and_info_dtype(A: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the matrix, and int32."""
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
    """As many rows as the matrix has columns, and the other way round."""
    check_matrices(self)
    return transpose_rule(self, -2, -1)


def pseudoinverse_in_bounds(
    self: List[int], atol: Optional[List[int]], rtol: Optional[List[int]]
) -> List[int]:
    """The batch dimensions broadcast with those of the tolerances, if there is an entry."""
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
    """The batch dimensions broadcast with those of the tolerance, if there is an entry."""
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

# Tensors as matrices: the first dimensions together are rows, the others columns.


def tensor_inverse(self: List[int], ind: int) -> List[int]:
    """The first `ind` dimensions and the others change places."""
    assert ind > 0 and ind <= len(self), f"ind must be from 1 to {len(self)}, got {ind}"
    rows, columns = self[:ind], self[ind:]
    assert product(rows) == product(columns), (
        f"sizes must have the same product up to dimension {ind} and from there, got {self}"
    )
    return columns + rows


def tensor_solve(self: List[int], other: List[int], dims: Optional[List[int]]) -> List[int]:
    """The dimensions that are left of `self`, once `dims` are moved last, after those of `other`."""
    sizes = self
    if dims is not None:
        last = [len(self) - len(dims) + index for index in range(len(dims))]
        sizes = movedim_rule(self, dims, last)
    out = sizes[len(other) :]
    assert product(out) == product(other) and product(sizes) == product(out) * product(other), (
        f"shape {self} is no square matrix that fits right-hand sides of shape {other}"
    )
    return out


def tensor_solve_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Both sides have one dtype, which the unknowns have, too."""
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
