"""Regions and the branches between their blocks.

A block is visited with the join of its arguments over all incoming branches. Cyclic blocks are
visited until a fixed point is reached; an unreachable block is visited last, with its declared
types.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from torch_refine.abstract_interpreter.lattice import LatticeValue, Scalar
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.calculate_ops import terminator
from torch_refine.passes.branching import Edge, components, edges
from torch_refine.passes.type_refinement.fixed_point import FixedPoint
from torch_refine.passes.type_refinement.joining import Joiner
from torch_refine.passes.type_refinement.sweep_state import SweepState

Values = tuple[LatticeValue, ...]

# A loop that is visited more often within one function starts from its previous fixed point, so
# that the cost of nested loops does not multiply.
_COLD_VISITS = 4


class Exit(NamedTuple):
    """A terminator that leaves its region, and the lattice values of its operands."""

    op: ir.Operation
    operands: Values


@dataclass
class Graph:
    """The reachable blocks of a region.

    `components` are in program order, each with its blocks in order; one that is `cyclic` has
    headers, the targets of its back edges. Every run reaches the `certain` blocks.
    """

    edges: dict[ir.Block, list[Edge]] = field(default_factory=dict)
    predecessors: dict[ir.Block, list[ir.Block]] = field(default_factory=dict)
    components: list[list[ir.Block]] = field(default_factory=list)
    headers: set[ir.Block] = field(default_factory=set)
    certain: set[ir.Block] = field(default_factory=set)

    @staticmethod
    def of(region: ir.Region) -> Graph:
        """The graph of a non-empty region."""
        graph = Graph()
        entry = region.blocks[0]
        pending = [entry]
        while pending:
            block = pending.pop()
            if block in graph.edges:
                continue
            graph.edges[block] = edges(terminator(block)) if len(block.operations) else []
            for edge in graph.edges[block]:
                graph.predecessors.setdefault(edge.target, []).append(block)
                pending.append(edge.target)
        order = _reverse_postorder(entry, graph.edges)
        place = {block: number for number, block in enumerate(order)}
        for block, found in graph.edges.items():
            graph.headers.update(e.target for e in found if place[e.target] <= place[block])
        graph.components = [
            sorted(component, key=place.__getitem__)
            for component in components(order, lambda b: [e.target for e in graph.edges[b]])
        ]
        block = entry
        while block not in graph.certain:
            graph.certain.add(block)
            if len(graph.edges[block]) == 1:
                block = graph.edges[block][0].target
        return graph


def _reverse_postorder(entry: ir.Block, found: dict[ir.Block, list[Edge]]) -> list[ir.Block]:
    seen = {entry}
    order: list[ir.Block] = []
    path = [(entry, iter(found[entry]))]
    while path:
        block, rest = path[-1]
        edge = next(rest, None)
        if edge is None:
            order.append(block)
            path.pop()
        elif edge.target not in seen:
            seen.add(edge.target)
            path.append((edge.target, iter(found[edge.target])))
    return order[::-1]


class Regions:
    """Visits regions, and caches the fixed points of their loops."""

    def __init__(self, sweep: SweepState) -> None:
        self.sweep = sweep
        self._graphs: dict[ir.Block, Graph] = {}
        # Whether every region was a function's with a single block.
        self.all_straight = True
        # For the current function: how often each loop was visited, and its last fixed point.
        self.fixed_points: dict[ir.Block, tuple[int, Values]] = {}

    def visit(
        self, region: ir.Region, arguments: Sequence[LatticeValue] | None = None
    ) -> list[Exit]:
        """Visit a region with these arguments, or the declared ones; returns its exits."""
        blocks = region.blocks
        count = len(blocks)
        if not count:
            return []
        if count > 1 or region.owner.name != "func.func":
            self.all_straight = False
        entry = blocks[0]
        if arguments is None:
            arguments = self.declared(entry)
        if count > 1:
            return _Visit(self, self._graph(region), tuple(arguments)).run(region)
        if not self.sweep.enter_block(entry, arguments) or not len(entry.operations):
            return []
        last = terminator(entry)
        return [Exit(last, self.sweep.operands(last))]

    def declared(self, block: ir.Block) -> Values:
        """The declared lattice values of a block's arguments."""
        return tuple(
            [self.sweep.declared.lattice_value(argument.type) for argument in block.arguments]
        )

    def _graph(self, region: ir.Region) -> Graph:
        entry = region.blocks[0]
        graph = self._graphs.get(entry)
        if graph is None:
            graph = self._graphs[entry] = Graph.of(region)
        return graph

    def begin(self, place: ir.Block, fixed_point: FixedPoint) -> None:
        """Start a frequently visited loop from its previous fixed point."""
        count, state = self.fixed_points.get(place, (0, ()))
        if count >= _COLD_VISITS:
            fixed_point.add(state)

    def end(self, place: ir.Block, fixed_point: FixedPoint) -> None:
        """Record the fixed point of a loop."""
        count, _ = self.fixed_points.get(place, (0, ()))
        if fixed_point.state is not None:
            self.fixed_points[place] = (count + 1, fixed_point.state)


