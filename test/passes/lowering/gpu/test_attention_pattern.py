"""Which attention is outlined for warpgroups, and which is not."""

import pytest
import torch
from function_module import Function
from torch import nn
from torch.nn.functional import dropout, scaled_dot_product_attention
from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import import_for_lowering
from torch_refine.passes.lowering.gpu.warpgroups.outline_gpu_attention import (
    ATTENTION,
    MASK,
    OutlineGpuAttention,
)
from torch_refine.passes.program import symbol_name
from torch_refine.pipelines.lowering.gpu import TorchToNvgpuPipeline
from torch_refine.pipelines.runner import Runner


def _weighted(scores, value, dim=-1):
    return (scores.float().softmax(dim) @ value.float()).half()


def _scores(query, key):
    return query.float() @ key.float().transpose(-1, -2)


class _Layer(nn.Module):
    """Attention of heads that linear layers compute."""

    def __init__(self):
        super().__init__()
        self.inputs = nn.Linear(64, 192)
        self.outputs = nn.Linear(64, 64)

    def forward(self, given):
        batch, rows, _ = given.shape
        query, key, value = (
            each.view(batch, rows, 4, 16).transpose(1, 2)
            for each in self.inputs(given).chunk(3, -1)
        )
        found = scaled_dot_product_attention(query, key, value).transpose(1, 2)
        return self.outputs(found.reshape(batch, rows, 64))


ACCEPTED = {
    "plain": (1, scaled_dot_product_attention),
    "ops": (1, lambda q, k, v: _weighted(_scores(q, k) * 0.3, v)),
    "tanh of scores": (1, lambda q, k, v: _weighted(_scores(q, k).tanh(), v)),
    "a value that is scaled": (1, lambda q, k, v: _weighted(_scores(q, k), v.float() * 3)),
}
REFUSED = {
    "negative scale": lambda q, k, v: _weighted(_scores(q * 1.0, k.float() * -0.5), v),
    "a result in f32": lambda q, k, v: _scores(q, k).softmax(-1) @ v.float(),
    "another dimension": lambda q, k, v: _weighted(_scores(q, k), v, -2),
    "scores are used elsewhere": lambda q, k, v: (
        _weighted(_scores(q, k), v) + _scores(q, k).sum(-1, keepdim=True).half()
    ),
    "scores and their transpose": lambda q, k, v: _weighted(
        (s := _scores(q, k)) + s.transpose(-1, -2), v
    ),
    "keys are constant": lambda q, k, v: scaled_dot_product_attention(q, torch.ones_like(k), v),
    "values are constant": lambda q, k, v: scaled_dot_product_attention(q, k, torch.ones_like(v)),
    "an infinite scale": lambda q, k, v: _weighted(_scores(q, k.float() * torch.inf), v),
}
SIZES = {"head of 136": (96, 136), "head of 12": (96, 12), "few keys": (40, 16)}


def _count(function, shape=(2, 3, 96, 16), dtype=torch.float16):
    inputs = tuple(torch.randn(shape).to(dtype) for _ in range(3))
    return _number_in(Function(function), inputs)


def _outlined(model, inputs):
    program = import_for_lowering(export_program(model.eval(), inputs, {}, None))
    elements = TorchToNvgpuPipeline(chip="sm_90a").elements()
    end = [each.name for each in elements].index(OutlineGpuAttention.name)
    Runner(verify_each=True).run(elements[: end + 1], program.module.operation)
    return program.module


def _number_in(model, inputs):
    module = _outlined(model, inputs).operation
    calls = [each for each in walk(module) if each.name == "func.call"]
    body = module.regions[0].blocks[0]
    kernels = {symbol_name(each) for each in operations(body) if ATTENTION in each.attributes}
    called = (ir.FlatSymbolRefAttr(each.attributes["callee"]).value for each in calls)
    return sum(name in kernels for name in called)


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name):
    number, function = ACCEPTED[name]
    assert _count(function) == number


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    assert _count(REFUSED[name]) == 0


def _causal(query, key, value):
    return scaled_dot_product_attention(query, key, value, is_causal=True)


def _softcapped(query, key, value):
    return _weighted((_scores(query, key) * 0.5).tanh() * 3, value)


@pytest.mark.parametrize(
    ("function", "scale", "diagonal", "has_mask"),
    [
        (scaled_dot_product_attention, 0.25, None, False),
        (_causal, 0.25, 0, True),
        (lambda q, k, v: _weighted(_scores(q.float() * 2, k) * 0.5 * 0.25, v), 0.25, None, False),
        (_softcapped, 0.5, None, True),
        (lambda q, k, v: _weighted(_scores(q, k) * -0.5, v), 1.0, None, True),
    ],
)
def test_the_scale_of_scores_costs_nothing(function, scale, diagonal, has_mask):
    """It is a factor of the exponent, and no op on each score."""
    inputs = tuple(torch.randn(2, 3, 512, 16).half() for _ in range(3))
    module = _outlined(Function(function), inputs).operation
    (kernel,) = (each for each in walk(module) if ATTENTION in each.attributes)
    marks = ir.DictAttr(kernel.attributes[ATTENTION])
    assert ir.FloatAttr(marks["scale"]).value == scale
    found = ir.IntegerAttr(marks["diagonal"]).value if "diagonal" in marks else None
    assert found == diagonal
    assert any(MASK in each.attributes for each in walk(kernel)) == has_mask


@pytest.mark.parametrize("name", SIZES)
def test_sizes_that_are_refused(name):
    assert _count(scaled_dot_product_attention, (2, 3, *SIZES[name])) == 0


def test_f32_is_refused():
    assert _count(scaled_dot_product_attention, dtype=torch.float32) == 0


def test_dropout_is_refused():
    def function(query, key, value):
        weights = dropout(_scores(query, key).softmax(-1), 0.5, training=True)
        return (weights @ value.float()).half()

    assert _count(function) == 0


@pytest.mark.parametrize("batch", [1, 2])
def test_layers(batch):
    """Attention of what attention computes; both layers share a kernel, or have one each."""
    model = nn.Sequential(_Layer(), _Layer()).half()
    assert _number_in(model, (torch.randn(batch, 96, 64).half(),)) == 2
