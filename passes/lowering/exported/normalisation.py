"""Normalization with the results of PyTorch's kernels, where its decompositions differ.

For a half-precision input with f32 weights, kernels on the CPU return statistics in f32, fake
tensors and decompositions in the input's dtype, which then contradicts what the gradient is given.

Those of batch normalization differ if variance and epsilon are both 0. For the reciprocal of the
standard deviation of a batch the kernels then use 0 (`InvStd` in ATen's `batch_norm.cpp` and
`Normalization.cuh`), not infinity. With a given variance they do divide, but compute
`x * scale + (bias - mean * scale)` (`batch_norm_kernel.cpp`), which is NaN more often than a
multiple of `x - mean`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._decomp import global_decomposition_table
from torch._ops import OpOverload
from torch._prims_common import get_computation_dtype
from torch.fx.experimental.symbolic_shapes import statically_known_true

aten = torch.ops.aten
Decomposition = Callable[..., Any]

_BATCH_NORMS = (
    aten.native_batch_norm.default,
    aten._native_batch_norm_legit.default,
    aten._native_batch_norm_legit.no_stats,
    aten._native_batch_norm_legit_functional.default,
    aten._batch_norm_with_update.default,
    aten._batch_norm_with_update_functional.default,
    aten._batch_norm_no_update.default,
)
_GIVEN = aten._batch_norm_no_update.default
_OPERANDS = ("input", "weight", "bias", "running_mean", "running_var")


def normalisations() -> dict[OpOverload, Decomposition]:
    """The decompositions by operator; each returns `NotImplemented` where PyTorch's is correct."""
    table: dict[OpOverload, Decomposition] = {
        operator: _batch_norm(operator) for operator in _BATCH_NORMS
    }
    groups = aten.native_group_norm.default
    return table | {aten.native_layer_norm.default: _layer_norm, groups: _group_norm}


def _has_wide_statistics(input: torch.Tensor, weight: torch.Tensor | None) -> bool:
    """Whether the kernels of an input in half precision compute statistics in f32."""
    is_half = input.dtype in (torch.bfloat16, torch.float16) and input.device.type == "cpu"
    return is_half and weight is not None and weight.dtype == torch.float32


def _in_f32(operator: OpOverload, input: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
    found = operator(input.to(torch.float32), *args, **kwargs)
    return found[0].to(input.dtype), *found[1:]


def _group_norm(
    input: torch.Tensor,
    weight: torch.Tensor | None,
    bias: torch.Tensor | None,
    N: Any,
    C: Any,
    HxW: Any,
    group: int,
    eps: float,
) -> Any:
    """As a reduction of each group, in the shape of the input but for its channels.

    The wheel's decomposition computes variances in f64, and scales channels in another shape, which
    hides that the reductions and their users have the same rows.
    """
    if not isinstance(C, int) or not statically_known_true(input.numel() != 0):
        return NotImplemented
    is_wide = _has_wide_statistics(input, weight)
    statistics = torch.float32 if is_wide else input.dtype
    wide = input.to(get_computation_dtype(input.dtype))
    groups = wide.reshape([N, group, C // group, *input.shape[2:]])
    dims = list(range(2, groups.dim()))
    count = HxW * (C // group)
    mean = torch.sum(groups, dims, keepdim=True) / count
    rest = groups - mean
    variance = torch.sum(rest * rest, dims, keepdim=True) / count
    reciprocal = torch.rsqrt(variance + eps)
    channels = [1, group, C // group, *[1] * (input.dim() - 2)]
    scale = reciprocal if weight is None else reciprocal * weight.reshape(channels)
    normalised = rest * scale
    if bias is not None:
        normalised = normalised + bias.reshape(channels)
    found = normalised.reshape(input.shape).to(input.dtype)
    return found, *(each.reshape([N, group]).to(statistics) for each in (mean, reciprocal))


def _layer_norm(input: torch.Tensor, normalized_shape: Sequence[Any], *args: Any) -> Any:
    """For statistics in f32, and for empty rows: their mean is 0, the reciprocal of the deviation
    NaN.
    """
    if 0 not in normalized_shape and _has_wide_statistics(input, args[0]):
        return _in_f32(aten.native_layer_norm.default, input, normalized_shape, *args)
    if 0 not in normalized_shape:
        return NotImplemented
    rank = len(normalized_shape)
    sizes = [*input.shape[: input.dim() - rank], *([1] * rank)]
    kind = get_computation_dtype(input.dtype)
    return input.clone(), torch.zeros(sizes, dtype=kind), torch.full(sizes, torch.nan, dtype=kind)


def _batch_norm(operator: OpOverload) -> Decomposition:
    """For a batch that is not empty, or with given statistics; either may be constant."""
    names = [argument.name for argument in operator._schema.arguments]

    def decompose(*args: Any, **kwargs: Any) -> Any:
        given = dict(zip(names, args, strict=False)) | kwargs
        is_given = operator == _GIVEN or not given.get("training", True)
        input = given["input"]
        if not is_given:
            check: Any = torch._check
            check(input.numel() != 0, lambda: f"{operator}: the batch of {input.shape} is empty")
        if _has_wide_statistics(input, given["weight"]):
            return _in_f32(operator, **given)
        if given["eps"] != 0:
            return NotImplemented
        found = global_decomposition_table["post_autograd"][operator](*args, **kwargs)
        if is_given:
            return _scaled(**{name: given[name] for name in _OPERANDS}), *found[1:]
        return _with_constant_channels(input, given["weight"], given["bias"], *found)

    return decompose


def _with_constant_channels(
    input: torch.Tensor,
    weight: torch.Tensor | None,
    bias: torch.Tensor | None,
    normalised: torch.Tensor,
    mean: torch.Tensor,
    reciprocal: torch.Tensor,
    *others: Any,
) -> tuple[Any, ...]:
    """The results of a normalization, with 0 for the reciprocal of a zero deviation."""
    dims = [dim for dim in range(input.dim()) if dim != 1]
    wide = input.to(get_computation_dtype(input.dtype))
    is_constant = torch.var(wide, dims, correction=0) == 0
    constant = torch.zeros_like(is_constant, dtype=wide.dtype)
    if weight is not None:
        constant = constant * weight
    if bias is not None:
        constant = constant + bias
    normalised = torch.where(
        _along(is_constant, input), _along(constant, input).to(normalised.dtype), normalised
    )
    return normalised, mean, torch.where(is_constant, 0, reciprocal), *others


def _scaled(
    input: torch.Tensor,
    weight: torch.Tensor | None,
    bias: torch.Tensor | None,
    running_mean: torch.Tensor,
    running_var: torch.Tensor,
) -> torch.Tensor:
    """Normalization by given statistics, without epsilon."""
    kind = get_computation_dtype(input.dtype)
    scale = 1 / torch.sqrt(running_var.to(kind))
    if weight is not None:
        scale = scale * weight
    shift = -running_mean.to(kind) * scale
    if bias is not None:
        shift = bias + shift
    return (input * _along(scale, input) + _along(shift, input)).to(input.dtype)


def _along(channels: torch.Tensor, input: torch.Tensor) -> torch.Tensor:
    """Per-channel values, reshaped to broadcast over the input."""
    return channels.reshape([-1 if dim == 1 else 1 for dim in range(input.dim())])
