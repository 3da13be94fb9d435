"""Batch, instance, layer, group and root-mean-square normalization."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.normalization import (
    channels_of,
    check_features,
    check_normalized,
    is_half,
    parameter_dtype,
    statistics_dtype,
    statistics_shape,
)


def input_dtype(input: Tuple[int, int]) -> int:
    """The dtype of `input`."""
    return input[1]


@shape_function(
    "aten::layer_norm",
    ok=[
        Invocation(T(2, 3, 4), [4]),
        Invocation(T(2, 3, 4), [3, 4], T(3, 4), T(3, 4)),
        Invocation(T(4), [4], weight=T(4)),
        Invocation(T(0, 4), [4], bias=T(4)),
        Invocation(T(2, 0), [0]),
        Invocation(T(2, 4, dtype=torch.bfloat16), [4], T(4, dtype=torch.bfloat16)),
        Invocation(T(2, 4, dtype=torch.float16), [4], T(4), T(4)),
        Invocation(T(2, 4, dtype=torch.float64), [4]),
    ],
    error=[
        Invocation(T(2, 3, 4), []),
        Invocation(T(4), [2, 4]),
        Invocation(T(2, 3, 4), [3]),
        Invocation(T(2, 3, 4), [4], T(1)),
        Invocation(T(2, 3, 4), [4], T(1, 4)),
        Invocation(T(2, 3, 4), [3, 4], None, T(4)),
    ],
)
def layer_norm(
    input: List[int],
    normalized_shape: List[int],
    weight: Optional[List[int]] = None,
    bias: Optional[List[int]] = None,
    eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> List[int]:
    """The shape of the input, which must end in `normalized_shape`."""
    check_normalized(input, normalized_shape, weight, bias)
    return input


dtype_family(input_dtype, "aten::layer_norm", "aten::rms_norm", "aten::group_norm")


@shape_function(
    "aten::native_layer_norm",
    ok=[
        Invocation(T(2, 3, 4), [4], None, None, 1e-5),
        Invocation(T(2, 3, 4), [3, 4], T(3, 4), T(3, 4), 1e-5),
        Invocation(T(4), [4], T(4), None, 1e-5),
        Invocation(T(0, 4), [4], None, T(4), 1e-5),
        Invocation(T(2, 4, dtype=torch.float64), [4], None, None, 1e-5),
        Invocation(T(2, 4, dtype=torch.float16), [4], T(4), T(4), 1e-5),
        Invocation(T(2, 4, dtype=torch.bfloat16), [4], T(4), None, 1e-5),
        Invocation(T(2, 4, dtype=torch.bfloat16), [4], None, None, 1e-5),
        Invocation(T(2, 4, dtype=torch.bfloat16), [4], None, None, 1e-5, device="cpu"),
    ],
    error=[Invocation(T(2, 3, 4), [3], None, None, 1e-5)],
)
def native_layer_norm(
    input: List[int],
    normalized_shape: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    eps: float,
) -> Tuple[List[int], List[int], List[int]]:
    """The shape of the input, and means and deviations over `normalized_shape`."""
    check_normalized(input, normalized_shape, weight, bias)
    rank = len(normalized_shape)
    return input, statistics_shape(input, rank), statistics_shape(input, rank)


@dtype_function("aten::native_layer_norm")
def native_layer_norm_dtype(
    input: Tuple[int, int],
    normalized_shape: List[int],
    weight: Optional[Tuple[int, int]],
    bias: Optional[Tuple[int, int]],
    eps: float,
) -> Tuple[int, int, int]:
    """The dtype of the input, and that of its statistics."""
    parameters: List[Optional[Tuple[int, int]]] = [weight, bias]
    statistics = statistics_dtype(input[1], parameters)
    return input[1], statistics, statistics


@shape_function(
    "aten::rms_norm",
    ok=[
        Invocation(T(2, 3, 4), [4]),
        Invocation(T(2, 3, 4), [3, 4], T(3, 4), 1e-6),
        Invocation(T(2, 4, dtype=torch.bfloat16), [4], T(4)),
        Invocation(T(2, 4, dtype=torch.complex64), [4], eps=None),
    ],
    error=[Invocation(T(2, 3, 4), [3]), Invocation(T(2, 3, 4), [4], T(1))],
)
def rms_norm(
    input: List[int],
    normalized_shape: List[int],
    weight: Optional[List[int]] = None,
    eps: Optional[float] = None,
) -> List[int]:
    """The shape of the input, which must end in `normalized_shape`."""
    check_normalized(input, normalized_shape, weight, None)
    return input


# Unlike `rms_norm`, which calls it, it only counts the entries of `normalized_shape`.
@shape_function(
    "aten::_fused_rms_norm",
    ok=[
        Invocation(T(2, 3, 4), [4], None, None),
        Invocation(T(2, 3, 4), [3, 4], T(3, 4), 1e-6),
        Invocation(T(2, 3, 4), [], T(4), None),
        Invocation(T(), [3], T(3), None),
        Invocation(T(2, 4, dtype=torch.bfloat16), [4], T(4), None),
        Invocation(T(2, 4, dtype=torch.float64), [4], T(4), None),
    ],
    error=[Invocation(T(4), [2, 4], None, None)],
)
def _fused_rms_norm(
    input: List[int],
    normalized_shape: List[int],
    weight: Optional[List[int]],
    eps: Optional[float],
) -> Tuple[List[int], List[int]]:
    """The shape of the input, and deviations over `normalized_shape`, or over all if empty."""
    rank = len(normalized_shape)
    assert rank <= max(len(input), 1), (
        f"aten::_fused_rms_norm: normalized_shape {normalized_shape} is longer than {input}"
    )
    if rank == 0 or len(input) == 0:
        rank = len(input)
    out = input
    if weight is not None:
        out = broadcast_two(input, weight)
    return out, statistics_shape(input, rank)


@dtype_function("aten::_fused_rms_norm")
def _fused_rms_norm_dtype(
    input: Tuple[int, int],
    normalized_shape: List[int],
    weight: Optional[Tuple[int, int]],
    eps: Optional[float],
) -> Tuple[int, int]:
    """The dtype of the input; deviations of halves are float32."""
    return input[1], torch.float32 if is_half(input[1]) else input[1]


def check_groups(
    channels: int, groups: int, weight: Optional[List[int]], bias: Optional[List[int]]
) -> None:
    """Raise unless groups divide the channels and the parameters have one entry for each."""
    assert groups > 0, f"the number of groups must be positive, got {groups}"
    assert channels % groups == 0, f"{groups} groups do not divide {channels} channels"
    if weight is not None:
        assert len(weight) == 1, f"weight must be a vector, got shape {weight}"
        check_features(weight, channels, "weight")
    if bias is not None:
        assert len(bias) == 1, f"bias must be a vector, got shape {bias}"
        check_features(bias, channels, "bias")


@shape_function(
    "aten::group_norm",
    ok=[
        Invocation(T(2, 4, 5, 6), 2),
        Invocation(T(2, 4), 4, T(4), T(4)),
        Invocation(T(0, 4, 5), 1, bias=T(4)),
        Invocation(T(2, 4, 5, dtype=torch.float16), 2, T(4, dtype=torch.float16)),
        Invocation(T(2, 4, 5, dtype=torch.bfloat16), 2, T(4), T(4)),
        Invocation(T(2, 4, 5, dtype=torch.float64), 2),
    ],
    error=[
        Invocation(T(4), 2),
        Invocation(T(2, 4, 5), 0),
        Invocation(T(2, 4, 5), 3),
        Invocation(T(2, 4, 5), 2, T(3)),
        Invocation(T(2, 4, 5), 2, T(4, 1)),
        Invocation(T(2, 4, 5), 2, None, T(2, 2)),
    ],
)
def group_norm(
    input: List[int],
    num_groups: int,
    weight: Optional[List[int]] = None,
    bias: Optional[List[int]] = None,
    eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> List[int]:
    """The shape of the input, whose channels the groups must divide."""
    check_groups(channels_of(input), num_groups, weight, bias)
    return input


# The meta kernel gives half statistics for half inputs with float32 parameters.
@shape_function(
    "aten::native_group_norm",
    ok=[
        Invocation(T(2, 4, 5), T(4), T(4), 2, 4, 5, 2, 1e-5),
        Invocation(T(0, 4, 5), None, None, 0, 4, 5, 4, 1e-5),
        Invocation(T(2, 4, 5, dtype=torch.float16), None, None, 2, 4, 5, 2, 1e-5),
        Invocation(T(2, 4, 5, dtype=torch.bfloat16), T(4), None, 2, 4, 5, 2, 1e-5, device="cpu"),
        Invocation(T(2, 4, 5, dtype=torch.float64), None, None, 2, 4, 5, 2, 1e-5),
    ],
    error=[
        Invocation(T(2, 4, 5), None, None, 2, 4, 5, 0, 1e-5),
        Invocation(T(2, 4, 5), None, None, 2, 4, 5, 3, 1e-5),
        Invocation(T(2, 4, 5), T(3), None, 2, 4, 5, 2, 1e-5),
    ],
)
def native_group_norm(
    input: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
) -> Tuple[List[int], List[int], List[int]]:
    """The shape of the input, and means and deviations of each group."""
    check_groups(C, group, weight, bias)
    return input, [N, group], [N, group]


@dtype_function("aten::native_group_norm")
def native_group_norm_dtype(
    input: Tuple[int, int],
    weight: Optional[Tuple[int, int]],
    bias: Optional[Tuple[int, int]],
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
) -> Tuple[int, int, int]:
    """The dtype of the input, and that of the parameters."""
    parameters: List[Optional[Tuple[int, int]]] = [weight, bias]
    statistics = parameter_dtype(input[1], parameters)
    return input[1], statistics, statistics
