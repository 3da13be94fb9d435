"""Operators that are computed one element at a time, compiled, against eager mode."""

import itertools
import math

import pytest
import torch
import torch_refine
from torch import nn

INF, NAN = math.inf, math.nan
NUMBERS = (0.0, -0.0, 1.0, -1.0, 0.3, -0.7, 1.5, -2.5, 5.7, 1e-3, 40.0, 1e5, INF, -INF)
DEGREES = (-1.0, 0.0, 1.0, 2.7, 5.0, 9.0, 33.0, 200.0, 600.0, NAN, INF, 1e20)
FLOATS = (torch.float32, torch.float64)


class Calls(nn.Module):
    """Results of some functions of the same operands."""

    def __init__(self, functions):
        super().__init__()
        self.functions = functions

    def forward(self, *operands):
        return tuple(function(*operands) for function in self.functions)


def _compare(functions, *operands):
    model = Calls(functions)
    found = torch_refine.compile(model, operands)(*operands)
    torch.testing.assert_close(found, model(*operands), equal_nan=True)


@pytest.mark.parametrize("dtype", FLOATS)
def test_polynomials(dtype):
    x = torch.tensor(NUMBERS, dtype=dtype)[:, None]
    n = torch.tensor(DEGREES, dtype=dtype)
    special = torch.special
    names = [each for each in dir(special) if "_polynomial_" in each]
    assert len(names) == 12
    _compare([getattr(special, name) for name in names], x, n)


def test_the_degree_may_be_a_number_or_an_integer():
    x, n = torch.tensor([0.5, -2.0]), torch.tensor([0, 3], dtype=torch.uint8)
    hermite = torch.special.hermite_polynomial_h
    _compare([lambda x, n: hermite(x, 3), lambda x, n: hermite(1.5, n), hermite], x, n)


@pytest.mark.parametrize("dtype", FLOATS)
def test_gamma_and_zeta(dtype):
    numbers = torch.tensor((*NUMBERS, 9.5, 150.0, 2e4, 2.01e4), dtype=dtype)
    functions = [torch.special.zeta, torch.igamma, torch.igammac]
    _compare(functions, numbers[:, None], numbers)
    _compare([lambda x, n=n: torch.polygamma(n, x) for n in (0, 1, 2, 5, 40)], numbers)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int64])
def test_divisors_and_multiples(dtype):
    limits = torch.iinfo(dtype)
    edges = {limits.max, limits.max - 1, limits.min, limits.min + 1}
    numbers = torch.tensor(sorted({0, 1, 2, 6, 64, 100} | edges), dtype=dtype)
    # The quotient of the least number and -1 may end PyTorch's process.
    others = numbers[1:]
    functions = [lambda a, b, c: torch.gcd(a, b), lambda a, b, c: torch.lcm(b[1:], c)]
    _compare(functions, numbers[:, None], numbers, others)


def test_elements_are_fused_with_others_and_summed():
    torch.manual_seed(0)
    x, n = torch.randn(33, 65), torch.randint(0, 9, (65,))

    def total(x, n):
        return (torch.special.legendre_polynomial_p(torch.tanh(x) * 0.9, n) + 1.0).sum(1)

    _compare([total], x, n)


def test_sizes_may_be_dynamic():
    rows = torch.export.Dim("rows", min=2)
    model = Calls([torch.special.zeta])
    operands = torch.rand(3, 1) + 1.5, torch.rand(4) + 0.5
    compiled = torch_refine.compile(model, operands, dynamic_shapes=(({0: rows}, None),))
    more = torch.rand(7, 1) + 1.5, operands[1]
    torch.testing.assert_close(compiled(*more), model(*more))


DTYPES = (torch.int8, torch.int16, torch.float16, torch.float32, torch.int64, torch.complex128)


@pytest.mark.parametrize("source", DTYPES[1::2])
def test_views_with_another_dtype(source):
    bits = torch.randint(0, 256, (2, 16 * source.itemsize), dtype=torch.uint8).view(source)
    model = Calls([lambda x, dtype=dtype: x.view(dtype) for dtype in DTYPES])
    for found, wanted in zip(torch_refine.compile(model, (bits,))(bits), model(bits), strict=True):
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        assert torch.equal(found.view(torch.uint8), wanted.view(torch.uint8))


@pytest.mark.parametrize("dtype", [*FLOATS, torch.bfloat16])
def test_bits_of_floats(dtype):
    limits = torch.finfo(dtype)
    edges = (limits.max, limits.tiny, -limits.tiny, limits.smallest_normal / 2)
    numbers = torch.tensor((*NUMBERS, *edges, NAN, -NAN), dtype=torch.float64).to(dtype)
    functions = [
        torch.nextafter,
        torch.copysign,
        lambda x, y: torch.signbit(x),
        lambda x, y: torch.frexp(x)[0],
    ]
    functions += [lambda x, y: torch.frexp(x)[1], lambda x, y: torch.copysign(x, -0.0)]
    model = Calls(functions)
    operands = numbers[:, None], numbers
    found = torch_refine.compile(model, operands)(*operands)
    for mine, wanted in zip(found, model(*operands), strict=True):
        # Signs of zeros, and subnormal numbers: equal bits, but for NaN.
        assert (mine.dtype, mine.shape) == (wanted.dtype, wanted.shape)
        if wanted.is_floating_point():
            width = {2: torch.int16, 4: torch.int32, 8: torch.int64}[wanted.itemsize]
            both = torch.isnan(mine) & torch.isnan(wanted)
            assert (both | (mine.contiguous().view(width) == wanted.view(width))).all()
        else:
            assert torch.equal(mine, wanted)


@pytest.mark.parametrize("rows", [4, 0])
def test_running_sums_of_exponentials_do_not_overflow(rows):
    x = torch.tensor([[1000.0, 1.0, -INF], [-INF, -INF, 2.0], [3.0, INF, NAN], [0.0, 88.0, 89.0]])
    dims = itertools.product((torch.float64, torch.float16), (0, -1))
    functions = [lambda x, a=a, d=d: torch.logcumsumexp(x.to(a), d) for a, d in dims]
    functions.append(lambda x: torch.logcumsumexp(x.sum(), 0))
    _compare(functions, x[:rows])


def test_running_sums_of_dynamic_size():
    sizes = {0: torch.export.Dim("rows", min=2), 1: torch.export.Dim("columns", min=2)}
    model = Calls([lambda x: torch.logcumsumexp(x, 0), lambda x: torch.logcumsumexp(x, 1)])
    compiled = torch_refine.compile(model, (torch.randn(3, 4),), dynamic_shapes=((sizes,),))
    x = torch.randn(17, 9) * 100.0
    torch.testing.assert_close(compiled(x), model(x))
