"""Kernels of cuDNN, and of MIOpen, its counterpart in ROCm. Only their meta kernels run here."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.families.neural_networks.batch_normalization import (
    check_batch_norm,
)
from torch_refine.abstract_interp_lib.rules.device_libraries import (
    device_batch_norm_backward,
    device_batch_norm_backward_dtype,
    recurrence,
    recurrence_dtype,
    room,
)
from torch_refine.abstract_interp_lib.rules.unknown import unknown_sizes

_HALVES = (torch.float16, torch.bfloat16)
_CHANNELS = T(4)


def cudnn_batch_norm(
    input: List[int],
    weight: List[int],
    bias: Optional[List[int]],
    running_mean: Optional[List[int]],
    running_var: Optional[List[int]],
    training: bool,
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """The shape of the input, the saved statistics, and a reserve buffer."""
    check_batch_norm(input, weight, bias, running_mean, running_var, training)
    saved = [input[1] if training else 0]
    return input, saved, list(saved), room()


def cudnn_batch_norm_dtype(
    input: Tuple[int, int], weight: Tuple[int, int]
) -> Tuple[int, int, int, int]:
    """The dtype of the input, of its parameters, and uint8.

    Parameters of half-precision inputs are float32; the meta kernel accepts others.
    """
    return input[1], weight[1], weight[1], torch.uint8


shape_family(
    cudnn_batch_norm,
    "aten::cudnn_batch_norm",
    ok=[
        Invocation(T(2, 4, 5), *[_CHANNELS] * 4, True, 0.1, 1e-5),
        Invocation(T(2, 4, 5), *[_CHANNELS] * 4, False, 0.1, 1e-5),
        Invocation(T(2, 4), _CHANNELS, None, None, None, True, 0.1, 1e-5),
        *[
            Invocation(T(2, 4, 5, dtype=dtype), *[_CHANNELS] * 4, training, 0.1, 1e-5)
            for dtype in _HALVES
            for training in (True, False)
        ],
        Invocation(
            *(T(2, 4, 5, dtype=torch.float64), *[T(4, dtype=torch.float64)] * 4),
            *(True, 0.1, 1e-5),
        ),
    ],
    error=[
        Invocation(T(2, 4, 5), _CHANNELS, None, None, None, False, 0.1, 1e-5),
        Invocation(T(2, 4, 5), T(3), None, None, None, True, 0.1, 1e-5),
        Invocation(T(2, 4, 5), _CHANNELS, T(3), None, None, True, 0.1, 1e-5),
    ],
)
dtype_family(cudnn_batch_norm_dtype, "aten::cudnn_batch_norm")
shape_family(
    device_batch_norm_backward,
    "aten::cudnn_batch_norm_backward",
    ok=[
        Invocation(*[T(2, 4, 5, dtype=dtype)] * 2, *[_CHANNELS] * 5, 1e-5, T(0, dtype=torch.uint8))
        for dtype in (torch.float32, *_HALVES)
    ],
    error=[Invocation(T(2, 4, 5), T(2, 4, 6), *[_CHANNELS] * 5, 1e-5, T(0, dtype=torch.uint8))],
)
dtype_family(device_batch_norm_backward_dtype, "aten::cudnn_batch_norm_backward")


def cudnn_rnn(
    input: List[int],
    weight_buf: Optional[List[int]],
    cx: Optional[List[int]],
    hidden_size: int,
    proj_size: int,
    num_layers: int,
    batch_first: bool,
    bidirectional: bool,
    batch_sizes: List[int],
) -> Tuple[List[int], List[int], List[int], List[int], List[int]]:
    """The output, the last states, the reserve buffer, and the flattened weights."""
    out, hidden, cell = recurrence(
        input,
        cx,
        hidden_size,
        proj_size if proj_size != 0 else hidden_size,
        num_layers,
        batch_first,
        bidirectional,
        batch_sizes,
    )
    weights = room() if weight_buf is None else weight_buf
    return out, hidden, cell, room(), weights


def cudnn_rnn_dtype(
    input: Tuple[int, int],
    weight_buf: Optional[Tuple[int, int]],
    hx: Tuple[int, int],
    cx: Optional[Tuple[int, int]],
) -> Tuple[int, int, int, int, int]:
    """The dtypes of input, states and weights, and uint8."""
    out, hidden, cell = recurrence_dtype(input[1], hx[1], cx)
    return out, hidden, cell, torch.uint8, input[1] if weight_buf is None else weight_buf[1]


def weights(dtype: torch.dtype = torch.float32) -> list[TensorCase]:
    """The parameters of an LSTM with 4 hidden features and 3 input features."""
    return [
        T(16, 3, dtype=dtype),
        T(16, 4, dtype=dtype),
        T(16, dtype=dtype),
        T(16, dtype=dtype),
    ]


# The states are followed by mode, hidden_size, proj_size and num_layers, then batch_first, dropout,
# train and bidirectional, then batch_sizes and dropout_state. For a missing cell state the meta
# kernel loses the dtype; without `weight_buf` it returns no weights.
_LSTM = (2, 4, 0, 1)
_FORWARD = (False, 0.0, True, False)
shape_family(
    cudnn_rnn,
    "aten::_cudnn_rnn",
    ok=[
        Invocation(
            *(T(5, 2, 3), weights(), 4, T(99), T(1, 2, 4), T(1, 2, 4), *_LSTM, *_FORWARD, [], None)
        ),
        Invocation(
            *(T(5, 2, 3), weights(), 4, None, T(1, 2, 4), None, *_LSTM, *_FORWARD, [], None)
        ),
        # Batch first, bidirectional, with a projection to 2 features.
        Invocation(
            *(T(2, 5, 3), weights(), 4, T(99), T(2, 2, 2), T(2, 2, 4)),
            *(2, 4, 2, 1, True, 0.0, True, True, [], None),
        ),
        # Packed.
        Invocation(
            *(T(5, 3), weights(), 4, T(99), T(1, 2, 4), T(1, 2, 4)),
            *(*_LSTM, *_FORWARD, [2, 2, 1], None),
        ),
        *[
            Invocation(
                *(T(5, 2, 3, dtype=dtype), weights(dtype), 4, T(99, dtype=dtype)),
                *(T(1, 2, 4, dtype=dtype), T(1, 2, 4, dtype=dtype)),
                *(*_LSTM, *_FORWARD, [], None),
            )
            for dtype in _HALVES
        ],
    ],
    error=[
        Invocation(*(T(5), weights(), 4, T(99), T(4), T(4), *_LSTM, *_FORWARD, [], None)),
    ],
)
dtype_family(cudnn_rnn_dtype, "aten::_cudnn_rnn")


def cudnn_attention(
    query: List[int], key: List[int], value: List[int]
) -> Tuple[List[int], List[int], List[int], List[int], List[int], List[int], List[int]]:
    """The output, logsumexp, and the philox seed and offset.

    The sequence offsets are only used for nested tensors, and there is no attention mask.
    """
    assert len(query) == 4 and len(key) == 4 and len(value) == 4, (
        f"query, key and value must have 4 dimensions, got {query}, {key} and {value}"
    )
    sums = [query[0], query[1], query[2], 1]
    state: List[int] = []
    return query[:3] + value[3:], sums, room(), room(), state, state, unknown_sizes()


def cudnn_attention_dtype(
    query: Tuple[int, int],
) -> Tuple[int, int, int, int, int, int, int]:
    """The dtype of the query, float32 for logsumexp, integers for offsets and random state."""
    return (
        query[1],
        torch.float32,
        torch.int32,
        torch.int32,
        torch.int64,
        torch.int64,
        query[1],
    )


def attention_case(dtype: torch.dtype = torch.float32) -> list[TensorCase]:
    """Query, key and value, of different lengths and features."""
    return [
        T(2, 3, 4, 8, dtype=dtype),
        T(2, 3, 5, 8, dtype=dtype),
        T(2, 3, 5, 6, dtype=dtype),
    ]


shape_family(
    cudnn_attention,
    "aten::_scaled_dot_product_cudnn_attention",
    ok=[
        Invocation(*attention_case(), None, True),
        Invocation(*attention_case(), T(4, 5), False, 0.5, True, True, scale=0.5),
        *[Invocation(*attention_case(dtype), None, True) for dtype in _HALVES],
    ],
    error=[Invocation(T(4, 8), T(5, 8), T(5, 6), None, True)],
)
dtype_family(cudnn_attention_dtype, "aten::_scaled_dot_product_cudnn_attention")


def attention_gradients(
    query: List[int], key: List[int], value: List[int]
) -> Tuple[List[int], List[int], List[int]]:
    """The gradients of query, key and value."""
    return query, key, value


def attention_gradients_dtype(
    query: Tuple[int, int], key: Tuple[int, int], value: Tuple[int, int]
) -> Tuple[int, int, int]:
    """The dtypes of query, key and value."""
    return query[1], key[1], value[1]


_NUMBER = T(dtype=torch.int64)
shape_family(
    attention_gradients,
    "aten::_scaled_dot_product_cudnn_attention_backward",
    ok=[
        Invocation(
            *(T(2, 3, 4, 6, dtype=dtype), *attention_case(dtype), T(2, 3, 4, 6, dtype=dtype)),
            *(T(2, 3, 4, 1), *[_NUMBER] * 5, 4, 5, 0.0, False),
        )
        for dtype in (torch.float32, *_HALVES)
    ],
)
dtype_family(attention_gradients_dtype, "aten::_scaled_dot_product_cudnn_attention_backward")


# Kernels of MIOpen, the counterpart of cuDNN in ROCm. Only their meta kernels run here.


def miopen_batch_norm(
    input: List[int],
    weight: List[int],
    running_mean: Optional[List[int]],
    running_var: Optional[List[int]],
    training: bool,
) -> Tuple[List[int], List[int], List[int]]:
    """The shape of the input, and the saved statistics, one element per channel."""
    mean = weight if running_mean is None else running_mean
    variance = weight if running_var is None else running_var
    return input, mean if training else [0], variance if training else [0]


def miopen_batch_norm_dtype(
    input: Tuple[int, int], weight: Tuple[int, int]
) -> Tuple[int, int, int]:
    """The dtype of the input, and of its parameters."""
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
    """The output, the last states, the reserve buffer, and the flattened weights."""
    out, hidden, cell = recurrence(
        input, cx, hidden_size, hidden_size, num_layers, batch_first, bidirectional, batch_sizes
    )
    return out, hidden, cell, room(), room()


def miopen_rnn_dtype(
    input: Tuple[int, int], hx: Tuple[int, int], cx: Optional[Tuple[int, int]]
) -> Tuple[int, int, int, int, int]:
    """The dtypes of input, states and weights, and uint8."""
    out, hidden, cell = recurrence_dtype(input[1], hx[1], cx)
    return out, hidden, cell, torch.uint8, input[1]


# The states are followed by mode, hidden_size and num_layers, then batch_first, dropout, train and
# bidirectional, then batch_sizes and dropout_state. For a missing cell state the meta kernel loses
# the dtype.
_WEIGHTS = [T(16, 3), T(16, 4), T(16), T(16)]
_MIOPEN_LSTM = (2, 4, 1)
shape_family(
    miopen_rnn,
    "aten::miopen_rnn",
    ok=[
        Invocation(
            *(T(5, 2, 3), _WEIGHTS, 4, T(1, 2, 4), T(1, 2, 4), *_MIOPEN_LSTM, *_FORWARD, [], None)
        ),
        Invocation(
            *(T(5, 2, 3), _WEIGHTS, 4, T(1, 2, 4), None, *_MIOPEN_LSTM, *_FORWARD, [], None)
        ),
        # Batch first, bidirectional.
        Invocation(
            *(T(2, 5, 3), _WEIGHTS, 4, T(2, 2, 4), T(2, 2, 4), *_MIOPEN_LSTM),
            *(True, 0.0, True, True, [], None),
        ),
        # Packed.
        Invocation(
            *(
                T(5, 3),
                _WEIGHTS,
                4,
                T(1, 2, 4),
                T(1, 2, 4),
                *_MIOPEN_LSTM,
                *_FORWARD,
                [2, 2, 1],
                None,
            )
        ),
        *[
            Invocation(
                *(T(5, 2, 3, dtype=dtype), _WEIGHTS, 4, *[T(1, 2, 4, dtype=dtype)] * 2),
                *(*_MIOPEN_LSTM, *_FORWARD, [], None),
            )
            for dtype in _HALVES
        ],
    ],
    error=[
        Invocation(*(T(5), _WEIGHTS, 4, T(4), T(4), *_MIOPEN_LSTM, *_FORWARD, [], None)),
    ],
)
dtype_family(miopen_rnn_dtype, "aten::miopen_rnn")
