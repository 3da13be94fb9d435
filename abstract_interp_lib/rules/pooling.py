"""The shape rules shared by all pooling operators."""

from typing import List

from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.windows import check_batched_or_not, per_dimension


def pooled_size(
    size: int, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool
) -> int:
    """The output size of a pool along one dimension (`torch.nn.MaxPool2d`)."""
    assert kernel > 0, f"kernel_size must be positive, got {kernel}"
    assert stride > 0, f"stride must be positive, got {stride}"
    assert dilation > 0, f"dilation must be positive, got {dilation}"
    assert padding >= 0 and 2 * padding <= kernel, (
        f"padding must be between 0 and half of kernel_size {kernel}, got {padding}"
    )
    extent = dilation * (kernel - 1) + 1
    room = size + 2 * padding - extent
    if ceil_mode:
        # With ceil_mode a window may exceed the bounds, but must not start in the right padding.
        out = min((room + stride - 1) // stride, (size + padding - 1) // stride) + 1
    else:
        out = room // stride + 1
    assert out > 0, f"effective kernel size {extent} is too large for an input size of {size}"
    return out


def pooled(
    self: List[int],
    rank: int,
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
) -> List[int]:
    """Pool the last `rank` dimensions; the stride defaults to the kernel size."""
    check_batched_or_not(self, rank)
    assert 0 not in self[-rank - 1 :], f"only the batch dimension may have size 0, got shape {self}"
    kernels = per_dimension(kernel_size, rank)
    strides = per_dimension(stride if len(stride) > 0 else kernel_size, rank)
    paddings = per_dimension(padding, rank)
    dilations = per_dimension(dilation, rank)
    sizes = self[-rank:]
    out = self[:-rank]
    for i in range(rank):
        out.append(
            pooled_size(sizes[i], kernels[i], strides[i], paddings[i], dilations[i], ceil_mode)
        )
    return out


def resized(self: List[int], rank: int, output_size: List[int]) -> List[int]:
    """The last `rank` dimensions get the sizes of `output_size`."""
    assert len(self) >= rank, f"the input must have at least {rank} dimensions, got shape {self}"
    assert len(output_size) == rank, f"output_size must have {rank} entries, got {output_size}"
    for size in output_size:
        assert size >= 0, f"output_size must not be negative, got {output_size}"
    return self[:-rank] + output_size


def unpooled(self: List[int], indices: List[int], rank: int, output_size: List[int]) -> List[int]:
    """The last `rank` dimensions become `output_size`; indices have the shape of `self`."""
    check_batched_or_not(self, rank)
    check_same(indices, self, "indices")
    return resized(self, rank, output_size)
