"""A gradient is never lost without a word."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch import nn
from torch.autograd import forward_ad
from torch_refine.runtime.refusals import GradientError


class Heads(nn.Module):
    """Results that depend on weights in every way."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.frozen = nn.Parameter(torch.rand(4), requires_grad=False)
        self.register_buffer("seen", torch.zeros(4))

    def forward(self, x):
        product = self.linear(x)
        return {
            "product": product,
            "view": product.t(),
            "places": product.argmax(-1),
            "mask": product > 0,
            "detached": product.detach() * 2,
            "input": x * 2,
            "buffer": x + self.seen,
            "written": torch.zeros(3, 4).copy_(product)[0],
            "parts": list(product.split(2, 1)),
            "weight": self.linear.weight * 1,
        }


@pytest.fixture(scope="module")
def heads():
    model = Heads().eval()
    return model, torch_refine.compile(model, (torch.rand(3, 4),))


def test_a_result_requires_a_gradient_where_it_does_in_eager_mode(heads):
    model, compiled = heads
    x = torch.rand(3, 4)
    found, expected = compiled(x), model(x)
    torch.testing.assert_close(found, expected)
    flat, wanted = (torch.utils._pytree.tree_leaves(each) for each in (found, expected))
    assert [each.requires_grad for each in flat] == [each.requires_grad for each in wanted]
    for each in flat:
        if each.requires_grad:
            with pytest.raises(
                RuntimeError, match=r"no backward pass.*call it under torch\.no_grad"
            ):
                each.sum().backward()
    assert model.linear.weight.grad is None


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_nothing_is_marked_where_gradients_are_off(heads, mode):
    model, compiled = heads
    x = torch.rand(3, 4, requires_grad=True)
    with mode():
        found = torch.utils._pytree.tree_leaves(compiled(x))
        torch.testing.assert_close(found, torch.utils._pytree.tree_leaves(model(x)))
    assert not any(each.requires_grad for each in found)


def test_an_input_that_requires_a_gradient_is_refused(heads):
    model, compiled = heads
    with pytest.raises(GradientError, match=r"input 0 requires a gradient.*torch\.no_grad\(\)"):
        compiled(torch.rand(3, 4, requires_grad=True))
    with pytest.raises(GradientError, match="input 0 requires a gradient"):
        compiled(model.linear.weight[:3])


def test_it_is_decided_at_each_call(heads):
    model, compiled = heads
    x = torch.rand(3, 4)
    model.requires_grad_(False)
    assert not compiled(x)["product"].requires_grad
    model.linear.bias.requires_grad_(True)
    assert compiled(x)["product"].requires_grad
    model.linear.requires_grad_(True)
    model.frozen.requires_grad_(True)
    assert compiled(x)["product"].requires_grad
    model.frozen.requires_grad_(False)


def test_a_buffer_that_requires_a_gradient_later_is_refused(heads):
    model, compiled = heads
    model.seen.requires_grad_(True)
    with pytest.raises(GradientError, match="'seen' requires a gradient, which it did not"):
        compiled(torch.rand(3, 4))
    model.seen.requires_grad_(False)
    compiled(torch.rand(3, 4))


class Cached(nn.Module):
    """Writes what has a gradient to a buffer and an input."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.register_buffer("keys", torch.zeros(3, 4))

    def forward(self, x, values):
        self.keys[:2].copy_(self.linear(x))
        values += self.keys[:2]
        return values.sum()


def test_a_gradient_that_would_be_written_is_refused():
    model, x = Cached(), torch.rand(2, 4)
    compiled = torch_refine.compile(model, (x, torch.zeros(2, 4)))
    values = torch.zeros(2, 4)
    with pytest.raises(
        GradientError, match="writes values with a gradient to its inputs or buffers"
    ):
        compiled(x, values)
    assert not values.any() and not model.keys.any()
    with torch.no_grad():
        compiled(x, values)
        torch.testing.assert_close(values, model.linear(x))


def test_forward_mode_and_transforms_are_refused(heads):
    compiled = torch_refine.compile(Function(lambda x: x * 2), (torch.rand(3, 4),))
    x = torch.rand(3, 4)
    with forward_ad.dual_level():
        for gradients in (True, False):
            with torch.set_grad_enabled(gradients), pytest.raises(GradientError, match="a tangent"):
                compiled(forward_ad.make_dual(x, x))
        torch.testing.assert_close(compiled(x), x * 2)
    for transform in (
        lambda: torch.vmap(compiled)(x[None]),
        lambda: torch.func.grad(lambda y: compiled(y).sum())(x),
        lambda: torch.func.jvp(compiled, (x,), (x,)),
        lambda: torch.func.functionalize(compiled)(x),
    ):
        with pytest.raises(TypeError, match=r"torch\.func transform|functional tensor"):
            transform()
    # It may be called from within, on tensors that are not transformed.
    torch.testing.assert_close(torch.vmap(lambda y: y + compiled(x))(x[None]), x[None] * 3)


def test_traces_are_refused():
    compiled = torch_refine.compile(Function(lambda x: x * 2), (torch.rand(3, 4),))
    x = torch.rand(3, 4)
    from torch._subclasses import FakeTensorMode
    from torch.fx.experimental.proxy_tensor import make_fx

    for trace in (
        lambda: torch.jit.trace(lambda y: compiled(y), (x,)),
        lambda: make_fx(compiled)(x),
        lambda: torch.export.export(Function(compiled), (x,), strict=False),
    ):
        with pytest.raises(RuntimeError, match="a compiled program cannot be called in"):
            trace()
    with FakeTensorMode(allow_non_fake_inputs=True), pytest.raises(RuntimeError, match="FakeTens"):
        compiled(x)
    # A mode that only looks on is no trace.
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False):
        torch.testing.assert_close(compiled(x), x * 2)
    # Dynamo leaves a gap in its graph where it is called.
    whole = torch.compile(lambda y: compiled(y + 1) + 1, backend="eager")
    torch.testing.assert_close(whole(x), (x + 1) * 2 + 1)
