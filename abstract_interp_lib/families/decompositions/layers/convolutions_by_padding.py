"""Convolutions whose padding has a name: none, or so much that the result has the input's sizes."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import convolved, repeated


def convolution_by_padding(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    stride: List[int],
    padding: str,
    dilation: List[int],
    groups: int,
) -> torch.Tensor:
    """A convolution of a padded input; an odd border is wider behind the elements."""
    assert padding == "same" or padding == "valid", "PyTorch rejects others"
    if padding == "valid":
        return convolved(input, weight, bias, stride, [0], dilation, False, [0], groups)
    rank = weight.dim() - 2
    steps = repeated(dilation, rank)
    around: List[int] = []
    for index in range(rank):
        dim = rank - 1 - index
        border = steps[dim] * (weight.size(dim + 2) - 1)
        around.append(border // 2)
        around.append(border - border // 2)
    padded = torch.constant_pad_nd(input, around)
    return convolved(padded, weight, bias, stride, [0], dilation, False, [0], groups)


decomposition_family(
    convolution_by_padding,
    "aten::_convolution_mode",
    ok=[Invocation(T(2, 3, 8), T(4, 3, 4), None, [1], "same", [2], 1)],
)
decomposition_family(
    convolution_by_padding,
    "aten::conv1d.padding",
    ok=[Invocation(T(3, 8), T(4, 3, 4), T(4), 1, "same", 2)],
)
decomposition_family(
    convolution_by_padding,
    "aten::conv2d.padding",
    ok=[Invocation(T(3, 8, 7), T(4, 3, 4, 2), None, 1, "same", [1, 3])],
)
decomposition_family(
    convolution_by_padding,
    "aten::conv3d.padding",
    ok=[Invocation(T(1, 2, 5, 6, 4), T(4, 1, 2, 3, 2), None, 1, "same", 1, 2)],
)
