"""Gradients that are sparse because few entries were looked up; conversions of their indices."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.dims import same_as_self
from torch_refine.abstract_interp_lib.rules.sizes import product

_FLOATS = (torch.float64, torch.float16, torch.bfloat16)


def dtype_of_grad(grad: Tuple[int, int]) -> int:
    """The dtype of the incoming gradient."""
    return grad[1]


def embedding_sparse_backward(
    grad: List[int], num_weights: int, scale_grad_by_freq: bool
) -> List[int]:
    """The gradient of a table of `num_weights` vectors."""
    assert len(grad) > 0, f"grad must have a dimension, got shape {grad}"
    assert not scale_grad_by_freq, (
        f"a sparse gradient cannot be scaled, got scale_grad_by_freq {scale_grad_by_freq}"
    )
    assert num_weights >= 0, f"num_weights must not be negative, got {num_weights}"
    return [num_weights, grad[-1]]


def indices(*sizes: int) -> TensorCase:
    """Indices, all of them 1."""
    return T(*sizes, dtype=torch.int64)


# Where an index is padding, what is left is counted, for which there is no meta kernel.
shape_family(
    embedding_sparse_backward,
    "aten::embedding_sparse_backward",
    ok=[
        Invocation(T(3, 4), indices(3), 10, -1, False),
        Invocation(T(2, 3, 4), indices(2, 3), 10, -1, False),
        Invocation(T(2, 3, 4), indices(2, 3), 10, 0, False, device="cpu"),
        Invocation(T(4), indices(), 10, -1, False),
        Invocation(T(0, 4), indices(0), 0, -1, False),
        *[Invocation(T(3, 4, dtype=dtype), indices(3), 10, -1, False) for dtype in _FLOATS],
        Invocation(T(3, 4, dtype=torch.int64), indices(3), 10, -1, False),
    ],
    error=[
        Invocation(T(), indices(), 10, -1, False),
        Invocation(T(3, 4), indices(3), 10, -1, True),
        Invocation(T(3, 4), indices(3), -1, -1, False),
    ],
)
# The bags have 2 and 1 entries; what follows them is num_weights, scale_grad_by_freq and mode.
_BAGS = [
    T(3, dtype=torch.int64, values=[4, 5, 4]),
    T(2, dtype=torch.int64, values=[0, 2]),
    T(3, dtype=torch.int64, values=[0, 0, 1]),
    T(2, dtype=torch.int64, values=[2, 1]),
]
shape_family(
    embedding_sparse_backward,
    "aten::_embedding_bag_sparse_backward",
    ok=[
        Invocation(T(2, 4), *_BAGS, 10, False, 0, T(3)),
        Invocation(T(2, 4), *_BAGS, 10, False, 0, T(3, dtype=torch.float64)),
        *[Invocation(T(2, 4, dtype=dtype), *_BAGS, 10, False, 0, None) for dtype in _FLOATS],
        *[Invocation(T(2, 4, dtype=dtype), *_BAGS, 10, False, 1, None) for dtype in _FLOATS],
    ],
    error=[Invocation(T(2, 4), *_BAGS, 10, True, 0, None)],
)
shape_family(
    same_as_self,
    "aten::_gather_sparse_backward",
    ok=[
        Invocation(T(2, 3), 1, indices(2, 2), T(2, 2)),
        Invocation(T(2, 3), -1, indices(1, 2), T(1, 2)),
        Invocation(T(2, 3), 0, indices(0, 3), T(0, 3)),
        Invocation(T(), 0, indices(), T()),
        Invocation(T(2, 3, dtype=torch.float64), 1, indices(2, 2), T(2, 2)),
        *[
            Invocation(T(2, 3, dtype=dtype), 1, indices(2, 2), T(2, 2, dtype=dtype))
            for dtype in _FLOATS
        ],
    ],
)
dtype_family(
    dtype_of_grad,
    "aten::embedding_sparse_backward",
    "aten::_embedding_bag_sparse_backward",
    "aten::_gather_sparse_backward",
)


@shape_function(
    "aten::_convert_indices_from_coo_to_csr",
    ok=[
        Invocation(indices(3), 5),
        Invocation(indices(3), 5, out_int32=True),
        Invocation(indices(0), 0),
        Invocation(indices(), 5),
        Invocation(T(3, dtype=torch.int32), 5),
    ],
    error=[Invocation(indices(2, 3), 5), Invocation(indices(0), -2)],
)
def _convert_indices_from_coo_to_csr(
    self: List[int], size: int, out_int32: bool = False
) -> List[int]:
    """Where each of `size` rows starts, and where the last one ends."""
    assert len(self) <= 1, (
        f"aten::_convert_indices_from_coo_to_csr: self must be a vector, got shape {self}"
    )
    assert size >= -1, f"aten::_convert_indices_from_coo_to_csr: size is negative, got {size}"
    return [size + 1]


@shape_function(
    "aten::_convert_indices_from_csr_to_coo",
    ok=[
        Invocation(indices(4), indices(3)),
        Invocation(indices(4), indices(3), out_int32=True, transpose=True),
        Invocation(indices(4), indices(0)),
        Invocation(indices(2, 4), indices(2, 3)),
        Invocation(T(4, dtype=torch.int32), T(3, dtype=torch.int32)),
    ],
    error=[Invocation(indices(4), indices(3, 2))],
)
def _convert_indices_from_csr_to_coo(
    crow_indices: List[int],
    col_indices: List[int],
    out_int32: bool = False,
    transpose: bool = False,
) -> List[int]:
    """The coordinates of each entry: its row, its column, and its place in each batch dimension."""
    rank = len(crow_indices)
    assert rank == len(col_indices), (
        f"aten::_convert_indices_from_csr_to_coo: indices must have the same dimensions, "
        f"got {crow_indices} and {col_indices}"
    )
    return [rank + 1, product(col_indices)]


def index_dtype(out_int32: bool) -> int:
    """Int32 where asked for, else int64."""
    return torch.int32 if out_int32 else torch.int64


dtype_family(
    index_dtype,
    "aten::_convert_indices_from_coo_to_csr",
    "aten::_convert_indices_from_csr_to_coo",
)
