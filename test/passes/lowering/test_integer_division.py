"""Integers as in eager mode: division by zero, overflow, shifts, conversions."""

import os

import pytest
import torch
import torch_refine
from function_module import Function
from torch.export import Dim

_SIGNED = [torch.int8, torch.int16, torch.int32, torch.int64]
_DIVISIONS = {
    "remainder": torch.remainder,
    "trunc": lambda x, y: torch.div(x, y, rounding_mode="trunc"),
    "floor": lambda x, y: torch.div(x, y, rounding_mode="floor"),
}


def _survives(function):
    """Whether a subprocess exits normally after calling a function."""
    child = os.fork()
    if child == 0:
        # Without the cleanup of the parent process.
        try:
            function()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def _raises_zero_division(function, *inputs):
    def call():
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            function(*inputs)

    return _survives(call)


def _compiled(function, *inputs, dynamic=False, **options):
    shapes = tuple(
        dict.fromkeys(range(each.dim()), Dim.AUTO) if torch.is_tensor(each) else Dim.DYNAMIC
        for each in inputs
    )
    return torch_refine.compile(
        Function(function), inputs, "cpu", (shapes,) if dynamic else None, **options
    )


@pytest.mark.parametrize("dtype", _SIGNED, ids=str)
def test_a_divisor_of_zero_raises(dtype):
    # The wheel has no floor division of bytes.
    divisions = list(_DIVISIONS.values())[: 2 if dtype == torch.int8 else 3]

    def divide(x, *divisors):
        return [division(x, y) for division, y in zip(divisions, divisors, strict=True)]

    x = torch.tensor([7, -7, 5, -128, 127, torch.iinfo(dtype).min], dtype=dtype)
    y = torch.tensor([2, 3, -5, 1, -1, -1], dtype=dtype)
    given = [y.clone() for _ in divisions]
    compiled = _compiled(divide, x, *given, dynamic=dtype == torch.int64)
    assert _survives(lambda: compiled(x, *given))
    # Eager mode itself divides INT32_MIN or INT64_MIN by -1, and crashes.
    wide = divide(x[:-1].long(), *(y[:-1].long() for y in given))
    least = [x[-1:] * 0, x[-1:], x[-1:]]
    for result, most, last in zip(compiled(x, *given), wide, least, strict=False):
        assert torch.equal(result, torch.cat([most.to(dtype), last]))
    for place, division in enumerate(divisions):
        wrong = [each.clone() for each in given]
        wrong[place][3] = 0
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            division(x, wrong[place])
        assert _raises_zero_division(compiled, x, *wrong)


@pytest.mark.parametrize("options", [{}, {"opt_level": 0}, {"threads": 2}], ids=str)
def test_a_broadcast_divisor_is_checked(options):
    x, y = torch.arange(400 * 100).reshape(400, 100), torch.arange(1, 101)
    compiled = _compiled(torch.remainder, x, y, dynamic=True, **options)
    assert torch.equal(compiled(x, y), x % y)
    y[50] = 0
    assert _raises_zero_division(compiled, x, y)


def test_nothing_is_divided_by_zero_where_there_is_nothing():
    x, y = torch.zeros(0, 3, dtype=torch.int64), torch.zeros(3, dtype=torch.int64)
    assert _compiled(torch.remainder, x, y)(x, y).shape == (0, 3)


def test_a_constant_divisor_of_zero_raises():
    compiled = _compiled(lambda x: x % 0, torch.arange(5))
    assert _raises_zero_division(compiled, torch.arange(5))


def test_integers_are_divided_as_integers():
    x = torch.tensor([2**62 + 1, -(2**62) - 1, 2**53 + 1, 7, -7])
    y = torch.tensor([1, 3, -1, 2, 2])

    def divide(x, y):
        return x // y, x // 3

    compiled = _compiled(divide, x, y)
    for result, expected in zip(compiled(x, y), divide(x, y), strict=True):
        assert torch.equal(result, expected)


