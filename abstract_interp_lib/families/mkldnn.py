"""Kernels of oneDNN, once MKL-DNN, that take dense tensors."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.convolution import convolution
from torch_refine.abstract_interp_lib.rules.device_libraries import room
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.normalization import is_half


def mkldnn_convolution(
    self: List[int],
    weight: List[int],
    bias: Optional[List[int]],
    padding: List[int],
    stride: List[int],
    dilation: List[int],
    groups: int,
) -> List[int]:
    """A convolution of a batch."""
    return convolution(self, weight, bias, stride, padding, dilation, False, [0], groups)


# There is no meta kernel, and only some CPUs know 16-bit floats. Weights may be of another dtype.
# What follows the bias is padding, stride, dilation and groups.
_HALF = torch.bfloat16
shape_family(
    mkldnn_convolution,
    "aten::mkldnn_convolution",
    ok=[
        Invocation(T(2, 3, 8, 7), T(4, 3, 3, 2), None, [1, 0], [2, 1], [1, 2], 1, device="cpu"),
        Invocation(T(2, 3, 8), T(4, 3, 3), T(4), [1], [2], [1], 1, device="cpu"),
        Invocation(T(2, 3, 8, 8, 8), T(4, 3, 3, 3, 3), T(4), [1, 0, 1], [2], [1], 1, device="cpu"),
        Invocation(T(2, 4, 8, 8), T(6, 2, 3, 3), T(6), [1], [2], [1], 2, device="cpu"),
        Invocation(T(0, 3, 8, 8), T(4, 3, 3, 3), None, [1], [2], [1], 1, device="cpu"),
    ],
    error=[
        Invocation(T(3, 8, 8), T(4, 3, 3, 3), None, [1], [1], [1], 1, device="cpu"),
        Invocation(T(2, 2, 8, 8), T(4, 3, 3, 3), None, [1], [1], [1], 1, device="cpu"),
        Invocation(T(2, 3, 8, 8), T(4, 3, 3, 3), T(3), [1], [1], [1], 1, device="cpu"),
        Invocation(T(2, 3, 2, 8), T(4, 3, 3, 3), None, [0], [1], [1], 1, device="cpu"),
    ],
)
dtype_family(
    dtype_of_self,
    "aten::mkldnn_convolution",
    ok=[
        Invocation(
            *(T(2, 3, 8, 8, dtype=torch.uint8), T(4, 3, 3, 3, dtype=torch.uint8)),
            *(None, [1], [1], [1], 1),
            device="cpu",
        ),
    ],
)


def mkldnn_rnn_layer(
    input: List[int], hx_: List[int], cx_: List[int], hidden_size: int
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """The hidden features at each step, the last states, and room for a backward pass."""
    assert len(input) >= 3, f"the input must have 3 dimensions, got shape {input}"
    return [input[0], input[1], hidden_size], hx_, cx_, room()


def mkldnn_rnn_layer_dtype(
    input: Tuple[int, int], hx_: Tuple[int, int], cx_: Tuple[int, int]
) -> Tuple[int, int, int, int]:
    """The dtypes of input and states, and bytes."""
    return input[1], hx_[1], cx_[1], torch.uint8


def weights(gates: int, dtype: torch.dtype = torch.float32) -> list[TensorCase]:
    """The parameters of 4 features with so many gates over an input of 3."""
    rows = 4 * gates
    return [
        T(rows, 3, dtype=dtype),
        T(rows, 4, dtype=dtype),
        T(rows, dtype=dtype),
        T(rows, dtype=dtype),
    ]


# An LSTM, a GRU and a plain network, as the parameter `mode` names them, and their gates.
_MODES = {2: 4, 3: 3, 0: 1}
_STATE = T(1, 2, 4)
# What follows hidden_size: num_layers, has_biases, bidirectional, batch_first and train.
_ONE_LAYER = (1, True, False)
shape_family(
    mkldnn_rnn_layer,
    "aten::mkldnn_rnn_layer",
    ok=[
        *[
            Invocation(
                *(T(5, 2, 3), *weights(gates), _STATE, _STATE, False, [], mode, 4),
                *(*_ONE_LAYER, False, True),
            )
            for mode, gates in _MODES.items()
        ],
        Invocation(
            *(T(2, 5, 3), *weights(4), T(2, 4), T(2, 4), True, [], 2, 4, *_ONE_LAYER, True, False),
        ),
        Invocation(
            *(T(0, 2, 3), *weights(4), _STATE, _STATE, False, [], 2, 4, *_ONE_LAYER, False, False),
        ),
        Invocation(
            *(T(5, 2, 3), *weights(4), _STATE, _STATE, True, [], 2, 4, *_ONE_LAYER, False, True),
            device="cpu",
        ),
        Invocation(
            *(T(5, 2, 3, dtype=_HALF), *weights(4, _HALF), *[T(1, 2, 4, dtype=_HALF)] * 2),
            *(False, [], 2, 4, *_ONE_LAYER, False, True),
        ),
    ],
    error=[
        Invocation(
            *(T(5, 3), *weights(4), T(1, 4), T(1, 4), False, [], 2, 4, *_ONE_LAYER, False, False),
            device="cpu",
        ),
    ],
)
dtype_family(mkldnn_rnn_layer_dtype, "aten::mkldnn_rnn_layer")


def mkldnn_rnn_layer_backward(
    input: List[int],
    weight1: List[int],
    weight2: List[int],
    weight3: List[int],
    hx_: List[int],
    cx_tmp: List[int],
    mode: int,
    hidden_size: int,
) -> Tuple[List[int], List[int], List[int], List[int], List[int], List[int], List[int]]:
    """The gradients of the input, of both weights and both biases, and of the states.

    A GRU, which `mode` 3 stands for, computes with one gate more than its biases have.
    """
    bias = [4 * hidden_size if mode == 3 else weight3[0]]
    return input, weight1, weight2, bias, list(bias), hx_, cx_tmp


def mkldnn_rnn_layer_backward_dtype(
    input: Tuple[int, int],
) -> Tuple[int, int, int, int, int, int, int]:
    """All gradients are float32, also where the input is half; oneDNN knows no other dtypes."""
    dtype = torch.float32 if is_half(input[1]) else input[1]
    return dtype, dtype, dtype, dtype, dtype, dtype, dtype


def backward_case(mode: int, gates: int, dtype: torch.dtype = torch.float32) -> Invocation:
    """The gradient of a network over 5 steps of a batch of 2."""
    output, state = T(5, 2, 4, dtype=dtype), T(1, 2, 4, dtype=dtype)
    return Invocation(
        *(T(5, 2, 3, dtype=dtype), *weights(gates, dtype), state, state, output, state, state),
        *(output, state, state, False, mode, 4, 1, True, True, False, [], False),
        T(0, dtype=torch.uint8),
    )


# The kernel for the CPU needs the workspace that a forward pass leaves.
shape_family(
    mkldnn_rnn_layer_backward,
    "aten::mkldnn_rnn_layer_backward",
    ok=[
        *[backward_case(mode, gates) for mode, gates in _MODES.items()],
        backward_case(2, 4, torch.bfloat16),
        backward_case(2, 4, torch.float16),
    ],
)
dtype_family(mkldnn_rnn_layer_backward_dtype, "aten::mkldnn_rnn_layer_backward")
