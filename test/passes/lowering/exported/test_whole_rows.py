"""Scatters with one index per row add and reduce whole rows."""

import pytest
import torch
import torch_refine
from function_module import Function

GROUPS, COUNT = 30, 100
AUTO = torch.export.Dim.AUTO


def _expanded(x, index):
    return x.new_zeros(GROUPS, x.shape[1]).scatter_add(0, index.view(-1, 1).expand_as(x), x)


def _mean(x, index):
    wide = index.unsqueeze(-1).expand_as(x)
    total = x.new_zeros(GROUPS, x.shape[1]).scatter_add_(0, wide, x)
    counts = x.new_zeros(GROUPS).scatter_add_(0, index, torch.ones_like(x[:, 0]))
    return total / counts.clamp(min=1).unsqueeze(1)


def _reduced(x, index):
    return x.new_ones(GROUPS, x.shape[1]).scatter_reduce(0, index[:, None].expand_as(x), x, "sum")


def _columns(x, index):
    wide = index[None].expand(x.shape[1], -1)
    return x.new_zeros(x.shape[1], GROUPS).scatter_add(1, wide, x.T)


def _one_place(x, index):
    return x.new_zeros(GROUPS, x.shape[1]).scatter_add(0, index[:1, None].expand_as(x), x)


def _maxima(x, index):
    wide = index[:, None].expand_as(x)
    return x.new_zeros(GROUPS, x.shape[1]).scatter_reduce(0, wide, x, "amax")


def _wider(x, index):
    wide = index[:, None].expand_as(x)
    # A copy: eager mode of PyTorch 2.13 is wrong for an expanded index of fewer columns.
    return x.new_zeros(GROUPS, x.shape[1] + 2).scatter_add(0, wide.clone(), x)


def _reductions(x, index):
    wide = index[:, None].expand_as(x)
    start = torch.linspace(-2, 2, GROUPS)[:, None].expand(-1, x.shape[1]).clone()
    return tuple(
        start.scatter_reduce(0, wide, x, kind, include_self=is_included)
        for kind in ("amax", "amin", "prod", "mean")
        for is_included in (True, False)
    )


ROWS = (_expanded, _mean, _reduced)
EXTREMES = (_maxima, _reductions)
ELEMENTS = (_columns, _one_place, _wider)


@pytest.mark.parametrize("is_dynamic", [False, True])
@pytest.mark.parametrize("function", [*ROWS, *EXTREMES, *ELEMENTS])
def test_results_are_those_of_eager_mode(function, is_dynamic):
    given = torch.randn(COUNT, 16), torch.randint(0, GROUPS, (COUNT,))
    shapes = (({0: AUTO, 1: AUTO}, {0: AUTO}),) if is_dynamic else None
    compiled = torch_refine.compile(Function(function), given, dynamic_shapes=shapes)
    torch.testing.assert_close(compiled(*given), function(*given))
    scattered = [line for line in compiled.ir("torch").splitlines() if "aten.scatter_" in line]
    adds_elements = any("[100,16],f32>" in line for line in scattered)
    assert is_dynamic or adds_elements == (function in (_one_place, _wider))
    for wrong in (-1, GROUPS, 1 << 40):
        index = given[1].clone()
        index[0] = wrong
        with pytest.raises(RuntimeError):
            function(given[0], index)
        with pytest.raises(RuntimeError):
            compiled(given[0], index)


@pytest.mark.parametrize("function", ROWS)
def test_gradients_are_those_of_eager_mode(function):
    torch._dynamo.reset()
    x, index = torch.randn(COUNT, 16, requires_grad=True), torch.randint(0, GROUPS, (COUNT,))
    compiled = torch.compile(function, backend="torch_refine")
    weights = torch.randn(GROUPS, 16)
    (found,) = torch.autograd.grad((compiled(x, index) * weights).sum(), x)
    (expected,) = torch.autograd.grad((function(x, index) * weights).sum(), x)
    torch.testing.assert_close(found, expected)


KINDS = ("amax", "amin", "prod", "mean")


@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize(
    "dtype", [torch.float32, torch.float64, torch.int64, torch.int32, torch.uint8, torch.bfloat16]
)
def test_reduced_slices(dtype, dim):
    x = torch.randint(1, 4, (5, 6, 4)).to(dtype)
    index = torch.tensor([3, 0, 3, 1, 3])
    shape = list(x.shape)
    shape[dim] = len(index)
    source = torch.randint(1, 4, shape).to(dtype)
    if dtype.is_floating_point:
        x[0, 0, 0] = source[1, 2, 3] = torch.nan
    kinds = KINDS if dtype.is_floating_point else KINDS[:3]

    def reduced(x, index, source):
        return tuple(
            x.index_reduce(dim, index, source, kind, include_self=is_included)
            for kind in kinds
            for is_included in (True, False)
        )

    for places in (index, index.int()):
        compiled = torch_refine.compile(Function(reduced), (x, places, source))
        expected = reduced(x, places, source)
        torch.testing.assert_close(compiled(x, places, source), expected, equal_nan=True)
