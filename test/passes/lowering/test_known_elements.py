"""Computations on constant elements fold to the results of eager mode."""

import re

import pytest
import torch
import torch_refine
from function_module import Function
from torch import nn
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.lowering import import_for_lowering

aten = torch.ops.aten
VALUES = (0.0, -0.0, 1.89, -1.89, 2.5, 0.5, -0.5, -1.0, 1e30, torch.inf, -torch.inf, torch.nan)


@pytest.mark.parametrize(
    "operator",
    [
        aten.trunc.default,
        aten.frac.default,
        aten.floor.default,
        aten.ceil.default,
        aten.relu.default,
        lambda x: aten.remainder.Scalar(x, 2),
        lambda x: aten.remainder.Scalar(x, -0.75),
        lambda x: aten.fmod.Scalar(x, 2),
        lambda x: aten.floor_divide(x, 2.0),
        lambda x: aten.clamp(x, -1, 1),
    ],
)
def test_of_full_tensors(operator):
    def model(x):
        return [operator(torch.full((2,), value)) + x for value in VALUES]

    x = torch.zeros(2)
    found = torch_refine.compile(Function(model), (x,), opt_level=0)(x)
    torch.testing.assert_close(list(found), model(x), equal_nan=True)


NUMBERS = (-2, 3, 2.5)
BY_NUMBERS = [
    *(
        lambda x, number, operator=operator: operator(x, number)
        for operator in (
            aten.add.Scalar,
            aten.sub.Scalar,
            aten.rsub.Scalar,
            aten.mul.Scalar,
            aten.div.Scalar,
            aten.pow.Tensor_Scalar,
            aten.remainder.Scalar,
            aten.fmod.Scalar,
            aten.floor_divide.Scalar,
            aten.lt.Scalar,
            aten.leaky_relu.default,
        )
    ),
    lambda x, number: aten.add.Scalar(x, number, -3),
    lambda x, number: aten.sub.Scalar(x, number, -3),
    lambda x, number: aten.rsub.Scalar(x, number, -3),
    lambda x, number: aten.add.Tensor(x, x + number, alpha=-3),
    lambda x, number: aten.sub.Tensor(x, x + number, alpha=-3),
    lambda x, number: aten.addcmul(x, x, x, value=-3) + number,
    lambda x, number: aten.mul.Tensor(x, torch.full((2,), number)),
    lambda x, number: aten.floor_divide(x, torch.full((2,), number).to(x.dtype)),
    lambda x, number: aten.remainder.Tensor(x, torch.full((2,), number).to(x.dtype)),
]


def _takes_integers(operator):
    try:
        operator(torch.ones(2, dtype=torch.int64), -2)
    except RuntimeError:
        return False
    return True


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.bfloat16])
def test_signed_constants(dtype):
    """-2 is not 2**64 - 2, and remainders have Python's sign."""

    def model(x):
        found = []
        for value in (-7, 1, 100):
            for number in NUMBERS:
                if isinstance(number, float) and not dtype.is_floating_point:
                    continue
                known = torch.full((2,), value, dtype=dtype)
                found += [operator(known, number) + x for operator in operators]
        return found

    # Integers have no negative powers and no slope.
    operators = [each for each in BY_NUMBERS if dtype.is_floating_point or _takes_integers(each)]
    x = torch.zeros(2, dtype=dtype)
    found = torch_refine.compile(Function(model), (x,), opt_level=0)(x)
    torch.testing.assert_close(list(found), model(x), equal_nan=True)


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.uint8, torch.bool])
def test_constant_quotients_and_sums(dtype):
    """The wheel folds these to wrong or uninitialized values."""

    def model(x):
        found = []
        for value in (0, 1, 100):
            known = torch.full((2,), value).to(dtype)
            found += [known + True, torch.signbit(known), known + torch.ones(2, dtype=dtype)]
            if dtype != torch.bool:
                for other in (-3, 2):
                    divisors = torch.full((2,), other), torch.tensor([other, 5]).to(torch.int32)
                    found += [torch.floor_divide(known, each) for each in divisors]
        return [each + x for each in found]

    x = torch.zeros(2, dtype=torch.int64)
    found = torch_refine.compile(Function(model), (x,), opt_level=0)(x)
    torch.testing.assert_close(list(found), model(x))


def _operators(function, *inputs):
    model = Function(function)
    with torch.no_grad():
        program = torch.export.export(model, inputs)
    text = str(import_for_lowering(program).module)
    return [name for name in re.findall(r"torch\.aten\.(\w+)", text) if name != "clone"]


def test_what_is_computed_of_constants_is_computed_at_once():
    x = torch.rand(3)
    assert _operators(lambda x: x * (torch.full((3,), 2.0) + 1).sqrt(), x) == ["full", "mul"]
    assert _operators(lambda x: x * (torch.tensor([1.0, 2.0, 4.0]) * -2).cumsum(0), x) == ["mul"]
    # A constant result; the second is a splat.
    assert _operators(lambda x: (torch.tensor([1, 2, 4]) * 3, x), x) == []
    assert _operators(lambda x: (torch.zeros(3) - 0.0, x), x) == ["full"]


def test_what_changes_is_not_computed_at_once():
    class Scaled(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = torch.tensor([1.0, 2.0])
            self.register_buffer("shift", torch.tensor([1.0, 2.0]))

        def forward(self, x):
            noise = torch.rand(2) * 1e-9
            return x * (self.scale + 1) + self.shift * 2 + noise

    model = Scaled()
    x = torch.ones(2)
    compiled = torch_refine.compile(model, (x,), opt_level=0)
    model.scale.mul_(3)
    model.shift.mul_(5)
    torch.testing.assert_close(compiled(x), model(x))


def test_constants_that_are_large_or_fail_are_left_alone():
    x = torch.rand(1)
    assert "sqrt" in _operators(lambda x: x * torch.full((1 << 17,), 2.0).sqrt(), x)
    model = Function(lambda x: x + torch.tensor([1, 2])[torch.tensor([5])])
    with pytest.raises((torch_refine.CompileError, ImportModelError, RuntimeError, IndexError)):
        torch_refine.compile(model, (x,), opt_level=0)(x)
