"""Gradients of convolutions under other names, or in other forms, by `convolution_backward`."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import repeated
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def of_windows(
    grad_output: torch.Tensor,
    input: torch.Tensor,
    weight: torch.Tensor,
    stride: List[int],
    padding: List[int],
    dilation: List[int],
) -> torch.Tensor:
    """The gradient of the weight: each element of the gradient meets those that a window reads."""
    none = repeated([0], len(stride))
    if is_known(input.size(0)) and input.size(0) == 0:
        return torch.zeros_like(weight)
    found = torch.convolution(
        torch.transpose(input, 0, 1),
        torch.transpose(grad_output, 0, 1),
        None,
        dilation,
        padding,
        stride,
        False,
        none,
        1,
    )
    # Windows may not reach the end of the input.
    for dim in range(len(stride)):
        found = torch.ops.aten.slice(found, 2 + dim, 0, weight.size(2 + dim), 1)
    return torch.transpose(found, 0, 1)


def of_each_input(
    grad_output: torch.Tensor,
    input: torch.Tensor,
    weight: torch.Tensor,
    stride: List[int],
    padding: List[int],
    dilation: List[int],
) -> torch.Tensor:
    """The gradient of an input of which the last elements may be in no window.

    There are fewer of them than a stride has, and their gradient is zero.
    """
    rank = len(stride)
    none = repeated([0], rank)
    found = torch.convolution(grad_output, weight, None, stride, none, dilation, True, none, 1)
    around: List[int] = []
    for dim in range(rank):
        around.extend([0, stride[rank - 1 - dim] - 1])
    found = torch.constant_pad_nd(found, around, 0)
    for dim in range(rank):
        end = padding[dim] + input.size(2 + dim)
        found = torch.ops.aten.slice(found, 2 + dim, padding[dim], end, 1)
    return found


@decomposition(
    "aten::convolution_backward",
    ok=[
        Invocation(
            *(T(2, 4, 3, 3), T(2, 3, 8, 7), T(4, 3, 3, 2)),
            *([4], [2], [1, 0], [1, 2], False, [0], 1, [True, True, True]),
        ),
        Invocation(
            *(T(1, 4, 4, 4), T(1, 3, 6, 6), T(4, 3, 3, 3), [4], [1], [0], [1], False, [0], 1),
            [True, True, True],
        ),
        Invocation(
            *(T(2, 4, 9), T(2, 6, 4), T(6, 4, 3), [4], [2], [0], [1], True, [0], 1),
            [True, True, True],
        ),
    ],
)
def convolution_backward(
    grad_output: torch.Tensor,
    input: torch.Tensor,
    weight: torch.Tensor,
    bias_sizes: Optional[List[int]],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    transposed: bool,
    output_padding: List[int],
    groups: int,
    output_mask: List[bool],
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The adjoint of a convolution is a transposed one, and that of a transposed one a convolution.

    The gradient of the weight is a convolution of the channels, whose batch is theirs.
    """
    assert groups == 1, "PyTorch's kernels are faster for groups"
    rank = weight.dim() - 2
    step, around = repeated(stride, rank), repeated(padding, rank)
    apart, none = repeated(dilation, rank), repeated([0], rank)
    dims: List[int] = [0]
    for dim in range(rank):
        dims.append(dim + 2)
    of_bias = torch.sum(grad_output, dims)
    if transposed:
        of_input = torch.convolution(
            grad_output, weight, None, step, around, apart, False, none, groups
        )
        return of_input, of_windows(input, grad_output, weight, step, around, apart), of_bias
    left: List[int] = []
    are_known = True
    for dim in range(rank):
        reach = apart[dim] * (weight.size(2 + dim) - 1) + 1 - 2 * around[dim]
        covered = (grad_output.size(2 + dim) - 1) * step[dim] + reach
        left.append(0 if step[dim] == 1 else input.size(2 + dim) - covered)
        are_known = are_known and is_known(left[dim])
    if are_known:
        of_input = torch.convolution(
            grad_output, weight, None, step, around, apart, True, left, groups
        )
    else:
        of_input = of_each_input(grad_output, input, weight, step, around, apart)
    return of_input, of_windows(grad_output, input, weight, step, around, apart), of_bias


@decomposition("aten::_slow_conv2d_backward.output_mask")
def _slow_conv2d_backward(
    grad_output: torch.Tensor,
    self: torch.Tensor,
    weight: torch.Tensor,
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    output_mask: List[bool],
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The weight may have one dimension for all of a window."""
    window = repeated(kernel_size, 2)
    channels = self.size(1)
    whole = torch.reshape(weight, [weight.size(0), channels, window[0], window[1]])
    count: List[int] = [weight.size(0)]
    every: List[bool] = [True, True, True]
    step, around = repeated(stride, 2), repeated(padding, 2)
    of_input, of_weight, of_bias = torch.ops.aten.convolution_backward(
        grad_output, self, whole, count, step, around, [1, 1], False, [0, 0], 1, every
    )
    return of_input, torch.reshape(of_weight, weight.size()), of_bias


@decomposition("aten::conv_tbc_backward")
def conv_tbc_backward(
    self: torch.Tensor, input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, pad: int
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Of [time, batch, channels], with weights [size, channels, results]."""
    count: List[int] = [weight.size(2)]
    every: List[bool] = [True, True, True]
    of_input, of_weight, of_bias = torch.ops.aten.convolution_backward(
        torch.permute(self, [1, 2, 0]),
        torch.permute(input, [1, 2, 0]),
        torch.permute(weight, [2, 1, 0]),
        count,
        [1],
        [pad],
        [1],
        False,
        [0],
        1,
        every,
    )
    return torch.permute(of_input, [2, 0, 1]), torch.permute(of_weight, [2, 1, 0]), of_bias
