"""Permuted dimensions: `permute`, `transpose`; diagonals, triangles, sliding windows."""

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
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, wrap_dim, wrap_dims
from torch_refine.abstract_interp_lib.rules.factories import dtype_or_int64, given_size
from torch_refine.abstract_interp_lib.rules.formulas.triangles import lower_entries
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.promotion import promote_list
from torch_refine.abstract_interp_lib.rules.sizes import (
    append_size,
    insert_size,
    product,
    replace_size,
)

_OTHER_DTYPES = (torch.float16, torch.int64, torch.uint8, torch.bool, torch.complex64)


def permute_rule(self: List[int], dims: List[int]) -> List[int]:
    """The dimensions in the order of `dims`."""
    assert len(dims) == len(self), f"dims must have {len(self)} entries, got {dims}"
    return [self[dim] for dim in wrap_dims(dims, len(self))]


shape_family(
    permute_rule,
    "aten::permute",
    "aten::permute_copy",
    ok=[
        Invocation(T(2, 3, 4), [2, 0, 1]),
        Invocation(T(2, 3, 4), [-1, 0, -2]),
        Invocation(T(), []),
        Invocation(T(0, 3), [1, 0]),
        *[Invocation(T(2, 3, dtype=dtype), [1, 0]) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(2, 3), [0, 0]),
        Invocation(T(2, 3), [0]),
        Invocation(T(2, 3), [0, 2]),
    ],
)
dtype_family(dtype_of_self, "aten::permute", "aten::permute_copy")


def swap(sizes: List[int], first: int, second: int) -> List[int]:
    """`sizes` with two non-negative dimensions swapped."""
    out = list(sizes)
    out[first] = sizes[second]
    out[second] = sizes[first]
    return out


def transpose_rule(self: List[int], dim0: int, dim1: int) -> List[int]:
    """Swap two dimensions; a 0-dim tensor is returned unchanged."""
    first = wrap_dim(dim0, len(self))
    second = wrap_dim(dim1, len(self))
    if len(self) == 0:
        return self
    else:
        return swap(self, first, second)


def swapaxes_rule(self: List[int], axis0: int, axis1: int) -> List[int]:
    """Swap two dimensions; a 0-dim tensor is returned unchanged."""
    return transpose_rule(self, axis0, axis1)


_TRANSPOSE_OK = [
    Invocation(T(2, 3, 4), 0, 1),
    Invocation(T(2, 3, 4), -1, 0),
    Invocation(T(2, 3), 1, 1),
    Invocation(T(), 0, -1),
    Invocation(T(0, 3), 0, 1),
    *[Invocation(T(2, 3, dtype=dtype), 0, 1) for dtype in _OTHER_DTYPES],
]
_TRANSPOSE_ERROR = [
    Invocation(T(2, 3), 0, 2),
    Invocation(T(), 0, 1),
]
_TRANSPOSES = ["aten::transpose.int", "aten::transpose_copy.int", "aten::swapdims"]

shape_family(transpose_rule, *_TRANSPOSES, ok=_TRANSPOSE_OK, error=_TRANSPOSE_ERROR)
dtype_family(dtype_of_self, *_TRANSPOSES)
shape_family(swapaxes_rule, "aten::swapaxes", ok=_TRANSPOSE_OK, error=_TRANSPOSE_ERROR)
dtype_family(dtype_of_self, "aten::swapaxes")


def reverse(sizes: List[int]) -> List[int]:
    """The sizes in reverse order."""
    return [sizes[len(sizes) - 1 - index] for index in range(len(sizes))]


def t_rule(self: List[int]) -> List[int]:
    """The transpose of a matrix; 1-D and 0-dim tensors are returned unchanged."""
    assert len(self) <= 2, f"self must have at most 2 dimensions, got {len(self)}"
    return reverse(self)


def numpy_t_rule(self: List[int]) -> List[int]:
    """All dimensions reversed."""
    return reverse(self)


def matrix_transpose_rule(self: List[int]) -> List[int]:
    """Swap the last two dimensions; a 0-dim tensor is returned unchanged."""
    assert len(self) != 1, f"self must be a matrix or a batch of matrices, got rank {len(self)}"
    return transpose_rule(self, -2, -1) if len(self) > 0 else self


_MATRIX_OK = [
    Invocation(T(2, 3)),
    Invocation(T(0, 3)),
    Invocation(T()),
    *[Invocation(T(2, 3, dtype=dtype)) for dtype in _OTHER_DTYPES],
]

