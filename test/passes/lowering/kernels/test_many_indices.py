"""One index out of range among hundreds, which loops of vectors, tails and threads check."""

import random
from dataclasses import dataclass
from typing import Any

import pytest
import torch
import torch.nn.functional as F
import torch_refine
from function_module import Function

_SIZE = 203
_BAD = {
    torch.int64: (_SIZE, -_SIZE - 1, 2**31, -(2**63)),
    torch.int32: (_SIZE, -_SIZE - 1, 2**31 - 1, -(2**31)),
}


@dataclass(frozen=True)
class _Case:
    """A function, its inputs, and the position of its indices."""

    function: Any
    inputs: tuple[torch.Tensor, ...]
    place: int = 1


def _index(*sizes):
    return torch.randint(0, _SIZE, sizes)


_TABLE, _WIDE = torch.randn(_SIZE, 33), torch.randn(5, _SIZE)
_CASES = {
    "index": _Case(lambda x, i: x[i] * 2, (_TABLE, _index(301))),
    "index of columns": _Case(lambda x, i: x[:, i], (_WIDE, _index(301))),
    "index of both": _Case(lambda x, i, j: x[i, j], (_TABLE, _index(301), _index(301) % 33)),
    "matmul": _Case(lambda x, i, w: x[i] @ w, (_TABLE, _index(301), torch.randn(33, 17))),
    "index_select": _Case(lambda x, i: x.index_select(0, i), (_TABLE, _index(301))),
    "gather": _Case(lambda x, i: x.gather(1, i).relu(), (_WIDE, _index(5, 301))),
    "take": _Case(lambda x, i: x.take(i), (torch.randn(_SIZE), _index(301))),
    "embedding": _Case(lambda w, i: F.embedding(i, w).sum(1), (_TABLE, _index(7, 43))),
    "embedding_bag": _Case(lambda w, i: F.embedding_bag(i, w), (_TABLE, _index(7, 43))),
    "cross_entropy": _Case(
        lambda x, t: F.cross_entropy(x, t), (torch.randn(301, _SIZE), _index(301))
    ),
    "scatter_add": _Case(
        lambda x, i, s: x.scatter_add(0, i, s * 2), (_TABLE, _index(301, 33), torch.randn(301, 33))
    ),
    "index_add_": _Case(
        lambda x, i, s: x.index_add_(0, i, s), (_TABLE, _index(301), torch.randn(301, 33))
    ),
    "index_put_": _Case(
        lambda x, i, s: x.index_put_((i,), s, True), (_TABLE, _index(301), torch.randn(301, 33))
    ),
    "graph convolution": _Case(
        lambda x, e: torch.zeros_like(x).index_add(0, e[1], x[e[0]]), (_TABLE, _index(2, 601))
    ),
}


def _outcome(run, inputs):
    """What a call gives and leaves of its inputs; None if it raises, and it must not write then."""
    given = [each.clone() for each in inputs]
    try:
        return run(*given), given
    except (RuntimeError, IndexError):
        assert all(map(torch.equal, given, inputs))
        return None


def _may_be_int32(case):
    """Whether eager mode takes such indices."""
    try:
        case.function(*_inputs(case, torch.int32))
    except (RuntimeError, IndexError):
        return False
    return True


def _inputs(case, dtype):
    copies = [each.clone() for each in case.inputs]
    copies[case.place] = copies[case.place].to(dtype)
    return tuple(copies)


@pytest.mark.parametrize("way", ["static", "dynamic", "threads"])
@pytest.mark.parametrize("name", _CASES)
def test_one_of_many_indices(name, way):
    case = _CASES[name]
    choose = random.Random(f"{name} {way}")
    for dtype in (torch.int64, torch.int32) if _may_be_int32(case) else (torch.int64,):
        inputs = _inputs(case, dtype)
        auto = torch.export.Dim.AUTO
        shapes = tuple({dim: auto for dim in range(each.dim())} for each in inputs)
        compiled = torch_refine.compile(
            Function(case.function),
            inputs,
            dynamic_shapes=(shapes,) if way == "dynamic" else None,
            threads=2 if way == "threads" else 1,
        )
        torch.testing.assert_close(
            _outcome(compiled, inputs), _outcome(case.function, inputs), rtol=1e-4, atol=1e-4
        )
        count = inputs[case.place].numel()
        for place in (0, count - 1, count - 2, choose.randrange(count)):
            for bad in _BAD[dtype]:
                changed = _inputs(case, dtype)
                changed[case.place].view(-1)[place] = bad
                assert _outcome(compiled, changed) is None, (dtype, place, bad)
