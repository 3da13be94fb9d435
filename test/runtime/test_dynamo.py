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
