"""The indices of compressed sparse tensors.

They are int32 or int64, and with a batch or blocks of other sizes, which a type does not tell.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.unknown import (
    unknown_dtype,
    unknown_size,
    unknown_sizes,
)


def indices_sizes(self: List[int]) -> List[int]:
    """A vector for a matrix; else there may be a batch, or entries with dimensions."""
    return [unknown_size()] if len(self) == 2 else unknown_sizes()


def indices_dtype(self: Tuple[int, int]) -> int:
    """Int32 or int64."""
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
    indices_sizes,
    *_OF_ROWS,
    ok=[
        Invocation(T(4, 6, layout=torch.sparse_csr), device="cpu"),
        Invocation(T(2, 4, 6, layout=torch.sparse_csr), device="cpu"),
        Invocation(T(4, 6, dtype=torch.int64, layout=torch.sparse_bsr), device="cpu"),
    ],
)
shape_family(
    indices_sizes,
    *_OF_COLUMNS,
    ok=[
        Invocation(T(4, 6, layout=torch.sparse_csc), device="cpu"),
        Invocation(T(2, 4, 6, layout=torch.sparse_csc), device="cpu"),
        Invocation(T(4, 6, dtype=torch.int64, layout=torch.sparse_bsc), device="cpu"),
    ],
)
dtype_family(indices_dtype, *_OF_ROWS, *_OF_COLUMNS)
