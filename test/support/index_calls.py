"""Operators that take indices, compiled, and called with indices that are none.

    python test/support/index_calls.py static|dynamic

Several operators are one program, whose indices are inputs of their own. Prints what is about to
be called, for whoever wonders what ended the process, and `FAILED` with what was found. Exit code
0 if a call gives what eager mode gives, or raises where that raises.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
import torch_refine
from torch import nn
from torch.export import Dim

aten = torch.ops.aten
# How many operators are one program.
_TOGETHER = 7
_EXTREMES = (10**9, 2**40, 2**62, 2**63 - 1, -(2**63))


@dataclass(frozen=True)
class Case:
    """An operator of some indices; below `size` they are valid for it.

    In eager mode, an `unchecked` operator does with an invalid index what it likes.
    """

    name: str
    function: Callable[[torch.Tensor], torch.Tensor]
    indices: tuple[Any, ...]
    size: int
    unchecked: bool = False
    is_sized: bool = False
    """Whether its results have sizes that need as many indices as there are."""


def _numbers(*sizes: int) -> torch.Tensor:
    count = torch.Size(sizes).numel()
    return torch.arange(count, dtype=torch.float32).reshape(sizes) / count


_X, _S = _numbers(5, 7), _numbers(3, 7) + 1
_IMAGE = _numbers(2, 3, 2, 2)
_PLACES = ((0, 2), (5, 7))
_BAGS, _BAGGED = torch.tensor([0, 2]), torch.tensor([0, 2, 1, 4, 3])

CASES = (
    Case("index", lambda i: (_X * 2)[i], (0, 2, 4), 5),
    Case("index", lambda i: _X[:, i], (0, 2, 6), 7),
    Case("index", lambda i: _X[i, i], (0, 2, 4), 5, is_sized=True),
    Case("index", lambda i: _X.reshape(5, 7, 1)[:, i, 0] * 3, (0, 2, 6), 7),
    Case("index", lambda i: torch.zeros(5, 7)[i], (0, 2, 4), 5),
    Case("index_select", lambda i: torch.index_select(_X, 1, i), (0, 2, 6), 7),
    Case("take", lambda i: torch.take(_X, i), (0, 2, 34), 35),
    Case("take_along_dim", lambda i: torch.take_along_dim(_X, i[:, None], 0), (0, 2, 4), 5),
    Case("gather", lambda i: torch.gather(_X, 1, i[:, None]), (0, 2, 6), 7),
    Case("embedding", lambda i: F.embedding(i, _X), (0, 2, 4), 5),
    Case("embedding", lambda i: F.relu(F.embedding(i, _X) * 2 + 1), (0, 2, 4), 5),
    Case("index_put", lambda i: _X.index_put((i,), _S), (0, 2, 4), 5, is_sized=True),
    Case("index_put", lambda i: _X.index_put((i,), _S, True), (0, 2, 4), 5, is_sized=True),
    Case("index_put", lambda i: _X.index_put((i, i), _S[0, 0]), (0, 2, 4), 5),
    Case("index_put", lambda i: _assigned(i), (0, 2, 6), 7),
    Case("index_add", lambda i: _X.index_add(0, i, _S), (0, 2, 4), 5, is_sized=True),
    Case("index_copy", lambda i: _X.index_copy(0, i, _S), (0, 2, 4), 5, is_sized=True),
    Case("index_reduce", lambda i: _X.index_reduce(0, i, _S, "amax"), (0, 2, 4), 5, is_sized=True),
    Case("put", lambda i: torch.put(_X, i, _S[0, :3]), (0, 2, 6), 35, is_sized=True),
    Case("index_fill", lambda i: _X.index_fill(1, i, 3.0), (0, 2, 6), 7),
    Case("index_fill", lambda i: _X.index_fill(1, i, _S[0, 1]), (0, 2, 6), 7),
    Case("scatter", lambda i: _X.scatter(0, i[:, None], _S), (0, 2, 4), 5, is_sized=True),
    Case("scatter", lambda i: _X.scatter(0, i[:, None], 3.0), (0, 2, 4), 5, is_sized=True),
    Case("scatter_add", lambda i: _X.scatter_add(1, i[:, None], _S), (0, 2, 6), 7, is_sized=True),
    Case(
        "scatter_reduce",
        lambda i: _X.scatter_reduce(0, i[:, None], _S, "amax", include_self=False),
        (0, 2, 4),
        5,
        is_sized=True,
    ),
    Case("max_unpool2d", lambda i: _unpooled(i), (0, 3, 9, 15), 16, is_sized=True),
    Case(
        "max_unpool3d",
        lambda i: F.max_unpool3d(_IMAGE[:, :, None], i.expand(2, 3, 4).view(2, 3, 1, 2, 2), 2),
        (0, 3, 9, 15),
        32,
        is_sized=True,
    ),
    Case("one_hot", lambda i: F.one_hot(i, 7), (0, 2, 6), 7),
    Case("nll_loss", lambda i: F.nll_loss(_S, i), (0, 2, 6), 7, is_sized=True),
    Case("nll_loss", lambda i: F.nll_loss(_S.T[None, :, :, None], i[None, :, None]), (0, 2, 6), 7,
         is_sized=True),
    Case("cross_entropy_loss", lambda i: F.cross_entropy(_S, i), (0, 2, 6), 7, is_sized=True),
    Case("multi_margin_loss", lambda i: F.multi_margin_loss(_S, i), (0, 2, 6), 7, is_sized=True),
    Case(
        "multilabel_margin_loss",
        lambda i: F.multilabel_margin_loss(_X[0, :3], i),
        (0, 2, 1),
        3,
        # What `torch.export` makes of it takes a label behind -1 for the first class.
        unchecked=True,
        is_sized=True,
    ),
    Case(
        "repeat_interleave",
        lambda i: torch.repeat_interleave(_S, i, 0, output_size=6),
        (1, 2, 3),
        4,
        is_sized=True,
    ),
    Case("select", lambda i: _X[i[0].item()], (2, 0, 1), 5),
    Case("select", lambda i: _X[:, i[0].item()] + 1, (2, 0, 1), 7),
    Case(
        "_unsafe_masked_index",
        lambda i: aten._unsafe_masked_index(_X[:, 0], i >= 0, [i], 0.0),
        (0, 2, 4),
        5,
        unchecked=True,
    ),
    Case(
        "_unsafe_masked_index_put_accumulate",
        lambda i: aten._unsafe_masked_index_put_accumulate(_X[:, 0], i >= 0, [i], _S[:, 0]),
        (0, 2, 4),
        5,
        unchecked=True,
        is_sized=True,
    ),
    Case(
        "embedding_dense_backward",
        lambda i: aten.embedding_dense_backward(_S, i, 5, -1, False),
        (0, 2, 4),
        5,
        unchecked=True,
        is_sized=True,
    ),
    Case(
        "max_pool2d_with_indices_backward",
        lambda i: _pool_backward(i),
        (0, 3, 9, 15),
        16,
        unchecked=True,
        is_sized=True,
    ),
    Case("nll_loss_backward", lambda i: _nll_backward(i), (0, 2, 6), 7, unchecked=True,
         is_sized=True),
    Case("embedding_bag", lambda i: F.embedding_bag(i, _X, _BAGS), (0, 2, 4), 5, is_sized=True),
    Case("embedding_bag", lambda i: F.embedding_bag(i, _X, _BAGS, mode="max"), (0, 2, 4), 5,
         is_sized=True),
    # Eager mode reads what is behind the indices for some offsets.
    Case("embedding_bag offsets", lambda i: F.embedding_bag(_BAGGED, _X, i), (0, 2, 4), 6,
         unchecked=True, is_sized=True),
    Case("_embedding_bag_backward", lambda i: _bag_backward(i, 0), (0, 2, 4), 5, unchecked=True,
         is_sized=True),
    Case("_embedding_bag_per_sample_weights_backward", lambda i: _bag_backward(i, None), (0, 2, 4),
         5, unchecked=True, is_sized=True),
    Case("embedding_renorm", lambda i: aten.embedding_renorm(_X, i, 0.5, 2.0), (0, 2, 4), 5,
         is_sized=True),
    Case("segment_reduce", lambda i: torch.segment_reduce(_X, "max", offsets=i), (0, 2, 5), 6,
         unchecked=True, is_sized=True),
    Case("max_pool3d_with_indices_backward", lambda i: _volume_backward(i), (0, 3, 9, 15), 16,
         unchecked=True, is_sized=True),
    Case("adaptive_max_pool2d_backward", lambda i: aten.adaptive_max_pool2d_backward(
        _IMAGE, _numbers(2, 3, 4, 4), i.expand(2, 3, 4).view(2, 3, 2, 2)), (0, 3, 9, 15), 16,
         unchecked=True, is_sized=True),
    Case("fractional_max_pool2d_backward", lambda i: aten.fractional_max_pool2d_backward(
        _IMAGE, _numbers(2, 3, 4, 4), [2, 2], [2, 2], i.repeat(2, 3, 1).view(2, 3, 2, 2)),
         (0, 3, 9, 15), 16, unchecked=True, is_sized=True),
    Case("adaptive_max_pool3d_backward", lambda i: aten.adaptive_max_pool3d_backward(
        _IMAGE[:, :, None], _numbers(2, 3, 1, 4, 4), i.repeat(2, 3, 1).view(2, 3, 1, 2, 2)),
         (0, 3, 9, 15), 16, unchecked=True, is_sized=True),
    Case("fractional_max_pool3d_backward", lambda i: aten.fractional_max_pool3d_backward(
        _IMAGE[:, :, None], _numbers(2, 3, 1, 4, 4), [1, 2, 2], [1, 2, 2],
        i.repeat(2, 3, 1).view(2, 3, 1, 2, 2)), (0, 3, 9, 15), 16, unchecked=True, is_sized=True),
    Case("_embedding_bag", lambda i: aten._embedding_bag(_X, i, _BAGS, False, 1)[0], (0, 2, 4), 5,
         is_sized=True),
    Case("_embedding_bag_forward_only",
         lambda i: aten._embedding_bag_forward_only(_X, i, _BAGS, False, 1)[0], (0, 2, 4), 5,
         is_sized=True),
    Case("_embedding_bag_dense_backward", lambda i: aten._embedding_bag_dense_backward(
        _S[:2], i, torch.tensor([0, 0, 1]), torch.tensor([2, 1]), torch.tensor([2, 1]), 5, False, 0,
        None), (0, 2, 4), 5, unchecked=True, is_sized=True),
    Case("index_select_backward", lambda i: aten.index_select_backward(_S, [5, 7], 0, i), (0, 2, 4),
         5, is_sized=True),
    Case("gather_backward", lambda i: aten.gather_backward(_S[:, :1], _X, 0, i[:, None], False),
         (0, 2, 4), 5, is_sized=True),
    Case("value_selecting_reduction_backward",
         lambda i: aten.value_selecting_reduction_backward(_S[0, :3], 1, i, [3, 7], False),
         (0, 2, 6), 7, is_sized=True),
    Case("cummaxmin_backward", lambda i: aten.cummaxmin_backward(_S[:, :1], _S, i[:, None], 0),
         (0, 2, 1), 3, is_sized=True),
    Case("_unsafe_index", lambda i: aten._unsafe_index(_X, [i]), (0, 2, 4), 5),
    Case("_unsafe_index_put", lambda i: aten._unsafe_index_put(_X, [i], _S), (0, 2, 4), 5,
         is_sized=True),
    Case("_index_put_impl", lambda i: aten._index_put_impl(_X, [i], _S, True, False), (0, 2, 4), 5,
         is_sized=True),
)  # fmt: skip


def _assigned(i: torch.Tensor) -> torch.Tensor:
    found = _X.clone()
    found[:, i] = 5.0
    return found


def _unpooled(i: torch.Tensor) -> torch.Tensor:
    return F.max_unpool2d(_IMAGE, i.expand(2, 3, 4).view(2, 3, 2, 2), 2)


def _pool_backward(i: torch.Tensor) -> torch.Tensor:
    places = i.expand(2, 3, 4).view(2, 3, 2, 2)
    lists = ([2, 2], [2, 2], [0, 0], [1, 1], False)
    found: torch.Tensor = aten.max_pool2d_with_indices_backward(
        _IMAGE, _numbers(2, 3, 4, 4), *lists, places
    )
    return found


def _volume_backward(i: torch.Tensor) -> torch.Tensor:
    places = i.expand(2, 3, 4).view(2, 3, 1, 2, 2)
    lists = ([1, 2, 2], [1, 2, 2], [0, 0, 0], [1, 1, 1], False)
    found: torch.Tensor = aten.max_pool3d_with_indices_backward(
        _IMAGE[:, :, None], _numbers(2, 3, 1, 4, 4), *lists, places
    )
    return found


def _bag_backward(i: torch.Tensor, mode: int | None) -> torch.Tensor:
    """The gradient of the weight, or of the weights of samples."""
    bags = torch.tensor([0, 0, 1])
    found: torch.Tensor
    if mode is None:
        found = aten._embedding_bag_per_sample_weights_backward(_S[:2], _X, i, _BAGS, bags, 0)
        return found
    sizes = torch.tensor([2, 1])
    found = aten._embedding_bag_backward(
        _S[:2], i, _BAGS, bags, sizes, sizes, 5, False, mode, False, None
    )
    return found


def _nll_backward(i: torch.Tensor) -> torch.Tensor:
    one = torch.ones(())
    found: torch.Tensor = aten.nll_loss_backward(one, _S, i, None, 1, -100, one)
    return found


class Together(nn.Module):
    """Some operators, each of its own indices."""

    def __init__(self, cases: tuple[Case, ...]) -> None:
        super().__init__()
        self.cases = cases

    def forward(self, *indices: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Compute all."""
        return tuple(case.function(each) for case, each in zip(self.cases, indices, strict=True))


