"""`torch.compile(backend="torch_refine")`."""

import logging

import pytest
import torch
from torch import nn


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()


def _said(caplog):
    return [each.getMessage() for each in caplog.records if each.name == "torch_refine"]


def test_the_backend_is_registered():
    assert "torch_refine" in torch._dynamo.list_backends()


def test_a_model(caplog):
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4)).eval()
    compiled = torch.compile(model, backend="torch_refine")
    inputs = torch.rand(3, 8)
    with torch.no_grad():
        torch.testing.assert_close(compiled(inputs), model(inputs))
    assert _said(caplog) == []


@pytest.mark.parametrize(
    ("function", "grad", "reason"),
    [
        (lambda x: torch.linalg.svd(x)[1], False, "_linalg_svd has no lowering"),
        (lambda x: (x * 2).sum(), True, "gradients are wanted"),
    ],
)
def test_what_is_not_taken_runs_eagerly(function, grad, reason, caplog):
    inputs = torch.rand(4, 4, requires_grad=grad)
    compiled = torch.compile(function, backend="torch_refine")
    with caplog.at_level(logging.WARNING, "torch_refine"), torch.set_grad_enabled(grad):
        torch.testing.assert_close(compiled(inputs), function(inputs))
    (message,) = _said(caplog)
    assert "runs eagerly" in message
    assert reason in message


def test_sizes_that_change(caplog):
    model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU()).eval()
    compiled = torch.compile(model, backend="torch_refine")
    torch._dynamo.utils.counters.clear()
    with torch.no_grad():
        for rows in (4, 7, 9, 11):
            inputs = torch.rand(rows, 8)
            torch.testing.assert_close(compiled(inputs), model(inputs))
    assert _said(caplog) == []
    graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
    assert graphs == 2, "the second one takes any number of rows"


def test_sizes_that_the_program_computes_with(caplog):
    def function(x, y):
        return (x.view(x.shape[0] * 2, -1) + x.shape[1] + y.sum()).sum(0)

    compiled = torch.compile(function, backend="torch_refine", dynamic=True)
    for rows in (4, 7):
        inputs = torch.rand(rows, 6), torch.rand(rows + 1, 2)
        torch.testing.assert_close(compiled(*inputs), function(*inputs))
    assert _said(caplog) == []


def test_a_size_that_no_tensor_has_runs_eagerly(caplog):
    compiled = torch.compile(lambda x, y: x + y.shape[0], backend="torch_refine", dynamic=True)
    with caplog.at_level(logging.WARNING, "torch_refine"):
        torch.testing.assert_close(compiled(torch.ones(3), torch.ones(5)), torch.full((3,), 6.0))
    (message,) = _said(caplog)
    assert "which no input has" in message


def test_weights_that_change(caplog):
    model = nn.Linear(8, 4)
    compiled = torch.compile(model, backend="torch_refine")
    inputs = torch.rand(3, 8)
    with torch.no_grad():
        compiled(inputs)
        model.weight.mul_(2)
        torch.testing.assert_close(compiled(inputs), model(inputs))
        assert _said(caplog) == []
        model.weight = nn.Parameter(torch.rand(4, 8))
        torch.testing.assert_close(compiled(inputs), model(inputs))


def test_sizes_that_the_export_narrows():
    """Three slices are one window of three, five are two; whoever notices, the result is right."""

    def pooled(x):
        return nn.functional.max_pool3d(x, 3, padding=1) * 2

    compiled = torch.compile(pooled, backend="torch_refine", dynamic=True)
    with torch.no_grad():
        for slices in (3, 2, 5, 9, 1):
            inputs = torch.rand(1, 2, slices, 6, 5)
            torch.testing.assert_close(compiled(inputs), pooled(inputs))