shape_family(
    t_rule,
    "aten::t",
    "aten::t_copy",
    ok=[*_MATRIX_OK, Invocation(T(3))],
    error=[Invocation(T(2, 3, 4))],
)
dtype_family(dtype_of_self, "aten::t", "aten::t_copy")

shape_family(
    numpy_t_rule,
    "aten::numpy_T",
    "aten::numpy_T.a",
    ok=[*_MATRIX_OK, Invocation(T(3)), Invocation(T(2, 3, 4))],
)
dtype_family(dtype_of_self, "aten::numpy_T", "aten::numpy_T.a")

_BATCHED = ["aten::mT", "aten::mT.a", "aten::mH", "aten::mH.a", "aten::adjoint"]

shape_family(
    matrix_transpose_rule,
    *_BATCHED,
    ok=[*_MATRIX_OK, Invocation(T(5, 2, 3))],
    error=[Invocation(T(3))],
)
dtype_family(dtype_of_self, *_BATCHED)


def movedim_rule(self: List[int], source: List[int], destination: List[int]) -> List[int]:
    """The dimensions in `source` move to `destination`; the others keep their order."""
    assert len(source) == len(destination), (
        f"source and destination must have the same length, got {source} and {destination}"
    )
    moved = wrap_dims(source, len(self))
    places = wrap_dims(destination, len(self))
    others: List[int] = []
    for dim in range(len(self)):
        if dim not in moved:
            others.append(dim)
    out: List[int] = []
    used = 0
    for place in range(len(self)):
        if place in places:
            out.append(self[moved[places.index(place)]])
        else:
            out.append(self[others[used]])
            used = used + 1
    return out


def movedim_int_rule(self: List[int], source: int, destination: int) -> List[int]:
    """The dimension `source` moves to `destination`."""
    return movedim_rule(self, [source], [destination])


shape_family(
    movedim_int_rule,
    "aten::movedim.int",
    "aten::moveaxis.int",
    ok=[
        Invocation(T(2, 3, 4), 0, 2),
        Invocation(T(2, 3, 4), -1, 0),
        Invocation(T(2, 3, 4), 1, 1),
        Invocation(T(), 0, -1),
        Invocation(T(0, 3), 0, 1),
        *[Invocation(T(2, 3, dtype=dtype), 0, 1) for dtype in _OTHER_DTYPES],
    ],
    error=[Invocation(T(2, 3), 2, 0), Invocation(T(2, 3), 0, -3)],
)
dtype_family(dtype_of_self, "aten::movedim.int", "aten::moveaxis.int")

shape_family(
    movedim_rule,
    "aten::movedim.intlist",
    "aten::moveaxis.intlist",
    ok=[
        Invocation(T(2, 3, 4, 5), [0, 1], [-1, 0]),
        Invocation(T(2, 3, 4, 5), [3, 1], [0, 2]),
        Invocation(T(2, 3), [], []),
        Invocation(T(), [0], [0]),
        *[Invocation(T(2, 3, dtype=dtype), [0], [1]) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(2, 3), [0, 0], [0, 1]),
        Invocation(T(2, 3), [0, 1], [1]),
        Invocation(T(2, 3), [0], [2]),
    ],
)
dtype_family(dtype_of_self, "aten::movedim.intlist", "aten::moveaxis.intlist")


def diagonal_rule(self: List[int], offset: int, dim1: int, dim2: int) -> List[int]:
    """Two dimensions are replaced by a last one, the diagonal at `offset`."""
    first = wrap_dim(dim1, len(self))
    second = wrap_dim(dim2, len(self))
    assert first != second, f"dim1 and dim2 must differ, got {dim1} and {dim2}"
    rows = self[first] + min(offset, 0)
    columns = self[second] - max(offset, 0)
    out: List[int] = []
    for dim in range(len(self)):
        if dim != first and dim != second:
            out.append(self[dim])
    out.append(max(min(rows, columns), 0))
    return out


_DIAGONAL_OK = [
    Invocation(T(3, 4)),
    Invocation(T(3, 4), offset=1),
    Invocation(T(3, 4), offset=-1),
    Invocation(T(3, 4), offset=5),
    Invocation(T(3, 4), offset=-5),
    Invocation(T(2, 3, 4), dim1=2, dim2=0),
    Invocation(T(2, 3, 4), dim1=-1, dim2=-2),
    Invocation(T(0, 3)),
    *[Invocation(T(2, 3, dtype=dtype)) for dtype in _OTHER_DTYPES],
]
_DIAGONAL_ERROR = [Invocation(T(3, 4), dim1=0, dim2=-2), Invocation(T(3)), Invocation(T())]

