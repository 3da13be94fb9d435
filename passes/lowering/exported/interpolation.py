"""Decompositions of interpolation that follow PyTorch's CPU kernels.

A given scale determines the source coordinates, unless it is not positive: then it is ignored
(`area_pixel_compute_scale`). PyTorch's decompositions read out of bounds where the scale is less
than the ratio of sizes, and linear ones do not copy where input and output have equal sizes
(`compute_source_index_and_lambda`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._decomp import decompositions
from torch._ops import OpOverload
from torch.fx.experimental.symbolic_shapes import statically_known_true

aten = torch.ops.aten
Decomposition = Callable[..., Any]
_output_size: Any = decompositions.upsample_compute_output_size

_NEAREST = (
    aten.upsample_nearest1d,
    aten.upsample_nearest2d,
    aten.upsample_nearest3d,
)
_NEAREST_EXACT = (
    aten._upsample_nearest_exact1d,
    aten._upsample_nearest_exact2d,
    aten._upsample_nearest_exact3d,
)
_LINEAR = (
    aten.upsample_linear1d,
    aten.upsample_bilinear2d,
    aten.upsample_trilinear3d,
)

# Images whose rows and columns sum to at most this are interpolated by another kernel.
_SMALL = 128


def interpolations() -> dict[OpOverload, Decomposition]:
    """The decompositions by operator."""
    table: dict[OpOverload, Decomposition] = {}
    for operators, exact in ((_NEAREST, False), (_NEAREST_EXACT, True)):
        for operator in operators:
            table[operator.default] = _of_nearest(exact)
            table[operator.vec] = _of_nearest_vec(exact)
    for operator in _LINEAR:
        table[operator.default] = _linear_default
        table[operator.vec] = _linear_vec
    return table


def _of_nearest(exact: bool) -> Decomposition:
    def decompose(
        input: torch.Tensor, output_size: Sequence[Any], *scales: Any, **named: Any
    ) -> Any:
        return _nearest(input, output_size, _all_scales(output_size, scales, named), exact)

    return decompose


def _of_nearest_vec(exact: bool) -> Decomposition:
    def decompose(
        input: torch.Tensor, output_size: Any, scale_factors: Sequence[float] | None
    ) -> Any:
        sizes: Any = _output_size(input.size(), output_size, scale_factors)
        return _nearest(input, sizes, scale_factors or [None] * len(sizes), exact)

    return decompose


def _linear_default(
    input: torch.Tensor,
    output_size: Sequence[Any],
    align_corners: bool,
    *scales: Any,
    **named: Any,
) -> Any:
    return _linear(input, output_size, align_corners, _all_scales(output_size, scales, named))


def _linear_vec(
    input: torch.Tensor,
    output_size: Any,
    align_corners: bool,
    scale_factors: Sequence[float] | None,
) -> Any:
    sizes: Any = _output_size(input.size(), output_size, scale_factors)
    return _linear(input, sizes, align_corners, scale_factors or [None] * len(sizes))


def _all_scales(
    sizes: Sequence[Any], scales: Sequence[Any], named: dict[str, Any]
) -> list[float | None]:
    """The scale of each dimension; they are given in order, then by names."""
    names = ["scales"] if len(sizes) == 1 and "scales" in named else []
    names = names or ["scales_d", "scales_h", "scales_w"][3 - len(sizes) :]
    behind = [named.get(name) for name in names[len(scales) :]]
    return [*scales, *behind, *[None] * len(sizes)][: len(sizes)]


def _step(size: Any, wanted: Any, scale: float | None) -> Any:
    """The step in the input per element of the output."""
    return 1.0 / scale if scale is not None and scale > 0 else size / wanted


def _along(values: torch.Tensor, dim: int, rank: int) -> torch.Tensor:
    return values.reshape(-1, *[1] * (rank - 1 - dim))


def _nearest(
    input: torch.Tensor, sizes: Sequence[Any], scales: Sequence[float | None], exact: bool
) -> torch.Tensor:
    wide = torch.float64 if input.dtype == torch.float64 else torch.float32
    indices: list[torch.Tensor | None] = [None, None]
    for dim, (wanted, scale) in enumerate(zip(sizes, scales, strict=True)):
        size = input.shape[dim + 2]
        steps = torch.arange(wanted, device=input.device).to(wide)
        step = _step(size, wanted, scale)
        if len(sizes) == 2 and not exact and scale is not None and scale > 0:
            step = _step_of_images(size, sizes, dim, scale)
        places = (steps + 0.5 if exact else steps) * step
        found = places.to(torch.float32).to(torch.int64).clamp(max=size - 1)
        indices.append(_along(found, dim, len(sizes)))
    taken: torch.Tensor = aten._unsafe_index.Tensor(input, indices)
    return taken


def _step_of_images(size: Any, sizes: Sequence[Any], dim: int, scale: float) -> float:
    """The kernel for small images uses steps of 1 and 1/2 for equal and doubled sizes, else the
    scale.

    `nearest_idx` does this, selected by `_use_vectorized_kernel_cond_2d`. Which kernel computes a
    large image depends on its memory layout.
    """
    check: Any = torch._check
    for times in (1, 2):
        if scale == times:
            continue
        if statically_known_true(size * times == sizes[dim]):
            is_small = statically_known_true(sizes[0] + sizes[1] <= _SMALL)
            check(is_small, lambda: f"cannot relate sizes of {sizes} to the scale {scale}")
            return 1.0 / times
        check(
            size * times != sizes[dim],
            lambda: f"the scale {scale} is not that of {size} and {sizes[dim]}",
        )
    return 1.0 / scale


def _linear(
    input: torch.Tensor,
    sizes: Sequence[Any],
    align_corners: bool,
    scales: Sequence[float | None],
) -> torch.Tensor:
    """One dimension at a time, so that each element is a sum of two and not of all corners."""
    is_low = input.dtype in (torch.float16, torch.bfloat16)
    found = input.float() if is_low else input
    rank = len(sizes)
    for dim in _cheapest_order(input.shape[2:], sizes, scales):
        size, wanted = input.shape[dim + 2], sizes[dim]
        places = _places(size, wanted, scales[dim], align_corners, found)
        low = places.to(torch.int64).clamp(0, size - 1)
        weight = _along((places - low).clamp(0.0, 1.0), dim, rank)
        high = (low + _distance(size, wanted, found)).clamp(0, size - 1)
        below, above = (aten.index_select.default(found, dim + 2, each) for each in (low, high))
        found = below * (1.0 - weight) + above * weight
    return found.to(input.dtype)


def _cheapest_order(
    given: Sequence[Any], sizes: Sequence[Any], scales: Sequence[float | None]
) -> list[int]:
    """The dimensions in the order in which few elements are computed.

    Those that shrink are first. The innermost one, whose elements are gathered one by one, is last
    of these, and the first of those that grow.
    """
    shrinking = []
    for dim, scale in enumerate(scales):
        by_scale = scale is not None and 0 < scale < 1
        if by_scale or statically_known_true(sizes[dim] < given[dim]):
            shrinking.append(dim)
    return [*shrinking, *(dim for dim in reversed(range(len(sizes))) if dim not in shrinking)]


def _distance(size: Any, wanted: Any, like: torch.Tensor) -> Any:
    """The distance of the two elements that are read: 1, or 0 for equal sizes.

    Then the second one has the weight 0, and infinity times 0 is NaN.
    """
    if statically_known_true(size != wanted):
        return 1
    if statically_known_true(size == wanted):
        return 0
    return torch.ne(*_as_tensors(size, wanted, like)).to(torch.int64)


def _as_tensors(size: Any, wanted: Any, like: torch.Tensor) -> list[torch.Tensor]:
    return [torch.full((), each, dtype=torch.int64, device=like.device) for each in (size, wanted)]


def _places(
    size: Any, wanted: Any, scale: float | None, align_corners: bool, like: torch.Tensor
) -> torch.Tensor:
    """The source coordinates of the output's elements, at least 0."""
    steps = torch.arange(wanted, device=like.device).to(like.dtype)
    if align_corners:
        return steps * ((size - 1.0) / (wanted - 1.0) if wanted > 1 else 0.0)
    places = torch.clamp((steps + 0.5) * _step(size, wanted, scale) - 0.5, min=0.0)
    is_step_of_sizes = scale is None or scale <= 0
    if is_step_of_sizes or statically_known_true(size != wanted):
        return places
    if statically_known_true(size == wanted):
        return steps
    return torch.where(torch.eq(*_as_tensors(size, wanted, like)), steps, places)
