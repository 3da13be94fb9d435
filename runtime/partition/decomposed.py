"""Nodes that are decomposed once, of which any are then imported as a program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from torch.export import ExportedProgram
from torch.fx import Node
from torch_refine.importer.lowering import decompose_for_lowering, literals_of
from torch_refine.runtime.partition.subprograms import Source, as_program, part_of
from torch_refine.runtime.partition.values import is_size


@dataclass(frozen=True)
class Decomposed:
    """The decomposition of some nodes of a program.

    `origins` are the nodes that its own were decomposed from; `literals` are the names of its
    immutable constants.
    """

    source: Source
    nodes: frozenset[Node]
    origins: dict[Node, Node]
    literals: frozenset[str]

    @staticmethod
    def of(
        program: ExportedProgram, nodes: Iterable[Node], find: Callable[[str], Node | None]
    ) -> Decomposed:
        """Decompose a program of nodes; `find` returns that with a stack trace.

        Raises:
            ImportModelError: a kernel rejects a call, or a decomposition failed.
        """
        prepared = decompose_for_lowering(program)
        origins: dict[Node, Node] = {}
        for node in reversed(prepared.graph.nodes):
            if node.op not in ("call_function", "get_attr"):
                continue
            # Nodes that rewrites insert may have no stack trace.
            origin = find(node.meta.get("stack_trace") or "")
            users = (origins[user] for user in node.users if user in origins)
            origin = next(users, None) if origin is None else origin
            if origin is not None:
                origins[node] = origin
        literals = frozenset(literals_of(program))
        return Decomposed(Source.of(prepared), frozenset(nodes), origins, literals)

    def covers(self, nodes: Iterable[Node]) -> bool:
        """Whether all nodes are among those that were decomposed."""
        return self.nodes.issuperset(nodes)

    def only(self, nodes: Iterable[Node]) -> tuple[ExportedProgram, frozenset[str]]:
        """The program of what some nodes were decomposed into, and the names of its literals."""
        chosen = frozenset(nodes)
        graph = self.source.graph
        order = {node: place for place, node in enumerate(graph.nodes)}
        own = [
            node for node in graph.nodes if self.origins.get(node) in chosen and not is_size(node)
        ]
        part = part_of(own, order, self.source.specs)
        inside = set(part.nodes)
        needed = {
            operand
            for node in graph.nodes
            if node not in inside
            for operand in node.all_input_nodes
        }
        results = part.results(needed)
        return as_program(self.source, part, results, is_decomposed=True), self.literals
