"""Operators that the library's decomposition functions expand before the import."""

import pytest
import torch
import torch._prims
import torch_refine
from function_module import Function

prims = torch.ops.prims
_X = torch.tensor([[1.5, -2.0, 0.0], [float("nan"), float("inf"), -0.0]])
_INTEGERS = torch.tensor([7, -7, 8, -9])
_HALVES = _X.to(torch.float16)
_CALLS = {
    "sums of lists": (
        lambda x, y: torch._foreach_add([x, y], [y, x.sum(0)], alpha=0.3),
        (_HALVES, _HALVES[0]),
    ),
    "numbers for lists": (lambda x, y: torch._foreach_pow([x, y], [2, 0.5]), (_X, _X[1])),
    "norms of lists": (lambda x, y: torch._foreach_norm([x, y], 1), (_X, _X[0])),
    "between lists": (lambda x, y: torch._foreach_lerp([x], [y], 0.25), (_X, _X.flip(1))),
    "truncated quotient": (lambda x, y: prims.div(x, y), (_INTEGERS, torch.tensor([2, 2, -3, 4]))),
    "transposed view": (lambda x: prims.transpose(x, [1, 0]) + 1, (_X,)),
    "broadcast view": (lambda x: prims.broadcast_in_dim(x, [2, 2, 3], [0, 2]) * 2, (_X,)),
    "variance of a number": (lambda x: prims.var(x, [0], 0.0), (torch.tensor(3.0),)),
    "cubic root": (lambda x: prims.cbrt(x), (_X,)),
}


@pytest.mark.parametrize("name", _CALLS)
def test_results_are_those_of_eager_mode(name):
    """With their dtypes, at NaN and infinities, too."""
    function, inputs = _CALLS[name]
    compiled = torch_refine.compile(Function(function), inputs, fallback="error")
    torch.testing.assert_close(compiled(*inputs), function(*inputs), equal_nan=True)


_ADAM = {"lr": 0.1, "beta1": 0.9, "beta2": 0.99, "eps": 1e-8, "amsgrad": False, "maximize": True}
_SGD = {"lr": 0.1, "momentum": 0.9, "dampening": 0.5, "nesterov": True, "is_first_step": False}
_ONE, _TWO = torch.tensor(1.0), torch.tensor(2.0)
aten = torch.ops.aten
_STEPS = {
    "adam": lambda w, g, m, s: aten._fused_adam(
        [w], [g], [m], [s], [], [_TWO], weight_decay=0.1, grad_scale=_TWO, **_ADAM
    ),
    "adam with decoupled decay": lambda w, g, m, s: aten._fused_adamw(
        [w], [g], [m], [s], [], [_TWO], weight_decay=0.1, found_inf=_TWO, **_ADAM
    ),
    "adam after an infinity": lambda w, g, m, s: aten._fused_adam(
        [w], [g], [m], [s], [], [_TWO], weight_decay=0.1, found_inf=_ONE, **_ADAM
    ),
    "descent": lambda w, g, m, s: aten._fused_sgd(
        [w], [g], [m], weight_decay=0.1, maximize=False, grad_scale=_TWO, **_SGD
    ),
    "adagrad": lambda w, g, m, s: aten._fused_adagrad(
        [w], [g], [s], [_TWO], lr=0.1, lr_decay=0.2, weight_decay=0.1, eps=1e-8, maximize=True
    ),
    "unscaled": lambda w, g, m, s: aten._amp_foreach_non_finite_check_and_unscale(
        [g, w], torch.zeros(1), torch.full((1,), 0.5)
    ),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("is_finite", [True, False])
@pytest.mark.parametrize("name", _STEPS)
def test_steps_of_optimizers(name, is_finite, dtype):
    """New parameters and states, also of NaN gradients."""
    torch.manual_seed(0)
    if name == "descent" and dtype == torch.bfloat16:
        pytest.skip("PyTorch's kernel changes few of the parameters")
    inputs = [torch.rand(3, 7).to(dtype) for _ in range(4)]
    if not is_finite:
        inputs[1][0, :3] = torch.tensor([float("nan"), float("inf"), -0.0])
    step = _STEPS[name]
    compiled = torch_refine.compile(Function(step), tuple(inputs), fallback="error")
    torch.testing.assert_close(compiled(*inputs), step(*inputs), equal_nan=True)


def test_a_step_that_pytorch_computes_wrongly_is_refused():
    """Of its 40 parameters of 16 bits, PyTorch changes the last 8."""
    weights, gradients = torch.zeros(40, dtype=torch.bfloat16), torch.ones(40, dtype=torch.bfloat16)
    plain = {**_SGD, "momentum": 0.0, "nesterov": False}

    def step(w, g):
        return aten._fused_sgd([w], [g], [], weight_decay=0.0, maximize=False, **plain)

    with pytest.raises(torch_refine.CompileError, match="_fused_sgd"):
        torch_refine.compile(Function(step), (weights, gradients), fallback="error")


@pytest.mark.parametrize("scale", [4.0, 3e38])
@pytest.mark.parametrize("found", [0.0, 1.0])
@pytest.mark.parametrize("steps", [0, 1])
def test_the_scale_of_gradients(steps, found, scale):
    """It grows after enough steps, not to infinity, and shrinks after an infinity."""
    inputs = (
        torch.tensor([scale]),
        torch.tensor([steps], dtype=torch.int32),
        torch.tensor([found]),
    )
    function = Function(lambda s, n, f: aten._amp_update_scale(s, n, f, 2.0, 0.5, 2))
    compiled = torch_refine.compile(function, inputs, fallback="error")
    torch.testing.assert_close(compiled(*inputs), function(*inputs))
