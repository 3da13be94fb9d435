"""Reordered dimensions: `permute`, `transpose`, `movedim`; diagonals and sliding windows."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.dims import (
    dtype_of_self,
    wrap_dim,
    wrap_dims,
)
from torch_refine.abstract_interp_lib.rules.sizes import append_size, replace_size

_OTHER_DTYPES = (torch.float16, torch.int64, torch.uint8, torch.bool, torch.complex64)


def permute_rule(self: List[int], dims: List[int]) -> List[int]:
    """The dimensions in the order of `dims`."""
    assert len(dims) == len(self), f"dims must name all {len(self)} dimensions, got {dims}"
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
    """`sizes` with two dimensions, counted from the front, exchanged."""
    out = list(sizes)
    out[first] = sizes[second]
    out[second] = sizes[first]
    return out


def transpose_rule(self: List[int], dim0: int, dim1: int) -> List[int]:
    """Two dimensions change places; a zero-dim tensor stays what it is."""
    first = wrap_dim(dim0, len(self))
    second = wrap_dim(dim1, len(self))
    if len(self) == 0:
        return self
    else:
        return swap(self, first, second)


def swapaxes_rule(self: List[int], axis0: int, axis1: int) -> List[int]:
    """Two dimensions change places; a zero-dim tensor stays what it is."""
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
    """The sizes from the last to the first."""
    return [sizes[len(sizes) - 1 - index] for index in range(len(sizes))]


def t_rule(self: List[int]) -> List[int]:
    """The transpose of a matrix; vectors and zero-dim tensors stay what they are."""
    assert len(self) <= 2, f"self must have at most 2 dimensions, got {len(self)}"
    return reverse(self)


def numpy_t_rule(self: List[int]) -> List[int]:
    """All dimensions reversed."""
    return reverse(self)


def matrix_transpose_rule(self: List[int]) -> List[int]:
    """Every matrix of the batch transposed; a zero-dim tensor stays what it is."""
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
    """The dimensions of `source` stand at `destination`; the others keep their order."""
    assert len(source) == len(destination), (
        f"as many dimensions must be named as places, got {source} and {destination}"
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
    """The dimension `source` stands at `destination`."""
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
    """Two dimensions go, and a last one comes: the diagonal that starts `offset` columns off."""
    first = wrap_dim(dim1, len(self))
    second = wrap_dim(dim2, len(self))
    assert first != second, f"a diagonal needs two dimensions, got {dim1} and {dim2}"
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
    """Windows of `size`, `step` apart: how many there are at `dimension`, their size at the end."""
    at = wrap_dim(dimension, len(self))
    extent = 1
    if len(self) > 0:
        extent = self[at]
    assert size >= 0, f"the size of a window cannot be negative, got {size}"
    assert size <= extent, f"a window of {size} does not fit a dimension of size {extent}"
    assert step > 0, f"windows must be a positive step apart, got {step}"
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
