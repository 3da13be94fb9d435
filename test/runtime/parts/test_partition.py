"""`compile(fallback="pytorch")`: compiled parts, and operators that PyTorch runs between them."""

import copy
import itertools
import logging
import re

import numpy
import pytest
import torch
import torch_refine
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop
from torch.export import Dim
from torch.utils import _pytree as pytree
from torch_refine.runtime.partition.schedule import schedule
from torch_refine.runtime.partition.values import has_effects
from without_lowering import NAME, bessel


@torch.library.custom_op("partition_test::turned", mutates_args=())
def _turned(x: torch.Tensor) -> torch.Tensor:
    return x.flip(0) * 2


@_turned.register_fake
def _(x):
    return torch.empty_like(x)


@torch.library.custom_op("partition_test::add_", mutates_args=("x",))
def _add_(x: torch.Tensor, y: torch.Tensor) -> None:
    x.add_(y)


class Model(nn.Module):
    """A linear layer and a buffer, in a function."""

    def __init__(self, function, **modules):
        super().__init__()
        self.linear = nn.Linear(16, 16)
        self.register_buffer("total", torch.zeros(16))
        for name, module in modules.items():
            setattr(self, name, module)
        self.function = function

    def forward(self, *inputs):
        return self.function(self, *inputs)


def spectrum(m, x):
    windowed = torch.stft(x, 64, hop_length=16, window=torch.ones(64), return_complex=True)
    power = bessel(windowed.abs()).clamp(min=1e-6).log().transpose(1, 2)
    return torch.softmax(power @ power.transpose(1, 2), -1)


def rare(m, x):
    square = x @ x.t() + torch.eye(16)
    left = torch.copysign(m.linear(bessel(torch.linalg.solve(square, x))), -x) + torch.special.i0(x)
    counts, edges = torch.histogram(m.linear(x), bins=16)
    return torch.nextafter(left, x), torch.mode(x), counts, edges, torch.topk(left, 3)


def kinds(m, x):
    y = m.linear(x)
    y = torch.cond(y.sum() > 0, lambda a: a.sin() + 1, lambda a: a.cos() * 2, (y,))
    quantized = torch.quantize_per_tensor(m.linear(y), 0.1, 0, torch.qint8)
    return torch.sparse.mm(y.to_sparse(), x.t()).relu(), m.linear(quantized.dequantize())


def control(m, x, inside=bessel, between=torch.sin):
    def chosen(a):
        return torch.relu(m.linear(inside(a))).sin() + 1

    def repeated(step, a):
        return step + 1, torch.tanh(m.linear(inside(a)) * 1.5 + 1)

    def combined(total, row):
        return total + row, torch.relu(total * inside(row) + 1).sin()

    y = between(torch.cond(x.sum() > 0, chosen, lambda a: (a * 2).exp(), (x,)))
    step, y = while_loop(lambda step, _: step < 5, repeated, (torch.tensor(0), y))
    y = between(y)
    count, y = while_loop(lambda step, _: step < 9, repeated, (6, y))
    return y, step, count, *scan(combined, torch.zeros(16), y)


def writes(m, x):
    m.total.add_(torch.histc(m.linear(x), 16, -1, 1))
    y = _turned(m.linear(x))
    _add_(y, x)
    _add_(x, y)
    return m.total + y, x


def aliases(m, x):
    y = bessel(m.linear(x))
    return x, x.t(), y, y[:2], m.linear.weight, m.linear.weight.t()


def memory(m, x):
    """`as_strided` counts in the layout that eager mode has, which a transpose gives."""
    y = m.linear(x).t()
    return torch.as_strided(y, (4, 4), (1, 4)), bessel(m.linear(y.t()))


def elements(m, x):
    y = m.linear(x)
    number = (y > 0).sum().item()
    torch._check(number >= 0)
    counted = torch.relu(torch.arange(number) * 2 + 1).cumsum(0)
    rows = y[bessel(y)[:, 0] > 0]
    return counted, y * number, bessel(rows).sum(0), m.linear(rows).relu()


