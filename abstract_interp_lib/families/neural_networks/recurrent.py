"""Recurrent networks on batched and packed sequences, single cells, and gradients of cells."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three, broadcast_two
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float, promote_list, promote_two
from torch_refine.abstract_interp_lib.rules.sizes import ceil_divide, replace_size


def check_parameters(
    features: int, params: List[List[int]], per_layer: int, layers: int, may_project: bool
) -> None:
    """Raise unless each layer has its parameters and the first layer accepts `features`.

    `layers` counts both directions. A projection adds one parameter per layer.
    """
    projected = may_project and len(params) == layers * (per_layer + 1)
    assert len(params) == layers * per_layer or projected, (
        f"expected {per_layer} parameters for each of {layers} layers and directions, got {len(params)}"
    )
    assert features == params[0][1], (
        f"the first layer expects {params[0][1]} input features, got {features}"
    )


def check_state(hx: List[int], layers: int, features: int) -> None:
    """Raise unless a hidden state matches the layers and the parameters."""
    assert len(hx) == 3, f"a hidden state must have 3 dimensions, got shape {hx}"
    assert hx[0] >= layers, f"a hidden state must have {layers} layers and directions, got {hx[0]}"
    assert hx[2] == features, f"a hidden state must have {features} features, got {hx[2]}"


def sequence_batch(input: List[int], batch_first: bool) -> int:
    """The batch size of batched sequences, whose length must not be 0."""
    assert len(input) == 3, f"the input must have 3 dimensions, got shape {input}"
    length = input[1] if batch_first else input[0]
    assert length > 0, f"the sequence length must be positive, got shape {input}"
    return input[0] if batch_first else input[1]


def recurrent(
    input: List[int],
    hx: List[int],
    params: List[List[int]],
    has_biases: bool,
    num_layers: int,
    bidirectional: bool,
    batch_first: bool,
) -> Tuple[List[int], List[int]]:
    """The output features of both directions per step, and the last state of each layer."""
    directions = 2 if bidirectional else 1
    layers = num_layers * directions
    check_parameters(input[-1], params, 4 if has_biases else 2, layers, False)
    batch, features = sequence_batch(input, batch_first), params[1][1]
    check_state(hx, layers, features)
    # PyTorch broadcasts a batch of size 1 to the batch size of the state.
    assert hx[1] == batch or batch == 1, f"batch sizes must match, got {batch} and {hx[1]}"
    steps = input[1] if batch_first else input[0]
    out = [hx[1], steps] if batch_first else [steps, hx[1]]
    out.append(features * directions)
    return out, [layers, hx[1], features]


def lstm(
    input: List[int],
    hx: List[List[int]],
    params: List[List[int]],
    has_biases: bool,
    num_layers: int,
    bidirectional: bool,
    batch_first: bool,
) -> Tuple[List[int], List[int], List[int]]:
    """As `recurrent`, with a cell state; a projection reduces the output features."""
    assert len(hx) == 2, f"expected a hidden and a cell state, got {len(hx)} states"
    directions = 2 if bidirectional else 1
    layers = num_layers * directions
    check_parameters(input[-1], params, 4 if has_biases else 2, layers, True)
    batch = sequence_batch(input, batch_first)
    # Each of the four gates is one quarter of the rows of the first weight.
    features, cell_features = params[1][1], params[0][0] // 4
    check_state(hx[0], layers, features)
    check_state(hx[1], layers, cell_features)
    assert batch == hx[0][1] and batch == hx[1][1], (
        f"batch sizes must match, got {batch}, {hx[0][1]} and {hx[1][1]}"
    )
    out = [input[0], input[1], features * directions]
    return out, [layers, batch, features], [layers, batch, cell_features]


def packed_recurrent(
    data: List[int],
    hx: List[int],
    params: List[List[int]],
    has_biases: bool,
    num_layers: int,
    bidirectional: bool,
) -> Tuple[List[int], List[int]]:
    """As `recurrent`, with the steps of all sequences in one dimension."""
    directions = 2 if bidirectional else 1
    layers = num_layers * directions
    assert len(data) == 2, f"packed data must have 2 dimensions, got shape {data}"
    check_parameters(data[1], params, 4 if has_biases else 2, layers, False)
    features = params[1][1]
    check_state(hx, layers, features)
    return [data[0], features * directions], [layers, hx[1], features]


def packed_lstm(
    data: List[int],
    hx: List[List[int]],
    params: List[List[int]],
    has_biases: bool,
    num_layers: int,
    bidirectional: bool,
) -> Tuple[List[int], List[int], List[int]]:
    """As `lstm`, with the steps of all sequences in one dimension."""
    assert len(hx) == 2, f"expected a hidden and a cell state, got {len(hx)} states"
    directions = 2 if bidirectional else 1
    layers = num_layers * directions
    assert len(data) == 2, f"packed data must have 2 dimensions, got shape {data}"
    check_parameters(data[1], params, 4 if has_biases else 2, layers, True)
    features, cell_features = params[1][1], params[0][0] // 4
    check_state(hx[0], layers, features)
    check_state(hx[1], layers, cell_features)
    out = [data[0], features * directions]
    return out, [layers, hx[0][1], features], [layers, hx[1][1], cell_features]


def recurrent_dtype(input: Tuple[int, int], hx: Tuple[int, int]) -> Tuple[int, int]:
    """The common dtype of input and state."""
    assert input[1] == hx[1], f"dtypes must match, got {input[1]} and {hx[1]}"
    return input[1], input[1]


def recurrent_tanh_dtype(input: Tuple[int, int], hx: Tuple[int, int]) -> Tuple[int, int]:
    """The common dtype of input and state; `tanh` converts integers to float32."""
    assert input[1] == hx[1], f"dtypes must match, got {input[1]} and {hx[1]}"
    dtype = int_to_float(input[1])
    return dtype, dtype


def lstm_dtype(input: Tuple[int, int], hx: List[Tuple[int, int]]) -> Tuple[int, int, int]:
    """The common dtype of input and states."""
    assert input[1] == hx[0][1], f"dtypes must match, got {input[1]} and {hx[0][1]}"
    return input[1], input[1], input[1]


def packed_recurrent_dtype(data: Tuple[int, int], hx: Tuple[int, int]) -> Tuple[int, int]:
    """The common dtype of data and state."""
    return recurrent_dtype(data, hx)


def packed_recurrent_tanh_dtype(data: Tuple[int, int], hx: Tuple[int, int]) -> Tuple[int, int]:
    """The common dtype of data and state; `tanh` converts integers to float32."""
    return recurrent_tanh_dtype(data, hx)


def packed_lstm_dtype(data: Tuple[int, int], hx: List[Tuple[int, int]]) -> Tuple[int, int, int]:
    """The common dtype of data and states."""
    return lstm_dtype(data, hx)


# Cases have 3 input features and 4 hidden features. The parameters are followed by has_biases,
# num_layers, dropout, train, bidirectional and, for unpacked input, batch_first.
ONE_LAYER = (True, 1, 0.0, False, False)
TWO_LAYERS_BOTH_WAYS = (True, 2, 0.0, False, True)
BATCH_SIZES = T(3, dtype=torch.int64, values=[2, 2, 1])


def weights(
    rows: int, hidden: int = 4, input: int = 3, dtype: torch.dtype = torch.float32
) -> list[TensorCase]:
    """The parameters of one layer and direction; `rows` is 4 per gate."""
    biases = [T(rows, dtype=dtype), T(rows, dtype=dtype)]
    return [T(rows, input, dtype=dtype), T(rows, hidden, dtype=dtype), *biases]


def four_weights(rows: int) -> list[TensorCase]:
    """The parameters of two bidirectional layers."""
    return weights(rows) * 2 + weights(rows, input=8) * 2


def sequence_ok(rows: int) -> list[Invocation]:
    """Cases for a network whose gates have `rows` rows in total."""
    half = torch.bfloat16
    return [
        Invocation(T(5, 2, 3), T(1, 2, 4), weights(rows), *ONE_LAYER, False),
        Invocation(T(2, 5, 3), T(1, 2, 4), weights(rows), *ONE_LAYER, True),
        Invocation(T(5, 2, 3), T(4, 2, 4), four_weights(rows), *TWO_LAYERS_BOTH_WAYS, False),
        Invocation(T(5, 0, 3), T(1, 0, 4), weights(rows)[:2], False, *ONE_LAYER[1:], False),
        Invocation(T(5, 1, 3), T(1, 2, 4), weights(rows), *ONE_LAYER, False),
        Invocation(
            T(5, 2, 3, dtype=half),
            T(1, 2, 4, dtype=half),
            weights(rows, dtype=half),
            *(*ONE_LAYER, False),
        ),
    ]


def sequence_error(rows: int) -> list[Invocation]:
    """Cases that such a network rejects."""
    return [
        Invocation(T(3), T(1, 2, 4), weights(rows), *ONE_LAYER, False),
        Invocation(T(0, 2, 3), T(1, 2, 4), weights(rows), *ONE_LAYER, False),
        Invocation(T(5, 2, 2), T(1, 2, 4), weights(rows), *ONE_LAYER, False),
        Invocation(T(5, 2, 3), T(1, 4), weights(rows), *ONE_LAYER, False),
        Invocation(T(5, 2, 3), T(1, 3, 4), weights(rows), *ONE_LAYER, False),
        Invocation(T(5, 2, 3), T(1, 2, 5), weights(rows), *ONE_LAYER, False),
        Invocation(T(5, 2, 3), T(1, 2, 4), four_weights(rows), *TWO_LAYERS_BOTH_WAYS, False),
        Invocation(T(5, 2, 3), T(1, 2, 4), four_weights(rows), *ONE_LAYER, False),
    ]


def packed_ok(rows: int) -> list[Invocation]:
    """Cases for such a network over packed sequences, which read the values of batch sizes."""
    return [
        Invocation(T(5, 3), BATCH_SIZES, T(1, 2, 4), weights(rows), *ONE_LAYER, device="cpu"),
        Invocation(
            *(T(5, 3), BATCH_SIZES, T(4, 2, 4), four_weights(rows), *TWO_LAYERS_BOTH_WAYS),
            device="cpu",
        ),
    ]


def packed_error(rows: int) -> list[Invocation]:
    """Cases with packed sequences that such a network rejects."""
    return [
        Invocation(T(5, 2, 3), BATCH_SIZES, T(1, 2, 4), weights(rows), *ONE_LAYER, device="cpu"),
        Invocation(T(5, 2), BATCH_SIZES, T(1, 2, 4), weights(rows), *ONE_LAYER, device="cpu"),
    ]


WRONG_STATE_DTYPE = Invocation(
    T(5, 2, 3), T(1, 2, 4, dtype=torch.float64), weights(4), *ONE_LAYER, False, device="cpu"
)

shape_family(recurrent, "aten::gru.input", ok=sequence_ok(12), error=sequence_error(12))
shape_family(
    recurrent,
    "aten::rnn_tanh.input",
    "aten::rnn_relu.input",
    ok=sequence_ok(4),
    error=sequence_error(4),
)
dtype_family(recurrent_dtype, "aten::gru.input")
dtype_family(recurrent_dtype, "aten::rnn_relu.input", error=[WRONG_STATE_DTYPE])
dtype_family(
    recurrent_tanh_dtype,
    "aten::rnn_tanh.input",
    ok=[
        Invocation(
            T(1, 2, 3, dtype=torch.int64),
            T(1, 2, 4, dtype=torch.int64),
            weights(4, dtype=torch.int64),
            *(*ONE_LAYER, False),
        )
    ],
    error=[WRONG_STATE_DTYPE],
)
shape_family(packed_recurrent, "aten::gru.data", ok=packed_ok(12), error=packed_error(12))
shape_family(
    packed_recurrent,
    "aten::rnn_tanh.data",
    "aten::rnn_relu.data",
    ok=packed_ok(4),
    error=packed_error(4),
)
dtype_family(packed_recurrent_dtype, "aten::gru.data", "aten::rnn_relu.data")
dtype_family(packed_recurrent_tanh_dtype, "aten::rnn_tanh.data")

shape_family(
    lstm,
    "aten::lstm.input",
    ok=[
        Invocation(T(5, 2, 3), [T(1, 2, 4), T(1, 2, 4)], weights(16), *ONE_LAYER, False),
        Invocation(T(2, 5, 3), [T(1, 2, 4), T(1, 2, 4)], weights(16), *ONE_LAYER, True),
        Invocation(
            T(5, 2, 3),
            [T(4, 2, 4), T(4, 2, 4)],
            four_weights(16),
            *(*TWO_LAYERS_BOTH_WAYS, False),
        ),
        # A projection of the hidden state to 2 features.
        Invocation(
            T(5, 2, 3),
            [T(1, 2, 2), T(1, 2, 4)],
            [*weights(16, hidden=2), T(2, 4)],
            *(*ONE_LAYER, False),
        ),
        Invocation(
            T(5, 2, 3, dtype=torch.float16),
            [T(1, 2, 4, dtype=torch.float16), T(1, 2, 4, dtype=torch.float16)],
            weights(16, dtype=torch.float16),
            *(*ONE_LAYER, False),
        ),
    ],
    error=[
        Invocation(T(5, 2, 3), [T(1, 2, 4)], weights(16), *ONE_LAYER, False),
        Invocation(T(5, 2, 3), [T(1, 2, 4), T(1, 2, 5)], weights(16), *ONE_LAYER, False),
        Invocation(T(5, 2, 3), [T(1, 3, 4), T(1, 3, 4)], weights(16), *ONE_LAYER, False),
        Invocation(T(5, 2, 2), [T(1, 2, 4), T(1, 2, 4)], weights(16), *ONE_LAYER, False),
    ],
)
dtype_family(
    lstm_dtype,
    "aten::lstm.input",
    error=[
        Invocation(
            T(5, 2, 3, dtype=torch.float64),
            [T(1, 2, 4), T(1, 2, 4)],
            weights(16),
            *(*ONE_LAYER, False),
            device="cpu",
        )
    ],
)
shape_family(
    packed_lstm,
    "aten::lstm.data",
    ok=[
        Invocation(
            *(T(5, 3), BATCH_SIZES, [T(1, 2, 4), T(1, 2, 4)], weights(16), *ONE_LAYER),
            device="cpu",
        ),
    ],
    error=[
        Invocation(*(T(5, 3), BATCH_SIZES, [T(1, 2, 4)], weights(16), *ONE_LAYER), device="cpu"),
        Invocation(
            *(T(5, 2, 3), BATCH_SIZES, [T(1, 2, 4), T(1, 2, 4)], weights(16), *ONE_LAYER),
            device="cpu",
        ),
    ],
)
dtype_family(packed_lstm_dtype, "aten::lstm.data")


def check_cell(input: List[int], hx: List[int], w_ih: List[int], w_hh: List[int]) -> None:
    """Raise unless a cell's input and state match each other and the weights."""
    assert len(input) == 2, f"the input must have 2 dimensions, got shape {input}"
    assert len(hx) == 2, f"a hidden state must have 2 dimensions, got shape {hx}"
    assert input[1] == w_ih[1], f"the cell expects {w_ih[1]} input features, got {input[1]}"
    assert hx[1] == w_hh[1], f"a hidden state must have {w_hh[1]} features, got {hx[1]}"
    assert input[0] == hx[0], f"batch sizes must match, got {input[0]} and {hx[0]}"


