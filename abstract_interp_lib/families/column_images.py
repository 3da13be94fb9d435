"""The windows of an image as columns of a matrix, and columns summed to an image.

The rules are those of `torch.nn.Unfold` and `torch.nn.Fold`. With them stands the gradient of
`Tensor.unfold`, which takes windows of one dimension.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.convolution import convolved_size
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.factories import given_size
from torch_refine.abstract_interp_lib.rules.sizes import append_size


def count_windows(
    sizes: List[int],
    kernel_size: List[int],
    dilation: List[int],
    padding: List[int],
    stride: List[int],
) -> int:
    """How many windows there are in an image."""
    assert len(kernel_size) == 2 and kernel_size[0] > 0 and kernel_size[1] > 0, (
        f"kernel_size must be two positive sizes, got {kernel_size}"
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
    """A column for each window, in which its values of all channels stand."""
    assert len(self) == 3 or len(self) == 4, f"an image must have 3 or 4 dimensions, got {self}"
    for size in self[-3:]:
        assert size > 0, f"an image must not be empty, got shape {self}"
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
    """The image from which windows could have been taken."""
    assert len(self) == 2 or len(self) == 3, f"columns must have 2 or 3 dimensions, got {self}"
    assert len(output_size) == 2, f"output_size must have 2 entries, got {output_size}"
    windows = count_windows(output_size, kernel_size, dilation, padding, stride)
    assert self[-1] == windows, f"there are {windows} windows in {output_size}, got {self[-1]}"
    values = kernel_size[0] * kernel_size[1]
    assert self[-2] > 0 and self[-2] % values == 0, (
        f"a column must hold {values} values for each channel, got {self[-2]}"
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


def unfold_backward(input_sizes: List[int], dim: int) -> List[int]:
    """The shape is the argument `input_sizes`."""
    wrap_dim(dim, len(input_sizes))
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
    ],
    error=[
        Invocation(T(2, 4, 3), [2, 6], 2, 3, 1),
        Invocation(T(2, 4, 3), [-2, 6], 1, 3, 1),
    ],
)
dtype_family(unfold_backward_dtype, "aten::unfold_backward")
