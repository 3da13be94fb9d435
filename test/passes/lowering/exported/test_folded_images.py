"""Sums of overlapping windows: `fold`, and gradients of `unfold`, are sums of slices."""

import pytest
import torch
import torch.nn.functional as F
import torch_refine
from function_module import Function

AUTO = torch.export.Dim.AUTO
# Kernel, dilation, padding, stride.
WINDOWS = (
    (3, 1, 1, 1),
    (3, 2, 2, 2),
    ((3, 2), (2, 1), (1, 0), (2, 3)),
    (4, 1, 0, 4),
    ((2, 5), 1, (0, 2), (3, 2)),
    (1, 1, 0, 2),
)


@pytest.mark.parametrize("window", WINDOWS)
def test_folded_images(window):
    image = torch.randn(2, 3, 13, 11)
    columns = F.unfold(image, *window)
    model = Function(lambda x: F.fold(x, (13, 11), *window))
    compiled = torch_refine.compile(model, (columns,), dynamic_shapes=(({0: AUTO},),))
    assert "index_put" not in compiled.ir("torch")
    for given in (columns, torch.cat([columns, columns[:1] + 1]), columns.flip(0)):
        torch.testing.assert_close(compiled(given), model(given))
    lone = torch_refine.compile(model, (columns[0],))
    torch.testing.assert_close(lone(columns[0]), model(columns[0]))


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.complex64])
def test_dtypes(dtype):
    columns = torch.randn(2, 12, 30).to(dtype)
    model = Function(lambda x: F.fold(x, (6, 7), 2))
    # Sums are rounded once; PyTorch rounds each.
    expected = model(columns.float() if dtype == torch.bfloat16 else columns).to(dtype)
    torch.testing.assert_close(torch_refine.compile(model, (columns,))(columns), expected)


def _folded(x):
    return F.fold(F.unfold(x, 3, padding=1) * 2, (8, 9), 3, padding=1)


def _unfolded(x):
    return x.unfold(2, 3, 2).unfold(3, 4, 1)


def _of_many_elements(x):
    return x.reshape(-1).unfold(0, 200, 1)


@pytest.mark.parametrize("function", [_folded, _unfolded, _of_many_elements])
def test_gradients(function):
    torch._dynamo.reset()
    x = torch.randn(2, 3, 8, 9, requires_grad=True)
    weights = torch.randn_like(function(x))
    compiled = torch.compile(function, backend="torch_refine")
    found = torch.autograd.grad(compiled(x), x, weights)
    torch.testing.assert_close(found, torch.autograd.grad(function(x), x, weights))