def recurrent_cell(input: List[int], hx: List[int], w_ih: List[int], w_hh: List[int]) -> List[int]:
    """The next hidden state."""
    check_cell(input, hx, w_ih, w_hh)
    return [input[0], w_hh[1]]


def lstm_cell(
    input: List[int], hx: List[List[int]], w_ih: List[int], w_hh: List[int]
) -> Tuple[List[int], List[int]]:
    """The next hidden state and the next cell state."""
    assert len(hx) == 2, f"expected a hidden and a cell state, got {len(hx)} states"
    check_cell(input, hx[0], w_ih, w_hh)
    check_cell(input, hx[1], w_ih, w_hh)
    return [input[0], w_hh[1]], [input[0], w_hh[1]]


def recurrent_cell_dtype(input: Tuple[int, int], hx: Tuple[int, int]) -> int:
    """The common dtype of input and state."""
    return recurrent_dtype(input, hx)[0]


def recurrent_tanh_cell_dtype(input: Tuple[int, int], hx: Tuple[int, int]) -> int:
    """The common dtype of input and state; `tanh` converts integers to float32."""
    return recurrent_tanh_dtype(input, hx)[0]


def lstm_cell_dtype(input: Tuple[int, int], hx: List[Tuple[int, int]]) -> Tuple[int, int]:
    """The common dtype of input and states."""
    return recurrent_dtype(input, hx[0])


