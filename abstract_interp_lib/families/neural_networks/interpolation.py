"""`interpolate` and `upsample` in TorchScript, which select a resampling kernel by mode.

They are builtin operators of TorchScript (`torch/csrc/jit/runtime/register_prim_ops_fulljit.cpp`),
whose overloads take sizes and scale factors as scalars or lists. If both are given, sizes are used.
"""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.neural_networks.resampling import (
    scaled_sizes,
    upsample,
    upsample_vec_dtype,
)
from torch_refine.abstract_interp_lib.rules.pooling import resized


def spatial_rank(input: List[int]) -> int:
    """The number of spatial dimensions, after batch and channels."""
    assert len(input) >= 3 and len(input) <= 5, (
        f"the input must have 3, 4 or 5 dimensions, got shape {input}"
    )
    return len(input) - 2


def check_mode(rank: int, mode: str, align_corners: Optional[bool]) -> None:
    """Raise unless a mode supports `rank` spatial dimensions, and align_corners if given."""
    any_rank = mode == "nearest" or mode == "area"
    assert (
        any_rank
        or (rank == 1 and mode == "linear")
        or (rank == 2 and (mode == "bilinear" or mode == "bicubic"))
        or (rank == 3 and mode == "trilinear")
    ), f"mode '{mode}' is not supported for {rank} spatial dimensions"
    assert align_corners is None or not any_rank, (
        f"mode '{mode}' does not support align_corners, got {align_corners}"
    )


def number_for_each(size: Optional[int], rank: int) -> Optional[List[int]]:
    """One size for all spatial dimensions, as a list."""
    if size is None:
        return None
    else:
        return [size] * rank


def factor_for_each(factor: Optional[float], rank: int) -> Optional[List[float]]:
    """One scale factor for all spatial dimensions, as a list."""
    if factor is None:
        return None
    else:
        return [factor] * rank


def as_factor(factor: Optional[int]) -> Optional[float]:
    """An int scale factor as a float."""
    if factor is None:
        return None
    else:
        return float(factor)


def as_factors(factors: Optional[List[int]]) -> Optional[List[float]]:
    """Int scale factors as floats."""
    if factors is None:
        return None
    else:
        return [float(factor) for factor in factors]


def interpolated(
    input: List[int],
    sizes: Optional[List[int]],
    factors: Optional[List[float]],
    mode: str,
    align_corners: Optional[bool],
) -> List[int]:
    """Batch and channels, and spatial sizes given or computed from scale factors."""
    rank = spatial_rank(input)
    check_mode(rank, mode, align_corners)
    if sizes is not None:
        wanted = sizes
    else:
        assert factors is not None, "one of size and scale_factor must be given, got neither"
        # PyTorch reads no more scale factors than spatial dimensions.
        wanted = scaled_sizes(input[2:], factors[:rank])
    return resized(input, rank, wanted) if mode == "area" else upsample(input, wanted)


def interpolate(
    input: List[int],
    size: Optional[int],
    scale_factor: Optional[float],
    mode: str,
    align_corners: Optional[bool],
    antialias: bool,
) -> List[int]:
    """One size or one scale factor for all spatial dimensions."""
    assert not antialias, f"antialias is not supported in TorchScript, got {antialias}"
    rank = spatial_rank(input)
    sizes, factors = number_for_each(size, rank), factor_for_each(scale_factor, rank)
    return interpolated(input, sizes, factors, mode, align_corners)


def interpolate_scale_list(
    input: List[int],
    size: Optional[int],
    scale_factor: Optional[List[float]],
    mode: str,
    align_corners: Optional[bool],
    antialias: bool,
) -> List[int]:
    """One size for all spatial dimensions, or one scale factor each."""
    assert not antialias, f"antialias is not supported in TorchScript, got {antialias}"
    sizes = number_for_each(size, spatial_rank(input))
    return interpolated(input, sizes, scale_factor, mode, align_corners)


def interpolate_size_list(
    input: List[int],
    size: Optional[List[int]],
    scale_factor: Optional[float],
    mode: str,
    align_corners: Optional[bool],
    antialias: bool,
) -> List[int]:
    """One size per spatial dimension, or one scale factor for all."""
    assert not antialias, f"antialias is not supported in TorchScript, got {antialias}"
    factors = factor_for_each(scale_factor, spatial_rank(input))
    return interpolated(input, size, factors, mode, align_corners)


def interpolate_lists(
    input: List[int],
    size: Optional[List[int]],
    scale_factor: Optional[List[float]],
    mode: str,
    align_corners: Optional[bool],
    antialias: bool,
) -> List[int]:
    """One size or scale factor per spatial dimension."""
    assert not antialias, f"antialias is not supported in TorchScript, got {antialias}"
    return interpolated(input, size, scale_factor, mode, align_corners)


