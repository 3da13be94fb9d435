"""The convolutions behind `convolution` on a CPU without a faster library.

They take the kernel's sizes beside the weight, and have no groups to be named. Most take a matrix
for a weight, too. Their checks are fewer: negative padding crops the input.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.windows import check_batched_or_not, per_dimension


def slow_convolution_dtype(self: Tuple[int, int], weight: Tuple[int, int]) -> int:
    """Input and weight have one dtype, which the result keeps."""
    assert self[1] == weight[1], f"dtypes must match, got {self[1]} and {weight[1]}"
    return self[1]


def check_bias(bias: Optional[List[int]], channels: int) -> None:
    """Raise unless a bias, where there is one, has an entry for each output channel."""
    if bias is not None:
        assert len(bias) == 1 and bias[0] == channels, (
            f"bias must have {channels} entries, got shape {bias}"
        )


def windows(size: int, kernel: int, stride: int, padding: int, dilation: int) -> int:
    """How many windows there are along one dimension; a negative padding crops."""
    assert kernel > 0, f"kernel_size must be positive, got {kernel}"
    assert stride > 0, f"stride must be positive, got {stride}"
    assert dilation > 0, f"dilation must be positive, got {dilation}"
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def slow_conv(
    self: List[int],
    weight: List[int],
    kernel_size: List[int],
    bias: Optional[List[int]],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    least: int,
) -> List[int]:
    """The batch, if any, the output channels, and at least `least` windows in each dimension."""
    rank = len(kernel_size)
    strides = per_dimension(stride, rank)
    paddings = per_dimension(padding, rank)
    dilations = per_dimension(dilation, rank)
    check_bias(bias, weight[0])
    out = self[: -rank - 1]
    out.append(weight[0])
    for i in range(rank):
        size = windows(self[i - rank], kernel_size[i], strides[i], paddings[i], dilations[i])
        assert size >= least, f"a kernel of {kernel_size} does not fit an input of shape {self}"
        out.append(size)
    return out


def undilated_conv(
    self: List[int],
    weight: List[int],
    kernel_size: List[int],
    bias: Optional[List[int]],
    stride: List[int],
    padding: List[int],
    rank: int,
) -> List[int]:
    """A batch is required; the weight may be a matrix."""
    assert len(kernel_size) == rank, f"kernel_size must have {rank} entries, got {kernel_size}"
    assert len(self) == rank + 2, f"the input must have {rank + 2} dimensions, got shape {self}"
    assert len(weight) == 2 or len(weight) == rank + 2, (
        f"weight must have 2 or {rank + 2} dimensions, got shape {weight}"
    )
    return slow_conv(self, weight, kernel_size, bias, stride, padding, [1], 1)


def conv2d(
    self: List[int],
    weight: List[int],
    kernel_size: List[int],
    bias: Optional[List[int]],
    stride: List[int],
    padding: List[int],
) -> List[int]:
    """A convolution over two spatial dimensions."""
    return undilated_conv(self, weight, kernel_size, bias, stride, padding, 2)


def conv3d(
    self: List[int],
    weight: List[int],
    kernel_size: List[int],
    bias: Optional[List[int]],
    stride: List[int],
    padding: List[int],
) -> List[int]:
    """A convolution over three spatial dimensions."""
    return undilated_conv(self, weight, kernel_size, bias, stride, padding, 3)


def dilated_conv(
    self: List[int],
    weight: List[int],
    kernel_size: List[int],
    bias: Optional[List[int]],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    rank: int,
) -> List[int]:
    """A convolution whose input may lack the batch dimension; there may be no windows."""
    check_batched_or_not(self, rank)
    assert len(weight) == rank + 2, f"weight must have {rank + 2} dimensions, got shape {weight}"
    assert kernel_size == weight[2:], f"kernel_size must be {weight[2:]}, got {kernel_size}"
    assert self[-rank - 1] == weight[1], (
        f"weight {weight} takes {weight[1]} channels, got {self[-rank - 1]}"
    )
    return slow_conv(self, weight, kernel_size, bias, stride, padding, dilation, 0)


def dilated_conv2d(
    self: List[int],
    weight: List[int],
    kernel_size: List[int],
    bias: Optional[List[int]],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
) -> List[int]:
    """A convolution over two spatial dimensions, with gaps in the kernel."""
    return dilated_conv(self, weight, kernel_size, bias, stride, padding, dilation, 2)


def dilated_conv3d(
    self: List[int],
    weight: List[int],
    kernel_size: List[int],
    bias: Optional[List[int]],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
) -> List[int]:
    """A convolution over three spatial dimensions, with gaps in the kernel."""
    return dilated_conv(self, weight, kernel_size, bias, stride, padding, dilation, 3)


def transposed_conv(
    self: List[int],
    weight: List[int],
    kernel_size: List[int],
    bias: Optional[List[int]],
    stride: List[int],
    padding: List[int],
    output_padding: List[int],
    dilation: List[int],
    rank: int,
) -> List[int]:
    """The output channels, and the sizes of which the input's sizes count the windows."""
    assert len(kernel_size) == rank, f"kernel_size must have {rank} entries, got {kernel_size}"
    check_batched_or_not(self, rank)
    assert self[-rank - 1] == weight[0], (
        f"weight {weight} takes {weight[0]} channels, got {self[-rank - 1]}"
    )
    check_bias(bias, weight[1])
    strides = per_dimension(stride, rank)
    paddings = per_dimension(padding, rank)
    dilations = per_dimension(dilation, rank)
    extra = per_dimension(output_padding, rank)
    out = [weight[1]]
    for i in range(rank):
        assert strides[i] > 0, f"stride must be positive, got {stride}"
        extent = dilations[i] * (kernel_size[i] - 1) + extra[i] + 1
        size = (self[i - rank] - 1) * strides[i] - 2 * paddings[i] + extent
        assert size > 0, f"padding {padding} leaves nothing of an input of shape {self}"
        out.append(size)
    return out


