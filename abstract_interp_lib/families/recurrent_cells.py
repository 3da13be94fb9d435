"""The pointwise part of recurrent cells, after the products with the weights, and its gradients.

The products of the input and of the state are the gates, four for an LSTM and three for a GRU. The
kernels named `fused` are for CUDA.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three, broadcast_two
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.promotion import (
    int_to_float,
    promote_list,
    promote_two,
)
from torch_refine.abstract_interp_lib.rules.sizes import ceil_divide, replace_size


def fused_lstm_cell(
    input_gates: List[int], hidden_gates: List[int], cx: List[int], input_bias: Optional[List[int]]
) -> Tuple[List[int], List[int], List[int]]:
    """The next hidden state and cell state, and what the gradient needs of the gates."""
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


# A kernel for CUDA, so only its meta kernel runs here, and this one only with biases.
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
    """The gates' gradient, twice, that of the cell state, and that of a bias, twice."""
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
    """The shape of gates after a bias, if there is one, is added."""
    out = gates
    if bias is not None:
        out = broadcast_two(gates, bias)
    assert len(out) >= 2, f"gates must have 2 dimensions, got shape {out}"
    return out


def one_gate(gates: List[int], count: int) -> List[int]:
    """The shape of one of `count` gates, which stand side by side in dimension 1."""
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
    """The gates' gradient, twice, that of the cell state, and that of a bias, twice.

    Whatever is multiplied broadcasts.
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
    """Rank and dtype of gates after a bias, if there is one, is added."""
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
    """All dtypes promote; the gates' are floats, and the old state does not count for the new."""
    gates = (2, promote_two(input_gates, hidden_gates))
    gates = promote_bias(promote_bias(gates, input_bias), hidden_bias)
    state = (2, int_to_float(gates[1]))
    if grad_hy is not None:
        state = (2, promote_list([state, grad_hy, (cy[0], int_to_float(cy[1]))]))
    if grad_cy is not None:
        state = (2, promote_two(state, grad_cy))
    out = promote_two(state, cx)
    return out, out, state[1], out, out


# The composition of pointwise operators that stands in for the gradient of a fused cell.
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
    """The gradients of both kinds of gates, of the state, and of both biases.

    Whatever is multiplied broadcasts.
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
    """All dtypes promote; the gates' are floats, and the old state does not count for the new."""
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
