"""`torch.compile(backend="torch_refine")`."""

import copy
import logging

import pytest
import torch
import torch_refine
from torch import nn
from torch.func import grad, hessian, jacrev, jvp, vmap
from torch.utils._pytree import tree_leaves
from torch_refine.importer.errors import ImportModelError
from torch_refine.runtime.state.state import State
from transformers import GPT2Config, GPT2LMHeadModel
from without_lowering import NAME, bessel


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


def test_operators_without_lowering_run_in_pytorch(caplog):
    def function(x):
        return bessel(torch.relu(x @ x + x.t()))

    inputs = torch.rand(4, 4)
    compiled = torch.compile(function, backend="torch_refine")
    with caplog.at_level(logging.WARNING, "torch_refine"), torch.no_grad():
        torch.testing.assert_close(compiled(inputs), function(inputs))
    (message,) = _said(caplog)
    assert message.startswith(f"1 of 5 operators run in PyTorch: {NAME} (1)")


def test_the_last_elements_of_a_growing_cache(caplog):
    def function(keys, added):
        whole = torch.cat([keys, added], 1)
        # All of them for six keys, which does not make six a condition of the program.
        return whole[:, -7:], whole.sum(1)

    compiled = torch.compile(function, backend="torch_refine")
    with torch.no_grad():
        for length in (5, 6, 7, 8, 20):
            inputs = torch.rand(2, length, 3), torch.rand(2, 1, 3)
            torch.testing.assert_close(compiled(*inputs), function(*inputs))
    assert _said(caplog) == []


def test_sizes_that_change(caplog):
    model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU()).eval()
    compiled = torch.compile(model, backend="torch_refine")
    torch._dynamo.utils.counters.clear()
    with torch.no_grad():
        for rows in (4, 7, 9, 11):
            inputs = torch.rand(rows, 8)
            torch.testing.assert_close(compiled(inputs), model(inputs))
    assert _said(caplog) == []
    graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
    assert graphs == 2, "the second one takes any number of rows"


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (nn.MaxPool2d(2), None),
        (nn.AvgPool2d(3, 2), None),
        (nn.Conv2d(3, 4, 3, stride=2), None),
        (nn.ConvTranspose2d(3, 2, 3, stride=2, padding=1), None),
        (lambda x: x[:, :, ::2] + 1, None),
        (lambda x: x.chunk(2, -1)[0] * 2, None),
        (lambda x: torch.cat(x.split(7, -1), -1), None),
        (lambda x: x.unfold(3, 3, 2).sum(-1), None),
        (lambda x: torch.nn.functional.pad(x, (-1, 2)), None),
        (lambda x: bessel(x[0, :, ::2, ::2]), "run in PyTorch: "),
    ],
)
def test_sizes_that_change_for_what_divides_them(function, reason, caplog):
    """Nothing that the export learns of sizes is left in the trace of PyTorch."""
    # The first call compiles for its sizes alone, unless it is told that they change.
    dynamic = None if isinstance(function, nn.MaxPool2d) else True
    compiled = torch.compile(function, backend="torch_refine", dynamic=dynamic)
    with torch.no_grad(), caplog.at_level(logging.WARNING, "torch_refine"):
        for sizes in ((2, 3, 32, 20), (2, 3, 24, 16), (1, 3, 30, 50)):
            inputs = torch.rand(sizes)
            torch.testing.assert_close(compiled(inputs), function(inputs))
    said = _said(caplog)
    assert all(reason is not None and reason in message for message in said), said
    assert bool(said) == (reason is not None)


@pytest.mark.parametrize(
    "options",
    [
        {"options": {"threads": 2, "opt_level": 1}},
        {"options": {"fast_math": True}},
        {"mode": "max-autotune"},
        {"mode": "default", "options": None},
    ],
)
def test_options_and_modes(options, caplog):
    compiled = torch.compile(torch.sigmoid, backend="torch_refine", **options)
    inputs = torch.rand(3, 4)
    torch.testing.assert_close(compiled(inputs), torch.sigmoid(inputs))
    assert _said(caplog) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"options": {"thread": 2}}, "there is no option 'thread'; the options are opt_level"),
        ({"options": {"threads": "2"}}, "threads must be of type int, got '2'"),
        ({"options": {"threads": 0}}, "threads is between 1 and 1024, not 0"),
        ({"options": {"opt_level": 4}}, "opt_level is between 0 and 3, not 4"),
        ({"mode": "fastest"}, "there is no mode 'fastest'; the modes are default"),
    ],
)
def test_options_that_there_are_not(options, message):
    compiled = torch.compile(torch.sigmoid, backend="torch_refine", **options)
    with pytest.raises(torch._dynamo.exc.BackendCompilerFailed, match=message):
        compiled(torch.rand(3, 4))


