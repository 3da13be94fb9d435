"""Gradients of padding by reflection and by replication."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.gradients import check_spatial
from torch_refine.abstract_interp_lib.rules.padding import padded


def pad_backward(
    grad_output: List[int], self: List[int], padding: List[int], rank: int
) -> List[int]:
    """The shape of `self`; the gradient has the padded sizes.

    PyTorch reads no more of the padding than it needs.
    """
    assert len(padding) >= 2 * rank, f"padding must have {2 * rank} entries, got {padding}"
    check_spatial(grad_output, self, padded(self, padding[: 2 * rank])[-rank:])
    return self


def pad1d_backward(grad_output: List[int], self: List[int], padding: List[int]) -> List[int]:
    """The shape of `self`, of which the last dimension was padded."""
    return pad_backward(grad_output, self, padding, 1)


def pad2d_backward(grad_output: List[int], self: List[int], padding: List[int]) -> List[int]:
    """The shape of `self`, of which the last two dimensions were padded."""
    return pad_backward(grad_output, self, padding, 2)


def pad3d_backward(grad_output: List[int], self: List[int], padding: List[int]) -> List[int]:
    """The shape of `self`, of which the last three dimensions were padded."""
    return pad_backward(grad_output, self, padding, 3)


HALF_3D = [T(2, 3, 4, 5, 6, dtype=torch.float16), T(2, 3, 4, 5, 4, dtype=torch.float16)]

shape_family(
    pad1d_backward,
    "aten::reflection_pad1d_backward",
    "aten::replication_pad1d_backward",
    ok=[
        Invocation(T(2, 3, 8), T(2, 3, 4), [3, 1]),
        Invocation(T(3, 5), T(3, 4), [-1, 2]),
        Invocation(T(0, 3, 6), T(0, 3, 4), [1, 1]),
        Invocation(T(3, 6, dtype=torch.float64), T(3, 4, dtype=torch.float64), [1, 1]),
        Invocation(T(3, 6, dtype=torch.complex64), T(3, 4, dtype=torch.complex64), [1, 1]),
    ],
    error=[
        Invocation(T(2, 3, 7), T(2, 3, 4), [3, 1]),
        Invocation(T(2, 3, 5), T(2, 3, 4), [1]),
    ],
)
shape_family(
    pad2d_backward,
    "aten::reflection_pad2d_backward",
    "aten::replication_pad2d_backward",
    ok=[
        Invocation(T(2, 3, 7, 10), T(2, 3, 4, 5), [4, 1, 0, 3]),
        Invocation(T(3, 4, 6), T(3, 4, 5), [-1, 2, 1, -1]),
        Invocation(
            T(2, 3, 6, dtype=torch.bfloat16), T(2, 3, 4, dtype=torch.bfloat16), [1, 1, 0, 0]
        ),
    ],
    error=[
        Invocation(T(2, 3, 7, 9), T(2, 3, 4, 5), [4, 1, 0, 3]),
        Invocation(T(2, 3, 6, 10), T(2, 3, 4, 5), [4, 1, 0, 3]),
    ],
)
shape_family(
    pad3d_backward,
    "aten::reflection_pad3d_backward",
    "aten::replication_pad3d_backward",
    ok=[
        Invocation(T(2, 3, 9, 9, 12), T(2, 3, 4, 5, 6), [5, 1, 0, 4, 3, 2]),
        Invocation(T(3, 4, 5, 7), T(3, 4, 5, 6), [-1, 2, 1, -1, 0, 0]),
        Invocation(*HALF_3D, [1, 1, 0, 0, 0, 0]),
    ],
    error=[
        Invocation(T(2, 3, 9, 9, 9), T(2, 3, 4, 5, 6), [5, 1, 0, 4, 3, 2]),
        Invocation(T(3, 4, 5, 7), T(2, 3, 4, 5, 6), [1, 0, 0, 0, 0, 0]),
        Invocation(T(3, 4, 5, 7), T(3, 4, 5, 6), [1, 0]),
    ],
)
dtype_family(
    dtype_of_self,
    "aten::reflection_pad1d_backward",
    "aten::replication_pad1d_backward",
    "aten::reflection_pad2d_backward",
    "aten::replication_pad2d_backward",
    "aten::reflection_pad3d_backward",
    "aten::replication_pad3d_backward",
)
