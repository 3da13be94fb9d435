"""One step of recurrent layers, and gradients of it."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    in_dtype,
    in_pieces,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral


def in_wide(self: torch.Tensor) -> torch.Tensor:
    """A tensor in the dtype that a step is computed in, and rounded once."""
    assert not is_integral(self.dtype) and not is_complex(self.dtype), "of real floats"
    return in_dtype(self, computation_dtype(self.dtype))


def transformed(
    input: torch.Tensor, weight: torch.Tensor, bias: Optional[torch.Tensor]
) -> torch.Tensor:
    """A product with a weight, plus a bias."""
    found = torch.matmul(in_wide(input), torch.transpose(in_wide(weight), 0, 1))
    return found if bias is None else torch.add(found, in_wide(bias))


def gates(
    input: torch.Tensor,
    hx: torch.Tensor,
    w_ih: torch.Tensor,
    w_hh: torch.Tensor,
    b_ih: Optional[torch.Tensor],
    b_hh: Optional[torch.Tensor],
) -> torch.Tensor:
    """The sum of the transformed input and state."""
    return torch.add(transformed(input, w_ih, b_ih), transformed(hx, w_hh, b_hh))


@decomposition("aten::rnn_tanh_cell")
def rnn_tanh_cell(
    input: torch.Tensor,
    hx: torch.Tensor,
    w_ih: torch.Tensor,
    w_hh: torch.Tensor,
    b_ih: Optional[torch.Tensor] = None,
    b_hh: Optional[torch.Tensor] = None,
) -> torch.Tensor:
    """The hyperbolic tangent of the sum of input and state."""
    return in_dtype(torch.tanh(gates(input, hx, w_ih, w_hh, b_ih, b_hh)), hx.dtype)


@decomposition("aten::rnn_relu_cell")
def rnn_relu_cell(
    input: torch.Tensor,
    hx: torch.Tensor,
    w_ih: torch.Tensor,
    w_hh: torch.Tensor,
    b_ih: Optional[torch.Tensor] = None,
    b_hh: Optional[torch.Tensor] = None,
) -> torch.Tensor:
    """The sum of input and state, or 0."""
    return in_dtype(torch.relu(gates(input, hx, w_ih, w_hh, b_ih, b_hh)), hx.dtype)


@decomposition("aten::lstm_cell")
def lstm_cell(
    input: torch.Tensor,
    hx: List[torch.Tensor],
    w_ih: torch.Tensor,
    w_hh: torch.Tensor,
    b_ih: Optional[torch.Tensor] = None,
    b_hh: Optional[torch.Tensor] = None,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The gates of input, forgetting, cell and output."""
    parts = in_pieces(gates(input, hx[0], w_ih, w_hh, b_ih, b_hh), 4, 1)
    kept = torch.mul(torch.sigmoid(parts[1]), in_wide(hx[1]))
    cell = torch.add(kept, torch.mul(torch.sigmoid(parts[0]), torch.tanh(parts[2])))
    state = torch.mul(torch.sigmoid(parts[3]), torch.tanh(cell))
    return in_dtype(state, hx[0].dtype), in_dtype(cell, hx[1].dtype)


@decomposition("aten::gru_cell")
def gru_cell(
    input: torch.Tensor,
    hx: torch.Tensor,
    w_ih: torch.Tensor,
    w_hh: torch.Tensor,
    b_ih: Optional[torch.Tensor] = None,
    b_hh: Optional[torch.Tensor] = None,
) -> torch.Tensor:
    """The gates of resetting and of updating, and a new state."""
    inputs = in_pieces(transformed(input, w_ih, b_ih), 3, 1)
    states = in_pieces(transformed(hx, w_hh, b_hh), 3, 1)
    reset = torch.sigmoid(torch.add(states[0], inputs[0]))
    update = torch.sigmoid(torch.add(states[1], inputs[1]))
    new = torch.tanh(torch.add(inputs[2], torch.mul(states[2], reset)))
    found = torch.add(torch.mul(torch.sub(in_wide(hx), new), update), new)
    return in_dtype(found, hx.dtype)


def through_sigmoid(grad: torch.Tensor, output: torch.Tensor) -> torch.Tensor:
    """A gradient before a sigmoid."""
    return torch.mul(torch.mul(grad, torch.rsub(output, 1)), output)


def through_tanh(grad: torch.Tensor, output: torch.Tensor) -> torch.Tensor:
    """A gradient before a hyperbolic tangent."""
    return torch.mul(grad, torch.rsub(torch.mul(output, output), 1))


