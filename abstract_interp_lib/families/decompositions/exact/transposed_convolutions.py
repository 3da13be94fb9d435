"""Transposed convolutions as convolutions.

A transposed convolution of stride s scatters each input element to outputs that are s apart. The
wheel's conversion inserts s - 1 zeros between the elements, and multiplies most weights by these.
Here, the outputs whose index has the same remainder by s are an ordinary convolution of the input,
with every s-th weight; they are computed per remainder, and interleaved.
"""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import has_bytes, in_dtype, repeated
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def greatest_divisor(left: int, right: int) -> int:
    """The greatest common divisor."""
    while right != 0:
        left, right = right, left % right
    return left


def places_of(remainder: int, window: int, stride: int, padding: int, dilation: int) -> List[int]:
    """The weights for the outputs of a remainder, that of the first input first."""
    places: List[int] = []
    for index in range(window):
        place = window - 1 - index
        if (remainder + padding - place * dilation) % stride == 0:
            places.append(place)
    return places


def surplus_of(window: int, stride: int, padding: int, dilation: int, more: int) -> int:
    """The number of outputs per remainder less that of inputs; may be negative."""
    reach = dilation * (window - 1) + 1 - 2 * padding + more
    return (reach + stride - 1) // stride - 1


def flipped_weights(weight: torch.Tensor, groups: int) -> torch.Tensor:
    """The weights with output channels first, as in an ordinary convolution."""
    if groups == 1:
        return torch.transpose(weight, 0, 1)
    apart: List[int] = [groups, weight.size(0) // groups]
    together: List[int] = [groups * weight.size(1), weight.size(0) // groups]
    for dim in range(1, weight.dim()):
        apart.append(weight.size(dim))
    for dim in range(2, weight.dim()):
        together.append(weight.size(dim))
    return torch.reshape(torch.transpose(torch.reshape(weight, apart), 1, 2), together)


def padded(input: torch.Tensor, before: List[int], after: List[int]) -> torch.Tensor:
    """Each dimension behind the channels padded with zeros, or cropped where negative.

    Cropping may exceed the size before padding, so the input is padded first.
    """
    around: List[int] = []
    is_larger = False
    for index in range(len(before)):
        dim = len(before) - 1 - index
        around.append(max(before[dim], 0))
        around.append(max(after[dim], 0))
        is_larger = is_larger or before[dim] > 0 or after[dim] > 0
    found = torch.constant_pad_nd(input, around, 0.0) if is_larger else input
    for dim in range(len(before)):
        if before[dim] < 0 or after[dim] < 0:
            start, end = -min(before[dim], 0), found.size(2 + dim) + min(after[dim], 0)
            found = torch.ops.aten.slice(found, 2 + dim, start, end, 1)
    return found


def by_planes(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    groups: int,
) -> torch.Tensor:
    """A convolution of volumes as the sum of those of their planes, one for each of the window.

    The terms of 16-bit floats are not rounded.
    """
    dtype = input.dtype
    if dtype == torch.float16 or dtype == torch.bfloat16:
        input, weight = in_dtype(input, torch.float32), in_dtype(weight, torch.float32)
        bias = None if bias is None else in_dtype(bias, torch.float32)
    volumes = torch.transpose(
        torch.constant_pad_nd(input, [0, 0, 0, 0, padding[0], padding[0]], 0.0), 1, 2
    )
    window = weight.size(2)
    count = (volumes.size(1) - dilation[0] * (window - 1) - 1) // stride[0] + 1
    sizes: List[int] = [input.size(0) * count, input.size(1), input.size(3), input.size(4)]
    found = torch.zeros([1], dtype=input.dtype)
    for place in range(window):
        start = place * dilation[0]
        end = start + (count - 1) * stride[0] + 1
        planes = torch.ops.aten.slice(volumes, 1, start, end, stride[0])
        part = torch.convolution(
            torch.reshape(planes, sizes),
            torch.select(weight, 2, place),
            bias if place == 0 else None,
            stride[1:],
            padding[1:],
            dilation[1:],
            False,
            [0, 0],
            groups,
        )
        found = part if place == 0 else torch.add(found, part)
    apart: List[int] = [input.size(0), count, found.size(1), found.size(2), found.size(3)]
    return in_dtype(torch.transpose(torch.reshape(found, apart), 1, 2), dtype)


def outputs_of(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    windows: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    more: List[int],
    rests: List[int],
    groups: int,
) -> torch.Tensor:
    """The outputs with given remainders."""
    before: List[int] = []
    after: List[int] = []
    steps: List[int] = []
    ones: List[int] = []
    zeros: List[int] = []
    sizes: List[int] = [input.size(0), weight.size(0)]
    channels: List[int] = [1, weight.size(0)]
    turned: List[int] = []
    has_all = True
    for dim in range(len(rests)):
        rest = rests[dim]
        places = places_of(rest, windows[dim], stride[dim], padding[dim], dilation[dim])
        surplus = surplus_of(windows[dim], stride[dim], padding[dim], dilation[dim], more[dim])
        step = dilation[dim] // greatest_divisor(stride[dim], dilation[dim])
        steps.append(step)
        ones.append(1)
        zeros.append(0)
        channels.append(1)
        sizes.append(input.size(2 + dim) + surplus)
        if len(places) == 0:
            has_all = False
        else:
            apart = places[0] - places[1] if len(places) > 1 else 1
            start, end = places[len(places) - 1], places[0] + 1
            weight = torch.ops.aten.slice(weight, 2 + dim, start, end, apart)
            if len(places) > 1:
                turned.append(2 + dim)
            # The input that the first weight of the first output is multiplied by.
            first = (rest + padding[dim] - places[0] * dilation[dim]) // stride[dim]
            before.append(-first)
            after.append(surplus + first + (len(places) - 1) * step)
    if not has_all:
        nothing = torch.zeros(sizes, dtype=input.dtype)
        return nothing if bias is None else torch.add(nothing, torch.reshape(bias, channels))
    if len(turned) > 0:
        # At once: each `flip` is a pass over the weights.
        weight = torch.flip(weight, turned)
    around = padded(input, before, after)
    if len(rests) == 3 and groups > 1:
        # A convolution that its own decomposition makes is not decomposed again.
        return by_planes(around, weight, bias, ones, zeros, steps, groups)
    return torch.convolution(around, weight, bias, ones, zeros, steps, False, zeros, groups)


def interleaved(parts: List[torch.Tensor], dim: int, stride: int) -> List[torch.Tensor]:
    """Interleave the outputs of each `stride` consecutive parts along a dimension."""
    if stride == 1:
        return parts
    found: List[torch.Tensor] = []
    for index in range(len(parts) // stride):
        sizes: List[int] = []
        for place in range(parts[0].dim()):
            sizes.append(parts[0].size(place))
        sizes[dim] = sizes[dim] * stride
        whole = torch.empty(sizes, dtype=parts[0].dtype)
        for rest in range(stride):
            part = parts[index * stride + rest]
            whole = torch.slice_scatter(whole, part, dim, rest, 9223372036854775807, stride)
        found.append(whole)
    return found


def remainders(number: int, stride: List[int]) -> List[int]:
    """The remainders of a part, of which the last one changes first."""
    found: List[int] = []
    for _ in stride:
        found.append(0)
    for index in range(len(stride)):
        dim = len(stride) - 1 - index
        found[dim] = number % stride[dim]
        number = number // stride[dim]
    return found


def by_remainders(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    more: List[int],
    groups: int,
) -> torch.Tensor:
    """A transposed convolution by ordinary ones."""
    windows: List[int] = []
    count = 1
    for dim in range(len(stride)):
        windows.append(weight.size(2 + dim))
        count *= stride[dim]
    # The input is padded with zeros here, which non-finite weights would turn into NaN.
    is_finite = torch.all(torch.lt(torch.abs(weight), float("inf")))
    said = "the weights of a transposed convolution are not finite"
    weight = torch.ops.aten._functional_assert_async(is_finite, said, weight)
    turned = flipped_weights(weight, groups)
    parts: List[torch.Tensor] = []
    for number in range(count):
        rests = remainders(number, stride)
        parts.append(
            outputs_of(input, turned, bias, windows, stride, padding, dilation, more, rests, groups)
        )
    for index in range(len(stride)):
        dim = len(stride) - 1 - index
        parts = interleaved(parts, 2 + dim, stride[dim])
    found = parts[0]
    for dim in range(len(stride)):
        reach = dilation[dim] * (windows[dim] - 1) + 1 - 2 * padding[dim] + more[dim]
        most = surplus_of(windows[dim], stride[dim], padding[dim], dilation[dim], more[dim]) + 1
        if most * stride[dim] > reach:
            end = (input.size(2 + dim) - 1) * stride[dim] + reach
            found = torch.ops.aten.slice(found, 2 + dim, 0, end, 1)
    return found


def by_products(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    groups: int,
) -> torch.Tensor:
    """A convolution of any number of groups, as a product of matrices for each of them."""
    rank = len(stride)
    around: List[int] = []
    sizes: List[int] = [input.size(0), weight.size(0)]
    count, length = 1, 1
    for index in range(rank):
        each = padding[rank - 1 - index]
        around.append(each)
        around.append(each)
    wide = torch.constant_pad_nd(input, around)
    for dim in range(rank):
        reach = dilation[dim] * (weight.size(2 + dim) - 1) + 1
        size = (wide.size(2 + dim) - reach) // stride[dim] + 1
        sizes.append(size)
        count *= weight.size(2 + dim)
        length *= size
    parts: List[torch.Tensor] = []
    for number in range(count):
        part, rest = wide, number
        for index in range(rank):
            dim = rank - 1 - index
            start = rest % weight.size(2 + dim) * dilation[dim]
            end = start + (sizes[2 + dim] - 1) * stride[dim] + 1
            rest = rest // weight.size(2 + dim)
            part = torch.ops.aten.slice(part, 2 + dim, start, end, stride[dim])
        parts.append(torch.reshape(part, [input.size(0), input.size(1), length]))
    terms = weight.size(1) * count
    columns = torch.reshape(torch.stack(parts, 2), [input.size(0), groups, terms, length])
    rows = torch.reshape(weight, [groups, weight.size(0) // groups, terms])
    found = torch.reshape(torch.matmul(rows, columns), sizes)
    if bias is not None:
        channels: List[int] = [1, weight.size(0)]
        for _ in stride:
            channels.append(1)
        found = torch.add(found, torch.reshape(bias, channels))
    return found


def has_windows(weight: torch.Tensor) -> bool:
    """Whether the sizes of the windows are known, and not zero."""
    found = True
    for dim in range(2, weight.dim()):
        found = found and is_known(weight.size(dim))
        if is_known(weight.size(dim)):
            found = found and weight.size(dim) > 0
    return found


def is_static(input: torch.Tensor, weight: torch.Tensor) -> bool:
    """Whether windows are known, and nothing is known to be empty."""
    found = True
    for dim in range(weight.dim()):
        found = found and is_known(weight.size(dim))
        if is_known(weight.size(dim)):
            found = found and weight.size(dim) > 0
        if is_known(input.size(dim)):
            found = found and input.size(dim) > 0
    return found


_IMAGE, _WINDOWS = T(2, 4, 3, 5), T(4, 2, 3, 2)


@decomposition(
    "aten::convolution",
    ok=[
        Invocation(_IMAGE, _WINDOWS, T(2), [2, 3], [1, 0], [1, 1], True, [1, 0], 1),
        Invocation(_IMAGE, _WINDOWS, T(4), [2], [1], [2], True, [0], 2),
        Invocation(_IMAGE, _WINDOWS, None, [1, 4], [0, 2], [3, 1], True, [0, 3], 1),
        Invocation(T(2, 4, 5), T(4, 2, 1), None, [3], [0], [1], True, [0], 1),
        Invocation(T(2, 2, 3, 2, 3), T(2, 2, 3, 2, 1), T(2), [2], [1], [1], True, [1], 1),
        Invocation(T(2, 2, 3, 2, 3), T(2, 1, 3, 2, 1), T(2), [2], [1], [1], True, [1], 2),
        Invocation(T(0, 4, 5), T(4, 2, 3), None, [3], [0], [1], True, [0], 1),
        Invocation(_IMAGE, T(2, 4, 3, 2), None, [1, 1], [1, 0], [2], False, [0, 0], 1),
        Invocation(T(2, 4, 7), T(6, 2, 3), T(6), [2], [1], [2], False, [0], 2),
        Invocation(
            *(T(2, 4, 5, 4, 6), T(6, 2, 3, 2, 3), T(6)),
            *([2, 1, 2], [1, 0, 2], [2, 1, 1], False, [0, 0, 0], 2),
        ),
        Invocation(
            T(2, 3, 7, dtype=torch.int8),
            T(2, 3, 2, dtype=torch.int8),
            T(2, dtype=torch.int8),
            [1],
            [0],
            [1],
            False,
            [0],
            1,
        ),
    ],
)
def convolution(
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
    """Those along one dimension are computed as images of height 1, for which there are schedules;
    of bytes, in 32 bits, with the same wrap-around; a list of one element is written out. Those of
    volumes in groups are sums of convolutions of images, those of a number of groups that only a
    call tells are products of matrices.

    `input` is (batch, channels, sizes), `weight` (results, channels / groups, sizes of the window),
    or, transposed, (channels, results / groups, sizes of the window).
    """
    rank = input.dim() - 2
    shortest = min(min(len(stride), len(padding)), min(len(dilation), len(output_padding)))
    is_real = not is_integral(input.dtype) and not is_complex(input.dtype)
    is_parted = transposed and is_real and is_static(input, weight)
    # Upstream's convolutions have a constant number of groups.
    has_any_groups = not is_known(groups) and not transposed and is_real and has_windows(weight)
    has_planes = False
    if not has_any_groups:
        has_planes = rank == 3 and groups > 1 and not transposed and is_real
        has_planes = has_planes and is_known(weight.size(2))
    is_other = is_parted or has_planes or shortest < rank or rank == 1 or has_bytes(input)
    is_other = is_other or has_any_groups
    said = "concerns only some transposed convolutions, rows, groups of volumes, bytes, short lists"
    assert is_other, said
    steps, around = repeated(stride, rank), repeated(padding, rank)
    apart, more = repeated(dilation, rank), repeated(output_padding, rank)
    dtype = torch.int32 if has_bytes(input) else input.dtype
    image, windows = in_dtype(input, dtype), in_dtype(weight, dtype)
    added = bias
    if bias is not None:
        added = in_dtype(bias, dtype)
    if rank == 1:
        image, windows = torch.unsqueeze(image, 2), torch.unsqueeze(windows, 2)
        steps, around, apart, more = [1, steps[0]], [0, around[0]], [1, apart[0]], [0, more[0]]
    if is_parted:
        found = by_remainders(image, windows, added, steps, around, apart, more, groups)
    elif has_any_groups:
        found = by_products(image, windows, added, steps, around, apart, groups)
    elif has_planes:
        found = by_planes(image, windows, added, steps, around, apart, groups)
    else:
        found = torch.convolution(
            image, windows, added, steps, around, apart, transposed, more, groups
        )
    return in_dtype(torch.squeeze(found, 2) if rank == 1 else found, input.dtype)
