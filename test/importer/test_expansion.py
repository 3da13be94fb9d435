"""Decomposing each kind of call once gives what PyTorch gives for the whole program."""

from collections import Counter

import pytest
import torch
from torch import nn
from torch.utils import _pytree as pytree
from torch_refine.importer import export
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.expansion.expand import expand
from torch_refine.importer.lowering import lowering_table, unguarded

aten = torch.ops.aten


class Layers(nn.Module):
    """What an expansion has to deal with: repeated layers, tuples, casts, in-place operators."""

    def __init__(self, count=3):
        super().__init__()
        self.layers = nn.ModuleList(nn.TransformerEncoderLayer(8, 2, 16) for _ in range(count))
        self.image = nn.Sequential(
            nn.Conv2d(2, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.Dropout()
        )

    def forward(self, input, image):
        found = input
        for layer in self.layers:
            found = layer(found)
        image = self.image(image)
        image += image.mean((2, 3), keepdim=True)
        low, high = found.to(torch.float64).chunk(2, dim=-1)
        return torch.std_mean(low, dim=1), high * image.sum(), input


class Twice(nn.Module):
    """One result written twice, and read between."""

    def forward(self, x):
        y = x * 2
        z = y.add_(1)
        before = z.exp()
        y.mul_(3)
        return y, z, before


class Detached(nn.Module):
    """Detaching in place is not a write."""

    def forward(self, x):
        y = (x * 2).detach_()
        y.add_(1)
        return y, x.detach_() * 3


class ThroughViews(nn.Module):
    """Views see writes to what they are views of, and to other views."""

    def forward(self, x):
        y = x * 2
        first, turned, flat = y[0], y.t(), y.reshape(-1)
        y.add_(1)
        turned[1:, :2] += flat[:3].sum()
        flat[5] = 7
        left, right = y.split([1, 3], dim=1)
        right.mul_(first[1:].clone())
        before = turned.clone()
        y.unbind(1)[-1].fill_(9)
        y[:, None, ::2].squeeze(1)[-1].copy_(first[:2])
        a, b = torch.chunk(y, 2, dim=0)
        b.exp_()
        y.narrow(1, 1, 2).sigmoid_()
        y.unflatten(1, (2, 2)).movedim(2, 0)[1].masked_fill_(before[:2].t()[:3] > 0, -1)
        return y, first, turned, flat, left, right, before, a, b


class OfAnySize(nn.Module):
    """Views of a tensor whose first size is a symbol."""

    def forward(self, x):
        y = x * 2
        y[:, None, 1:][-1].sigmoid_()
        y.unsqueeze(-1)[1:].mul_(3)
        y.t()[2] = 0.5
        y.reshape(-1, 1, 4).squeeze(1)[0] += y[-1]
        return y, y.sum(1)


class OverItself(nn.Module):
    """What is written is a view of the same tensor."""

    def forward(self, x):
        y = x.clone()
        y[1:] += y[0]
        y[:, 0] = y[:, 3].clone()
        y.mul_(y)
        y.add_(y.sum(0))
        return y


class OfSlicedInput(nn.Module):
    """A part of an input is written, and read by another name."""

    def forward(self, x):
        rows = x[1:]
        x[1, 1:3] = 5
        rows[-1] *= 2
        return rows + 1, x.sum()


class OfElement(nn.Module):
    """One of several results is written."""

    def forward(self, x):
        spread, mean = torch.std_mean(x, 1)
        mean[1:] = spread[:-1]
        spread.zero_()
        return spread, mean


class State(nn.Module):
    """Writes to inputs and buffers, and reads between; an unchanged buffer."""

    def __init__(self):
        super().__init__()
        self.register_buffer("values", torch.zeros(1, 8, 4))
        self.register_buffer("scale", torch.ones(4))
        self.register_buffer("count", torch.zeros((), dtype=torch.int64), persistent=False)

    def forward(self, x, keys, place):
        before = keys.sum()
        keys.index_copy_(1, place, x)
        self.count += 1
        self.values.index_copy_(1, place, x * self.scale)
        keys.mul_(2)
        return keys, before, self.values.sum() * self.count, keys[:, 1:]


class OfViewedInput(nn.Module):
    def forward(self, x):
        first = x[0]
        x.add_(1)
        return first, x * 2


class OfSharedBuffer(nn.Module):
    """A buffer that is a part of another one."""

    def __init__(self):
        super().__init__()
        self.register_buffer("whole", torch.zeros(3, 4))
        self.register_buffer("row", self.whole[0])

    def forward(self, x):
        self.row.add_(x[0])
        return x * 2


class OfHalfInput(nn.Module):
    """A write in the dtype of the input, other than that of the functional operator."""

    def forward(self, x):
        half = x.half()
        part = torch.zeros(3, 4, dtype=torch.float16).copy_(half)
        return part.add_(x)


class ThroughExpansion(nn.Module):
    """A write to a part of what is expanded, whose elements are one."""

    def forward(self, x):
        y = x * 2
        y[:, :1].expand(3, 4)[:, 0].add_(1)
        return y


class ThroughDropout(nn.Module):
    """In evaluation, dropout returns its operand, which the schema does not say."""

    def forward(self, x):
        y = x * 2
        kept = nn.functional.dropout(y, training=False)
        kept.add_(1)
        return y, kept


class ThroughViewOfDropout(nn.Module):
    """A write to a part of what dropout returns."""

    def forward(self, x):
        y = x * 2
        kept = nn.functional.dropout(y, training=False)
        kept[0].add_(1)
        return y, kept


class Cast(nn.Module):
    """The result has the operand's dtype, other than that of the functional operator."""

    def forward(self, x):
        y = (x * 2).to(torch.float16)
        return y.mul_(x)


def _exported(model, arguments, dynamic=None):
    program = export.export_program(model.eval(), arguments, {}, dynamic)
    return unguarded(program)


def _described(program):
    """The operators, without aliases and reshapes, which differ with the strides of operands."""
    return Counter(
        str(node.target)
        for node in program.graph.nodes
        if node.op == "call_function"
        and isinstance(node.target, torch._ops.OpOverload)
        and node.target != aten.sym_size.int
        and node.target not in (aten.alias.default, aten.view.default, aten.clone.default)
    )


def _results(program):
    (output,) = (node for node in program.graph.nodes if node.op == "output")
    values = [each.meta["val"] for each in pytree.tree_leaves(output.args)]
    return [(value.dtype, tuple(map(str, value.shape))) for value in values]


def _run(program, arguments):
    """What a program's graph computes."""
    specs = program.graph_signature.input_specs
    inputs = iter(arguments)
    state = {**program.state_dict, **program.constants}
    values = [next(inputs) if spec.target is None else state[spec.target] for spec in specs]
    for node in program.graph.nodes:
        if node.target == aten.view.default:
            # The compiled program has no strides, so its views are reshapes.
            node.target = aten.reshape.default
    with torch.no_grad():
        return torch.fx.Interpreter(program.graph_module).run(*values)


BATCH = torch.export.Dim("batch", min=2, max=64)
IMAGES = (torch.rand(3, 5, 8), torch.rand(3, 2, 6, 7))
DYNAMIC = ({0: BATCH}, {0: BATCH})


@pytest.mark.parametrize("dynamic", [None, DYNAMIC], ids=["static", "dynamic"])
def test_a_program_is_what_pytorch_gives(dynamic):
    torch.manual_seed(0)
    model = Layers()
    program = _exported(model, IMAGES, dynamic)
    table = lowering_table()
    found = expand(program, table)
    whole = program.run_decompositions(dict(table))
    names = [node.name for node in found.graph.nodes if node.op == "placeholder"]
    assert "input" in names
    assert names == [spec.arg.name for spec in found.graph_signature.input_specs]
    assert _results(found) == _results(whole)
    assert _described(found) == _described(whole)
    assert not any(
        node.target._schema.is_mutable
        for node in found.graph.nodes
        if isinstance(node.target, torch._ops.OpOverload)
    )
    for mine, theirs in zip(
        pytree.tree_leaves(_run(found, IMAGES)),
        pytree.tree_leaves(model.eval()(*IMAGES)),
        strict=True,
    ):
        # Some are f64, of what was computed in f32.
        torch.testing.assert_close(mine, theirs, atol=1e-4, rtol=1e-4)
    # The argument is as it was.
    assert any(node.target == aten.relu_.default for node in program.graph.nodes)


def test_layers_are_traced_once(monkeypatch):
    traced = []
    from torch_refine.importer.expansion import calls

    trace = calls.Expansions._trace

    def counted(self, calls):
        traced.extend(calls)
        return trace(self, calls)

    monkeypatch.setattr(calls.Expansions, "_trace", counted)
    counts = []
    for layers in (1, 4):
        traced.clear()
        assert expand(_exported(Layers(layers), IMAGES), lowering_table()) is not None
        counts.append(len(traced))
    # The first layer's operands are of other strides than those of the next.
    assert counts[1] <= counts[0] + 6


def test_all_kinds_are_traced_at_once_and_as_one_by_one(monkeypatch):
    from torch_refine.importer.expansion import calls

    program = _exported(Layers(2), IMAGES)
    trace, sizes = calls.Expansions._trace, []

    def counted(self, calls):
        sizes.append(len(calls))
        return trace(self, calls)

    monkeypatch.setattr(calls.Expansions, "_trace", counted)
    together = expand(program, lowering_table())
    # Those of in-place operators follow.
    assert sizes[0] > 5 and set(sizes[1:]) == {1}
    count = sum(sizes)
    sizes.clear()
    monkeypatch.setattr(calls.Expansions, "trace_together", lambda self, nodes: None)
    alone = expand(program, lowering_table())
    assert sizes == [1] * count
    assert together.graph_module.code == alone.graph_module.code


@pytest.mark.parametrize(
    "model",
    [
        Twice,
        Detached,
        ThroughViews,
        OverItself,
        OfElement,
        OfHalfInput,
        Cast,
        ThroughDropout,
        ThroughViewOfDropout,
    ],
)
def test_writes_to_what_nothing_else_sees_are_functional(model):
    x = torch.rand(3, 4)
    program = _exported(model(), (x,))
    found = expand(program, lowering_table())
    expected = pytree.tree_leaves(model().eval()(x))
    for mine, theirs in zip(_run(found, (x,)), expected, strict=True):
        assert mine.dtype == theirs.dtype
        torch.testing.assert_close(mine, theirs)


def test_writes_to_views_of_any_size_are_functional():
    program = _exported(OfAnySize(), (torch.rand(3, 4),), ({0: BATCH},))
    found = expand(program, lowering_table())
    x = torch.rand(5, 4)
    for mine, theirs in zip(_run(found, (x,)), OfAnySize()(x), strict=True):
        torch.testing.assert_close(mine, theirs)


@pytest.mark.parametrize("model", [OfViewedInput, OfSlicedInput])
def test_writes_to_views_of_inputs_are_results(model):
    x = torch.rand(3, 4)
    program = _exported(model(), (x,))
    found = expand(program, lowering_table())
    specs = found.graph_signature.output_specs
    assert [spec.kind.name for spec in specs][:1] == ["USER_INPUT_MUTATION"]
    written, *values = _run(found, (x.clone(),))
    for mine, theirs in zip(values, model()(x), strict=True):
        torch.testing.assert_close(mine, theirs)
    torch.testing.assert_close(written, x)


def test_writes_to_inputs_and_buffers_are_results():
    torch.manual_seed(0)
    given = (torch.rand(1, 2, 4), torch.rand(1, 8, 4), torch.tensor([3, 1]))
    program = _exported(State(), given)
    found = expand(program, lowering_table())
    expected = program.run_decompositions(lowering_table())
    mine, theirs = (
        [(spec.kind, spec.target) for spec in each.graph_signature.output_specs]
        for each in (found, expected)
    )
    assert mine == theirs
    assert [kind.name for kind, _ in mine[:3]] == [
        "BUFFER_MUTATION",
        "BUFFER_MUTATION",
        "USER_INPUT_MUTATION",
    ]
    assert _results(found) == _results(expected)
    for one, other in zip(_run(found, given), _run(expected, given), strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("model", [ThroughExpansion])
def test_other_writes_are_left_to_pytorch(model):
    program = _exported(model(), (torch.rand(3, 4),))
    assert expand(program, lowering_table()) is None
    x = torch.rand(3, 4)
    prepared = export.prepare_program(program, decompose=True, table=lowering_table())
    expected = pytree.tree_leaves(model()(x.clone()))
    found = pytree.tree_leaves(_run(prepared, (x,)))
    for mine, theirs in zip(found[-len(expected) :], expected, strict=True):
        torch.testing.assert_close(mine, theirs)


def test_a_write_to_state_that_shares_memory_is_refused():
    program = _exported(OfSharedBuffer(), (torch.rand(3, 4),))
    assert expand(program, lowering_table()) is None
    with pytest.raises(ImportModelError):
        export.prepare_program(program, decompose=True, table=lowering_table())


def test_sizes_of_values_are_left_to_pytorch():
    class Chosen(nn.Module):
        def forward(self, x):
            return x[x > 0] * 2

    assert expand(_exported(Chosen(), (torch.rand(3, 4),)), lowering_table()) is None


class Statistics(nn.Module):
    """It updates two of its inputs, which the operator's schema does not say."""

    def forward(self, x, mean, var):
        return nn.functional.batch_norm(x, mean, var, training=True)


class Nested(nn.Module):
    """A composite operator of one that has another decomposition in PyTorch's dispatcher."""

    def forward(self, x, target):
        return nn.functional.multilabel_margin_loss(x, target)


def test_operators_that_write_to_operands_are_left_to_pytorch():
    given = (torch.rand(4, 3), torch.zeros(3), torch.ones(3))
    assert expand(_exported(Statistics(), given), lowering_table()) is None


def test_composite_operators_are_decomposed_by_the_table():
    given = (torch.rand(2, 4), torch.tensor([[1, 2, -1, -1], [-1, 0, 0, 0]]))
    program = _exported(Nested(), given)
    table = lowering_table()
    found = expand(program, table)
    assert _described(found) == _described(program.run_decompositions(dict(table)))


@pytest.mark.parametrize("off", [nn.Dropout(), nn.AlphaDropout(), nn.Dropout(0.0).train()])
def test_dropout_that_is_off_is_a_result(off):
    x = torch.rand(3, 4)
    program = _exported(nn.Sequential(nn.Softsign(), off), (x,))
    found = expand(program, lowering_table())
    assert _described(found) == {"aten.abs.default": 1, "aten.add.Tensor": 1, "aten.div.Tensor": 1}
    torch.testing.assert_close(_run(found, (x,))[0], x / (1 + x))
