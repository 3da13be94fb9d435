"""Convolutions, plain and transposed, of any number of spatial dimensions.

Input and weight must have one dtype. Where there is nothing to multiply PyTorch does not compare
them, and sizes decide which one the result has; such a mix is rejected here.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.convolution import (
    convolution,
    convolution_of_any_batch,
    output_channels,
)
from torch_refine.abstract_interp_lib.rules.windows import check_batched_or_not, per_dimension


def convolution_dtype(input: Tuple[int, int], weight: Tuple[int, int]) -> int:
    """Input and weight have one dtype, which the result keeps."""
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
    """A convolution whose input may lack the batch dimension."""
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
    """Without padding ("valid"), or padded so that the spatial sizes stay ("same")."""
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
            assert step == 1, f"padding 'same' needs strides of 1, got {stride}"
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
    """A transposed convolution whose input may lack the batch dimension."""
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
