"""Normalization of layers and groups by their own statistics: `layer_norm`, `rms_norm`."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import computation_dtype, in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def last_dims(self: torch.Tensor, count: int) -> List[int]:
    """The last dimensions of a tensor."""
    dims: List[int] = []
    for index in range(count):
        dims.append(self.dim() - count + index)
    return dims


def is_of_floats(self: torch.Tensor) -> bool:
    """Whether elements are real floats."""
    return not is_integral(self.dtype) and not is_complex(self.dtype)


def with_parameters(
    found: torch.Tensor, weight: Optional[torch.Tensor], bias: Optional[torch.Tensor]
) -> torch.Tensor:
    """Normalized elements times weights, plus biases, of the last dimensions."""
    if weight is not None:
        found = torch.mul(found, in_dtype(weight, found.dtype))
    if bias is not None:
        found = torch.add(found, in_dtype(bias, found.dtype))
    return found


@decomposition(
    "aten::native_layer_norm",
    ok=[
        Invocation(T(2, 0), [0], T(0), None, 1e-5),
        Invocation(T(0, 2, 1), [0, 2, 1], None, None, 0.5),
    ],
)
def native_layer_norm(
    input: torch.Tensor,
    normalized_shape: List[int],
    weight: Optional[torch.Tensor],
    bias: Optional[torch.Tensor],
    eps: float,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Elements less their mean, over their deviation, which are returned, too."""
    assert is_of_floats(input), "the kernel takes floats"
    saved = input.dtype
    if weight is not None:
        saved = weight.dtype
    elif bias is not None:
        saved = bias.dtype
    wide = in_dtype(input, computation_dtype(input.dtype))
    dims = last_dims(input, len(normalized_shape))
    mean = torch.mean(wide, dims, True)
    away = torch.sub(wide, mean)
    scale = torch.rsqrt(torch.add(torch.mean(torch.mul(away, away), dims, True), eps))
    found = with_parameters(torch.mul(away, scale), weight, bias)
    # The mean of infinite elements is NaN, and that of none is 0.
    mean = torch.add(mean, torch.sub(mean, mean))
    count = 1
    for size in normalized_shape:
        count *= size
    if not is_known(count):
        is_nothing = torch.eq(torch.full([], count, dtype=torch.int64), 0)
        mean = torch.where(is_nothing, torch.zeros_like(mean), mean)
    elif count == 0:
        mean = torch.zeros_like(mean)
    return in_dtype(found, input.dtype), in_dtype(mean, saved), in_dtype(scale, saved)


@decomposition("aten::layer_norm")
def layer_norm(
    input: torch.Tensor,
    normalized_shape: List[int],
    weight: Optional[torch.Tensor] = None,
    bias: Optional[torch.Tensor] = None,
    eps: float = 1e-05,
    cudnn_enable: bool = True,
) -> torch.Tensor:
    """`native_layer_norm` without the statistics."""
    return torch.native_layer_norm(input, normalized_shape, weight, bias, eps)[0]


def least_step(dtype: int) -> float:
    """The difference of 1 and the next number of a dtype of floats."""
    if dtype == torch.float64:
        return 2.220446049250313e-16
    return 1.1920928955078125e-07


@decomposition("aten::rms_norm")
def rms_norm(
    input: torch.Tensor,
    normalized_shape: List[int],
    weight: Optional[torch.Tensor] = None,
    eps: Optional[float] = None,
) -> torch.Tensor:
    """Elements over the root of the mean of their squares."""
    assert is_of_floats(input), "the kernel takes floats"
    wide = in_dtype(input, computation_dtype(input.dtype))
    added = least_step(wide.dtype) if eps is None else eps
    dims = last_dims(input, len(normalized_shape))
    scale = torch.rsqrt(torch.add(torch.mean(torch.mul(wide, wide), dims, True), added))
    found = torch.mul(wide, scale)
    if weight is not None:
        found = torch.mul(found, in_dtype(weight, wide.dtype))
    return in_dtype(found, input.dtype)


@decomposition("aten::group_norm")
def group_norm(
    input: torch.Tensor,
    num_groups: int,
    weight: Optional[torch.Tensor] = None,
    bias: Optional[torch.Tensor] = None,
    eps: float = 1e-05,
    cudnn_enabled: bool = True,
) -> torch.Tensor:
    """`native_group_norm` without the statistics."""
    batch, channels = input.size(0), input.size(1)
    rest = 1
    for dim in range(2, input.dim()):
        rest *= input.size(dim)
    return torch.native_group_norm(input, weight, bias, batch, channels, rest, num_groups, eps)[0]


@decomposition("aten::native_group_norm")
def native_group_norm(
    input: torch.Tensor,
    weight: Optional[torch.Tensor],
    bias: Optional[torch.Tensor],
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Elements of a group less their mean, over their deviation, which are returned, too."""
    assert is_of_floats(input), "the kernel takes floats"
    saved = input.dtype
    if weight is not None:
        saved = weight.dtype
    wide = in_dtype(input, computation_dtype(input.dtype))
    # Channels are a dimension of their own, so that all has the same rows.
    sizes: List[int] = [N, group, C // group]
    channels: List[int] = [1, group, C // group]
    for dim in range(2, input.dim()):
        sizes.append(input.size(dim))
        channels.append(1)
    rows = torch.reshape(wide, sizes)
    dims = last_dims(rows, len(sizes) - 2)
    mean = torch.mean(rows, dims, True)
    away = torch.sub(rows, mean)
    variance = torch.mean(torch.mul(away, away), dims, True)
    reciprocal = torch.rsqrt(torch.add(variance, eps))
    scale = reciprocal
    if weight is not None:
        scale = torch.mul(scale, torch.reshape(in_dtype(weight, wide.dtype), channels))
    found = torch.mul(away, scale)
    if bias is not None:
        found = torch.add(found, torch.reshape(in_dtype(bias, wide.dtype), channels))
    found = in_dtype(torch.reshape(found, input.size()), input.dtype)
    statistics: List[int] = [N, group]
    mean = in_dtype(torch.reshape(mean, statistics), saved)
    return found, mean, in_dtype(torch.reshape(reciprocal, statistics), saved)
