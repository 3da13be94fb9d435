"""Jagged tensors: sequences of different lengths, stored one after another.

Where the sequences begin and end is in `offsets`, of which there are one more than sequences.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size

_OFFSETS = T(3, dtype=torch.int64, values=[0, 2, 5])
_DTYPES = (torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.uint8, torch.bool)


# The meta kernel does not look at the rank of the offsets.
@shape_function(
    "aten::_jagged_to_padded_dense_forward",
    ok=[
        Invocation(T(5, 4), [T(3, dtype=torch.int64)], [3]),
        Invocation(T(5), [T(3, dtype=torch.int64)], [3], 1.5),
        Invocation(T(5, 4, 2), [T(3, dtype=torch.int32)], [0]),
        Invocation(T(5, 0), [T(1, dtype=torch.int64)], [3]),
        Invocation(T(5, 4), [_OFFSETS], [3], device="cpu"),
        *[Invocation(T(5, 4, dtype=dtype), [T(3, dtype=torch.int64)], [3]) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(5, 4), [T(3, dtype=torch.int64)], [3, 3]),
        Invocation(T(), [_OFFSETS], [3], device="cpu"),
        Invocation(T(5, 4), [T(1, 3, dtype=torch.int64)], [3], device="cpu"),
        Invocation(T(5, 4), [T(0, dtype=torch.int64)], [3]),
        Invocation(T(5, 4), [T(3, dtype=torch.int64)], [-1]),
    ],
)
def _jagged_to_padded_dense_forward(
    values: List[int], offsets: List[List[int]], max_lengths: List[int], padding_value: float = 0.0
) -> List[int]:
    """All sequences, padded to `max_lengths`."""
    assert len(offsets) == len(max_lengths), (
        f"aten::_jagged_to_padded_dense_forward: each jagged dimension needs offsets and a length, "
        f"got {len(offsets)} and {len(max_lengths)}"
    )
    assert len(values) > 0, (
        f"aten::_jagged_to_padded_dense_forward: values must have a dimension, got {values}"
    )
    starts = offsets[0]
    assert len(starts) == 1 and starts[0] > 0, (
        f"aten::_jagged_to_padded_dense_forward: offsets must be a vector with a start, "
        f"got shape {starts}"
    )
    for length in max_lengths:
        assert length >= 0, (
            f"aten::_jagged_to_padded_dense_forward: lengths must not be negative, got {length}"
        )
    batch = [starts[0] - 1]
    return batch + max_lengths + values[1:]


def dtype_of_values(values: Tuple[int, int]) -> int:
    """The dtype of the sequences."""
    return values[1]


dtype_family(dtype_of_values, "aten::_jagged_to_padded_dense_forward")


# There is no meta kernel.
@shape_function(
    "aten::_padded_dense_to_jagged_forward",
    ok=[
        Invocation(T(2, 3, 4), [_OFFSETS], 5, device="cpu"),
        Invocation(T(2, 3, 4), [_OFFSETS], device="cpu"),
        Invocation(T(2, 3), [_OFFSETS], 5, device="cpu"),
        Invocation(T(2, 3, 4, 2), [_OFFSETS], 5, device="cpu"),
        Invocation(T(2, 3, 0), [_OFFSETS], device="cpu"),
        *[Invocation(T(2, 3, 4, dtype=dtype), [_OFFSETS], 5, device="cpu") for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(2), [_OFFSETS], 5, device="cpu"),
        Invocation(T(2, 3), [_OFFSETS], -1, device="cpu"),
    ],
)
def _padded_dense_to_jagged_forward(
    dense: List[int], offsets: List[List[int]], total_L: Optional[int] = None
) -> List[int]:
    """The sequences without their padding; together they are `total_L` long."""
    jagged = len(offsets)
    assert len(dense) > jagged, (
        f"aten::_padded_dense_to_jagged_forward: dense must have {jagged + 1} dimensions or more, "
        f"got shape {dense}"
    )
    if total_L is None:
        lengths = [unknown_size()]
    else:
        assert total_L >= 0, (
            f"aten::_padded_dense_to_jagged_forward: total_L must not be negative, got {total_L}"
        )
        lengths = [total_L]
    return lengths + dense[1 + jagged :]


def dtype_of_dense(dense: Tuple[int, int]) -> int:
    """The dtype of the sequences."""
    return dense[1]


dtype_family(dtype_of_dense, "aten::_padded_dense_to_jagged_forward")


# There is no meta kernel.
@shape_function(
    "aten::_nested_compute_contiguous_strides_offsets",
    ok=[
        Invocation(T(2, 3, dtype=torch.int64), device="cpu"),
        Invocation(T(2, 0, dtype=torch.int64), device="cpu"),
        Invocation(T(dtype=torch.int64), device="cpu"),
    ],
    error=[Invocation(T(3, dtype=torch.int64), device="cpu")],
)
def _nested_compute_contiguous_strides_offsets(
    nested_size: List[int],
) -> Tuple[List[int], List[int]]:
    """The strides and the start of each of the tensors of which `nested_size` has the sizes."""
    assert len(nested_size) != 1, (
        f"aten::_nested_compute_contiguous_strides_offsets: nested_size must be a matrix, "
        f"got shape {nested_size}"
    )
    starts = nested_size[:1] if len(nested_size) > 0 else [0]
    return nested_size, starts


def two_of_int64(nested_size: Tuple[int, int]) -> Tuple[int, int]:
    """Strides and offsets are int64, as the sizes are."""
    assert nested_size[1] == torch.int64, (
        f"sizes must be of dtype int64, got dtype {nested_size[1]}"
    )
    return nested_size[1], nested_size[1]


dtype_family(
    two_of_int64,
    "aten::_nested_compute_contiguous_strides_offsets",
    error=[Invocation(T(2, 3), device="cpu")],
)
