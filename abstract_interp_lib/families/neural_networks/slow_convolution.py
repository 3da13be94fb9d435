"""The CPU fallback kernels of `convolution`, and im2col.

They take the kernel size beside the weight, and infer groups. Most also accept a 2-D weight. They
check less: negative padding crops the input.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.rules.convolution import convolved_size
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.factories import given_size
from torch_refine.abstract_interp_lib.rules.sizes import append_size
from torch_refine.abstract_interp_lib.rules.windows import check_batched_or_not, per_dimension


def slow_convolution_dtype(self: Tuple[int, int], weight: Tuple[int, int]) -> int:
    """Input and weight have the same dtype, which the result keeps."""
    assert self[1] == weight[1], f"dtypes must match, got {self[1]} and {weight[1]}"
    return self[1]


def check_bias(bias: Optional[List[int]], channels: int) -> None:
    """Raise unless a bias, if given, has one element per output channel."""
    if bias is not None:
        assert len(bias) == 1 and bias[0] == channels, (
            f"bias must have {channels} elements, got shape {bias}"
        )


def windows(size: int, kernel: int, stride: int, padding: int, dilation: int) -> int:
    """The output size along one dimension; negative padding crops."""
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
    """The batch, if any, the output channels, and at least `least` windows per dimension."""
    rank = len(kernel_size)
    strides = per_dimension(stride, rank)
    paddings = per_dimension(padding, rank)
    dilations = per_dimension(dilation, rank)
    check_bias(bias, weight[0])
    out = self[: -rank - 1]
    out.append(weight[0])
    for i in range(rank):
        size = windows(self[i - rank], kernel_size[i], strides[i], paddings[i], dilations[i])
        assert size >= least, f"kernel_size {kernel_size} is too large for an input of shape {self}"
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
    """A batch dimension is required; the weight may be 2-D."""
    assert len(kernel_size) == rank, f"kernel_size must have {rank} entries, got {kernel_size}"
    assert len(self) == rank + 2, f"the input must have {rank + 2} dimensions, got shape {self}"
    assert len(weight) == 2 or len(weight) == rank + 2, (
        f"weight must have 2 or {rank + 2} dimensions, got shape {weight}"
    )
    return slow_conv(self, weight, kernel_size, bias, stride, padding, [1], 1)


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
    """The input may be unbatched; the output may be empty."""
    check_batched_or_not(self, rank)
    assert len(weight) == rank + 2, f"weight must have {rank + 2} dimensions, got shape {weight}"
    assert kernel_size == weight[2:], f"kernel_size must be {weight[2:]}, got {kernel_size}"
    assert self[-rank - 1] == weight[1], (
        f"weight {weight} expects {weight[1]} input channels, got {self[-rank - 1]}"
    )
    return slow_conv(self, weight, kernel_size, bias, stride, padding, dilation, 0)


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
    """The output channels and output sizes of a transposed convolution."""
    assert len(kernel_size) == rank, f"kernel_size must have {rank} entries, got {kernel_size}"
    check_batched_or_not(self, rank)
    assert self[-rank - 1] == weight[0], (
        f"weight {weight} expects {weight[0]} input channels, got {self[-rank - 1]}"
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
        assert size > 0, f"padding {padding} is too large for an input of shape {self}"
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
    """A transposed convolution over two spatial dimensions; the result is always batched."""
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


# Of these only `slow_conv_transpose2d` has a meta kernel.
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
    Invocation(T(2, 3, 8, 7), T(4, 3, 3, 2), [3, 2, 1], None, [1, 1], [0, 0], device="cpu"),
]
CONV3D_OK = [
    Invocation(T(2, 3, 4, 5, 6), T(4, 3, 2, 3, 2), [2, 3, 2], T(4), [2] * 3, [1] * 3, device="cpu"),
    Invocation(T(0, 3, 4, 5, 6), T(4, 3, 2, 3, 2), [2, 3, 2], None, [2] * 3, [1] * 3, device="cpu"),
    # Fewer input channels in the weight imply groups.
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
    Invocation(T(2, 3, 4, 5, 6), T(4, 3, 2, 3, 2), [2, 3], None, [1] * 3, [0] * 3, device="cpu"),
    Invocation(T(2, 3, 4, 5, 6), T(4, 3, 12), [2, 3, 2], None, [1] * 3, [0] * 3, device="cpu"),
]

shape_family(
    undilated_conv,
    "aten::thnn_conv2d",
    "aten::_slow_conv2d_forward",
    ok=CONV2D_OK,
    error=CONV2D_ERROR,
    rank=2,
)
shape_family(
    undilated_conv,
    "aten::slow_conv3d",
    "aten::slow_conv3d_forward",
    ok=CONV3D_OK,
    error=CONV3D_ERROR,
    rank=3,
)
shape_family(
    dilated_conv,
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
    rank=2,
)
shape_family(
    dilated_conv,
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
    error=[
        Invocation(T(4, 5, 6), T(4, 3, 2, 3, 2), [2, 3, 2], device="cpu"),
        Invocation(T(2, 3, 4, 5, 6), T(4, 3, 12), [2, 3, 2], device="cpu"),
        Invocation(T(2, 3, 4, 5, 6), T(4, 3, 2, 3, 2), [2, 3, 3], device="cpu"),
        Invocation(T(2, 2, 4, 5, 6), T(4, 3, 2, 3, 2), [2, 3, 2], device="cpu"),
    ],
    rank=3,
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
# For empty operands these do not compare dtypes.
dtype_family(
    dtype_of_self,
    "aten::slow_conv3d",
    "aten::slow_conv3d_forward",
    "aten::slow_conv_dilated2d",
    "aten::slow_conv_dilated3d",
)


# im2col and col2im.
#
# The rules are those of `torch.nn.Unfold` and `torch.nn.Fold`. Also the gradient of
# `Tensor.unfold`, which takes windows along one dimension.


def count_windows(
    sizes: List[int],
    kernel_size: List[int],
    dilation: List[int],
    padding: List[int],
    stride: List[int],
) -> int:
    """The number of windows in an image."""
    assert len(kernel_size) == 2 and kernel_size[0] > 0 and kernel_size[1] > 0, (
        f"kernel_size must have 2 positive entries, got {kernel_size}"
    )
    assert len(dilation) == 2 and len(padding) == 2 and len(stride) == 2, (
        f"dilation, padding and stride must have 2 entries, got {dilation}, {padding}, {stride}"
    )
    down = convolved_size(sizes[0], kernel_size[0], stride[0], padding[0], dilation[0])
    across = convolved_size(sizes[1], kernel_size[1], stride[1], padding[1], dilation[1])
    return down * across


def im2col(
    self: List[int],
    kernel_size: List[int],
    dilation: List[int],
    padding: List[int],
    stride: List[int],
) -> List[int]:
    """One column per window, with its elements of all channels."""
    assert len(self) == 3 or len(self) == 4, f"the input must have 3 or 4 dimensions, got {self}"
    for size in self[-3:]:
        assert size > 0, f"the input must not be empty, got shape {self}"
    windows = count_windows(self[-2:], kernel_size, dilation, padding, stride)
    out = self[:-3]
    out.append(self[-3] * kernel_size[0] * kernel_size[1])
    out.append(windows)
    return out


def col2im(
    self: List[int],
    output_size: List[int],
    kernel_size: List[int],
    dilation: List[int],
    padding: List[int],
    stride: List[int],
) -> List[int]:
    """The image that columns are accumulated into."""
    assert len(self) == 2 or len(self) == 3, f"the input must have 2 or 3 dimensions, got {self}"
    assert len(output_size) == 2, f"output_size must have 2 entries, got {output_size}"
    windows = count_windows(output_size, kernel_size, dilation, padding, stride)
    assert self[-1] == windows, f"output_size {output_size} has {windows} windows, got {self[-1]}"
    values = kernel_size[0] * kernel_size[1]
    assert self[-2] > 0 and self[-2] % values == 0, (
        f"the number of rows must be divisible by {values}, got {self[-2]}"
    )
    return append_size(self[:-2], self[-2] // values) + output_size


shape_family(
    im2col,
    "aten::im2col",
    ok=[
        Invocation(T(2, 3, 8, 7), [3, 2], [1, 2], [1, 0], [2, 1]),
        Invocation(T(3, 8, 7), [2, 2], [1, 1], [0, 0], [1, 1]),
        Invocation(T(0, 3, 8, 7), [2, 2], [1, 1], [0, 0], [1, 1]),
        *[
            Invocation(T(3, 8, 7, dtype=dtype), [2, 2], [1, 1], [0, 0], [1, 1])
            for dtype in (torch.float64, torch.bfloat16, torch.complex64, torch.bool)
        ],
    ],
    error=[
        Invocation(T(8, 7), [2, 2], [1, 1], [0, 0], [1, 1]),
        Invocation(T(3, 0, 7), [2, 2], [1, 1], [1, 1], [1, 1]),
        Invocation(T(3, 8, 7), [2], [1, 1], [0, 0], [1, 1]),
        Invocation(T(3, 8, 7), [0, 2], [1, 1], [0, 0], [1, 1]),
        Invocation(T(3, 8, 7), [2, 2], [1], [0, 0], [1, 1]),
        Invocation(T(3, 8, 7), [2, 2], [0, 1], [0, 0], [1, 1]),
        Invocation(T(3, 8, 7), [2, 2], [1, 1], [0, 0], [0, 1]),
        Invocation(T(3, 8, 7), [9, 2], [1, 1], [0, 0], [1, 1]),
    ],
)
shape_family(
    col2im,
    "aten::col2im",
    ok=[
        Invocation(T(2, 18, 20), [8, 7], [3, 2], [1, 2], [1, 0], [2, 1]),
        Invocation(T(12, 42), [8, 7], [2, 2], [1, 1], [0, 0], [1, 1]),
        Invocation(T(0, 12, 42), [8, 7], [2, 2], [1, 1], [0, 0], [1, 1]),
        *[
            Invocation(T(12, 42, dtype=dtype), [8, 7], [2, 2], [1, 1], [0, 0], [1, 1])
            for dtype in (torch.float64, torch.bfloat16, torch.complex64)
        ],
    ],
    error=[
        Invocation(T(12), [8, 7], [2, 2], [1, 1], [0, 0], [1, 1]),
        Invocation(T(12, 42), [8], [2, 2], [1, 1], [0, 0], [1, 1]),
        Invocation(T(12, 41), [8, 7], [2, 2], [1, 1], [0, 0], [1, 1]),
        Invocation(T(13, 42), [8, 7], [2, 2], [1, 1], [0, 0], [1, 1]),
        Invocation(T(12, 42), [8, 7], [2, 2], [1, 1], [0, 0], [1, 0]),
    ],
)
dtype_family(dtype_of_self, "aten::im2col", "aten::col2im")


def unfold_backward(
    grad_in: List[int], input_sizes: List[int], dim: int, size: int, step: int
) -> List[int]:
    """The shape is the argument `input_sizes`; windows without common elements are counted."""
    at = wrap_dim(dim, len(input_sizes))
    if len(input_sizes) > 0 and step >= size and step > 0:
        windows = (input_sizes[at] - size) // step + 1
        assert grad_in[at] == windows or grad_in[at] == 1, "as many gradients as windows"
    return given_size(input_sizes)


def unfold_backward_dtype(grad_in: Tuple[int, int]) -> int:
    """The dtype of `grad_in`."""
    return grad_in[1]


shape_family(
    unfold_backward,
    "aten::unfold_backward",
    ok=[
        Invocation(T(2, 4, 3), [2, 6], 1, 3, 1),
        Invocation(T(3, 5, 2), [7, 5], -2, 2, 2),
        Invocation(T(2, 4, 3, dtype=torch.float16), [2, 6], -1, 3, 1),
        Invocation(T(2, 4, 3, dtype=torch.int64), [2, 6], -1, 3, 1),
        Invocation(T(2, 2, 3), [2, 8], 1, 3, 4),
        Invocation(T(2, 1, 3), [2, 9], 1, 3, 3),
    ],
    error=[
        Invocation(T(2, 2, 3), [2, 12], 1, 3, 4, device="cpu"),
        Invocation(T(2, 2, 10), [2, 12], -1, 10, 10, device="cpu"),
        Invocation(T(2, 4, 3), [2, 6], 2, 3, 1),
        Invocation(T(2, 4, 3), [-2, 6], 1, 3, 1),
    ],
)
dtype_family(unfold_backward_dtype, "aten::unfold_backward")
