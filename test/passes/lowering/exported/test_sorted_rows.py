"""Sorted rows: values with their bits, and their places, in the order of eager mode."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch.export import Dim

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
INTEGERS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool)
# Around the lengths of vectors, and those from which rows are no longer ranked.
LENGTHS = (1, 2, 3, 8, 9, 31, 128, 129, 192, 193, 256, 257, 1000)
SPECIAL = ("nan", "inf", "-inf", "-0.0")
BITS = {2: torch.int16, 4: torch.int32, 8: torch.int64}


def _few(shape, dtype):
    """Few different numbers, with the least and the greatest."""
    found = torch.randint(-4, 5, shape)
    if dtype == torch.bool:
        return found > 0
    if not dtype.is_floating_point:
        limits = torch.iinfo(dtype)
        found = found.clamp(min=limits.min).to(dtype)
        for number in (limits.min, limits.max):
            found[torch.rand(shape) < 0.1] = number
        return found
    found = found.to(dtype)
    for number in SPECIAL:
        found[torch.rand(shape) < 0.1] = float(number)
    # NaN of both signs.
    return torch.where(torch.rand(shape) < 0.5, found, -found)


def _many(shape, dtype):
    """Many different numbers, of which all bits vary."""
    if dtype.is_floating_point:
        return (torch.randn(shape) * 2.0 ** torch.randint(-14, 14, shape)).to(dtype)
    if dtype == torch.bool:
        return _few(shape, dtype)
    limits = torch.iinfo(dtype)
    return torch.randint(limits.min, limits.max, shape, dtype=dtype)


def _assert_sorted(found, x, dim, descending=False):
    values, places = torch.sort(x, dim=dim, descending=descending, stable=True)
    assert torch.equal(found[1], places)
    bits = BITS.get(x.element_size()) if x.is_floating_point() else None
    assert found[0].dtype == values.dtype
    assert torch.equal(*(each.view(bits) if bits else each for each in (found[0], values)))


def _sorting(dim, descending=False):
    return Function(lambda x: torch.sort(x, dim=dim, descending=descending, stable=True))


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS])
def test_rows_of_dynamic_length(dtype, descending):
    sizes = (({0: Dim("rows"), 1: Dim("columns")},),)
    compiled = torch_refine.compile(
        _sorting(1, descending), (_few((5, 7), dtype),), dynamic_shapes=sizes
    )
    for numbers in (_few, _many):
        for length in LENGTHS:
            x = numbers((3, length), dtype)
            _assert_sorted(compiled(x), x, 1, descending)
    x = torch.zeros((2, 700), dtype=dtype)
    _assert_sorted(compiled(x), x, 1, descending)


@pytest.mark.parametrize("length", [0, 1])
@pytest.mark.parametrize("rows", [0, 1, 3])
def test_rows_without_an_order(rows, length):
    x = torch.randn(rows, length)
    for dim in (0, 1):
        _assert_sorted(torch_refine.compile(_sorting(dim), (x,))(x), x, dim)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("dtype", [torch.float32, torch.int64])
@pytest.mark.parametrize("length", [17, 300])
def test_a_dimension_between_others(length, dtype, threads):
    x = _few((5, length, 7), dtype)
    for dim, transposed in ((1, x), (2, x.transpose(1, 2)), (0, x.transpose(0, 1).contiguous())):
        compiled = torch_refine.compile(_sorting(dim), (transposed,), threads=threads)
        _assert_sorted(compiled(transposed), transposed, dim)


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64])
def test_digits_that_are_all_equal_are_skipped(dtype):
    """Of all digits, any number may vary, so sorted items end in either half of their memory."""
    compiled = torch_refine.compile(_sorting(1), (torch.zeros((1, 3000), dtype=dtype),))
    for bits in (1, 8, 9, 16, 17, 24):
        x = torch.randint(0, 1 << bits, (1, 3000)).to(dtype)
        _assert_sorted(compiled(x), x, 1)
