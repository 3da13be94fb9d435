"""Pools: windows that are reduced to their maximum or average, and their adaptive kin."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.pooling import pooled, resized, unpooled
from torch_refine.abstract_interp_lib.rules.windows import check_batched_or_not


def pooled_dtype_and_indices(self: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of `self`; indices are int64."""
    return self[1], torch.int64


def max_pool1d(
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
) -> List[int]:
    """The last dimension is pooled."""
    return pooled(self, 1, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool1d_with_indices(
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
) -> Tuple[List[int], List[int]]:
    """The last dimension is pooled; each maximum has an index."""
    out = max_pool1d(self, kernel_size, stride, padding, dilation, ceil_mode)
    return out, list(out)


def max_pool2d(
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
) -> List[int]:
    """The last two dimensions are pooled."""
    return pooled(self, 2, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool2d_with_indices(
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
) -> Tuple[List[int], List[int]]:
    """The last two dimensions are pooled; each maximum has an index."""
    out = max_pool2d(self, kernel_size, stride, padding, dilation, ceil_mode)
    return out, list(out)


def max_pool3d(
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
) -> List[int]:
    """The last three dimensions are pooled."""
    return pooled(self, 3, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool3d_with_indices(
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
) -> Tuple[List[int], List[int]]:
    """The last three dimensions are pooled; each maximum has an index."""
    out = max_pool3d(self, kernel_size, stride, padding, dilation, ceil_mode)
    return out, list(out)


MAX_POOL1D_OK = [
    Invocation(T(2, 3, 8), [2]),
    Invocation(T(3, 8), [3], [2], [1], [2], True),
    Invocation(T(0, 3, 8), [3], []),
    # The window that would start at 4 lies in the padding, so it is dropped.
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
    Invocation(T(8, 7), [2]),
    Invocation(T(2, 3, 8, 7), [2, 2, 2]),
    Invocation(T(2, 3, 8, 7), [2, 8]),
]
MAX_POOL3D_OK = [
    Invocation(T(2, 3, 4, 5, 6), [2]),
    Invocation(T(3, 4, 5, 6), [2, 3, 2], [1, 2, 1], [1, 1, 0], [1, 1, 2], True),
    Invocation(T(2, 3, 4, 5, 6, dtype=torch.int32), [2]),
]
MAX_POOL3D_ERROR = [Invocation(T(4, 5, 6), [2]), Invocation(T(2, 3, 4, 5, 6), [2, 2])]

shape_family(max_pool1d, "aten::max_pool1d", ok=MAX_POOL1D_OK, error=MAX_POOL1D_ERROR)
shape_family(
    max_pool1d_with_indices,
    "aten::max_pool1d_with_indices",
    ok=MAX_POOL1D_OK,
    error=MAX_POOL1D_ERROR,
)
shape_family(max_pool2d, "aten::max_pool2d", ok=MAX_POOL2D_OK, error=MAX_POOL2D_ERROR)
shape_family(
    max_pool2d_with_indices,
    "aten::max_pool2d_with_indices",
    ok=MAX_POOL2D_OK,
    error=MAX_POOL2D_ERROR,
)
shape_family(max_pool3d, "aten::max_pool3d", ok=MAX_POOL3D_OK, error=MAX_POOL3D_ERROR)
shape_family(
    max_pool3d_with_indices,
    "aten::max_pool3d_with_indices",
    ok=MAX_POOL3D_OK,
    error=MAX_POOL3D_ERROR,
)
dtype_family(dtype_of_self, "aten::max_pool1d", "aten::max_pool2d", "aten::max_pool3d")
dtype_family(
    pooled_dtype_and_indices,
    "aten::max_pool1d_with_indices",
    "aten::max_pool2d_with_indices",
    "aten::max_pool3d_with_indices",
)


def avg_pool1d(
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    ceil_mode: bool,
) -> List[int]:
    """The last dimension is pooled."""
    return pooled(self, 1, kernel_size, stride, padding, [1], ceil_mode)


def avg_pool2d(
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    ceil_mode: bool,
) -> List[int]:
    """The last two dimensions are pooled."""
    return pooled(self, 2, kernel_size, stride, padding, [1], ceil_mode)


def avg_pool3d(
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    ceil_mode: bool,
) -> List[int]:
    """The last three dimensions are pooled."""
    return pooled(self, 3, kernel_size, stride, padding, [1], ceil_mode)


shape_family(
    avg_pool1d,
    "aten::avg_pool1d",
    ok=[
        Invocation(T(2, 3, 8), [2]),
        Invocation(T(3, 8), [3], [2], [1], True, count_include_pad=False),
        Invocation(T(0, 3, 8), [3], []),
        Invocation(T(2, 3, 8, dtype=torch.int64), [2]),
    ],
    error=[Invocation(T(8), [2]), Invocation(T(2, 3, 8), [3], [1], [2])],
)
shape_family(
    avg_pool2d,
    "aten::avg_pool2d",
    ok=[
        Invocation(T(2, 3, 8, 7), [2]),
        Invocation(T(3, 8, 7), [3, 2], [2, 3], [1, 0], True, False, 5),
        Invocation(T(2, 3, 8, 7, dtype=torch.bfloat16), [2]),
        Invocation(T(2, 3, 8, 7, dtype=torch.int64), [2]),
    ],
    error=[Invocation(T(8, 7), [2]), Invocation(T(2, 3, 8, 7), [2], [2, 2, 2])],
)
shape_family(
    avg_pool3d,
    "aten::avg_pool3d",
    ok=[
        Invocation(T(2, 3, 4, 5, 6), [2]),
        Invocation(T(3, 4, 5, 6), [2, 3, 2], [1, 2, 3], [1, 1, 0], ceil_mode=True),
        Invocation(T(2, 3, 4, 5, 6, dtype=torch.float64), [2]),
    ],
    error=[Invocation(T(4, 5, 6), [2]), Invocation(T(2, 3, 4, 5, 6), [5])],
)
dtype_family(dtype_of_self, "aten::avg_pool1d", "aten::avg_pool2d", "aten::avg_pool3d")


def adaptive_avg_pool1d(self: List[int], output_size: List[int]) -> List[int]:
    """The last dimension gets the size asked for."""
    check_batched_or_not(self, 1)
    return resized(self, 1, output_size)


def adaptive_avg_pool2d(self: List[int], output_size: List[int]) -> List[int]:
    """The last two dimensions get the sizes asked for; sizes of 1 go with any rank."""
    return resized(self, 2, output_size)


def adaptive_avg_pool3d(self: List[int], output_size: List[int]) -> List[int]:
    """The last three dimensions get the sizes asked for; sizes of 1 go with any rank."""
    return resized(self, 3, output_size)


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
# The meta kernels of `_adaptive_avg_pool2d` and `3d` take any number of output sizes.
shape_family(
    adaptive_avg_pool2d,
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
)
shape_family(
    adaptive_avg_pool3d,
    "aten::adaptive_avg_pool3d",
    "aten::_adaptive_avg_pool3d",
    ok=[
        Invocation(T(2, 3, 4, 5, 6), [3, 2, 10]),
        Invocation(T(3, 4, 5, 6), [1, 1, 1]),
        Invocation(T(2, 3, 4, 5, 6, dtype=torch.float64), [0, 1, 2]),
    ],
    error=[Invocation(T(5, 6), [3, 2, 2]), Invocation(T(3, 4, 5, 6), [2], device="cpu")],
)
dtype_family(
    dtype_of_self,
    "aten::adaptive_avg_pool1d",
    "aten::adaptive_avg_pool2d",
    "aten::_adaptive_avg_pool2d",
    "aten::adaptive_avg_pool3d",
    "aten::_adaptive_avg_pool3d",
)


def adaptive_max_pool1d(self: List[int], output_size: List[int]) -> Tuple[List[int], List[int]]:
    """The last dimension gets the size asked for; each maximum has an index."""
    check_batched_or_not(self, 1)
    out = resized(self, 1, output_size)
    return out, list(out)


def adaptive_max_pool2d(self: List[int], output_size: List[int]) -> Tuple[List[int], List[int]]:
    """The last two dimensions get the sizes asked for; each maximum has an index."""
    check_batched_or_not(self, 2)
    out = resized(self, 2, output_size)
    return out, list(out)


def adaptive_max_pool3d(self: List[int], output_size: List[int]) -> Tuple[List[int], List[int]]:
    """The last three dimensions get the sizes asked for; each maximum has an index."""
    check_batched_or_not(self, 3)
    out = resized(self, 3, output_size)
    return out, list(out)


shape_family(
    adaptive_max_pool1d,
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
)
shape_family(
    adaptive_max_pool2d,
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
)
shape_family(
    adaptive_max_pool3d,
    "aten::adaptive_max_pool3d",
    ok=[
        Invocation(T(2, 3, 4, 5, 6), [3, 2, 10]),
        Invocation(T(3, 4, 5, 6), [1, 1, 1]),
        Invocation(T(0, 3, 4, 5, 6, dtype=torch.float64), [0, 1, 2]),
    ],
    error=[Invocation(T(4, 5, 6), [3, 2, 2]), Invocation(T(3, 4, 5, 6), [2])],
)
dtype_family(
    pooled_dtype_and_indices,
    "aten::adaptive_max_pool1d",
    "aten::adaptive_max_pool2d",
    "aten::adaptive_max_pool3d",
)


def fractional_max_pool2d(self: List[int], output_size: List[int]) -> Tuple[List[int], List[int]]:
    """The last two dimensions get the sizes asked for; each maximum has an index."""
    return adaptive_max_pool2d(self, output_size)


def fractional_max_pool3d(self: List[int], output_size: List[int]) -> Tuple[List[int], List[int]]:
    """The last three dimensions get the sizes asked for; each maximum has an index."""
    return adaptive_max_pool3d(self, output_size)


def max_unpool2d(self: List[int], indices: List[int], output_size: List[int]) -> List[int]:
    """The last two dimensions get the sizes asked for."""
    return unpooled(self, indices, 2, output_size)


def max_unpool3d(self: List[int], indices: List[int], output_size: List[int]) -> List[int]:
    """The last three dimensions get the sizes asked for."""
    return unpooled(self, indices, 3, output_size)


shape_family(
    fractional_max_pool2d,
    "aten::fractional_max_pool2d",
    ok=[
        Invocation(T(2, 3, 8, 7), [2, 2], [4, 3], T(2, 3, 2)),
        Invocation(T(3, 8, 7), [2, 3], [4, 3], T(1, 3, 2)),
        Invocation(
            T(2, 3, 8, 7, dtype=torch.float64), [2, 2], [4, 3], T(2, 3, 2, dtype=torch.float64)
        ),
    ],
    error=[Invocation(T(8, 7), [2, 2], [4, 3], T(2, 3, 2))],
)
shape_family(
    fractional_max_pool3d,
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
)
dtype_family(pooled_dtype_and_indices, "aten::fractional_max_pool2d", "aten::fractional_max_pool3d")
shape_family(
    max_unpool2d,
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
)
shape_family(
    max_unpool3d,
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
)
dtype_family(dtype_of_self, "aten::max_unpool2d", "aten::max_unpool3d")
