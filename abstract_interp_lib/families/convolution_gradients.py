"""Gradients of convolutions, and the gradients of these.

As in `convolution`, all tensors must have one dtype.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.convolution import convolution
from torch_refine.abstract_interp_lib.rules.matching import check_same


def conv_backward_dtype(
    grad_output: Tuple[int, int], input: Tuple[int, int], weight: Tuple[int, int]
) -> Tuple[int, int, int]:
    """Gradient, input and weight have one dtype, which the results keep."""
    assert grad_output[1] == input[1] and input[1] == weight[1], (
        f"dtypes must match, got {grad_output[1]}, {input[1]} and {weight[1]}"
    )
    return input[1], weight[1], grad_output[1]


def bias_shape(
    weight: List[int], bias_sizes: Optional[List[int]], transposed: bool, groups: int
) -> List[int]:
    """`bias_sizes`, or an entry for each output channel."""
    if bias_sizes is not None:
        out = bias_sizes
    elif transposed:
        out = [weight[1] * groups]
    else:
        out = [weight[0]]
    return out


def convolution_backward(
    input: List[int],
    weight: List[int],
    bias_sizes: Optional[List[int]],
    transposed: bool,
    groups: int,
) -> Tuple[List[int], List[int], List[int]]:
    """The shapes of input, weight and bias."""
    return input, weight, bias_shape(weight, bias_sizes, transposed, groups)


# The meta kernel compares neither shapes nor dtypes.
ALL = [True, True, True]
shape_family(
    convolution_backward,
    "aten::convolution_backward",
    ok=[
        Invocation(
            T(2, 4, 6, 6),
            T(2, 3, 8, 8),
            T(4, 3, 3, 3),
            *([4], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, ALL),
        ),
        Invocation(
            T(2, 4, 6),
            T(2, 3, 8),
            T(4, 3, 3),
            *(None, [1], [0], [1], False, [0], 1, [True, True, False]),
        ),
        Invocation(
            T(2, 4, 6),
            T(2, 3, 8),
            T(4, 3, 3),
            *(None, [1], [0], [1], False, [0], 1, ALL),
            device="cpu",
        ),
        Invocation(
            T(2, 6, 17),
            T(2, 4, 8),
            T(4, 3, 3),
            *(None, [2], [0], [1], True, [0], 2, [False, True, True]),
            device="cpu",
        ),
        Invocation(
            T(0, 4, 6),
            T(0, 3, 8),
            T(4, 3, 3),
            *([4], [1], [0], [1], False, [0], 1, ALL),
            device="cpu",
        ),
        *[
            Invocation(
                T(2, 4, 6, dtype=dtype),
                T(2, 3, 8, dtype=dtype),
                T(4, 3, 3, dtype=dtype),
                *([4], [1], [0], [1], False, [0], 1, ALL),
            )
            for dtype in (torch.float64, torch.bfloat16, torch.complex64)
        ],
    ],
)
dtype_family(
    conv_backward_dtype,
    "aten::convolution_backward",
    error=[
        Invocation(
            T(2, 4, 6),
            T(2, 3, 8, dtype=torch.float64),
            T(4, 3, 3),
            *([4], [1], [0], [1], False, [0], 1, ALL),
            device="cpu",
        ),
        Invocation(
            T(2, 4, 6),
            T(2, 3, 8),
            T(4, 3, 3, dtype=torch.float64),
            *([4], [1], [0], [1], False, [0], 1, ALL),
            device="cpu",
        ),
    ],
)


# There is no meta kernel.
@shape_function(
    "aten::_slow_conv2d_backward.output_mask",
    ok=[
        Invocation(
            T(2, 4, 6, 6),
            T(2, 3, 8, 7),
            *(T(4, 3, 3, 2), [3, 2], [1, 1], [0, 0], ALL),
            device="cpu",
        ),
        Invocation(
            T(2, 4, 6, 6),
            T(2, 3, 8, 7),
            *(T(4, 18), [3, 2], [1, 1], [0, 0], [True, False, True]),
            device="cpu",
        ),
        Invocation(
            T(2, 4, 6, 6, dtype=torch.float64),
            T(2, 3, 8, 7, dtype=torch.float64),
            T(4, 3, 3, 2, dtype=torch.float64),
            *([3, 2], [1, 1], [0, 0], ALL),
            device="cpu",
        ),
    ],
    error=[
        Invocation(
            T(2, 4, 6, 6),
            T(3, 8, 7),
            *(T(4, 3, 3, 2), [3, 2], [1, 1], [0, 0], ALL),
            device="cpu",
        ),
    ],
)
def _slow_conv2d_backward(
    grad_output: List[int],
    self: List[int],
    weight: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    output_mask: List[bool],
) -> Tuple[List[int], List[int], List[int]]:
    """The shapes of input, weight and bias."""
    assert len(self) == 4, (
        f"aten::_slow_conv2d_backward: the input must have 4 dimensions, got shape {self}"
    )
    return self, weight, weight[:1]


@dtype_function("aten::_slow_conv2d_backward.output_mask")
def _slow_conv2d_backward_dtype(
    grad_output: Tuple[int, int],
    self: Tuple[int, int],
    weight: Tuple[int, int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    output_mask: List[bool],
) -> Tuple[int, int, int]:
    """The dtypes of input, of weight, and of the gradient, which the bias' gradient sums up."""
    return self[1], weight[1], grad_output[1]


