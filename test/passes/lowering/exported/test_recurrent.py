"""Recurrent layers are loops over time, and compute what PyTorch's kernels compute."""

import random
import re

import pytest
import torch
import torch_refine
from torch import nn
from torch.export import Dim
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import import_for_lowering
from torch_refine.pipelines.lowering.cpu import TorchToCpuPipeline
from torch_refine.pipelines.runner import Runner
from torch_refine.runtime.calls.guards import GuardError

_KINDS = {
    "lstm": nn.LSTM,
    "gru": nn.GRU,
    "tanh": nn.RNN,
    "relu": lambda *sizes, **options: nn.RNN(*sizes, nonlinearity="relu", **options),
}
_SIZES = ({0: Dim("first", min=1, max=40), 1: Dim("second", min=1, max=40)},)
_TOLERANCES = {
    torch.bfloat16: {"rtol": 0.02, "atol": 0.02},
    torch.float16: {"rtol": 2e-3, "atol": 2e-3},
}


def _layer(kind, seed):
    """A layer with random properties, and the features that it takes."""
    draw = random.Random(f"{kind} {seed}")
    torch.manual_seed(seed)
    taken, features = draw.choice([1, 5, 33]), draw.choice([3, 20, 70])
    options = {
        "num_layers": draw.choice([1, 2]),
        "bias": draw.random() < 0.7,
        "batch_first": draw.random() < 0.5,
        "bidirectional": draw.random() < 0.5,
    }
    if kind == "lstm" and draw.random() < 0.5:
        options["proj_size"] = 2
    if options["num_layers"] == 2:
        options["dropout"] = 0.5
    dtype = draw.choice([torch.float32, torch.float32, torch.float64, torch.bfloat16])
    return _KINDS[kind](taken, features, **options).eval().to(dtype), taken, dtype


def _states(layer, batch, dtype):
    count = layer.num_layers * (2 if layer.bidirectional else 1)
    hidden = torch.randn(count, batch, layer.proj_size or layer.hidden_size).to(dtype)
    if layer.mode != "LSTM":
        return hidden
    return hidden, torch.randn(count, batch, layer.hidden_size).to(dtype)


def _check(compiled, model, *values):
    with torch.no_grad():
        expected = model(*values)
    dtype = values[0].dtype
    torch.testing.assert_close(compiled(*values), expected, **_TOLERANCES.get(dtype, {}))


# Among these are both orders of dimensions, one direction and two, and layers without biases.
_DRAWN = [("lstm", 0), ("lstm", 5), ("gru", 3), ("gru", 4), ("tanh", 4), ("relu", 5)]


@pytest.mark.parametrize(("kind", "seed"), _DRAWN)
def test_any_number_of_steps_and_sequences(kind, seed):
    model, features, dtype = _layer(kind, seed)
    example = torch.randn(3, 6, features).to(dtype)
    compiled = torch_refine.compile(model, (example,), dynamic_shapes=_SIZES)
    for sizes in ((3, 6), (1, 1), (1, 7), (5, 1), (3, 31)):
        _check(compiled, model, torch.randn(*sizes, features).to(dtype))


@pytest.mark.parametrize(("kind", "steps"), [("lstm", 3), ("gru", 9)])
def test_initial_states(kind, steps):
    """Few steps are unrolled; the states of the caller are not written to."""
    model, features, dtype = _layer(kind, steps)
    sizes = (2, steps) if model.batch_first else (steps, 2)
    x, states = torch.randn(*sizes, features).to(dtype), _states(model, 2, dtype)
    kept = [each.clone() for each in (states if isinstance(states, tuple) else [states])]
    compiled = torch_refine.compile(model, (x, states))
    for _ in range(2):
        _check(compiled, model, x, states)
    for each, before in zip(states if isinstance(states, tuple) else [states], kept, strict=True):
        assert torch.equal(each, before)


def test_sequences_without_steps():
    """PyTorch raises, and so does the program."""
    model = nn.LSTM(4, 6, batch_first=True).eval()
    shapes = ({1: Dim("steps", min=0, max=40)},)
    compiled = torch_refine.compile(model, (torch.randn(2, 6, 4),), dynamic_shapes=shapes)
    _check(compiled, model, torch.randn(2, 1, 4))
    for each, error in ((model, RuntimeError), (compiled, GuardError)):
        with pytest.raises(error, match=r"larger than 0|size\(1\) >= 1"):
            each(torch.randn(2, 0, 4))


def test_dropout_is_between_layers():
    """The first layer is as without it, the second differs from call to call."""
    model = nn.GRU(4, 6, 2, dropout=0.5).train()
    x = torch.randn(5, 2, 4)
    compiled = torch_refine.compile(model, (x,))
    with torch.no_grad():
        (_, one), (_, other), (_, expected) = compiled(x), compiled(x), model(x)
    torch.testing.assert_close(one[0], expected[0])
    assert torch.equal(one[0], other[0])
    assert not torch.equal(one[1], other[1])


def test_non_finite_values():
    model = nn.RNN(3, 5, nonlinearity="relu").eval()
    x = torch.randn(7, 2, 3)
    x[1, 0, 0], x[3, 1, 1] = torch.nan, torch.inf
    compiled = torch_refine.compile(model, (x,))
    with torch.no_grad():
        torch.testing.assert_close(compiled(x), model(x), equal_nan=True)


def _loops(model, x, shapes=None):
    """The lines of the loops over time in a program, when its buffers are planned."""
    program = export_program(model.eval(), (x,), {}, shapes)
    module = import_for_lowering(program).module
    elements = list(TorchToCpuPipeline(cpu="x86-64-v3").elements())
    names = [getattr(getattr(each, "instance", None), "name", "") for each in elements]
    Runner().run(elements[: names.index("plan-memory") + 1], module.operation)
    lines = str(module).partition("func.func @main")[2].partition("func.func")[0].splitlines()
    starts = [place for place, line in enumerate(lines) if re.match(" {4}(%.* = )?scf.for", line)]
    assert starts, "there must be a loop"
    return [lines[start : lines.index("    }", start)] for start in starts]


@pytest.mark.parametrize("shapes", [None, _SIZES], ids=["static", "dynamic"])
@pytest.mark.parametrize("kind", ["lstm", "gru", "tanh"])
def test_a_step_allocates_nothing(kind, shapes):
    """Nor does it copy more than a state, or pack weights."""
    model = _KINDS[kind](32, 64, batch_first=True, bidirectional=True)
    for loop in _loops(model, torch.randn(3, 9, 32), shapes):
        assert "iter_args" not in loop[0]
        assert not any("memref.alloc" in line for line in loop[1:])
        calls = [found[1] for line in loop if (found := re.search(r"call @([a-z]+)_", line))]
        assert calls == ["contraction", "loops"]
        (copy,) = (line for line in loop if "memref.copy" in line)
        assert re.search(r"memref<[3?]x64xf32> to memref<[3?]x64xf32, strided", copy)