def transposed_conv2d(
    self: List[int],
    weight: List[int],
    kernel_size: List[int],
    bias: Optional[List[int]],
    stride: List[int],
    padding: List[int],
    output_padding: List[int],
    dilation: List[int],
) -> List[int]:
    """A transposed convolution over two spatial dimensions; the result always has a batch."""
    assert len(weight) == 2 or len(weight) == 4, (
        f"weight must have 2 or 4 dimensions, got shape {weight}"
    )
    out = transposed_conv(
        self, weight, kernel_size, bias, stride, padding, output_padding, dilation, 2
    )
    batch = self[:-3] if len(self) == 4 else [1]
    return batch + out


def transposed_conv3d(
    self: List[int],
    weight: List[int],
    kernel_size: List[int],
    bias: Optional[List[int]],
    stride: List[int],
    padding: List[int],
    output_padding: List[int],
    dilation: List[int],
) -> List[int]:
    """A transposed convolution over three spatial dimensions."""
    assert len(weight) == 5, f"weight must have 5 dimensions, got shape {weight}"
    out = transposed_conv(
        self, weight, kernel_size, bias, stride, padding, output_padding, dilation, 3
    )
    return self[:-4] + out


# Of all these only `slow_conv_transpose2d` has a meta kernel.
CONV2D_OK = [
    Invocation(T(2, 3, 8, 7), T(4, 3, 3, 2), [3, 2], None, [1, 1], [0, 0], device="cpu"),
    Invocation(T(2, 3, 8, 7), T(4, 18), [3, 2], T(4), [2, 1], [1, 0], device="cpu"),
    Invocation(T(0, 3, 8, 7), T(4, 3, 3, 2), [3, 2], T(4), [2, 1], [1, 0], device="cpu"),
    Invocation(
        T(2, 3, 8, 7, dtype=torch.bfloat16),
        T(4, 3, 3, 2, dtype=torch.bfloat16),
        *([3, 2], None, [1, 1], [0, 0]),
        device="cpu",
    ),
    Invocation(
        T(2, 3, 8, 7, dtype=torch.float64),
        T(4, 3, 3, 2, dtype=torch.float64),
        *([3, 2], None, [1, 1], [0, 0]),
        device="cpu",
    ),
]
CONV2D_ERROR = [
    Invocation(T(3, 8, 7), T(4, 3, 3, 2), [3, 2], None, [1, 1], [0, 0], device="cpu"),
    Invocation(T(2, 3, 8, 7), T(4, 3, 6), [3, 2], None, [1, 1], [0, 0], device="cpu"),
    Invocation(T(2, 3, 8, 7), T(4, 3, 3, 2), [3, 2], T(3), [1, 1], [0, 0], device="cpu"),
    Invocation(T(2, 3, 2, 7), T(4, 3, 3, 2), [3, 2], None, [1, 1], [0, 0], device="cpu"),
    Invocation(T(2, 3, 8, 7), T(4, 3, 3, 2), [3, 2], None, [0, 1], [0, 0], device="cpu"),
]
CONV3D_OK = [
    Invocation(T(2, 3, 4, 5, 6), T(4, 3, 2, 3, 2), [2, 3, 2], T(4), [2] * 3, [1] * 3, device="cpu"),
    Invocation(T(0, 3, 4, 5, 6), T(4, 3, 2, 3, 2), [2, 3, 2], None, [2] * 3, [1] * 3, device="cpu"),
    # Fewer input channels in the weight make groups.
    Invocation(T(2, 3, 4, 5, 6), T(6, 1, 2, 3, 2), [2, 3, 2], T(6), [1] * 3, [0] * 3, device="cpu"),
    Invocation(T(2, 3, 4, 5, 6), T(4, 3), [1, 1, 1], T(4), [1] * 3, [0] * 3, device="cpu"),
    Invocation(
        T(2, 3, 4, 5, 6, dtype=torch.float64),
        T(4, 3, 2, 3, 2, dtype=torch.float64),
        *([2, 3, 2], None, [1, 1, 1], [0, 0, 0]),
        device="cpu",
    ),
]
CONV3D_ERROR = [
    Invocation(T(3, 4, 5, 6), T(4, 3, 2, 3, 2), [2, 3, 2], None, [1] * 3, [0] * 3, device="cpu"),
    Invocation(T(2, 3, 4, 5, 6), T(4, 3, 2, 3, 2), [2, 3, 2], T(3), [1] * 3, [0] * 3, device="cpu"),
    Invocation(T(2, 3, 1, 5, 6), T(4, 3, 2, 3, 2), [2, 3, 2], T(4), [1] * 3, [0] * 3, device="cpu"),
]