def cell_ok(rows: int) -> list[Invocation]:
    """Cases for a cell whose gates have `rows` rows in total."""
    half = torch.float16
    return [
        Invocation(T(2, 3), T(2, 4), *weights(rows)),
        Invocation(T(0, 3), T(0, 4), *weights(rows)[:2]),
        Invocation(T(2, 3, dtype=half), T(2, 4, dtype=half), *weights(rows, dtype=half)),
    ]


def cell_error(rows: int) -> list[Invocation]:
    """Cases that such a cell rejects."""
    return [
        Invocation(T(3), T(2, 4), *weights(rows)),
        Invocation(T(2, 3), T(4), *weights(rows)),
        Invocation(T(2, 2), T(2, 4), *weights(rows)),
        Invocation(T(2, 3), T(2, 5), *weights(rows)),
        Invocation(T(2, 3), T(1, 4), *weights(rows)),
    ]


shape_family(recurrent_cell, "aten::gru_cell", ok=cell_ok(12), error=cell_error(12))
shape_family(
    recurrent_cell,
    "aten::rnn_tanh_cell",
    "aten::rnn_relu_cell",
    ok=cell_ok(4),
    error=cell_error(4),
)
dtype_family(recurrent_cell_dtype, "aten::gru_cell", "aten::rnn_relu_cell")
dtype_family(
    recurrent_tanh_cell_dtype,
    "aten::rnn_tanh_cell",
    ok=[
        Invocation(
            T(2, 3, dtype=torch.int32),
            T(2, 4, dtype=torch.int32),
            *weights(4, dtype=torch.int32),
        )
    ],
)
shape_family(
    lstm_cell,
    "aten::lstm_cell",
    ok=[
        Invocation(T(2, 3), [T(2, 4), T(2, 4)], *weights(16)),
        Invocation(T(0, 3), [T(0, 4), T(0, 4)], *weights(16)[:2]),
        Invocation(
            T(2, 3, dtype=torch.bfloat16),
            [T(2, 4, dtype=torch.bfloat16), T(2, 4, dtype=torch.bfloat16)],
            *weights(16, dtype=torch.bfloat16),
        ),
    ],
    error=[
        Invocation(T(2, 3), [T(2, 4)], *weights(16)),
        Invocation(T(2, 3), [T(2, 4), T(1, 4)], *weights(16)),
        Invocation(T(2, 3), [T(1, 4), T(2, 4)], *weights(16)),
    ],
)
dtype_family(lstm_cell_dtype, "aten::lstm_cell")


