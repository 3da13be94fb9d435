"""Constants that the wheel folds, ignoring the dtype or the sizes of the result."""

import itertools
import operator

import pytest
import torch
import torch_refine
from function_module import Function

COMPARE = (operator.eq, operator.lt, operator.ge)
VALUES = {
    torch.float32: 1.0,
    torch.bfloat16: -1.0,
    torch.int64: 1,
    torch.int8: -1,
    torch.uint8: 200,
    torch.bool: True,
}
NUMBERS = (0, -1, 300, 0.5)


def _compared(tensors):
    cases = itertools.product(tensors, COMPARE, NUMBERS)
    return torch.stack([compare(tensor, number) for tensor, compare, number in cases])


def test_constants_are_compared_as_in_eager_mode():
    def compare(x):
        constants = [torch.full((3,), value, dtype=dtype) for dtype, value in VALUES.items()]
        return x + 1, _compared(constants)

    x = torch.ones(2)
    compiled = torch_refine.compile(Function(compare), (x,))
    assert torch.equal(compiled(x)[1], compare(x)[1])


def test_inputs_are_compared_alike():
    inputs = tuple(torch.full((3,), value, dtype=dtype) for dtype, value in VALUES.items())
    compiled = torch_refine.compile(Function(lambda *tensors: _compared(tensors)), inputs)
    assert torch.equal(compiled(*inputs), _compared(inputs))


_SELECTIONS = {
    "where": lambda x: torch.where(torch.tensor(True), torch.tensor(0.0), x),
    "masked_fill": lambda x: x.masked_fill(torch.tensor(True), 2.0),
    "xlogy": lambda x: torch.special.xlogy(0.0, x.abs()),
    "other": lambda x: torch.where(torch.tensor(False), 0.0, x),
}


@pytest.mark.parametrize("is_dynamic", [False, True])
@pytest.mark.parametrize("name", _SELECTIONS)
def test_a_selected_number_has_the_sizes_of_the_tensor(name, is_dynamic):
    select = _SELECTIONS[name]
    x = torch.randn(3)
    shapes = ({0: torch.export.Dim.AUTO},) if is_dynamic else None
    compiled = torch_refine.compile(Function(select), (x,), dynamic_shapes=shapes and (shapes,))
    given = torch.randn(5) if is_dynamic else x
    torch.testing.assert_close(compiled(given), select(given))
