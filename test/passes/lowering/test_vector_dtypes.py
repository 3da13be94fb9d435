"""Kernels are correct for all element sizes, in tensors larger than vectors and tiles."""

import pytest
import torch
import torch_refine
from torch import nn

# One of each storage size, and those with fewer bits than their storage.
DTYPES = (torch.bool, torch.uint8, torch.int64, torch.bfloat16)
MASKS = (torch.bool, torch.uint8, torch.bfloat16)
SIZES = (70, 131)


class Program(nn.Module):
    """A function of tensors."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *tensors):
        return self.function(*tensors)


# For a tensor of any dtype.
MOVES = {
    "transpose": lambda x: x.t().contiguous(),
    "cat": lambda x: torch.cat([x, x.flip(0)]).t().contiguous(),
    "select": lambda x: torch.where(x.t() == x.t()[0], x.t(), x.t().flip(0)),
    "compare": lambda x: (x.t() == x.t()[:1]).contiguous(),
}
# For a matmul, and a tensor of any dtype.
EPILOGUES = {
    "mask": lambda p, x: torch.where(x.bool(), p, -1.0),
    "row": lambda p, x: torch.where(x[0].bool(), p, -1.0),
    "factor": lambda p, x: p * x.float(),
    "compare": lambda p, x: (p > 0) & x.bool(),
    "number": lambda p, x: (p > 0).to(x.dtype),
}


def _tensor(dtype):
    return torch.randint(0, 2 if dtype == torch.bool else 100, SIZES).to(dtype)


def _check(function, *inputs):
    result = torch_refine.compile(Program(function), inputs)(*inputs)
    expected = function(*inputs)
    assert result.dtype == expected.dtype
    torch.testing.assert_close(result, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", MOVES)
def test_moves(name, dtype):
    torch.manual_seed(0)
    _check(MOVES[name], _tensor(dtype))


@pytest.mark.parametrize("dtype", MASKS)
@pytest.mark.parametrize("name", EPILOGUES)
def test_epilogues(name, dtype):
    torch.manual_seed(0)
    left, right = torch.randn(SIZES[0], 48), torch.randn(48, SIZES[1])
    function = EPILOGUES[name]
    _check(lambda a, b, x: function(a @ b, x), left, right, _tensor(dtype))