def leaves(value):
    return pytree.tree_leaves(value)


def _has_memory(value):
    return isinstance(value, torch.Tensor) and value.numel() > 0


def check(compiled, model, reference, inputs):
    """A call of a program and one of the model; both may write to inputs and buffers."""
    copies = [each.clone() for each in inputs]
    with torch.no_grad():
        found, expected = compiled(*inputs), reference(*copies)
    assert pytree.tree_structure(found) == pytree.tree_structure(expected)
    owned = [each for each in (found if isinstance(found, tuple) else ()) if _has_memory(each)]
    taken = [model.linear.weight, model.total]
    addresses = [each.untyped_storage().data_ptr() for each in (*owned, *inputs, *taken)]
    assert len(set(addresses)) == len(addresses), "a result owns its memory"
    for one, other in zip(leaves(found), leaves(expected), strict=True):
        if isinstance(other, torch.Tensor):
            torch.testing.assert_close(one, other, atol=1e-4, rtol=1e-4, equal_nan=True)
        else:
            assert one == other
    torch.testing.assert_close(inputs, copies)
    torch.testing.assert_close(model.total, reference.total)
    return found


@pytest.mark.parametrize(
    ("function", "sizes", "in_pytorch"),
    [
        (spectrum, (2, 1000), NAME),
        (rare, (16, 16), NAME),
        (kinds, (16, 16), "aten.to_sparse.default"),
        (control, (4, 16), "while_loop"),
        (writes, (4, 16), "partition_test.turned.default"),
        (aliases, (4, 16), NAME),
        (memory, (4, 16), "aten.as_strided.default"),
        (elements, (8, 16), NAME),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_results_and_writes_are_those_of_eager_mode(function, sizes, in_pytorch, caplog):
    torch.manual_seed(1)
    model = Model(function).eval()
    reference = copy.deepcopy(model)
    with torch.no_grad(), caplog.at_level(logging.WARNING, "torch_refine"):
        compiled = torch_refine.compile(model, torch.randn(*sizes), fallback="pytorch")
    (said,) = [each.getMessage() for each in caplog.records if each.name == "torch_refine"]
    assert "run in PyTorch" in said
    for _ in range(2):
        check(compiled, model, reference, [torch.randn(*sizes)])
    report = compiled.report()
    names = {each.name for each in report.in_pytorch}
    assert in_pytorch in names
    assert report.compiled > 0
    assert report.calls == 2
    shares = [each.share for each in report.in_pytorch] + [report.compiled_share]
    assert 0 < sum(shares) <= 1
    assert f"{in_pytorch}: " in str(report)


def mixed(m, x):
    y = torch.relu(m.linear(bessel(x) + x))
    n = x.shape[0]
    return bessel(y).reshape(n * 8, 16) @ m.linear.weight, n * 2


@pytest.fixture(scope="module")
def dynamic():
    torch.manual_seed(1)
    model = Model(mixed).eval()
    rows = {0: Dim("rows", min=2, max=64)}
    with torch.no_grad():
        example = torch.randn(4, 8, 16)
        compiled = torch_refine.compile(
            model, example, dynamic_shapes=((rows,),), fallback="pytorch"
        )
    return model, compiled


def test_sizes_that_change(dynamic):
    model, compiled = dynamic
    for rows in (2, 5, 64):
        check(compiled, model, model, [torch.randn(rows, 8, 16)])


@pytest.mark.parametrize(
    ("inputs", "error", "message"),
    [
        ((torch.randn(65, 8, 16),), torch_refine.GuardError, "got inputs_0.size(0) = 65"),
        ((torch.randn(4, 7, 16),), ValueError, "input 0 must be float32[?,8,16]"),
        ((torch.randn(4, 8, 16).double(),), TypeError, "input 0 must be float32"),
        ((), TypeError, "inputs"),
        ((numpy.zeros((4, 8, 16), numpy.float32),), TypeError, "must be a torch tensor"),
    ],
)
def test_calls_that_are_refused(dynamic, inputs, error, message):
    _, compiled = dynamic
    with torch.no_grad(), pytest.raises(error) as raised:
        compiled(*inputs)
    assert message in str(raised.value)


def test_weights_that_are_replaced(dynamic):
    model, compiled = dynamic
    inputs = torch.randn(3, 8, 16)
    with torch.no_grad():
        model.linear.weight.mul_(2)
        check(compiled, model, model, [inputs])
        model.linear.bias = nn.Parameter(torch.ones(16))
        check(compiled, model, model, [inputs])


def test_gradients_are_not_lost_silently(dynamic):
    _, compiled = dynamic
    found, _ = compiled(torch.randn(2, 8, 16))
    with pytest.raises(RuntimeError, match="no backward pass"):
        found.sum().backward()
    with pytest.raises(torch_refine.GradientError):
        compiled(torch.randn(2, 8, 16, requires_grad=True))


def test_a_program_is_not_saved(dynamic, tmp_path):
    _, compiled = dynamic
    with pytest.raises(torch_refine.CompileError, match=re.escape(NAME)):
        compiled.save(tmp_path / "program")
    assert not list(tmp_path.iterdir())


def test_the_code_of_each_part_is_shown(dynamic):
    _, compiled = dynamic
    text = compiled.ir("torch")
    assert text.count("// Part") == len(compiled.parts) == 2
    assert "torch.aten.mm" in text


def draws(m, x):
    y = m.linear(x)
    return (
        y + torch.rand_like(y),
        torch.poisson(y.abs()),
        bessel(torch.randn_like(y)),
    )


def test_a_seed_gives_the_same_numbers():
    model = Model(draws).eval()
    inputs = torch.randn(4, 16)
    with torch.no_grad():
        compiled = torch_refine.compile(model, inputs, fallback="pytorch")
        calls = []
        for seed in (3, 3, 4):
            torch.manual_seed(seed)
            calls.append(compiled(inputs))
    torch.testing.assert_close(calls[0], calls[1], atol=0, rtol=0)
    assert not torch.equal(calls[0][0], calls[2][0])


def test_a_program_that_compiles_is_one_part():
    model = nn.Sequential(nn.Linear(16, 16), nn.ReLU()).eval()
    with torch.no_grad():
        compiled = torch_refine.compile(model, torch.randn(4, 16), fallback="pytorch")
    assert isinstance(compiled, torch_refine.CompiledModule)
    assert re.fullmatch(r"(\d+) of \1 operators are compiled, in 1 part", str(compiled.report()))


def test_without_a_fallback_an_operator_is_an_error():
    with torch.no_grad(), pytest.raises(torch_refine.CompileError, match=r"torch\.aten\.histc"):
        torch_refine.compile(Model(lambda m, x: torch.histc(x)).eval(), torch.randn(4, 16).half())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fallback": "eager"}, "fallback is 'error' or 'pytorch', not 'eager'"),
        ({"fallback": "pytorch", "target": "cuda"}, "fallback='pytorch' is for target='cpu'"),
    ],
)
def test_options_that_there_are_not(options, message):
    with pytest.raises(ValueError, match=message):
        torch_refine.compile(nn.ReLU(), torch.randn(4), **options)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.data())
