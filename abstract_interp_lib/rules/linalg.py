"""Matrices, batches of them, systems of equations: what linear algebra asks of its operands."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.complex import real_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_integral
from torch_refine.abstract_interp_lib.rules.sizes import append_size, replace_size


def check_matrices(A: List[int]) -> None:
    """Raise unless a tensor is a matrix or a batch of matrices."""
    assert len(A) >= 2, f"a matrix or a batch of matrices is needed, got shape {A}"


def check_square(A: List[int]) -> None:
    """Raise unless a tensor is a square matrix or a batch of such."""
    check_matrices(A)
    assert A[-2] == A[-1], f"matrices must be square, got {A[-2]} rows and {A[-1]} columns"


def square(A: List[int]) -> List[int]:
    """The rule of operators that make a square matrix of each square matrix."""
    check_square(A)
    return A


def per_matrix(A: List[int]) -> List[int]:
    """One number per square matrix."""
    check_square(A)
    return A[:-2]


def fewer(A: List[int]) -> int:
    """The number of rows, or that of columns, whichever is less."""
    return min(A[-2], A[-1])


def with_rows(A: List[int], rows: int) -> List[int]:
    """The shape of matrices with another number of rows."""
    return replace_size(A, len(A) - 2, rows)


def with_columns(A: List[int], columns: int) -> List[int]:
    """The shape of matrices with another number of columns."""
    return append_size(A[:-1], columns)


def values_per_matrix(A: List[int]) -> List[int]:
    """As many numbers for each matrix as it has rows, or columns if these are less."""
    check_matrices(A)
    return append_size(A[:-2], fewer(A))


def lapack_dtype(dtype: int) -> int:
    """The same dtype, which is floating or complex."""
    assert not is_integral(dtype), f"the dtype must be floating or complex, got {dtype}"
    return dtype


def precise_dtype(dtype: int) -> int:
    """The same dtype, which is floating or complex and of more than 16 bits a number."""
    assert dtype in [torch.float32, torch.float64, torch.complex64, torch.complex128], (
        f"the dtype must be float32, float64, complex64 or complex128, got {dtype}"
    )
    return dtype


def lapack_of_self(self: Tuple[int, int]) -> int:
    """The dtype of `self`, floating or complex."""
    return lapack_dtype(self[1])


def lapack_of_matrix(A: Tuple[int, int]) -> int:
    """The dtype of `A`, floating or complex."""
    return lapack_dtype(A[1])


def precise_of_self(self: Tuple[int, int]) -> int:
    """The dtype of `self`, which is precise."""
    return precise_dtype(self[1])


def precise_of_matrix(A: Tuple[int, int]) -> int:
    """The dtype of `A`, which is precise."""
    return precise_dtype(A[1])


def real_of_matrix(A: Tuple[int, int]) -> int:
    """The dtype of the real part of `A`."""
    return real_dtype(lapack_dtype(A[1]))


def complex_of_self(self: Tuple[int, int]) -> int:
    """The complex dtype that holds what is in `self`."""
    dtype = lapack_dtype(self[1])
    if dtype == torch.float64 or dtype == torch.complex128:
        out = torch.complex128
    elif dtype == torch.float16 or dtype == torch.complex32:
        out = torch.complex32
    else:
        out = torch.complex64
    return out


def check_solvable(A: List[int], B: List[int], left: bool) -> None:
    """Raise unless `AX = B`, or with `left` false `XA = B`, could hold for a matrix `X`."""
    check_square(A)
    check_matrices(B)
    given = B[-2] if left else B[-1]
    assert given == A[-1], f"matrices of shape {A} do not fit right-hand sides of shape {B}"


def broadcast_batch(B: List[int], A: List[int]) -> List[int]:
    """The shape of matrices `B` whose batch dimensions are broadcast with those of `A`."""
    return broadcast_two(B[:-2], A[:-2]) + B[-2:]


def solved(A: List[int], B: List[int], left: bool) -> List[int]:
    """The shape of the matrices `X` of `AX = B` or, with `left` false, of `XA = B`."""
    check_solvable(A, B, left)
    return broadcast_batch(B, A)


def is_vector_side(A: List[int], B: List[int]) -> bool:
    """Whether the right-hand sides `B` are vectors: a lone one, or one for each matrix."""
    return len(B) == 1 or (len(B) == len(A) - 1 and A[:-1] == B)


def common_dtype(first: int, second: int) -> int:
    """The dtype that two operands have in common."""
    assert first == second, f"dtypes must match, got {first} and {second}"
    return lapack_dtype(first)
