"""Grids read the same elements of images as PyTorch's kernel, also in half precision."""

from itertools import product

import pytest
import torch
import torch_refine
from function_module import Function
from torch.nn.functional import grid_sample

_PADDINGS = ("zeros", "border", "reflection")


def _ways(mode, *ways):
    """The function that reads an image with some paddings, and aligned corners or not."""
    ways = [{"mode": mode, "padding_mode": padding, "align_corners": how} for padding, how in ways]
    return Function(lambda x, grid: tuple(grid_sample(x, grid, **way) for way in ways))


def _grid(*sizes, special=None):
    grid = torch.rand(*sizes, 2) * 3 - 1.5
    if special is not None:
        grid[0, 1, 2, 0], grid[1, 2, 0, 1], grid[0, 0, 1] = special, special, special
    return grid


@pytest.mark.parametrize(
    ("mode", "dtype"),
    [
        *product(("bilinear", "nearest"), (torch.float32, torch.bfloat16, torch.float16)),
        ("bicubic", torch.bfloat16),
    ],
)
def test_places_are_rounded_as_by_the_kernel(mode, dtype):
    torch.manual_seed(0)
    corners = (False,) if mode == "bicubic" else (False, True)
    call = _ways(mode, *product(_PADDINGS, corners))
    x = torch.randn(2, 3, 5, 6).to(dtype)
    compiled = torch_refine.compile(call, (x, _grid(2, 4, 7).to(dtype)), opt_level=0)
    # In half precision each step is rounded, so that the results are the same.
    tolerance = {} if dtype == torch.float32 else {"rtol": 0, "atol": 0}
    # A nearest place that is not finite is an integer of the kernel's choice in half precision.
    is_any = mode == "nearest" and dtype != torch.float32
    for special in (None,) if is_any else (None, float("nan"), float("inf"), -float("inf")):
        grid = _grid(2, 4, 7, special=special).to(dtype)
        found, expected = compiled(x, grid), call(x, grid)
        torch.testing.assert_close(found, expected, equal_nan=True, **tolerance)


def test_sizes_of_images_and_grids_are_inputs(monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    torch.manual_seed(0)
    call, auto = _ways("bilinear", ("reflection", True)), torch.export.Dim.AUTO
    sizes = dict.fromkeys(range(4), auto)
    compiled = torch_refine.compile(
        call,
        (torch.randn(2, 3, 5, 6), _grid(2, 4, 7)),
        dynamic_shapes=((sizes, {0: auto, 1: auto, 2: auto}),),
        opt_level=0,
    )
    for batch, channels, height, width, rows, columns in (
        (2, 3, 5, 6, 4, 7),
        (3, 2, 8, 2, 5, 2),
        (4, 5, 2, 9, 3, 3),
    ):
        x, grid = torch.randn(batch, channels, height, width), _grid(batch, rows, columns)
        torch.testing.assert_close(compiled(x, grid), call(x, grid))
    with pytest.raises(torch_refine.GuardError):
        compiled(torch.randn(2, 3, 5, 6), _grid(3, 4, 7))
