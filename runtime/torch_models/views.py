"""Results of AOTAutograd's graphs that are views of their inputs, or of other results.

AOTAutograd rebuilds such a result from its base, by the sizes, strides and offset that the result
has. Compiled programs return tensors of their own memory, so PyTorch computes the views.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from torch.fx import Graph, GraphModule, Node
from torch_refine.runtime.torch_models.aliases import UnknownView, storage_of


@dataclass(frozen=True)
class SplitViews:
    """A graph in two: `module` computes results and bases of views, `views` the results of it.

    `views` takes the inputs of the graph, then the results of `module`.
    """

    module: GraphModule
    views: GraphModule

    @staticmethod
    def of(whole: GraphModule) -> SplitViews | None:
        """Split a functional graph; None if no result is a view.

        Raises:
            UnknownView: a view depends on more than its base and sizes.
        """
        (output,) = (node for node in whole.graph.nodes if node.op == "output")
        returned = list(output.args[0])
        bases = _bases(whole.graph, returned)
        if not bases:
            return None
        inputs = [node for node in whole.graph.nodes if node.op == "placeholder"]
        own = [node for node in returned if isinstance(node, Node) and node not in bases]
        own += [base for base in bases.values() if base not in inputs]
        own = [node for node in dict.fromkeys(own) if node not in inputs]
        computed = Graph()
        copies: dict[Node, Node] = {}
        computed.graph_copy(whole.graph, copies)
        computed.output(tuple(copies[node] for node in own))
        computed.eliminate_dead_code()
        views = _views(whole, returned, [*inputs, *own], set(bases.values()))
        return SplitViews(GraphModule(whole, computed), views)


def _bases(graph: Graph, returned: Sequence[Any]) -> dict[Node, Node]:
    """The results that are views, with the input or the first node that has their memory."""
    first: dict[Any, Node] = {}
    inputs = set()
    for node in graph.nodes:
        storage = storage_of(node.meta.get("val"))
        if storage is not None:
            first.setdefault(storage, node)
            if node.op == "placeholder":
                inputs.add(storage)
    nodes = list(dict.fromkeys(node for node in returned if isinstance(node, Node)))
    storages = {node: storage_of(node.meta.get("val")) for node in nodes}
    # A weak reference cannot be compared with None.
    counts = Counter(each for each in storages.values() if each is not None)
    return {
        node: first[storage]
        for node, storage in storages.items()
        if storage is not None
        and node is not first[storage]
        and (storage in inputs or counts[storage] > 1)
    }


def _views(
    whole: GraphModule, returned: Sequence[Any], taken: Sequence[Node], bases: set[Node]
) -> GraphModule:
    """The graph of all results of `taken` values."""
    graph = Graph()
    copies: dict[Node, Node] = {}
    for node in taken:
        copies[node] = graph.placeholder(node.name)
    needed = _ancestors((node for node in returned if isinstance(node, Node)), set(taken))
    storages = {storage_of(base.meta["val"]) for base in bases}
    for node in whole.graph.nodes:
        if node in needed:
            storage = storage_of(node.meta.get("val"))
            if storage is not None and storage not in storages:
                raise UnknownView(f"a view depends on the values of {node.name}")
            copies[node] = graph.node_copy(node, copies.__getitem__)
    graph.output([copies[each] if isinstance(each, Node) else each for each in returned])
    return GraphModule(whole, graph)


def _ancestors(nodes: Iterable[Node], stop: set[Node]) -> set[Node]:
    """The nodes, and those that they are computed from, without `stop`."""
    found: set[Node] = set()
    pending = [node for node in nodes if node not in stop]
    while pending:
        node = pending.pop()
        if node not in found:
            found.add(node)
            pending += [each for each in node.all_input_nodes if each not in stop]
    return found
