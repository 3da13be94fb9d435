"""Normalization of constants, of empty tensors, and of tensors written in place."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch_refine.importer import ImportModelError

aten = torch.ops.aten


def _batch_norms(eps, momentum):
    rest = (momentum, eps)
    return {
        "native": lambda x, w, b, m, v: aten.native_batch_norm(x, w, b, m, v, True, *rest),
        "legit": lambda x, w, b, m, v: aten._native_batch_norm_legit(x, w, b, m, v, True, *rest),
        "no statistics": lambda x, w, b, m, v: aten._native_batch_norm_legit.no_stats(
            x, None, b, True, *rest
        ),
        "functional": lambda x, w, b, m, v: aten._native_batch_norm_legit_functional(
            x, w, b, m, v, True, *rest
        ),
        "with update": lambda x, w, b, m, v: aten._batch_norm_with_update(x, w, b, m, v, *rest)[:3],
        "composite": lambda x, w, b, m, v: torch.batch_norm(x, w, b, m, v, True, *rest, False),
        "without a weight": lambda x, w, b, m, v: torch.batch_norm(
            x, None, None, None, None, True, *rest, False
        ),
        "instance": lambda x, w, b, m, v: torch.instance_norm(
            x, w, b, None, None, True, *rest, False
        ),
        # They do not accept 0 for infinite values.
        "given": lambda x, w, b, m, v: aten.native_batch_norm(x, w, b, m, v - v, False, *rest),
        "layer": lambda x, w, b, m, v: aten.native_layer_norm(x, [3], None, None, eps),
        "group": lambda x, w, b, m, v: torch.group_norm(x, 2, w, b, eps),
    }


def _flat(results):
    return [results] if isinstance(results, torch.Tensor) else list(results)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_constant_channels_without_an_epsilon(dtype):
    torch.manual_seed(0)
    x = torch.randn(4, 2, 3).to(dtype)
    x[:, 1] = 1.5
    inputs = (x, *torch.rand(4, 2).to(dtype))
    norms = _batch_norms(0.0, 0.25)
    if dtype != torch.float32:
        norms = {name: norms[name] for name in ("native", "no statistics", "given", "group")}
    # Each writes its own statistics.
    model = Function(
        lambda x, w, b, m, v: [
            each
            for norm in norms.values()
            for mean, var in [(m.clone(), v.clone())]
            for each in [*_flat(norm(x, w, b, mean, var)), mean, var]
        ]
    )
    expected = model(*inputs)
    assert any(each.isnan().any() for each in expected)
    for found, wanted in zip(torch_refine.compile(model, inputs)(*inputs), expected, strict=True):
        torch.testing.assert_close(found, wanted, equal_nan=True)


@pytest.mark.parametrize("name", ["native", "no statistics", "with update"])
def test_an_empty_batch_has_no_statistics(name):
    model = Function(_batch_norms(1e-5, 0.1)[name])
    inputs = (torch.rand(0, 2), *torch.rand(4, 2))
    with pytest.raises(RuntimeError):
        model(*inputs)
    with pytest.raises(RuntimeError, match="a batch without elements has no statistics"):
        torch_refine.compile(model, inputs)(*inputs)


def _normalised(x, *operands):
    return torch.batch_norm(x, *operands, True, 0.25, 1e-5, False)


SHARED = {
    "weight": (lambda x, s: _normalised(x, s[0], None, s[0], s[1]), "running_mean"),
    "bias": (lambda x, s: _normalised(x, None, s[1].view(2), s[0], s[1]), "running_var"),
    "input": (lambda x, s: _normalised(x, None, None, x[0, :, 0], s[1]), "running_mean"),
    "statistics": (lambda x, s: _normalised(x, None, None, s[0], s[0]), "running_var"),
    "parts": (
        lambda x, s: _normalised(x, None, None, s.view(-1)[:2], s.view(-1)[1:3]),
        "running_var",
    ),
    "all": (
        lambda x, s: aten.native_batch_norm(x, s[0], None, s[0], s[0], True, 0.25, 1e-5),
        "running_mean, which shares elements with weight",
    ),
    "results": (
        lambda x, s: aten.var_mean.correction_out(x, [0, 2], out0=s[0], out1=s[0]),
        "out0, which shares elements with out1",
    ),
}


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_statistics_of_half_precision_inputs(dtype):
    """Kernels return them in the dtype of the weights, f32, which fake tensors do not say."""

    def functions(x, w, b, m, v):
        return (
            *aten.native_layer_norm(x, [6], w[:6], b[:6], 1e-5),
            *aten.native_group_norm(x, w, b, 2, 8, 6, 4, 1e-5),
            *aten._native_batch_norm_legit_functional(x, w, b, m, v, True, 0.1, 1e-5),
            *aten._native_batch_norm_legit_functional(x, w, b, m, v, False, 0.1, 1e-5),
        )

    torch.manual_seed(0)
    inputs = (torch.randn(2, 8, 6).to(dtype), *(torch.rand(8) for _ in range(4)))
    expected = functions(*inputs)
    compiled = torch_refine.compile(Function(functions), inputs)
    torch.testing.assert_close(list(compiled(*inputs)), list(expected), atol=0.05, rtol=0.02)


@pytest.mark.parametrize("name", SHARED)
def test_what_is_written_is_no_other_operand(name):
    function, message = SHARED[name]
    with pytest.raises(ImportModelError, match=f"it writes to .*{message}"):
        torch_refine.compile(Function(function), (torch.rand(4, 2, 3), torch.rand(2, 2)))


@pytest.mark.parametrize("dynamic", [False, True])
def test_what_is_written_may_lie_beside_other_operands(dynamic):
    def update(x, s, y):
        result = _normalised(x, s[2], s[3], s[0], s[1])
        # Tensors that are not written may be shared, and so may those written in place.
        again = torch.batch_norm(x, s[0], s[0], s[0], s[0], False, 0.25, 1e-5, False)
        return result, again, y.add_(y).mul_(y), y.copy_(y)

    sizes = {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}
    shapes = ((sizes, {1: torch.export.Dim.AUTO}, sizes),) if dynamic else None
    inputs = (torch.rand(4, 2, 3), torch.rand(4, 2), torch.rand(3, 2))
    compiled = torch_refine.compile(Function(update), inputs, dynamic_shapes=shapes)
    passed = [each.clone() for each in inputs]
    for found, wanted in zip(
        [*compiled(*passed), *passed], [*update(*inputs), *inputs], strict=True
    ):
        torch.testing.assert_close(found, wanted)


@pytest.mark.parametrize("shape", [(2, 12), (3, 6, 7), (2, 12, 5, 6), (0, 6, 4), (1, 6, 2, 3, 5)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_groups(shape, dtype):
    """Statistics and results of groups are as accurate as those of the kernels."""
    channels = shape[1]
    x, weight, bias = torch.randn(shape) + 5, torch.randn(channels), torch.randn(channels)
    given = [each.to(dtype) for each in (x, weight, bias)]

    def normalise(x, weight, bias):
        return torch.nn.functional.group_norm(x, 3, weight, bias)

    found = torch_refine.compile(Function(normalise), tuple(given))(*given)
    expected = normalise(*given)
    assert found.dtype == expected.dtype
    exact = normalise(*[each.double() for each in given])
    if exact.numel():
        error, allowed = ((each.double() - exact).abs().max() for each in (found, expected))
        assert error <= 2 * allowed + 1e-6


@pytest.mark.parametrize("rows, columns", [(4096, 40), (5000, 3), (1021, 300)])
def test_sums_of_rows_are_as_accurate_as_those_of_the_kernels(rows, columns):
    torch.manual_seed(0)
    x = torch.rand(rows, columns)

    def add(x):
        return x.sum(0)

    found = torch_refine.compile(Function(add), (x,))(x)
    exact = x.double().sum(0)
    errors = [((each.double() - exact) / exact).square().mean().sqrt() for each in (found, add(x))]
    assert errors[0] <= 2.5 * errors[1]