def test_text_is_generated_with_a_cache_of_fixed_size(caplog):
    torch.manual_seed(0)
    config = GPT2Config(
        n_layer=2, n_head=2, n_embd=16, vocab_size=50, bos_token_id=1, eos_token_id=2
    )
    model = GPT2LMHeadModel(config).eval()
    tokens = torch.tensor([[1, 5, 7]])
    expected = model.generate(tokens, max_new_tokens=6, do_sample=False)
    model.forward = torch.compile(model.forward, backend="torch_refine")
    for cache in ("static", None):
        with torch.no_grad(), caplog.at_level(logging.WARNING, "torch_refine"):
            found = model.generate(
                tokens,
                max_new_tokens=6,
                do_sample=False,
                cache_implementation=cache,
                disable_compile=True,
            )
        assert torch.equal(found, expected)


def test_sizes_that_the_program_computes_with(caplog):
    def function(x, y):
        return (x.view(x.shape[0] * 2, -1) + x.shape[1] + y.sum()).sum(0)

    compiled = torch.compile(function, backend="torch_refine", dynamic=True)
    for rows in (4, 7):
        inputs = torch.rand(rows, 6), torch.rand(rows + 1, 2)
        torch.testing.assert_close(compiled(*inputs), function(*inputs))
    assert _said(caplog) == []


def test_numbers_beside_tensors():
    def function(x):
        return x * 2, x.shape[0] * 3, x + 1

    compiled = torch.compile(function, backend="torch_refine", dynamic=True)
    for size in (3, 5):
        x = torch.rand(size, 4)
        for found, expected in zip(compiled(x), function(x), strict=True):
            assert found == expected if isinstance(expected, int) else torch.equal(found, expected)


def test_a_size_that_no_tensor_has(caplog):
    compiled = torch.compile(lambda x, y: x + y.shape[0], backend="torch_refine", dynamic=True)
    with caplog.at_level(logging.WARNING, "torch_refine"):
        torch.testing.assert_close(compiled(torch.ones(3), torch.ones(5)), torch.full((3,), 6.0))
    assert _said(caplog) == []


def test_numbers_that_are_constants(caplog):
    """PyTorch first passes the number as a tensor, and traces again if the program needs it."""

    def function(x, scale):
        return torch.distributions.Normal(x, scale.exp(), validate_args=False).log_prob(x + 1)

    compiled = torch.compile(function, backend="torch_refine", dynamic=True)
    inputs = torch.rand(2, 3), torch.rand(3)
    torch.testing.assert_close(compiled(*inputs), function(*inputs))
    assert _said(caplog) == []


def test_weights_that_change(caplog):
    model = nn.Linear(8, 4)
    compiled = torch.compile(model, backend="torch_refine")
    inputs = torch.rand(3, 8)
    with torch.no_grad():
        compiled(inputs)
        model.weight.mul_(2)
        torch.testing.assert_close(compiled(inputs), model(inputs))
        assert _said(caplog) == []
        model.weight = nn.Parameter(torch.rand(4, 8))
        torch.testing.assert_close(compiled(inputs), model(inputs))


def test_sizes_that_the_export_narrows():
    """Three slices are one window of three, five are two; whoever notices, the result is right."""

    def pooled(x):
        return nn.functional.max_pool3d(x, 3, padding=1) * 2

    compiled = torch.compile(pooled, backend="torch_refine", dynamic=True)
    with torch.no_grad():
        for slices in (3, 2, 5, 9, 1):
            inputs = torch.rand(1, 2, slices, 6, 5)
            torch.testing.assert_close(compiled(inputs), pooled(inputs))


def _twice(x):
    doubled = x * 2
    left, right = doubled.chunk(2)
    return doubled, left, right


