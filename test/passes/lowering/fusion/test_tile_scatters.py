"""Scatters of what is computed tile by tile, and the precision of their sums."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch import nn
from torch.export import Dim
from torch_refine.dialect.bindings import walk
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import import_for_lowering
from torch_refine.passes.base import RunState
from torch_refine.pipelines.lowering.cpu import TorchToCpuPipeline
from torch_refine.pipelines.runner import Runner

ROWS = 50


def _convolution(x, edges, weights):
    """Of a graph: the rows at one end of each edge are added at the other."""
    return torch.zeros_like(x).index_add(0, edges[1], x[edges[0]] * weights[:, None])


def _edges(count, width, dtype):
    x = (torch.randn(ROWS, width) * 3).to(dtype)
    return x, torch.randint(0, ROWS, (2, count)), torch.randint(-3, 4, (count,)).to(dtype)


def _elements(count, width, dtype):
    x, source = torch.randn(ROWS, width), torch.randn(count, width) * 3
    return x.to(dtype), torch.randint(0, ROWS, (count, width)), source.to(dtype)


def _slices(count, width, dtype):
    x, index, source = _elements(count, width, dtype)
    return x, index[:, 0].clone(), source


CASES = {
    "graph convolution": (_convolution, _edges, ({1: "w"}, {1: "n"}, {0: "n"})),
    "sums of elements": (
        lambda x, i, s: torch.relu(x).scatter_add(0, i, s * 2),
        _elements,
        ({1: "w"}, {0: "n", 1: "w"}, {0: "n", 1: "w"}),
    ),
    "counts of elements": (
        lambda x, i, s: torch.relu(x).scatter_add(0, i, torch.ones_like(s)),
        _elements,
        ({1: "w"}, {0: "n", 1: "w"}, {0: "n", 1: "w"}),
    ),
    "sums of given elements": (
        lambda x, i, s: torch.relu(x).scatter_add(0, i, s),
        _elements,
        ({1: "w"}, {0: "n", 1: "w"}, {0: "n", 1: "w"}),
    ),
    "maxima of elements": (
        lambda x, i, s: torch.relu(x).scatter_reduce(0, i, s * s, "amax"),
        _elements,
        ({1: "w"}, {0: "n", 1: "w"}, {0: "n", 1: "w"}),
    ),
    "sums of rows and their numbers": (
        lambda x, i, s: torch.relu(x).index_add(
            0, i, s + torch.arange(s.shape[0], dtype=s.dtype)[:, None] % 7
        ),
        _slices,
        ({1: "w"}, {0: "n"}, {0: "n", 1: "w"}),
    ),
}


def _shapes(dims, names):
    made = {name: Dim(name) for name in names}
    return (
        tuple({dim: made[name] for dim, name in each.items() if name in made} for each in dims),
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.bfloat16])
@pytest.mark.parametrize("names", ["", "n", "nw"])
@pytest.mark.parametrize("case", CASES)
def test_tiles_are_as_the_whole(case, names, dtype):
    torch.manual_seed(0)
    function, drawn, dims = CASES[case]
    shapes = _shapes(dims, names) if names else None
    inputs = drawn(3001, 64, dtype)
    compiled = torch_refine.compile(Function(function), inputs, dynamic_shapes=shapes)
    sizes = [(3001, 64), *([(1, 64), (7, 64), (4096, 64)] if names else [])]
    sizes += [(3001, 3), (100, 1000)] if "w" in names else []
    for count, width in sizes:
        inputs = drawn(count, width, dtype)
        tolerance = 2e-2 if dtype == torch.bfloat16 else 1e-4
        torch.testing.assert_close(
            compiled(*inputs), function(*inputs), rtol=tolerance, atol=tolerance
        )


@pytest.mark.parametrize("place", [0, -1])
def test_an_index_out_of_bounds_in_any_tile(place):
    inputs = _edges(3001, 64, torch.float32)
    compiled = torch_refine.compile(Function(_convolution), inputs)
    inputs[1][1, place] = ROWS
    with pytest.raises(RuntimeError, match="out of bounds"):
        compiled(*inputs)


def _tiled(model, inputs):
    module = import_for_lowering(export_program(model, inputs, {}, None)).module.operation
    state = RunState()
    Runner(state).run(TorchToCpuPipeline(cpu="x86-64-v3").elements(), module)
    assert not any(each.name == "tm_tensor.scatter" for each in walk(module))
    return state.statistics["tile-scatters"]["scatters"]


def test_what_is_tiled():
    inputs = _edges(3001, 64, torch.float32)
    assert _tiled(Function(_convolution), inputs) == 1
    # An embedding's gradient is there already: only its indices are computed.
    gradient = Function(lambda g, i: torch.ops.aten.embedding_dense_backward(g, i, 50, -1, False))
    assert _tiled(gradient, (torch.randn(3001, 64), inputs[1][0].clone())) == 0
    bags = nn.EmbeddingBag(1000, 64, mode="mean")
    assert _tiled(bags, (torch.randint(0, 1000, (64, 32)),)) == 1


SUMS = {
    "scatter_add": lambda x, i, s: x.scatter_add(0, i, s),
    "scatter_add of rows": lambda x, i, s: x.scatter_add(0, i[:, :1].expand_as(s), s),
    "scatter_reduce": lambda x, i, s: x.scatter_reduce(0, i, s, "sum"),
    "means": lambda x, i, s: x.scatter_reduce(0, i, s, "mean", include_self=False),
    "products": lambda x, i, s: (x * 0 + 1).scatter_reduce(0, i, 1 + s / 64, "prod"),
    "index_add": lambda x, i, s: x.index_add(0, i[:, 0], s),
    "index_add of columns": lambda x, i, s: x.T.index_add(1, i[:, 0], s.T),
}


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", SUMS)
def test_sums_of_halves_are_rounded_once(name, dtype):
    """As in PyTorch, whose error is a sixth of that of sums that are rounded at each step."""
    torch.manual_seed(0)
    function = SUMS[name]
    x, index, source = _elements(3000, 20, dtype)
    exact = function(x.double(), index, source.double())
    found = torch_refine.compile(Function(function), (x, index, source))(x, index, source)
    errors = [(each.double() - exact).norm() for each in (found, function(x, index, source))]
    assert errors[0] <= 1.2 * errors[1]
