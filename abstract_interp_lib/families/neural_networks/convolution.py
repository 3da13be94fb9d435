"""Convolutions, plain and transposed, of any number of spatial dimensions, and their gradients.

Input and weight must have the same dtype. For empty operands PyTorch does not check this, and sizes
determine the dtype of the result; such a mix is rejected here.
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
from torch_refine.abstract_interp_lib.rules.convolution import (
    convolution,
    convolution_of_any_batch,
    output_channels,
)
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.windows import check_batched_or_not, per_dimension


def convolution_dtype(input: Tuple[int, int], weight: Tuple[int, int]) -> int:
    """Input and weight have the same dtype, which the result keeps."""
    assert input[1] == weight[1], f"dtypes must match, got {input[1]} and {weight[1]}"
    return input[1]


# The meta kernels of all convolutions check less than those of any device.
shape_family(
    convolution,
    "aten::convolution",
    ok=[
        Invocation(T(2, 3, 8, 7), T(4, 3, 3, 3), None, [2, 1], [1, 0], [1, 2], False, [0, 0], 1),
        Invocation(T(2, 4, 8), T(6, 2, 3), T(6), [1], [1], [1], False, [0], 2),
        Invocation(T(2, 3, 8, 8), T(4, 3, 3, 3), T(4), [1], [0], [1], False, [0], 1),
        Invocation(T(0, 3, 8, 8), T(4, 3, 3, 3), T(4), [1], [0], [1], False, [0], 1),
        Invocation(T(2, 0, 8, 8), T(4, 0, 3, 3), T(4), [1], [0], [1], False, [0], 1),
        Invocation(T(2, 3, 8), T(3, 4, 3), T(4), [2], [1], [1], True, [1], 1),
        Invocation(T(2, 4, 5, 5), T(4, 3, 3, 2), T(6), [3], [0], [1, 2], True, [2, 0], 2),
        Invocation(T(0, 3, 1, 1), T(3, 4, 2, 2), None, [1], [1], [1], True, [0], 1, device="cpu"),
        Invocation(T(2, 3, 4, 5, 6), T(4, 3, 2, 2, 2), None, [2], [0], [1], False, [0], 1),
    ],
    error=[
        Invocation(T(2, 3), T(4, 3), None, [1], [0], [1], False, [0], 1),
        Invocation(T(3, 8, 8), T(4, 3, 3, 3), None, [1], [0], [1], False, [0], 1),
        Invocation(T(2, 3, 8), T(4, 2, 3), None, [1], [0], [1], False, [0], 1),
        Invocation(T(2, 3, 8), T(4, 3, 3), None, [1], [0], [1], False, [0], 0),
        Invocation(T(2, 4, 8), T(3, 2, 3), None, [1], [0], [1], False, [0], 2, device="cpu"),
        Invocation(T(2, 3, 8), T(4, 3, 3), T(3), [1], [0], [1], False, [0], 1, device="cpu"),
        Invocation(T(2, 3, 8), T(4, 3, 3), T(4, 1), [1], [0], [1], False, [0], 1, device="cpu"),
        Invocation(T(2, 3, 8), T(4, 3, 3), None, [1, 1], [0], [1], False, [0], 1, device="cpu"),
        Invocation(T(2, 3, 8), T(4, 3, 3), None, [0], [0], [1], False, [0], 1),
        Invocation(T(2, 3, 8), T(4, 3, 3), None, [1], [-1], [1], False, [0], 1, device="cpu"),
        Invocation(T(2, 3, 8), T(4, 3, 3), None, [1], [0], [0], False, [0], 1, device="cpu"),
        Invocation(T(2, 3, 4), T(4, 3, 3), None, [1], [0], [2], False, [0], 1),
        Invocation(T(2, 3, 8), T(3, 4, 3), None, [0], [0], [1], True, [0], 1, device="cpu"),
        Invocation(T(2, 3, 8), T(3, 4, 3), None, [1], [-1], [1], True, [0], 1, device="cpu"),
        Invocation(T(2, 3, 8), T(3, 4, 3), None, [1], [0], [0], True, [0], 1, device="cpu"),
        Invocation(T(2, 3, 8), T(3, 4, 3), None, [1], [0], [1], True, [-1], 1, device="cpu"),
        Invocation(T(2, 3, 1), T(3, 4, 3), None, [1], [2], [1], True, [0], 1),
    ],
)
shape_family(
    convolution,
    "aten::_convolution",
    ok=[
        Invocation(
            T(2, 3, 8), T(4, 3, 3), None, [1], [0], [1], False, [0], 1, False, False, True, True
        ),
    ],
    error=[
        Invocation(
            T(2, 3, 8), T(4, 2, 3), None, [1], [0], [1], False, [0], 1, False, False, True, True
        ),
    ],
)
shape_family(
    convolution,
    "aten::_convolution.deprecated",
    ok=[
        Invocation(T(2, 3, 8), T(4, 3, 3), None, [1], [0], [1], False, [0], 1, False, False, True),
    ],
    error=[
        Invocation(T(2, 3, 8), T(4, 2, 3), None, [1], [0], [1], False, [0], 1, False, False, True),
    ],
)
dtype_family(
    convolution_dtype,
    "aten::convolution",
    ok=[
        Invocation(
            T(2, 3, 8, dtype=dtype), T(4, 3, 3, dtype=dtype), None, [1], [0], [1], False, [0], 1
        )
        for dtype in (torch.float64, torch.bfloat16, torch.complex64, torch.int64)
    ],
    error=[
        Invocation(
            T(2, 3, 8),
            T(4, 3, 3, dtype=torch.float64),
            *(None, [1], [0], [1], False, [0], 1),
            device="cpu",
        )
    ],
)
dtype_family(convolution_dtype, "aten::_convolution", "aten::_convolution.deprecated")


def conv(
    input: List[int],
    weight: List[int],
    bias: Optional[List[int]],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    groups: int,
) -> List[int]:
    """The output shape of a convolution; the input may be unbatched."""
    return convolution_of_any_batch(
        input, weight, bias, stride, padding, dilation, False, [0], groups
    )


shape_family(
    conv,
    "aten::conv1d",
    ok=[
        Invocation(T(2, 3, 8), T(4, 3, 3)),
        Invocation(T(3, 8), T(4, 3, 3), T(4), [2], [1], [2]),
        Invocation(T(2, 4, 8), T(6, 2, 3), groups=2),
        Invocation(T(2, 3, 8, dtype=torch.bfloat16), T(4, 3, 3, dtype=torch.bfloat16)),
    ],
    error=[
        Invocation(T(2, 3, 8, 8), T(4, 3, 3)),
        Invocation(T(3, 2), T(4, 3, 3)),
        Invocation(T(3, 8), T(4, 3)),
    ],
)
shape_family(
    conv,
    "aten::conv2d",
    ok=[
        Invocation(T(2, 3, 8, 8), T(4, 3, 3, 3)),
        Invocation(T(3, 8, 8), T(4, 3, 3, 3), T(4), [2, 1], [1, 0], [1, 2]),
        Invocation(T(0, 3, 8, 8), T(4, 3, 3, 3), None, [2]),
        Invocation(T(2, 3, 8, 8, dtype=torch.float16), T(4, 3, 1, 1, dtype=torch.float16)),
        Invocation(T(2, 3, 8, 8, dtype=torch.int32), T(4, 3, 1, 1, dtype=torch.int32)),
    ],
    error=[Invocation(T(8, 8), T(4, 3, 3, 3)), Invocation(T(3, 8, 8), T(4, 2, 3, 3))],
)
shape_family(
    conv,
    "aten::conv3d",
    ok=[
        Invocation(T(2, 3, 4, 5, 6), T(4, 3, 2, 3, 3)),
        Invocation(T(3, 4, 5, 6), T(4, 3, 2, 3, 3), T(4), [1, 2, 1], [1], [1]),
        Invocation(*[T(2, 2, 2, 2, 2, dtype=torch.float64)] * 2),
    ],
    error=[Invocation(T(3, 4, 5), T(4, 3, 2, 3, 3))],
)
dtype_family(convolution_dtype, "aten::conv1d", "aten::conv2d", "aten::conv3d")


def conv_padded_by_name(
    input: List[int],
    weight: List[int],
    bias: Optional[List[int]],
    stride: List[int],
    padding: str,
    dilation: List[int],
    groups: int,
) -> List[int]:
    """Padding by name: none ("valid"), or such that the spatial sizes are kept ("same")."""
    assert padding == "valid" or padding == "same", (
        f"padding must be 'valid' or 'same', got '{padding}'"
    )
    if padding == "valid":
        out = conv(input, weight, bias, stride, [0], dilation, groups)
    else:
        rank = len(weight) - 2
        assert rank > 0, f"weight must have at least 3 dimensions, got shape {weight}"
        check_batched_or_not(input, rank)
        for step in per_dimension(stride, rank):
            assert step == 1, f"padding 'same' requires stride 1, got {stride}"
        channels = output_channels(input[-rank - 1], weight, bias, False, groups)
        out = input[: -rank - 1]
        out.append(channels)
        out = out + input[-rank:]
    return out


shape_family(
    conv_padded_by_name,
    "aten::conv1d.padding",
    ok=[
        Invocation(T(2, 3, 8), T(4, 3, 3)),
        Invocation(T(2, 3, 8), T(4, 3, 4), None, [1], "same", [3]),
        Invocation(T(3, 8), T(4, 3, 9), T(4), [1], "same"),
        Invocation(T(2, 4, 8), T(6, 2, 3), None, [3], "valid", [2], 2),
        Invocation(*[T(2, 2, 2, dtype=torch.int64)] * 2, None, [1], "valid"),
    ],
    error=[
        Invocation(T(2, 3, 8), T(4, 3, 9), None, [1], "valid"),
        Invocation(T(2, 3, 8), T(4, 3, 3), None, [2], "same"),
        Invocation(T(2, 3, 8), T(4, 3, 3), None, [1], "full"),
        Invocation(T(2, 3, 8), T(4, 3), None, [1], "same"),
        Invocation(T(2, 3, 8, 8), T(4, 3, 3), None, [1], "same"),
    ],
)
shape_family(
    conv_padded_by_name,
    "aten::conv2d.padding",
    ok=[
        Invocation(T(2, 3, 8, 7), T(4, 3, 3, 2), None, [2, 1], "valid"),
        Invocation(T(3, 8, 7), T(4, 3, 3, 2), T(4), [1], "same", [1, 2]),
        Invocation(*[T(2, 2, 2, 2, dtype=torch.bfloat16)] * 2, None, [1], "same"),
    ],
    error=[Invocation(T(2, 3, 8, 7), T(4, 2, 3, 2), None, [1], "same")],
)
shape_family(
    conv_padded_by_name,
    "aten::conv3d.padding",
    ok=[
        Invocation(T(2, 3, 4, 5, 6), T(4, 3, 3, 3, 3), None, [2, 1, 1], "valid"),
        Invocation(T(3, 4, 5, 6), T(4, 3, 3, 3, 3), None, [1, 1, 1], "same"),
        Invocation(*[T(2, 2, 2, 2, 2, dtype=torch.float16)] * 2, None, [1], "same"),
    ],
    error=[Invocation(T(3, 4, 5, 6), T(4, 3, 3, 3, 3), None, [1, 2, 1], "same")],
)
shape_family(
    conv_padded_by_name,
    "aten::_convolution_mode",
    ok=[
        Invocation(T(2, 3, 8, 7), T(4, 3, 3, 2), None, [2, 1], "valid", [1, 1], 1),
        Invocation(T(2, 3, 8, 7), T(4, 3, 3, 2), None, [1], "same", [1], 1),
        Invocation(*[T(2, 2, 2, dtype=torch.bfloat16)] * 2, None, [1], "same", [1], 1),
    ],
    error=[Invocation(T(2, 3, 8, 7), T(4, 3, 3, 2), None, [2], "same", [1], 1)],
)
dtype_family(
    convolution_dtype,
    "aten::conv1d.padding",
    "aten::conv2d.padding",
    "aten::conv3d.padding",
    "aten::_convolution_mode",
)


def conv_transpose(
    input: List[int],
    weight: List[int],
    bias: Optional[List[int]],
    stride: List[int],
    padding: List[int],
    output_padding: List[int],
    groups: int,
    dilation: List[int],
) -> List[int]:
    """The output shape of a transposed convolution; the input may be unbatched."""
    return convolution_of_any_batch(
        input, weight, bias, stride, padding, dilation, True, output_padding, groups
    )


shape_family(
    conv_transpose,
    "aten::conv_transpose1d",
    ok=[
        Invocation(T(2, 3, 8), T(3, 4, 3)),
        Invocation(T(3, 8), T(3, 4, 3), T(4), [2], [1], [1], 1, [2]),
        Invocation(T(2, 4, 8), T(4, 3, 3), T(6), groups=2),
        Invocation(*[T(2, 2, 2, dtype=torch.complex64)] * 2),
    ],
    error=[
        Invocation(T(2, 3, 8), T(2, 4, 3), device="cpu"),
        Invocation(T(2, 3, 8, 8), T(3, 4, 3)),
        Invocation(T(2, 3, 8), T(3, 4)),
    ],
)
shape_family(
    conv_transpose,
    "aten::conv_transpose2d.input",
    ok=[
        Invocation(T(2, 3, 8, 8), T(3, 4, 3, 3)),
        Invocation(T(3, 8, 8), T(3, 4, 3, 3), T(4), [2, 3], [1, 0], [1, 2], 1, [1, 1]),
        Invocation(T(0, 3, 8, 8), T(3, 4, 3, 3)),
        Invocation(T(2, 3, 8, 8, dtype=torch.float16), T(3, 4, 1, 1, dtype=torch.float16)),
        Invocation(T(2, 3, 8, 8, dtype=torch.int64), T(3, 4, 1, 1, dtype=torch.int64)),
    ],
    error=[Invocation(T(8, 8), T(3, 4, 3, 3))],
)
shape_family(
    conv_transpose,
    "aten::conv_transpose3d.input",
    ok=[
        Invocation(T(2, 3, 4, 5, 6), T(3, 4, 2, 3, 3)),
        Invocation(T(3, 4, 5, 6), T(3, 4, 2, 3, 3), T(4), [1, 2, 1], [1], [0, 1, 0]),
        Invocation(*[T(2, 2, 2, 2, 2, dtype=torch.bfloat16)] * 2),
    ],
    error=[Invocation(T(4, 5, 6), T(3, 4, 2, 3, 3))],
)
dtype_family(
    convolution_dtype,
    "aten::conv_transpose1d",
    "aten::conv_transpose2d.input",
    "aten::conv_transpose3d.input",
)


# Gradients and double gradients of convolutions.
#
# All tensors must have the same dtype.


def conv_backward_dtype(
    grad_output: Tuple[int, int], input: Tuple[int, int], weight: Tuple[int, int]
) -> Tuple[int, int, int]:
    """Gradient, input and weight have the same dtype, which the results keep."""
    assert grad_output[1] == input[1] and input[1] == weight[1], (
        f"dtypes must match, got {grad_output[1]}, {input[1]} and {weight[1]}"
    )
    return input[1], weight[1], grad_output[1]


def bias_shape(
    weight: List[int], bias_sizes: Optional[List[int]], transposed: bool, groups: int
) -> List[int]:
    """`bias_sizes`, or one element per output channel."""
    if bias_sizes is not None:
        out = bias_sizes
    elif transposed:
        out = [weight[1] * groups]
    else:
        out = [weight[0]]
    return out


def convolution_backward(
    grad_output: List[int],
    input: List[int],
    weight: List[int],
    bias_sizes: Optional[List[int]],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    transposed: bool,
    output_padding: List[int],
    groups: int,
) -> Tuple[List[int], List[int], List[int]]:
    """The shapes of input, weight and bias; the gradient has the sizes of the convolution."""
    out = convolution(
        input, weight, None, stride, padding, dilation, transposed, output_padding, groups
    )
    assert len(grad_output) == len(out), f"the gradient must have shape {out}, got {grad_output}"
    for dim in range(1, len(out)):
        assert 0 in input or grad_output[dim] == out[dim], (
            f"the gradient must have size {out[dim]} at dimension {dim}, got {grad_output[dim]}"
        )
    return input, weight, bias_shape(weight, bias_sizes, transposed, groups)


# The meta kernel checks neither shapes nor dtypes.
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
    error=[
        Invocation(
            *(T(2, 4, 7), T(2, 3, 8), T(4, 3, 3), [4], [1], [0], [1], False, [0], 1, ALL),
            device="cpu",
        ),
        Invocation(
            *(T(2, 4), T(2, 3, 8), T(4, 3, 3), [4], [1], [0], [1], False, [0], 1, ALL),
            device="cpu",
        ),
        Invocation(
            *(T(2, 6, 16), T(2, 4, 8), T(4, 6, 3), [6], [2], [0], [1], True, [0], 1, ALL),
            device="cpu",
        ),
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
    """The dtypes of input, weight and gradient; the bias gradient is a sum of the latter."""
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
    """The shapes of the gradients of the output gradient, of the input and of the weight.

    The arguments must match the convolution; PyTorch does not check all of that, but computes the
    results from the gradients given.
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
    """The dtypes of the output gradient, the input and the weight."""
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
