"""Batch and instance normalization, with or without running statistics."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.device import runs_on_cpu
from torch_refine.abstract_interp_lib.rules.normalization import (
    channels_of,
    check_features,
    statistics_dtype,
)
from torch_refine.abstract_interp_lib.rules.promotion import promote_two
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size


def check_batch_norm(
    input: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    running_mean: Optional[List[int]],
    running_var: Optional[List[int]],
    training: bool,
) -> None:
    """Raise unless all parameters that are needed are given, with an entry per channel."""
    assert training or (running_mean is not None and running_var is not None), (
        "running_mean and running_var must be given in evaluation, got None"
    )
    channels = channels_of(input)
    check_features(weight, channels, "weight")
    check_features(bias, channels, "bias")
    check_features(running_mean, channels, "running_mean")
    check_features(running_var, channels, "running_var")


def saved_shape(input: List[int], training: bool) -> List[int]:
    """The shape of the statistics saved for a backward pass.

    In evaluation there are none to save: the CPU returns empty tensors, CUDA unused ones.
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
    """The shape of the input; where that is empty, PyTorch looks at nothing else."""
    if 0 not in input:
        check_batch_norm(input, weight, bias, running_mean, running_var, training)
    return input


def batch_norm_dtype(
    input: Tuple[int, int], weight: Optional[Tuple[int, int]], bias: Optional[Tuple[int, int]]
) -> int:
    """The dtype of the input; an empty one is multiplied by an entry of the parameters."""
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
        "running_mean and running_var must be given where the input's are not used, got None"
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
    """The shape of the input, and the statistics saved."""
    check_batch_norm(input, weight, bias, running_mean, running_var, training)
    return input, saved_shape(input, training), saved_shape(input, training)


def native_batch_norm_dtype(
    input: Tuple[int, int],
    weight: Optional[Tuple[int, int]],
    bias: Optional[Tuple[int, int]],
    running_mean: Optional[Tuple[int, int]],
    running_var: Optional[Tuple[int, int]],
) -> Tuple[int, int, int]:
    """The dtype of the input, and that of its statistics."""
    parameters: List[Optional[Tuple[int, int]]] = [weight, bias, running_mean, running_var]
    statistics = statistics_dtype(input[1], parameters)
    return input[1], statistics, statistics


# The meta kernels take an input without channels.
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
    """The shape of the input, and the statistics saved."""
    return native_batch_norm(input, weight, bias, None, None, training)


def batch_norm_without_running_dtype(
    input: Tuple[int, int], weight: Optional[Tuple[int, int]], bias: Optional[Tuple[int, int]]
) -> Tuple[int, int, int]:
    """The dtype of the input, and that of its statistics."""
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
    """The shape of the input, and the statistics saved."""
    return native_batch_norm(input, weight, bias, running_mean, running_var, training)


def batch_norm_with_running_dtype(
    input: Tuple[int, int],
    weight: Optional[Tuple[int, int]],
    bias: Optional[Tuple[int, int]],
    running_mean: Tuple[int, int],
    running_var: Tuple[int, int],
) -> Tuple[int, int, int]:
    """The dtype of the input, and that of its statistics."""
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
    """The shape of the input; nobody knows that of the statistics, which are not used."""
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
    """The shape of the input, the statistics saved, and the running ones."""
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
    """The dtype of the input, and those of the statistics."""
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
    """As `native_batch_norm` in training; the fourth result is room that a backend may need."""
    out, mean, deviation = native_batch_norm(input, weight, bias, running_mean, running_var, True)
    return out, mean, deviation, [unknown_size()]


def batch_norm_with_update_dtype(
    input: Tuple[int, int],
    weight: Optional[Tuple[int, int]],
    bias: Optional[Tuple[int, int]],
    running_mean: Tuple[int, int],
    running_var: Tuple[int, int],
) -> Tuple[int, int, int, int]:
    """The dtype of the input, that of its statistics, and bytes."""
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
    """The dtype of the input, those of its statistics, bytes, and the running ones."""
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
