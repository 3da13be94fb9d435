"""Gradients of pools: windows, adaptive ones and random ones.

The batch of the gradient is not compared with that of the input: the kernels do not do it either.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.gradients import check_spatial
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.pooling import pooled
from torch_refine.abstract_interp_lib.rules.windows import check_batched_or_not


def check_gradient(grad_output: List[int], out: List[int], rank: int) -> None:
    """Raise unless a gradient has the channels and the `rank` spatial sizes of the result."""
    assert len(grad_output) == len(out), f"grad_output must have shape {out}, got {grad_output}"
    check_same(grad_output[-rank - 1 :], out[-rank - 1 :], "the end of grad_output")


def avg_pool2d_backward(
    grad_output: List[int],
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    ceil_mode: bool,
) -> List[int]:
    """The shape of `self`, of which the last two dimensions were pooled."""
    out = pooled(self, 2, kernel_size, stride, padding, [1], ceil_mode)
    check_gradient(grad_output, out, 2)
    return self


def avg_pool3d_backward(
    grad_output: List[int],
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    ceil_mode: bool,
) -> List[int]:
    """The shape of `self`, of which the last three dimensions were pooled."""
    out = pooled(self, 3, kernel_size, stride, padding, [1], ceil_mode)
    check_gradient(grad_output, out, 3)
    return self


def max_pool2d_backward(
    grad_output: List[int],
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
    indices: List[int],
) -> List[int]:
    """The shape of `self`; the gradient, and the indices, have that of the pooled maxima."""
    out = pooled(self, 2, kernel_size, stride, padding, dilation, ceil_mode)
    check_gradient(grad_output, out, 2)
    return self


def max_pool3d_backward(grad_output: List[int], self: List[int]) -> List[int]:
    """The shape of `self`."""
    check_batched_or_not(self, 3)
    return self


def max_pool2d_backward_dtype(grad_output: Tuple[int, int], self: Tuple[int, int]) -> int:
    """Input and gradient have one dtype, which the result keeps."""
    assert grad_output[1] == self[1], (
        f"grad_output must have the dtype {self[1]} of self, got {grad_output[1]}"
    )
    return self[1]


def indices(*sizes: int) -> TensorCase:
    """Zeros, which are positions in any input."""
    count = 1
    for size in sizes:
        count *= size
    return T(*sizes, dtype=torch.int64, values=[0] * count)


shape_family(
    avg_pool2d_backward,
    "aten::avg_pool2d_backward",
    ok=[
        Invocation(T(2, 3, 4, 3), T(2, 3, 8, 7), [2], [], [0], False, True, None),
        Invocation(T(3, 5, 3), T(3, 8, 7), [3, 2], [2, 3], [1, 0], True, False, 5),
        *[
            Invocation(
                T(2, 3, 4, 3, dtype=dtype),
                T(2, 3, 8, 7, dtype=dtype),
                *([2], [2], [0], False, True, None),
            )
            for dtype in (torch.float64, torch.bfloat16, torch.int64)
        ],
    ],
    error=[
        Invocation(T(2, 3, 4, 4), T(2, 3, 8, 7), [2], [], [0], False, True, None),
        Invocation(T(2, 4, 4, 3), T(2, 3, 8, 7), [2], [], [0], False, True, None),
        Invocation(T(3, 4, 3), T(2, 3, 8, 7), [2], [], [0], False, True, None),
        Invocation(T(2, 3, 4, 3), T(2, 3, 8, 7), [2], [], [2], False, True, None),
    ],
)
shape_family(
    avg_pool3d_backward,
    "aten::avg_pool3d_backward",
    ok=[
        Invocation(T(2, 3, 2, 2, 3), T(2, 3, 4, 5, 6), [2], [], [0], False, True, None),
        Invocation(
            T(3, 5, 3, 2), T(3, 4, 5, 6), [2, 3, 2], [1, 2, 4], [1, 1, 0], False, True, None
        ),
        Invocation(
            T(2, 3, 2, 2, 3, dtype=torch.float64),
            T(2, 3, 4, 5, 6, dtype=torch.float64),
            *([2], [], [0], False, True, None),
        ),
    ],
    error=[
        Invocation(T(2, 3, 2, 2, 2), T(2, 3, 4, 5, 6), [2], [], [0], False, True, None),
        Invocation(T(2, 2, 2, 2, 3), T(2, 3, 4, 5, 6), [2], [], [0], False, True, None),
    ],
)
dtype_family(dtype_of_self, "aten::avg_pool2d_backward", "aten::avg_pool3d_backward")

shape_family(
    max_pool2d_backward,
    "aten::max_pool2d_with_indices_backward",
    ok=[
        Invocation(T(2, 3, 4, 3), T(2, 3, 8, 7), [2], [], [0], [1], False, indices(2, 3, 4, 3)),
        Invocation(T(3, 5, 5), T(3, 8, 7), [3, 2], [2, 1], [1, 0], [1, 2], True, indices(3, 5, 5)),
        *[
            Invocation(
                T(2, 3, 4, 3, dtype=dtype),
                T(2, 3, 8, 7, dtype=dtype),
                *([2], [2], [0], [1], False, indices(2, 3, 4, 3)),
            )
            for dtype in (torch.float64, torch.float16, torch.bfloat16)
        ],
    ],
    error=[
        Invocation(T(2, 3, 4, 4), T(2, 3, 8, 7), [2], [], [0], [1], False, indices(2, 3, 4, 3)),
        Invocation(T(3, 4, 3), T(2, 3, 8, 7), [2], [], [0], [1], False, indices(2, 3, 4, 3)),
    ],
)
dtype_family(
    max_pool2d_backward_dtype,
    "aten::max_pool2d_with_indices_backward",
    error=[
        Invocation(
            T(2, 3, 4, 3, dtype=torch.float64),
            T(2, 3, 8, 7),
            *([2], [], [0], [1], False, indices(2, 3, 4, 3)),
        )
    ],
)
shape_family(
    max_pool3d_backward,
    "aten::max_pool3d_with_indices_backward",
    ok=[
        Invocation(
            T(2, 3, 2, 2, 3), T(2, 3, 4, 5, 6), [2], [], [0], [1], False, indices(2, 3, 2, 2, 3)
        ),
        Invocation(
            T(3, 5, 4, 4),
            T(3, 4, 5, 6),
            *([2, 3, 2], [1, 2, 1], [1, 1, 0], [1, 1, 2], True, indices(3, 5, 4, 4)),
        ),
        Invocation(
            T(2, 3, 2, 2, 3, dtype=torch.float64),
            T(2, 3, 4, 5, 6, dtype=torch.float64),
            *([2], [], [0], [1], False, indices(2, 3, 2, 2, 3)),
        ),
    ],
    error=[
        Invocation(T(2, 2, 3), T(4, 5, 6), [2], [], [0], [1], False, indices(2, 2, 3)),
    ],
)
dtype_family(dtype_of_self, "aten::max_pool3d_with_indices_backward")


def adaptive_pool2d_backward(grad_output: List[int], self: List[int]) -> List[int]:
    """The shape of `self`; the gradient has as many dimensions, which are not empty."""
    assert len(grad_output) == 3 or len(grad_output) == 4, (
        f"grad_output must have 3 or 4 dimensions, got shape {grad_output}"
    )
    for size in grad_output[1:]:
        assert size > 0, f"grad_output must have values, got shape {grad_output}"
    return self


def adaptive_pool3d_backward(grad_output: List[int], self: List[int]) -> List[int]:
    """The shape of `self`; the gradient is not empty."""
    for size in grad_output[1:]:
        assert size > 0, f"grad_output must have values, got shape {grad_output}"
    return self


shape_family(
    adaptive_pool2d_backward,
    "aten::_adaptive_avg_pool2d_backward",
    ok=[
        Invocation(T(2, 3, 3, 10), T(2, 3, 8, 7)),
        Invocation(T(3, 1, 1), T(3, 8, 7)),
        Invocation(T(2, 3, 2, 2, dtype=torch.bfloat16), T(2, 3, 8, 7, dtype=torch.bfloat16)),
        Invocation(T(2, 3, 2, 2, dtype=torch.float64), T(2, 3, 8, 7, dtype=torch.float64)),
    ],
    error=[Invocation(T(8, 7), T(3, 8, 7)), Invocation(T(2, 3, 0, 10), T(2, 3, 8, 7))],
)
shape_family(
    adaptive_pool3d_backward,
    "aten::_adaptive_avg_pool3d_backward",
    ok=[
        Invocation(T(2, 3, 3, 2, 10), T(2, 3, 4, 5, 6)),
        Invocation(T(3, 1, 1, 1), T(3, 4, 5, 6)),
        Invocation(T(3, 1, 2, 2, dtype=torch.float64), T(3, 4, 5, 6, dtype=torch.float64)),
    ],
    error=[Invocation(T(2, 3, 3, 0, 10), T(2, 3, 4, 5, 6))],
)
shape_family(
    adaptive_pool2d_backward,
    "aten::adaptive_max_pool2d_backward",
    ok=[
        Invocation(T(2, 3, 3, 10), T(2, 3, 8, 7), indices(2, 3, 3, 10)),
        Invocation(T(3, 1, 1), T(3, 8, 7), indices(3, 1, 1)),
        Invocation(
            T(2, 3, 2, 2, dtype=torch.float16),
            T(2, 3, 8, 7, dtype=torch.float16),
            indices(2, 3, 2, 2),
        ),
    ],
    error=[
        Invocation(T(8, 7), T(3, 8, 7), indices(8, 7)),
        Invocation(T(2, 3, 0, 10), T(2, 3, 8, 7), indices(2, 3, 0, 10)),
    ],
)
shape_family(
    adaptive_pool3d_backward,
    "aten::adaptive_max_pool3d_backward",
    ok=[
        Invocation(T(2, 3, 3, 2, 10), T(2, 3, 4, 5, 6), indices(2, 3, 3, 2, 10)),
        Invocation(T(3, 1, 1, 1), T(3, 4, 5, 6), indices(3, 1, 1, 1)),
        Invocation(
            T(3, 1, 2, 2, dtype=torch.float64),
            T(3, 4, 5, 6, dtype=torch.float64),
            indices(3, 1, 2, 2),
        ),
    ],
    error=[Invocation(T(2, 3, 3, 0, 10), T(2, 3, 4, 5, 6), indices(2, 3, 3, 0, 10))],
)
dtype_family(
    max_pool2d_backward_dtype,
    "aten::_adaptive_avg_pool2d_backward",
    error=[Invocation(T(3, 1, 1), T(3, 8, 7, dtype=torch.float64))],
)
dtype_family(
    max_pool2d_backward_dtype,
    "aten::adaptive_max_pool2d_backward",
    error=[Invocation(T(3, 1, 1), T(3, 8, 7, dtype=torch.float64), indices(3, 1, 1))],
)
dtype_family(
    dtype_of_self,
    "aten::_adaptive_avg_pool3d_backward",
    "aten::adaptive_max_pool3d_backward",
)


def fractional_max_pool2d_backward(
    grad_output: List[int], self: List[int], output_size: List[int]
) -> List[int]:
    """The shape of `self`, of which the last two dimensions were pooled to `output_size`."""
    check_spatial(grad_output, self, output_size[:2])
    return self


def fractional_max_pool3d_backward(
    grad_output: List[int], self: List[int], output_size: List[int]
) -> List[int]:
    """The shape of `self`, of which the last three dimensions were pooled to `output_size`."""
    check_spatial(grad_output, self, output_size[:3])
    return self


shape_family(
    fractional_max_pool2d_backward,
    "aten::fractional_max_pool2d_backward",
    ok=[
        Invocation(T(2, 3, 4, 3), T(2, 3, 8, 7), [2, 2], [4, 3], indices(2, 3, 4, 3)),
        Invocation(T(3, 4, 3), T(3, 8, 7), [2, 3], [4, 3], indices(3, 4, 3)),
        Invocation(
            T(3, 4, 3, dtype=torch.float64),
            T(3, 8, 7, dtype=torch.float64),
            *([2, 3], [4, 3], indices(3, 4, 3)),
        ),
    ],
    error=[
        Invocation(T(2, 3, 4, 4), T(2, 3, 8, 7), [2, 2], [4, 3], indices(2, 3, 4, 3)),
    ],
)
# There is no meta kernel.
shape_family(
    fractional_max_pool3d_backward,
    "aten::fractional_max_pool3d_backward",
    ok=[
        Invocation(
            T(2, 3, 3, 2, 2),
            T(2, 3, 8, 6, 7),
            [2, 2, 2],
            [3, 2, 2],
            indices(2, 3, 3, 2, 2),
            device="cpu",
        ),
        Invocation(
            T(3, 3, 2, 2), T(3, 8, 6, 7), [2, 2, 2], [3, 2, 2], indices(3, 3, 2, 2), device="cpu"
        ),
        Invocation(
            T(3, 3, 2, 2, dtype=torch.float64),
            T(3, 8, 6, 7, dtype=torch.float64),
            *([2, 2, 2], [3, 2, 2], indices(3, 3, 2, 2)),
            device="cpu",
        ),
    ],
    error=[
        Invocation(
            T(3, 3, 2, 1), T(3, 8, 6, 7), [2, 2, 2], [3, 2, 2], indices(3, 3, 2, 2), device="cpu"
        ),
    ],
)
dtype_family(
    dtype_of_self, "aten::fractional_max_pool2d_backward", "aten::fractional_max_pool3d_backward"
)
