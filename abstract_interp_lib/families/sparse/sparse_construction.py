"""Construction of sparse tensors: COO, from diagonals, and compressed (CSR, CSC, BSR, BSC).

In BSR and BSC the elements are blocks.
"""

import math
from collections.abc import Sequence
from typing import Any, List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.factories import dtype_or_default, given_size
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size


def compressed_size(
    compressed_indices: List[int], values: List[int], columns: bool, blocks: bool
) -> List[int]:
    """The sizes of a compressed tensor inferred from its members: batch, matrix, and dense sizes.

    There is one compressed index more than compressed rows or columns; the size of the plain
    dimension is the maximum plain index plus 1, which is data-dependent.
    """
    batch = len(compressed_indices) - 1
    assert batch >= 0, (
        f"compressed indices must have at least 1 dimension, got shape {compressed_indices}"
    )
    block_rank = 2 if blocks else 0
    assert len(values) > batch + block_rank, (
        f"values must have more than {batch + block_rank} dimensions, got shape {values}"
    )
    length = max(compressed_indices[batch] - 1, 0)
    if blocks:
        length = length * values[batch + (2 if columns else 1)]
    matrix = [unknown_size(), length] if columns else [length, unknown_size()]
    return compressed_indices[:batch] + matrix + values[batch + 1 + block_rank :]


def dtype_of_values_too(values: Tuple[int, int], dtype: Optional[int]) -> int:
    """The dtype of the values, which the argument `dtype` must equal."""
    if dtype is not None:
        assert dtype == values[1], f"dtype must match that of values, got {dtype} and {values[1]}"
    return values[1]


_DTYPES = (
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.uint8,
    torch.bool,
    torch.complex64,
)


def compressed_rows(crow_indices: List[int], values: List[int]) -> List[int]:
    """The number of rows is inferred from the compressed indices."""
    return compressed_size(crow_indices, values, False, False)


def compressed_columns(ccol_indices: List[int], values: List[int]) -> List[int]:
    """The number of columns is inferred from the compressed indices."""
    return compressed_size(ccol_indices, values, True, False)


def compressed_block_rows(crow_indices: List[int], values: List[int]) -> List[int]:
    """The number of block rows is inferred from the compressed indices."""
    return compressed_size(crow_indices, values, False, True)


def compressed_block_columns(ccol_indices: List[int], values: List[int]) -> List[int]:
    """The number of block columns is inferred from the compressed indices."""
    return compressed_size(ccol_indices, values, True, True)


# There are no meta kernels for data-dependent sizes.
def parts(values: TensorCase, *batch: int) -> list[TensorCase]:
    """Three values in two rows or columns, per matrix of a batch."""
    repeat = math.prod(batch)
    return [
        T(*batch, 3, dtype=torch.int64, values=[0, 2, 3] * repeat),
        T(*batch, 3, dtype=torch.int64, values=[0, 1, 3] * repeat),
        values,
    ]


def construction_ok(*block: int) -> list[Invocation]:
    """Cases for matrices of scalars, or of blocks."""
    return [
        Invocation(*parts(T(3, *block)), device="cpu"),
        Invocation(*parts(T(3, *block, 7)), device="cpu"),
        Invocation(*parts(T(5, 3, *block), 5), device="cpu"),
        Invocation(*parts(T(6, 5, 3, *block, 7), 6, 5), device="cpu"),
        Invocation(T(1, dtype=torch.int64), T(0, dtype=torch.int64), T(0, *block), device="cpu"),
    ]


def construction_error(*block: int) -> list[Invocation]:
    """Rejected cases of these."""
    indices = T(0, dtype=torch.int64)
    return [
        Invocation(T(dtype=torch.int64, values=[0]), indices, T(0, *block), device="cpu"),
        Invocation(*parts(T()), device="cpu"),
    ]


def construction_of_dtypes(*rest: Any, block: Sequence[int] = (), **named: Any) -> list[Invocation]:
    """Cases for the dtypes of values, which the argument `dtype` must equal."""
    return [
        Invocation(*parts(T(3, *block, dtype=dtype)), *rest, dtype=dtype, device="cpu", **named)
        for dtype in _DTYPES
    ]


