"""Recurrent networks: whole sequences, packed sequences, and single cells."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float


def check_parameters(
    features: int, params: List[List[int]], per_layer: int, layers: int, may_project: bool
) -> None:
    """Raise unless there are parameters for each layer, and the first takes `features`.

    `layers` counts both directions. A projection is one parameter more per layer.
    """
    projected = may_project and len(params) == layers * (per_layer + 1)
    assert len(params) == layers * per_layer or projected, (
        f"{layers} layers and directions need {per_layer} parameters each, got {len(params)}"
    )
    assert features == params[0][1], (
        f"the first layer takes {params[0][1]} features, got {features}"
    )


def check_state(hx: List[int], layers: int, features: int) -> None:
    """Raise unless a hidden state fits the layers and the parameters."""
    assert len(hx) == 3, f"a hidden state must have 3 dimensions, got shape {hx}"
    assert hx[0] >= layers, f"a hidden state must hold {layers} layers and directions, got {hx[0]}"
    assert hx[2] == features, f"a hidden state must have {features} features, got {hx[2]}"


def sequence_batch(input: List[int], batch_first: bool) -> int:
    """The batch size of a batch of sequences, which must not be empty."""
    assert len(input) == 3, f"the input must have 3 dimensions, got shape {input}"
    length = input[1] if batch_first else input[0]
    assert length > 0, f"a sequence must not be empty, got shape {input}"
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
    """The hidden features of both directions at each step, and the last state of each layer."""
    directions = 2 if bidirectional else 1
    layers = num_layers * directions
    check_parameters(input[-1], params, 4 if has_biases else 2, layers, False)
    batch, features = sequence_batch(input, batch_first), params[1][1]
    check_state(hx, layers, features)
    # PyTorch broadcasts a batch of one to that of the state.
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
    """As `recurrent`, with a cell state; a projection makes the hidden features fewer."""
    assert len(hx) == 2, f"there must be a hidden and a cell state, got {len(hx)} states"
    directions = 2 if bidirectional else 1
    layers = num_layers * directions
    check_parameters(input[-1], params, 4 if has_biases else 2, layers, True)
    batch = sequence_batch(input, batch_first)
    # Each of four gates is one quarter of the first weight's rows.
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
    """As `recurrent`, over the steps of all sequences in one dimension."""
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
    """As `lstm`, over the steps of all sequences in one dimension."""
    assert len(hx) == 2, f"there must be a hidden and a cell state, got {len(hx)} states"
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
    """The one dtype of input and state."""
    assert input[1] == hx[1], f"dtypes must match, got {input[1]} and {hx[1]}"
    return input[1], input[1]


def recurrent_tanh_dtype(input: Tuple[int, int], hx: Tuple[int, int]) -> Tuple[int, int]:
    """The one dtype of input and state; `tanh` makes integers floats."""
    assert input[1] == hx[1], f"dtypes must match, got {input[1]} and {hx[1]}"
    dtype = int_to_float(input[1])
    return dtype, dtype


def lstm_dtype(input: Tuple[int, int], hx: List[Tuple[int, int]]) -> Tuple[int, int, int]:
    """The one dtype of input and states."""
    assert input[1] == hx[0][1], f"dtypes must match, got {input[1]} and {hx[0][1]}"
    return input[1], input[1], input[1]


def packed_recurrent_dtype(data: Tuple[int, int], hx: Tuple[int, int]) -> Tuple[int, int]:
    """The one dtype of data and state."""
    return recurrent_dtype(data, hx)


def packed_recurrent_tanh_dtype(data: Tuple[int, int], hx: Tuple[int, int]) -> Tuple[int, int]:
    """The one dtype of data and state; `tanh` makes integers floats."""
    return recurrent_tanh_dtype(data, hx)


def packed_lstm_dtype(data: Tuple[int, int], hx: List[Tuple[int, int]]) -> Tuple[int, int, int]:
    """The one dtype of data and states."""
    return lstm_dtype(data, hx)


# Cases have 3 input features and 4 hidden ones. What follows the parameters is has_biases,
# num_layers, dropout, train, bidirectional and, without packing, batch_first.
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
    """The parameters of two layers in both directions."""
    return weights(rows) * 2 + weights(rows, input=8) * 2


def sequence_ok(rows: int) -> list[Invocation]:
    """Cases for a network whose gates have `rows` rows together."""
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
    """What such a network rejects."""
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
    """Cases for such a network over packed sequences, which need the values of batch sizes."""
    return [
        Invocation(T(5, 3), BATCH_SIZES, T(1, 2, 4), weights(rows), *ONE_LAYER, device="cpu"),
        Invocation(
            *(T(5, 3), BATCH_SIZES, T(4, 2, 4), four_weights(rows), *TWO_LAYERS_BOTH_WAYS),
            device="cpu",
        ),
    ]


def packed_error(rows: int) -> list[Invocation]:
    """What such a network rejects of packed sequences."""
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
    """Raise unless a cell's input and state fit each other and the weights."""
    assert len(input) == 2, f"the input must have 2 dimensions, got shape {input}"
    assert len(hx) == 2, f"a hidden state must have 2 dimensions, got shape {hx}"
    assert input[1] == w_ih[1], f"the cell takes {w_ih[1]} features, got {input[1]}"
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
    assert len(hx) == 2, f"there must be a hidden and a cell state, got {len(hx)} states"
    check_cell(input, hx[0], w_ih, w_hh)
    check_cell(input, hx[1], w_ih, w_hh)
    return [input[0], w_hh[1]], [input[0], w_hh[1]]


def recurrent_cell_dtype(input: Tuple[int, int], hx: Tuple[int, int]) -> int:
    """The one dtype of input and state."""
    return recurrent_dtype(input, hx)[0]


def recurrent_tanh_cell_dtype(input: Tuple[int, int], hx: Tuple[int, int]) -> int:
    """The one dtype of input and state; `tanh` makes integers floats."""
    return recurrent_tanh_dtype(input, hx)[0]


def lstm_cell_dtype(input: Tuple[int, int], hx: List[Tuple[int, int]]) -> Tuple[int, int]:
    """The one dtype of input and states."""
    return recurrent_dtype(input, hx[0])


def cell_ok(rows: int) -> list[Invocation]:
    """Cases for a cell whose gates have `rows` rows together."""
    half = torch.float16
    return [
        Invocation(T(2, 3), T(2, 4), *weights(rows)),
        Invocation(T(0, 3), T(0, 4), *weights(rows)[:2]),
        Invocation(T(2, 3, dtype=half), T(2, 4, dtype=half), *weights(rows, dtype=half)),
    ]


def cell_error(rows: int) -> list[Invocation]:
    """What such a cell rejects."""
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
