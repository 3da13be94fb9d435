"""`as_strided` reads storage: it is lowered only if the layout of its input is known."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch_refine.importer import ImportModelError

X = torch.arange(20.0).reshape(5, 4)


def _strided(x):
    return torch.as_strided(x, (2, 2), (1, 2), 1)


@pytest.mark.parametrize(
    "model",
    [
        _strided,
        lambda x: torch.as_strided_copy(x, (2, 2), (1, 2), 1),
        lambda x: _strided(x.view(4, 5)),
        lambda x: _strided(x * 2),
    ],
    ids=["input", "copy", "view", "result"],
)
def test_what_lies_row_by_row_is_read(model):
    compiled = torch_refine.compile(Function(model), (X,))
    torch.testing.assert_close(compiled(X), model(X))


def test_an_input_must_be_all_of_its_storage():
    compiled = torch_refine.compile(Function(_strided), (X,))
    for part in (torch.zeros(10, 4)[5:], torch.zeros(4, 5).t(), torch.zeros(5, 8)[:, ::2]):
        with pytest.raises(ValueError, match="input 0 must be contiguous, from the start"):
            compiled(part)
    found = compiled(X.numpy())
    assert found.tolist() == _strided(X).tolist()


def test_without_an_offset_it_starts_where_its_operand_does():
    model = Function(lambda x: torch.as_strided(x, (2, 2), (1, 2)))
    compiled = torch_refine.compile(model, (X,))
    part = torch.arange(40.0).reshape(10, 4)[5:]
    torch.testing.assert_close(compiled(part), model(part))


@pytest.mark.parametrize(
    "model",
    [lambda x: _strided(x.t()), lambda x: _strided(x[1:]), lambda x: _strided((x * 2).t())],
    ids=["transposed", "part", "result"],
)
def test_what_lies_otherwise_is_refused(model):
    with pytest.raises(ImportModelError, match="contiguous from the start of its storage"):
        torch_refine.compile(Function(model), (X,))


def test_the_memory_of_a_weight_is_refused():
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(X.clone())

        def forward(self, x):
            return _strided(self.weight) + x

    with pytest.raises(ImportModelError, match="memory of a weight"):
        torch_refine.compile(Model(), (X[0, 0],))