def convolution_double_backward(
    ggI: Optional[List[int]],
    ggW: Optional[List[int]],
    gO: List[int],
    weight: List[int],
    self: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    transposed: bool,
    output_padding: List[int],
    groups: int,
) -> Tuple[List[int], List[int], List[int]]:
    """The shapes of the gradient of the result, of the input and of the weight.

    The arguments must fit the convolution whose gradients they are: PyTorch does not check all of
    that, but computes the results from those that are there.
    """
    out = convolution(
        self, weight, None, stride, padding, dilation, transposed, output_padding, groups
    )
    check_same(gO, out, "gO")
    if ggI is not None:
        check_same(ggI, self, "ggI")
    if ggW is not None:
        check_same(ggW, weight, "ggW")
    return gO, self, weight


def convolution_double_backward_dtype(
    gO: Tuple[int, int], weight: Tuple[int, int], self: Tuple[int, int]
) -> Tuple[int, int, int]:
    """The dtypes of the gradient of the result, of the input and of the weight."""
    return gO[1], self[1], weight[1]


shape_family(
    convolution_double_backward,
    "aten::_convolution_double_backward",
    ok=[
        Invocation(
            *(T(2, 3, 8, 8), T(4, 3, 3, 3), T(4), T(2, 4, 6, 6), T(4, 3, 3, 3), T(2, 3, 8, 8)),
            *([1, 1], [0, 0], [1, 1], False, [0, 0], 1, ALL),
            device="cpu",
        ),
        Invocation(
            *(T(2, 3, 8), None, None, T(2, 4, 6), T(4, 3, 3), T(2, 3, 8)),
            *([1], [0], [1], False, [0], 1, [True, True, False]),
            device="cpu",
        ),
        Invocation(
            *(None, T(4, 3, 3), None, T(2, 6, 17), T(4, 3, 3), T(2, 4, 8)),
            *([2], [0], [1], True, [0], 2, ALL),
            device="cpu",
        ),
        Invocation(
            *[T(2, 2, 2, dtype=torch.float64)] * 2,
            T(2, dtype=torch.float64),
            T(2, 2, 1, dtype=torch.float64),
            *[T(2, 2, 2, dtype=torch.float64)] * 2,
            *([1], [0], [1], False, [0], 1, ALL),
            device="cpu",
        ),
    ],
    error=[
        Invocation(
            *(T(2, 3, 8), None, None, T(3, 4, 6), T(4, 3, 3), T(2, 3, 8)),
            *([1], [0], [1], False, [0], 1, ALL),
            device="cpu",
        ),
        Invocation(
            *(T(2, 2, 8), None, None, T(2, 4, 6), T(4, 3, 3), T(2, 3, 8)),
            *([1], [0], [1], False, [0], 1, ALL),
            device="cpu",
        ),
        Invocation(
            *(None, T(4, 2, 3), None, T(2, 4, 6), T(4, 3, 3), T(2, 3, 8)),
            *([1], [0], [1], False, [0], 1, ALL),
            device="cpu",
        ),
    ],
)
dtype_family(convolution_double_backward_dtype, "aten::_convolution_double_backward")
