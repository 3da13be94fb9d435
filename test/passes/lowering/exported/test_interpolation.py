"""Interpolation reads the same elements as PyTorch's kernels, for all sizes and scales."""

from itertools import product

import pytest
import torch
import torch_refine
from function_module import Function
from torch_refine.passes.lowering.exported.library_functions import library_functions

aten = torch.ops.aten
_SCALES = (None, 1.7, 0.6, 2.3, -1.0, 0.0)
_NAMES = [
    ("upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d"),
    ("_upsample_nearest_exact1d", "_upsample_nearest_exact2d", "_upsample_nearest_exact3d"),
    ("upsample_linear1d", "upsample_bilinear2d", "upsample_trilinear3d"),
]


@pytest.mark.parametrize("name", [name for names in _NAMES for name in names])
def test_decompositions_follow_sizes_and_scales(name):
    operator = getattr(aten, name).default
    decomposition = library_functions()[operator]
    rank = int(name[-2])
    is_linear = "linear" in name
    for size, wanted, scale in product((1, 3, 4, 6), (1, 4, 6, 9), _SCALES):
        x = torch.rand(2, 3, *(size, 5, 4)[:rank], dtype=torch.float64)
        sizes = [wanted, 6, 7][:rank]
        for corners in ((False,), (True,)) if is_linear else ((),):
            given = (x, sizes, *corners, *[scale] * rank)
            torch.testing.assert_close(decomposition(*given), operator(*given))


def test_scales_are_given_by_name():
    x = torch.rand(1, 2, 3, 4)
    for operator in (aten.upsample_nearest2d.default, aten._upsample_nearest_exact2d.default):
        found = library_functions()[operator](x, [5, 6], scales_w=0.6)
        torch.testing.assert_close(found, operator(x, [5, 6], scales_w=0.6))


_CALLS = {
    "nearest": lambda x, h, w: aten.upsample_nearest2d(x, [h, w]),
    "exact": lambda x, h, w: aten._upsample_nearest_exact2d(x, [h, w], 1.7, None),
    "bilinear": lambda x, h, w: aten.upsample_bilinear2d(x, [h, w], False, 1.7, 0.6),
    "bicubic": lambda x, h, w: aten.upsample_bicubic2d(x, [h, w], False, 1.7, 1.7),
}


@pytest.mark.parametrize("name", _CALLS)
def test_sizes_are_inputs_of_the_program(name, monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    call, auto = _CALLS[name], torch.export.Dim.AUTO
    example = (torch.rand(2, 3, 4, 4), 3, 3)
    compiled = torch_refine.compile(
        Function(call), example, dynamic_shapes=(({2: auto, 3: auto}, auto, auto),), opt_level=0
    )
    for rows, columns, *sizes in ((4, 4, 2, 5), (6, 4, 6, 6), (5, 7, 3, 4), (3, 5, 6, 5)):
        x = torch.rand(2, 3, rows, columns)
        torch.testing.assert_close(compiled(x, *sizes), call(x, *sizes))


def test_a_small_image_ignores_the_scale_for_equal_and_doubled_sizes(monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")

    def call(x):
        return aten.upsample_nearest2d(x, [6, 6], 1.7, None)

    rows = ({2: torch.export.Dim.AUTO},)
    x = torch.rand(1, 1, 4, 4)
    compiled = torch_refine.compile(Function(call), (x,), dynamic_shapes=(rows,), opt_level=0)
    for size in (3, 4, 6):
        x = torch.rand(1, 1, size, 4)
        torch.testing.assert_close(compiled(x), call(x))


@pytest.mark.parametrize("sizes", [(4, 5), (8, 10), (4, 9), (3, 8), (7, 3)])
@pytest.mark.parametrize("corners", [False, True])
def test_infinities_are_those_of_the_kernels(sizes, corners):
    """A weight of 0 times infinity is NaN, infinity times 1 is not."""
    operator = aten.upsample_bilinear2d.default
    x = torch.zeros(1, 2, 4, 5)
    x[0, 0, 1, 2] = torch.inf
    x[0, 1] = -torch.inf
    found = library_functions()[operator](x, list(sizes), corners)
    torch.testing.assert_close(found, operator(x, list(sizes), corners), equal_nan=True)