class _Visit:
    """One visit of a region of several blocks."""

    def __init__(self, regions: Regions, graph: Graph, arguments: Values) -> None:
        self.regions = regions
        self.sweep = regions.sweep
        self.graph = graph
        self.entry: Values | None = arguments
        self.taken: dict[ir.Block, list[tuple[Edge, Values]]] = {}
        self.arguments: dict[ir.Block, Values] = {}
        self.exits: dict[ir.Block, Exit] = {}

    def run(self, region: ir.Region) -> list[Exit]:
        sweep = self.sweep
        entry = region.blocks[0]
        for component in self.graph.components:
            if len(component) == 1 and component[0] not in self.graph.headers:
                (block,) = component
                found = self.entry if block == entry else self.incoming(block)
                if found is not None:
                    self.visit(block, found, block != entry)
                continue
            self.iterate(component)
            if sweep.writing:
                for block in component:
                    header = block in self.graph.headers
                    found = self.arguments.get(block) if header else self.incoming(block)
                    if found is not None:
                        self.visit(block, found, True)
        if sweep.writing:
            self.write(region)
        return list(self.exits.values())

    def incoming(self, block: ir.Block) -> Values | None:
        """The join of a block's arguments over all incoming branches; None if there is none."""
        found: Values | None = None
        joiner = Joiner(self.sweep.facts)
        kinds = [self.sweep.declared.kind(argument.type) for argument in block.arguments]
        for predecessor in dict.fromkeys(self.graph.predecessors.get(block, ())):
            for edge, lattice_values in self.taken.get(predecessor, ()):
                if edge.target != block:
                    continue
                if found is None:
                    found = lattice_values
                elif found != lattice_values:
                    triples = zip(found, lattice_values, kinds, strict=True)
                    found = tuple(joiner.join(a, b, kind) for a, b, kind in triples)
        return found

    def iterate(self, component: list[ir.Block]) -> None:
        """Visit cyclic blocks until a fixed point is reached."""
        sweep = self.sweep
        headers = {
            block: FixedPoint(sweep, [argument.type for argument in block.arguments])
            for block in component
            if block in self.graph.headers
        }
        for block, fixed_point in headers.items():
            self.regions.begin(block, fixed_point)
        writing, sweep.writing = sweep.writing, False
        try:
            changed = True
            while changed:
                changed = False
                for block in component:
                    found = self.incoming(block)
                    if found is None:
                        continue
                    if block in headers:
                        changed |= headers[block].add(found)
                        found = headers[block].state
                        assert found is not None
                    self.visit(block, found, False)
        finally:
            sweep.writing = writing
        for block, fixed_point in headers.items():
            self.regions.end(block, fixed_point)

    def visit(self, block: ir.Block, arguments: Values, types: bool) -> None:
        """Visit a block, and record its outgoing branches; with `types`, write its arguments'
        types.
        """
        sweep = self.sweep
        pairs = zip(arguments, block.arguments, strict=True)
        arguments = tuple(
            sweep.met(lattice_value, argument.type) for lattice_value, argument in pairs
        )
        self.arguments[block] = arguments
        if types and sweep.refines:
            for lattice_value, argument in zip(arguments, block.arguments, strict=True):
                sweep.writer.set_type(
                    argument, sweep.declared.refined(lattice_value, argument.type)
                )
        certain = sweep.certain
        sweep.certain = certain and block in self.graph.certain
        completes = sweep.enter_block(block, arguments)
        sweep.certain = certain
        self.taken[block] = []
        self.exits.pop(block, None)
        if not completes or not len(block.operations):
            return
        last = terminator(block)
        found = self.graph.edges[block]
        if not found:
            self.exits[block] = Exit(last, sweep.operands(last))
        for edge in _possible(sweep, last, found):
            self.taken[block].append((edge, self.passed(last, edge)))

    def passed(self, last: ir.Operation, edge: Edge) -> Values:
        """The lattice values forwarded by a branch."""
        if edge.operands is None:
            return self.regions.declared(edge.target)
        return tuple([self.sweep.fact(last.operands[index]) for index in edge.operands])

    def write(self, region: ir.Region) -> None:
        """Visit the unreachable blocks, and cast operands of branches to the argument types."""
        sweep = self.sweep
        certain, sweep.certain = sweep.certain, False
        for block in region:
            if block not in self.arguments:
                sweep.enter_block(block, self.regions.declared(block))
        sweep.certain = certain
        for block in region:
            if not len(block.operations):
                continue
            last = terminator(block)
            for edge in edges(last):
                if edge.operands is not None:
                    types = [argument.type for argument in edge.target.arguments]
                    sweep.writer.fit(last, edge.operands.start, types)


def _possible(sweep: SweepState, last: ir.Operation, found: list[Edge]) -> list[Edge]:
    """The feasible branches."""
    if last.name not in ("cf.cond_br", "cf.switch"):
        return found
    decided = sweep.fact(last.operands[0])
    if not isinstance(decided, Scalar):
        return found
    if last.name == "cf.cond_br":
        return [found[0 if decided.value else 1]]
    if type(decided.value) is not int:
        return found
    values: list[int] = []
    if "case_values" in last.attributes:
        values = list(ir.DenseIntElementsAttr(last.attributes["case_values"]))
    return [found[values.index(decided.value) + 1 if decided.value in values else 0]]