# The pointwise part of recurrent cells, after the matmuls with the weights, and its gradients.
#
# The matmuls of input and state give the gates, four for an LSTM and three for a GRU. The `fused`
# kernels are for CUDA.


def fused_lstm_cell(
    input_gates: List[int], hidden_gates: List[int], cx: List[int], input_bias: Optional[List[int]]
) -> Tuple[List[int], List[int], List[int]]:
    """The next hidden and cell state, and the workspace for the gradient."""
    assert len(input_gates) == 2 and len(cx) == 2, (
        f"gates and state must have 2 dimensions, got shapes {input_gates} and {cx}"
    )
    check_same(hidden_gates, input_gates, "hidden_gates")
    if input_bias is not None:
        check_same(input_bias, input_gates[1:], "input_bias")
    return cx, list(cx), input_gates


def fused_lstm_cell_dtype(
    input_gates: Tuple[int, int], cx: Tuple[int, int]
) -> Tuple[int, int, int]:
    """The dtypes of the state and of the gates."""
    return cx[1], cx[1], input_gates[1]


# A CUDA kernel, so only its meta kernel runs here, and this one only with biases.
shape_family(
    fused_lstm_cell,
    "aten::_thnn_fused_lstm_cell",
    ok=[
        Invocation(T(2, 12), T(2, 12), T(2, 3), T(12), T(12)),
        Invocation(T(0, 12), T(0, 12), T(0, 3), T(12), T(12)),
        Invocation(
            *[T(2, 12, dtype=torch.float16)] * 2,
            T(2, 3, dtype=torch.float16),
            *[T(12, dtype=torch.float16)] * 2,
        ),
    ],
    error=[
        Invocation(T(12), T(12), T(3), T(12), T(12)),
        Invocation(T(2, 12), T(1, 12), T(2, 3), T(12), T(12)),
        Invocation(T(2, 12), T(2, 12), T(2, 3), T(11), T(11)),
    ],
)
dtype_family(fused_lstm_cell_dtype, "aten::_thnn_fused_lstm_cell")