@pytest.mark.parametrize(
    ("function", "written"),
    [
        (lambda x: (x.t(), x + 1), 0),
        (lambda x: (x.add_(1), x[1:, ::2]), 1),
        (lambda x: (x.add_(1), x * 2), 0),
        (_twice, 1),
        (lambda x: (x.exp().t(), x * 2), 0),
    ],
    ids=["of the input", "of what is written to", "the input", "of each other", "of nothing"],
)
def test_results_share_memory_as_in_eager_mode(function, written, caplog):
    compiled = torch.compile(function, backend="torch_refine")
    # What the second call is given starts elsewhere in its memory.
    for start in (0, 2):
        ours, theirs = torch.arange(24.0).view(6, 4), torch.arange(24.0).view(6, 4)
        with torch.no_grad():
            found, expected = compiled(ours[start:][:4]), function(theirs[start:][:4])
            found[written].mul_(10)
            expected[written].mul_(10)
        torch.testing.assert_close(found, expected)
        torch.testing.assert_close(ours, theirs)
    assert _said(caplog) == []


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x.view(torch.int32), x + 1),
        lambda x: (x.t() * 2).unbind()[:2],
        lambda x: (x.view(-1), x + 1),
        lambda x: (x.tensor_split(3, 1), x[:, x.shape[1] // 2 :].t(), x * 2),
        lambda x: (lambda y: (y, y[1:], y[:, x.shape[1] // 2 :], x.t()))(x.exp()),
    ],
)
def test_views_of_inputs_and_results(function, dynamic, caplog):
    """Sizes that change and memory that is read as another dtype are left to AOTAutograd."""
    compiled = torch.compile(function, backend="torch_refine", dynamic=dynamic)
    for shape in ((3, 5), (6, 7)) if dynamic else ((3, 5),):
        x = torch.rand(shape)
        found, expected = (tree_leaves(each(x)) for each in (compiled, function))
        torch.testing.assert_close(found, expected)
        for ours, theirs in zip(found, expected, strict=True):
            is_view = theirs.untyped_storage().data_ptr() == x.data_ptr()
            assert is_view == (ours.untyped_storage().data_ptr() == x.data_ptr())
            assert not is_view or ours.storage_offset() == theirs.storage_offset()
    assert not any("eagerly" in each for each in _said(caplog))


def _squares(w, x):
    return (torch.tanh(x @ w) ** 2).sum()


TRANSFORMED = {
    "vmap": lambda w, x: vmap(lambda row: torch.relu(row @ w))(x),
    "grad": lambda w, x: grad(_squares)(w, x),
    "gradients of samples": lambda w, x: vmap(grad(_squares), (None, 0))(w, x),
    "jacrev": lambda w, x: jacrev(_squares, argnums=1)(w, x),
    "jvp": lambda w, x: jvp(lambda row: row @ w, (x,), (x.cos(),)),
    "hessian": lambda w, x: hessian(_squares)(w[:, :1], x),
    "views": lambda w, x: (vmap(torch.t)(x[None]), x * 2, w),
}


@pytest.mark.parametrize("name", TRANSFORMED)
def test_transforms_of_functions(name, caplog):
    function = TRANSFORMED[name]

    class Model(nn.Module):
        def forward(self, w, x):
            return function(w, x)

    inputs = torch.randn(5, 3), torch.randn(4, 5)
    expected = function(*inputs)
    with torch.no_grad():
        compiled = torch.compile(function, backend="torch_refine")
        torch.testing.assert_close(compiled(*inputs), expected, atol=1e-5, rtol=1e-5)
        found = torch_refine.compile(Model(), inputs)(*inputs)
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)
    assert _said(caplog) == []


def test_a_transform_that_cannot_be_exported_ends():
    class Model(nn.Module):
        def forward(self, x):
            return vmap(lambda row: row * 2 if x.sum() > 0 else row)(x)

    with pytest.raises(ImportModelError, match="data-dependent branch"):
        torch_refine.compile(Model(), (torch.ones(3, 2),), fallback="error")
    assert torch._C._functorch.get_dynamic_layer_stack_depth() == 0
    torch.ones(2).requires_grad_().sum().backward()


def test_a_model_with_a_cache(caplog):
    """It writes to its buffers, and to an input."""

    class Cached(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("keys", torch.zeros(2, 8, 4))
            self.linear = nn.Linear(4, 4)

        def forward(self, x, place, seen):
            self.keys[:, place] = self.linear(x)
            seen.add_(1)
            return self.keys.sum(1)

    model = Cached()
    other = copy.deepcopy(model)
    compiled = torch.compile(model, backend="torch_refine")
    ours, theirs = torch.zeros(()), torch.zeros(())
    with torch.no_grad():
        for step in range(3):
            x, place = torch.randn(2, 1, 4), torch.tensor([step])
            torch.testing.assert_close(compiled(x, place, ours), other(x, place, theirs))
            torch.testing.assert_close(model.keys, other.keys)
    assert ours == theirs == 3
    assert _said(caplog) == []


def test_weights_that_are_replaced(caplog):
    model = nn.Linear(8, 4)
    compiled = torch.compile(model, backend="torch_refine")
    inputs = torch.rand(3, 8)

    def same():
        torch.testing.assert_close(compiled(inputs), model(inputs))

    with torch.no_grad():
        same()
        model.weight.data = torch.rand(4, 8)
        same()
        model.load_state_dict(nn.Linear(8, 4).state_dict(), assign=True)
        same()
        model.weight = nn.Parameter(torch.rand(4, 8))
        same()
        model.weight.mul_(2)
        same()
        model.weight.data = torch.rand(8, 4).t()
        same()
        assert _said(caplog) == []
        model.double()
        inputs = inputs.double()
        same()


def test_one_graph_with_the_weights_of_several_modules(caplog, monkeypatch):
    """As of layers that are compiled one by one."""
    torch._dynamo.utils.counters.clear()
    layers = [nn.Linear(8, 8).requires_grad_(False) for _ in range(3)]

    @torch.compile(backend="torch_refine")
    def layer(weight, bias, x):
        return torch.relu(x @ weight.t() + bias)

    x = torch.rand(2, 8)
    prepared = []
    hold = State._hold
    monkeypatch.setattr(State, "_hold", lambda *given: prepared.append(1) or hold(*given))
    for _ in range(3):
        for each in layers:
            expected = torch.relu(each(x))
            torch.testing.assert_close(layer(each.weight, each.bias, x), expected)
    assert _said(caplog) == []
    assert len(prepared) == len(layers)
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1


def test_gradients_are_looked_at_in_each_call(caplog):
    """Also where the guards of Dynamo are switched off."""
    model = nn.Linear(4, 4)
    compiled = torch.compile(
        model, backend="torch_refine", options={"guard_filter_fn": lambda all: [False] * len(all)}
    )
    x = torch.rand(2, 4)
    with torch.no_grad():
        compiled(x)
    assert _said(caplog) == []
    for given in (x, torch.rand(2, 4, requires_grad=True)):
        compiled(given).sum().backward()
    assert model.weight.grad is not None and given.grad is not None
    assert "gradients are required" in caplog.text


def test_a_graph_of_tensors_without_memory_runs_eagerly(caplog):
    compiled = torch.compile(lambda x: x + 1, backend="torch_refine")
    for x in (torch._efficientzerotensor((3,)), torch.ones(3).to_sparse().to_dense()):
        torch.testing.assert_close(compiled(x), x + 1)


class _Spectral(nn.Module):
    """A layer with an operator that runs in PyTorch between two that are compiled."""

    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(16, 16), nn.Linear(16, 16)

    def forward(self, x):
        return torch.relu(self.last(bessel(torch.relu(self.first(x)))))


def test_parts_with_the_weights_of_several_modules(caplog):
    torch.manual_seed(0)
    model = nn.Sequential(_Spectral(), _Spectral()).eval()
    reference = copy.deepcopy(model)
    for layer in model:
        layer.compile(backend="torch_refine")
    with caplog.at_level(logging.WARNING, "torch_refine"), torch.no_grad():
        for rows in (3, 3, 8, 9):
            inputs = torch.rand(rows, 16)
            torch.testing.assert_close(model(inputs), reference(inputs), atol=1e-4, rtol=1e-4)
        for each in (model, reference):
            each[1].first.weight.mul_(2)
        torch.testing.assert_close(model(inputs), reference(inputs), atol=1e-4, rtol=1e-4)
    assert all(f"{NAME} (1)" in message for message in _said(caplog))
    assert len(_said(caplog)) == 2, "for any number of rows the second time"
