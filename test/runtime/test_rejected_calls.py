"""What kernels reject is not compiled, though a trace of PyTorch accepts it."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch_refine.importer import ImportModelError

aten = torch.ops.aten
X = torch.randn(2, 3)


@pytest.mark.parametrize(
    ("model", "inputs", "message"),
    [
        (aten.multi_margin_loss, (X, torch.tensor([0, 1]).int()), "classes must be int64"),
        (aten.nll_loss2d_forward, None, "always raises"),
        (lambda x: aten.upsample_linear1d(x[None], [0], False, 1.7), (X,), "must be positive"),
    ],
    ids=["dtype", "rank", "size"],
)
def test_calls_that_always_raise(model, inputs, message):
    if inputs is None:
        target = torch.zeros(4, 6, dtype=torch.int64)
        model, inputs = (
            lambda x, y: aten.nll_loss2d_forward(x, y, None, 1, -100),
            (torch.randn(4, 5, 6), target),
        )
    with pytest.raises(RuntimeError):
        model(*inputs)
    with pytest.raises(ImportModelError, match=message):
        torch_refine.compile(Function(model), inputs)


def test_sizes_that_are_not_known_are_given_the_benefit_of_the_doubt():
    model = Function(lambda x, y: x @ y)
    inputs = (torch.randn(4, 5), torch.randn(5, 6))
    any_size = {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}
    compiled = torch_refine.compile(model, inputs, dynamic_shapes=((any_size, any_size),))
    torch.testing.assert_close(compiled(*inputs), model(*inputs))
