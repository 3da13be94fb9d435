"""Upsampling, grid sampling, and their gradients."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.matching import check_same


def check_resized(input: List[int], sizes: List[int]) -> None:
    """Raise unless `sizes` are positive and match the spatial dimensions of a batched input."""
    assert len(input) == len(sizes) + 2, (
        f"the input must have {len(sizes) + 2} dimensions for {len(sizes)} spatial sizes, got {input}"
    )
    for i in range(len(sizes)):
        assert sizes[i] > 0 and input[i + 2] > 0, (
            f"input and output sizes must be positive, got {input} and {sizes}"
        )


def upsample(self: List[int], output_size: List[int]) -> List[int]:
    """Batch and channels, and the requested sizes; scales only affect values."""
    check_resized(self, output_size)
    return self[:2] + output_size


def scaled_sizes(sizes: List[int], factors: List[float]) -> List[int]:
    """Each size times its scale factor, rounded down."""
    assert len(sizes) == len(factors), (
        f"expected one scale factor per size of {sizes}, got {factors}"
    )
    return [int(sizes[i] * factors[i]) for i in range(len(sizes))]


def upsample_vec(
    input: List[int], output_size: Optional[List[int]], scale_factors: Optional[List[float]]
) -> List[int]:
    """Batch and channels, and spatial sizes given or computed from scale factors."""
    if output_size is not None:
        assert scale_factors is None, (
            f"only one of size and scale_factor must be given, got {output_size} and {scale_factors}"
        )
        sizes = output_size
    else:
        assert scale_factors is not None, "one of size and scale_factor must be given, got neither"
        sizes = scaled_sizes(input[2:], scale_factors)
    check_resized(input, sizes)
    return input[:2] + sizes


def upsample_vec_dtype(input: Tuple[int, int]) -> int:
    """The dtype of `input`."""
    return input[1]


# The meta kernels of `upsample_nearest2d` fail for an empty batch, which the CPU accepts.
shape_family(
    upsample,
    "aten::upsample_nearest1d",
    "aten::_upsample_nearest_exact1d",
    ok=[
        Invocation(T(2, 3, 8), [5]),
        Invocation(T(2, 3, 8), [5], 0.3),
        Invocation(T(0, 3, 8), [16], scales=None, device="cpu"),
        Invocation(T(2, 3, 8, dtype=torch.float16), [5]),
        Invocation(T(2, 3, 8, dtype=torch.uint8), [5]),
    ],
    error=[
        Invocation(T(3, 8), [5]),
        Invocation(T(2, 3, 8), [5, 5]),
        Invocation(T(2, 3, 8), [0]),
        Invocation(T(2, 3, 0), [5]),
    ],
)
shape_family(
    upsample,
    "aten::upsample_nearest2d",
    "aten::_upsample_nearest_exact2d",
    ok=[
        Invocation(T(2, 3, 8, 6), [5, 7]),
        Invocation(T(2, 3, 8, 6), [5, 7], 0.3, None),
        Invocation(T(0, 3, 8, 6), [5, 7], device="cpu"),
        Invocation(T(2, 3, 8, 6, dtype=torch.bfloat16), [5, 7]),
    ],
    error=[Invocation(T(3, 8, 6), [5, 7]), Invocation(T(2, 3, 8, 6), [5])],
)
shape_family(
    upsample,
    "aten::upsample_nearest3d",
    "aten::_upsample_nearest_exact3d",
    ok=[
        Invocation(T(2, 3, 4, 8, 6), [5, 7, 9]),
        Invocation(T(2, 3, 4, 8, 6, dtype=torch.float64), [5, 7, 9], scales_w=2.0),
    ],
    error=[Invocation(T(3, 4, 8, 6), [5, 7, 9])],
)
shape_family(
    upsample,
    "aten::upsample_linear1d",
    ok=[
        Invocation(T(2, 3, 8), [5], True),
        Invocation(T(2, 3, 8, dtype=torch.bfloat16), [5], False, 0.3),
    ],
    error=[Invocation(T(3, 8), [5], True, device="cpu")],
)
shape_family(
    upsample,
    "aten::upsample_bilinear2d",
    "aten::upsample_bicubic2d",
    "aten::_upsample_bilinear2d_aa",
    "aten::_upsample_bicubic2d_aa",
    ok=[
        Invocation(T(2, 3, 8, 6), [5, 7], True),
        Invocation(T(0, 3, 8, 6), [5, 7], False, 0.5, 2.0),
        Invocation(T(2, 3, 8, 6, dtype=torch.float64), [5, 7], False),
        Invocation(T(2, 3, 8, 6, dtype=torch.uint8), [5, 7], False),
        Invocation(T(2, 3, 8, 6, dtype=torch.float16), [5, 7], False),
    ],
    error=[
        Invocation(T(3, 8, 6), [5, 7], True, device="cpu"),
        Invocation(T(2, 3, 8, 6), [0, 7], True, device="cpu"),
    ],
)
shape_family(
    upsample,
    "aten::upsample_trilinear3d",
    ok=[
        Invocation(T(2, 3, 4, 8, 6), [5, 7, 9], True),
        Invocation(T(2, 3, 4, 8, 6, dtype=torch.float16), [5, 7, 9], False),
    ],
    error=[Invocation(T(3, 4, 8, 6), [5, 7, 9], True, device="cpu")],
)
dtype_family(
    dtype_of_self,
    "aten::upsample_nearest1d",
    "aten::_upsample_nearest_exact1d",
    "aten::upsample_nearest2d",
    "aten::_upsample_nearest_exact2d",
    "aten::upsample_nearest3d",
    "aten::_upsample_nearest_exact3d",
    "aten::upsample_linear1d",
    "aten::upsample_bilinear2d",
    "aten::upsample_bicubic2d",
    "aten::_upsample_bilinear2d_aa",
    "aten::_upsample_bicubic2d_aa",
    "aten::upsample_trilinear3d",
)

shape_family(
    upsample_vec,
    "aten::upsample_nearest1d.vec",
    "aten::_upsample_nearest_exact1d.vec",
    ok=[
        Invocation(T(2, 3, 8), [5], None),
        # In floating point 100 * 1.15 is slightly less than 115.
        Invocation(T(2, 3, 100), None, [1.15]),
        Invocation(T(2, 3, 10, dtype=torch.uint8), None, [0.7]),
    ],
    error=[
        Invocation(T(2, 3, 8), None, None),
        Invocation(T(2, 3, 8), [5], [2.0]),
        Invocation(T(2, 3, 8), None, [2.0, 2.0]),
        Invocation(T(2, 3, 8), [5, 5], None),
        Invocation(T(2, 3, 8), None, [0.1]),
    ],
)
shape_family(
    upsample_vec,
    "aten::upsample_nearest2d.vec",
    "aten::_upsample_nearest_exact2d.vec",
    ok=[
        Invocation(T(2, 3, 8, 6), [5, 7], None),
        Invocation(T(2, 3, 8, 6, dtype=torch.float16), None, [1.5, 0.4]),
    ],
    error=[Invocation(T(2, 3, 8, 6), None, None)],
)
shape_family(
    upsample_vec,
    "aten::upsample_nearest3d.vec",
    "aten::_upsample_nearest_exact3d.vec",
    ok=[
        Invocation(T(2, 3, 4, 8, 6), [5, 7, 9], None),
        Invocation(T(2, 3, 4, 8, 6), None, [2.0, 1.3, 0.5]),
        Invocation(T(2, 3, 4, 8, 6, dtype=torch.bfloat16), None, [2.0, 1.3, 0.5]),
    ],
    error=[Invocation(T(2, 3, 4, 8, 6), None, None)],
)
shape_family(
    upsample_vec,
    "aten::upsample_linear1d.vec",
    ok=[
        Invocation(T(2, 3, 8), [5], True, None),
        Invocation(T(2, 3, 8, dtype=torch.bfloat16), None, False, [2.5]),
    ],
    error=[Invocation(T(2, 3, 8), None, True, None)],
)
shape_family(
    upsample_vec,
    "aten::upsample_bilinear2d.vec",
    "aten::upsample_bicubic2d.vec",
    "aten::_upsample_bilinear2d_aa.vec",
    "aten::_upsample_bicubic2d_aa.vec",
    ok=[
        Invocation(T(2, 3, 8, 6), [5, 7], True, None),
        Invocation(T(2, 3, 8, 6), None, False, [1.5, 0.4]),
        Invocation(T(2, 3, 8, 6, dtype=torch.uint8), [5, 7], False, None),
    ],
    error=[
        Invocation(T(2, 3, 8, 6), [5, 7], True, [2.0, 2.0]),
        Invocation(T(2, 3, 8, 6), None, True, [1.5, 0.1], device="cpu"),
    ],
)
shape_family(
    upsample_vec,
    "aten::upsample_trilinear3d.vec",
    ok=[
        Invocation(T(2, 3, 4, 8, 6), [5, 7, 9], True, None),
        Invocation(T(2, 3, 4, 8, 6), None, False, [2.0, 1.3, 0.5]),
        Invocation(T(2, 3, 4, 8, 6, dtype=torch.float16), None, False, [2.0, 1.3, 0.5]),
    ],
    error=[Invocation(T(2, 3, 4, 8, 6), None, True, None)],
)
dtype_family(
    upsample_vec_dtype,
    "aten::upsample_nearest1d.vec",
    "aten::_upsample_nearest_exact1d.vec",
    "aten::upsample_nearest2d.vec",
    "aten::_upsample_nearest_exact2d.vec",
    "aten::upsample_nearest3d.vec",
    "aten::_upsample_nearest_exact3d.vec",
    "aten::upsample_linear1d.vec",
    "aten::upsample_bilinear2d.vec",
    "aten::upsample_bicubic2d.vec",
    "aten::_upsample_bilinear2d_aa.vec",
    "aten::_upsample_bicubic2d_aa.vec",
    "aten::upsample_trilinear3d.vec",
)


def grid_sampler(input: List[int], grid: List[int]) -> List[int]:
    """Batch and channels of the input, and the spatial sizes of the grid."""
    rank = len(input) - 2
    assert rank == 2 or rank == 3, f"the input must have 4 or 5 dimensions, got shape {input}"
    assert len(grid) == len(input), (
        f"input and grid must have the same rank, got {input} and {grid}"
    )
    assert grid[0] == input[0], f"batch sizes must match, got {input[0]} and {grid[0]}"
    assert grid[-1] == rank, f"the last dimension of grid must have size {rank}, got {grid[-1]}"
    for size in input[2:]:
        assert size > 0, f"the spatial dimensions of the input must not be empty, got shape {input}"
    return input[:2] + grid[1:-1]


def grid_sampler_dtype(input: Tuple[int, int], grid: Tuple[int, int]) -> int:
    """Input and grid have the same dtype, which the result keeps."""
    assert input[1] == grid[1], f"dtypes must match, got {input[1]} and {grid[1]}"
    return input[1]


# The meta kernels check less than those of any device.
SAMPLES_2D_OK = [
    Invocation(T(2, 3, 8, 6), T(2, 5, 7, 2), 0, 0, False),
    Invocation(T(0, 3, 8, 6), T(0, 5, 0, 2), 1, 1, True),
    Invocation(
        T(2, 3, 8, 6, dtype=torch.bfloat16), T(2, 5, 7, 2, dtype=torch.bfloat16), 0, 0, False
    ),
]
SAMPLES_2D_ERROR = [
    Invocation(T(2, 3, 8, 6), T(1, 5, 7, 2), 0, 0, False),
    Invocation(T(2, 3, 8, 6), T(2, 5, 7, 3), 0, 0, False),
    Invocation(T(2, 3, 8, 6), T(2, 5, 2), 0, 0, False),
    Invocation(T(3, 8, 6), T(3, 5, 7, 2), 0, 0, False),
    Invocation(T(2, 3, 0, 6), T(2, 5, 7, 2), 0, 0, False, device="cpu"),
]
SAMPLES_3D_OK = [
    Invocation(T(2, 3, 4, 8, 6), T(2, 5, 7, 9, 3), 0, 0, False),
    Invocation(
        T(2, 3, 4, 8, 6, dtype=torch.float64),
        T(2, 5, 7, 9, 3, dtype=torch.float64),
        *(1, 0, True),
    ),
]
SAMPLES_3D_ERROR = [Invocation(T(2, 3, 4, 8, 6), T(2, 5, 7, 9, 2), 0, 0, False, device="cpu")]
MIXED_DTYPES = Invocation(
    T(2, 3, 8, 6), T(2, 5, 7, 2, dtype=torch.float64), 0, 0, False, device="cpu"
)

shape_family(
    grid_sampler,
    "aten::grid_sampler",
    ok=SAMPLES_2D_OK + SAMPLES_3D_OK,
    error=SAMPLES_2D_ERROR + SAMPLES_3D_ERROR,
)
shape_family(grid_sampler, "aten::grid_sampler_2d", ok=SAMPLES_2D_OK, error=SAMPLES_2D_ERROR)
shape_family(grid_sampler, "aten::grid_sampler_3d", ok=SAMPLES_3D_OK, error=SAMPLES_3D_ERROR)
dtype_family(
    grid_sampler_dtype, "aten::grid_sampler", "aten::grid_sampler_2d", error=[MIXED_DTYPES]
)
dtype_family(grid_sampler_dtype, "aten::grid_sampler_3d")


@shape_function(
    "aten::affine_grid_generator",
    ok=[
        Invocation(T(2, 2, 3), [2, 3, 5, 6], True),
        Invocation(T(2, 3, 4), [2, 3, 4, 5, 6], False),
        Invocation(T(0, 2, 3, dtype=torch.float64), [0, 3, 5, 6], True),
        Invocation(T(2, 2, 3, dtype=torch.bfloat16), [2, 3, 5, 6], True),
    ],
    error=[
        Invocation(T(2, 2, 3), [2, 3, 5], True),
        Invocation(T(1, 2, 3), [2, 3, 5, 6], True),
        Invocation(T(2, 3, 4), [2, 3, 5, 6], True),
        Invocation(T(2, 3), [2, 3, 5, 6], True),
    ],
)
def affine_grid_generator(theta: List[int], size: List[int], align_corners: bool) -> List[int]:
    """One grid point per spatial position of an input of shape `size`."""
    rank = len(size) - 2
    assert rank == 2 or rank == 3, (
        f"aten::affine_grid_generator: size must have 4 or 5 entries, got {size}"
    )
    assert len(theta) == 3 and theta[0] == size[0] and theta[1] == rank and theta[2] == rank + 1, (
        f"aten::affine_grid_generator: theta must be {rank} by {rank + 1} matrices for a batch of "
        f"{size[0]}, got shape {theta}"
    )
    return size[:1] + size[2:] + [rank]


def affine_grid_dtype(theta: Tuple[int, int]) -> int:
    """The dtype of `theta`."""
    return theta[1]


dtype_family(affine_grid_dtype, "aten::affine_grid_generator")


# Gradients of upsampling, and resampling with a Lanczos window.


def upsample_backward(
    grad_output: List[int], output_size: List[int], input_size: List[int]
) -> List[int]:
    """The shape is the argument `input_size`; the gradient has the shape of the output."""
    check_same(grad_output, upsample(input_size, output_size), "grad_output")
    return input_size


def upsample_backward_dtype(grad_output: Tuple[int, int]) -> int:
    """The dtype of `grad_output`."""
    return grad_output[1]


def gradients_1d(*rest: bool) -> list[Invocation]:
    """Cases for one spatial dimension; `rest` precedes the scales."""
    return [
        Invocation(T(2, 3, 5), [5], [2, 3, 8], *rest),
        Invocation(T(2, 3, 5), [5], [2, 3, 8], *rest, scales=0.6),
        Invocation(T(2, 3, 5, dtype=torch.bfloat16), [5], [2, 3, 8], *rest),
        Invocation(T(2, 3, 5, dtype=torch.float64), [5], [2, 3, 8], *rest),
    ]


def wrong_gradients_1d(*rest: bool) -> list[Invocation]:
    """Cases that such an operator rejects."""
    return [
        Invocation(T(2, 3, 6), [5], [2, 3, 8], *rest),
        Invocation(T(3, 5), [5], [2, 3, 8], *rest),
        Invocation(T(2, 3, 5), [5, 5], [2, 3, 8], *rest),
        Invocation(T(2, 3, 5), [5], [2, 3, 0], *rest),
    ]


def gradients_2d(*rest: bool) -> list[Invocation]:
    """Cases for two spatial dimensions."""
    return [
        Invocation(T(2, 3, 5, 7), [5, 7], [2, 3, 8, 6], *rest),
        Invocation(T(2, 3, 5, 7), [5, 7], [2, 3, 8, 6], *rest, scales_h=0.6, scales_w=None),
        Invocation(T(2, 3, 5, 7, dtype=torch.float16), [5, 7], [2, 3, 8, 6], *rest),
        Invocation(T(2, 3, 5, 7, dtype=torch.float64), [5, 7], [2, 3, 8, 6], *rest),
    ]


def wrong_gradients_2d(*rest: bool) -> list[Invocation]:
    """Cases that such an operator rejects."""
    return [
        Invocation(T(2, 3, 5, 6), [5, 7], [2, 3, 8, 6], *rest),
        Invocation(T(1, 3, 5, 7), [5, 7], [2, 3, 8, 6], *rest),
        Invocation(T(3, 5, 7), [5, 7], [2, 3, 8, 6], *rest),
        Invocation(T(2, 3, 5, 7), [5], [2, 3, 8, 6], *rest),
    ]


def gradients_3d(*rest: bool) -> list[Invocation]:
    """Cases for three spatial dimensions."""
    return [
        Invocation(T(2, 3, 5, 7, 9), [5, 7, 9], [2, 3, 4, 8, 6], *rest),
        Invocation(T(2, 3, 5, 7, 9), [5, 7, 9], [2, 3, 4, 8, 6], *rest, scales_d=1.2),
        Invocation(T(2, 3, 5, 7, 9, dtype=torch.bfloat16), [5, 7, 9], [2, 3, 4, 8, 6], *rest),
    ]


def wrong_gradients_3d(*rest: bool) -> list[Invocation]:
    """Cases that such an operator rejects."""
    return [
        Invocation(T(2, 3, 5, 7, 8), [5, 7, 9], [2, 3, 4, 8, 6], *rest),
        Invocation(T(2, 3, 5, 7, 9), [5, 7, 9], [2, 3, 4, 0, 6], *rest),
    ]


shape_family(
    upsample_backward,
    "aten::upsample_nearest1d_backward",
    "aten::_upsample_nearest_exact1d_backward",
    ok=gradients_1d(),
    error=wrong_gradients_1d(),
)
shape_family(
    upsample_backward,
    "aten::upsample_linear1d_backward",
    ok=gradients_1d(True),
    error=wrong_gradients_1d(True),
)
shape_family(
    upsample_backward,
    "aten::upsample_nearest2d_backward",
    "aten::_upsample_nearest_exact2d_backward",
    ok=gradients_2d(),
    error=wrong_gradients_2d(),
)
shape_family(
    upsample_backward,
    "aten::upsample_bilinear2d_backward",
    "aten::upsample_bicubic2d_backward",
    "aten::_upsample_bilinear2d_aa_backward",
    "aten::_upsample_bicubic2d_aa_backward",
    "aten::_upsample_lanczos2d_aa_backward",
    ok=gradients_2d(False),
    error=wrong_gradients_2d(False),
)
shape_family(
    upsample_backward,
    "aten::upsample_nearest3d_backward",
    "aten::_upsample_nearest_exact3d_backward",
    ok=gradients_3d(),
    error=wrong_gradients_3d(),
)
shape_family(
    upsample_backward,
    "aten::upsample_trilinear3d_backward",
    ok=gradients_3d(True),
    error=wrong_gradients_3d(True),
)
dtype_family(
    upsample_backward_dtype,
    "aten::upsample_nearest1d_backward",
    "aten::_upsample_nearest_exact1d_backward",
    "aten::upsample_linear1d_backward",
    "aten::upsample_nearest2d_backward",
    "aten::_upsample_nearest_exact2d_backward",
    "aten::upsample_bilinear2d_backward",
    "aten::upsample_bicubic2d_backward",
    "aten::_upsample_bilinear2d_aa_backward",
    "aten::_upsample_bicubic2d_aa_backward",
    "aten::_upsample_lanczos2d_aa_backward",
    "aten::upsample_nearest3d_backward",
    "aten::_upsample_nearest_exact3d_backward",
    "aten::upsample_trilinear3d_backward",
)

shape_family(
    upsample,
    "aten::_upsample_lanczos2d_aa",
    ok=[
        Invocation(T(2, 3, 8, 6), [5, 7], True),
        Invocation(T(0, 3, 8, 6), [5, 7], False, 0.5, 2.0),
        Invocation(T(2, 3, 8, 6, dtype=torch.float64), [5, 7], False),
        Invocation(T(2, 3, 8, 6, dtype=torch.uint8), [5, 7], False),
    ],
    error=[
        Invocation(T(3, 8, 6), [5, 7], True),
        Invocation(T(2, 3, 8, 6), [5], True),
        Invocation(T(2, 3, 8, 6), [0, 7], True),
    ],
)
dtype_family(dtype_of_self, "aten::_upsample_lanczos2d_aa")
shape_family(
    upsample_vec,
    "aten::_upsample_lanczos2d_aa.vec",
    ok=[
        Invocation(T(2, 3, 8, 6), [5, 7], True, None),
        Invocation(T(2, 3, 8, 6), None, False, [1.5, 0.4]),
        Invocation(T(2, 3, 8, 6, dtype=torch.uint8), [5, 7], False, None),
    ],
    error=[
        Invocation(T(2, 3, 8, 6), [5, 7], True, [2.0, 2.0]),
        Invocation(T(2, 3, 8, 6), None, True, None),
    ],
)
dtype_family(upsample_vec_dtype, "aten::_upsample_lanczos2d_aa.vec")


# Gradients of grid sampling and of affine grids, and the non-vectorized fallback kernels.


def grid_sampler_backward(input: List[int], grid: List[int]) -> Tuple[List[int], List[int]]:
    """The shapes of input and grid."""
    grid_sampler(input, grid)
    return input, grid


def grid_sampler_backward_dtype(input: Tuple[int, int], grid: Tuple[int, int]) -> Tuple[int, int]:
    """Input and grid have the same dtype, which the gradients keep."""
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
# They read values, so the cases do not run on the meta device, and accept float32 only.
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
    """The dtype of the input; an empty batch accepts any other dtype for the grid."""
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
    """One matrix per batch entry."""
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