def test_schedules(data):
    """Every operator runs once, after what it needs; random ones keep their order."""
    graph = torch.fx.Graph()
    made = [graph.placeholder("x")]
    targets = [torch.ops.aten.relu.default, torch.ops.aten.rand_like.default]
    for _ in range(data.draw(st.integers(1, 30))):
        operand = data.draw(st.sampled_from(made))
        node = graph.call_function(data.draw(st.sampled_from(targets)), (operand,))
        node.meta["val"] = torch.empty(2, device="meta")
        made.append(node)
    nodes = made[1:]
    eager = set(data.draw(st.lists(st.sampled_from(nodes), max_size=10)))
    steps = schedule(nodes, eager)
    order = [node for step in steps for node in step.nodes]
    assert sorted(order, key=nodes.index) == nodes
    place = {node: index for index, node in enumerate(order)}
    for node in nodes:
        assert all(place[each] < place[node] for each in node.all_input_nodes if each in place)
    effects = [node for node in order if has_effects(node)]
    assert effects == sorted(effects, key=nodes.index)
    for step in steps:
        assert all((node not in eager) == step.compiled for node in step.nodes)
    assert all(one.compiled != other.compiled for one, other in itertools.pairwise(steps))


def test_control_flow_is_compiled_with_what_is_around_it():
    """Python runs it only if something in it has no lowering, or a number is among its results."""

    def function(m, x):
        return control(m, x, torch.cos, bessel)

    torch.manual_seed(1)
    model = Model(function).eval()
    x = torch.randn(5, 16)
    rows = ({0: torch.export.Dim.AUTO},)
    compiled = torch_refine.compile(model, x, dynamic_shapes=(rows,), fallback="pytorch")
    for inputs in (x, -x, x[:3], x.repeat(4, 1)):
        check(compiled, model, copy.deepcopy(model), [inputs])
    reasons = {each.name: each.reason for each in compiled.report().in_pytorch}
    assert reasons.keys() & {"cond", "while_loop", "scan"} == {"while_loop"}
    assert "a number is among the results" in reasons["while_loop"]
    text = compiled.ir("torch")
    assert text.count("torch.prim.If.yield") == 2
    assert text.count("torch.prim.Loop.condition") == 2


