"""Random programs that write through views, decomposed call by call, give what eager mode gives."""

import random

import pytest
import torch
from torch import nn
from torch_refine.importer import export
from torch_refine.importer.expansion.expand import expand
from torch_refine.importer.lowering import lowering_table, unguarded

_SHAPE = (4, 6)


def _view(draw, x):
    """A view of a tensor, by an operator that suits its shape."""
    dim = draw.randrange(x.dim()) - draw.choice([0, x.dim()])
    size = x.size(dim)
    ways = {
        "slice": lambda: x.narrow(dim, size // 2, size - size // 2),
        "stepped": lambda: x[..., draw.choice([0, 1]) :: 2],
        "unsqueeze": lambda: x.unsqueeze(dim),
        "split": lambda: x.split(-(-size // 2), dim)[-1],
        "chunk": lambda: x.chunk(3, dim)[0],
        "detach": x.detach,
        "alias": lambda: x.view(x.shape),
        "squeeze": lambda: x.unsqueeze(dim).squeeze(),
    }
    if x.dim() > 1:
        ways |= {
            "select": lambda: x.select(dim, draw.choice([0, size - 1, -1])),
            "unbind": lambda: x.unbind(dim)[size // 2],
            "transpose": lambda: x.transpose(0, -1),
            "permute": lambda: x.permute(*draw.sample(range(x.dim()), x.dim())),
        }
    if x.is_contiguous():
        ways |= {"flatten": lambda: x.reshape(-1), "view": lambda: x.view(-1, 1)}
    return ways[draw.choice(sorted(ways))]()


def _write(draw, x, other):
    """A write to a tensor, of what is in another one."""
    number = other.mean().clone()
    ways = {
        "add": lambda: x.add_(number),
        "mul": lambda: x.mul_(0.5),
        "fill": lambda: x.fill_(draw.random()),
        "zero": x.zero_,
        "copy": lambda: x.copy_(number),
        "item": lambda: x.__setitem__(0, number),
        "augmented": lambda: x.__setitem__(..., x[...].sigmoid_()),
        "masked": lambda: x.masked_fill_(x > number, 0.25),
        "clamp": lambda: x.clamp_(max=0.75),
    }
    ways[draw.choice(sorted(ways))]()


class Program(nn.Module):
    def __init__(self, seed):
        super().__init__()
        self.seed = seed
        self.register_buffer("kept", torch.linspace(0, 1, 24).view(_SHAPE).clone())

    def forward(self, x):
        draw = random.Random(self.seed)
        known = [x, self.kept, x * 2, x.exp().t()]
        results = []
        for _ in range(14):
            operand = draw.choice(known)
            action = draw.random()
            if action < 0.5:
                known.append(_view(draw, operand))
            elif action < 0.85:
                _write(draw, operand, draw.choice(known))
            elif action < 0.93:
                known.append(operand.clone())
            else:
                results.append(operand.sum(-1))
        return [each.clone() for each in (*results, *known)]


@pytest.mark.parametrize("seed", range(40))
def test_random_writes_are_those_of_eager_mode(seed):
    x = torch.rand(_SHAPE)
    model = Program(seed)
    program = unguarded(export.export_program(model, (x,), {}, None))
    found = expand(program, lowering_table())
    assert found is not None
    specs = found.graph_signature.input_specs
    state = {**program.state_dict, **program.constants}
    state = {name: tensor.clone() for name, tensor in state.items()}
    given = [x.clone() if spec.target is None else state[spec.target] for spec in specs]
    for node in found.graph.nodes:
        assert node.op != "call_function" or not getattr(
            getattr(node.target, "_schema", None), "is_mutable", False
        )
        if node.target == torch.ops.aten.view.default:
            # The compiled program has no strides, so its views are reshapes.
            node.target = torch.ops.aten.reshape.default
    values = torch.fx.Interpreter(found.graph_module).run(*given)
    expected = model(x)
    written = [spec for spec in found.graph_signature.output_specs if "MUTATION" in spec.kind.name]
    for mine, theirs in zip(values[len(written) :], expected, strict=True):
        torch.testing.assert_close(mine, theirs)
    after = {"x": x, "kept": model.kept}
    for spec, mine in zip(written, values, strict=False):
        torch.testing.assert_close(mine, after[spec.target])
