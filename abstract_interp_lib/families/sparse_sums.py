"""Sums and products over dimensions of sparse tensors."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.dims import same_as_self, wrap_dims
from torch_refine.abstract_interp_lib.rules.promotion import bool_to_int
from torch_refine.abstract_interp_lib.rules.reduction import (
    reduce_all,
    reduce_dims,
    remove_dims,
    sum_dtype,
)
from torch_refine.abstract_interp_lib.rules.unknown import unknown_dtype

_COO = torch.sparse_coo
_CSR = torch.sparse_csr
_DTYPES = (
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.int32,
    torch.bool,
    torch.complex64,
)
_OF_DTYPES = [T(2, 3, dtype=dtype, layout=_COO) for dtype in _DTYPES]
_MATRIX = T(2, 3, layout=_COO)


def given_dtype(dtype: int) -> int:
    """The argument `dtype`."""
    return dtype


def sum_of_all_dtype(self: Tuple[int, int]) -> int:
    """Integers and bool are summed in int64."""
    return bool_to_int(self[1])


shape_family(
    reduce_all,
    "aten::_sparse_sum",
    ok=[Invocation(tensor, device="cpu") for tensor in (*_OF_DTYPES, T(layout=_COO))],
)
dtype_family(sum_of_all_dtype, "aten::_sparse_sum")
shape_family(
    reduce_all,
    "aten::_sparse_sum.dtype",
    ok=[
        Invocation(tensor, dtype=dtype, device="cpu")
        for tensor in _OF_DTYPES
        for dtype in (torch.float64, torch.int32)
    ],
)
dtype_family(given_dtype, "aten::_sparse_sum.dtype")


def sparse_sum(self: List[int], dim: List[int]) -> List[int]:
    """The dimensions named go; there are none for an empty list."""
    return remove_dims(self, wrap_dims(dim, len(self)), False)


def dtype_of_sum(rank: int, dtype: int, dim: List[int]) -> int:
    """Of what kind the sum is.

    If all sparse dimensions are summed over it is dense, and integers are summed in int64; if not,
    it stays sparse, and the dtype stays. How many are sparse a type does not tell.
    """
    dims = wrap_dims(dim, rank)
    if bool_to_int(dtype) == dtype:
        return dtype
    elif len(dims) == rank:
        return torch.int64
    else:
        return unknown_dtype()


def sparse_sum_dtype(self: Tuple[int, int], dim: List[int]) -> int:
    """That of `self`, or int64."""
    return dtype_of_sum(self[0], self[1], dim)


def sparse_sum_in_dtype(self: Tuple[int, int], dim: List[int], dtype: int) -> int:
    """The one asked for, or int64."""
    return dtype_of_sum(self[0], dtype, dim)


_DIMS = ([0], [1], [-1], [0, 1], [])
_DIMS_ERROR = ([2], [0, 0], [-3])
shape_family(
    sparse_sum,
    "aten::_sparse_sum.dim",
    ok=[Invocation(tensor, dim, device="cpu") for tensor in _OF_DTYPES for dim in _DIMS],
    error=[Invocation(_MATRIX, dim, device="cpu") for dim in _DIMS_ERROR],
)
dtype_family(sparse_sum_dtype, "aten::_sparse_sum.dim")
shape_family(
    sparse_sum,
    "aten::_sparse_sum.dim_dtype",
    ok=[
        Invocation(tensor, dim, dtype=dtype, device="cpu")
        for tensor in _OF_DTYPES
        for dim in _DIMS
        for dtype in (torch.float64, torch.int32)
    ],
    error=[Invocation(_MATRIX, dim, dtype=torch.float64, device="cpu") for dim in _DIMS_ERROR],
)
dtype_family(sparse_sum_in_dtype, "aten::_sparse_sum.dim_dtype")


def dtype_of_grad(grad: Tuple[int, int]) -> int:
    """The dtype of the incoming gradient."""
    return grad[1]


shape_family(
    same_as_self,
    "aten::_sparse_sum_backward",
    ok=[
        Invocation(T(3, layout=_COO), _MATRIX, [0], device="cpu"),
        Invocation(T(2, layout=_COO), _MATRIX, [-1], device="cpu"),
        Invocation(T(), _MATRIX, [0, 1], device="cpu"),
        Invocation(T(3, dtype=torch.float64, layout=_COO), _MATRIX, [0], device="cpu"),
        Invocation(T(dtype=torch.float64), _MATRIX, [0, 1], device="cpu"),
    ],
)
dtype_family(dtype_of_grad, "aten::_sparse_sum_backward")


def reduce_rows(self: List[int], dim: List[int], keepdim: bool) -> List[int]:
    """The dimensions named, or both, are of size 1."""
    assert len(self) == 2, f"self must be a matrix, got shape {self}"
    assert keepdim, f"the dimensions must be kept, got keepdim {keepdim}"
    return reduce_dims(self, dim, keepdim)


_OF_ROWS = ("aten::_sparse_csr_sum.dim_dtype", "aten::_sparse_csr_prod.dim_dtype")
_ROWS = T(2, 3, layout=_CSR)
shape_family(
    reduce_rows,
    *_OF_ROWS,
    ok=[Invocation(_ROWS, dim, True, device="cpu") for dim in _DIMS],
    error=[
        *[Invocation(_ROWS, dim, True, device="cpu") for dim in _DIMS_ERROR],
        Invocation(_ROWS, [0], False, device="cpu"),
        Invocation(T(2, 3, 4, layout=_CSR), [0], True, device="cpu"),
    ],
)
dtype_family(
    sum_dtype,
    *_OF_ROWS,
    ok=[
        *[
            Invocation(T(2, 3, dtype=dtype, layout=_CSR), [0], True, device="cpu")
            for dtype in _DTYPES
            if dtype != torch.bool
        ],
        Invocation(
            T(2, 3, dtype=torch.bool, layout=_CSR), [0], True, dtype=torch.float64, device="cpu"
        ),
    ],
)