_BLOCK = (2, 3)
_OF_OTHER_DTYPE = [Invocation(*parts(T(3)), dtype=torch.float64, device="cpu")]
_OF_OTHER_DTYPE_BLOCKS = [Invocation(*parts(T(3, *_BLOCK)), dtype=torch.float64, device="cpu")]
shape_family(
    compressed_rows,
    "aten::sparse_csr_tensor.crow_col_value",
    ok=construction_ok(),
    error=construction_error(),
)
shape_family(
    compressed_columns,
    "aten::sparse_csc_tensor.ccol_row_value",
    ok=construction_ok(),
    error=construction_error(),
)
shape_family(
    compressed_block_rows,
    "aten::sparse_bsr_tensor.crow_col_value",
    ok=construction_ok(*_BLOCK),
    error=construction_error(*_BLOCK),
)
shape_family(
    compressed_block_columns,
    "aten::sparse_bsc_tensor.ccol_row_value",
    ok=construction_ok(*_BLOCK),
    error=construction_error(*_BLOCK),
)
dtype_family(
    dtype_of_values_too,
    "aten::sparse_csr_tensor.crow_col_value",
    "aten::sparse_csc_tensor.ccol_row_value",
    ok=construction_of_dtypes(),
    error=_OF_OTHER_DTYPE,
)
dtype_family(
    dtype_of_values_too,
    "aten::sparse_bsr_tensor.crow_col_value",
    "aten::sparse_bsc_tensor.ccol_row_value",
    ok=construction_of_dtypes(block=_BLOCK),
    error=_OF_OTHER_DTYPE_BLOCKS,
)


def compressed_anyhow(
    compressed_indices: List[int], values: List[int], layout: Optional[int]
) -> List[int]:
    """The compressed size is inferred; layouts 2, 4, 5, 6 are CSR, CSC, BSR, BSC."""
    name = 0 if layout is None else layout
    assert name == 2 or (name >= 4 and name <= 6), (
        f"layout must be CSR, CSC, BSR or BSC, got {name}"
    )
    return compressed_size(
        compressed_indices, values, name == 4 or name == 6, name == 5 or name == 6
    )


_CSR = torch.sparse_csr
_ANYHOW = "aten::sparse_compressed_tensor.comp_plain_value"
shape_family(
    compressed_anyhow,
    _ANYHOW,
    ok=[
        Invocation(*parts(T(3, 7)), layout=_CSR, device="cpu"),
        Invocation(*parts(T(5, 3, 7), 5), layout=torch.sparse_csc, device="cpu"),
    ],
    error=[
        Invocation(*parts(T(3)), device="cpu"),
        Invocation(*parts(T(3)), layout=torch.sparse_coo, device="cpu"),
        Invocation(*parts(T()), layout=_CSR, device="cpu"),
    ],
)
dtype_family(dtype_of_values_too, _ANYHOW, ok=construction_of_dtypes(layout=_CSR))

# With sizes given, the values of the indices are not needed.
_ROWS_OR_COLUMNS = (
    "aten::sparse_csr_tensor.crow_col_value_size",
    "aten::sparse_csc_tensor.ccol_row_value_size",
    "aten::_sparse_csr_tensor_unsafe",
    "aten::_sparse_csc_tensor_unsafe",
)
_OF_BLOCKS = (
    "aten::sparse_bsr_tensor.crow_col_value_size",
    "aten::sparse_bsc_tensor.ccol_row_value_size",
    "aten::_sparse_bsr_tensor_unsafe",
    "aten::_sparse_bsc_tensor_unsafe",
)
_COMPRESSED = (
    "aten::sparse_compressed_tensor.comp_plain_value_size",
    "aten::_sparse_compressed_tensor_unsafe",
)
shape_family(
    given_size,
    *_ROWS_OR_COLUMNS,
    ok=[
        Invocation(*parts(T(3)), [2, 4], device="cpu"),
        Invocation(*parts(T(3, 7)), [2, 4, 7], device="cpu"),
        Invocation(*parts(T(5, 3), 5), [5, 2, 4], device="cpu"),
    ],
    error=[Invocation(*parts(T(3)), [2, -4], device="cpu")],
)
dtype_family(
    dtype_of_values_too,
    *_ROWS_OR_COLUMNS,
    ok=construction_of_dtypes([2, 4]),
    error=[Invocation(*parts(T(3)), [2, 4], dtype=torch.float64, device="cpu")],
)
shape_family(
    given_size,
    *_OF_BLOCKS,
    ok=[Invocation(*parts(T(3, *_BLOCK)), [4, 12], device="cpu")],
    error=[Invocation(*parts(T(3, *_BLOCK)), [4, -12], device="cpu")],
)
dtype_family(dtype_of_values_too, *_OF_BLOCKS, ok=construction_of_dtypes([4, 12], block=_BLOCK))
shape_family(
    given_size,
    *_COMPRESSED,
    ok=[
        Invocation(*parts(T(3)), [2, 4], layout=_CSR, device="cpu"),
        Invocation(*parts(T(3, *_BLOCK)), [4, 12], layout=torch.sparse_bsr, device="cpu"),
    ],
    error=[Invocation(*parts(T(3)), [2, -4], layout=_CSR, device="cpu")],
)
dtype_family(dtype_of_values_too, *_COMPRESSED, ok=construction_of_dtypes([2, 4], layout=_CSR))