def test_a_condition_that_is_read_is_no_part_of_the_others():
    """Sizes that no operator uses are not tried, whatever their type."""

    def function(m, x):
        power = spectrum(m, x)
        torch._check_tensor_all(power > -1)
        return power + 1

    x = torch.randn(2, 256)
    model = Model(function).eval()
    compiled = torch_refine.compile(model, (x,), fallback="pytorch", opt_level=0)
    torch.testing.assert_close(compiled(x), model(x), atol=1e-4, rtol=1e-4)
    report = compiled.report()
    assert report.compiled > sum(each.count for each in report.in_pytorch)


def test_broadcasts_are_made_in_each_part_that_reads_them():
    """Between parts, memory for each of their elements would be written and read."""

    def function(m, rows, places):
        every = (rows * 2 + 1).sin().exp().unsqueeze(1).expand(-1, 50, -1)
        chosen = places + (bessel(rows[:, :1]) > 9)[..., None].long()
        found = torch.gather(every, 2, chosen)
        return found[..., 0] - (found[..., 1] * 3).cos()

    inputs = torch.randn(4, 6), torch.randint(0, 5, (4, 50, 2))
    model = Model(function).eval()
    compiled = torch_refine.compile(model, inputs, fallback="pytorch")
    torch.testing.assert_close(compiled(*inputs), model(*inputs))
    signatures = re.findall(r"func\.func @main.*", compiled.ir("torch"))
    assert len(signatures) == 2
    assert not any("[4,50,6]" in each for each in signatures)


class Positions(nn.Module):
    """Parts with weights, and with numbers that are computed when they are compiled."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.out = nn.Linear(8, 8)

    def forward(self, x):
        angles = torch.arange(8)[:, None] * torch.exp(torch.arange(8) * -0.5)
        x = torch.ops.partition_test.turned(self.layer(x) + angles.sin())
        return self.out(x * angles.cos())


def test_parts_keep_folded_constants_when_weights_are_bound():
    torch._dynamo.reset()
    model, other = Positions(), Positions()
    compiled = torch.compile(model, backend="torch_refine")
    with torch.no_grad():
        for each in (model, other):
            model.load_state_dict(each.state_dict())
            x = torch.randn(8, 8)
            torch.testing.assert_close(compiled(x), model(x))
        # Another set of tensors for the same graph.
        model.layer = nn.Linear(8, 8)
        torch.testing.assert_close(compiled(x), model(x))
