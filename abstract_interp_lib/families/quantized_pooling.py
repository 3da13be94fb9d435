"""Pools of quantized tensors, which take the greatest value of each window."""

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
from torch_refine.abstract_interp_lib.rules.pooling import pooled


def max_pool1d_of_self(
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
) -> List[int]:
    """The last dimension is pooled."""
    return pooled(self, 1, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool2d_of_self(
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
) -> List[int]:
    """The last two dimensions are pooled."""
    return pooled(self, 2, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool3d_of_self(
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
) -> List[int]:
    """The last three dimensions are pooled; there must be a batch."""
    assert len(self) == 5, f"the input must have 5 dimensions, got shape {self}"
    return pooled(self, 3, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool1d(
    qx: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
) -> List[int]:
    """The last dimension is pooled."""
    return pooled(qx, 1, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool2d(
    qx: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
) -> List[int]:
    """The last two dimensions are pooled."""
    return pooled(qx, 2, kernel_size, stride, padding, dilation, ceil_mode)


def dtype_of_qx(qx: Tuple[int, int]) -> int:
    """The dtype of the input."""
    return qx[1]


def Q(*sizes: int, dtype: torch.dtype = torch.quint8) -> TensorCase:
    """A quantized tensor for a case."""
    return T(*sizes, dtype=dtype)


def pool_ok(rank: int, *channels: int) -> list[Invocation]:
    """Cases for a pool of `rank` spatial dimensions of size 9, with or without a batch."""
    sizes = (*channels, *[9] * rank)

    def window(
        kernel: int, stride: int | None, padding: int, dilation: int
    ) -> tuple[list[int], ...]:
        strides = [] if stride is None else [stride] * rank
        return [kernel] * rank, strides, [padding] * rank, [dilation] * rank

    return [
        Invocation(Q(*sizes), *window(2, 2, 0, 1), False, device="cpu"),
        Invocation(Q(*sizes), *window(3, 2, 1, 1), True, device="cpu"),
        Invocation(Q(*sizes), *window(3, None, 1, 2), False, device="cpu"),
        Invocation(Q(*sizes), *window(4, 3, 2, 1), True, device="cpu"),
        Invocation(Q(*sizes), *window(2, 4, 1, 3), True, device="cpu"),
        Invocation(Q(0, 3, *sizes[-rank:]), *window(2, 2, 0, 1), False, device="cpu"),
        Invocation(Q(*sizes, dtype=torch.qint8), *window(2, 2, 0, 1), False, device="cpu"),
        Invocation(Q(*sizes, dtype=torch.qint32), *window(2, 2, 0, 1), False, device="cpu"),
    ]


def pool_error(rank: int) -> list[Invocation]:
    """What such a pool rejects."""
    sizes, one = (2, 3, *[9] * rank), [1] * rank
    return [
        Invocation(Q(*sizes[2:]), one, one, [0] * rank, one, False, device="cpu"),
        Invocation(Q(1, *sizes), one, one, [0] * rank, one, False, device="cpu"),
        Invocation(Q(*sizes), [10] * rank, one, [0] * rank, one, False, device="cpu"),
        Invocation(Q(*sizes), [0] * rank, one, [0] * rank, one, False, device="cpu"),
        Invocation(Q(*sizes), one, [0] * rank, [0] * rank, one, False, device="cpu"),
        Invocation(Q(*sizes), one, one, one, one, False, device="cpu"),
        Invocation(Q(*sizes), one, one, [-1] * rank, one, False, device="cpu"),
        Invocation(Q(*sizes), one, one, [0] * rank, [0] * rank, False, device="cpu"),
        Invocation(Q(*sizes), one * 4, one, [0] * rank, one, False, device="cpu"),
    ]


shape_family(
    max_pool1d_of_self,
    "aten::quantized_max_pool1d",
    ok=[*pool_ok(1, 2, 3), *pool_ok(1, 3), Invocation(Q(2, 3, 9), [2], device="cpu")],
    error=pool_error(1),
)
shape_family(
    max_pool2d_of_self,
    "aten::quantized_max_pool2d",
    ok=[*pool_ok(2, 2, 3), *pool_ok(2, 3), Invocation(Q(2, 3, 9, 8), [2, 3], device="cpu")],
    error=pool_error(2),
)
shape_family(
    max_pool3d_of_self,
    "aten::quantized_max_pool3d",
    ok=[*pool_ok(3, 2, 3), Invocation(Q(2, 3, 9, 8, 7), [2, 3, 4], device="cpu")],
    error=[
        *pool_error(3),
        Invocation(Q(3, 9, 9, 9), [2] * 3, [2] * 3, [0] * 3, [1] * 3, False, device="cpu"),
    ],
)
dtype_family(
    dtype_of_self,
    "aten::quantized_max_pool1d",
    "aten::quantized_max_pool2d",
    "aten::quantized_max_pool3d",
)
shape_family(
    max_pool1d,
    "quantized::max_pool1d",
    ok=pool_ok(1, 2, 3) + pool_ok(1, 3),
    error=pool_error(1),
)
# The meta kernel takes floats, too.
shape_family(
    max_pool2d,
    "quantized::max_pool2d",
    ok=[
        *pool_ok(2, 2, 3),
        *pool_ok(2, 3),
        Invocation(T(2, 3, 9, 9), [2, 2], [2, 2], [0, 0], [1, 1], False),
    ],
    error=pool_error(2),
)
dtype_family(dtype_of_qx, "quantized::max_pool1d", "quantized::max_pool2d")
