"""To sparse layouts and to that of oneDNN, and back: the type stays what it is."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self
from torch_refine.abstract_interp_lib.rules.factories import dtype_or_same

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

# A meta tensor has no values, of which some may be zero.
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
    """So many of the leading dimensions are sparse."""
    assert sparse_dim >= 0 and sparse_dim <= len(self), (
        f"sparse_dim must lie between 0 and the rank {len(self)}, got {sparse_dim}"
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
    """Raise unless there is a matrix before the dense dimensions."""
    dense = 0 if dense_dim is None else dense_dim
    assert dense >= 0 and dense <= len(self) - 2, (
        f"there must be 2 dimensions before {dense} dense ones, got shape {self}"
    )


def to_compressed(self: List[int], dense_dim: Optional[int]) -> List[int]:
    """Matrices, of which rows or columns are compressed."""
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
    """Matrices, of which rows or columns of blocks are compressed."""
    check_dense_dim(self, dense_dim)
    assert len(blocksize) == 2, f"blocksize must have 2 entries, got {blocksize}"
    assert blocksize[0] > 0 and blocksize[1] > 0, f"blocksize must be positive, got {blocksize}"
    if len(self) == 2:
        assert self[0] % blocksize[0] == 0 and self[1] % blocksize[1] == 0, (
            f"blocks of {blocksize} do not divide shape {self}"
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

# Only the layout of oneDNN can be left for another dtype; a dense tensor is converted.
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
    """The same sizes; there can be no more than five of them."""
    assert len(self) <= 5, f"aten::to_mkldnn: self can have at most 5 dimensions, got shape {self}"
    return self


def to_mkldnn_dtype(self: Tuple[int, int], dtype: Optional[int]) -> int:
    """The dtype asked for, or that of `self`; oneDNN knows few."""
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


# There is no meta kernel, and only some CPUs know 16-bit floats.
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
    """The dtype of what was converted."""
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
