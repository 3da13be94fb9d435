"""Convolutions, computed by `convolution`."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import convolved, in_dtype


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


_WINDOW = ([2, 1], [1, 0], [1, 2], False, [0, 0])


@decomposition(
    "aten::convolution",
    ok=[
        Invocation(
            T(2, 4, 8, 7, dtype=torch.int8),
            T(6, 4, 3, 3, dtype=torch.int8),
            T(6, dtype=torch.int8),
            *_WINDOW,
            1,
            device="cpu",
        ),
        Invocation(
            T(2, 4, 8, 7, dtype=torch.uint8),
            T(6, 2, 3, 3, dtype=torch.uint8),
            None,
            *_WINDOW,
            2,
            device="cpu",
        ),
    ],
)
def convolution_of_bytes(
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
    """Products of 8-bit integers wrap around, as the lowest bits of those of 32 bits."""
    dtype = input.dtype
    assert dtype == torch.int8 or dtype == torch.uint8, "elements have more than 8 bits"
    wide_bias: Optional[torch.Tensor] = None
    if bias is not None:
        wide_bias = in_dtype(bias, torch.int32)
    found = torch.convolution(
        in_dtype(input, torch.int32),
        in_dtype(weight, torch.int32),
        wide_bias,
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
    )
    return in_dtype(found, dtype)
