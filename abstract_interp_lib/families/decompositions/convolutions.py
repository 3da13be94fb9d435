"""Convolutions, computed by `convolution`."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import convolved


def convolution(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    groups: int,
) -> torch.Tensor:
    """A sample without a batch is a batch of one."""
    return convolved(input, weight, bias, stride, padding, dilation, False, [0], groups)


decomposition_family(convolution, "aten::conv1d", "aten::conv2d", "aten::conv3d")


def transposed_convolution(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    stride: List[int],
    padding: List[int],
    output_padding: List[int],
    groups: int,
    dilation: List[int],
) -> torch.Tensor:
    """A sample without a batch is a batch of one."""
    return convolved(input, weight, bias, stride, padding, dilation, True, output_padding, groups)


decomposition_family(
    transposed_convolution,
    "aten::conv_transpose1d",
    "aten::conv_transpose2d.input",
    "aten::conv_transpose3d.input",
)


def any_convolution(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    transposed: bool,
    output_padding: List[int],
    groups: int,
) -> torch.Tensor:
    """Without the choice of a library."""
    return convolved(
        input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
    )


decomposition_family(any_convolution, "aten::_convolution", "aten::_convolution.deprecated")


# PyTorch's kernels for CPUs, with a parameter for the size that the weight has.
def slow_convolution(
    self: torch.Tensor,
    weight: torch.Tensor,
    kernel_size: List[int],
    bias: Optional[torch.Tensor],
    stride: List[int],
    padding: List[int],
) -> torch.Tensor:
    """A convolution, whose groups are as many as the channels of the weight are in the input's."""
    return slow_dilated_convolution(self, weight, kernel_size, bias, stride, padding, [1])


def slow_dilated_convolution(
    self: torch.Tensor,
    weight: torch.Tensor,
    kernel_size: List[int],
    bias: Optional[torch.Tensor],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
) -> torch.Tensor:
    """The same with dilations."""
    rank = len(kernel_size)
    channels = self.size(self.dim() - rank - 1)
    if weight.dim() == 2:
        # One dimension for all of a window.
        shape: List[int] = [weight.size(0), channels]
        for size in kernel_size:
            shape.append(size)
        weight = torch.reshape(weight, shape)
    groups = 1 if rank == 2 else channels // max(weight.size(1), 1)
    around: List[int] = []
    for index in range(rank):
        each = padding[0] if len(padding) == 1 else padding[rank - 1 - index]
        around.append(each)
        around.append(each)
    # The border takes part: its product with an infinite weight is NaN.
    padded = torch.constant_pad_nd(self, around) if max(padding) > 0 else self
    return convolved(padded, weight, bias, stride, [0], dilation, False, [0], groups)


decomposition_family(
    slow_convolution,
    "aten::_slow_conv2d_forward",
    ok=[
        Invocation(T(2, 3, 8, 7), T(4, 3, 3, 2), [3, 2], T(4), [2, 1], [1, 0]),
        Invocation(T(3, 8, 7), T(4, 3, 3, 2), [3, 2], None, [1, 1], [0, 0]),
    ],
)
decomposition_family(
    slow_dilated_convolution,
    "aten::slow_conv_dilated2d",
    ok=[Invocation(T(2, 3, 8, 7), T(4, 3, 3, 2), [3, 2], T(4), [2, 1], [1, 0], [1, 3])],
)
decomposition_family(
    slow_dilated_convolution,
    "aten::slow_conv_dilated3d",
    ok=[
        Invocation(
            *(T(2, 3, 4, 5, 6), T(4, 3, 2, 3, 2), [2, 3, 2]),
            *(None, [2, 1, 1], [1, 0, 0], [1, 1, 2]),
        )
    ],
)
decomposition_family(slow_convolution, "aten::thnn_conv2d", "aten::slow_conv3d")
