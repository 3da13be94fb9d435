"""Parts of tensors are written without the rest, at positions that are numbers, too."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch.utils import _pytree as pytree
from torch_refine.runtime import dynamo

# Positions in 8 rows: those inside, from the end, and out of range.
POSITIONS = (2, 3, 4, 0, 1, 7, -1, -3, -8, 8, -9, 100)


def _attention(cache, x, start):
    """A step of a decoder, which writes its keys into a cache."""
    cache[start : start + x.shape[0]] = x
    known = cache[: start + x.shape[0]]
    return torch.softmax(x @ known.T, -1) @ known


def _column(cache, x, place):
    cache[:, place] = x[0]
    return cache * 2


def _narrowed(cache, x, start):
    cache.narrow(0, start, x.shape[0]).copy_(x)
    return cache.sum(0)


def _remainder(cache, x, place):
    cache[place % cache.shape[0]] = x[0]
    return cache * 1


def _numbers(cache, x, number):
    return cache * (number / 7) + number // 3


@pytest.mark.parametrize("is_dynamic", [None, True])
@pytest.mark.parametrize("function", [_attention, _column, _narrowed, _remainder, _numbers])
def test_positions_are_those_of_eager_mode(function, is_dynamic):
    torch._dynamo.reset()
    compiled = torch.compile(function, backend="torch_refine", dynamic=is_dynamic)
    for position in POSITIONS:
        cache, x = torch.randn(8, 8), torch.randn(2, 8)
        written = cache.clone()
        try:
            expected = function(written, x, position)
        except (RuntimeError, IndexError):
            with pytest.raises((RuntimeError, IndexError)):
                compiled(cache, x, position)
            continue
        found = compiled(cache, x, position)
        torch.testing.assert_close(found, expected)
        torch.testing.assert_close(cache, written)


@pytest.mark.parametrize("function", [_attention, _narrowed])
def test_a_position_is_an_input_of_an_exported_graph(function, monkeypatch):
    """AOTAutograd would return a new cache, which is copied."""

    def unexpected(*_):
        raise AssertionError("the graph is not exported")

    monkeypatch.setattr(dynamo, "compile_for_training", unexpected)
    torch._dynamo.reset()
    counter = torch._dynamo.testing.CompileCounterWithBackend("torch_refine")
    compiled = torch.compile(function, backend=counter)
    for position in range(2, 8):
        cache, x = torch.randn(12, 8), torch.randn(2, 8)
        written = cache.clone()
        torch.testing.assert_close(compiled(cache, x, position), function(written, x, position))
        assert torch.equal(cache, written)
    assert counter.frame_count == 2


def _rows(x):
    out = torch.empty(4, *x.shape)
    for place in range(4):
        out[place] = x * place
    return out


def _last(x):
    y = x.clone()
    y[..., -1] = 1
    return y


def _of_layers(caches, x, places):
    caches[0, 1].index_copy_(0, places, x)
    return caches[0, 1].sum(0)


def _copied(x):
    y = torch.zeros(4, x.shape[0], 2 * x.shape[1])
    y[1:3, :, : x.shape[1]].copy_(x)
    return y


PARTS = {
    "rows": (_rows, lambda: (torch.randn(3, 5),)),
    "last": (_last, lambda: (torch.randn(3, 5),)),
    "layers": (
        _of_layers,
        lambda: (torch.randn(2, 2, 6, 5), torch.randn(2, 5), torch.tensor([4, 1])),
    ),
    "copied": (_copied, lambda: (torch.randn(3, 5),)),
}


@pytest.mark.parametrize("is_dynamic", [False, True])
@pytest.mark.parametrize("name", PARTS)
def test_only_parts_are_written(name, is_dynamic):
    """PyTorch's decompositions compute all elements, and copy what is overwritten."""
    function, make = PARTS[name]
    given = make()
    auto = torch.export.Dim.AUTO
    shapes = tuple(dict.fromkeys(range(each.dim()), auto) for each in given) if is_dynamic else None
    compiled = torch_refine.compile(
        Function(function), given, dynamic_shapes=(shapes,) if is_dynamic else None
    )
    program = compiled.ir("torch")
    assert "slice_scatter" in program
    assert "aten.copy" not in program
    # Indices may be counted from the end.
    assert all("si64>" in line for line in program.splitlines() if "aten.where" in line)
    own, given = (tuple(each.clone() for each in given) for _ in range(2))
    torch.testing.assert_close(compiled(*own), function(*given))
    for one, other in zip(pytree.tree_leaves(own), pytree.tree_leaves(given), strict=True):
        assert torch.equal(one, other)


def _whole(x, y):
    z = x[:, 0:].clone()
    z[:, :] = y
    return z[:] * 2


def test_whole_dimensions_of_any_size_are_no_slices():
    auto = torch.export.Dim.AUTO
    shapes = ((dict.fromkeys(range(3), auto), {0: auto, 1: auto}),)
    given = torch.randn(3, 4, 5), torch.randn(3, 4, 1)
    compiled = torch_refine.compile(Function(_whole), given, dynamic_shapes=shapes)
    assert "aten.slice" not in compiled.ir("torch")
    for each in (given, (torch.randn(2, 7, 9), torch.randn(2, 7, 1))):
        torch.testing.assert_close(compiled(*each), _whole(*each))
