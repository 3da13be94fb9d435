"""Normalization of each channel, by the statistics of a batch or by given ones, and gradients."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import asserted, computation_dtype, in_dtype
from torch_refine.abstract_interp_lib.rules.normalization import parameter_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral


def per_channel(values: torch.Tensor, rank: int) -> torch.Tensor:
    """A vector as the second dimension of a tensor."""
    shape: List[int] = []
    for dim in range(rank):
        shape.append(values.numel() if dim == 1 else 1)
    return torch.reshape(values, shape)


def dims_of_batch(rank: int) -> List[int]:
    """The dimensions but for that of channels."""
    dims: List[int] = [0]
    for dim in range(rank - 2):
        dims.append(dim + 2)
    return dims


def kind_of(parameter: Optional[torch.Tensor]) -> Optional[Tuple[int, int]]:
    """The rank and the dtype of a parameter, if it is given."""
    return None if parameter is None else (parameter.dim(), parameter.dtype)


def dtype_with_running(
    input: torch.Tensor,
    weight: Optional[torch.Tensor],
    bias: Optional[torch.Tensor],
    running_mean: torch.Tensor,
    running_var: torch.Tensor,
) -> int:
    """The dtype of saved statistics."""
    mean: Optional[Tuple[int, int]] = (running_mean.dim(), running_mean.dtype)
    var: Optional[Tuple[int, int]] = (running_var.dim(), running_var.dtype)
    return parameter_dtype(input.dtype, [kind_of(weight), kind_of(bias), mean, var])


def scaled(
    values: torch.Tensor, weight: Optional[torch.Tensor], bias: Optional[torch.Tensor]
) -> torch.Tensor:
    """Values times the weight of each channel, plus the bias."""
    if weight is not None:
        values = torch.mul(values, per_channel(in_dtype(weight, values.dtype), values.dim()))
    if bias is not None:
        values = torch.add(values, per_channel(in_dtype(bias, values.dtype), values.dim()))
    return values


def reciprocal_deviation(variance: torch.Tensor, eps: float) -> torch.Tensor:
    """1 / sqrt(variance + eps), but 0 if both are."""
    found = torch.rsqrt(torch.add(variance, eps))
    if eps == 0.0:
        found = torch.where(torch.eq(variance, 0), torch.zeros_like(found), found)
    return found


def check_batch(input: torch.Tensor) -> None:
    """Raise for what the kernels do not normalize."""
    assert not is_integral(input.dtype) and not is_complex(input.dtype), "of real floats"
    assert input.dim() >= 2, "the second dimension is that of channels"


def by_its_statistics(
    input: torch.Tensor, weight: Optional[torch.Tensor], bias: Optional[torch.Tensor], eps: float
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """A normalized batch, its mean, sum of squared differences, and reciprocal deviation."""
    check_batch(input)
    wide = in_dtype(input, computation_dtype(input.dtype))
    count = wide.numel() // max(wide.size(1), 1)
    dims = dims_of_batch(wide.dim())
    elements = torch.full([1], wide.numel(), dtype=torch.int64)
    mean = torch.div(torch.sum(wide, dims), count)
    mean = asserted(mean, torch.ne(elements, 0), "a batch without elements has no statistics")
    rest = torch.sub(wide, per_channel(mean, wide.dim()))
    squares = torch.sum(torch.mul(rest, rest), dims)
    scale = reciprocal_deviation(torch.div(squares, count), eps)
    found = scaled(torch.mul(rest, per_channel(scale, wide.dim())), weight, bias)
    return in_dtype(found, input.dtype), mean, squares, scale


def by_given_statistics(
    input: torch.Tensor,
    weight: Optional[torch.Tensor],
    bias: Optional[torch.Tensor],
    mean: torch.Tensor,
    variance: torch.Tensor,
    eps: float,
) -> torch.Tensor:
    """x * scale + (bias - mean * scale), as the kernels compute it."""
    check_batch(input)
    dtype = computation_dtype(input.dtype)
    scale = torch.reciprocal(torch.sqrt(torch.add(in_dtype(variance, dtype), eps)))
    if weight is not None:
        scale = torch.mul(scale, in_dtype(weight, dtype))
    shift = torch.mul(torch.neg(in_dtype(mean, dtype)), scale)
    if bias is not None:
        shift = torch.add(in_dtype(bias, dtype), shift)
    return in_dtype(scaled(in_dtype(input, dtype), scale, shift), input.dtype)


@decomposition(
    "aten::_native_batch_norm_legit.no_stats",
    ok=[
        Invocation(T(2, 3, 4), T(3), T(3), True, 0.1, 0.0),
        Invocation(T(2, 3, 4, values=[1.5] * 24), T(3), None, True, 0.1, 0.0),
    ],
)
def batch_norm_without_running(
    input: torch.Tensor,
    weight: Optional[torch.Tensor],
    bias: Optional[torch.Tensor],
    training: bool,
    momentum: float,
    eps: float,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """By the statistics of the batch."""
    assert training, "no statistics are given"
    saved = parameter_dtype(input.dtype, [kind_of(weight), kind_of(bias)])
    found, mean, _, scale = by_its_statistics(input, weight, bias, eps)
    return found, in_dtype(mean, saved), in_dtype(scale, saved)


def batch_norm_in_evaluation(
    input: torch.Tensor,
    weight: Optional[torch.Tensor],
    bias: Optional[torch.Tensor],
    running_mean: torch.Tensor,
    running_var: torch.Tensor,
    eps: float,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """By running statistics; none are saved."""
    saved = dtype_with_running(input, weight, bias, running_mean, running_var)
    found = by_given_statistics(input, weight, bias, running_mean, running_var, eps)
    return found, torch.zeros([0], dtype=saved), torch.zeros([0], dtype=saved)


decomposition_family(batch_norm_in_evaluation, "aten::_native_batch_norm_legit_no_training")


def updated(running: torch.Tensor, found: torch.Tensor, momentum: float) -> torch.Tensor:
    """A running statistic after a batch."""
    kept = torch.mul(in_dtype(running, found.dtype), 1.0 - momentum)
    return in_dtype(torch.add(torch.mul(found, momentum), kept), running.dtype)


@decomposition("aten::native_batch_norm")
def native_batch_norm(
    input: torch.Tensor,
    weight: Optional[torch.Tensor],
    bias: Optional[torch.Tensor],
    running_mean: Optional[torch.Tensor],
    running_var: Optional[torch.Tensor],
    training: bool,
    momentum: float,
    eps: float,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """By running statistics, or by those of the batch, if there are none that it would update."""
    if running_mean is not None and running_var is not None:
        assert not training, "concerns only batches that update no statistics"
        return batch_norm_in_evaluation(input, weight, bias, running_mean, running_var, eps)
    return batch_norm_without_running(input, weight, bias, training, momentum, eps)


@decomposition("aten::batch_norm")
def batch_norm(
    input: torch.Tensor,
    weight: Optional[torch.Tensor],
    bias: Optional[torch.Tensor],
    running_mean: Optional[torch.Tensor],
    running_var: Optional[torch.Tensor],
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> torch.Tensor:
    """`native_batch_norm` without the statistics."""
    return native_batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps
    )[0]


@decomposition("aten::_native_batch_norm_legit_functional")
def functional_batch_norm(
    input: torch.Tensor,
    weight: Optional[torch.Tensor],
    bias: Optional[torch.Tensor],
    running_mean: torch.Tensor,
    running_var: torch.Tensor,
    training: bool,
    momentum: float,
    eps: float,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """By running statistics, or by those of the batch, which then update the others."""
    if not training:
        found, mean, scale = batch_norm_in_evaluation(
            input, weight, bias, running_mean, running_var, eps
        )
        return found, mean, scale, running_mean, running_var
    saved = dtype_with_running(input, weight, bias, running_mean, running_var)
    found, mean, squares, scale = by_its_statistics(input, weight, bias, eps)
    count = input.numel() // max(input.size(1), 1)
    variance = torch.div(squares, count - 1)
    return (
        found,
        in_dtype(mean, saved),
        in_dtype(scale, saved),
        updated(running_mean, mean, momentum),
        updated(running_var, variance, momentum),
    )


@decomposition("aten::_batch_norm_with_update_functional")
def functional_batch_norm_with_update(
    input: torch.Tensor,
    weight: Optional[torch.Tensor],
    bias: Optional[torch.Tensor],
    running_mean: torch.Tensor,
    running_var: torch.Tensor,
    momentum: float,
    eps: float,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """In training; the reserve buffer is empty."""
    found, mean, scale, updated_mean, updated_var = functional_batch_norm(
        input, weight, bias, running_mean, running_var, True, momentum, eps
    )
    return found, mean, scale, torch.zeros([0], dtype=torch.uint8), updated_mean, updated_var


@decomposition("aten::_batch_norm_no_update")
def batch_norm_without_update(
    input: torch.Tensor,
    weight: Optional[torch.Tensor],
    bias: Optional[torch.Tensor],
    running_mean: Optional[torch.Tensor],
    running_var: Optional[torch.Tensor],
    momentum: float,
    eps: float,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """By running statistics; the reserve buffer is empty."""
    assert running_mean is not None and running_var is not None, "PyTorch rejects none"
    found, mean, scale = batch_norm_in_evaluation(
        input, weight, bias, running_mean, running_var, eps
    )
    return found, mean, scale, torch.zeros([0], dtype=torch.uint8)


@decomposition("aten::instance_norm")
def instance_norm(
    input: torch.Tensor,
    weight: Optional[torch.Tensor],
    bias: Optional[torch.Tensor],
    running_mean: Optional[torch.Tensor],
    running_var: Optional[torch.Tensor],
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> torch.Tensor:
    """By the statistics of each channel of each instance, or by running ones."""
    check_batch(input)
    if not use_input_stats:
        assert running_mean is not None and running_var is not None, "PyTorch rejects none"
        return by_given_statistics(input, weight, bias, running_mean, running_var, eps)
    assert running_mean is None and running_var is None, "the kernel writes to its arguments"
    dtype = computation_dtype(input.dtype)
    wide = in_dtype(input, dtype)
    dims: List[int] = []
    count = 1
    for dim in range(input.dim() - 2):
        dims.append(dim + 2)
        count *= input.size(dim + 2)
    mean, squares = wide, torch.zeros_like(wide)
    if len(dims) > 0:
        mean = torch.div(torch.sum(wide, dims, True), count)
    rest = torch.sub(wide, mean)
    squares = torch.mul(rest, rest)
    if len(dims) > 0:
        squares = torch.sum(squares, dims, True)
    scale = reciprocal_deviation(torch.div(squares, count), eps)
    return in_dtype(scaled(torch.mul(rest, scale), weight, bias), input.dtype)