def programs() -> Iterator[tuple[Case, ...]]:
    """All cases, some at a time."""
    for start in range(0, len(CASES), _TOGETHER):
        yield CASES[start : start + _TOGETHER]


def bad_indices(case: Case, dynamic: bool) -> Iterator[torch.Tensor]:
    """Indices of a case, some of which are valid, and most are not."""
    size = case.size
    for value in (size - 1, size, -1, -size, -size - 1, *_EXTREMES):
        for place in (0, len(case.indices) - 1):
            found = torch.tensor(case.indices)
            found[place] = value
            yield found
    if dynamic and not case.is_sized and case.name != "select":
        yield torch.tensor([], dtype=torch.int64)
        yield torch.tensor([0, size, 1, 2])


def sweep(cases: tuple[Case, ...], dynamic: bool) -> list[str]:
    """What compiled operators do otherwise than eager ones."""
    good = [torch.tensor(case.indices) for case in cases]
    shapes: Any = None
    if dynamic:
        shapes = (tuple(None if case.is_sized else {0: Dim.AUTO} for case in cases),)
    compiled = torch_refine.compile(Together(cases), tuple(good), dynamic_shapes=shapes)
    expected = [case.function(each) for case, each in zip(cases, good, strict=True)]
    found = []
    for number, case in enumerate(cases):
        for indices in bad_indices(case, dynamic):
            print(case.name, number, indices.tolist(), flush=True)
            given = [*good[:number], indices, *good[number + 1 :]]
            wanted: Any = None
            raised = False
            if not case.unchecked:
                try:
                    wanted = case.function(indices)
                except (IndexError, RuntimeError):
                    raised = True
            try:
                results = compiled(*given)
            except ValueError:
                # An export for any sizes may leave out empty ones.
                continue
            except RuntimeError as error:
                if not raised and not case.unchecked:
                    found.append(f"{case.name} {number} {indices.tolist()}: raises {error}")
                continue
            if raised:
                found.append(f"{case.name} {number} {indices.tolist()}: does not raise")
            elif wanted is not None and not torch.allclose(results[number], wanted):
                found.append(f"{case.name} {number} {indices.tolist()}: wrong")
            others = [each for each in range(len(cases)) if each != number]
            if not all(torch.allclose(results[each], expected[each]) for each in others):
                found.append(f"{case.name} {number} {indices.tolist()}: changes other results")
    return found


def main(arguments: list[str]) -> int:
    """Sweep all programs."""
    found = [each for cases in programs() for each in sweep(cases, arguments == ["dynamic"])]
    print("\n".join(f"FAILED {each}" for each in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