def fused_lstm_backward_impl(
    cx: List[int], cy: List[int], workspace: List[int]
) -> Tuple[List[int], List[int], List[int]]:
    """The shapes of the gates, of the cell state and of a bias."""
    assert len(cx) == 2 and len(workspace) == 2, (
        f"state and gates must have 2 dimensions, got shapes {cx} and {workspace}"
    )
    check_same(cy, cx, "cy")
    return workspace, cx, workspace[1:]


def fused_lstm_backward_impl_dtype(
    cx: Tuple[int, int], workspace: Tuple[int, int]
) -> Tuple[int, int, int]:
    """The dtypes of the gates, of the cell state and of a bias."""
    return workspace[1], cx[1], workspace[1]


def fused_lstm_backward(
    cx: List[int], cy: List[int], workspace: List[int]
) -> Tuple[List[int], List[int], List[int], List[int], List[int]]:
    """The gradients of the gates, twice, of the cell state, and of a bias, twice."""
    gates, state, bias = fused_lstm_backward_impl(cx, cy, workspace)
    return gates, gates, state, bias, bias


def fused_lstm_backward_dtype(
    cx: Tuple[int, int], workspace: Tuple[int, int]
) -> Tuple[int, int, int, int, int]:
    """The dtypes of the gates, of the cell state and of a bias."""
    gates, state, bias = fused_lstm_backward_impl_dtype(cx, workspace)
    return gates, gates, state, bias, bias


