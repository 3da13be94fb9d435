"""What the wheel or PyTorch's export computes otherwise than eager mode is refused."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch_refine.importer import ImportModelError

aten = torch.ops.aten
TRUE, FALSE = torch.tensor([[True, False]]), torch.tensor([[False, True]])
INDEX = torch.tensor([[0, 0]])


def test_scattering_bools():
    model = Function(lambda a, i, b: aten.scatter_reduce.two(a, 0, i, b, "amax"))
    with pytest.raises(torch_refine.CompileError, match="bools"):
        torch_refine.compile(model, (TRUE, INDEX, FALSE))


def test_a_loss_that_the_export_gives_a_dimension():
    model = Function(lambda x, y: aten.multi_margin_loss.default(x, y, 1, 1.0, None, 0))
    with pytest.raises(ImportModelError, match="a dimension that it does not have"):
        torch_refine.compile(model, (torch.randn(4), torch.tensor(2)))
    many = (torch.randn(3, 4), torch.tensor([2, 0, 1]))
    torch.testing.assert_close(torch_refine.compile(model, many)(*many), model(*many))
