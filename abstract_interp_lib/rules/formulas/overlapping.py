"""Sums of windows that overlap, by additions of slices."""

import torch
from torch_refine.abstract_interp_lib.rules.decomposing import computation_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def summation_dtype(dtype: int) -> int:
    """The dtype of sums, which are rounded once; integers wrap around in their own."""
    return dtype if is_integral(dtype) or is_complex(dtype) else computation_dtype(dtype)


def may_overlap(length: int, dilation: int, stride: int) -> bool:
    """Whether windows of a length are added by a known and moderate number of slices."""
    if not is_known(length) or not is_known(dilation) or not is_known(stride):
        return False
    return length <= 64 or (dilation == 1 and length <= 64 * stride)


def added_slice(total: torch.Tensor, part: torch.Tensor, start: int, step: int) -> torch.Tensor:
    """A tensor with another one added to its elements from some index of dimension 2."""
    end = start + (part.size(2) - 1) * step + 1
    before = torch.ops.aten.slice(total, 2, start, end, step)
    return torch.ops.aten.slice_scatter(total, torch.add(before, part), 2, start, end, step)


def overlapped(
    windows: torch.Tensor, size: int, dilation: int, padding: int, stride: int
) -> torch.Tensor:
    """The sums of windows of a dimension of some size, behind dimensions of any others.

    `windows` has the elements of a window in dimension 1, the windows in dimension 3, and the same
    other dimensions as the result, which is [_, _, size, _]. A window begins `stride` elements
    behind the previous one, and has every `dilation`-th element.
    """
    before, length, rows, count, after = windows.size()
    padded = size + 2 * padding
    if dilation > 1 or stride == 1:
        total = torch.zeros([before, rows, padded, after], dtype=windows.dtype)
        for index in range(length):
            part = torch.select(windows, 1, index)
            total = added_slice(total, part, index * dilation, stride)
        return torch.ops.aten.slice(total, 2, padding, padding + size, 1)
    # A window is blocks of as many elements as there are between windows.
    blocks = (length + stride - 1) // stride
    windows = torch.permute(windows, [0, 2, 3, 1, 4])
    windows = torch.constant_pad_nd(windows, [0, 0, 0, blocks * stride - length], 0)
    windows = torch.reshape(windows, [before, rows, count, blocks, stride * after])
    total = torch.zeros(
        [before, rows, (padded + stride - 1) // stride, stride * after], dtype=windows.dtype
    )
    for index in range(blocks):
        total = added_slice(total, torch.select(windows, 3, index), index, 1)
    total = torch.reshape(total, [before, rows, total.size(2) * stride, after])
    return torch.ops.aten.slice(total, 2, padding, padding + size, 1)
