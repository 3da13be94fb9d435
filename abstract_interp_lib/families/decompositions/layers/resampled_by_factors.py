"""Images resampled to a size, or by factors."""

import math
from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition_family


def wanted_sizes(
    input: torch.Tensor, output_size: Optional[List[int]], scale_factors: Optional[List[float]]
) -> List[int]:
    """The given sizes, or those of the input times the factors, rounded down."""
    if output_size is not None:
        return output_size
    assert scale_factors is not None, "PyTorch rejects neither sizes nor factors"
    sizes: List[int] = []
    for index in range(len(scale_factors)):
        size, times = input.size(index + 2), int(scale_factors[index])
        # Of integers, where they are enough, as unknown floats cannot be converted to sizes.
        is_whole = float(times) == scale_factors[index]
        sizes.append(size * times if is_whole else math.floor(size * scale_factors[index]))
    return sizes


def factor(scale_factors: Optional[List[float]], index: int) -> Optional[float]:
    """The factor of a dimension, if any is given."""
    return None if scale_factors is None else scale_factors[index]


def nearest_row(
    input: torch.Tensor,
    output_size: Optional[List[int]],
    scale_factors: Optional[List[float]],
) -> torch.Tensor:
    """`upsample_nearest1d`."""
    sizes = wanted_sizes(input, output_size, scale_factors)
    return torch.ops.aten.upsample_nearest1d(input, sizes, factor(scale_factors, 0))


decomposition_family(nearest_row, "aten::upsample_nearest1d.vec")


def exact_row(
    input: torch.Tensor,
    output_size: Optional[List[int]],
    scale_factors: Optional[List[float]],
) -> torch.Tensor:
    """`_upsample_nearest_exact1d`."""
    sizes = wanted_sizes(input, output_size, scale_factors)
    return torch.ops.aten._upsample_nearest_exact1d(input, sizes, factor(scale_factors, 0))


decomposition_family(exact_row, "aten::_upsample_nearest_exact1d.vec")


def nearest_image(
    input: torch.Tensor,
    output_size: Optional[List[int]],
    scale_factors: Optional[List[float]],
) -> torch.Tensor:
    """`upsample_nearest2d`."""
    sizes = wanted_sizes(input, output_size, scale_factors)
    return torch.ops.aten.upsample_nearest2d(
        input, sizes, factor(scale_factors, 0), factor(scale_factors, 1)
    )


decomposition_family(nearest_image, "aten::upsample_nearest2d.vec")


def exact_image(
    input: torch.Tensor,
    output_size: Optional[List[int]],
    scale_factors: Optional[List[float]],
) -> torch.Tensor:
    """`_upsample_nearest_exact2d`."""
    sizes = wanted_sizes(input, output_size, scale_factors)
    return torch.ops.aten._upsample_nearest_exact2d(
        input, sizes, factor(scale_factors, 0), factor(scale_factors, 1)
    )


decomposition_family(exact_image, "aten::_upsample_nearest_exact2d.vec")


def nearest_volume(
    input: torch.Tensor,
    output_size: Optional[List[int]],
    scale_factors: Optional[List[float]],
) -> torch.Tensor:
    """`upsample_nearest3d`."""
    sizes = wanted_sizes(input, output_size, scale_factors)
    return torch.ops.aten.upsample_nearest3d(
        input, sizes, factor(scale_factors, 0), factor(scale_factors, 1), factor(scale_factors, 2)
    )


decomposition_family(nearest_volume, "aten::upsample_nearest3d.vec")


def exact_volume(
    input: torch.Tensor,
    output_size: Optional[List[int]],
    scale_factors: Optional[List[float]],
) -> torch.Tensor:
    """`_upsample_nearest_exact3d`."""
    sizes = wanted_sizes(input, output_size, scale_factors)
    return torch.ops.aten._upsample_nearest_exact3d(
        input, sizes, factor(scale_factors, 0), factor(scale_factors, 1), factor(scale_factors, 2)
    )


decomposition_family(exact_volume, "aten::_upsample_nearest_exact3d.vec")


def linear_row(
    input: torch.Tensor,
    output_size: Optional[List[int]],
    align_corners: bool,
    scale_factors: Optional[List[float]],
) -> torch.Tensor:
    """`upsample_linear1d`."""
    sizes = wanted_sizes(input, output_size, scale_factors)
    return torch.ops.aten.upsample_linear1d(input, sizes, align_corners, factor(scale_factors, 0))


decomposition_family(linear_row, "aten::upsample_linear1d.vec")


def bilinear_image(
    input: torch.Tensor,
    output_size: Optional[List[int]],
    align_corners: bool,
    scale_factors: Optional[List[float]],
) -> torch.Tensor:
    """`upsample_bilinear2d`."""
    sizes = wanted_sizes(input, output_size, scale_factors)
    return torch.ops.aten.upsample_bilinear2d(
        input, sizes, align_corners, factor(scale_factors, 0), factor(scale_factors, 1)
    )


decomposition_family(bilinear_image, "aten::upsample_bilinear2d.vec")


def trilinear_volume(
    input: torch.Tensor,
    output_size: Optional[List[int]],
    align_corners: bool,
    scale_factors: Optional[List[float]],
) -> torch.Tensor:
    """`upsample_trilinear3d`."""
    sizes = wanted_sizes(input, output_size, scale_factors)
    return torch.ops.aten.upsample_trilinear3d(
        input,
        sizes,
        align_corners,
        factor(scale_factors, 0),
        factor(scale_factors, 1),
        factor(scale_factors, 2),
    )


decomposition_family(trilinear_volume, "aten::upsample_trilinear3d.vec")


def bicubic_image(
    input: torch.Tensor,
    output_size: Optional[List[int]],
    align_corners: bool,
    scale_factors: Optional[List[float]],
) -> torch.Tensor:
    """`upsample_bicubic2d`."""
    sizes = wanted_sizes(input, output_size, scale_factors)
    return torch.ops.aten.upsample_bicubic2d(
        input, sizes, align_corners, factor(scale_factors, 0), factor(scale_factors, 1)
    )


decomposition_family(bicubic_image, "aten::upsample_bicubic2d.vec")


def averaged_bilinear_image(
    input: torch.Tensor,
    output_size: Optional[List[int]],
    align_corners: bool,
    scale_factors: Optional[List[float]],
) -> torch.Tensor:
    """`_upsample_bilinear2d_aa`."""
    sizes = wanted_sizes(input, output_size, scale_factors)
    return torch.ops.aten._upsample_bilinear2d_aa(
        input, sizes, align_corners, factor(scale_factors, 0), factor(scale_factors, 1)
    )


decomposition_family(averaged_bilinear_image, "aten::_upsample_bilinear2d_aa.vec")
