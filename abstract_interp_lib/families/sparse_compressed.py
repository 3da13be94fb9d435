"""Sparse tensors made from compressed rows or columns: the layouts CSR, CSC, BSR and BSC.

The last two hold blocks instead of numbers.
"""

import math
from collections.abc import Sequence
from typing import Any, List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.factories import dtype_or_default, given_size
from torch_refine.abstract_interp_lib.rules.sparse import compressed_size, dtype_of_values_too

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
    """As many rows as the indices tell."""
    return compressed_size(crow_indices, values, False, False)


def compressed_columns(ccol_indices: List[int], values: List[int]) -> List[int]:
    """As many columns as the indices tell."""
    return compressed_size(ccol_indices, values, True, False)


def compressed_block_rows(crow_indices: List[int], values: List[int]) -> List[int]:
    """As many rows of blocks as the indices tell."""
    return compressed_size(crow_indices, values, False, True)


def compressed_block_columns(ccol_indices: List[int], values: List[int]) -> List[int]:
    """As many columns of blocks as the indices tell."""
    return compressed_size(ccol_indices, values, True, True)


# There are no meta kernels where values decide on a size.
def parts(values: TensorCase, *batch: int) -> list[TensorCase]:
    """Three values in two rows or columns, for each matrix of a batch."""
    repeat = math.prod(batch)
    return [
        T(*batch, 3, dtype=torch.int64, values=[0, 2, 3] * repeat),
        T(*batch, 3, dtype=torch.int64, values=[0, 1, 3] * repeat),
        values,
    ]


def construction_ok(*block: int) -> list[Invocation]:
    """Cases for matrices of numbers, or of blocks."""
    return [
        Invocation(*parts(T(3, *block)), device="cpu"),
        Invocation(*parts(T(3, *block, 7)), device="cpu"),
        Invocation(*parts(T(5, 3, *block), 5), device="cpu"),
        Invocation(*parts(T(6, 5, 3, *block, 7), 6, 5), device="cpu"),
        Invocation(T(1, dtype=torch.int64), T(0, dtype=torch.int64), T(0, *block), device="cpu"),
    ]


def construction_error(*block: int) -> list[Invocation]:
    """What is rejected of them."""
    indices = T(0, dtype=torch.int64)
    return [
        Invocation(T(dtype=torch.int64, values=[0]), indices, T(0, *block), device="cpu"),
        Invocation(*parts(T()), device="cpu"),
    ]


def construction_of_dtypes(*rest: Any, block: Sequence[int] = (), **named: Any) -> list[Invocation]:
    """Cases for the dtypes of values, which the argument `dtype` must repeat."""
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
    """What `layout` compresses is as many as the indices tell; 2, 4, 5, 6 are CSR, CSC, BSR, BSC."""
    name = 0 if layout is None else layout
    assert name == 2 or (name >= 4 and name <= 6), (
        f"layout must be one of compressed rows or columns, got {name}"
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

# The sizes are given, so that nothing of the indices matters.
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
    """The sizes given: a batch, a matrix, and `dense_dim` more."""
    assert len(size) >= dense_dim + 2, (
        f"a matrix of entries with {dense_dim} dimensions needs {dense_dim + 2} sizes, got {size}"
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
