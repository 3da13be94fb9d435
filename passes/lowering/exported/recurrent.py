"""Recurrent layers as loops over time.

PyTorch's decompositions unroll the steps, for as many as the example has. Here a layer is a matmul
of all its inputs, and one operator `torch_refine::*_steps` per direction, which
`torch-lower-recurrences` lowers to a loop. The matmul adds both biases, where the cell adds them.

This module loads PyTorch; what needs it loads it on first use.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch._C import DispatchKey
from torch._ops import OpOverload
from torch.fx.experimental.symbolic_shapes import statically_known_true

aten = torch.ops.aten
Decomposition = Callable[..., Any]
# The output of each step and the last states: of a layer's inputs, its parameters, its initial
# states, the dimension of time, and whether it is traversed backwards.
_Steps = Callable[[Tensor, "_Parameters", Sequence[Tensor], int, bool], tuple[Tensor, ...]]

_FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
_ops: Any = torch.ops.torch_refine


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
    constant. Other threads are not affected.
    """
    with _exports.lock:
        if not _exports.count:
            _exports.kernels = {each: dict(each.py_kernels) for each in recurrences()}
            for operator, kernels in _exports.kernels.items():
                _set_kernels(operator, {**kernels, **_of_any_length(operator, kernels)})
        _exports.count += 1
    _exports.here.nested = getattr(_exports.here, "nested", 0) + 1
    try:
        yield
    finally:
        _exports.here.nested -= 1
        with _exports.lock:
            _exports.count -= 1
            if not _exports.count:
                for operator, kernels in _exports.kernels.items():
                    _set_kernels(operator, kernels)


class _Exports:
    """The exports that run now, and the kernels that they replaced."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.count = 0
        self.kernels: dict[OpOverload, dict[Any, Any]] = {}
        self.here = threading.local()


_exports = _Exports()


def _set_kernels(operator: OpOverload, kernels: Mapping[Any, Any]) -> None:
    operator.py_kernels.clear()
    operator.py_kernels.update(kernels)
    operator._dispatch_cache.clear()


def _of_any_length(operator: OpOverload, kernels: Mapping[Any, Any]) -> dict[Any, Any]:
    """Kernels that unroll nothing, in place of those in PyTorch's table."""
    decomposition = recurrences()[operator]

    def replaced(original: Decomposition) -> Decomposition:
        def kernel(*args: Any, **kwargs: Any) -> Any:
            found = NotImplemented
            if getattr(_exports.here, "nested", 0):
                found = decomposition(*args, **kwargs)
            return original(*args, **kwargs) if found is NotImplemented else found

        return kernel

    keys = (DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd)
    return {key: replaced(kernels[key]) for key in keys if key in kernels}


@dataclass(frozen=True)
class _Parameters:
    """The parameters of one direction of a layer."""

    input_weight: Tensor
    weight: Tensor
    biases: Sequence[Tensor] = ()
    projection: Tensor | None = None

    @staticmethod
    def of(tensors: Sequence[Tensor], has_biases: bool) -> _Parameters:
        """In the order of `nn.LSTM`: weights, biases, a projection."""
        biases, rest = (tensors[2:4], tensors[4:]) if has_biases else ((), tensors[2:])
        return _Parameters(tensors[0], tensors[1], biases, rest[0] if rest else None)

    def transformed(self, input: Tensor) -> Tensor:
        """The inputs of all gates and steps, with both biases."""
        bias = self.biases[0] + self.biases[1] if self.biases else None
        return torch.nn.functional.linear(input, self.input_weight, bias)


