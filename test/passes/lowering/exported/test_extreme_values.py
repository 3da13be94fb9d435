"""Functions of the greatest and least integers, and of signed zeros, are those of eager mode."""

import itertools

import pytest
import torch
import torch_refine
from torch import nn
from torch.nn import functional

_INTEGERS = [torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64]

_OF_ONE = {
    "abs": torch.abs,
    "neg": torch.neg,
    "sign": torch.sign,
    "sgn": torch.sgn,
    "bitwise_not": torch.bitwise_not,
    "square": torch.square,
    "relu": torch.relu,
    "trunc": torch.trunc,
    "clamp": lambda x: x.clamp(1, 100),
    "cube": lambda x: x**3,
    "powers of 2": lambda x: 2**x,
    "powers of -3": lambda x: torch.pow(3, x),
    "shifted left": lambda x: x << 1,
    "shifted right": lambda x: x >> 1,
    "remainder": lambda x: x % 3,
    "quotient": lambda x: x // 3,
    "difference": lambda x: 3 - x,
    "sum": torch.sum,
    "product": torch.prod,
    "running sum": lambda x: x.cumsum(0),
    "running product": lambda x: x.cumprod(0),
    "greatest": lambda x: x.amax(),
    "least": lambda x: x.amin(),
    "negative sum": lambda x: -x.sum(),
    "narrowed": lambda x: x.to(torch.int8),
    "widened": lambda x: x.to(torch.int64),
    "halved": lambda x: x.to(torch.float64) / 2,
}
_OF_TWO = {
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "and": torch.bitwise_and,
    "xor": torch.bitwise_xor,
    "less": torch.lt,
    "scaled": lambda x, y: torch.add(x, y, alpha=3),
    "power": lambda x, y: x**y,
}
_DIVISIONS = {
    "floor": lambda x, y: torch.div(x, y, rounding_mode="floor"),
    "trunc": lambda x, y: torch.div(x, y, rounding_mode="trunc"),
    "remainder": torch.remainder,
    "fmod": torch.fmod,
    "gcd": torch.gcd,
}
# Not those of which PyTorch's vectors and scalars differ: relu, the extremes of zeros.
_ROUNDED = ("ceil", "floor", "round", "trunc", "frac")
_ODD = ("asin", "asinh", "atan", "atanh", "erf", "erfinv", "expm1", "log1p", "sin", "sinh", "tan")
_OF_FLOATS = {
    name: getattr(torch, name)
    for name in (*_ROUNDED, *_ODD, "tanh", "neg", "abs", "sgn", "sqrt", "reciprocal", "signbit")
} | {
    "softsign": functional.softsign,
    "silu": functional.silu,
    "fmod by 2": lambda x: torch.fmod(x, 2.0),
    "remainder by -2": lambda x: torch.remainder(x, -2.0),
    "floor by 2": lambda x: torch.floor_divide(x, 2.0),
    "cube": lambda x: x**3,
    "times -1": lambda x: x * -1,
    "plus 0": lambda x: x + 0.0,
}
_OF_TWO_FLOATS = {
    "mul": torch.mul,
    "div": torch.div,
    "fmod": torch.fmod,
    "remainder": torch.remainder,
    "atan2": torch.atan2,
    "copysign": torch.copysign,
    "hypot": torch.hypot,
    "floor": lambda x, y: torch.div(x, y, rounding_mode="floor"),
    "trunc": lambda x, y: torch.div(x, y, rounding_mode="trunc"),
}


class All(nn.Module):
    """All functions of one operand, and of two."""

    def __init__(self, of_one, of_two, of_divisor):
        super().__init__()
        self.of_one, self.of_two, self.of_divisor = of_one, of_two, of_divisor

    def forward(self, x, pairs, divided):
        found = {name: function(x) for name, function in self.of_one.items()}
        found |= {f"{name} of two": each(*pairs) for name, each in self.of_two.items()}
        return found | {f"{name} by": each(*divided) for name, each in self.of_divisor.items()}


def _pairs(values):
    first, second = zip(*itertools.product(values.tolist(), repeat=2), strict=True)
    return tuple(torch.tensor(each, dtype=values.dtype) for each in (first, second))


@pytest.mark.parametrize("dtype", _INTEGERS, ids=str)
def test_integers(dtype):
    range_ = torch.iinfo(dtype)
    # Between 2^24 and 2^31 f32 has no odd numbers, nor f64 beyond 2^53.
    numbers = {range_.min, range_.min + 1, range_.max, range_.max - 1, range_.max // 2 + 2}
    numbers |= {0, 1, 2, 3, 7, 100, *((-1, -2, -7, -100) if range_.min else ())}
    values = torch.tensor(sorted(numbers), dtype=dtype)
    first, second = _pairs(values)
    # The least number has no opposite: C does not define its quotient by -1.
    kept = (second != 0) & ((second != -1) | (first != range_.min))
    given = values, (first, second), (first[kept], second[kept])
    of_divisor = dict(_DIVISIONS)
    model = All(_OF_ONE, _OF_TWO, of_divisor)
    expected, found = model(*given), torch_refine.compile(model, given)(*given)
    for name, wanted in expected.items():
        assert found[name].dtype == wanted.dtype, name
        assert torch.equal(found[name], wanted), name


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_zeros_and_infinities(dtype):
    inf = float("inf")
    numbers = [0.0, -0.0, 1.0, -1.0, 0.25, -0.25, 2.5, -2.5, inf, -inf, float("nan"), 1e-30, -1e-30]
    values = torch.tensor(numbers, dtype=dtype)
    given = values, _pairs(values), ()
    model = All(_OF_FLOATS, _OF_TWO_FLOATS, {})
    expected, found = model(*given), torch_refine.compile(model, given)(*given)
    for name, wanted in expected.items():
        torch.testing.assert_close(
            found[name],
            wanted,
            rtol=1e-5,
            atol=0,
            equal_nan=True,
            msg=lambda m, name=name: name + m,
        )
        if wanted.is_floating_point():
            known = ~wanted.isnan()
            assert torch.equal(found[name].signbit()[known], wanted.signbit()[known]), name
