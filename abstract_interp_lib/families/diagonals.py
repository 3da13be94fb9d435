"""Matrices from diagonals and blocks, diagonals of matrices, and indices of triangles."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.families.permutations import diagonal_rule
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.factories import dtype_or_int64, given_size
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.promotion import promote_list
from torch_refine.abstract_interp_lib.rules.sizes import insert_size, product

_DTYPES = (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.bool, torch.complex64)


def square(size: int, offset: int) -> List[int]:
    """The matrix in which a diagonal of this size, `offset` columns off, just fits."""
    side = size if offset == 0 else size + abs(offset)
    return [side, side]


@shape_function(
    "aten::diag",
    ok=[
        Invocation(T(3)),
        Invocation(T(3), -2),
        Invocation(T(0), 1),
        Invocation(T(3, 4)),
        Invocation(T(3, 4), 2),
        Invocation(T(3, 4), diagonal=-9),
        *[Invocation(T(3, dtype=dtype)) for dtype in _DTYPES],
    ],
    error=[Invocation(T()), Invocation(T(1, 3, 4))],
)
def diag(self: List[int], diagonal: int = 0) -> List[int]:
    """A vector becomes the diagonal of a matrix; of a matrix the diagonal is taken."""
    assert len(self) == 1 or len(self) == 2, (
        f"aten::diag: self must be a vector or a matrix, got shape {self}"
    )
    return square(self[0], diagonal) if len(self) == 1 else diagonal_rule(self, diagonal, 0, 1)


@shape_function(
    "aten::diag_embed",
    ok=[
        Invocation(T(3)),
        Invocation(T(2, 3)),
        Invocation(T(2, 3), 1, 0, 2),
        Invocation(T(2, 3), -2, 2, 0),
        Invocation(T(2, 3), 0, -3, 1),
        Invocation(T(2, 0), offset=1),
        *[Invocation(T(3, dtype=dtype)) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T()),
        Invocation(T(2, 3), 0, 0, 0),
        Invocation(T(2, 3), 0, 0, -3),
        Invocation(T(2, 3), 0, 3, 0),
        Invocation(T(2, 3), 0, 0, -4),
    ],
)
def diag_embed(self: List[int], offset: int = 0, dim1: int = -2, dim2: int = -1) -> List[int]:
    """The last dimension becomes the diagonal of two new ones."""
    rank = len(self) + 1
    first = wrap_dim(dim1, rank)
    second = wrap_dim(dim2, rank)
    assert first != second, f"aten::diag_embed: two dimensions are needed, got {dim1} and {dim2}"
    sides = square(self[-1], offset)
    return insert_size(
        insert_size(self[:-1], min(first, second), sides[0]), max(first, second), sides[1]
    )


@shape_function(
    "aten::diagflat",
    ok=[
        Invocation(T()),
        Invocation(T(2, 3)),
        Invocation(T(2, 3), -2),
        Invocation(T(0, 3), offset=1),
        *[Invocation(T(3, dtype=dtype)) for dtype in _DTYPES],
    ],
)
def diagflat(self: List[int], offset: int = 0) -> List[int]:
    """All elements become the diagonal of a matrix."""
    return square(product(self), offset)


dtype_family(dtype_of_self, "aten::diag", "aten::diag_embed", "aten::diagflat")


# The meta kernel does not look at the gradient.
@shape_function(
    "aten::diagonal_backward",
    ok=[
        Invocation(T(3), [3, 4], 0, 0, 1),
        Invocation(T(2, 3), [2, 3, 4], 1, -2, -1),
        Invocation(T(1), [3, 4], 0, 0, 1),
        Invocation(T(), [3, 4], 0, 0, 1),
        *[Invocation(T(3, dtype=dtype), [3, 4], 0, 0, 1) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(4), [3, 4], 0, 0, 1, device="cpu"),
        Invocation(T(1, 3), [3, 4], 0, 0, 1, device="cpu"),
        Invocation(T(3), [3, 4], 0, 0, 0, device="cpu"),
    ],
)
def diagonal_backward(
    grad_output: List[int], input_sizes: List[int], offset: int, dim1: int, dim2: int
) -> List[int]:
    """Zeros of the size that is given, with the gradient in the diagonal."""
    check_expands(grad_output, diagonal_rule(input_sizes, offset, dim1, dim2))
    return given_size(input_sizes)


@dtype_function("aten::diagonal_backward")
def diagonal_backward_dtype(
    grad_output: Tuple[int, int], input_sizes: List[int], offset: int, dim1: int, dim2: int
) -> int:
    """That of the gradient."""
    return grad_output[1]


def as_matrix(block: List[int]) -> List[int]:
    """The shape of a block: a number or a vector is a row."""
    assert len(block) <= 2, f"a block has at most two dimensions, got shape {block}"
    return [1] * (2 - len(block)) + block


@shape_function(
    "aten::block_diag",
    ok=[
        Invocation([]),
        Invocation([T()]),
        Invocation([T(2, 3), T(4), T()]),
        Invocation([T(0, 3), T(4)]),
        Invocation([T(0), T(4)]),
        *[Invocation([T(3, dtype=dtype)]) for dtype in _DTYPES],
    ],
    error=[Invocation([T(2), T(1, 2, 3)])],
)
def block_diag(tensors: List[List[int]]) -> List[int]:
    """Rows and columns add up; without a block there is an empty row."""
    rows = 0 if len(tensors) > 0 else 1
    columns = 0
    for tensor in tensors:
        block = as_matrix(tensor)
        rows = rows + block[0]
        columns = columns + block[1]
    return [rows, columns]


# The meta kernel promotes zero-dim tensors as if they were matrices.
@dtype_function(
    "aten::block_diag",
    ok=[
        Invocation([T(2, dtype=torch.float16), T(2, dtype=torch.int64)]),
        Invocation([T(2, dtype=torch.float16), T(dtype=torch.float64)], device="cpu"),
        Invocation([T(2, dtype=torch.int64), T(dtype=torch.float64)]),
        Invocation([T(2, dtype=torch.bool), T(dtype=torch.int32)]),
        Invocation([T(2, dtype=torch.complex64), T(2, dtype=torch.float64)]),
    ],
)
def block_diag_dtype(tensors: List[Tuple[int, int]]) -> int:
    """All blocks promote together; without one the dtype is float32."""
    return promote_list(tensors) if len(tensors) > 0 else torch.float32


def entries_up_to(diagonal: int, columns: int) -> int:
    """How many entries rows of 0, 1, 2, ... `diagonal` entries have, cut off at `columns`."""
    whole = max(min(diagonal, columns), 0)
    return whole * (whole + 1) // 2 + columns * max(diagonal - columns, 0)


def lower_entries(row: int, col: int, offset: int) -> int:
    """How many entries of a matrix are not more than `offset` columns right of the diagonal.

    Row i has i + offset + 1 of them, as far as there are columns.
    """
    return entries_up_to(row + offset, col) - entries_up_to(offset, col)


def tril_indices_rule(row: int, col: int, offset: int) -> List[int]:
    """The row and the column of each entry of the lower triangle."""
    assert row >= 0 and col >= 0, f"sizes must not be negative, got {row} and {col}"
    return [2, lower_entries(row, col, offset)]


def triu_indices_rule(row: int, col: int, offset: int) -> List[int]:
    """The row and the column of each entry of the upper triangle."""
    assert row >= 0 and col >= 0, f"sizes must not be negative, got {row} and {col}"
    return [2, row * col - lower_entries(row, col, offset - 1)]


_TRIANGLE_OK = [
    *[Invocation(3, 4, offset) for offset in (-9, -3, -2, -1, 0, 1, 2, 3, 4, 9)],
    *[Invocation(5, 2, offset=offset) for offset in (-5, -4, -3, -1, 0, 1, 2)],
    Invocation(0, 4),
    Invocation(3, 0, 1),
    Invocation(3, 4, dtype=torch.int32),
    Invocation(3, 4, dtype=None),
]
_TRIANGLE_ERROR = [Invocation(-1, 4), Invocation(3, -1)]
shape_family(tril_indices_rule, "aten::tril_indices", ok=_TRIANGLE_OK, error=_TRIANGLE_ERROR)
shape_family(triu_indices_rule, "aten::triu_indices", ok=_TRIANGLE_OK, error=_TRIANGLE_ERROR)


dtype_family(dtype_or_int64, "aten::tril_indices", "aten::triu_indices")
