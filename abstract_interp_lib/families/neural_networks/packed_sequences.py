"""Sequences of different lengths: padded, packed, or jagged.

The lengths of packed sequences are the values of `lengths` and `batch_sizes`, so some sizes of the
results are data-dependent.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.factories import given_size
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.sizes import insert_size
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size


def pad_sequence(sequences: List[List[int]], batch_first: bool, padding_side: str) -> List[int]:
    """The maximum length, the number of sequences, and the trailing sizes of the first one."""
    assert len(sequences) > 0, f"sequences must not be empty, got {sequences}"
    assert padding_side == "left" or padding_side == "right", (
        f"padding_side must be 'left' or 'right', got '{padding_side}'"
    )
    first = sequences[0]
    length = 0
    for sequence in sequences:
        assert len(sequence) > 0, "sequences must have at least 1 dimension, got a 0-dim tensor"
        check_expands(sequence, sequence[:1] + first[1:])
        length = max(length, sequence[0])
    out = [len(sequences), length] if batch_first else [length, len(sequences)]
    return out + first[1:]


def pad_sequence_dtype(sequences: List[Tuple[int, int]]) -> int:
    """The dtype of the first sequence."""
    assert len(sequences) > 0, f"sequences must not be empty, got {sequences}"
    return sequences[0][1]


# The meta kernel does not broadcast sequences.
shape_family(
    pad_sequence,
    "aten::pad_sequence",
    ok=[
        Invocation([T(3), T(5), T(0)]),
        Invocation([T(3, 4), T(5, 4)], True, 1.0),
        Invocation([T(3, 4), T(5, 4)], padding_side="left"),
        Invocation([T(3, 4), T(5, 1)], device="cpu"),
        Invocation([T(3, 4, dtype=torch.int64), T(5, 4, dtype=torch.float16)]),
        Invocation([T(3, dtype=torch.bool)], True),
    ],
    error=[
        Invocation([]),
        Invocation([T(3), T(5)], padding_side="middle"),
        Invocation([T(), T()]),
        Invocation([T(3, 4), T(5, 3)]),
    ],
)
dtype_family(pad_sequence_dtype, "aten::pad_sequence", error=[Invocation([])])


def pack_padded_sequence(
    input: List[int], lengths: List[int], batch_first: bool
) -> Tuple[List[int], List[int]]:
    """The time steps of all sequences in one dimension, and the batch size per step."""
    assert len(input) >= 2, f"the input must have at least 2 dimensions, got shape {input}"
    for size in input:
        assert size > 0, f"the input must not be empty, got shape {input}"
    batch = input[0] if batch_first else input[1]
    assert lengths[0] == batch, f"lengths must have {batch} elements, got {lengths[0]}"
    return insert_size(input[2:], 0, unknown_size()), [unknown_size()]


def pack_padded_sequence_dtype(input: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the input; batch sizes are int64."""
    return input[1], torch.int64


def numbers(*values: int) -> TensorCase:
    """A vector of lengths or batch sizes."""
    return T(len(values), dtype=torch.int64, values=values)


# They read values, so the cases do not run on the meta device.
shape_family(
    pack_padded_sequence,
    "aten::_pack_padded_sequence",
    ok=[
        Invocation(T(4, 2, 3), numbers(4, 2), False, device="cpu"),
        Invocation(T(3, 5), numbers(3, 2, 2), True, device="cpu"),
        Invocation(T(4, 2, 3, 2, dtype=torch.float16), numbers(3, 1), False, device="cpu"),
        Invocation(T(4, 2, dtype=torch.int64), numbers(3, 1), False, device="cpu"),
    ],
    error=[
        Invocation(T(4), numbers(4), False, device="cpu"),
        Invocation(T(4, 2, 0), numbers(4, 2), False, device="cpu"),
        Invocation(T(4, 2, 3), numbers(4, 2, 1), False, device="cpu"),
    ],
)
dtype_family(pack_padded_sequence_dtype, "aten::_pack_padded_sequence")


def pack_padded_sequence_backward(input_size: List[int], batch_first: bool) -> List[int]:
    """The shape is the argument `input_size`."""
    assert len(input_size) >= 2 or not batch_first, (
        f"input_size must have at least 2 entries, got {input_size}"
    )
    return given_size(input_size)


def pack_padded_sequence_backward_dtype(grad: Tuple[int, int]) -> int:
    """The dtype of `grad`."""
    return grad[1]


