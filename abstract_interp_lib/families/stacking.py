"""Other names of `cat`, `stack` and `vstack`, and `_chunk_cat`, which interleaves chunks."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.joining import (
    cat_rule,
    joined_dtype,
    stack_rule,
    vstack_rule,
)
from torch_refine.abstract_interp_lib.rules.sizes import (
    append_size,
    ceil_divide,
    product,
    wrap_existing,
)

shape_family(
    cat_rule,
    "aten::concatenate",
    ok=[
        Invocation([T(2, 3), T(4, 3)]),
        Invocation([T(2, 3), T(2, 1), T(2, 0)], -1),
        Invocation([T(2, 3), T(0), T(2, 3)], 1),
        Invocation([T(0), T(0)], 0),
        Invocation([T(3, dtype=torch.int64), T(3, dtype=torch.float16)]),
        Invocation([T(3, dtype=torch.bool), T(3, dtype=torch.uint8)]),
    ],
    error=[
        Invocation([]),
        Invocation([T(), T()]),
        Invocation([T(2, 3), T(2, 3, 1)]),
        Invocation([T(2, 3), T(3)]),
        Invocation([T(2, 3), T(4, 5)]),
        Invocation([T(2), T(3)], 1),
    ],
)
dtype_family(joined_dtype, "aten::concatenate", error=[Invocation([])])

# Without tensors, PyTorch crashes.
shape_family(
    stack_rule,
    "aten::_stack",
    ok=[
        Invocation([T(2, 3), T(2, 3), T(2, 3)]),
        Invocation([T(2, 3), T(2, 3)], 2),
        Invocation([T(2, 3), T(2, 3)], -2),
        Invocation([T(), T()]),
        Invocation([T(0), T(0)], 1),
        Invocation([T(3, dtype=torch.int64), T(3, dtype=torch.float16)]),
        Invocation([T(dtype=torch.bool), T(dtype=torch.uint8)]),
        Invocation([T(3, dtype=torch.bool)]),
    ],
    error=[
        Invocation([T(2), T(3)]),
        Invocation([T(2), T(2, 1)]),
        Invocation([T(2), T(2)], 2),
    ],
)
dtype_family(joined_dtype, "aten::_stack")

shape_family(
    vstack_rule,
    "aten::row_stack",
    ok=[
        Invocation([T(), T()]),
        Invocation([T(3), T(2, 3)]),
        Invocation([T(2, 3, 4), T(5, 3, 4)]),
        Invocation([T(0), T(0)]),
        Invocation([T(3, dtype=torch.int64), T(3, dtype=torch.bfloat16)]),
        Invocation([T(3, dtype=torch.bool), T(3, dtype=torch.bool)]),
    ],
    error=[Invocation([]), Invocation([T(2, 3), T(4, 5)]), Invocation([T(2, 3), T(2)])],
)
dtype_family(joined_dtype, "aten::row_stack", error=[Invocation([])])


def chunk_cat_dim(tensors: List[List[int]], dim: int) -> int:
    """`dim` counted from the front, which only tensors of one rank may have counted back."""
    assert len(tensors) > 0, f"there must be tensors to join, got {len(tensors)}"
    rank = len(tensors[0])
    same = True
    for tensor in tensors:
        same = same and len(tensor) == rank
    assert same or dim >= 0, f"dimension {dim} of different ranks cannot be counted from the end"
    return wrap_existing(dim, rank)


def chunk_cat_rule(tensors: List[List[int]], dim: int, num_chunks: int) -> List[int]:
    """Each tensor in `num_chunks` flattened chunks; chunks of the same number are joined.

    Dimensions before `dim` stay; a tensor whose size does not divide is padded.
    """
    at = chunk_cat_dim(tensors, dim)
    assert num_chunks > 0, f"the number of chunks must be positive, got {num_chunks}"
    leading = tensors[0][:at]
    total = 0
    for tensor in tensors:
        assert at < len(tensor), f"dimension {at} is out of range for shape {tensor}"
        assert tensor[:at] == leading, f"shapes must match before dimension {at}, got {tensors}"
        assert 0 not in tensor, f"every tensor must have elements, got shape {tensor}"
        total = total + ceil_divide(tensor[at], num_chunks) * product(tensor[at + 1 :])
    return append_size(append_size(leading, num_chunks), total)


def chunk_cat_dtype(tensors: List[Tuple[int, int]]) -> int:
    """All tensors have one dtype."""
    assert len(tensors) > 0, f"there must be tensors to join, got {len(tensors)}"
    for tensor in tensors:
        assert tensor[1] == tensors[0][1], f"dtypes must match, got {tensor[1]} and {tensors[0][1]}"
    return tensors[0][1]


shape_family(
    chunk_cat_rule,
    "aten::_chunk_cat",
    ok=[
        Invocation([T(4, 3), T(5, 3)], 0, 2),
        Invocation([T(2, 4, 3), T(2, 5, 7)], 1, 3),
        Invocation([T(2, 4), T(2, 5)], -1, 2),
        Invocation([T(2, 4), T(3, 1, 2), T(7)], 0, 2),
        Invocation([T(2)], 0, 5),
        Invocation([T(4, 3, dtype=torch.float16)], 0, 2),
        Invocation([T(4, 3, dtype=torch.bfloat16)], 0, 2),
        Invocation([T(4, 3, dtype=torch.int64), T(2, dtype=torch.int64)], 0, 2),
    ],
    error=[
        Invocation([], 0, 2),
        Invocation([T(4, 3)], 0, 0),
        Invocation([T(4, 3)], 2, 2),
        Invocation([T(4, 3), T(4)], 1, 2),
        Invocation([T(4, 3), T(4)], -1, 2),
        Invocation([T(4, 3), T(5, 3)], 1, 2),
        Invocation([T(4, 3), T(0, 3)], 0, 2),
    ],
)
dtype_family(
    chunk_cat_dtype,
    "aten::_chunk_cat",
    error=[Invocation([], 0, 2), Invocation([T(4), T(4, dtype=torch.float64)], 0, 2)],
)
