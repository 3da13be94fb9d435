"""Examples that are one tensor, or share memory, are inputs of their own."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch import nn
from torch_refine.runtime.torch_models.examples import without_aliases


class Difference(nn.Module):
    """Inputs that are nested, a weight, and a tensor of the code."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(4))

    def forward(self, pair, named):
        return (pair[0] - pair[1]) * 2 + (named["x"] - self.weight)


def test_one_tensor_as_two_examples():
    one = torch.rand(4)
    compiled = torch_refine.compile(Function(lambda x, y: x - y), (one, one))
    x, y = torch.rand(4), torch.rand(4)
    torch.testing.assert_close(compiled(x, y), x - y)
    assert not compiled(x, x).any()


def test_examples_that_are_nested_and_a_weight():
    model = Difference()
    same = model.weight
    compiled = torch_refine.compile(model, ((same, same), {"x": same}))
    pair, named = (torch.rand(4), torch.rand(4)), {"x": torch.rand(4)}
    with torch.no_grad():
        torch.testing.assert_close(compiled(pair, named), model(pair, named))


def test_an_example_that_the_code_refers_to():
    constant = torch.rand(100)
    compiled = torch_refine.compile(Function(lambda x: x - constant), (constant,))
    x = torch.rand(100)
    torch.testing.assert_close(compiled(x), x - constant)


def test_views_of_one_tensor_of_which_one_is_written_to():
    memory = torch.zeros(8)
    model = Function(lambda x, y: (x.add_(1), y * 2)[1])
    compiled = torch_refine.compile(model, (memory[:4], memory[2:6]))
    assert not memory.any()
    x, y = torch.zeros(4), torch.ones(4)
    assert compiled(x, y).tolist() == [2] * 4
    assert x.tolist() == [1] * 4


def test_copies_are_like_what_they_are_copied_of():
    base = torch.randn(5, 7, 3)
    for tensor in (
        base,
        base.t() if base.dim() == 2 else base.permute(2, 0, 1),
        base[:, 1::2],
        base[2:, 3].expand(4, 3, 3),
        base.as_strided((3, 3), (1, 1), 4),
        base[:0],
        torch.tensor(3),
        torch.randn(3, dtype=torch.complex64).conj(),
        nn.Parameter(base),
    ):
        (copy,) = without_aliases([tensor])
        torch.testing.assert_close(copy, tensor.detach())
        assert copy.data_ptr() != tensor.data_ptr() or tensor.numel() == 0
        assert not copy.requires_grad
        if not tensor.is_conj():
            assert copy.stride() == tensor.stride()


@pytest.mark.parametrize("shared", ["inputs", "weights"])
def test_a_graph_of_dynamo(shared, caplog):
    torch._dynamo.reset()
    memory = torch.rand(8)
    model = nn.Linear(2, 2, bias=False)
    model.register_buffer("other", model.weight.detach())

    def views(x, y):
        return x - y

    def weights(x, y):
        return model(x.view(2, 2)) - x.view(2, 2) @ model.other.t() * 2

    function = views if shared == "inputs" else weights
    compiled = torch.compile(function, backend="torch_refine")
    with torch.no_grad():
        for x, y in ((memory[:4], memory[2:6]), (torch.rand(4), torch.rand(4))):
            torch.testing.assert_close(compiled(x, y), function(x, y))
        model.other = torch.rand(2, 2)
        torch.testing.assert_close(compiled(x, y), function(x, y))
    assert [each for each in caplog.records if each.name == "torch_refine"] == []