FUSED_BACKWARD_OK = [
    Invocation(T(2, 3), T(2, 3), T(2, 3), T(2, 3), T(2, 12), True),
    Invocation(None, T(2, 3), T(2, 3), T(2, 3), T(2, 12), False),
    Invocation(T(2, 3), None, T(2, 3), T(2, 3), T(2, 12), True),
    Invocation(*[T(2, 3, dtype=torch.float16)] * 4, T(2, 12, dtype=torch.float16), True),
]
FUSED_BACKWARD_ERROR = [
    Invocation(T(3), T(3), T(3), T(3), T(12), True),
    Invocation(T(2, 3), T(2, 3), T(2, 3), T(1, 3), T(2, 12), True),
]
shape_family(
    fused_lstm_backward_impl,
    "aten::_thnn_fused_lstm_cell_backward_impl",
    ok=FUSED_BACKWARD_OK,
    error=FUSED_BACKWARD_ERROR,
)
shape_family(
    fused_lstm_backward,
    "aten::_thnn_fused_lstm_cell_backward",
    ok=FUSED_BACKWARD_OK,
    error=FUSED_BACKWARD_ERROR,
)
dtype_family(fused_lstm_backward_impl_dtype, "aten::_thnn_fused_lstm_cell_backward_impl")
dtype_family(fused_lstm_backward_dtype, "aten::_thnn_fused_lstm_cell_backward")


