"""Floats of 8 bits: every element in wider dtypes, roundings, and what kernels compute."""

import pytest
import torch
import torch_refine
from function_module import Function

DTYPES = (
    torch.float8_e5m2,
    torch.float8_e4m3fn,
    torch.float8_e5m2fnuz,
    torch.float8_e4m3fnuz,
    torch.float8_e8m0fnu,
)
WIDE = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
ELEMENTS = torch.arange(256, dtype=torch.uint8)


def _floats():
    """Elements of all dtypes, what is between neighbours, and floats next to these."""
    found = [torch.tensor([0.0, -0.0, torch.inf, -torch.inf, torch.nan, 1e-45, 1e30, -1e-20])]
    for dtype in DTYPES:
        elements = ELEMENTS.view(dtype).to(torch.float32)
        finite = elements[elements.isfinite()].sort().values
        middle = finite[1:] / 2 + finite[:-1] / 2
        greatest = finite[-1] * torch.tensor([1.03, 1.07, 1.13, 1.2, 2.0])
        ends = torch.tensor(torch.inf)
        found += [finite, middle, middle.nextafter(ends), middle.nextafter(-ends), greatest]
    generator = torch.Generator().manual_seed(0)
    some = torch.randint(-(1 << 31), 1 << 31, (1 << 16,), dtype=torch.int32, generator=generator)
    return torch.cat([*found, some.view(torch.float32)])


def _equal(found, expected):
    """Equal bits, but for those of NaNs, which processors change."""
    assert found.dtype == expected.dtype
    nans = found.to(torch.float32).isnan()
    assert torch.equal(nans, expected.to(torch.float32).isnan())
    bits = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[found.itemsize]
    assert torch.equal(found.view(bits)[~nans], expected.view(bits)[~nans])


def _check(function, *inputs):
    compiled = torch_refine.compile(Function(function), inputs, fallback="error")
    found, expected = compiled(*inputs), function(*inputs)
    pairs = (
        zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]
    )
    for mine, theirs in pairs:
        _equal(mine, theirs)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_element_is_extended(dtype):
    _check(lambda x: tuple(x.to(each) for each in WIDE), ELEMENTS.view(dtype))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_floats_are_rounded(dtype):
    floats = _floats()
    _check(lambda *xs: tuple(x.to(dtype) for x in xs), *(floats.to(each) for each in WIDE))


def test_casts_between_formats():
    _check(
        lambda *xs: tuple(x.to(dtype) for x in xs for dtype in DTYPES),
        *(ELEMENTS.view(dtype) for dtype in DTYPES),
    )


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_integers_and_bools(dtype):
    small = ELEMENTS.view(dtype).to(torch.float32).nan_to_num(0).clamp(-100, 100).to(dtype)
    _check(
        lambda x, i, b, y: (x.to(torch.bool), i.to(dtype), b.to(dtype), y.to(torch.int64)),
        ELEMENTS.view(dtype),
        torch.arange(-300, 300),
        torch.tensor([False, True]),
        small,
    )


@pytest.mark.parametrize("dtype", DTYPES[:2], ids=str)
def test_what_kernels_compute(dtype):
    x = ELEMENTS.view(dtype)

    def compute(x):
        return (
            x[:, None] * x,
            # Kernels keep the sign of zero.
            x.abs().to(torch.float32) + 0.0,
            x[:, None] == x,
            x[:, None] != x,
            x.isnan(),
            x.view(torch.uint8),
            torch.cat([x, x[3:]]),
        )

    _check(compute, x)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_the_least_element_is_compared_with_zero(dtype):
    _check(
        lambda x: (x[:1].any(), x[1:2].any(), x[:2].all(), x[:2].to(torch.bool)),
        ELEMENTS.view(dtype),
    )


@pytest.mark.parametrize("dtype", DTYPES[:2], ids=str)
def test_products_of_matrices(dtype):
    torch.manual_seed(0)
    # Multiples of 1/4, whose sums are exact in any order.
    x, y = ((torch.randint(-8, 9, size) / 4).to(dtype) for size in ((5, 48), (7, 48)))
    _check(lambda x, y: torch.mm(x, y.t()), x, y)


@pytest.mark.parametrize("out_dtype", [torch.float32, torch.bfloat16, None], ids=str)
@pytest.mark.parametrize("kind", ["tensor", "row"])
def test_scaled_products(kind, out_dtype):
    """With sizes that other devices do not take; a row more than the program was made for."""
    torch.manual_seed(0)
    x, y = ((torch.randint(-8, 9, size) / 4).to(torch.float8_e4m3fn) for size in ((5, 6), (7, 6)))
    scales = [torch.tensor(0.5), torch.tensor(2.0)]
    if kind == "row":
        scales = [torch.tensor([0.5, 1, 2, 4, 0.25])[:, None], 2.0 ** torch.arange(-3, 4)[None]]

    def product(x, y, one, other, bias):
        return torch._scaled_mm(x, y.t(), one, other, bias=bias, out_dtype=out_dtype)

    inputs = (x, y, *scales, torch.arange(7.0))
    _check(product, *inputs)
    rows = torch.export.Dim("rows", max=100)
    shapes = ({0: rows}, None, {0: rows} if kind == "row" else None, None, None)
    compiled = torch_refine.compile(
        Function(product), inputs, dynamic_shapes=(shapes,), fallback="error"
    )
    if kind == "row":
        inputs = (inputs[0], y, torch.cat([scales[0], scales[0][:1]]), *inputs[3:])
    more = (torch.cat([x, x[:1]]), *inputs[1:])
    _equal(compiled(*more), product(*more))


def test_what_kernels_reject_is_rejected():
    x = torch.ones(3).to(torch.float8_e4m3fn)
    for function in (lambda x: x + x, lambda x: x.sum(), lambda x: -x, lambda x: x.relu()):
        with pytest.raises(RuntimeError, match="not implemented for"):
            function(x)
        with pytest.raises(torch_refine.CompileError, match="for 8-bit floats"):
            torch_refine.compile(Function(function), (x,), fallback="error")
        with pytest.raises(RuntimeError, match="not implemented for"):
            torch_refine.compile(Function(function), (x,), fallback="pytorch")(x)


@pytest.mark.parametrize("number", [0.1, 1.0, 448, 460.0, 1e6, torch.inf])
def test_comparisons_with_numbers_are_not_lowered(number):
    """Kernels round the number, or saturate it, to the dtype of the elements."""
    x = ELEMENTS.view(torch.float8_e4m3fn)
    function = Function(lambda x: (x == number, x != number))
    with pytest.raises(torch_refine.CompileError, match="for 8-bit floats"):
        torch_refine.compile(function, (x,), fallback="error")
    for found, expected in zip(
        torch_refine.compile(function, (x,), fallback="pytorch")(x), function(x), strict=True
    ):
        _equal(found, expected)


def test_fast_math_rounds_the_same():
    floats = _floats()
    floats = floats[floats.isfinite()]
    compiled = torch_refine.compile(
        Function(lambda x: (x * 2).to(torch.float8_e4m3fn)), (floats,), fast_math=True
    )
    _equal(compiled(floats), (floats * 2).to(torch.float8_e4m3fn))
