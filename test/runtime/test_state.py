"""Weights: passed as they lie, prepared once, and again when they change."""

from __future__ import annotations

import torch
import torch_refine
from torch import nn
from torch_refine.passes.lowering.abi import PREPARE_ENTRY


class Classifier(nn.Module):
    """A product that is worth packing, with a normalisation."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(96, 70)
        self.norm = nn.BatchNorm1d(70)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Compute it."""
        return self.norm(self.linear(x)).relu()


def _compiled() -> tuple[nn.Module, torch_refine.CompiledModule, torch.Tensor]:
    model = Classifier().eval()
    x = torch.randn(40, 96)
    return model, torch_refine.compile(model, (x,)), x


def _same(model, compiled, x) -> None:
    with torch.no_grad():
        torch.testing.assert_close(compiled(x), model(x))


def test_what_is_prepared_follows_the_weights():
    model, compiled, x = _compiled()
    assert "prepare_main" in compiled.ir("llvm") and PREPARE_ENTRY.endswith("prepare_main")
    _same(model, compiled, x)
    with torch.no_grad():
        model.linear.weight.mul_(3)
        model.norm.running_var.add_(1)
    _same(model, compiled, x)
    model.load_state_dict(Classifier().state_dict())
    _same(model, compiled, x)


def test_a_change_that_nobody_counts_is_seen_after_refresh():
    model, compiled, x = _compiled()
    _same(model, compiled, x)
    before = compiled(x)
    model.linear.weight.data.mul_(3)
    torch.testing.assert_close(compiled(x), before)
    compiled.refresh()
    _same(model, compiled, x)


def test_weights_that_lie_in_another_order():
    model = Classifier().eval()
    with torch.no_grad():
        model.linear.weight = nn.Parameter(torch.randn(96, 70).t())
    x = torch.randn(40, 96)
    compiled = torch_refine.compile(model, (x,))
    _same(model, compiled, x)
    with torch.no_grad():
        model.linear.weight.mul_(3)
    _same(model, compiled, x)


def test_weights_made_in_inference_mode():
    with torch.inference_mode():
        model = Classifier().eval().requires_grad_(False)
    x = torch.randn(40, 96)
    compiled = torch_refine.compile(model, (x,))
    _same(model, compiled, x)
    with torch.inference_mode():
        model.linear.weight.mul_(3)
    _same(model, compiled, x)
