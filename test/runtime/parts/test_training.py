"""Training through `torch.compile(backend="torch_refine")`: losses, gradients and statistics."""

import copy
import logging

import pytest
import torch
from torch import nn
from torch._C import DispatchKey
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint
from transformers import BertConfig, BertForMaskedLM, GPT2Config, GPT2LMHeadModel


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    torch.manual_seed(0)


def _said(caplog):
    return [each.getMessage() for each in caplog.records if each.name == "torch_refine"]


class Images(nn.Module):
    """Convolutions with statistics, and what a classifier has besides."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(8)
        self.second = nn.Conv2d(8, 8, 3, stride=2, groups=2)
        self.last = nn.Linear(8, 5)

    def forward(self, images, labels):
        x = F.max_pool2d(F.gelu(self.norm(self.first(images))), 2)
        x = x + F.silu(checkpoint(self._block, x, use_reentrant=False))
        return F.cross_entropy(self.last(x.mean((2, 3))), labels)

    def _block(self, x):
        return F.interpolate(torch.relu(self.second(x)), x.shape[2:])


def images():
    return Images(), lambda model, rows: model(
        torch.randn(rows, 3, 16, 16), torch.randint(0, 5, (rows,))
    )


def language(kind):
    small = {"vocab_size": 50}
    if kind == "gpt":
        off = dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), 0.0)
        ends = {"bos_token_id": 0, "eos_token_id": 0, "use_cache": False}
        config = GPT2Config(n_layer=2, n_embd=32, n_head=2, n_positions=32, **off, **ends, **small)
        model = GPT2LMHeadModel(config)
    else:
        off = dict.fromkeys(("hidden_dropout_prob", "attention_probs_dropout_prob"), 0.0)
        sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
        model = BertForMaskedLM(BertConfig(intermediate_size=64, **sizes, **off, **small))

    def loss(model, rows):
        tokens = torch.randint(0, 50, (rows, 12))
        return model(input_ids=tokens, labels=tokens).loss

    return model, loss


@pytest.mark.parametrize(
    ("build", "in_pytorch"),
    [
        # Of convolutions in groups.
        (images, ["aten.convolution_backward.default"]),
        (lambda: language("gpt"), []),
        (lambda: language("bert"), []),
    ],
    ids=["images", "gpt", "bert"],
)
def test_losses_follow_those_of_eager_mode(build, in_pytorch, caplog):
    model, loss = build()
    reference = copy.deepcopy(model)
    compiled = torch.compile(model.train(), backend="torch_refine", dynamic=False)
    losses = []
    for each in (compiled, reference.train()):
        torch.manual_seed(1)
        optimizer = torch.optim.AdamW(each.parameters(), 1e-3)
        losses.append([])
        for _ in range(50):
            optimizer.zero_grad()
            found = loss(each, 4)
            found.backward()
            optimizer.step()
            losses[-1].append(found.item())
    torch.testing.assert_close(*losses, atol=2e-3, rtol=2e-3)
    for one, other in zip(model.buffers(), reference.buffers(), strict=True):
        torch.testing.assert_close(one, other, atol=1e-3, rtol=1e-2)
    said = _said(caplog)
    assert len(said) == len(in_pytorch)
    assert all(name in message for name, message in zip(in_pytorch, said, strict=True))


@pytest.mark.parametrize("name", ["AdamW", "RMSprop", "Adagrad", "NAdam", "Muon"])
def test_steps_of_optimizers(name, caplog):
    """Dynamo writes `addcmul_` and `addcdiv_` with a value as a prim that inductor defines."""
    model = nn.Sequential(nn.Linear(8, 16, bias=False), nn.Linear(16, 4, bias=False))
    inputs = torch.randn(6, 8)
    losses = []
    for compiled in (False, True):
        own = copy.deepcopy(model)
        optimizer = getattr(torch.optim, name)(own.parameters(), 1e-2)
        step = optimizer.step
        if compiled:
            step = torch.compile(lambda run=optimizer.step: run(), backend="torch_refine")
        losses.append([])
        for _ in range(5):
            optimizer.zero_grad()
            loss = own(inputs).square().mean()
            loss.backward()
            step()
            losses[-1].append(loss.item())
    torch.testing.assert_close(*losses, atol=1e-6, rtol=1e-4)
    assert _said(caplog) == []


@pytest.mark.parametrize(
    "function",
    [
        lambda x: torch.linalg.solve(x @ x.mT + 3 * torch.eye(4), x),
        lambda x: torch.linalg.cholesky(x @ x.mT + 3 * torch.eye(4)),
        lambda x: torch.linalg.slogdet(x @ x.mT + 3 * torch.eye(4))[1],
    ],
    ids=["solve", "cholesky", "slogdet"],
)
def test_checks_that_take_tokens_are_compiled(function, caplog):
    """PyTorch orders checks by tokens, which its graphs take and return."""
    one, other = (torch.randn(2, 4, 4).requires_grad_() for _ in range(2))
    other.data.copy_(one)
    found, expected = torch.compile(function, backend="torch_refine")(one), function(other)
    torch.testing.assert_close(found, expected)
    found.sin().sum().backward()
    expected.sin().sum().backward()
    torch.testing.assert_close(one.grad, other.grad, atol=1e-4, rtol=1e-4)
    assert _said(caplog) == []


def test_a_check_that_fails_raises(caplog):
    compiled = torch.compile(lambda x: torch.linalg.inv(x) * 2, backend="torch_refine")
    compiled(torch.eye(3).requires_grad_())
    with pytest.raises(RuntimeError, match=r"linalg\.inv"):
        compiled(torch.ones(3, 3).requires_grad_())
    assert _said(caplog) == []


def _gradients(model, inputs):
    inputs = inputs.clone().requires_grad_()
    found = model(inputs)
    found.square().sum().backward()
    given = [each.grad.clone() for each in model.parameters()]
    model.zero_grad()
    return found.detach(), inputs.grad, given


@pytest.mark.parametrize("autocast", [False, True])
def test_gradients_of_inputs_and_weights_at_any_number_of_rows(autocast, caplog):
    model = nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.GELU(), nn.Linear(16, 4))
    compiled = torch.compile(model, backend="torch_refine", dynamic=True)
    for rows in (3, 6, 11):
        inputs = torch.randn(rows, 8)
        with torch.autocast("cpu", torch.bfloat16, enabled=autocast):
            found, expected = _gradients(compiled, inputs), _gradients(model, inputs)
        bounds = {"atol": 0.1, "rtol": 0.05} if autocast else {"atol": 1e-4, "rtol": 1e-4}
        torch.testing.assert_close(found, expected, **bounds)
    assert _said(caplog) == []


_LOSSES = {
    "mse": F.mse_loss,
    "huber": lambda x, y: F.huber_loss(x, y, delta=0.5),
    "smooth_l1": F.smooth_l1_loss,
    "soft_margin": lambda x, y: F.soft_margin_loss(x, y.sign()),
    "bce": lambda x, y: F.binary_cross_entropy(x.sigmoid(), y.sigmoid()),
    "cross_entropy": lambda x, y: F.cross_entropy(x, y.argmax(1), label_smoothing=0.1),
    "probabilities": lambda x, y: F.cross_entropy(x, y.softmax(1), label_smoothing=0.1),
    "attention": lambda x, y: F.scaled_dot_product_attention(*(x[None], y[None], y[None])),
}


@pytest.mark.parametrize("name", _LOSSES)
def test_one_graph_is_for_all_sizes(name, caplog):
    """A mean divides by a number of elements that is not that of the first call."""
    loss = _LOSSES[name]
    torch._dynamo.utils.counters.clear()
    compiled = torch.compile(loss, backend="torch_refine", dynamic=True)
    for sizes in ((5, 7), (8, 6), (12, 9)):
        x, target = torch.randn(sizes, requires_grad=True), torch.randn(sizes)
        found = [torch.autograd.grad(f(x, target).sum(), x)[0] for f in (compiled, loss)]
        torch.testing.assert_close(*found)
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1
    assert _said(caplog) == []


_CONVOLUTIONS = [(4, 2, 1, 1), (3, 3, 2, 2)]


@pytest.mark.parametrize("is_transposed", [False, True])
@pytest.mark.parametrize(("size", "stride", "padding", "dilation"), _CONVOLUTIONS)
def test_gradients_of_windows_in_images_of_any_size(
    size, stride, padding, dilation, is_transposed, caplog
):
    """Strides may leave the last elements out, which then have no gradient."""
    kind = nn.ConvTranspose2d if is_transposed else nn.Conv2d
    model = kind(3, 4, size, stride, padding, dilation=dilation)
    compiled = torch.compile(model, backend="torch_refine", dynamic=True)
    for height, width in ((9, 10), (11, 8), (7, 13)):
        inputs = torch.randn(2, 3, height, width)
        found, expected = _gradients(compiled, inputs), _gradients(model, inputs)
        torch.testing.assert_close(found, expected, atol=1e-3, rtol=1e-3)
    assert _said(caplog) == []


_RESIZED = [
    {"scale_factor": 2.0, "mode": "nearest"},
    {"scale_factor": 1.7, "mode": "nearest-exact"},
    {"size": (11, 4), "mode": "bilinear"},
    {"size": (3, 13), "mode": "bilinear", "align_corners": True},
    {"size": (5, 12), "mode": "bicubic"},
    {"size": (5, 4), "mode": "bilinear", "antialias": True},
]


@pytest.mark.parametrize("options", _RESIZED)
def test_gradients_of_resampled_images(options, caplog):
    """They are operators of the graph: nothing is scattered."""
    model = nn.Sequential(nn.Conv2d(3, 2, 1), Resized(options), nn.AdaptiveAvgPool2d((4, 3)))
    compiled = torch.compile(model, backend="torch_refine", dynamic=False)
    inputs = torch.randn(2, 3, 7, 9)
    found, expected = _gradients(compiled, inputs), _gradients(model, inputs)
    torch.testing.assert_close(found, expected, atol=1e-4, rtol=1e-4)
    assert _said(caplog) == []
    # Others find PyTorch's own traces.
    assert DispatchKey.Autograd in torch.ops.aten.upsample_bilinear2d.vec.py_kernels


class Resized(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.options = options

    def forward(self, images):
        return nn.functional.interpolate(images, **self.options)


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x * 2).tensor_split(3, 1),
        lambda x: (*x.tensor_split(3, 1), x * 2),
        lambda x: ((x * 2)[1:].t(), x * 2, x.chunk(4)[1]),
        lambda x: (lambda y: (y.view(-1), y[:, x.shape[1] // 2 :]))(x.exp()),
    ],
)
def test_results_that_are_views_have_gradients(function, dynamic, caplog):
    """PyTorch rebuilds them by the strides and offsets of what compiled code returns."""
    compiled = torch.compile(function, backend="torch_refine", dynamic=dynamic)
    for columns in (7, 9) if dynamic else (7,):
        inputs = torch.randn(4, columns, requires_grad=True)
        results, gradients = [], []
        for each in (compiled, function):
            results.append(each(inputs))
            total = sum((result**2).sum() for result in results[-1])
            gradients.append(torch.autograd.grad(total, inputs))
        torch.testing.assert_close(*results)
        torch.testing.assert_close(*gradients)
    assert _said(caplog) == []


def test_operators_without_lowering_have_gradients(caplog):
    weight = torch.randn(8, 8, requires_grad=True)

    def function(x):
        y = torch.relu(x @ weight + 1)
        # Of complex numbers in single precision.
        turned = torch.linalg.matrix_exp((weight * 0.1).to(torch.complex64))
        return y @ turned.real @ weight

    with caplog.at_level(logging.WARNING, "torch_refine"):
        compiled = torch.compile(function, backend="torch_refine")
        inputs = torch.randn(4, 8)
        found, expected = [
            torch.autograd.grad(each(inputs).sum(), weight) for each in (compiled, function)
        ]
    torch.testing.assert_close(found, expected, atol=1e-3, rtol=1e-3)
    assert all("run in PyTorch" in message for message in _said(caplog))
    assert _said(caplog)


def test_dropout_has_a_mask_by_the_seed_and_its_gradient():
    model = nn.Sequential(nn.Linear(64, 64), nn.Dropout(0.5)).train()
    compiled = torch.compile(model, backend="torch_refine")
    inputs = torch.ones(16, 64)
    found = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        result = compiled(inputs)
        (gradient,) = torch.autograd.grad(result.sum(), model[0].bias)
        found.append((result.detach(), gradient))
        kept = result.detach() != 0
        assert 0.4 < kept.float().mean() < 0.6
        torch.testing.assert_close(gradient, 2 * kept.float().sum(0))
    assert torch.equal(found[0][0], found[1][0])
    assert not torch.equal(found[0][0], found[2][0])


def test_a_backward_graph_that_does_not_compile_runs_eagerly(monkeypatch, caplog):
    from torch_refine.runtime import training
    from torch_refine.runtime.compiling.compiler import CompileError

    compile_parts, made = training.Parts.of, []

    def fails_at_the_second(source, options):
        if made:
            raise CompileError("no memory")
        made.append(compile_parts(source, options))
        return made[0]

    monkeypatch.setattr(training.Parts, "of", fails_at_the_second)
    model = nn.Linear(4, 4)
    compiled = torch.compile(model, backend="torch_refine")
    inputs = torch.randn(3, 4)
    with caplog.at_level(logging.WARNING, "torch_refine"):
        torch.testing.assert_close(_gradients(compiled, inputs), _gradients(model, inputs))
    (message,) = _said(caplog)
    assert "runs eagerly: no memory" in message
