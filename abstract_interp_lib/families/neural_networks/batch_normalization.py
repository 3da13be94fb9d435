"""Batch and instance normalization, with or without running statistics, and its gradients."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.device import runs_on_cpu
from torch_refine.abstract_interp_lib.rules.normalization import (
    channels_of,
    check_features,
    is_half,
    parameter_dtype,
    statistics_dtype,
)
from torch_refine.abstract_interp_lib.rules.promotion import bool_to_int, is_integral, promote_two
from torch_refine.abstract_interp_lib.rules.unknown import either_dtype, unknown_size


def check_batch_norm(
    input: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    running_mean: Optional[List[int]],
    running_var: Optional[List[int]],
    training: bool,
) -> None:
    """Raise unless all required parameters are given, with one element per channel."""
    assert training or (running_mean is not None and running_var is not None), (
        "running_mean and running_var must be given in evaluation, got None"
    )
    channels = channels_of(input)
    check_features(weight, channels, "weight")
    check_features(bias, channels, "bias")
    check_features(running_mean, channels, "running_mean")
    check_features(running_var, channels, "running_var")


def saved_shape(input: List[int], training: bool) -> List[int]:
    """The shape of the statistics saved for the backward pass.

    Evaluation saves none: the CPU returns empty tensors, CUDA unused ones.
    """
    channels = channels_of(input)
    if not training:
        channels = 0 if runs_on_cpu() else unknown_size()
    return [channels]


def batch_norm(
    input: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    running_mean: Optional[List[int]],
    running_var: Optional[List[int]],
    training: bool,
) -> List[int]:
    """The shape of the input; PyTorch checks nothing else if it is empty."""
    if 0 not in input:
        check_batch_norm(input, weight, bias, running_mean, running_var, training)
    return input


def batch_norm_dtype(
    input: Tuple[int, int], weight: Optional[Tuple[int, int]], bias: Optional[Tuple[int, int]]
) -> int:
    """The dtype of the input; an empty input promotes with an element of the weight."""
    out = input[1]
    if weight is not None:
        out = promote_two((1, out), (0, weight[1]))
    if bias is not None:
        out = promote_two((1, out), (0, bias[1]))
    return out


shape_family(
    batch_norm,
    "aten::batch_norm",
    ok=[
        Invocation(T(2, 4, 5), T(4), T(4), T(4), T(4), True, 0.1, 1e-5, True),
        Invocation(T(2, 4, 5), None, T(4), T(4), T(4), False, 0.1, 1e-5, True),
        Invocation(T(2, 4), None, None, None, None, True, 0.1, 1e-5, True),
        Invocation(T(0, 4, 5, 6), None, None, None, None, False, 0.1, 1e-5, True),
        Invocation(T(0, dtype=torch.int64), T(4), None, None, None, True, 0.1, 1e-5, True),
        Invocation(T(2, 4, dtype=torch.bfloat16), T(4), T(4), T(4), T(4), False, 0.1, 1e-5, True),
    ],
    error=[
        Invocation(T(4), None, None, T(4), T(4), False, 0.1, 1e-5, True),
        Invocation(T(2, 4, 5), None, None, None, None, False, 0.1, 1e-5, True),
        Invocation(T(2, 4, 5), T(3), None, T(4), T(4), False, 0.1, 1e-5, True),
        Invocation(T(2, 4, 5), None, T(3), T(4), T(4), False, 0.1, 1e-5, True),
        Invocation(T(2, 4, 5), None, None, T(3), T(4), False, 0.1, 1e-5, True),
        Invocation(T(2, 4, 5), None, None, T(4), T(3), False, 0.1, 1e-5, True),
    ],
)


def instance_norm(
    input: List[int],
    running_mean: Optional[List[int]],
    running_var: Optional[List[int]],
    use_input_stats: bool,
) -> List[int]:
    """The shape of the input."""
    channels_of(input)
    assert use_input_stats or (running_mean is not None and running_var is not None), (
        "running_mean and running_var must be given if use_input_stats is False, got None"
    )
    return input


shape_family(
    instance_norm,
    "aten::instance_norm",
    ok=[
        Invocation(T(2, 4, 5), None, None, None, None, True, 0.1, 1e-5, True),
        Invocation(T(2, 4, 5, 6), T(4), T(4), T(4), T(4), False, 0.1, 1e-5, True),
        Invocation(T(0, 4, 5), None, None, None, None, True, 0.1, 1e-5, True),
        Invocation(T(2, 4, 5, dtype=torch.float16), T(4), T(4), None, None, True, 0.1, 1e-5, True),
    ],
    error=[
        Invocation(T(4), None, None, None, None, True, 0.1, 1e-5, True),
        Invocation(T(2, 4, 5), None, None, None, None, False, 0.1, 1e-5, True),
    ],
)
dtype_family(batch_norm_dtype, "aten::batch_norm", "aten::instance_norm")


def native_batch_norm(
    input: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    running_mean: Optional[List[int]],
    running_var: Optional[List[int]],
    training: bool,
) -> Tuple[List[int], List[int], List[int]]:
    """The shape of the input, and of the saved statistics."""
    check_batch_norm(input, weight, bias, running_mean, running_var, training)
    return input, saved_shape(input, training), saved_shape(input, training)


def native_batch_norm_dtype(
    input: Tuple[int, int],
    weight: Optional[Tuple[int, int]],
    bias: Optional[Tuple[int, int]],
    running_mean: Optional[Tuple[int, int]],
    running_var: Optional[Tuple[int, int]],
) -> Tuple[int, int, int]:
    """The dtype of the input, and of its statistics."""
    parameters: List[Optional[Tuple[int, int]]] = [weight, bias, running_mean, running_var]
    statistics = statistics_dtype(input[1], parameters)
    return input[1], statistics, statistics


# The meta kernels accept an input without channels.
shape_family(
    native_batch_norm,
    "aten::native_batch_norm",
    ok=[
        Invocation(T(2, 4, 5), T(4), T(4), T(4), T(4), True, 0.1, 1e-5),
        Invocation(T(2, 4), None, None, None, None, True, 0.1, 1e-5),
        Invocation(T(2, 4, dtype=torch.bfloat16), T(4), T(4), None, None, True, 0.1, 1e-5),
    ],
    error=[
        Invocation(T(4), None, None, None, None, True, 0.1, 1e-5, device="cpu"),
        Invocation(T(2, 4, 5), T(3), None, T(4), T(4), True, 0.1, 1e-5),
    ],
)
dtype_family(native_batch_norm_dtype, "aten::native_batch_norm")


def batch_norm_without_running(
    input: List[int], weight: Optional[List[int]], bias: Optional[List[int]], training: bool
) -> Tuple[List[int], List[int], List[int]]:
    """The shape of the input, and of the saved statistics."""
    return native_batch_norm(input, weight, bias, None, None, training)


def batch_norm_without_running_dtype(
    input: Tuple[int, int], weight: Optional[Tuple[int, int]], bias: Optional[Tuple[int, int]]
) -> Tuple[int, int, int]:
    """The dtype of the input, and of its statistics."""
    return native_batch_norm_dtype(input, weight, bias, None, None)


shape_family(
    batch_norm_without_running,
    "aten::_native_batch_norm_legit.no_stats",
    ok=[
        Invocation(T(2, 4, 5), T(4), T(4), True, 0.1, 1e-5),
        Invocation(T(2, 4, dtype=torch.float64), None, None, True, 0.1, 1e-5),
        Invocation(T(2, 4, dtype=torch.float16), T(4), T(4), True, 0.1, 1e-5),
    ],
    error=[Invocation(T(4), None, None, True, 0.1, 1e-5, device="cpu")],
)
dtype_family(batch_norm_without_running_dtype, "aten::_native_batch_norm_legit.no_stats")


def batch_norm_with_running(
    input: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    running_mean: List[int],
    running_var: List[int],
    training: bool,
) -> Tuple[List[int], List[int], List[int]]:
    """The shape of the input, and of the saved statistics."""
    return native_batch_norm(input, weight, bias, running_mean, running_var, training)


def batch_norm_with_running_dtype(
    input: Tuple[int, int],
    weight: Optional[Tuple[int, int]],
    bias: Optional[Tuple[int, int]],
    running_mean: Tuple[int, int],
    running_var: Tuple[int, int],
) -> Tuple[int, int, int]:
    """The dtype of the input, and of its statistics."""
    return native_batch_norm_dtype(input, weight, bias, running_mean, running_var)


HALF = T(2, 4, 5, dtype=torch.float16)
HALF_STATISTICS = T(4, dtype=torch.float16)

shape_family(
    batch_norm_with_running,
    "aten::_native_batch_norm_legit",
    ok=[
        Invocation(T(2, 4, 5), T(4), T(4), T(4), T(4), True, 0.1, 1e-5),
        Invocation(T(2, 4, 5), None, None, T(4), T(4), False, 0.1, 1e-5),
        Invocation(T(2, 4, 5), None, None, T(4), T(4), False, 0.1, 1e-5, device="cpu"),
        Invocation(T(2, 4, 5, dtype=torch.bfloat16), T(4), T(4), T(4), T(4), True, 0.1, 1e-5),
        Invocation(HALF, None, None, HALF_STATISTICS, HALF_STATISTICS, True, 0.1, 1e-5),
        Invocation(
            *(HALF, None, None, HALF_STATISTICS, HALF_STATISTICS, False, 0.1, 1e-5), device="cpu"
        ),
    ],
    error=[Invocation(T(4), None, None, T(4), T(4), True, 0.1, 1e-5)],
)
dtype_family(batch_norm_with_running_dtype, "aten::_native_batch_norm_legit")


def batch_norm_in_evaluation(
    input: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    running_mean: List[int],
    running_var: List[int],
) -> Tuple[List[int], List[int], List[int]]:
    """The shape of the input; the shape of the unused statistics is unknown."""
    return native_batch_norm(input, weight, bias, running_mean, running_var, False)


shape_family(
    batch_norm_in_evaluation,
    "aten::_native_batch_norm_legit_no_training",
    ok=[
        Invocation(T(2, 4, 5), T(4), T(4), T(4), T(4), 0.1, 1e-5),
        Invocation(T(2, 4, 5), None, None, T(4), T(4), 0.1, 1e-5, device="cpu"),
        Invocation(T(0, 4, 5), None, None, T(4), T(4), 0.1, 1e-5),
        Invocation(T(2, 4, 5, dtype=torch.float16), None, T(4), T(4), T(4), 0.1, 1e-5),
    ],
    error=[Invocation(T(4), None, None, T(4), T(4), 0.1, 1e-5, device="cpu")],
)
dtype_family(batch_norm_with_running_dtype, "aten::_native_batch_norm_legit_no_training")


def functional_batch_norm(
    input: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    running_mean: List[int],
    running_var: List[int],
    training: bool,
) -> Tuple[List[int], List[int], List[int], List[int], List[int]]:
    """The shapes of the input, the saved statistics, and the running statistics."""
    out, mean, deviation = native_batch_norm(
        input, weight, bias, running_mean, running_var, training
    )
    return out, mean, deviation, running_mean, running_var


def functional_batch_norm_dtype(
    input: Tuple[int, int],
    weight: Optional[Tuple[int, int]],
    bias: Optional[Tuple[int, int]],
    running_mean: Tuple[int, int],
    running_var: Tuple[int, int],
) -> Tuple[int, int, int, int, int]:
    """The dtype of the input, and of the statistics."""
    out, mean, deviation = native_batch_norm_dtype(input, weight, bias, running_mean, running_var)
    return out, mean, deviation, running_mean[1], running_var[1]


shape_family(
    functional_batch_norm,
    "aten::_native_batch_norm_legit_functional",
    ok=[
        Invocation(T(2, 4, 5), T(4), T(4), T(4), T(4), True, 0.1, 1e-5),
        Invocation(T(2, 4, 5), None, None, T(4), T(4), False, 0.1, 1e-5),
        Invocation(T(2, 4, 5), None, None, T(4), T(4), False, 0.1, 1e-5, device="cpu"),
        Invocation(T(2, 4, 5, dtype=torch.bfloat16), T(4), T(4), T(4), T(4), True, 0.1, 1e-5),
    ],
    error=[Invocation(T(2, 4, 5), None, None, T(3), T(4), True, 0.1, 1e-5)],
)
dtype_family(functional_batch_norm_dtype, "aten::_native_batch_norm_legit_functional")


def batch_norm_with_update(
    input: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    running_mean: List[int],
    running_var: List[int],
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """As `native_batch_norm` in training; the fourth result is the reserve buffer."""
    out, mean, deviation = native_batch_norm(input, weight, bias, running_mean, running_var, True)
    return out, mean, deviation, [unknown_size()]


def batch_norm_with_update_dtype(
    input: Tuple[int, int],
    weight: Optional[Tuple[int, int]],
    bias: Optional[Tuple[int, int]],
    running_mean: Tuple[int, int],
    running_var: Tuple[int, int],
) -> Tuple[int, int, int, int]:
    """The dtype of the input, of its statistics, and uint8."""
    out, mean, deviation = native_batch_norm_dtype(input, weight, bias, running_mean, running_var)
    return out, mean, deviation, torch.uint8


def functional_batch_norm_with_update(
    input: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    running_mean: List[int],
    running_var: List[int],
) -> Tuple[List[int], List[int], List[int], List[int], List[int], List[int]]:
    """As `_batch_norm_with_update`, and the running statistics."""
    out, mean, deviation, reserve = batch_norm_with_update(
        input, weight, bias, running_mean, running_var
    )
    return out, mean, deviation, reserve, running_mean, running_var


def functional_batch_norm_with_update_dtype(
    input: Tuple[int, int],
    weight: Optional[Tuple[int, int]],
    bias: Optional[Tuple[int, int]],
    running_mean: Tuple[int, int],
    running_var: Tuple[int, int],
) -> Tuple[int, int, int, int, int, int]:
    """The dtype of the input, of its statistics, uint8, and of the running statistics."""
    out, mean, deviation, reserve = batch_norm_with_update_dtype(
        input, weight, bias, running_mean, running_var
    )
    return out, mean, deviation, reserve, running_mean[1], running_var[1]


WITH_UPDATE_OK = [
    Invocation(T(2, 4, 5), T(4), T(4), T(4), T(4), 0.1, 1e-5),
    Invocation(T(2, 4, 5, dtype=torch.bfloat16), T(4), T(4), T(4), T(4), 0.1, 1e-5),
]
WITH_UPDATE_ERROR = [Invocation(T(4), None, None, T(4), T(4), 0.1, 1e-5)]
shape_family(
    batch_norm_with_update,
    "aten::_batch_norm_with_update",
    ok=WITH_UPDATE_OK,
    error=WITH_UPDATE_ERROR,
)
dtype_family(batch_norm_with_update_dtype, "aten::_batch_norm_with_update")
shape_family(
    functional_batch_norm_with_update,
    "aten::_batch_norm_with_update_functional",
    ok=WITH_UPDATE_OK,
    error=WITH_UPDATE_ERROR,
)
dtype_family(functional_batch_norm_with_update_dtype, "aten::_batch_norm_with_update_functional")


# Batch normalization with given statistics, dispatched to a backend.


def batch_norm_without_update(
    input: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    running_mean: Optional[List[int]],
    running_var: Optional[List[int]],
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """As `native_batch_norm` in evaluation; the fourth result is the reserve buffer."""
    out, mean, deviation = native_batch_norm(input, weight, bias, running_mean, running_var, False)
    return out, mean, deviation, [unknown_size()]


def batch_norm_without_update_dtype(
    input: Tuple[int, int],
    weight: Optional[Tuple[int, int]],
    bias: Optional[Tuple[int, int]],
    running_mean: Optional[Tuple[int, int]],
    running_var: Optional[Tuple[int, int]],
) -> Tuple[int, int, int, int]:
    """The dtype of the input, of its statistics, and uint8."""
    out, mean, deviation = native_batch_norm_dtype(input, weight, bias, running_mean, running_var)
    return out, mean, deviation, torch.uint8


# The meta kernel requires all parameters; the CPU kernel crashes without statistics.
shape_family(
    batch_norm_without_update,
    "aten::_batch_norm_no_update",
    ok=[
        Invocation(T(2, 4, 5), T(4), T(4), T(4), T(4), 0.1, 1e-5),
        Invocation(T(2, 4, 5), T(4), T(4), T(4), T(4), 0.1, 1e-5, device="cpu"),
        Invocation(T(2, 4), None, None, T(4), T(4), 0.1, 1e-5, device="cpu"),
        Invocation(T(2, 4, 5, dtype=torch.bfloat16), T(4), T(4), T(4), T(4), 0.1, 1e-5),
        Invocation(
            *[T(2, 4, 5, dtype=torch.bfloat16), T(4), T(4), T(4), T(4), 0.1, 1e-5], device="cpu"
        ),
        Invocation(T(2, 4, dtype=torch.float64), *[T(4, dtype=torch.float64)] * 4, 0.1, 1e-5),
    ],
    error=[
        Invocation(T(4), None, None, T(4), T(4), 0.1, 1e-5, device="cpu"),
        Invocation(T(2, 4, 5), T(3), T(4), T(4), T(4), 0.1, 1e-5),
    ],
)
dtype_family(batch_norm_without_update_dtype, "aten::_batch_norm_no_update")


# The implementation of `batch_norm`: backend selection, gradients and statistics.

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_ALL = [True, True, True]
_INPUT_ONLY = [True, False, False]


def batch_norm_backward(
    input: List[int], weight: Optional[List[int]]
) -> Tuple[List[int], List[int], List[int]]:
    """The shape of the input, and two vectors with one element per channel."""
    channels = channels_of(input)
    check_features(weight, channels, "weight")
    return input, [channels], [channels]


def batch_norm_backward_rule(
    input: List[int], weight: List[int]
) -> Tuple[List[int], List[int], List[int]]:
    """As `native_batch_norm_backward`, with an optional weight."""
    return batch_norm_backward(input, weight)


def native_batch_norm_backward_dtype(
    input: Tuple[int, int],
    weight: Optional[Tuple[int, int]],
    running_mean: Optional[Tuple[int, int]],
    running_var: Optional[Tuple[int, int]],
    save_mean: Optional[Tuple[int, int]],
    save_invstd: Optional[Tuple[int, int]],
) -> Tuple[int, int, int]:
    """The dtype of the input; float32 for parameters if a half-precision input mixes dtypes."""
    running: List[Optional[Tuple[int, int]]] = [weight, running_mean, running_var]
    saved: List[Optional[Tuple[int, int]]] = [save_mean, save_invstd]
    parameters = parameter_dtype(input[1], running + saved)
    return input[1], parameters, parameters


def batch_norm_backward_dtype(
    input: Tuple[int, int],
    weight: Tuple[int, int],
    running_mean: Optional[Tuple[int, int]],
    running_var: Optional[Tuple[int, int]],
    save_mean: Optional[Tuple[int, int]],
    save_var: Optional[Tuple[int, int]],
) -> Tuple[int, int, int]:
    """As `native_batch_norm_backward`."""
    return native_batch_norm_backward_dtype(
        input, weight, running_mean, running_var, save_mean, save_var
    )


def _gradient(
    dtype: torch.dtype, parameters: torch.dtype, *rest: TensorCase, training: bool = True
) -> Invocation:
    """A call with four channels, whose parameters all have the same dtype."""
    grad, vector = T(2, 4, 5, dtype=dtype), T(4, dtype=parameters)
    return Invocation(grad, grad, *[vector] * 5, training, 1e-5, _ALL, *rest, device="cpu")


_HALF = T(2, 4, 5, dtype=torch.bfloat16)
_RESERVE = T(0, dtype=torch.uint8)
_GRADIENTS = [(torch.float32, torch.float32), *[(dtype, dtype) for dtype in _FLOATS]]

# The meta kernel takes the dtype of the input if there is no weight.
shape_family(
    batch_norm_backward,
    "aten::native_batch_norm_backward",
    ok=[
        *[_gradient(dtype, parameters) for dtype, parameters in _GRADIENTS],
        _gradient(torch.bfloat16, torch.float32),
        _gradient(torch.bfloat16, torch.float32, training=False),
        Invocation(*[T(2, 4)] * 2, None, None, None, T(4), T(4), True, 1e-5, _ALL),
        Invocation(*[T(2, 4)] * 2, T(4), T(4), T(4), None, None, False, 1e-5, _INPUT_ONLY),
        Invocation(*[_HALF] * 2, None, *[T(4)] * 4, True, 1e-5, _ALL, device="cpu"),
        Invocation(*[_HALF] * 2, None, None, None, *[T(4)] * 2, True, 1e-5, _ALL, device="cpu"),
    ],
    error=[
        Invocation(T(4), T(4), None, None, None, T(4), T(4), True, 1e-5, _ALL, device="cpu"),
        Invocation(*[T(2, 4)] * 2, T(3), None, None, T(4), T(4), True, 1e-5, _ALL),
    ],
)
dtype_family(native_batch_norm_backward_dtype, "aten::native_batch_norm_backward")
shape_family(
    batch_norm_backward_rule,
    "aten::batch_norm_backward",
    ok=[
        *[_gradient(dtype, parameters, _RESERVE) for dtype, parameters in _GRADIENTS],
        _gradient(torch.bfloat16, torch.float32, _RESERVE),
        _gradient(torch.bfloat16, torch.float32, _RESERVE, training=False),
    ],
    error=[Invocation(*[T(2, 4)] * 2, T(3), None, None, T(4), T(4), True, 1e-5, _ALL, _RESERVE)],
)
dtype_family(batch_norm_backward_dtype, "aten::batch_norm_backward")


def accumulated_dtype(dtype: int) -> int:
    """The accumulation dtype of a dtype: a wider float, on the CPU float64."""
    if is_half(dtype):
        return torch.float32
    elif dtype == torch.float32 and runs_on_cpu():
        return torch.float64
    elif is_integral(dtype) and dtype != torch.bool:
        return torch.int64
    else:
        return dtype


def batch_norm_impl_index(
    input: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    running_mean: Optional[List[int]],
    running_var: Optional[List[int]],
    training: bool,
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """The shape of the input, of the saved statistics, and of the reserve buffer."""
    out = batch_norm(input, weight, bias, running_mean, running_var, training)
    channels = input[1] if len(input) > 1 else 0
    saved = [channels] if 0 in input else saved_shape(input, training)
    return out, saved, saved, [0 if runs_on_cpu() else unknown_size()]


def batch_norm_impl_index_dtype(
    input: Tuple[int, int],
    weight: Optional[Tuple[int, int]],
    bias: Optional[Tuple[int, int]],
    running_mean: Optional[Tuple[int, int]],
    running_var: Optional[Tuple[int, int]],
) -> Tuple[int, int, int, int]:
    """As `batch_norm`; the statistics of an empty input have the accumulation dtype."""
    parameters: List[Optional[Tuple[int, int]]] = [weight, bias, running_mean, running_var]
    usual = statistics_dtype(input[1], parameters)
    saved = either_dtype(usual, accumulated_dtype(input[1]))
    return batch_norm_dtype(input, weight, bias), saved, saved, torch.uint8


# Unused statistics in evaluation have any shape on the meta device and none on the CPU.
shape_family(
    batch_norm_impl_index,
    "aten::_batch_norm_impl_index",
    ok=[
        Invocation(T(2, 4, 5), *[T(4)] * 4, True, 0.1, 1e-5, True),
        Invocation(T(2, 4, 5), None, None, T(4), T(4), False, 0.1, 1e-5, True),
        Invocation(T(2, 4, 5), *[T(4)] * 4, False, 0.1, 1e-5, True, device="cpu"),
        Invocation(T(2, 4), None, None, None, None, True, 0.1, 1e-5, True),
        Invocation(T(2, 4, 5, dtype=torch.bfloat16), *[T(4)] * 4, True, 0.1, 1e-5, True),
        *[
            Invocation(
                *(T(2, 4, 5, dtype=dtype), *[T(4, dtype=dtype)] * 4, True, 0.1, 1e-5, True),
                device="cpu",
            )
            for dtype in _FLOATS
        ],
        # Empty inputs whose accumulation dtype is the usual statistics dtype.
        Invocation(T(0, 4, dtype=torch.float64), None, None, None, None, True, 0.1, 1e-5, True),
        Invocation(T(0, dtype=torch.float64), None, None, None, None, False, 0.1, 1e-5, True),
        Invocation(T(0, 4, dtype=torch.bfloat16), *[T(4)] * 4, True, 0.1, 1e-5, True),
        Invocation(T(0, 4, dtype=torch.int64), *[T(4)] * 4, True, 0.1, 1e-5, True),
    ],
    error=[
        Invocation(T(4), None, None, T(4), T(4), False, 0.1, 1e-5, True),
        Invocation(T(2, 4, 5), None, None, None, None, False, 0.1, 1e-5, True),
        Invocation(T(2, 4, 5), T(3), None, T(4), T(4), False, 0.1, 1e-5, True),
        Invocation(T(2, 4, 5), None, None, T(3), T(4), False, 0.1, 1e-5, True),
    ],
)
dtype_family(batch_norm_impl_index_dtype, "aten::_batch_norm_impl_index")


def batch_norm_impl_index_backward_dtype(
    input: Tuple[int, int],
    grad_output: Tuple[int, int],
    weight: Optional[Tuple[int, int]],
    running_mean: Optional[Tuple[int, int]],
    running_var: Optional[Tuple[int, int]],
    save_mean: Optional[Tuple[int, int]],
    save_var_transform: Optional[Tuple[int, int]],
) -> Tuple[int, int, int]:
    """As `native_batch_norm_backward`; for an empty input the operands promote."""
    of_input, of_weight, of_bias = native_batch_norm_backward_dtype(
        input, weight, running_mean, running_var, save_mean, save_var_transform
    )
    scaled = grad_output[1]
    if weight is not None:
        scaled = promote_two((1, grad_output[1]), (0, weight[1]))
    summed = bool_to_int(promote_two((1, grad_output[1]), (1, input[1])))
    return (
        either_dtype(of_input, scaled),
        either_dtype(of_weight, summed),
        either_dtype(of_bias, bool_to_int(grad_output[1])),
    )


def _indexed(
    input: TensorCase, *parameters: Optional[TensorCase], device: str = "meta"
) -> Invocation:
    """A call whose five parameters are the same, or given one by one."""
    given = parameters * 5 if len(parameters) == 1 else parameters
    return Invocation(0, input, input, *given, True, 1e-5, _ALL, _RESERVE, device=device)


shape_family(
    batch_norm_backward,
    "aten::_batch_norm_impl_index_backward",
    ok=[
        _indexed(T(2, 4, 5), T(4)),
        _indexed(T(0, 4, 5), T(4)),
        _indexed(T(2, 4), None, None, None, T(4), T(4)),
        *[_indexed(T(2, 4, 5, dtype=dtype), T(4, dtype=dtype), device="cpu") for dtype in _FLOATS],
        _indexed(_HALF, T(4), device="cpu"),
        _indexed(T(0, 4, dtype=torch.float64), T(4, dtype=torch.float64)),
    ],
    error=[_indexed(T(2, 4), T(3), None, None, T(4), T(4)), _indexed(T(4), T(4))],
)
dtype_family(batch_norm_impl_index_backward_dtype, "aten::_batch_norm_impl_index_backward")


def updated_statistics(input: List[int]) -> Tuple[List[int], List[int]]:
    """A mean and a variance per channel."""
    channels = channels_of(input)
    assert 0 not in input, f"the input must not be empty, got shape {input}"
    return [channels], [channels]


def updated_statistics_dtype(
    input: Tuple[int, int],
    running_mean: Optional[Tuple[int, int]],
    running_var: Optional[Tuple[int, int]],
) -> Tuple[int, int]:
    """The dtype of the statistics of `native_batch_norm`."""
    running: List[Optional[Tuple[int, int]]] = [running_mean, running_var]
    dtype = statistics_dtype(input[1], running)
    return dtype, dtype


# There is no meta kernel.
shape_family(
    updated_statistics,
    "aten::batch_norm_update_stats",
    ok=[
        Invocation(T(2, 4, 5), T(4), T(4), 0.1, device="cpu"),
        Invocation(T(2, 4), None, None, 0.1, device="cpu"),
        Invocation(_HALF, T(4), T(4), 0.1, device="cpu"),
        *[
            Invocation(T(2, 4, dtype=dtype), *[T(4, dtype=dtype)] * 2, 0.1, device="cpu")
            for dtype in _FLOATS
        ],
    ],
    error=[
        Invocation(T(4), None, None, 0.1, device="cpu"),
        Invocation(T(0, 4), None, None, 0.1, device="cpu"),
    ],
)
dtype_family(updated_statistics_dtype, "aten::batch_norm_update_stats")
