"""Results of a graph that alias its inputs or each other.

A compiled program returns tensors with their own memory. The caller of a graph may write to a
result, and expect to see that in an input or in another result; so such results are rebuilt as
views of their bases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.fx import Graph, Node
from torch.multiprocessing.reductions import StorageWeakRef


class UnknownView(Exception):
    """A view cannot be rebuilt from the program's results; the message says why."""


@dataclass(frozen=True)
class _View:
    """A view of an input, by index, or of a result of the program."""

    of_input: bool
    place: int
    size: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int
    """The offset in elements from the start of its base."""

    def of(self, tensor: torch.Tensor) -> torch.Tensor:
        """The view of a tensor."""
        start = tensor.storage_offset() + self.offset
        return tensor.as_strided(self.size, self.stride, start)


@dataclass(frozen=True)
class GraphResults:
    """The results of a graph: results of the program by index, and views."""

    nodes: list[Any]
    """The results of the program."""
    sources: list[int | _View]
    """The results of the graph, in order."""

    @staticmethod
    def of(graph: Graph) -> GraphResults:
        """The results of a Dynamo graph; raises UnknownView."""
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
        # A weak reference cannot be compared with None, which numbers among the results have.
        counts = Counter(each for each in storages if each is not None)
        nodes: list[Any] = []
        sources: list[int | _View] = []
        for node, storage in zip(results, storages, strict=True):
            if storage in inputs:
                place, base = inputs[storage]
                sources.append(_view(node, base, True, place))
                continue
            is_shared = storage is not None and counts[storage] > 1
            base = first[storage] if is_shared and storage is not None else node
            if base not in nodes:
                nodes.append(base)
            place = nodes.index(base)
            sources.append(_view(node, base, False, place) if is_shared else place)
        return GraphResults(nodes, sources)

    def make(self, results: Sequence[Any], inputs: Sequence[Any]) -> list[Any]:
        """Build the graph's results from the program's results and the graph's inputs."""
        return [
            results[source]
            if isinstance(source, int)
            else source.of((inputs if source.of_input else results)[source.place])
            for source in self.sources
        ]


def _view(node: Node, base: Node, of_input: bool, place: int) -> _View:
    one, other = node.meta["example_value"], base.meta["example_value"]
    what = "an input" if of_input else "another result"
    if _reading(one) != _reading(other):
        raise UnknownView(f"a result reinterprets the memory of {what}")
    offset = one.storage_offset() - other.storage_offset()
    numbers = [*one.shape, *one.stride(), offset]
    if not all(type(each) is int for each in numbers):
        raise UnknownView(f"a result is a view of {what} with dynamic sizes")
    if not of_input and not other.is_contiguous():
        raise UnknownView("two results are views of a non-contiguous tensor")
    return _View(of_input, place, tuple(one.shape), tuple(one.stride()), offset)


def _reading(tensor: torch.Tensor) -> tuple[torch.dtype, bool, bool]:
    """The interpretation of memory: dtype, conjugate and negative bits."""
    return tensor.dtype, tensor.is_conj(), tensor.is_neg()


def _storage(node: Any) -> StorageWeakRef | None:
    """The storage of a node's tensor; None if it has none."""
    return storage_of(node.meta.get("example_value")) if isinstance(node, Node) else None


def storage_of(value: Any) -> StorageWeakRef | None:
    """The storage of a tensor; None if it has none, or for another value."""
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
        return None
    found: StorageWeakRef = StorageWeakRef(value.untyped_storage())  # type: ignore[no-untyped-call]
    return found
