"""Max, average, adaptive and fractional pooling, unpooling, and their gradients."""

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
from torch_refine.abstract_interp_lib.rules.matching import check_same, check_spatial
from torch_refine.abstract_interp_lib.rules.pooling import pooled, resized, unpooled
from torch_refine.abstract_interp_lib.rules.windows import check_batched_or_not


def pooled_dtype_and_indices(self: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of `self`; indices are int64."""
    return self[1], torch.int64


def max_pool_with_indices(
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
    rank: int,
) -> Tuple[List[int], List[int]]:
    """Pool the last `rank` dimensions; indices have the shape of the output."""
    out = pooled(self, rank, kernel_size, stride, padding, dilation, ceil_mode)
    return out, list(out)


MAX_POOL1D_OK = [
    Invocation(T(2, 3, 8), [2]),
    Invocation(T(2, 3, 8), [1], [2]),
    Invocation(T(3, 8), [3], [2], [1], [2], True),
    Invocation(T(0, 3, 8), [3], []),
    # The window that would start at 4 is in the padding, so it is dropped.
    Invocation(T(1, 1, 3), [2], [2], [1], [1], True),
    Invocation(T(2, 3, 8, dtype=torch.bfloat16), [2]),
    Invocation(T(2, 3, 8, dtype=torch.float64), [2]),
]
MAX_POOL1D_ERROR = [
    Invocation(T(8), [2]),
    Invocation(T(2, 3, 8), [2, 2]),
    Invocation(T(2, 3, 8), [0]),
    Invocation(T(2, 3, 8), [2], [0]),
    Invocation(T(2, 3, 8), [2], [2], [0], [0]),
    Invocation(T(2, 3, 8), [3], [1], [2]),
    Invocation(T(2, 3, 8), [2], [1], [-1]),
    Invocation(T(2, 3, 8), [9]),
    Invocation(T(0, 8), [2]),
    Invocation(T(2, 3, 0), [2], [1], [1]),
]
MAX_POOL2D_OK = [
    Invocation(T(2, 3, 8, 7), [2]),
    Invocation(T(3, 8, 7), [3, 2], [2, 1], [1, 0], [1, 2], ceil_mode=True),
    Invocation(T(0, 3, 8, 7), [3, 3], [], 1),
    Invocation(T(2, 3, 8, 7, dtype=torch.float16), [2]),
    Invocation(T(2, 3, 8, 7, dtype=torch.int64), [2]),
    Invocation(T(2, 3, 8, 7, dtype=torch.uint8), [2]),
]
MAX_POOL2D_ERROR = [
    Invocation(T(0, 8, 7), [2]),
    Invocation(T(8, 7), [2]),
    Invocation(T(2, 3, 8, 7), [2, 2, 2]),
    Invocation(T(2, 3, 8, 7), [2, 8]),
]
MAX_POOL3D_OK = [
    Invocation(T(2, 3, 4, 5, 6), [2]),
    Invocation(T(3, 4, 5, 6), [2, 3, 2], [1, 2, 1], [1, 1, 0], [1, 1, 2], True),
    Invocation(T(2, 3, 4, 5, 6, dtype=torch.int32), [2]),
]
MAX_POOL3D_ERROR = [
    Invocation(T(0, 4, 5, 6), [2]),
    Invocation(T(4, 5, 6), [2]),
    Invocation(T(2, 3, 4, 5, 6), [2, 2]),
]

shape_family(pooled, "aten::max_pool1d", ok=MAX_POOL1D_OK, error=MAX_POOL1D_ERROR, rank=1)
shape_family(
    max_pool_with_indices,
    "aten::max_pool1d_with_indices",
    ok=MAX_POOL1D_OK,
    error=MAX_POOL1D_ERROR,
    rank=1,
)
shape_family(pooled, "aten::max_pool2d", ok=MAX_POOL2D_OK, error=MAX_POOL2D_ERROR, rank=2)
shape_family(
    max_pool_with_indices,
    "aten::max_pool2d_with_indices",
    ok=MAX_POOL2D_OK,
    error=MAX_POOL2D_ERROR,
    rank=2,
)
shape_family(pooled, "aten::max_pool3d", ok=MAX_POOL3D_OK, error=MAX_POOL3D_ERROR, rank=3)
shape_family(
    max_pool_with_indices,
    "aten::max_pool3d_with_indices",
    ok=MAX_POOL3D_OK,
    error=MAX_POOL3D_ERROR,
    rank=3,
)
dtype_family(dtype_of_self, "aten::max_pool1d", "aten::max_pool2d", "aten::max_pool3d")
dtype_family(
    pooled_dtype_and_indices,
    "aten::max_pool1d_with_indices",
    "aten::max_pool2d_with_indices",
    "aten::max_pool3d_with_indices",
)


def avg_pool(
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    ceil_mode: bool,
    rank: int,
) -> List[int]:
    """Pool the last `rank` dimensions."""
    return pooled(self, rank, kernel_size, stride, padding, [1], ceil_mode)


shape_family(
    avg_pool,
    "aten::avg_pool1d",
    ok=[
        Invocation(T(2, 3, 8), [2]),
        Invocation(T(3, 8), [3], [2], [1], True, count_include_pad=False),
        Invocation(T(0, 3, 8), [3], []),
        Invocation(T(2, 3, 8, dtype=torch.int64), [2]),
    ],
    error=[Invocation(T(8), [2]), Invocation(T(2, 3, 8), [3], [1], [2])],
    rank=1,
)
shape_family(
    avg_pool,
    "aten::avg_pool2d",
    ok=[
        Invocation(T(2, 3, 8, 7), [2]),
        Invocation(T(3, 8, 7), [3, 2], [2, 3], [1, 0], True, False, 5),
        Invocation(T(2, 3, 8, 7, dtype=torch.bfloat16), [2]),
        Invocation(T(2, 3, 8, 7, dtype=torch.int64), [2]),
    ],
    error=[Invocation(T(8, 7), [2]), Invocation(T(2, 3, 8, 7), [2], [2, 2, 2])],
    rank=2,
)
shape_family(
    avg_pool,
    "aten::avg_pool3d",
    ok=[
        Invocation(T(2, 3, 4, 5, 6), [2]),
        Invocation(T(3, 4, 5, 6), [2, 3, 2], [1, 2, 3], [1, 1, 0], ceil_mode=True),
        Invocation(T(2, 3, 4, 5, 6, dtype=torch.float64), [2]),
    ],
    error=[Invocation(T(4, 5, 6), [2]), Invocation(T(2, 3, 4, 5, 6), [5])],
    rank=3,
)
dtype_family(dtype_of_self, "aten::avg_pool1d", "aten::avg_pool2d", "aten::avg_pool3d")


def adaptive_avg_pool1d(self: List[int], output_size: List[int]) -> List[int]:
    """The last dimension gets the size `output_size`."""
    check_batched_or_not(self, 1)
    return resized(self, 1, output_size)


shape_family(
    adaptive_avg_pool1d,
    "aten::adaptive_avg_pool1d",
    ok=[
        Invocation(T(2, 3, 8), [3]),
        Invocation(T(3, 8), [0]),
        Invocation(T(0, 3, 8, dtype=torch.float16), [10]),
    ],
    error=[
        Invocation(T(8), [3]),
        Invocation(T(2, 3, 8), [3, 3]),
        Invocation(T(2, 3, 8), [-1]),
    ],
)
# The meta kernels of `_adaptive_avg_pool2d` and `3d` accept any number of output sizes.
shape_family(
    resized,
    "aten::adaptive_avg_pool2d",
    "aten::_adaptive_avg_pool2d",
    ok=[
        Invocation(T(2, 3, 8, 7), [3, 10]),
        Invocation(T(3, 8, 7), [1, 1]),
        Invocation(T(2, 0, 8, 7), [0, 2]),
        Invocation(T(2, 3, 8, 7, dtype=torch.bfloat16), [2, 2]),
    ],
    error=[
        Invocation(T(8), [3, 3]),
        Invocation(T(3, 8, 7), [3], device="cpu"),
        Invocation(T(3, 8, 7), [3, -1]),
    ],
    rank=2,
)
shape_family(
    resized,
    "aten::adaptive_avg_pool3d",
    "aten::_adaptive_avg_pool3d",
    ok=[
        Invocation(T(2, 3, 4, 5, 6), [3, 2, 10]),
        Invocation(T(3, 4, 5, 6), [1, 1, 1]),
        Invocation(T(2, 3, 4, 5, 6, dtype=torch.float64), [0, 1, 2]),
    ],
    error=[
        Invocation(T(3, 4, 5, 6), [2, -1, 2]),
        Invocation(T(5, 6), [3, 2, 2]),
        Invocation(T(3, 4, 5, 6), [2], device="cpu"),
    ],
    rank=3,
)
dtype_family(
    dtype_of_self,
    "aten::adaptive_avg_pool1d",
    "aten::adaptive_avg_pool2d",
    "aten::_adaptive_avg_pool2d",
    "aten::adaptive_avg_pool3d",
    "aten::_adaptive_avg_pool3d",
)


def adaptive_max_pool(
    self: List[int], output_size: List[int], rank: int
) -> Tuple[List[int], List[int]]:
    """The last `rank` dimensions become `output_size`; indices have the shape of the output."""
    check_batched_or_not(self, rank)
    out = resized(self, rank, output_size)
    return out, list(out)


shape_family(
    adaptive_max_pool,
    "aten::adaptive_max_pool1d",
    ok=[
        Invocation(T(2, 3, 8), [3]),
        Invocation(T(3, 8), [0]),
        Invocation(T(0, 3, 8, dtype=torch.float16), [10]),
    ],
    error=[
        Invocation(T(8), [3]),
        Invocation(T(2, 3, 8), [3, 3]),
        Invocation(T(2, 3, 8), [-1]),
    ],
    rank=1,
)
shape_family(
    adaptive_max_pool,
    "aten::adaptive_max_pool2d",
    ok=[
        Invocation(T(2, 3, 8, 7), [3, 10]),
        Invocation(T(3, 8, 7), [1, 1]),
        Invocation(T(2, 3, 8, 7, dtype=torch.bfloat16), [2, 2]),
    ],
    error=[
        Invocation(T(8, 7), [3, 3]),
        Invocation(T(3, 8, 7), [3]),
        Invocation(T(3, 8, 7), [3, -1]),
    ],
    rank=2,
)
shape_family(
    adaptive_max_pool,
    "aten::adaptive_max_pool3d",
    ok=[
        Invocation(T(2, 3, 4, 5, 6), [3, 2, 10]),
        Invocation(T(3, 4, 5, 6), [1, 1, 1]),
        Invocation(T(0, 3, 4, 5, 6, dtype=torch.float64), [0, 1, 2]),
    ],
    error=[Invocation(T(4, 5, 6), [3, 2, 2]), Invocation(T(3, 4, 5, 6), [2])],
    rank=3,
)
dtype_family(
    pooled_dtype_and_indices,
    "aten::adaptive_max_pool1d",
    "aten::adaptive_max_pool2d",
    "aten::adaptive_max_pool3d",
)


shape_family(
    adaptive_max_pool,
    "aten::fractional_max_pool2d",
    ok=[
        Invocation(T(2, 3, 8, 7), [2, 2], [4, 3], T(2, 3, 2)),
        Invocation(T(3, 8, 7), [2, 3], [4, 3], T(1, 3, 2)),
        Invocation(
            T(2, 3, 8, 7, dtype=torch.float64), [2, 2], [4, 3], T(2, 3, 2, dtype=torch.float64)
        ),
    ],
    error=[Invocation(T(8, 7), [2, 2], [4, 3], T(2, 3, 2))],
    rank=2,
)
shape_family(
    adaptive_max_pool,
    "aten::fractional_max_pool3d",
    ok=[
        Invocation(T(2, 3, 8, 6, 7), [2, 2, 2], [3, 2, 2], T(2, 3, 3)),
        Invocation(T(3, 8, 6, 7), [2, 2, 2], [3, 2, 2], T(1, 3, 3)),
        Invocation(
            T(2, 3, 8, 6, 7, dtype=torch.float64),
            *([2, 2, 2], [3, 2, 2], T(2, 3, 3, dtype=torch.float64)),
        ),
    ],
    error=[Invocation(T(4, 5, 6), [2, 2, 2], [3, 2, 2], T(2, 3, 3))],
    rank=3,
)
dtype_family(pooled_dtype_and_indices, "aten::fractional_max_pool2d", "aten::fractional_max_pool3d")
shape_family(
    unpooled,
    "aten::max_unpool2d",
    ok=[
        Invocation(T(2, 3, 4, 4), T(2, 3, 4, 4, dtype=torch.int64), [8, 9]),
        Invocation(
            T(3, 4, 4, dtype=torch.float64), T(3, 4, 4, dtype=torch.int64), output_size=[8, 8]
        ),
    ],
    error=[
        Invocation(T(2, 3, 4, 4), T(2, 3, 4, 3, dtype=torch.int64), [8, 8]),
        Invocation(T(2, 3, 4, 4), T(3, 4, 4, dtype=torch.int64), [8, 8]),
        Invocation(T(2, 3, 4, 4), T(2, 3, 4, 4, dtype=torch.int64), [8]),
    ],
    rank=2,
)
shape_family(
    unpooled,
    "aten::max_unpool3d",
    ok=[
        Invocation(
            T(2, 3, 2, 2, 2),
            T(2, 3, 2, 2, 2, dtype=torch.int64),
            *([4, 4, 4], [2, 2, 2], [0, 0, 0]),
        ),
    ],
    error=[
        Invocation(
            T(2, 3, 2, 2, 2),
            T(2, 3, 2, 2, 3, dtype=torch.int64),
            *([4, 4, 4], [2, 2, 2], [0, 0, 0]),
        ),
    ],
    rank=3,
)
dtype_family(dtype_of_self, "aten::max_unpool2d", "aten::max_unpool3d")


# Gradients of pooling: with windows, adaptive and fractional.
#
# The batch dimension of the gradient is not compared with the input, as in the kernels.


def check_gradient(grad_output: List[int], out: List[int], rank: int) -> None:
    """Raise unless a gradient has the channels and the `rank` spatial sizes of the output."""
    assert len(grad_output) == len(out), f"grad_output must have shape {out}, got {grad_output}"
    check_same(grad_output[-rank - 1 :], out[-rank - 1 :], "the end of grad_output")


def avg_pool_backward(
    grad_output: List[int],
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    ceil_mode: bool,
    rank: int,
) -> List[int]:
    """The shape of `self`, whose last `rank` dimensions were pooled."""
    out = pooled(self, rank, kernel_size, stride, padding, [1], ceil_mode)
    check_gradient(grad_output, out, rank)
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
    """The shape of `self`; gradient and indices have the pooled shape."""
    out = pooled(self, 2, kernel_size, stride, padding, dilation, ceil_mode)
    check_gradient(grad_output, out, 2)
    return self


def max_pool3d_backward(grad_output: List[int], self: List[int]) -> List[int]:
    """The shape of `self`."""
    check_batched_or_not(self, 3)
    return self


def max_pool2d_backward_dtype(grad_output: Tuple[int, int], self: Tuple[int, int]) -> int:
    """Input and gradient have the same dtype, which the result keeps."""
    assert grad_output[1] == self[1], (
        f"grad_output must have the dtype {self[1]} of self, got {grad_output[1]}"
    )
    return self[1]


def indices(*sizes: int) -> TensorCase:
    """Zeros, which are valid indices of any input."""
    count = 1
    for size in sizes:
        count *= size
    return T(*sizes, dtype=torch.int64, values=[0] * count)


shape_family(
    avg_pool_backward,
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
    rank=2,
)
shape_family(
    avg_pool_backward,
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
    rank=3,
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
    """The shape of `self`; the gradient has the same rank and is not empty."""
    assert len(grad_output) == 3 or len(grad_output) == 4, (
        f"grad_output must have 3 or 4 dimensions, got shape {grad_output}"
    )
    for size in grad_output[1:]:
        assert size > 0, f"grad_output must not be empty, got shape {grad_output}"
    return self


def adaptive_pool3d_backward(grad_output: List[int], self: List[int]) -> List[int]:
    """The shape of `self`; the gradient is not empty."""
    for size in grad_output[1:]:
        assert size > 0, f"grad_output must not be empty, got shape {grad_output}"
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
    """The shape of `self`, whose last two dimensions were pooled to `output_size`."""
    check_spatial(grad_output, self, output_size[:2])
    return self


def fractional_max_pool3d_backward(
    grad_output: List[int], self: List[int], output_size: List[int]
) -> List[int]:
    """The shape of `self`, whose last three dimensions were pooled to `output_size`."""
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
