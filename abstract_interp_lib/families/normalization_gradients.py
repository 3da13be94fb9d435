"""Gradients of layer, group and root-mean-square normalization: of input, weight and bias.

One that the output mask does not ask for is undefined, so that anything may be said of it.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.normalization import (
    check_normalized,
    first_dtype,
)
from torch_refine.abstract_interp_lib.rules.sizes import product

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_ALL = [True, True, True]
_INPUT_ONLY = [True, False, False]


def layer_norm_backward(
    input: List[int],
    normalized_shape: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
) -> Tuple[List[int], List[int], List[int]]:
    """The shape of the input, and twice that of the parameters."""
    check_normalized(input, normalized_shape, weight, bias)
    return input, normalized_shape, normalized_shape


def layer_norm_backward_dtype(
    input: Tuple[int, int], weight: Optional[Tuple[int, int]], bias: Optional[Tuple[int, int]]
) -> Tuple[int, int, int]:
    """The dtypes of the input, the weight and the bias."""
    of_weight: List[Optional[Tuple[int, int]]] = [weight, bias]
    of_bias: List[Optional[Tuple[int, int]]] = [bias, weight]
    return input[1], first_dtype(input[1], of_weight), first_dtype(input[1], of_bias)


def _layer_norm(
    dtype: torch.dtype, parameters: torch.dtype, *rows: int, device: str = "meta"
) -> Invocation:
    """A call for `rows` of vectors; statistics have the dtype of the parameters."""
    grad, weight = T(*rows, 3, dtype=dtype), T(3, dtype=parameters)
    statistics = T(*rows, 1, dtype=parameters)
    return Invocation(grad, grad, [3], statistics, statistics, weight, weight, _ALL, device=device)


# The meta kernel gives empty inputs half parameters.
_ROWS = (T(2, 3), T(2, 3), [3], T(2, 1), T(2, 1))
shape_family(
    layer_norm_backward,
    "aten::native_layer_norm_backward",
    ok=[
        _layer_norm(torch.float32, torch.float32, 2),
        _layer_norm(torch.float32, torch.float32, 0),
        _layer_norm(torch.float32, torch.float32, 4, 2, device="cpu"),
        *[_layer_norm(dtype, dtype, 2, device="cpu") for dtype in _FLOATS],
        _layer_norm(torch.bfloat16, torch.float32, 2),
        _layer_norm(torch.bfloat16, torch.float32, 2, device="cpu"),
        _layer_norm(torch.bfloat16, torch.float32, 0, device="cpu"),
        Invocation(*_ROWS, None, None, _INPUT_ONLY, device="cpu"),
        Invocation(*_ROWS, None, T(3), [True, False, True], device="cpu"),
        Invocation(*_ROWS, T(3), None, [False, True, False], device="cpu"),
    ],
    error=[
        Invocation(T(2, 3), T(2, 3), [4], T(2, 1), T(2, 1), T(4), T(4), _ALL, device="cpu"),
        Invocation(*_ROWS, T(4), T(3), _ALL, device="cpu"),
    ],
)
dtype_family(layer_norm_backward_dtype, "aten::native_layer_norm_backward")


def rms_norm_backward(input: List[int], normalized_shape: List[int]) -> Tuple[List[int], List[int]]:
    """The shape of the input, and that of its normalized dimensions."""
    return input, input[max(len(input) - len(normalized_shape), 0) :]


def rms_norm_backward_dtype(input: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the input."""
    return input[1], input[1]


# It runs on CUDA only.
shape_family(
    rms_norm_backward,
    "aten::_fused_rms_norm_backward",
    ok=[
        Invocation(T(2, 4, 3), T(2, 4, 3), [3], T(2, 4, 1), T(3), [True, True]),
        Invocation(T(2, 4, 3), T(2, 4, 3), [4, 3], T(2, 1, 1), T(4, 3), [True, True]),
        Invocation(T(2, 3), T(2, 3), [2, 3], T(1, 1), T(2, 3), [True, True]),
        Invocation(T(0, 3), T(0, 3), [3], T(0, 1), T(3), [True, True]),
        Invocation(T(2, 3), T(2, 3), [3], T(2, 1), None, [True, False]),
        *[
            Invocation(*[T(2, 3, dtype=dtype)] * 2, [3], T(2, 1), T(3, dtype=dtype), [True, True])
            for dtype in _FLOATS
        ],
    ],
)
dtype_family(rms_norm_backward_dtype, "aten::_fused_rms_norm_backward")


def group_norm_backward(
    input: List[int], weight: Optional[List[int]], C: int
) -> Tuple[List[int], List[int], List[int]]:
    """The shape of the input, and twice that of the weight, which has an entry per channel."""
    parameters = [C]
    if weight is not None:
        assert product(weight) == C, f"weight must have {C} entries, got shape {weight}"
        parameters = weight
    return input, parameters, parameters


def group_norm_backward_dtype(
    input: Tuple[int, int], weight: Optional[Tuple[int, int]]
) -> Tuple[int, int, int]:
    """The dtype of the input, and twice that of the weight."""
    parameters = first_dtype(input[1], [weight])
    return input[1], parameters, parameters


def _group_norm(
    dtype: torch.dtype, parameters: torch.dtype, batch: int = 2, device: str = "meta"
) -> Invocation:
    """A call for two groups of two channels; statistics have the dtype of the weight."""
    grad, statistics = T(batch, 4, 5, dtype=dtype), T(batch, 2, dtype=parameters)
    weight = T(4, dtype=parameters)
    return Invocation(
        grad, grad, statistics, statistics, weight, batch, 4, 5, 2, _ALL, device=device
    )


# The meta kernel promotes input and parameters.
_GROUPS = (T(2, 4, 5), T(2, 4, 5), T(2, 2), T(2, 2))
shape_family(
    group_norm_backward,
    "aten::native_group_norm_backward",
    ok=[
        _group_norm(torch.float32, torch.float32),
        _group_norm(torch.float32, torch.float32, batch=0, device="cpu"),
        *[_group_norm(dtype, dtype) for dtype in _FLOATS],
        _group_norm(torch.bfloat16, torch.float32, device="cpu"),
        Invocation(*_GROUPS, None, 2, 4, 5, 2, _INPUT_ONLY, device="cpu"),
        Invocation(*_GROUPS, T(2, 2), 2, 4, 5, 2, _ALL, device="cpu"),
    ],
    error=[Invocation(*_GROUPS, T(3), 2, 4, 5, 2, _ALL)],
)
dtype_family(group_norm_backward_dtype, "aten::native_group_norm_backward")
