"""What is computed of known elements is folded to what eager mode gives."""

import pytest
import torch
import torch_refine
from function_module import Function

aten = torch.ops.aten
VALUES = (0.0, -0.0, 1.89, -1.89, 2.5, -0.5, -1.0, 1e30, torch.inf, -torch.inf, torch.nan)


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
]


def _takes_integers(operator):
    try:
        operator(torch.ones(2, dtype=torch.int64), -2)
    except RuntimeError:
        return False
    return True


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.bfloat16])
def test_beside_numbers_of_any_sign(dtype):
    """-2 is no 2**64 - 2, and remainders have the sign of Python."""

    def model(x):
        found = []
        for value in (-7, 1, 100):
            for number in NUMBERS:
                if isinstance(number, float) and not dtype.is_floating_point:
                    continue
                known = torch.full((2,), value, dtype=dtype)
                found += [operator(known, number) + x for operator in operators]
        return found

    # Integers have no powers below 0, and no slope.
    operators = [each for each in BY_NUMBERS if dtype.is_floating_point or _takes_integers(each)]
    x = torch.zeros(2, dtype=dtype)
    found = torch_refine.compile(Function(model), (x,), opt_level=0)(x)
    torch.testing.assert_close(list(found), model(x), equal_nan=True)
