"""Shared by normalization operators: statistics, and checks of weight and bias."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.rules.device import runs_on_cpu
from torch_refine.abstract_interp_lib.rules.matching import check_same


def check_features(parameter: Optional[List[int]], features: int, name: str) -> None:
    """Raise unless a parameter vector, if given, has one element per channel."""
    if parameter is not None and len(parameter) == 1:
        assert parameter[0] == features, (
            f"{name} must have {features} elements, one per channel, got {parameter[0]}"
        )


def channels_of(input: List[int]) -> int:
    """The size of dimension 1, the channels."""
    assert len(input) >= 2, f"the input must have at least 2 dimensions, got shape {input}"
    return input[1]


def check_normalized(
    input: List[int],
    normalized_shape: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
) -> None:
    """Raise unless the input's shape ends in `normalized_shape`, the shape of the parameters."""
    rank = len(normalized_shape)
    assert rank > 0, f"normalized_shape must not be empty, got {normalized_shape}"
    assert rank <= len(input), (
        f"normalized_shape {normalized_shape} has a higher rank than input {input}"
    )
    check_same(input[len(input) - rank :], normalized_shape, "the end of the input")
    if weight is not None:
        check_same(weight, normalized_shape, "weight")
    if bias is not None:
        check_same(bias, normalized_shape, "bias")


def statistics_shape(input: List[int], rank: int) -> List[int]:
    """The shape of the statistics: size 1 in each of the last `rank` dimensions."""
    return input[: len(input) - rank] + [1] * rank


def is_half(dtype: int) -> bool:
    """Whether a dtype is a 16-bit float, which kernels accumulate in float32."""
    return dtype == torch.float16 or dtype == torch.bfloat16


def first_dtype(input: int, parameters: List[Optional[Tuple[int, int]]]) -> int:
    """The dtype of the first parameter given, or of the input."""
    out = input
    for i in range(len(parameters)):
        parameter = parameters[len(parameters) - 1 - i]
        if parameter is not None:
            out = parameter[1]
    return out


def parameter_dtype(input: int, parameters: List[Optional[Tuple[int, int]]]) -> int:
    """The dtype of the input; float32 if half-precision inputs have parameters of another dtype."""
    mixed = is_half(input) and first_dtype(input, parameters) != input
    return torch.float32 if mixed else input


def statistics_dtype(input: int, parameters: List[Optional[Tuple[int, int]]]) -> int:
    """The dtype of mean and rstd: that of the parameters, but float32 for half on CUDA."""
    out = parameter_dtype(input, parameters)
    if is_half(out) and not runs_on_cpu():
        out = torch.float32
    return out