def test_sizes_and_numbers_are_divided_as_in_python():
    def divide(x, n):
        size = x.shape[0]
        m = n - 6
        return x * (size // m), x * (size % m), x * (m % size), x * (size / m), x * (m // 5)

    x = torch.arange(12.0)
    compiled = _compiled(divide, x, 11, dynamic=True)
    for number in (11, 13, 2, 3):
        torch.testing.assert_close(compiled(x, number), divide(x, number))
    assert _raises_zero_division(compiled, x, 6)


@pytest.mark.parametrize("dtype", [*_SIGNED, torch.uint8], ids=str)
def test_shifts_by_any_amount(dtype):
    def shift(x, y):
        return torch.bitwise_left_shift(x, y), torch.bitwise_right_shift(x, y)

    kind = torch.iinfo(dtype)
    numbers = torch.tensor([7, 1, kind.max, kind.min, kind.max // 3], dtype=dtype)
    amounts = [0, 1, kind.bits - 1, kind.bits, kind.bits + 1, 100, kind.max, kind.min]
    x, y = torch.meshgrid(numbers, torch.tensor(amounts, dtype=dtype), indexing="ij")
    x, y = x.contiguous(), y.contiguous()
    compiled = _compiled(shift, x, y)
    for result, expected in zip(compiled(x, y), shift(x, y), strict=True):
        assert torch.equal(result, expected)


@pytest.mark.parametrize("dtype", [*_SIGNED, torch.uint8], ids=str)
def test_shifts_by_numbers(dtype):
    aten = torch.ops.aten
    operators = [
        aten.__lshift__.Scalar,
        aten.__rshift__.Scalar,
        aten.bitwise_left_shift.Tensor_Scalar,
        aten.bitwise_right_shift.Tensor_Scalar,
    ]
    kind = torch.iinfo(dtype)
    amounts = [0, 1, kind.bits - 1, kind.bits, kind.max]

    def shift(x):
        return [operator(x, amount) for operator in operators for amount in amounts]

    x = torch.tensor([7, 1, kind.max, kind.min, kind.max // 3], dtype=dtype)
    for result, expected in zip(_compiled(shift, x)(x), shift(x), strict=True):
        assert torch.equal(result, expected)


@pytest.mark.parametrize("kind", [torch.float32, torch.float64], ids=str)
def test_non_integral_float_conversions(kind):
    """Converted by the processor, as in eager mode; a converted index is checked."""

    def convert(x):
        return tuple(x.to(dtype) for dtype in [*_SIGNED, torch.uint8])

    numbers = [float("nan"), float("inf"), -float("inf"), 1e30, -1e30, 300.7, -1.5, 200.0, 70000.0]
    x = torch.tensor(numbers * 4, dtype=kind)
    compiled = _compiled(convert, x)
    for result, expected in zip(compiled(x), convert(x), strict=True):
        assert torch.equal(result, expected)


def test_the_least_integer_wraps_around():
    x = torch.tensor([-(2**63), 3])

    def negate(x):
        return x.abs(), -x, x - 1

    for result, expected in zip(_compiled(negate, x)(x), negate(x), strict=True):
        assert torch.equal(result, expected)


@pytest.mark.parametrize("dtype", [torch.uint8, *_SIGNED], ids=str)
@pytest.mark.parametrize("dynamic", [False, True])
def test_powers_of_one_base(dtype, dynamic):
    """Squares that are the same for all elements; LLVM expanded their product without end."""
    powers = torch.arange(20).reshape(4, 5).to(dtype) * 3 - (0 if dtype == torch.uint8 else 7)
    compiled = _compiled(torch.pow, torch.tensor(3, dtype=dtype), powers, dynamic=dynamic)
    for base in (3, 2, 0, 1, 7) if dtype == torch.uint8 else (3, -2, 0, 1, -1):
        one = torch.tensor(base, dtype=dtype)
        assert torch.equal(compiled(one, powers), torch.pow(one, powers))
