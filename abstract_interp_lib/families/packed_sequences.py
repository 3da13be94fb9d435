"""Sequences of several lengths: padded to one length, or packed end to end.

How long packed sequences are is told by the values of `lengths` and `batch_sizes`, so some sizes
of results are unknown.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.factories import given_size
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.sizes import insert_size
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size


def pad_sequence(sequences: List[List[int]], batch_first: bool, padding_side: str) -> List[int]:
    """The longest length, how many sequences there are, and the other sizes of the first one."""
    assert len(sequences) > 0, f"there must be a sequence to pad, got {sequences}"
    assert padding_side == "left" or padding_side == "right", (
        f"padding_side must be 'left' or 'right', got '{padding_side}'"
    )
    first = sequences[0]
    length = 0
    for sequence in sequences:
        assert len(sequence) > 0, "a zero-dim tensor is no sequence"
        check_expands(sequence, sequence[:1] + first[1:])
        length = max(length, sequence[0])
    out = [len(sequences), length] if batch_first else [length, len(sequences)]
    return out + first[1:]


def pad_sequence_dtype(sequences: List[Tuple[int, int]]) -> int:
    """The dtype of the first sequence."""
    assert len(sequences) > 0, f"there must be a sequence to pad, got {sequences}"
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
    """The steps of all sequences in one dimension, and the number of sequences at each step."""
    assert len(input) >= 2, f"a batch of sequences needs 2 dimensions, got shape {input}"
    for size in input:
        assert size > 0, f"a batch of sequences must not be empty, got shape {input}"
    batch = input[0] if batch_first else input[1]
    assert lengths[0] == batch, f"there must be a length for each of {batch}, got {lengths[0]}"
    return insert_size(input[2:], 0, unknown_size()), [unknown_size()]


def pack_padded_sequence_dtype(input: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the input; counts are int64."""
    return input[1], torch.int64


def numbers(*values: int) -> TensorCase:
    """A vector of lengths or counts."""
    return T(len(values), dtype=torch.int64, values=values)


# These read values, so nothing of them runs on the meta device.
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
        f"a batch of sequences needs 2 dimensions, got {input_size}"
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
    """As many steps as the longest sequence has, or `total_length`, and the length of each one."""
    assert len(data) > 0 and len(batch_sizes) == 1, (
        f"packed data and counts must have a dimension, got shapes {data} and {batch_sizes}"
    )
    steps = batch_sizes[0]
    if total_length > 0:
        assert total_length >= steps, f"total_length {total_length} is less than {steps} steps"
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
