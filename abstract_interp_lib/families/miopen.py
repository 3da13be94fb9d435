"""Kernels of MIOpen, the library of ROCm. Only their meta kernels run here."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.device_libraries import (
    device_batch_norm_backward,
    device_batch_norm_backward_dtype,
    recurrence,
    recurrence_dtype,
    room,
)

_HALVES = (torch.float16, torch.bfloat16)
_CHANNELS = T(4)


def miopen_batch_norm(
    input: List[int],
    weight: List[int],
    running_mean: Optional[List[int]],
    running_var: Optional[List[int]],
    training: bool,
) -> Tuple[List[int], List[int], List[int]]:
    """The shape of the input, and the statistics of a training, one per channel."""
    mean = weight if running_mean is None else running_mean
    variance = weight if running_var is None else running_var
    return input, mean if training else [0], variance if training else [0]


def miopen_batch_norm_dtype(
    input: Tuple[int, int], weight: Tuple[int, int]
) -> Tuple[int, int, int]:
    """The dtype of the input, and that of its parameters."""
    return input[1], weight[1], weight[1]


shape_family(
    miopen_batch_norm,
    "aten::miopen_batch_norm",
    ok=[
        Invocation(T(2, 4, 5), *[_CHANNELS] * 4, True, 0.1, 1e-5),
        Invocation(T(2, 4, 5), *[_CHANNELS] * 4, False, 0.1, 1e-5),
        Invocation(T(2, 4), _CHANNELS, None, None, None, True, 0.1, 1e-5),
        *[
            Invocation(T(2, 4, 5, dtype=dtype), *[_CHANNELS] * 4, training, 0.1, 1e-5)
            for dtype in _HALVES
            for training in (True, False)
        ],
    ],
)
dtype_family(miopen_batch_norm_dtype, "aten::miopen_batch_norm")
shape_family(
    device_batch_norm_backward,
    "aten::miopen_batch_norm_backward",
    ok=[
        Invocation(*[T(2, 4, 5, dtype=dtype)] * 2, *[_CHANNELS] * 5, 1e-5)
        for dtype in (torch.float32, *_HALVES)
    ],
    error=[Invocation(T(2, 4, 5), T(2, 4, 6), *[_CHANNELS] * 5, 1e-5)],
)
dtype_family(device_batch_norm_backward_dtype, "aten::miopen_batch_norm_backward")


def miopen_rnn(
    input: List[int],
    cx: Optional[List[int]],
    hidden_size: int,
    num_layers: int,
    batch_first: bool,
    bidirectional: bool,
    batch_sizes: List[int],
) -> Tuple[List[int], List[int], List[int], List[int], List[int]]:
    """The output, the last states, room for a backward pass, and all weights in one."""
    out, hidden, cell = recurrence(
        input, cx, hidden_size, hidden_size, num_layers, batch_first, bidirectional, batch_sizes
    )
    return out, hidden, cell, room(), room()


def miopen_rnn_dtype(
    input: Tuple[int, int], hx: Tuple[int, int], cx: Optional[Tuple[int, int]]
) -> Tuple[int, int, int, int, int]:
    """The dtypes of input, states and weights, and bytes."""
    out, hidden, cell = recurrence_dtype(input[1], hx[1], cx)
    return out, hidden, cell, torch.uint8, input[1]


# What follows the states is mode, hidden_size and num_layers, then batch_first, dropout, train and
# bidirectional, then batch_sizes and dropout_state. Of a missing cell state the meta kernel forgets
# the dtype.
_WEIGHTS = [T(16, 3), T(16, 4), T(16), T(16)]
_LSTM = (2, 4, 1)
_FORWARD = (False, 0.0, True, False)
shape_family(
    miopen_rnn,
    "aten::miopen_rnn",
    ok=[
        Invocation(*(T(5, 2, 3), _WEIGHTS, 4, T(1, 2, 4), T(1, 2, 4), *_LSTM, *_FORWARD, [], None)),
        Invocation(*(T(5, 2, 3), _WEIGHTS, 4, T(1, 2, 4), None, *_LSTM, *_FORWARD, [], None)),
        # Batch first, in both directions.
        Invocation(
            *(T(2, 5, 3), _WEIGHTS, 4, T(2, 2, 4), T(2, 2, 4), *_LSTM),
            *(True, 0.0, True, True, [], None),
        ),
        # Packed.
        Invocation(
            *(T(5, 3), _WEIGHTS, 4, T(1, 2, 4), T(1, 2, 4), *_LSTM, *_FORWARD, [2, 2, 1], None)
        ),
        *[
            Invocation(
                *(T(5, 2, 3, dtype=dtype), _WEIGHTS, 4, *[T(1, 2, 4, dtype=dtype)] * 2),
                *(*_LSTM, *_FORWARD, [], None),
            )
            for dtype in _HALVES
        ],
    ],
    error=[
        Invocation(*(T(5), _WEIGHTS, 4, T(4), T(4), *_LSTM, *_FORWARD, [], None)),
    ],
)
dtype_family(miopen_rnn_dtype, "aten::miopen_rnn")
