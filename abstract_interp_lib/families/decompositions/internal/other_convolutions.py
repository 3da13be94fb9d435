"""Convolutions under other names, computed by `convolution`."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import convolved
from torch_refine.abstract_interp_lib.rules.unknown import is_known


@decomposition("aten::conv_tbc")
def conv_tbc(
    self: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, pad: int = 0
) -> torch.Tensor:
    """A convolution of [time, batch, channels] with weights [size, channels, results]."""
    # Of shorter times the kernel has no results, where a convolution raises.
    times, size = self.size(0), weight.size(0)
    assert is_known(times) and is_known(size), "the results may be none"
    assert times + 2 * pad >= size, "there are no results"
    if pad > 0:
        # The kernel leaves padding out, where non-finite weights would turn zeros into NaN.
        is_finite = torch.all(torch.lt(torch.abs(weight), float("inf")))
        said = "the weights of a convolution with padding are not finite"
        weight = torch.ops.aten._functional_assert_async(is_finite, said, weight)
    found = torch.convolution(
        torch.permute(self, [1, 2, 0]),
        torch.permute(weight, [2, 1, 0]),
        bias,
        [1],
        [pad],
        [1],
        False,
        [0],
        1,
    )
    return torch.permute(found, [2, 0, 1])


def slow_transposed(
    self: torch.Tensor,
    weight: torch.Tensor,
    kernel_size: List[int],
    bias: Optional[torch.Tensor],
    stride: List[int],
    padding: List[int],
    output_padding: List[int],
    dilation: List[int],
) -> torch.Tensor:
    """A transposed convolution."""
    assert weight.dim() == len(kernel_size) + 2, "the kernel must have dimensions of its own"
    return convolved(self, weight, bias, stride, padding, dilation, True, output_padding, 1)


decomposition_family(slow_transposed, "aten::slow_conv_transpose2d", "aten::slow_conv_transpose3d")
