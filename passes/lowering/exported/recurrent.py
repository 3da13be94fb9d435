"""Recurrent layers as loops over time.

PyTorch's decompositions unroll the steps, for as many as the example has. Here a layer is a matmul
of all its inputs, and one operator `torch_refine::*_steps` per direction, which
`torch-lower-recurrences` lowers to a loop. The matmul adds both biases, where the cell adds them.

This module loads PyTorch; what needs it loads it on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch._C import DispatchKey
from torch._ops import OpOverload
from torch.fx.experimental.symbolic_shapes import statically_known_true

aten = torch.ops.aten
Decomposition = Callable[..., Any]
# The output for each step and the last states: of the inputs' matmul, a layer's parameters, its
# initial states, the dimension of time, and whether it is traversed backwards.
_Steps = Callable[[Tensor, "_Parameters", Sequence[Tensor], int, bool], tuple[Tensor, ...]]

_FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
_EMPTY = "Expected sequence length to be larger than 0 in RNN"

_LIBRARY = torch.library.Library("torch_refine", "DEF")
for _signature in (
    "lstm_steps(Tensor inputs, Tensor weight, Tensor hidden, Tensor cell, int time, bool reverse)"
    " -> (Tensor, Tensor, Tensor)",
    "projected_lstm_steps(Tensor inputs, Tensor weight, Tensor projection, Tensor hidden, "
    "Tensor cell, int time, bool reverse) -> (Tensor, Tensor, Tensor)",
    "gru_steps(Tensor inputs, Tensor weight, Tensor bias, Tensor hidden, int time, bool reverse)"
    " -> (Tensor, Tensor)",
    "tanh_steps(Tensor inputs, Tensor weight, Tensor hidden, int time, bool reverse)"
    " -> (Tensor, Tensor)",
    "relu_steps(Tensor inputs, Tensor weight, Tensor hidden, int time, bool reverse)"
    " -> (Tensor, Tensor)",
):
    _LIBRARY.define(_signature)


def recurrences() -> dict[OpOverload, Decomposition]:
    """The decompositions by operator; each returns `NotImplemented` where PyTorch's is used."""
    return {
        aten.lstm.input: _lstm,
        aten.gru.input: partial(_recurrent, 3, _gru_steps),
        aten.rnn_tanh.input: partial(_recurrent, 1, partial(_plain_steps, "tanh_steps")),
        aten.rnn_relu.input: partial(_recurrent, 1, partial(_plain_steps, "relu_steps")),
    }


@contextmanager
def whole_recurrences() -> Iterator[None]:
    """Export recurrent layers as one operator each, for any number of steps.

    PyTorch computes the sizes of their results by unrolling them, which makes the number of steps a
    constant. Not to be entered by two threads at once, like `torch.export` itself.
    """
    operators = list(recurrences())
    kept = [dict(operator.py_kernels) for operator in operators]
    for operator in operators:
        for key in (DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd):
            original = operator.py_kernels.get(key)
            if original is not None:
                operator.py_kernels[key] = _of_any_length(operator, original)
        operator._dispatch_cache.clear()
    try:
        yield
    finally:
        for operator, kernels in zip(operators, kept, strict=True):
            operator.py_kernels.clear()
            operator.py_kernels.update(kernels)
            operator._dispatch_cache.clear()


def _of_any_length(operator: OpOverload, original: Decomposition) -> Decomposition:
    decomposition = recurrences()[operator]

    def kernel(*args: Any, **kwargs: Any) -> Any:
        found = decomposition(*args, **kwargs)
        return original(*args, **kwargs) if found is NotImplemented else found

    return kernel


class _Parameters:
    """The parameters of one layer in one direction, and the sizes that they imply."""

    def __init__(self, tensors: Sequence[Tensor], has_biases: bool, gates: int) -> None:
        self.input_weight, self.weight = tensors[:2]
        self.biases = tensors[2:4] if has_biases else ()
        rest = tensors[4:] if has_biases else tensors[2:]
        self.projection = rest[0] if rest else None
        self.features = self.input_weight.shape[0] // gates


