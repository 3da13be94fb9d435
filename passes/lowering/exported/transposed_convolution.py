"""Transposed convolutions as convolutions.

A transposed convolution of stride s scatters each input element to outputs that are s apart. The
wheel's conversion inserts s - 1 zeros between the elements, and multiplies most weights by these.
Here, the outputs whose index has the same remainder by s are an ordinary convolution of the input,
with every s-th weight; they are computed per remainder, and interleaved.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

aten = torch.ops.aten
_TO_THE_END = 2**63 - 1


def convolution(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    transposed: bool,
    output_padding: Sequence[int],
    groups: int,
) -> Any:
    """The decomposition of `aten::convolution`; others than transposed ones are kept.

    `input` is (batch, channels, sizes), `weight` (channels, results / groups, sizes of the window).
    """
    rank = input.dim() - 2
    strides, paddings, dilations, more = (
        list(each) * rank if len(each) == 1 else list(each)
        for each in (stride, padding, dilation, output_padding)
    )
    if transposed and any(
        len(each) != rank for each in (stride, padding, dilation, output_padding)
    ):
        # The wheel's conversion requires an element per dimension; scalars are expanded.
        return aten.convolution.default(
            input, weight, bias, strides, paddings, dilations, transposed, more, groups
        )
    sizes = [*input.shape, *weight.shape]
    is_empty = any(isinstance(size, int) and size == 0 for size in sizes)
    is_steady = all(isinstance(size, int) for size in weight.shape)
    if not transposed or is_empty or not is_steady or not input.is_floating_point():
        return NotImplemented
    # The input is padded with zeros here, which non-finite weights would turn into NaN.
    message = "the weights of a transposed convolution are not finite"
    aten._assert_async.msg(torch.all(torch.isfinite(weight)), message)
    axes = [
        _Axis(
            input.shape[2 + dim],
            weight.shape[2 + dim],
            strides[dim],
            paddings[dim],
            dilations[dim],
            more[dim],
        )
        for dim in range(rank)
    ]
    turned = _flipped_weights(weight, groups)
    parts = {
        rests: _part(input, turned, bias, axes, rests, groups)
        for rests in itertools.product(*(range(axis.stride) for axis in axes))
    }
    result = _interleaved(parts, axes, ())
    for dim, axis in enumerate(axes):
        if axis.surplus:
            result = aten.slice.Tensor(result, 2 + dim, 0, axis.count)
    return result


@dataclass(frozen=True)
class _Axis:
    """A dimension of a transposed convolution; output i + stride * j is the j-th of remainder i."""

    size: Any
    window: int
    stride: int
    padding: int
    dilation: int
    more: int

    @property
    def count(self) -> Any:
        """The number of outputs."""
        return (self.size - 1) * self.stride + self.reach

    @property
    def reach(self) -> int:
        """The number of outputs of a single input."""
        return self.dilation * (self.window - 1) + 1 - 2 * self.padding + self.more

    @property
    def surplus_per_remainder(self) -> int:
        """The number of outputs per remainder less that of inputs; may be negative."""
        return -(-self.reach // self.stride) - 1

    @property
    def per_remainder(self) -> Any:
        """The number of outputs per remainder, before cropping."""
        return self.size + self.surplus_per_remainder

    @property
    def surplus(self) -> int:
        """The number of outputs to crop."""
        return (self.surplus_per_remainder + 1) * self.stride - self.reach

    @property
    def step(self) -> int:
        """The distance of the inputs that an output depends on."""
        return self.dilation // math.gcd(self.stride, self.dilation)

    def weights(self, remainder: int) -> list[int]:
        """The weights for the outputs of a remainder, that of the first input first."""
        return [
            place
            for place in reversed(range(self.window))
            if (remainder + self.padding - place * self.dilation) % self.stride == 0
        ]

    def first(self, remainder: int) -> int:
        """The input that the first weight of the first output of a remainder is multiplied by."""
        place = self.weights(remainder)[0]
        return (remainder + self.padding - place * self.dilation) // self.stride


def _flipped_weights(weight: torch.Tensor, groups: int) -> torch.Tensor:
    """The weights with output channels first, and flipped, as in an ordinary convolution."""
    channels, results, *window = weight.shape
    if groups == 1:
        return weight.transpose(0, 1)
    apart = weight.reshape(groups, channels // groups, results, *window).transpose(1, 2)
    return apart.reshape(groups * results, channels // groups, *window)


def _part(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    axes: Sequence[_Axis],
    rests: Sequence[int],
    groups: int,
) -> Any:
    """The outputs with given remainders."""
    chosen = [axis.weights(remainder) for axis, remainder in zip(axes, rests, strict=True)]
    if not all(chosen):
        sizes = [input.shape[0], weight.shape[0], *(axis.per_remainder for axis in axes)]
        nothing = aten.full.default(sizes, 0.0, dtype=input.dtype, device=input.device)
        if bias is None:
            return nothing
        return nothing + bias.reshape(1, -1, *([1] * len(axes)))
    around: list[int] = []
    for dim, (axis, remainder, places) in enumerate(zip(axes, rests, chosen, strict=True)):
        apart = places[0] - places[1] if len(places) > 1 else 1
        weight = aten.slice.Tensor(weight, 2 + dim, places[-1], places[0] + 1, apart)
        weight = aten.flip.default(weight, [2 + dim])
        first = axis.first(remainder)
        around = [
            -first,
            axis.surplus_per_remainder + first + (len(places) - 1) * axis.step,
            *around,
        ]
    steps = [axis.step for axis in axes]
    ones, zeros = [1] * len(axes), [0] * len(axes)
    padded = _padded(input, around)
    return aten.convolution.default(padded, weight, bias, ones, zeros, steps, False, zeros, groups)


def _padded(input: torch.Tensor, around: list[int]) -> torch.Tensor:
    """Pad each dimension with zeros, or crop it where negative; the last dimension comes first.

    Cropping may exceed the size before padding, so the input is padded first.
    """
    padded = input
    if max(around) > 0:
        padded = aten.constant_pad_nd.default(input, [max(each, 0) for each in around], 0.0)
    for place in range(len(around) // 2):
        before, after = (min(each, 0) for each in around[2 * place : 2 * place + 2])
        if before or after:
            end = after or _TO_THE_END
            padded = aten.slice.Tensor(padded, input.dim() - 1 - place, -before, end)
    return padded


def _interleaved(
    parts: dict[tuple[int, ...], torch.Tensor], axes: Sequence[_Axis], rests: tuple[int, ...]
) -> Any:
    """Interleave the outputs of all remainders."""
    dim = len(rests)
    if dim == len(axes):
        return parts[rests]
    stride = axes[dim].stride
    given = [_interleaved(parts, axes, (*rests, remainder)) for remainder in range(stride)]
    if stride == 1:
        return given[0]
    sizes = list(given[0].shape)
    sizes[2 + dim] = axes[dim].per_remainder * stride
    result = aten.empty.memory_format(sizes, dtype=given[0].dtype, device=given[0].device)
    for remainder, each in enumerate(given):
        result = aten.slice_scatter.default(result, each, 2 + dim, remainder, _TO_THE_END, stride)
    return result
