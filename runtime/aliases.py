"""Results of a graph that lie in the memory of its inputs, or of each other.

A compiled program returns tensors of their own. Whoever calls a graph may write to what it returns,
and see that in an input, or in another result; so those are made here, as views of what they show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.fx import Graph, Node
from torch.multiprocessing.reductions import StorageWeakRef


class UnknownView(Exception):
    """A result is a view that cannot be made of what the program returns; the message says why."""


@dataclass(frozen=True)
class _View:
    """A view of an input, by its place, or of a result of the program."""

    of_input: bool
    place: int
    size: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int
    """Where it starts, in elements from where the other starts."""

    def of(self, tensor: torch.Tensor) -> torch.Tensor:
        """The view of a tensor."""
        start = tensor.storage_offset() + self.offset
        return tensor.as_strided(self.size, self.stride, start)


@dataclass(frozen=True)
class GraphResults:
    """What a graph returns: results of the program by their numbers, and views."""

    nodes: list[Any]
    """What the program returns."""
    sources: list[int | _View]
    """What the graph returns, in order."""

    @staticmethod
    def of(graph: Graph) -> GraphResults:
        """The results of a graph of Dynamo's; raises UnknownView."""
        (returned,) = (node for node in graph.nodes if node.op == "output")
        inputs: dict[StorageWeakRef, tuple[int, Node]] = {}
        first: dict[StorageWeakRef, Node] = {}
        placeholders = [node for node in graph.nodes if node.op == "placeholder"]
        for place, node in enumerate(placeholders):
            storage = _storage(node)
            if storage is not None:
                inputs.setdefault(storage, (place, node))
        for node in graph.nodes:
            storage = _storage(node) if node.op != "output" else None
            if storage is not None:
                first.setdefault(storage, node)
        results = list(returned.args[0])
        storages = [_storage(node) for node in results]
        nodes: list[Any] = []
        sources: list[int | _View] = []
        for node, storage in zip(results, storages, strict=True):
            if storage in inputs:
                place, base = inputs[storage]
                sources.append(_view(node, base, True, place))
                continue
            is_shared = storage is not None and storages.count(storage) > 1
            base = first[storage] if is_shared and storage is not None else node
            if base not in nodes:
                nodes.append(base)
            place = nodes.index(base)
            sources.append(_view(node, base, False, place) if is_shared else place)
        return GraphResults(nodes, sources)

    def make(self, results: Sequence[Any], inputs: Sequence[Any]) -> list[Any]:
        """What the graph returns, of the program's results and the graph's inputs."""
        return [
            results[source]
            if isinstance(source, int)
            else source.of((inputs if source.of_input else results)[source.place])
            for source in self.sources
        ]


def _view(node: Node, base: Node, of_input: bool, place: int) -> _View:
    one, other = node.meta["example_value"], base.meta["example_value"]
    what = "an input" if of_input else "another result"
    if (
        one.dtype != other.dtype
        or one.is_conj() != other.is_conj()
        or one.is_neg() != other.is_neg()
    ):
        raise UnknownView(f"a result shows the memory of {what} as something else")
    offset = one.storage_offset() - other.storage_offset()
    numbers = [*one.shape, *one.stride(), offset]
    if not all(type(each) is int for each in numbers):
        raise UnknownView(f"a result is a view of {what}, of sizes that may change")
    if not of_input and not other.is_contiguous():
        raise UnknownView("two results are views of what does not lie row by row")
    return _View(of_input, place, tuple(one.shape), tuple(one.stride()), offset)


def _reading(tensor: torch.Tensor) -> tuple[torch.dtype, bool, bool]:
    """As what memory is read."""
    return tensor.dtype, tensor.is_conj(), tensor.is_neg()


def _storage(node: Any) -> StorageWeakRef | None:
    """What memory a node's tensor lies in; None for what has none."""
    value = node.meta.get("example_value") if isinstance(node, Node) else None
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
        return None
    found: StorageWeakRef = StorageWeakRef(value.untyped_storage())  # type: ignore[no-untyped-call]
    return found
