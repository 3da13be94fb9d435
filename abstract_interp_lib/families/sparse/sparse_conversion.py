"""Conversion to and from sparse layouts; members of sparse tensors, their sizes, masks."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.families.sparse.sparse_construction import of_dimensions
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self
from torch_refine.abstract_interp_lib.rules.factories import dtype_or_same, given_size
from torch_refine.abstract_interp_lib.rules.matching import check_expands, check_same
from torch_refine.abstract_interp_lib.rules.reduction import int64_dtype
from torch_refine.abstract_interp_lib.rules.sizes import product
from torch_refine.abstract_interp_lib.rules.unknown import (
    unknown_dtype,
    unknown_size,
    unknown_sizes,
)

_DTYPES = (
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.uint8,
    torch.bool,
    torch.complex64,
)
_BLOCK = {"layout": torch.sparse_bsr, "blocksize": [2, 2]}

# A meta tensor has no values, so its nonzeros are unknown.
_SPARSE = ("aten::to_sparse", "aten::_to_sparse")
shape_family(
    same_as_self,
    *_SPARSE,
    ok=[
        Invocation(T(2, 4), device="cpu"),
        Invocation(T(), device="cpu"),
        Invocation(T(0, 4), device="cpu"),
        Invocation(T(3, 2, 4), dense_dim=1, device="cpu"),
        Invocation(T(3, 2, 4), layout=torch.sparse_csr, device="cpu"),
        Invocation(T(2, 4), **_BLOCK, device="cpu"),
    ],
)
dtype_family(
    dtype_of_self,
    *_SPARSE,
    ok=[Invocation(T(2, 4, dtype=dtype), device="cpu") for dtype in _DTYPES],
)


def to_coordinates(self: List[int], sparse_dim: int) -> List[int]:
    """The leading `sparse_dim` dimensions are sparse."""
    assert sparse_dim >= 0 and sparse_dim <= len(self), (
        f"sparse_dim must be between 0 and the rank {len(self)}, got {sparse_dim}"
    )
    return self


_OF_DIMENSION = ("aten::to_sparse.sparse_dim", "aten::_to_sparse.sparse_dim")
shape_family(
    to_coordinates,
    *_OF_DIMENSION,
    ok=[
        Invocation(T(2, 4), 1, device="cpu"),
        Invocation(T(2, 4), 2, device="cpu"),
        Invocation(T(), 0, device="cpu"),
        Invocation(T(0, 4), 1, device="cpu"),
    ],
    error=[Invocation(T(2, 4), 3, device="cpu"), Invocation(T(2, 4), -1, device="cpu")],
)
dtype_family(
    dtype_of_self,
    *_OF_DIMENSION,
    ok=[Invocation(T(2, 4, dtype=dtype), 1, device="cpu") for dtype in _DTYPES],
)


def check_dense_dim(self: List[int], dense_dim: Optional[int]) -> None:
    """Raise unless there are two dimensions before the dense dimensions."""
    dense = 0 if dense_dim is None else dense_dim
    assert dense >= 0 and dense <= len(self) - 2, (
        f"expected at least 2 dimensions before {dense} dense ones, got shape {self}"
    )


def to_compressed(self: List[int], dense_dim: Optional[int]) -> List[int]:
    """Matrices with compressed rows or columns."""
    check_dense_dim(self, dense_dim)
    return self


_ROWS_OR_COLUMNS = (
    "aten::to_sparse_csr",
    "aten::to_sparse_csc",
    "aten::_to_sparse_csr",
    "aten::_to_sparse_csc",
)
shape_family(
    to_compressed,
    *_ROWS_OR_COLUMNS,
    ok=[
        Invocation(T(2, 4), device="cpu"),
        Invocation(T(3, 2, 4), device="cpu"),
        Invocation(T(2, 4, 3), 1, device="cpu"),
        Invocation(T(0, 4), 0, device="cpu"),
    ],
    error=[
        Invocation(T(4), device="cpu"),
        Invocation(T(2, 4), 1, device="cpu"),
        Invocation(T(2, 4), -1, device="cpu"),
    ],
)
dtype_family(
    dtype_of_self,
    *_ROWS_OR_COLUMNS,
    ok=[Invocation(T(2, 4, dtype=dtype), device="cpu") for dtype in _DTYPES],
)


def to_blocks(self: List[int], blocksize: List[int], dense_dim: Optional[int]) -> List[int]:
    """Matrices with compressed block rows or block columns."""
    check_dense_dim(self, dense_dim)
    assert len(blocksize) == 2, f"blocksize must have 2 entries, got {blocksize}"
    assert blocksize[0] > 0 and blocksize[1] > 0, f"blocksize must be positive, got {blocksize}"
    if len(self) == 2:
        assert self[0] % blocksize[0] == 0 and self[1] % blocksize[1] == 0, (
            f"blocksize must divide the shape, got {blocksize} and {self}"
        )
    return self


_OF_BLOCKS = (
    "aten::to_sparse_bsr",
    "aten::to_sparse_bsc",
    "aten::_to_sparse_bsr",
    "aten::_to_sparse_bsc",
)
shape_family(
    to_blocks,
    *_OF_BLOCKS,
    ok=[
        Invocation(T(2, 4), [2, 2], device="cpu"),
        Invocation(T(3, 2, 6), [1, 3], device="cpu"),
        Invocation(T(2, 4, 3), [2, 2], 1, device="cpu"),
        Invocation(T(0, 4), [2, 2], device="cpu"),
    ],
    error=[
        Invocation(T(4), [2, 2], device="cpu"),
        Invocation(T(2, 4), [2, 2], 1, device="cpu"),
        Invocation(T(2, 4), [2], device="cpu"),
        Invocation(T(2, 4), [0, 1], device="cpu"),
        Invocation(T(2, 4), [3, 2], device="cpu"),
        Invocation(T(2, 4), [2, 3], device="cpu"),
    ],
)
dtype_family(
    dtype_of_self,
    *_OF_BLOCKS,
    ok=[Invocation(T(2, 4, dtype=dtype), [2, 2], device="cpu") for dtype in _DTYPES],
)

# Only the oneDNN layout supports another dtype; a dense tensor is converted.
shape_family(same_as_self, "aten::to_dense", ok=[Invocation(T(2, 3)), Invocation(T())])
dtype_family(
    dtype_or_same,
    "aten::to_dense",
    ok=[
        *[Invocation(T(2, dtype=dtype)) for dtype in _DTYPES],
        *[Invocation(T(2), dtype) for dtype in _DTYPES],
    ],
)


def to_mkldnn(self: List[int]) -> List[int]:
    """The shape of `self`, which has at most 5 dimensions."""
    assert len(self) <= 5, f"aten::to_mkldnn: self must have at most 5 dimensions, got shape {self}"
    return self


def to_mkldnn_dtype(self: Tuple[int, int], dtype: Optional[int]) -> int:
    """The argument `dtype`, or the dtype of `self`, if oneDNN supports it."""
    known = [torch.float32, torch.bfloat16, torch.float16, torch.uint8, torch.int8]
    assert self[1] in known, (
        f"aten::to_mkldnn: self must be float32, bfloat16, float16, uint8 or int8, "
        f"got dtype {self[1]}"
    )
    out = self[1] if dtype is None else dtype
    assert out in known, (
        f"aten::to_mkldnn: dtype must be float32, bfloat16, float16, uint8 or int8, got {out}"
    )
    return out


# There is no meta kernel, and only some CPUs support 16-bit floats.
shape_family(
    to_mkldnn,
    "aten::to_mkldnn",
    ok=[
        Invocation(T(2, 3), device="cpu"),
        Invocation(T(0, 3), device="cpu"),
        Invocation(T(1, 2, 3, 4, 5), device="cpu"),
    ],
    error=[Invocation(T(1, 2, 3, 4, 5, 6), device="cpu")],
)
dtype_family(
    to_mkldnn_dtype,
    "aten::to_mkldnn",
    ok=[
        Invocation(T(2, dtype=torch.uint8), device="cpu"),
        Invocation(T(2, dtype=torch.int8), device="cpu"),
        Invocation(T(2), torch.uint8, device="cpu"),
    ],
    error=[
        Invocation(T(2, dtype=torch.float64), device="cpu"),
        Invocation(T(2), torch.int64, device="cpu"),
    ],
)


def same_as_grad(grad: List[int]) -> List[int]:
    """The shape of the incoming gradient."""
    return grad


def dtype_of_input(input: Tuple[int, int]) -> int:
    """The dtype of the input."""
    return input[1]


shape_family(
    same_as_grad,
    "aten::to_mkldnn_backward",
    ok=[Invocation(T(2, 3), T(2, 3)), Invocation(T(), T())],
)
dtype_family(
    dtype_of_input,
    "aten::to_mkldnn_backward",
    ok=[Invocation(T(2), T(2, dtype=dtype)) for dtype in _DTYPES],
)


# Sparse tensors: their members, sizes and masks, and conversion to dense.

_COO = torch.sparse_coo
_CSR = torch.sparse_csr
_OF_DTYPES = [T(2, 3, dtype=dtype, layout=_COO) for dtype in _DTYPES]


def indices_sizes(self: List[int]) -> List[int]:
    """One row per sparse dimension, of which there are at most as many as dimensions."""
    return [unknown_size(), unknown_size()]


shape_family(
    indices_sizes,
    "aten::_indices",
    ok=[Invocation(tensor, device="cpu") for tensor in (*_OF_DTYPES, T(layout=_COO))],
)
dtype_family(int64_dtype, "aten::_indices")


def values_sizes(self: List[int]) -> List[int]:
    """The number of values and the dense sizes depend on values and layout."""
    return unknown_sizes()


_VALUES = ("aten::values", "aten::_values", "aten::values_copy")
shape_family(
    values_sizes,
    "aten::values",
    "aten::_values",
    ok=[Invocation(tensor, device="cpu") for tensor in (*_OF_DTYPES, T(layout=_COO))],
)
# The copy does not support COO.
shape_family(
    values_sizes,
    "aten::values_copy",
    ok=[
        Invocation(T(4, 6, dtype=dtype, layout=layout), device="cpu")
        for dtype in _DTYPES
        for layout in (_CSR, torch.sparse_bsc)
    ],
)
dtype_family(dtype_of_self, *_VALUES)

# Duplicate indices are summed by coalescing; the second operator tells whether it was done.
shape_family(
    same_as_self,
    "aten::coalesce",
    ok=[Invocation(tensor, device="cpu") for tensor in (*_OF_DTYPES, T(layout=_COO))],
)
shape_family(
    same_as_self,
    "aten::_coalesced",
    ok=[Invocation(tensor, True, device="cpu") for tensor in (*_OF_DTYPES, T(layout=_COO))],
)
dtype_family(dtype_of_self, "aten::coalesce", "aten::_coalesced")

# Only the oneDNN layout supports a conversion of the dtype.
shape_family(
    same_as_self,
    "aten::_to_dense",
    ok=[
        *[Invocation(tensor, device="cpu") for tensor in (*_OF_DTYPES, T(layout=_COO))],
        Invocation(T(2, 3, layout=_CSR), device="cpu"),
        Invocation(T(2, 3, layout=torch._mkldnn), device="cpu"),
    ],
)
dtype_family(dtype_or_same, "aten::_to_dense")


def to_dense_backward_dtype(grad: Tuple[int, int], input: Tuple[int, int]) -> int:
    """The dtype of gradient and input; if they differ, it depends on the layout of the input."""
    return grad[1] if grad[1] == input[1] else unknown_dtype()


shape_family(
    same_as_grad,
    "aten::to_dense_backward",
    ok=[
        *[
            Invocation(T(2, 3, dtype=dtype), T(2, 3, dtype=dtype, layout=_COO), device="cpu")
            for dtype in _DTYPES
        ],
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(2, 3), T(2, 3, dtype=torch.float64)),
        Invocation(T(2, 3), T(2, 3, dtype=torch.float64, layout=_COO), device="cpu"),
        Invocation(T(2, 3), T(2, 3, layout=_CSR), False, device="cpu"),
        Invocation(T(2, 3), T(2, 3, layout=torch._mkldnn), device="cpu"),
    ],
)
dtype_family(to_dense_backward_dtype, "aten::to_dense_backward")


def same_as_src(src: List[int]) -> List[int]:
    """The shape of `src`."""
    return src


def same_as_template(the_template: List[int]) -> List[int]:
    """The shape of the template."""
    return the_template


_LARGER = T(4, 5, dtype=torch.int32, layout=_COO)
shape_family(
    same_as_src,
    "aten::copy_sparse_to_sparse",
    ok=[Invocation(tensor, _LARGER, device="cpu") for tensor in _OF_DTYPES],
)
shape_family(
    same_as_template,
    "aten::resize_as_sparse",
    ok=[
        *[Invocation(tensor, _LARGER, device="cpu") for tensor in _OF_DTYPES],
        Invocation(T(2, 3, layout=_CSR), T(1, 5, layout=_CSR), device="cpu"),
    ],
)
_RESIZES = ("aten::sparse_resize", "aten::sparse_resize_and_clear")
shape_family(
    of_dimensions,
    *_RESIZES,
    ok=[Invocation(tensor, [4, 5], 2, 0, device="cpu") for tensor in _OF_DTYPES],
    error=[
        Invocation(T(2, 3, layout=_COO), [4, 5], 1, 0, device="cpu"),
        Invocation(T(2, 3, layout=_COO), [4, -5], 2, 0, device="cpu"),
    ],
)
dtype_family(dtype_of_self, "aten::copy_sparse_to_sparse", "aten::resize_as_sparse", *_RESIZES)


def sparse_broadcast(self: List[int], size: List[int]) -> List[int]:
    """The argument `size`, to which the tensor expands; -1 is not supported."""
    check_expands(self, size)
    return given_size(size)


shape_family(
    sparse_broadcast,
    "aten::_sparse_broadcast_to",
    ok=[
        Invocation(T(1, 3, layout=_COO), [5, 3], device="cpu"),
        Invocation(T(3, layout=_COO), [2, 3], device="cpu"),
        Invocation(T(layout=_COO), [2], device="cpu"),
        *[Invocation(tensor, [4, 2, 3], device="cpu") for tensor in _OF_DTYPES],
    ],
    error=[
        Invocation(T(2, 3, layout=_COO), [3], device="cpu"),
        Invocation(T(2, 3, layout=_COO), [4, 3], device="cpu"),
        Invocation(T(3, layout=_COO), [-1, 3], device="cpu"),
    ],
)
dtype_family(dtype_of_self, "aten::_sparse_broadcast_to")


def masked(self: List[int], mask: List[int]) -> List[int]:
    """The shape of `self`, which the mask must also have."""
    check_same(self, mask, "self")
    return self


_MASK = T(2, 3, dtype=torch.float64, layout=_COO)
shape_family(
    masked,
    "aten::sparse_mask",
    ok=[
        *[Invocation(T(2, 3, dtype=dtype), _MASK, device="cpu") for dtype in _DTYPES],
        Invocation(T(2, 3), T(2, 3, layout=_CSR), device="cpu"),
        Invocation(T(2, 3, layout=_COO), _MASK, device="cpu"),
        Invocation(T(), T(layout=_COO), device="cpu"),
    ],
    error=[
        Invocation(T(2, 4), _MASK, device="cpu"),
        Invocation(T(3), _MASK, device="cpu"),
    ],
)
shape_family(
    masked,
    "aten::_sparse_mask_projection",
    ok=[
        Invocation(tensor, T(2, 3, dtype=torch.bool, layout=_COO), device="cpu")
        for tensor in _OF_DTYPES
    ],
    error=[Invocation(T(2, 4, layout=_COO), _MASK, device="cpu")],
)
dtype_family(dtype_of_self, "aten::sparse_mask", "aten::_sparse_mask_projection")


# Indices of compressed sparse tensors.
#
# They are int32 or int64; with a batch or blocks their sizes cannot be inferred from the type.


def compressed_indices_sizes(self: List[int]) -> List[int]:
    """A vector for a matrix; a higher rank may mean a batch or dense dimensions."""
    return [unknown_size()] if len(self) == 2 else unknown_sizes()


def indices_dtype(self: Tuple[int, int]) -> int:
    """int32 or int64."""
    return unknown_dtype()


_OF_ROWS = (
    "aten::crow_indices",
    "aten::crow_indices_copy",
    "aten::col_indices",
    "aten::col_indices_copy",
)
_OF_COLUMNS = (
    "aten::ccol_indices",
    "aten::ccol_indices_copy",
    "aten::row_indices",
    "aten::row_indices_copy",
)
shape_family(
    compressed_indices_sizes,
    *_OF_ROWS,
    ok=[
        Invocation(T(4, 6, layout=torch.sparse_csr), device="cpu"),
        Invocation(T(2, 4, 6, layout=torch.sparse_csr), device="cpu"),
        Invocation(T(4, 6, dtype=torch.int64, layout=torch.sparse_bsr), device="cpu"),
    ],
)
shape_family(
    compressed_indices_sizes,
    *_OF_COLUMNS,
    ok=[
        Invocation(T(4, 6, layout=torch.sparse_csc), device="cpu"),
        Invocation(T(2, 4, 6, layout=torch.sparse_csc), device="cpu"),
        Invocation(T(4, 6, dtype=torch.int64, layout=torch.sparse_bsc), device="cpu"),
    ],
)
dtype_family(indices_dtype, *_OF_ROWS, *_OF_COLUMNS)


# Conversion of indices.


@shape_function(
    "aten::_convert_indices_from_coo_to_csr",
    ok=[
        Invocation(T(3, dtype=torch.int64), 5),
        Invocation(T(3, dtype=torch.int64), 5, out_int32=True),
        Invocation(T(0, dtype=torch.int64), 0),
        Invocation(T(dtype=torch.int64), 5),
        Invocation(T(3, dtype=torch.int32), 5),
    ],
    error=[Invocation(T(2, 3, dtype=torch.int64), 5), Invocation(T(0, dtype=torch.int64), -2)],
)
def _convert_indices_from_coo_to_csr(
    self: List[int], size: int, out_int32: bool = False
) -> List[int]:
    """Compressed row indices: `size` + 1 entries."""
    assert len(self) <= 1, (
        f"aten::_convert_indices_from_coo_to_csr: self must be 1-D, got shape {self}"
    )
    assert size >= -1, (
        f"aten::_convert_indices_from_coo_to_csr: size must not be negative, got {size}"
    )
    return [size + 1]


@shape_function(
    "aten::_convert_indices_from_csr_to_coo",
    ok=[
        Invocation(T(4, dtype=torch.int64), T(3, dtype=torch.int64)),
        Invocation(
            T(4, dtype=torch.int64), T(3, dtype=torch.int64), out_int32=True, transpose=True
        ),
        Invocation(T(4, dtype=torch.int64), T(0, dtype=torch.int64)),
        Invocation(T(2, 4, dtype=torch.int64), T(2, 3, dtype=torch.int64)),
        Invocation(T(4, dtype=torch.int32), T(3, dtype=torch.int32)),
    ],
    error=[Invocation(T(4, dtype=torch.int64), T(3, 2, dtype=torch.int64))],
)
def _convert_indices_from_csr_to_coo(
    crow_indices: List[int],
    col_indices: List[int],
    out_int32: bool = False,
    transpose: bool = False,
) -> List[int]:
    """The COO indices of each element: batch indices, row and column."""
    rank = len(crow_indices)
    assert rank == len(col_indices), (
        f"aten::_convert_indices_from_csr_to_coo: indices must have the same dimensions, "
        f"got {crow_indices} and {col_indices}"
    )
    return [rank + 1, product(col_indices)]


def index_dtype(out_int32: bool) -> int:
    """int32 with `out_int32`, else int64."""
    return torch.int32 if out_int32 else torch.int64


dtype_family(
    index_dtype,
    "aten::_convert_indices_from_coo_to_csr",
    "aten::_convert_indices_from_csr_to_coo",
)
