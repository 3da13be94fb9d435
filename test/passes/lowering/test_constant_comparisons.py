"""Constant tensors compared with constants, which the wheel folds ignoring the dtype."""

import itertools
import operator

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
