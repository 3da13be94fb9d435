"""Complex arithmetic is compiled as that of real and imaginary parts."""

import pytest
import torch
import torch_refine
from torch import nn
from torch.export import Dim

NUMBERS = torch.tensor([1.5, -2.0, 0.0, float("inf"), float("nan"), -0.0, 3.0, 1e30])
REAL = NUMBERS.reshape(2, 4)
COMPLEX = torch.complex(REAL, REAL.flip(0, 1))
OTHER = torch.complex(REAL.flip(1), torch.linspace(-1, 1, 8).reshape(2, 4))
CASES = {
    "complex times complex": (lambda x, y: x * y, COMPLEX, OTHER),
    "complex times real": (lambda x, y: x * y, COMPLEX, REAL),
    "real times complex": (lambda x, y: x * y, REAL, OTHER),
    "complex times a row": (lambda x, y: x * y[0], COMPLEX, OTHER),
    "complex times a number": (lambda x: x * 2.5, COMPLEX),
    "complex times a complex number": (lambda x: x * (2.5 - 1j), COMPLEX),
    "real times a complex number": (lambda x: x * 1j, REAL),
    "in f64": (lambda x, y: x * y, COMPLEX.to(torch.complex128), OTHER),
    "sum": (lambda x, y: x + y, COMPLEX, OTHER),
    "sum with a real tensor": (lambda x, y: x + y, COMPLEX, REAL),
    "sum with a number": (lambda x: x + 1, COMPLEX),
    "difference": (lambda x, y: x - y, COMPLEX, OTHER),
    "negative": (lambda x: -x, COMPLEX),
    "conjugate": (lambda x, y: x.conj() * y, COMPLEX, OTHER),
    "physical conjugate": (torch.conj_physical, COMPLEX),
    "sum of rows": (lambda x: x.sum(1), OTHER[:, :2]),
    "mean of columns": (lambda x: x.mean(0, keepdim=True), OTHER[:, 1:3]),
    "polar": (torch.polar, REAL[:, :3].nan_to_num(posinf=2.0).abs(), torch.ones(2, 3)),
    "of parts": (torch.complex, REAL, REAL.flip(1)),
    "rank 0": (lambda x, y: x[0, 0] * y[1, 1], COMPLEX, OTHER),
}


class _Calling(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        found = self.function(*inputs)
        return torch.view_as_real(found.resolve_conj())


@pytest.mark.parametrize("name", CASES)
def test_complex_arithmetic(name):
    function, *inputs = CASES[name]
    # Inputs of programs are real.
    wide = any(each.dtype == torch.complex128 for each in inputs)
    kind = torch.complex128 if wide else torch.complex64
    is_complex = [each.is_complex() for each in inputs]
    given = [
        torch.view_as_real(each.to(kind)).contiguous() if flag else each
        for each, flag in zip(inputs, is_complex, strict=True)
    ]

    def call(*values):
        pairs = zip(values, is_complex, strict=True)
        return function(*(torch.view_as_complex(each) if flag else each for each, flag in pairs))

    model = _Calling(call)
    compiled = torch_refine.compile(model, tuple(given), opt_level=1)
    torch.testing.assert_close(compiled(*given), model(*given), equal_nan=True)


class _Rotary(nn.Module):
    def forward(self, frequencies, x):
        turns = torch.polar(torch.ones_like(frequencies), frequencies)
        pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(pairs * turns.to(x.device)).flatten(3)


def test_rotary_embeddings_of_any_batch():
    model, frequencies = _Rotary(), torch.randn(5, 4)
    shapes = (None, {0: Dim("batch")})
    compiled = torch_refine.compile(model, (frequencies, torch.randn(3, 5, 8)), "cpu", shapes)
    for batch in (1, 3, 6):
        x = torch.randn(batch, 5, 8)
        torch.testing.assert_close(compiled(frequencies, x), model(frequencies, x))
