"""Gradients of normalization, by saved statistics; none is left out, whatever the mask says."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.families.decompositions.layers.normalized_batches import (
    check_batch,
    dims_of_batch,
    kind_of,
    per_channel,
)
from torch_refine.abstract_interp_lib.rules.decomposing import computation_dtype, in_dtype
from torch_refine.abstract_interp_lib.rules.normalization import first_dtype, parameter_dtype
from torch_refine.abstract_interp_lib.rules.unknown import require_sizes


@decomposition("aten::native_batch_norm_backward")
def native_batch_norm_backward(
    grad_out: torch.Tensor,
    input: torch.Tensor,
    weight: Optional[torch.Tensor],
    running_mean: Optional[torch.Tensor],
    running_var: Optional[torch.Tensor],
    save_mean: Optional[torch.Tensor],
    save_invstd: Optional[torch.Tensor],
    train: bool,
    eps: float,
    output_mask: List[bool],
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """In training, without what changes the mean and the deviation of the batch."""
    check_batch(input)
    mean_kind, scale_kind = kind_of(save_mean), kind_of(save_invstd)
    given = [kind_of(weight), kind_of(running_mean), kind_of(running_var), mean_kind, scale_kind]
    saved = parameter_dtype(input.dtype, given)
    dtype = computation_dtype(input.dtype)
    rank = input.dim()
    dims = dims_of_batch(rank)
    mean = save_mean if train else running_mean
    assert mean is not None, "the statistics are given"
    if train:
        assert save_invstd is not None, "the statistics are given"
        scale = in_dtype(save_invstd, dtype)
    else:
        assert running_var is not None, "the statistics are given"
        scale = torch.reciprocal(torch.sqrt(torch.add(in_dtype(running_var, dtype), eps)))
    rest = torch.sub(in_dtype(input, dtype), per_channel(in_dtype(mean, dtype), rank))
    given_grad = in_dtype(grad_out, dtype)
    total = torch.sum(given_grad, dims)
    product = torch.sum(torch.mul(rest, given_grad), dims)
    found = given_grad
    if train:
        count = input.numel() // max(input.size(1), 1)
        slope = torch.div(torch.mul(torch.mul(product, scale), scale), count)
        found = torch.sub(found, per_channel(torch.div(total, count), rank))
        found = torch.sub(found, torch.mul(rest, per_channel(slope, rank)))
    found = torch.mul(found, per_channel(scale, rank))
    if weight is not None:
        found = torch.mul(found, per_channel(in_dtype(weight, dtype), rank))
    of_weight = in_dtype(torch.mul(product, scale), saved)
    return in_dtype(found, input.dtype), of_weight, in_dtype(total, saved)


@decomposition("aten::batch_norm_backward")
def batch_norm_backward(
    grad_out: torch.Tensor,
    input: torch.Tensor,
    weight: torch.Tensor,
    running_mean: Optional[torch.Tensor],
    running_var: Optional[torch.Tensor],
    save_mean: Optional[torch.Tensor],
    save_var: Optional[torch.Tensor],
    update: bool,
    eps: float,
    output_mask: List[bool],
    reserve: torch.Tensor,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Another name of `native_batch_norm_backward`."""
    return torch.ops.aten.native_batch_norm_backward(
        grad_out,
        input,
        weight,
        running_mean,
        running_var,
        save_mean,
        save_var,
        update,
        eps,
        output_mask,
    )


@decomposition("aten::native_layer_norm_backward")
def native_layer_norm_backward(
    grad_out: torch.Tensor,
    input: torch.Tensor,
    normalized_shape: List[int],
    mean: torch.Tensor,
    rstd: torch.Tensor,
    weight: Optional[torch.Tensor],
    bias: Optional[torch.Tensor],
    output_mask: List[bool],
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Of rows, as matrices."""
    if input.dtype == torch.float16 or input.dtype == torch.bfloat16:
        is_same = weight is None or weight.dtype == input.dtype
        assert is_same, "PyTorch adds the gradients of parameters in half precision"
    dtype = computation_dtype(input.dtype)
    require_sizes(grad_out.size(), input.size())
    require_sizes(normalized_shape, input.size()[input.dim() - len(normalized_shape) :])
    for each in [weight, bias]:
        if each is not None:
            require_sizes(each.size(), normalized_shape)
    rows = 1
    columns = 1
    for dim in range(input.dim()):
        if dim < input.dim() - len(normalized_shape):
            rows *= input.size(dim)
        else:
            columns *= input.size(dim)
    given = torch.reshape(in_dtype(grad_out, dtype), [rows, columns])
    scale = torch.reshape(in_dtype(rstd, dtype), [rows, 1])
    rest = torch.reshape(in_dtype(input, dtype), [rows, columns])
    rest = torch.sub(rest, torch.reshape(in_dtype(mean, dtype), [rows, 1]))
    normal = torch.mul(rest, scale)
    found = given
    if weight is not None:
        found = torch.mul(given, torch.reshape(in_dtype(weight, dtype), [1, columns]))
    total = torch.div(torch.sum(found, [1], True), columns)
    product = torch.div(torch.sum(torch.mul(found, normal), [1], True), columns)
    found = torch.sub(torch.sub(found, total), torch.mul(normal, product))
    found = torch.reshape(torch.mul(found, scale), input.size())
    of_weight = torch.reshape(torch.sum(torch.mul(given, normal), [0]), normalized_shape)
    of_bias = torch.reshape(torch.sum(given, [0]), normalized_shape)
    first: Optional[Tuple[int, int]] = None if weight is None else (1, weight.dtype)
    second: Optional[Tuple[int, int]] = None if bias is None else (1, bias.dtype)
    return (
        in_dtype(found, input.dtype),
        in_dtype(of_weight, first_dtype(input.dtype, [first, second])),
        in_dtype(of_bias, first_dtype(input.dtype, [second, first])),
    )