def with_bias(gates: List[int], bias: Optional[List[int]]) -> List[int]:
    """The shape of the gates after adding a bias, if there is one."""
    out = gates
    if bias is not None:
        out = broadcast_two(gates, bias)
    assert len(out) >= 2, f"gates must have 2 dimensions, got shape {out}"
    return out


def one_gate(gates: List[int], count: int) -> List[int]:
    """The shape of one of `count` gates, which are concatenated in dimension 1."""
    return replace_size(gates, 1, ceil_divide(gates[1], count))


def differentiable_lstm_backward(
    grad_hy: Optional[List[int]],
    grad_cy: Optional[List[int]],
    input_gates: List[int],
    hidden_gates: List[int],
    input_bias: Optional[List[int]],
    hidden_bias: Optional[List[int]],
    cx: List[int],
    cy: List[int],
) -> Tuple[List[int], List[int], List[int], List[int], List[int]]:
    """The gradients of the gates, twice, of the cell state, and of a bias, twice.

    Elementwise operands broadcast.
    """
    gates = with_bias(broadcast_two(input_gates, hidden_gates), input_bias)
    gate = one_gate(with_bias(gates, hidden_bias), 4)
    state = gate
    output_gate = cx
    if grad_hy is not None:
        state = broadcast_three(grad_hy, cy, gate)
        output_gate = state
    if grad_cy is not None:
        state = broadcast_two(state, grad_cy)
    forget_gate = broadcast_two(state, cx)
    out = replace_size(state, 1, 2 * state[1] + forget_gate[1] + output_gate[1])
    bias = out[1:]
    return out, list(out), state, bias, list(bias)


def promote_bias(gates: Tuple[int, int], bias: Optional[Tuple[int, int]]) -> Tuple[int, int]:
    """Rank and dtype of the gates after adding a bias, if there is one."""
    out = gates
    if bias is not None:
        out = (gates[0], promote_two(gates, bias))
    return out


def differentiable_lstm_backward_dtype(
    grad_hy: Optional[Tuple[int, int]],
    grad_cy: Optional[Tuple[int, int]],
    input_gates: Tuple[int, int],
    hidden_gates: Tuple[int, int],
    input_bias: Optional[Tuple[int, int]],
    hidden_bias: Optional[Tuple[int, int]],
    cx: Tuple[int, int],
    cy: Tuple[int, int],
) -> Tuple[int, int, int, int, int]:
    """All dtypes promote; gates are floating-point; the old state does not affect the new one."""
    gates = (2, promote_two(input_gates, hidden_gates))
    gates = promote_bias(promote_bias(gates, input_bias), hidden_bias)
    state = (2, int_to_float(gates[1]))
    if grad_hy is not None:
        state = (2, promote_list([state, grad_hy, (cy[0], int_to_float(cy[1]))]))
    if grad_cy is not None:
        state = (2, promote_two(state, grad_cy))
    out = promote_two(state, cx)
    return out, out, state[1], out, out


