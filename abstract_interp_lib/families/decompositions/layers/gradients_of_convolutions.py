"""Gradients of convolutions under other names, or in other forms, by `convolution_backward`."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import repeated


@decomposition(
    "aten::convolution_backward",
    ok=[
        Invocation(
            *(T(1, 4, 4, 4), T(1, 3, 6, 6), T(4, 3, 3, 3), [4], [1], [0], [1], False, [0], 1),
            [True, True, True],
        ),
        Invocation(
            *(T(2, 4, 9), T(2, 6, 4), T(6, 2, 3), [4], [2], [0], [1], True, [0], 2),
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
    """With one number per dimension, and of convolutions that are not transposed.

    The adjoint of a transposed convolution is a convolution.
    """
    rank = weight.dim() - 2
    is_short = len(stride) != rank or len(padding) != rank or len(dilation) != rank
    is_short = is_short or len(output_padding) != rank
    assert transposed or is_short, "concerns only transposed convolutions and repeated numbers"
    step, around = repeated(stride, rank), repeated(padding, rank)
    apart, none = repeated(dilation, rank), repeated([0], rank)
    every: List[bool] = [True, True, True]
    if not transposed:
        count: List[int] = [grad_output.size(1)]
        return torch.ops.aten.convolution_backward(
            grad_output, input, weight, count, step, around, apart, False, none, groups, every
        )
    dims: List[int] = [0]
    for dim in range(rank):
        dims.append(dim + 2)
    of_input = torch.convolution(
        grad_output, weight, None, step, around, apart, False, none, groups
    )
    inputs: List[int] = [input.size(1)]
    _, of_weight, _ = torch.ops.aten.convolution_backward(
        input, grad_output, weight, inputs, step, around, apart, False, none, groups, every
    )
    return of_input, of_weight, torch.sum(grad_output, dims)


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