shape_family(
    diagonal_rule,
    "aten::diagonal",
    "aten::diagonal_copy",
    ok=_DIAGONAL_OK,
    error=_DIAGONAL_ERROR,
)
dtype_family(dtype_of_self, "aten::diagonal", "aten::diagonal_copy")


def unfold_rule(self: List[int], dimension: int, size: int, step: int) -> List[int]:
    """`dimension` becomes the number of windows; a last dimension of `size` is appended."""
    at = wrap_dim(dimension, len(self))
    extent = 1
    if len(self) > 0:
        extent = self[at]
    assert size >= 0, f"size must not be negative, got {size}"
    assert size <= extent, f"size must be at most the size {extent} of the dimension, got {size}"
    assert step > 0, f"step must be positive, got {step}"
    if len(self) == 0:
        return [size]
    else:
        return append_size(replace_size(self, at, (extent - size) // step + 1), size)


shape_family(
    unfold_rule,
    "aten::unfold",
    "aten::unfold_copy",
    ok=[
        Invocation(T(5, 3), 0, 2, 2),
        Invocation(T(5, 3), -1, 3, 1),
        Invocation(T(5, 3), 0, 0, 2),
        Invocation(T(), 0, 1, 1),
        Invocation(T(0, 3), 0, 0, 1),
        Invocation(T(5, dtype=torch.float16), 0, 2, 1),
        Invocation(T(5, dtype=torch.int64), 0, 2, 1),
        Invocation(T(5, dtype=torch.bool), 0, 2, 1),
    ],
    error=[
        Invocation(T(5), 0, 6, 1),
        Invocation(T(5), 0, 2, 0),
        Invocation(T(5), 0, -1, 1),
        Invocation(T(5), 1, 2, 1),
    ],
)
dtype_family(dtype_of_self, "aten::unfold", "aten::unfold_copy")


# Diagonal and block matrices, and indices of triangles.

_DTYPES = (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.bool, torch.complex64)


def square(size: int, offset: int) -> List[int]:
    """The smallest square matrix with a diagonal of this size at `offset`."""
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
    """A vector becomes the diagonal of a matrix; for a matrix, its diagonal."""
    assert len(self) == 1 or len(self) == 2, (
        f"aten::diag: self must be 1-D or 2-D, got shape {self}"
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
    assert first != second, f"aten::diag_embed: dim1 and dim2 must differ, got {dim1} and {dim2}"
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
    """The flattened input becomes the diagonal of a matrix."""
    return square(product(self), offset)


dtype_family(dtype_of_self, "aten::diag", "aten::diag_embed", "aten::diagflat")


# The meta kernel does not check the gradient.
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
    """The argument `input_sizes`: zeros, with the gradient on the diagonal."""
    check_expands(grad_output, diagonal_rule(input_sizes, offset, dim1, dim2))
    return given_size(input_sizes)


@dtype_function("aten::diagonal_backward")
def diagonal_backward_dtype(
    grad_output: Tuple[int, int], input_sizes: List[int], offset: int, dim1: int, dim2: int
) -> int:
    """The dtype of the gradient."""
    return grad_output[1]


def as_matrix(block: List[int]) -> List[int]:
    """The shape of a block: a 0-dim or 1-D tensor is a row."""
    assert len(block) <= 2, f"blocks must have at most 2 dimensions, got shape {block}"
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
    """Rows and columns are summed; without blocks the result has shape [1, 0]."""
    rows = 0 if len(tensors) > 0 else 1
    columns = 0
    for tensor in tensors:
        block = as_matrix(tensor)
        rows = rows + block[0]
        columns = columns + block[1]
    return [rows, columns]


# The meta kernel promotes 0-dim tensors as if they were matrices.
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
    """All blocks promote together; the default is float32."""
    return promote_list(tensors) if len(tensors) > 0 else torch.float32


def tril_indices_rule(row: int, col: int, offset: int) -> List[int]:
    """Row and column index of each element of the lower triangle."""
    assert row >= 0 and col >= 0, f"sizes must not be negative, got {row} and {col}"
    return [2, lower_entries(row, col, offset)]


def triu_indices_rule(row: int, col: int, offset: int) -> List[int]:
    """Row and column index of each element of the upper triangle."""
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
