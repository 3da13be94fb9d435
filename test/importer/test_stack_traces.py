"""The stacks of a trace are those that PyTorch records, in the same text."""

import re
from contextlib import nullcontext

import pytest
import torch
from torch.fx import proxy
from torch_refine.importer import export


class Block(torch.nn.Module):
    """Frames of comprehensions, closures, recursion and PyTorch's own modules."""

    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.GELU())

    def nested(self, x, depth):
        return self.nested(x * 2, depth - 1) if depth else self.layers(x)

    def forward(self, x):
        def inner(y):
            return torch.cond(y.sum() > 0, lambda y: y + 1, lambda y: y.sin(), [y])

        return sum([inner(self.nested(x, 5)) for _ in range(2)])


def stacks(model):
    program = export.export_program(model, (torch.rand(2, 4),), {}, None)
    graphs = [each.graph for each in export.graphs_of(program.graph_module)]
    nodes = [node for graph in graphs for node in graph.nodes]
    # PyTorch numbers the files of generated code.
    return [(node.name, re.sub(r">\.\d+", ">", node.meta.get("stack_trace", ""))) for node in nodes]


def test_the_text_is_that_of_pytorch(monkeypatch):
    quick = stacks(Block())
    monkeypatch.setattr(export, "quick_stacks", nullcontext)
    assert quick == stacks(Block())
    assert sum("in forward" in text for _, text in quick) > 10


@pytest.mark.parametrize("fails", [False, True])
def test_pytorch_is_left_as_it_was(fails):
    before = proxy.CapturedTraceback

    class Model(torch.nn.Module):
        def forward(self, x):
            if fails:
                raise ValueError("no")
            return x + 1

    with pytest.raises(export.ImportModelError) if fails else nullcontext():
        export.export_program(Model(), (torch.rand(2),), {}, None)
    assert proxy.CapturedTraceback is before