def _lstm(input: Tensor, hx: Sequence[Tensor], params: Sequence[Tensor], *options: Any) -> Any:
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
    count = num_layers * (2 if bidirectional else 1)
    if not _is_supported([input, *states, *params]):
        return NotImplemented
    size = len(params) // count
    layers = [
        _Parameters.of(params[start : start + size], has_biases)
        for start in range(0, len(params), size)
    ]
    time, batch = (1, 0) if batch_first else (0, 1)
    if any(each.dim() != 3 for each in (input, *states)):
        return NotImplemented
    if not all(_is_valid(each, gates, states, count, input.shape[batch]) for each in layers):
        return NotImplemented
    if isinstance(input.shape[time], int) and input.shape[time] == 0:
        raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
    last: list[Sequence[Tensor]] = []
    for first in range(0, count, count // num_layers):
        outputs = []
        for place in range(first, first + count // num_layers):
            initial = [each[place] for each in states]
            output, *after = steps(input, layers[place], initial, time, place > first)
            outputs.append(output)
            last.append(after)
        input = torch.cat(outputs, -1) if bidirectional else outputs[0]
        if train and dropout and len(last) < count:
            # PyTorch's decomposition leaves it out.
            input = torch.dropout(input, dropout, True)
    return input, *(torch.stack(each) for each in zip(*last, strict=True))


def _is_supported(tensors: Sequence[Tensor]) -> bool:
    """Whether the loop is lowered: on a CPU, for floats of one dtype."""
    dtype = tensors[0].dtype
    return dtype in _FLOATS and all(
        each.dtype == dtype and each.device.type == "cpu" for each in tensors
    )


def _is_valid(
    layer: _Parameters, gates: int, states: Sequence[Tensor], count: int, batch: Any
) -> bool:
    """Whether parameters and states have the sizes of a layer.

    For others PyTorch raises, or broadcasts a batch of 1.
    """
    features = layer.input_weight.shape[0] // gates
    hidden = features if layer.projection is None else layer.projection.shape[0]
    wanted = [[count, batch, hidden], [count, batch, features]]
    pairs = [([*each.shape], sizes) for each, sizes in zip(states, wanted, strict=False)]
    pairs.append(([*layer.weight.shape], [gates * features, hidden]))
    pairs += [([*each.shape], [gates * features]) for each in layer.biases]
    if layer.projection is not None:
        pairs.append(([*layer.projection.shape], [hidden, features]))
    return (len(states) == 2 or layer.projection is None) and all(
        statically_known_true(size == other)
        for sizes, others in pairs
        for size, other in zip(sizes, others, strict=True)
    )


def _lstm_steps(
    input: Tensor, layer: _Parameters, states: Sequence[Tensor], time: int, reverse: bool
) -> tuple[Tensor, ...]:
    inputs, weight = layer.transformed(input), layer.weight.t()
    if layer.projection is None:
        return tuple(_ops.lstm_steps(inputs, weight, *states, time, reverse))
    projection = layer.projection.t()
    return tuple(_ops.projected_lstm_steps(inputs, weight, projection, *states, time, reverse))


def _gru_steps(
    input: Tensor, layer: _Parameters, states: Sequence[Tensor], time: int, reverse: bool
) -> tuple[Tensor, ...]:
    size = layer.weight.shape[1]
    bias, own = None, input.new_zeros(size)
    if layer.biases:
        # The reset gate multiplies the last bias of the recurrence, too.
        first, second = layer.biases
        own = second[2 * size :]
        bias = torch.cat([first[: 2 * size] + second[: 2 * size], first[2 * size :]])
    inputs = torch.nn.functional.linear(input, layer.input_weight, bias)
    return tuple(_ops.gru_steps(inputs, layer.weight.t(), own, *states, time, reverse))


def _plain_steps(
    name: str,
    input: Tensor,
    layer: _Parameters,
    states: Sequence[Tensor],
    time: int,
    reverse: bool,
) -> tuple[Tensor, ...]:
    operator = getattr(_ops, name)
    return tuple(operator(layer.transformed(input), layer.weight.t(), *states, time, reverse))


def _results(states: int, inputs: Tensor, *others: Any) -> tuple[Tensor, ...]:
    """The results of an operator with a number of states, without elements."""
    *tensors, _, _ = others
    last = tensors[len(tensors) - states :]
    sizes = (*inputs.shape[:2], last[0].shape[1])
    return inputs.new_empty(sizes), *(torch.empty_like(each) for each in last)


_library: Any = torch.library.Library
_LIBRARY = _library("torch_refine", "DEF")
for _name, _more, _states in (
    ("lstm_steps", "", ("hidden", "cell")),
    ("projected_lstm_steps", "Tensor projection, ", ("hidden", "cell")),
    ("gru_steps", "Tensor bias, ", ("hidden",)),
    ("tanh_steps", "", ("hidden",)),
    ("relu_steps", "", ("hidden",)),
):
    _given = "".join(f"Tensor {each}, " for each in _states)
    _made = ", ".join(["Tensor"] * (1 + len(_states)))
    _LIBRARY.define(
        f"{_name}(Tensor inputs, Tensor weight, {_more}{_given}int time, bool reverse) -> ({_made})"
    )
    torch.library.impl(_LIBRARY, _name, "Meta")(partial(_results, len(_states)))
