"""Convolutions, computed by `convolution`."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition_family
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