def _lstm(
    input: Tensor,
    hx: Sequence[Tensor],
    params: Sequence[Tensor],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> Any:
    options = (has_biases, num_layers, dropout, train, bidirectional, batch_first)
    return _run(4, _lstm_steps, input, hx, params, *options)


def _recurrent(
    gates: int, steps: _Steps, input: Tensor, hx: Tensor, params: Sequence[Tensor], *options: Any
) -> Any:
    return _run(gates, steps, input, [hx], params, *options)


def _run(
    gates: int,
    steps: _Steps,
    input: Tensor,
    states: Sequence[Tensor],
    params: Sequence[Tensor],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> Any:
    """The outputs of the last layer, and the last states of all layers."""
    directions = 2 if bidirectional else 1
    is_projected = len(states) == 2 and states[0].dim() == 3 and len(params) > 2 and (
        len(params) // (num_layers * directions) in (3, 5)
    )
    per_layer = (4 if has_biases else 2) + is_projected
    if (
        (train and dropout)
        or len(states) != (2 if gates == 4 else 1)
        or not _is_supported([input, *states, *params])
        or len(params) != num_layers * directions * per_layer
        or input.dim() != 3
        or any(each.dim() != 3 for each in states)
    ):
        return NotImplemented
    layers = [
        _Parameters(params[start : start + per_layer], has_biases, gates)
        for start in range(0, len(params), per_layer)
    ]
    time, batch = (1, 0) if batch_first else (0, 1)
    if statically_known_true(input.shape[time] == 0):
        raise RuntimeError(_EMPTY)
    if not all(_fits(states, layers, input.shape[batch])):
        return NotImplemented
    last: list[tuple[Tensor, ...]] = []
    for layer in range(num_layers):
        outputs = []
        for direction in range(directions):
            place = layer * directions + direction
            initial = [each[place] for each in states]
            output, *after = steps(input, layers[place], initial, time, direction == 1)
            outputs.append(output)
            last.append(tuple(after))
        input = torch.cat(outputs, -1) if bidirectional else outputs[0]
    return input, *(torch.stack(each) for each in zip(*last, strict=True))


def _is_supported(tensors: Sequence[Tensor]) -> bool:
    """Whether the loop is lowered: on a CPU, for floats of one dtype."""
    first = tensors[0]
    return (
        first.dtype in _FLOATS
        and all(each.dtype == first.dtype for each in tensors)
        and all(each.device.type == "cpu" for each in tensors)
    )


def _fits(states: Sequence[Tensor], layers: Sequence[_Parameters], batch: Any) -> Iterator[bool]:
    """Whether each state has a row per layer and sequence, and as many features as the weights."""
    for state in states:
        yield state.shape[0] == len(layers)
        # PyTorch broadcasts the batch of some, and raises for others.
        yield statically_known_true(state.shape[1] == batch)
    for layer in layers:
        yield statically_known_true(states[0].shape[2] == layer.weight.shape[1])
        yield statically_known_true(states[-1].shape[2] == layer.features)
        yield (layer.projection is None) == (len(states) == 1) or statically_known_true(
            states[0].shape[2] == (layer.features if layer.projection is None else layer.projection.shape[0])
        )


def _lstm_steps(
    input: Tensor, layer: _Parameters, states: Sequence[Tensor], time: int, reverse: bool
) -> tuple[Tensor, ...]:
    bias = layer.biases[0] + layer.biases[1] if layer.biases else None
    inputs = torch.nn.functional.linear(input, layer.input_weight, bias)
    ops, weight = torch.ops.torch_refine, layer.weight.t()
    if layer.projection is None:
        found = ops.lstm_steps(inputs, weight, *states, time, reverse)
    else:
        found = ops.projected_lstm_steps(
            inputs, weight, layer.projection.t(), *states, time, reverse
        )
    return tuple(found)


def _gru_steps(
    input: Tensor, layer: _Parameters, states: Sequence[Tensor], time: int, reverse: bool
) -> tuple[Tensor, ...]:
    size = layer.features
    bias, own = None, input.new_zeros(size)
    if layer.biases:
        # The reset gate multiplies the last bias of the recurrence.
        first, second = layer.biases
        own = second[2 * size :]
        bias = torch.cat([first[: 2 * size] + second[: 2 * size], first[2 * size :]])
    inputs = torch.nn.functional.linear(input, layer.input_weight, bias)
    found = torch.ops.torch_refine.gru_steps(
        inputs, layer.weight.t(), own, *states, time, reverse
    )
    return tuple(found)


def _plain_steps(
    name: str,
    input: Tensor,
    layer: _Parameters,
    states: Sequence[Tensor],
    time: int,
    reverse: bool,
) -> tuple[Tensor, ...]:
    bias = layer.biases[0] + layer.biases[1] if layer.biases else None
    inputs = torch.nn.functional.linear(input, layer.input_weight, bias)
    steps = getattr(torch.ops.torch_refine, name)
    return tuple(steps(inputs, layer.weight.t(), *states, time, reverse))


def _results(inputs: Tensor, *states: Tensor) -> tuple[Tensor, ...]:
    sizes = (*inputs.shape[:2], states[0].shape[1])
    return inputs.new_empty(sizes), *(torch.empty_like(each) for each in states)


@torch.library.impl(_LIBRARY, "lstm_steps", "Meta")
def _(inputs: Tensor, weight: Tensor, hidden: Tensor, cell: Tensor, *_: Any) -> Any:
    return _results(inputs, hidden, cell)


@torch.library.impl(_LIBRARY, "projected_lstm_steps", "Meta")
def _(inputs: Tensor, weight: Tensor, projection: Tensor, hidden: Tensor, cell: Tensor, *_: Any) -> Any:
    return _results(inputs, hidden, cell)


@torch.library.impl(_LIBRARY, "gru_steps", "Meta")
def _(inputs: Tensor, weight: Tensor, bias: Tensor, hidden: Tensor, *_: Any) -> Any:
    return _results(inputs, hidden)


def _plain_results(inputs: Tensor, weight: Tensor, hidden: Tensor, *_: Any) -> Any:
    return _results(inputs, hidden)


torch.library.impl(_LIBRARY, "tanh_steps", "Meta")(_plain_results)
torch.library.impl(_LIBRARY, "relu_steps", "Meta")(_plain_results)
