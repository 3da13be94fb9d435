"""The shape rule shared by all convolutions."""

from typing import List, Optional

from torch_refine.abstract_interp_lib.rules.sizes import product
from torch_refine.abstract_interp_lib.rules.windows import check_batched_or_not, per_dimension


def convolved_size(size: int, kernel: int, stride: int, padding: int, dilation: int) -> int:
    """The output size of a convolution along one dimension."""
    assert stride > 0, f"stride must be positive, got {stride}"
    assert padding >= 0, f"padding must not be negative, got {padding}"
    assert dilation > 0, f"dilation must be positive, got {dilation}"
    extent = dilation * (kernel - 1) + 1
    padded = size + 2 * padding
    assert extent <= padded, (
        f"effective kernel size {extent} is greater than padded input size {padded}"
    )
    return (padded - extent) // stride + 1


def transposed_size(
    size: int, kernel: int, stride: int, padding: int, dilation: int, output_padding: int
) -> int:
    """The output size of a transposed convolution along one dimension."""
    assert stride > 0, f"stride must be positive, got {stride}"
    assert padding >= 0, f"padding must not be negative, got {padding}"
    assert dilation > 0, f"dilation must be positive, got {dilation}"
    assert output_padding >= 0, f"output_padding must not be negative, got {output_padding}"
    out = (size - 1) * stride - 2 * padding + dilation * (kernel - 1) + output_padding + 1
    assert out >= 0, f"padding {padding} is too large for an input size of {size}"
    return out


def output_channels(
    channels: int, weight: List[int], bias: Optional[List[int]], transposed: bool, groups: int
) -> int:
    """The number of output channels; raises if input channels or bias do not match the weight."""
    assert groups > 0, f"groups must be positive, got {groups}"
    assert weight[0] % groups == 0, f"groups {groups} must divide dimension 0 of weight {weight}"
    if transposed:
        expected, produced = weight[0], weight[1] * groups
    else:
        expected, produced = weight[1] * groups, weight[0]
    assert channels == expected, (
        f"weight {weight} expects {expected} input channels, got {channels}"
    )
    if bias is not None:
        assert len(bias) == 1, f"bias must be 1-D, got shape {bias}"
        assert bias[0] == produced, f"bias must have {produced} elements, got {bias[0]}"
    if weight[1] == 0:
        # With zero input channels PyTorch returns zero output channels.
        produced = 0
    return produced


def convolution_of_any_batch(
    input: List[int],
    weight: List[int],
    bias: Optional[List[int]],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    transposed: bool,
    output_padding: List[int],
    groups: int,
) -> List[int]:
    """The batch dimension, if any, the output channels and the output spatial sizes."""
    rank = len(weight) - 2
    assert rank > 0, f"weight must have at least 3 dimensions, got shape {weight}"
    check_batched_or_not(input, rank)
    channels = output_channels(input[-rank - 1], weight, bias, transposed, groups)
    strides = per_dimension(stride, rank)
    paddings = per_dimension(padding, rank)
    dilations = per_dimension(dilation, rank)
    sizes, kernels = input[-rank:], weight[2:]
    out = input[: -rank - 1]
    out.append(channels)
    if transposed:
        extra = per_dimension(output_padding, rank)
        for i in range(rank):
            out.append(
                transposed_size(
                    sizes[i], kernels[i], strides[i], paddings[i], dilations[i], extra[i]
                )
            )
        # Kernels compute an empty result only of an empty input.
        assert product(out[-rank:]) > 0 or product(input) == 0, (
            f"padding {padding} is too large for input shape {input}"
        )
    else:
        for i in range(rank):
            out.append(convolved_size(sizes[i], kernels[i], strides[i], paddings[i], dilations[i]))
    return out


def convolution(
    input: List[int],
    weight: List[int],
    bias: Optional[List[int]],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    transposed: bool,
    output_padding: List[int],
    groups: int,
) -> List[int]:
    """The output shape for a batched input (`torch.nn.functional.conv2d`, ...)."""
    assert len(input) == len(weight), (
        f"input must have {len(weight)} dimensions like weight, got shape {input}"
    )
    return convolution_of_any_batch(
        input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
    )