# For mode "area" the meta kernel accepts any number of sizes, so that case runs on the CPU.
ONE_SIZE_OK = [
    Invocation(T(2, 3, 8), 5),
    Invocation(T(2, 3, 8, 6), 5, None, "area"),
    Invocation(T(2, 3, 8), 5, mode="linear", align_corners=True),
]
SIZES_OK = [
    Invocation(T(2, 3, 8, 6), [5, 7], mode="bilinear"),
    Invocation(T(2, 3, 4, 8, 6), [5, 7, 9], None, "trilinear", False),
    Invocation(T(0, 3, 8), [0], mode="area"),
    Invocation(T(2, 3, 8, 6, dtype=torch.float16), [5, 7], mode="bicubic"),
    Invocation(T(2, 3, 8, 6, dtype=torch.uint8), [5, 7]),
]
ONE_FACTOR_OK = [
    Invocation(T(2, 3, 100), None, 1.15),
    Invocation(T(2, 3, 4, 8, 6), None, 0.5, "area"),
    Invocation(T(2, 3, 8, 6), scale_factor=2.5, mode="bicubic", align_corners=False),
    Invocation(T(2, 3, 8, 6, dtype=torch.bfloat16), None, 2.0, recompute_scale_factor=False),
]
FACTORS_OK = [
    Invocation(T(2, 3, 8, 6), None, [1.5, 0.4]),
    Invocation(T(2, 3, 8), None, [2.0, 3.0], "linear", recompute_scale_factor=True),
    Invocation(T(2, 3, 4, 8, 6, dtype=torch.float64), None, [2.0, 1.3, 0.5], "trilinear"),
]
MODE_ERROR = [
    Invocation(T(2, 3)),
    Invocation(T(2, 3, 8)),
    Invocation(T(2, 3, 4, 8, 6), mode="linear"),
]

shape_family(
    interpolate,
    "aten::__interpolate",
    ok=[*ONE_SIZE_OK, *ONE_FACTOR_OK, Invocation(T(2, 3, 8), 5, 2.0)],
    error=[
        *MODE_ERROR,
        Invocation(T(8), 5),
        Invocation(T(2, 3, 8), 5, mode="bilinear"),
        Invocation(T(2, 3, 8), 5, mode="nearest", align_corners=True),
        Invocation(T(2, 3, 8), 0),
        Invocation(T(2, 3, 8), 5, antialias=True),
    ],
)
shape_family(
    interpolate_scale_list,
    "aten::__interpolate.scale_list",
    ok=[*ONE_SIZE_OK, *FACTORS_OK],
    error=[
        *MODE_ERROR,
        Invocation(T(2, 3, 8), None, [0.1]),
        Invocation(T(2, 3, 8), 5, antialias=True),
    ],
)
shape_family(
    interpolate_size_list,
    "aten::__interpolate.size_list",
    ok=[*SIZES_OK, *ONE_FACTOR_OK],
    error=[
        *MODE_ERROR,
        Invocation(T(2, 3, 8), [5, 7]),
        Invocation(T(2, 3, 8, 6), [5], mode="area", device="cpu"),
        Invocation(T(2, 3, 8), [5], antialias=True),
    ],
)
shape_family(
    interpolate_lists,
    "aten::__interpolate.size_list_scale_list",
    ok=[*SIZES_OK, *FACTORS_OK],
    error=[*MODE_ERROR, Invocation(T(2, 3, 8), [5], antialias=True)],
)


def upsample_by_mode(
    input: List[int],
    size: Optional[int],
    scale_factor: Optional[int],
    mode: str,
    align_corners: Optional[bool],
) -> List[int]:
    """One size or one int scale factor for all spatial dimensions."""
    return interpolate(input, size, as_factor(scale_factor), mode, align_corners, False)


def upsample_by_mode_size_list(
    input: List[int],
    size: Optional[List[int]],
    scale_factor: Optional[int],
    mode: str,
    align_corners: Optional[bool],
) -> List[int]:
    """One size per spatial dimension, or one int scale factor for all."""
    return interpolate_size_list(input, size, as_factor(scale_factor), mode, align_corners, False)


def upsample_nearest(
    input: List[int], size: Optional[int], scale_factor: Optional[int]
) -> List[int]:
    """Nearest neighbor, with one size or one int scale factor."""
    return upsample_by_mode(input, size, scale_factor, "nearest", None)


def upsample_nearest_size_list(
    input: List[int], size: Optional[List[int]], scale_factor: Optional[int]
) -> List[int]:
    """Nearest neighbor, with one size per spatial dimension, or one int scale factor."""
    return upsample_by_mode_size_list(input, size, scale_factor, "nearest", None)