def of_matrices(dense_dim: int, size: List[int]) -> List[int]:
    """The argument `size`: a batch, a matrix, and `dense_dim` dense sizes."""
    assert len(size) >= dense_dim + 2, (
        f"size must have {dense_dim + 2} entries for {dense_dim} dense dimensions, got {size}"
    )
    return given_size(size)


_WITH_DIMS = "aten::_sparse_compressed_tensor_with_dims"
shape_family(
    of_matrices,
    _WITH_DIMS,
    ok=[
        Invocation(3, 0, [2, 4], [], torch.int64, layout=_CSR),
        Invocation(3, 1, [6, 2, 4, 5], [], torch.int32, layout=_CSR),
        Invocation(3, 0, [2, 4], [2, 2], torch.int64, layout=torch.sparse_bsr),
    ],
    error=[
        Invocation(3, 0, [2], [], torch.int64, layout=_CSR),
        Invocation(3, 0, [2, -4], [], torch.int64, layout=_CSR),
    ],
)
dtype_family(
    dtype_or_default,
    _WITH_DIMS,
    ok=[
        Invocation(3, 0, [2, 4], [], torch.int64, dtype=dtype, layout=_CSR)
        for dtype in (*_DTYPES, None)
    ],
)


# Construction of sparse tensors in the layout COO, and from diagonals.
#
# A tensor type consists of sizes and dtype, independent of the layout.

_INDICES = T(2, 3, dtype=torch.int64)


def dtype_of_values(values: Tuple[int, int]) -> int:
    """The dtype of the values; the argument `dtype` is ignored."""
    return values[1]


# COO indices. Each column of `indices` is the position of an element of `values`.
def from_coordinates(indices: List[int], values: List[int]) -> List[int]:
    """Sizes inferred from the maximum indices, followed by the dense sizes."""
    assert len(indices) == 2, f"indices must be a matrix, got shape {indices}"
    return [unknown_size() for _ in range(indices[0])] + values[1:]


# For empty indices the meta kernel also knows the sizes.
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
    """The argument `size`: one per row of the indices, and the dense sizes."""
    assert len(indices) > 0, f"indices must have at least 1 dimension, got shape {indices}"
    dense = max(len(values) - 1, 0)
    assert len(size) == indices[0] + dense, (
        f"size must have {indices[0]} sparse and {dense} dense entries, got {size}"
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
    """The argument `size`, of `sparse_dim` sparse and `dense_dim` dense sizes."""
    assert sparse_dim + dense_dim == len(size), (
        f"size must have {sparse_dim} sparse and {dense_dim} dense entries, got {size}"
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
    """The argument `shape`, a matrix with one diagonal per offset."""
    assert len(diagonals) == 1 or len(diagonals) == 2, (
        f"aten::_spdiags: diagonals must be 1-D or 2-D, got shape {diagonals}"
    )
    assert len(offsets) <= 1, f"aten::_spdiags: offsets must be 0-dim or 1-D, got shape {offsets}"
    assert len(shape) == 2, f"aten::_spdiags: shape must have 2 entries, got {shape}"
    rows = diagonals[0] if len(diagonals) == 2 else 1
    count = offsets[0] if len(offsets) == 1 else 1
    assert rows == count, (
        f"aten::_spdiags: diagonals and offsets must have the same length, got {rows} and {count}"
    )
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
