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