shape_family(
    pack_padded_sequence_backward,
    "aten::_pack_padded_sequence_backward",
    ok=[
        Invocation(T(6, 3), [4, 2, 3], numbers(2, 2, 1, 1), False, device="cpu"),
        Invocation(T(6, 3), [2, 4, 3], numbers(2, 2, 1, 1), True, device="cpu"),
        Invocation(
            T(6, 3, dtype=torch.bfloat16), [4, 2, 3], numbers(2, 2, 1, 1), False, device="cpu"
        ),
    ],
    error=[
        Invocation(T(6), [6], numbers(2, 2, 1, 1), True, device="cpu"),
        Invocation(T(6, 3), [-4, 2, 3], numbers(2, 2, 1, 1), False, device="cpu"),
    ],
)
dtype_family(pack_padded_sequence_backward_dtype, "aten::_pack_padded_sequence_backward")


def pad_packed_sequence(
    data: List[int], batch_sizes: List[int], batch_first: bool, total_length: int
) -> Tuple[List[int], List[int]]:
    """As many steps as the longest sequence or `total_length`, and the length of each sequence."""
    assert len(data) > 0 and len(batch_sizes) == 1, (
        f"data and batch_sizes must have at least 1 dimension, got shapes {data} and {batch_sizes}"
    )
    steps = batch_sizes[0]
    if total_length > 0:
        assert total_length >= steps, (
            f"total_length {total_length} is less than the sequence length {steps}"
        )
        steps = total_length
    batch = unknown_size()
    out = [batch, steps] if batch_first else [steps, batch]
    return out + data[1:], [batch]


def pad_packed_sequence_dtype(data: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the data; lengths are int64."""
    return data[1], torch.int64


shape_family(
    pad_packed_sequence,
    "aten::_pad_packed_sequence",
    ok=[
        Invocation(T(6, 3), numbers(2, 2, 1, 1), False, 0.0, 0, device="cpu"),
        Invocation(T(6, 3), numbers(2, 2, 1, 1), True, 0.0, -1, device="cpu"),
        Invocation(T(6), numbers(2, 2, 1, 1), False, 1.5, 7, device="cpu"),
        Invocation(T(6, 3, dtype=torch.float16), numbers(2, 2, 1, 1), False, 0, 5, device="cpu"),
        Invocation(T(6, 3, dtype=torch.int64), numbers(2, 2, 1, 1), False, 0, 5, device="cpu"),
    ],
    error=[
        Invocation(T(6, 3), numbers(2, 2, 1, 1), False, 0.0, 3, device="cpu"),
        Invocation(T(), numbers(1), False, 0.0, -1, device="cpu"),
    ],
)
dtype_family(pad_packed_sequence_dtype, "aten::_pad_packed_sequence")


# Jagged tensors: sequences of different lengths, concatenated.
#
# `offsets` holds the start of each sequence and the end of the last one.

_OFFSETS = T(3, dtype=torch.int64, values=[0, 2, 5])
_DTYPES = (torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.uint8, torch.bool)


# The meta kernel does not check the rank of the offsets.
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
        f"aten::_jagged_to_padded_dense_forward: offsets and max_lengths must have the same length, "
        f"got {len(offsets)} and {len(max_lengths)}"
    )
    assert len(values) > 0, (
        f"aten::_jagged_to_padded_dense_forward: values must have at least 1 dimension, got {values}"
    )
    starts = offsets[0]
    assert len(starts) == 1 and starts[0] > 0, (
        f"aten::_jagged_to_padded_dense_forward: offsets must be 1-D and not empty, "
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
    """The sequences without padding, of total length `total_L`."""
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
    """The strides and offset of each tensor whose sizes are a row of `nested_size`."""
    assert len(nested_size) != 1, (
        f"aten::_nested_compute_contiguous_strides_offsets: nested_size must be a matrix, "
        f"got shape {nested_size}"
    )
    starts = nested_size[:1] if len(nested_size) > 0 else [0]
    return nested_size, starts


def two_of_int64(nested_size: Tuple[int, int]) -> Tuple[int, int]:
    """Strides and offsets are int64, like the sizes."""
    assert nested_size[1] == torch.int64, (
        f"sizes must be of dtype int64, got dtype {nested_size[1]}"
    )
    return nested_size[1], nested_size[1]


dtype_family(
    two_of_int64,
    "aten::_nested_compute_contiguous_strides_offsets",
    error=[Invocation(T(2, 3), device="cpu")],
)
