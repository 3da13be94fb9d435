"""Gradients of sampling at the points of a grid, and of grids; sampling without vectors."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.families.resampling import (
    grid_sampler,
    grid_sampler_dtype,
)
from torch_refine.abstract_interp_lib.rules.matching import check_same


def grid_sampler_backward(input: List[int], grid: List[int]) -> Tuple[List[int], List[int]]:
    """The shapes of input and grid."""
    grid_sampler(input, grid)
    return input, grid


def grid_sampler_backward_dtype(input: Tuple[int, int], grid: Tuple[int, int]) -> Tuple[int, int]:
    """Input and grid have one dtype, which the gradients keep."""
    dtype = grid_sampler_dtype(input, grid)
    return dtype, dtype


# The meta kernel of `grid_sampler_2d_backward` checks nothing.
WRONG_GRIDS = [
    Invocation(T(2, 3, 5, 7), T(2, 3, 8, 6), T(1, 5, 7, 2), 0, 0, False, [True, True]),
    Invocation(T(2, 3, 5, 7), T(2, 3, 8, 6), T(2, 5, 7, 3), 0, 0, False, [True, True]),
    Invocation(T(2, 3, 5, 7), T(2, 3, 0, 6), T(2, 5, 7, 2), 0, 0, False, [True, True]),
]
MIXED_GRID = (T(2, 3, 5, 7), T(2, 3, 8, 6), T(2, 5, 7, 2, dtype=torch.float64), 0, 0, False)

shape_family(
    grid_sampler_backward,
    "aten::grid_sampler_2d_backward",
    ok=[
        Invocation(T(2, 3, 5, 7), T(2, 3, 8, 6), T(2, 5, 7, 2), 0, 0, False, [True, True]),
        Invocation(T(2, 3, 5, 7), T(2, 3, 8, 6), T(2, 5, 7, 2), 1, 1, True, [False, True]),
        *[
            Invocation(
                T(2, 3, 5, 7, dtype=dtype),
                T(2, 3, 8, 6, dtype=dtype),
                T(2, 5, 7, 2, dtype=dtype),
                *(2, 2, False, [True, True]),
            )
            for dtype in (torch.float64, torch.bfloat16)
        ],
    ],
    error=[Invocation(*case.args, device="cpu") for case in WRONG_GRIDS],
)
shape_family(
    grid_sampler_backward,
    "aten::grid_sampler_3d_backward",
    ok=[
        Invocation(T(2, 3, 5, 7, 9), T(2, 3, 4, 8, 6), T(2, 5, 7, 9, 3), 0, 0, False, [True, True]),
        Invocation(T(2, 3, 5, 7, 9), T(2, 3, 4, 8, 6), T(2, 5, 7, 9, 3), 1, 1, True, [False, True]),
        Invocation(
            T(2, 3, 5, 7, 9, dtype=torch.float64),
            T(2, 3, 4, 8, 6, dtype=torch.float64),
            T(2, 5, 7, 9, 3, dtype=torch.float64),
            *(0, 0, False, [True, True]),
        ),
    ],
    error=[
        Invocation(T(2, 3, 5, 7, 9), T(2, 3, 4, 8, 6), T(2, 5, 7, 9, 2), 0, 0, False, [True, True]),
    ],
)
# They read values, so nothing of them runs on the meta device, and take float32 only.
shape_family(
    grid_sampler_backward,
    "aten::_grid_sampler_2d_cpu_fallback_backward",
    ok=[
        Invocation(T(2, 3, 5, 7), T(2, 3, 8, 6), T(2, 5, 7, 2), 0, 0, False, device="cpu"),
        Invocation(T(2, 3, 5, 7), T(2, 3, 8, 6), T(2, 5, 7, 2), 1, 1, True, device="cpu"),
    ],
    error=[Invocation(*case.args[:-1], device="cpu") for case in WRONG_GRIDS],
)
shape_family(
    grid_sampler,
    "aten::_grid_sampler_2d_cpu_fallback",
    ok=[
        Invocation(T(2, 3, 8, 6), T(2, 5, 7, 2), 0, 0, False, device="cpu"),
        Invocation(T(0, 3, 8, 6), T(0, 5, 7, 2), 1, 1, True, device="cpu"),
    ],
    error=[Invocation(*case.args[1:-1], device="cpu") for case in WRONG_GRIDS],
)
dtype_family(
    grid_sampler_backward_dtype,
    "aten::grid_sampler_2d_backward",
    error=[Invocation(*MIXED_GRID, [True, True], device="cpu")],
)
dtype_family(grid_sampler_backward_dtype, "aten::grid_sampler_3d_backward")


def fallback_dtype(input: Tuple[int, int]) -> int:
    """The dtype of the input; an empty batch may come with any other dtype."""
    return input[1]


def fallback_backward_dtype(input: Tuple[int, int], grid: Tuple[int, int]) -> Tuple[int, int]:
    """The dtypes of input and grid."""
    return input[1], grid[1]


dtype_family(fallback_backward_dtype, "aten::_grid_sampler_2d_cpu_fallback_backward")
dtype_family(fallback_dtype, "aten::_grid_sampler_2d_cpu_fallback")


@shape_function(
    "aten::affine_grid_generator_backward",
    ok=[
        Invocation(T(2, 5, 6, 2), [2, 3, 5, 6], True),
        Invocation(T(2, 4, 5, 6, 3), [2, 3, 4, 5, 6], False),
        Invocation(T(0, 5, 6, 2), [0, 3, 5, 6], True),
        Invocation(T(2, 5, 6, 2, dtype=torch.bfloat16), [2, 3, 5, 6], True),
        Invocation(T(2, 5, 6, 2, dtype=torch.float64), [2, 3, 5, 6], True),
    ],
    error=[
        Invocation(T(2, 5, 2), [2, 3, 5], True),
        Invocation(T(2, 5, 7, 2), [2, 3, 5, 6], True),
        Invocation(T(2, 5, 6, 3), [2, 3, 5, 6], True),
    ],
)
def affine_grid_generator_backward(
    grad: List[int], size: List[int], align_corners: bool
) -> List[int]:
    """A matrix for each entry of the batch."""
    rank = len(size) - 2
    assert rank == 2 or rank == 3, (
        f"aten::affine_grid_generator_backward: size must have 4 or 5 entries, got {size}"
    )
    check_same(grad, size[:1] + size[2:] + [rank], "grad")
    return [size[0], rank, rank + 1]


def affine_grid_backward_dtype(grad: Tuple[int, int]) -> int:
    """The dtype of `grad`."""
    return grad[1]


dtype_family(affine_grid_backward_dtype, "aten::affine_grid_generator_backward")
