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


def test_an_image_of_a_size_that_is_no_multiple():
    image = torch.randn(1, 2, 4, 4)
    uneven = Function(lambda x: aten.upsample_nearest2d.default(x, [6, 8]))
    with pytest.raises(torch_refine.CompileError, match="rounds the factor"):
        torch_refine.compile(uneven, (image,))
    even = Function(lambda x: aten.upsample_nearest2d.default(x, [12, 8]))
    torch.testing.assert_close(torch_refine.compile(even, (image,))(image), even(image))
    interpolated = Function(lambda x: torch.nn.functional.interpolate(x, size=(6, 3)))
    compiled = torch_refine.compile(interpolated, (image,))
    torch.testing.assert_close(compiled(image), interpolated(image))