# The composition of pointwise operators that replaces the gradient of a fused cell.
shape_family(
    differentiable_lstm_backward,
    "aten::_thnn_differentiable_lstm_cell_backward",
    ok=[
        Invocation(T(2, 3), T(2, 3), T(2, 12), T(2, 12), T(12), T(12), T(2, 3), T(2, 3)),
        Invocation(T(2, 3), None, T(2, 12), T(2, 12), None, None, T(2, 3), T(2, 3)),
        Invocation(None, T(2, 3), T(2, 12), T(2, 12), None, None, T(2, 3), T(2, 3)),
        Invocation(T(2, 3), None, T(1, 12), T(1, 12), None, None, T(2, 3), T(2, 3)),
        Invocation(T(2, 3), T(2, 3), T(2, 4), T(2, 4), T(4), T(4), T(2, 3), T(2, 3)),
        Invocation(
            T(2, 3, dtype=torch.float16),
            None,
            *[T(2, 12, dtype=torch.float16)] * 2,
            *(None, None, T(2, 3), T(2, 3, dtype=torch.float16)),
        ),
        Invocation(
            None,
            T(2, 3, dtype=torch.bfloat16),
            *[T(2, 12, dtype=torch.int64)] * 2,
            *[T(12, dtype=torch.float64), None],
            *[T(2, 3, dtype=torch.bfloat16)] * 2,
        ),
    ],
    error=[
        Invocation(T(3), None, T(12), T(12), None, None, T(3), T(3)),
        Invocation(T(2, 3), None, T(3, 12), T(2, 12), None, None, T(2, 3), T(2, 3)),
        Invocation(T(3, 3), None, T(2, 12), T(2, 12), None, None, T(2, 3), T(2, 3)),
    ],
)
dtype_family(differentiable_lstm_backward_dtype, "aten::_thnn_differentiable_lstm_cell_backward")


def differentiable_gru_backward(
    grad_hy: List[int],
    input_gates: List[int],
    hidden_gates: List[int],
    hx: List[int],
    input_bias: Optional[List[int]],
    hidden_bias: Optional[List[int]],
) -> Tuple[List[int], List[int], List[int], List[int], List[int]]:
    """The gradients of input and hidden gates, of the state, and of both biases.

    Elementwise operands broadcast.
    """
    input_gate = one_gate(with_bias(input_gates, input_bias), 3)
    hidden_gate = one_gate(with_bias(hidden_gates, hidden_bias), 3)
    state = broadcast_three(grad_hy, input_gate, hidden_gate)
    out = replace_size(state, 1, 2 * state[1] + broadcast_two(state, hx)[1])
    bias = out[1:]
    return out, list(out), state, bias, list(bias)


def differentiable_gru_backward_dtype(
    grad_hy: Tuple[int, int],
    input_gates: Tuple[int, int],
    hidden_gates: Tuple[int, int],
    hx: Tuple[int, int],
    input_bias: Optional[Tuple[int, int]],
    hidden_bias: Optional[Tuple[int, int]],
) -> Tuple[int, int, int, int, int]:
    """All dtypes promote; gates are floating-point; the old state does not affect the new one."""
    gates = (2, promote_two(input_gates, hidden_gates))
    gates = promote_bias(promote_bias(gates, input_bias), hidden_bias)
    state = (2, promote_two((2, int_to_float(gates[1])), grad_hy))
    out = promote_two(state, hx)
    return out, out, state[1], out, out


shape_family(
    differentiable_gru_backward,
    "aten::_thnn_differentiable_gru_cell_backward",
    ok=[
        Invocation(T(2, 3), T(2, 9), T(2, 9), T(2, 3), T(9), T(9)),
        Invocation(T(0, 3), T(0, 9), T(0, 9), T(0, 3), None, None),
        Invocation(T(2, 3), T(1, 9), T(2, 9), T(2, 3), T(9), None),
        Invocation(T(2, 3), T(2, 9), T(2, 9), T(2, 1), None, T(9, dtype=torch.float64)),
        Invocation(
            T(2, 3, dtype=torch.int64),
            *(T(2, 9, dtype=torch.int64), T(2, 9, dtype=torch.float16)),
            *(T(2, 3, dtype=torch.bfloat16), None, None),
        ),
    ],
    error=[
        Invocation(T(3), T(9), T(9), T(3), None, None),
        Invocation(T(2, 3), T(3, 9), T(2, 9), T(2, 3), None, None),
    ],
)
dtype_family(differentiable_gru_backward_dtype, "aten::_thnn_differentiable_gru_cell_backward")
