"""Which functions of PyTorch programs may be approximate on a GPU, and which are not."""

import re

import pytest
import torch
from function_module import Function
from torch.nn.functional import elu, gelu, layer_norm, logsigmoid, sigmoid, silu, softmax
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import import_for_lowering
from torch_refine.pipelines.lowering.gpu import TorchToNvgpuPipeline
from torch_refine.pipelines.runner import Runner

APPROXIMATE = {
    "exp": (["math.exp"], torch.exp),
    "softmax": (["arith.divf", "math.exp"], lambda x: softmax(x, -1)),
    "softmax of the first dimension": (["arith.divf", "math.exp"], lambda x: softmax(x, 0)),
    "sigmoid": (["arith.divf", "math.exp"], sigmoid),
    "silu": (["arith.divf", "math.exp"], silu),
    "tanh": (["math.tanh"], torch.tanh),
    "erf": (["math.erf"], torch.erf),
    "erf and another": (["math.erf"], lambda x: (torch.erf(x.float()) + x).to(x.dtype)),
    "gelu by tanh": (["math.tanh"], lambda x: gelu(x, approximate="tanh")),
    "quotient": (["arith.divf"], lambda x: x / (x.abs() + 1)),
    "exponentials are positive": (
        ["math.exp", "math.exp"],
        lambda x: (torch.exp(x.float()) + torch.exp(-x.float())).to(x.dtype),
    ),
    "rounded, then compared": (["math.exp"], lambda x: torch.exp(x) > 1),
}
EXACT = {
    "layer norm": lambda x: layer_norm(x, (64,)),
    "exp - 1": lambda x: (torch.exp(x.float()) - 1).bfloat16(),
    "elu": elu,
    "expm1": torch.expm1,
    "logarithm of a sum": lambda x: torch.log(1 + torch.exp(x.float())).bfloat16(),
    "log sigmoid": logsigmoid,
    "compared": lambda x: torch.exp(x.float()) > 1,
    "rounded to an integer": lambda x: (torch.exp(x.float()) / 3).to(torch.int32),
    "also a result in f32": lambda x: ((y := torch.exp(x.float())), y.bfloat16()),
    "a difference of quotients": lambda x: (x.float() / 3 - x.float() / 7).bfloat16(),
    "power of an exponential": lambda x: torch.cos(torch.exp(x.float())).bfloat16(),
}


def _approximate(function, dtype=torch.bfloat16):
    """The names of the ops that may be approximate, sorted."""
    inputs = (torch.randn(30, 64).to(dtype),)
    module = import_for_lowering(export_program(Function(function), inputs, {}, None)).module
    elements = TorchToNvgpuPipeline().elements()
    names = [getattr(element, "name", "") for element in elements]
    end = names.index("allow-approximations") + 1
    Runner(verify_each=True).run(elements[:end], module.operation)
    return sorted(re.findall(r"= (\S+) .*fastmath<afn>", str(module)))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=["bf16", "f16"])
@pytest.mark.parametrize("name", APPROXIMATE)
def test_approximate(name, dtype):
    expected, function = APPROXIMATE[name]
    assert _approximate(function, dtype) == expected


@pytest.mark.parametrize("name", EXACT)
def test_exact(name):
    assert _approximate(EXACT[name]) == []


@pytest.mark.parametrize("name", APPROXIMATE)
def test_f32_is_exact(name):
    _, function = APPROXIMATE[name]
    assert _approximate(function, torch.float32) == []
