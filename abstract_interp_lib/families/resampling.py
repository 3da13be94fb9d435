"""Upsampling, and sampling at the points of a grid."""

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


def check_resized(input: List[int], sizes: List[int]) -> None:
    """Raise unless `sizes`, all positive, are for the spatial dimensions of a batch."""
    assert len(input) == len(sizes) + 2, (
        f"an input for {len(sizes)} spatial sizes needs {len(sizes) + 2} dimensions, got {input}"
    )
    for i in range(len(sizes)):
        assert sizes[i] > 0 and input[i + 2] > 0, (
            f"spatial sizes must be positive, got {input} resized to {sizes}"
        )


def upsample(self: List[int], output_size: List[int]) -> List[int]:
    """Batch and channels, and the sizes asked for; scales change only how values are computed."""
    check_resized(self, output_size)
    return self[:2] + output_size


def scaled_sizes(sizes: List[int], factors: List[float]) -> List[int]:
    """Each size times its factor, rounded down."""
    assert len(sizes) == len(factors), (
        f"there must be a scale factor for each of the sizes {sizes}, got {factors}"
    )
    return [int(sizes[i] * factors[i]) for i in range(len(sizes))]


def upsample_vec(
    input: List[int], output_size: Optional[List[int]], scale_factors: Optional[List[float]]
) -> List[int]:
    """Batch and channels, and spatial sizes that are given or scaled."""
    if output_size is not None:
        assert scale_factors is None, (
            f"either sizes or scale factors must be given, got {output_size} and {scale_factors}"
        )
        sizes = output_size
    else:
        assert scale_factors is not None, "either sizes or scale factors must be given, got neither"
        sizes = scaled_sizes(input[2:], scale_factors)
    check_resized(input, sizes)
    return input[:2] + sizes


def upsample_vec_dtype(input: Tuple[int, int]) -> int:
    """The dtype of `input`."""
    return input[1]


# The meta kernels of `upsample_nearest2d` fail for an empty batch, where the CPU works.
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
        # 100 * 1.15 is a little less than 115.
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
    """Batch and channels of the input, at as many points as the grid has."""
    rank = len(input) - 2
    assert rank == 2 or rank == 3, f"the input must have 4 or 5 dimensions, got shape {input}"
    assert len(grid) == len(input), f"a grid for {input} needs as many dimensions, got {grid}"
    assert grid[0] == input[0], f"batch sizes must match, got {input[0]} and {grid[0]}"
    assert grid[-1] == rank, f"a point of the grid must have {rank} coordinates, got {grid[-1]}"
    for size in input[2:]:
        assert size > 0, f"the input must have values to sample, got shape {input}"
    return input[:2] + grid[1:-1]


def grid_sampler_dtype(input: Tuple[int, int], grid: Tuple[int, int]) -> int:
    """Input and grid have one dtype, which the samples keep."""
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
    """A point for each entry of an input of shape `size`, less its channels."""
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