def upsample_bilinear(
    input: List[int], size: Optional[int], scale_factor: Optional[int]
) -> List[int]:
    """Bilinear, with one size or one int scale factor."""
    return upsample_by_mode(input, size, scale_factor, "bilinear", True)


def upsample_bilinear_scale_list(
    input: List[int], size: Optional[int], scale_factor: Optional[List[int]]
) -> List[int]:
    """Bilinear, with one size, or one int scale factor per dimension."""
    factors = as_factors(scale_factor)
    return interpolate_scale_list(input, size, factors, "bilinear", True, False)


def upsample_bilinear_size_list(
    input: List[int], size: Optional[List[int]], scale_factor: Optional[int]
) -> List[int]:
    """Bilinear, with one size per spatial dimension, or one int scale factor."""
    return upsample_by_mode_size_list(input, size, scale_factor, "bilinear", True)


def upsample_bilinear_lists(
    input: List[int], size: Optional[List[int]], scale_factor: Optional[List[int]]
) -> List[int]:
    """Bilinear, with one size or int scale factor per spatial dimension."""
    return interpolated(input, size, as_factors(scale_factor), "bilinear", True)


UPSAMPLE_ERROR = [
    Invocation(T(2, 3)),
    Invocation(T(2, 3, 8, 6)),
    Invocation(T(2, 3, 8), None, 0),
]
UPSAMPLE_FACTOR_OK = [
    Invocation(T(2, 3, 8), None, 2),
    Invocation(T(2, 3, 8, 6, dtype=torch.float16), None, 3),
]

shape_family(
    upsample_by_mode,
    "aten::__upsample",
    ok=[*UPSAMPLE_FACTOR_OK, *ONE_SIZE_OK],
    error=UPSAMPLE_ERROR,
)
shape_family(
    upsample_by_mode_size_list,
    "aten::__upsample.size_list",
    ok=[*UPSAMPLE_FACTOR_OK, *SIZES_OK],
    error=UPSAMPLE_ERROR,
)
shape_family(
    upsample_nearest,
    "aten::__upsample_nearest",
    ok=[*UPSAMPLE_FACTOR_OK, Invocation(T(2, 3, 8), 5)],
    error=UPSAMPLE_ERROR,
)
shape_family(
    upsample_nearest_size_list,
    "aten::__upsample_nearest.size_list",
    ok=[*UPSAMPLE_FACTOR_OK, Invocation(T(2, 3, 8, 6), [5, 7])],
    error=UPSAMPLE_ERROR,
)
ONE_BILINEAR_SIZE_OK = [
    Invocation(T(2, 3, 8, 6), 5),
    Invocation(T(2, 3, 8, 6, dtype=torch.bfloat16), 5),
]
BILINEAR_SIZES_OK = [Invocation(T(2, 3, 8, 6), [5, 7])]
BILINEAR_ERROR = [Invocation(T(2, 3, 8), 5), Invocation(T(2, 3, 8, 6))]
shape_family(
    upsample_bilinear,
    "aten::__upsample_bilinear",
    ok=[*ONE_BILINEAR_SIZE_OK, Invocation(T(2, 3, 8, 6), None, 2)],
    error=BILINEAR_ERROR,
)
shape_family(
    upsample_bilinear_scale_list,
    "aten::__upsample_bilinear.scale_list",
    ok=[*ONE_BILINEAR_SIZE_OK, Invocation(T(2, 3, 8, 6), None, [2, 1])],
    error=BILINEAR_ERROR,
)
shape_family(
    upsample_bilinear_size_list,
    "aten::__upsample_bilinear.size_list",
    ok=[*BILINEAR_SIZES_OK, Invocation(T(2, 3, 8, 6), None, 2)],
    error=[Invocation(T(2, 3, 8), [5]), Invocation(T(2, 3, 8, 6))],
)
shape_family(
    upsample_bilinear_lists,
    "aten::__upsample_bilinear.size_list_scale_list",
    ok=[*BILINEAR_SIZES_OK, Invocation(T(2, 3, 8, 6), None, [2, 1])],
    error=[Invocation(T(2, 3, 8), [5]), Invocation(T(2, 3, 8, 6))],
)
dtype_family(
    upsample_vec_dtype,
    "aten::__interpolate",
    "aten::__interpolate.scale_list",
    "aten::__interpolate.size_list",
    "aten::__interpolate.size_list_scale_list",
    "aten::__upsample",
    "aten::__upsample.size_list",
    "aten::__upsample_nearest",
    "aten::__upsample_nearest.size_list",
    "aten::__upsample_bilinear",
    "aten::__upsample_bilinear.scale_list",
    "aten::__upsample_bilinear.size_list",
    "aten::__upsample_bilinear.size_list_scale_list",
)