shape_family(
    conv2d,
    "aten::thnn_conv2d",
    "aten::_slow_conv2d_forward",
    ok=CONV2D_OK,
    error=CONV2D_ERROR,
)
shape_family(
    conv3d,
    "aten::slow_conv3d",
    "aten::slow_conv3d_forward",
    ok=CONV3D_OK,
    error=CONV3D_ERROR,
)
shape_family(
    dilated_conv2d,
    "aten::slow_conv_dilated2d",
    ok=[
        Invocation(T(2, 3, 8, 7), T(4, 3, 3, 2), [3, 2], device="cpu"),
        Invocation(T(3, 8, 7), T(4, 3, 3, 2), [3, 2], T(4), [2, 1], [1, 0], [1, 3], device="cpu"),
        Invocation(T(0, 3, 8, 7), T(4, 3, 3, 2), [3, 2], device="cpu"),
        Invocation(T(2, 3, 2, 7), T(4, 3, 3, 2), [3, 2], device="cpu"),
        Invocation(
            T(2, 3, 8, 7, dtype=torch.bfloat16),
            *(T(4, 3, 3, 2, dtype=torch.bfloat16), [3, 2]),
            device="cpu",
        ),
    ],
    error=[
        Invocation(T(8, 7), T(4, 3, 3, 2), [3, 2], device="cpu"),
        Invocation(T(2, 3, 8, 7), T(4, 18), [3, 2], device="cpu"),
        Invocation(T(2, 2, 8, 7), T(4, 3, 3, 2), [3, 2], device="cpu"),
        Invocation(T(2, 3, 8, 7), T(4, 3, 3, 2), [3, 2], T(3), device="cpu"),
        Invocation(T(2, 3, 8, 7), T(4, 3, 3, 2), [2, 3], device="cpu"),
        Invocation(T(2, 3, 1, 7), T(4, 3, 3, 2), [3, 2], device="cpu"),
    ],
)
shape_family(
    dilated_conv3d,
    "aten::slow_conv_dilated3d",
    ok=[
        Invocation(T(2, 3, 4, 5, 6), T(4, 3, 2, 3, 2), [2, 3, 2], device="cpu"),
        Invocation(
            T(3, 4, 5, 6),
            *(T(4, 3, 2, 3, 2), [2, 3, 2], T(4), [1, 2, 1], [0, 1, 0], [1, 1, 2]),
            device="cpu",
        ),
        Invocation(
            T(2, 3, 4, 5, 6, dtype=torch.float64),
            *(T(4, 3, 2, 3, 2, dtype=torch.float64), [2, 3, 2]),
            device="cpu",
        ),
    ],
    error=[Invocation(T(4, 5, 6), T(4, 3, 2, 3, 2), [2, 3, 2], device="cpu")],
)
shape_family(
    transposed_conv2d,
    "aten::slow_conv_transpose2d",
    ok=[
        Invocation(T(2, 3, 8, 7), T(3, 4, 3, 2), [3, 2]),
        Invocation(T(3, 8, 7), T(3, 4, 3, 2), [3, 2], T(4), [2, 3], [1, 0], [1, 2], [1, 2]),
        Invocation(T(2, 3, 8, 7), T(3, 24), [3, 2], T(24)),
        Invocation(
            T(2, 3, 8, 7, dtype=torch.bfloat16), T(3, 4, 3, 2, dtype=torch.bfloat16), [3, 2]
        ),
    ],
    error=[
        Invocation(T(8, 7), T(3, 4, 3, 2), [3, 2]),
        Invocation(T(2, 3, 8, 7), T(3, 4, 6), [3, 2]),
        Invocation(T(2, 2, 8, 7), T(3, 4, 3, 2), [3, 2]),
        Invocation(T(2, 3, 1, 7), T(3, 4, 3, 2), [3, 2], None, [1, 1], [2, 0]),
        Invocation(T(2, 3, 8, 7), T(3, 4, 3, 2), [3, 2], T(3)),
        Invocation(T(2, 3, 8, 7), T(3, 4, 3, 2), [3, 2], None, [0, 1]),
    ],
)
shape_family(
    transposed_conv3d,
    "aten::slow_conv_transpose3d",
    ok=[
        Invocation(T(2, 3, 4, 5, 6), T(3, 4, 2, 3, 2), [2, 3, 2], device="cpu"),
        Invocation(
            T(3, 4, 5, 6),
            *(T(3, 4, 2, 3, 2), [2, 3, 2], T(4), [1, 2, 1], [0, 1, 0], [0, 1, 0], [1, 1, 2]),
            device="cpu",
        ),
        Invocation(
            T(2, 3, 4, 5, 6, dtype=torch.float64),
            *(T(3, 4, 2, 3, 2, dtype=torch.float64), [2, 3, 2]),
            device="cpu",
        ),
    ],
    error=[
        Invocation(T(4, 5, 6), T(3, 4, 2, 3, 2), [2, 3, 2], device="cpu"),
        Invocation(T(2, 2, 4, 5, 6), T(3, 4, 2, 3, 2), [2, 3, 2], device="cpu"),
        Invocation(T(2, 3, 4, 5, 6), T(3, 48), [2, 3, 2], device="cpu"),
    ],
)
MIXED_2D = [
    Invocation(
        T(2, 3, 8, 7),
        T(4, 3, 3, 2, dtype=torch.float64),
        [3, 2],
        None,
        [1, 1],
        [0, 0],
        device="cpu",
    )
]
dtype_family(
    slow_convolution_dtype, "aten::thnn_conv2d", "aten::_slow_conv2d_forward", error=MIXED_2D
)
dtype_family(
    slow_convolution_dtype,
    "aten::slow_conv_transpose2d",
    error=[Invocation(T(2, 3, 8, 7), T(3, 4, 3, 2, dtype=torch.float64), [3, 2], device="cpu")],
)
dtype_family(
    slow_convolution_dtype,
    "aten::slow_conv_transpose3d",
    error=[
        Invocation(T(2, 3, 4, 5, 6), T(3, 4, 2, 3, 2, dtype=torch.float64), [2, 3, 2], device="cpu")
    ],
)
# Where there is nothing to multiply these do not compare dtypes.
dtype_family(
    dtype_of_self,
    "aten::slow_conv3d",
    "aten::slow_conv3d_forward",
    "aten::slow_conv_dilated2d",
    "aten::slow_conv_dilated3d",
)
