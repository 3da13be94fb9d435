"""Sparse tensors made from coordinates, the layout COO, and from diagonals.

The type of a tensor is its sizes and its dtype, whatever its layout.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.factories import dtype_or_default, given_size
from torch_refine.abstract_interp_lib.rules.sparse import dtype_of_values_too
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size

_DTYPES = (
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.uint8,
    torch.bool,
    torch.complex64,
)
_INDICES = T(2, 3, dtype=torch.int64)


def dtype_of_values(values: Tuple[int, int]) -> int:
    """The dtype of the values; the argument `dtype` is not looked at."""
    return values[1]


# Coordinates. Each column of `indices` is the place of an entry of `values`.
def from_coordinates(indices: List[int], values: List[int]) -> List[int]:
    """Sizes just large enough for the greatest coordinates, then those of one entry."""
    assert len(indices) == 2, f"indices must be a matrix, got shape {indices}"
    return [unknown_size() for _ in range(indices[0])] + values[1:]


# Without coordinates, the meta kernel knows the sizes, too.
shape_family(
    from_coordinates,
    "aten::sparse_coo_tensor.indices",
    ok=[
        Invocation(_INDICES, T(3), device="cpu"),
        Invocation(_INDICES, T(3, 4), device="cpu"),
        Invocation(T(1, 3, dtype=torch.int64), T(3, 4, 5), device="cpu"),
        Invocation(T(0, 3, dtype=torch.int64), T(3), device="cpu"),
        Invocation(T(2, 1, dtype=torch.int64), T(), device="cpu"),
        Invocation(T(2, 0, dtype=torch.int64), T(0, 4)),
        Invocation(_INDICES, T(3, dtype=torch.int64), dtype=torch.float32, device="cpu"),
    ],
    error=[Invocation(T(3, dtype=torch.int64), T(3), device="cpu")],
)
dtype_family(
    dtype_of_values,
    "aten::sparse_coo_tensor.indices",
    ok=[Invocation(_INDICES, T(3, dtype=dtype), device="cpu") for dtype in _DTYPES],
)


def from_coordinates_of_size(indices: List[int], values: List[int], size: List[int]) -> List[int]:
    """The sizes given: one for each row of coordinates, and those of one entry."""
    assert len(indices) > 0, f"indices must have a dimension, got shape {indices}"
    dense = max(len(values) - 1, 0)
    assert len(size) == indices[0] + dense, (
        f"there must be a size for each of {indices[0]} rows of indices and of {dense} dimensions "
        f"of an entry, got {size}"
    )
    return given_size(size)


_SIZED = ("aten::sparse_coo_tensor.indices_size", "aten::_sparse_coo_tensor_unsafe")
shape_family(
    from_coordinates_of_size,
    *_SIZED,
    ok=[
        Invocation(_INDICES, T(3), [4, 5]),
        Invocation(_INDICES, T(3), [4, 5], device="cpu"),
        Invocation(_INDICES, T(3, 6), [4, 5, 6]),
        Invocation(T(2, 1, dtype=torch.int64), T(), [4, 5]),
        Invocation(_INDICES, T(3, dtype=torch.int64), [4, 5], dtype=torch.float32),
    ],
    error=[
        Invocation(_INDICES, T(3), [4, 5, 6]),
        Invocation(_INDICES, T(3), [4, -5]),
        Invocation(T(dtype=torch.int64), T(1), [4], device="cpu"),
    ],
)
dtype_family(
    dtype_of_values,
    *_SIZED,
    ok=[Invocation(_INDICES, T(3, dtype=dtype), [4, 5]) for dtype in _DTYPES],
)


def of_dimensions(sparse_dim: int, dense_dim: int, size: List[int]) -> List[int]:
    """The sizes given, so many of them sparse and so many dense."""
    assert sparse_dim + dense_dim == len(size), (
        f"there must be {sparse_dim} sparse and {dense_dim} dense sizes, got {size}"
    )
    return given_size(size)


_COO = torch.sparse_coo
shape_family(
    of_dimensions,
    "aten::_sparse_coo_tensor_with_dims",
    ok=[
        Invocation(2, 0, [4, 5], layout=_COO),
        Invocation(1, 1, [4, 5], layout=_COO),
        Invocation(0, 0, [], layout=_COO),
    ],
    error=[
        Invocation(2, 0, [4, 5, 6], layout=_COO),
        Invocation(2, 0, [4, -5], layout=_COO),
    ],
)
dtype_family(
    dtype_or_default,
    "aten::_sparse_coo_tensor_with_dims",
    ok=[Invocation(1, 0, [4], layout=_COO, dtype=dtype) for dtype in _DTYPES],
)
shape_family(
    of_dimensions,
    "aten::_sparse_coo_tensor_with_dims_and_tensors",
    ok=[
        Invocation(2, 0, [4, 5], _INDICES, T(3), layout=_COO, device="cpu"),
        Invocation(2, 1, [4, 5, 6], _INDICES, T(3, 6), layout=_COO, device="cpu"),
    ],
    error=[Invocation(2, 0, [4, 5, 6], _INDICES, T(3), layout=_COO, device="cpu")],
)
dtype_family(
    dtype_of_values_too,
    "aten::_sparse_coo_tensor_with_dims_and_tensors",
    ok=[
        Invocation(
            2, 0, [4, 5], _INDICES, T(3, dtype=dtype), dtype=dtype, layout=_COO, device="cpu"
        )
        for dtype in _DTYPES
    ],
    error=[
        Invocation(*(2, 0, [4, 5], _INDICES, T(3)), dtype=torch.float64, layout=_COO, device="cpu")
    ],
)
shape_family(
    given_size,
    "aten::sparse_coo_tensor.size",
    ok=[Invocation([4, 5]), Invocation([]), Invocation([0, 3], layout=_COO)],
    error=[Invocation([4, -5])],
)
dtype_family(
    dtype_or_default,
    "aten::sparse_coo_tensor.size",
    ok=[Invocation([4], dtype=dtype) for dtype in (*_DTYPES, None)],
)


# There is no meta kernel.
@shape_function(
    "aten::_spdiags",
    ok=[
        Invocation(T(2, 4), T(2, dtype=torch.int64, values=[0, 1]), [4, 5], device="cpu"),
        Invocation(T(4), T(dtype=torch.int64, values=[0]), [4, 4], device="cpu"),
        Invocation(T(4), T(1, dtype=torch.int64), [0, 4], device="cpu"),
        Invocation(T(0, 4), T(0, dtype=torch.int64), [4, 4], torch.sparse_csr, device="cpu"),
        *[
            Invocation(T(1, 4, dtype=dtype), T(1, dtype=torch.int64), [4, 4], device="cpu")
            for dtype in _DTYPES
        ],
    ],
    error=[
        Invocation(T(2, 4), T(1, dtype=torch.int64), [4, 4], device="cpu"),
        Invocation(T(1, 2, 4), T(1, dtype=torch.int64), [4, 4], device="cpu"),
        Invocation(T(1, 4), T(1, 1, dtype=torch.int64), [4, 4], device="cpu"),
        Invocation(T(1, 4), T(1, dtype=torch.int64), [4], device="cpu"),
    ],
)
def _spdiags(
    diagonals: List[int], offsets: List[int], shape: List[int], layout: Optional[int] = None
) -> List[int]:
    """A matrix of the shape given, with a diagonal at each offset."""
    assert len(diagonals) == 1 or len(diagonals) == 2, (
        f"aten::_spdiags: diagonals must be a vector or a matrix, got shape {diagonals}"
    )
    assert len(offsets) <= 1, (
        f"aten::_spdiags: offsets must be a vector or zero-dim, got shape {offsets}"
    )
    assert len(shape) == 2, f"aten::_spdiags: shape must have 2 entries, got {shape}"
    rows = diagonals[0] if len(diagonals) == 2 else 1
    count = offsets[0] if len(offsets) == 1 else 1
    assert rows == count, f"aten::_spdiags: each diagonal needs an offset, got {rows} and {count}"
    return given_size(shape)


@dtype_function(
    "aten::_spdiags",
    error=[Invocation(T(1, 4), T(1, dtype=torch.int32), [4, 4], device="cpu")],
)
def _spdiags_dtype(
    diagonals: Tuple[int, int],
    offsets: Tuple[int, int],
    shape: List[int],
    layout: Optional[int] = None,
) -> int:
    """The dtype of the diagonals."""
    assert offsets[1] == torch.int64, (
        f"aten::_spdiags: offsets must be of dtype int64, got dtype {offsets[1]}"
    )
    return diagonals[1]