def with_bias(gates: torch.Tensor, bias: Optional[torch.Tensor]) -> torch.Tensor:
    """Gates plus their bias, if there is one."""
    return gates if bias is None else torch.add(gates, in_wide(bias))


@decomposition("aten::_thnn_differentiable_lstm_cell_backward")
def _thnn_differentiable_lstm_cell_backward(
    grad_hy: Optional[torch.Tensor],
    grad_cy: Optional[torch.Tensor],
    input_gates: torch.Tensor,
    hidden_gates: torch.Tensor,
    input_bias: Optional[torch.Tensor],
    hidden_bias: Optional[torch.Tensor],
    cx: torch.Tensor,
    cy: torch.Tensor,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Of the gates, of the cell, and the sums of the first over the batch."""
    dtype = cx.dtype
    is_same = input_gates.dtype == dtype and hidden_gates.dtype == dtype and cy.dtype == dtype
    if grad_hy is not None:
        is_same = is_same and grad_hy.dtype == dtype
    if grad_cy is not None:
        is_same = is_same and grad_cy.dtype == dtype
    if input_bias is not None:
        is_same = is_same and input_bias.dtype == dtype
    if hidden_bias is not None:
        is_same = is_same and hidden_bias.dtype == dtype
    assert is_same, "the dtypes differ"
    total = with_bias(torch.add(in_wide(input_gates), in_wide(hidden_gates)), input_bias)
    parts = in_pieces(with_bias(total, hidden_bias), 4, 1)
    i, f, o = torch.sigmoid(parts[0]), torch.sigmoid(parts[1]), torch.sigmoid(parts[3])
    c = torch.tanh(parts[2])
    of_output = torch.zeros_like(in_wide(cx))
    if grad_hy is not None:
        output = torch.tanh(in_wide(cy))
        of_output = through_sigmoid(torch.mul(in_wide(grad_hy), output), o)
        of_cell = through_tanh(torch.mul(in_wide(grad_hy), o), output)
        if grad_cy is not None:
            of_cell = torch.add(of_cell, in_wide(grad_cy))
    else:
        assert grad_cy is not None, "without gradients there is no result"
        of_cell = in_wide(grad_cy)
    of_gates = torch.cat(
        [
            through_sigmoid(torch.mul(of_cell, c), i),
            through_sigmoid(torch.mul(of_cell, in_wide(cx)), f),
            through_tanh(torch.mul(of_cell, i), c),
            of_output,
        ],
        1,
    )
    of_bias = in_dtype(torch.sum(of_gates, [0]), dtype)
    of_gates = in_dtype(of_gates, dtype)
    return of_gates, of_gates, in_dtype(torch.mul(of_cell, f), dtype), of_bias, of_bias


@decomposition("aten::_thnn_differentiable_gru_cell_backward")
def _thnn_differentiable_gru_cell_backward(
    grad_hy: torch.Tensor,
    input_gates: torch.Tensor,
    hidden_gates: torch.Tensor,
    hx: torch.Tensor,
    input_bias: Optional[torch.Tensor],
    hidden_bias: Optional[torch.Tensor],
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Of the gates of input and state, of the state, and the sums of the first over the batch."""
    dtype = hx.dtype
    is_same = input_gates.dtype == dtype and hidden_gates.dtype == dtype
    if input_bias is not None:
        is_same = is_same and input_bias.dtype == dtype
    if hidden_bias is not None:
        is_same = is_same and hidden_bias.dtype == dtype
    assert is_same and grad_hy.dtype == dtype, "the dtypes differ"
    inputs = in_pieces(with_bias(in_wide(input_gates), input_bias), 3, 1)
    states = in_pieces(with_bias(in_wide(hidden_gates), hidden_bias), 3, 1)
    given = in_wide(grad_hy)
    reset = torch.sigmoid(torch.add(inputs[0], states[0]))
    update = torch.sigmoid(torch.add(inputs[1], states[1]))
    new = torch.tanh(torch.add(inputs[2], torch.mul(reset, states[2])))
    of_update = through_sigmoid(torch.mul(given, torch.sub(in_wide(hx), new)), update)
    of_new = through_tanh(torch.mul(given, torch.rsub(update, 1)), new)
    of_reset = through_sigmoid(torch.mul(of_new, states[2]), reset)
    of_input = torch.cat([of_reset, of_update, of_new], 1)
    of_state = torch.cat([of_reset, of_update, torch.mul(of_new, reset)], 1)
    return (
        in_dtype(of_input, dtype),
        in_dtype(of_state, dtype),
        in_dtype(torch.mul(given, update), dtype),
        in_dtype(torch.sum(of_input, [0]), dtype),
        in_dtype(torch.sum(of_state, [0]), dtype),
    )
