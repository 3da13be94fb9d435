"""Recurrent networks and batch normalization in cuDNN and MIOpen."""

from typing import List, Optional, Tuple

from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.sizes import append_size
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size


def recurrence(
    input: List[int],
    cx: Optional[List[int]],
    hidden_size: int,
    out_size: int,
    layers: int,
    batch_first: bool,
    bidirectional: bool,
    batch_sizes: List[int],
) -> Tuple[List[int], List[int], List[int]]:
    """The shapes of the output and of the last hidden and cell states of each layer.

    Sequences of different lengths are packed: the time steps form one dimension, and `batch_sizes`
    has one entry per step. Without a cell state the last result is empty.
    """
    if len(batch_sizes) > 0:
        assert len(input) == 2, f"packed input must have 2 dimensions, got shape {input}"
        batch = batch_sizes[0]
    else:
        assert len(input) == 3, f"the input must have 3 dimensions, got shape {input}"
        batch = input[0] if batch_first else input[1]
    directions = 2 if bidirectional else 1
    state = [layers * directions, batch]
    cell = [0] if cx is None else append_size(state, hidden_size)
    return append_size(input[:-1], out_size * directions), append_size(state, out_size), cell


def recurrence_dtype(input: int, hx: int, cx: Optional[Tuple[int, int]]) -> Tuple[int, int, int]:
    """The dtypes of input and states; an empty cell state has the dtype of the hidden state."""
    return input, hx, hx if cx is None else cx[1]


def room() -> List[int]:
    """The shape of a library's workspace or reserve buffer, whose size only the library knows."""
    return [unknown_size()]


def device_batch_norm_backward(
    input: List[int], grad_output: List[int], weight: List[int]
) -> Tuple[List[int], List[int], List[int]]:
    """The gradients of the input, the weight and the bias."""
    check_same(grad_output, input, "grad_output")
    return input, weight, list(weight)


def device_batch_norm_backward_dtype(
    input: Tuple[int, int], weight: Tuple[int, int]
) -> Tuple[int, int, int]:
    """The dtypes of the input and of the parameters."""
    return input[1], weight[1], weight[1]
