"""How the operators of a program that do not compile are found."""

import pytest
import torch
import torch_refine
from torch import nn
from torch.nn import functional
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.runtime.partition import decomposed, discovery, parts
from without_lowering import NAME, bessel


class Model(nn.Module):
    """Layers between operators without a lowering, with views of what they return."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(16, 16) for _ in range(2))
        self.register_buffer("scale", torch.randn(16))

    def forward(self, x):
        for layer in self.layers:
            y = layer(x).view(2, 4, 4, 4).transpose(1, 2)
            y = functional.scaled_dot_product_attention(y, y, y).transpose(1, 2).reshape(2, 4, 16)
            counts = torch.histc((y * self.scale).half(), 16, -1, 1)
            x = bessel(counts.float() + y)
        return torch.relu(x) + 1


@pytest.fixture
def counts(monkeypatch):
    """How often a program is decomposed, imported and lowered, and the stages up to which."""
    found = {"decomposed": 0, "lowered": []}
    decompose, why_not = decomposed.decompose_for_lowering, discovery.why_not_compiled

    def counted(program):
        found["decomposed"] += 1
        return decompose(program)

    def noted(bytecode, options, last_stage=None):
        found["lowered"].append(last_stage)
        return why_not(bytecode, options, last_stage)

    monkeypatch.setattr(decomposed, "decompose_for_lowering", counted)
    monkeypatch.setattr(discovery, "why_not_compiled", noted)
    return found


def compiled_and_checked(model, *inputs):
    with torch.no_grad():
        compiled = torch_refine.compile(model, inputs, fallback="pytorch")
        torch.testing.assert_close(compiled(*inputs), model(*inputs), atol=1e-4, rtol=1e-4)
    return compiled


def test_a_program_is_decomposed_once(counts):
    compiled = compiled_and_checked(Model().eval(), torch.randn(2, 4, 16))
    names = {each.name: each.count for each in compiled.report().in_pytorch}
    assert names["aten.histc.default"] == names[NAME] == 2
    assert counts["decomposed"] == 1
    # One message has all operators without a lowering; then there are none.
    assert set(counts["lowered"]) == {"linalg"}
    assert len(counts["lowered"]) <= 3


def test_what_a_later_stage_refuses_is_found_in_its_part(counts, monkeypatch):
    """A part that fails is compiled again, located, up to the end of the pipeline."""
    compile_part = parts.compile_program

    def failing(program, *rest, **named):
        if any("cumsum" in str(node.target) for node in program.graph.nodes):
            raise torch_refine.CompileError("a late pass failed")
        return compile_part(program, *rest, **named)

    def late(bytecode, options, last_stage=None):
        counts["lowered"].append(last_stage)
        found = str(ir.Module.parse(bytecode, new_context()))
        is_late = last_stage is None and "torch.aten.cumsum" in found
        return "a late pass failed" if is_late else None

    monkeypatch.setattr(parts, "compile_program", failing)
    monkeypatch.setattr(discovery, "why_not_compiled", late)

    class Late(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(16, 16)

        def forward(self, x):
            y = bessel(self.linear(x))
            return torch.relu(self.linear(torch.cumsum(self.linear(y).exp(), 1))).exp()

    compiled = compiled_and_checked(Late().eval(), torch.randn(4, 16))
    names = {each.name for each in compiled.report().in_pytorch}
    assert "aten.cumsum.default" in names
    assert counts["lowered"][0] == "linalg"
    assert None in counts["lowered"]


def test_a_call_that_is_rejected_at_the_import_is_taken_out():
    """PyTorch exports the interpolation of bytes, which is decomposed incorrectly."""

    class Rejected(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(16, 16)

        def forward(self, x, image):
            small = functional.interpolate(image, scale_factor=2.0, mode="bilinear")
            return torch.relu(self.linear(x)).exp() * small.float().mean()

    image = torch.randint(0, 255, (1, 3, 8, 8), dtype=torch.uint8)
    compiled = compiled_and_checked(Rejected().eval(), torch.randn(4, 16), image)
    assert [each.name for each in compiled.report().in_pytorch] == ["aten.upsample_bilinear2d.vec"]
