"""Checks and shapes shared by linear algebra: matrices, batches, linear systems."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.promotion import is_integral, real_dtype
from torch_refine.abstract_interp_lib.rules.sizes import append_size, replace_size


def check_matrices(A: List[int]) -> None:
    """Raise unless a tensor is a matrix or a batch of matrices."""
    assert len(A) >= 2, f"expected a matrix or a batch of matrices, got shape {A}"


def check_square(A: List[int]) -> None:
    """Raise unless a tensor is a square matrix or a batch of square matrices."""
    check_matrices(A)
    assert A[-2] == A[-1], f"expected square matrices, got {A[-2]} by {A[-1]}"


def square(A: List[int]) -> List[int]:
    """The result has the shape of the input, a batch of square matrices."""
    check_square(A)
    return A


def per_matrix(A: List[int]) -> List[int]:
    """One scalar per square matrix."""
    check_square(A)
    return A[:-2]


def fewer(A: List[int]) -> int:
    """The smaller of the numbers of rows and columns."""
    return min(A[-2], A[-1])


def with_rows(A: List[int], rows: int) -> List[int]:
    """The shape of matrices with the number of rows replaced."""
    return replace_size(A, len(A) - 2, rows)


def with_columns(A: List[int], columns: int) -> List[int]:
    """The shape of matrices with the number of columns replaced."""
    return append_size(A[:-1], columns)


def values_per_matrix(A: List[int]) -> List[int]:
    """The batch dimensions, and min(rows, columns)."""
    check_matrices(A)
    return append_size(A[:-2], fewer(A))


def lapack_dtype(dtype: int) -> int:
    """The dtype itself, which must be floating-point or complex."""
    assert not is_integral(dtype), f"the dtype must be floating-point or complex, got {dtype}"
    return dtype


def precise_dtype(dtype: int) -> int:
    """The dtype itself, which must be floating-point or complex and not half precision."""
    assert dtype in [torch.float32, torch.float64, torch.complex64, torch.complex128], (
        f"the dtype must be float32, float64, complex64 or complex128, got {dtype}"
    )
    return dtype


def lapack_of_self(self: Tuple[int, int]) -> int:
    """The dtype of `self`, floating-point or complex."""
    return lapack_dtype(self[1])


def lapack_of_matrix(A: Tuple[int, int]) -> int:
    """The dtype of `A`, floating-point or complex."""
    return lapack_dtype(A[1])


def precise_of_self(self: Tuple[int, int]) -> int:
    """The dtype of `self`, floating-point or complex and not half precision."""
    return precise_dtype(self[1])


def precise_of_matrix(A: Tuple[int, int]) -> int:
    """The dtype of `A`, floating-point or complex and not half precision."""
    return precise_dtype(A[1])


def real_of_matrix(A: Tuple[int, int]) -> int:
    """The real dtype of `A`."""
    return real_dtype(lapack_dtype(A[1]))


def complex_of_self(self: Tuple[int, int]) -> int:
    """The complex dtype corresponding to the dtype of `self`."""
    dtype = lapack_dtype(self[1])
    if dtype == torch.float64 or dtype == torch.complex128:
        out = torch.complex128
    elif dtype == torch.float16 or dtype == torch.complex32:
        out = torch.complex32
    else:
        out = torch.complex64
    return out


def check_solvable(A: List[int], B: List[int], left: bool) -> None:
    """Raise unless the shapes of `AX = B`, or with `left` false of `XA = B`, are compatible."""
    check_square(A)
    check_matrices(B)
    given = B[-2] if left else B[-1]
    assert given == A[-1], f"incompatible shapes of A and B, got {A} and {B}"


def broadcast_batch(B: List[int], A: List[int]) -> List[int]:
    """The shape of `B` with its batch dimensions broadcast with those of `A`."""
    return broadcast_two(B[:-2], A[:-2]) + B[-2:]


def solved(A: List[int], B: List[int], left: bool) -> List[int]:
    """The shape of the solution `X` of `AX = B` or, with `left` false, of `XA = B`."""
    check_solvable(A, B, left)
    return broadcast_batch(B, A)


def is_vector_side(A: List[int], B: List[int]) -> bool:
    """Whether the right-hand side `B` is a vector or a batch of vectors."""
    return len(B) == 1 or (len(B) == len(A) - 1 and A[:-1] == B)


def common_dtype(first: int, second: int) -> int:
    """The common dtype of two operands; raises if they differ."""
    assert first == second, f"dtypes must match, got {first} and {second}"
    return lapack_dtype(first)


def matrix_product(left: List[int], right: List[int]) -> List[int]:
    """The shape of a matrix product."""
    assert len(left) == 2, f"the first operand must be a matrix, got shape {left}"
    assert len(right) == 2, f"the second operand must be a matrix, got shape {right}"
    assert left[1] == right[0], f"inner dimensions must match, got {left[1]} and {right[0]}"
    return [left[0], right[1]]


def batched_product(left: List[int], right: List[int]) -> List[int]:
    """The shape of a batched matrix product."""
    assert len(left) == 3, f"the first operand must be a batch of matrices, got shape {left}"
    assert len(right) == 3, f"the second operand must be a batch of matrices, got shape {right}"
    assert left[0] == right[0], f"batch sizes must match, got {left[0]} and {right[0]}"
    assert left[2] == right[1], f"inner dimensions must match, got {left[2]} and {right[1]}"
    return [left[0], left[1], right[2]]


def matrix_vector_product(mat: List[int], vec: List[int]) -> List[int]:
    """The shape of a matrix-vector product."""
    assert len(mat) == 2, f"the first operand must be a matrix, got shape {mat}"
    assert len(vec) == 1, f"the second operand must be 1-D, got shape {vec}"
    assert mat[1] == vec[0], f"inner dimensions must match, got {mat[1]} and {vec[0]}"
    return [mat[0]]
