"""Where control goes from an op, and what its operands become there.

Branches between the blocks of a region, and ops that hold regions: which operand is which block
argument or result.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.calculate_ops import OP_NAMES

# Terminators that give values to the op around them, with the index of the first such operand.
YIELDS = {
    "torch.prim.If.yield": 0,
    "torch.prim.Loop.condition": 1,
    "scf.yield": 0,
    "scf.condition": 1,
}
# Ops whose results are what one of their regions yields.
BRANCHES = {"torch.prim.If", "scf.if", "scf.index_switch", "scf.execute_region"}
# Loops whose last operands are the first values of what they carry, and their results the last.
LOOPS = {"torch.prim.Loop", "scf.for"}

# What a tensor is that anybody passes to a function; the argument's own type may say less.
TYPE_BOUND = "torch.type_bound"

Node = TypeVar("Node", bound=Hashable)


@dataclass(frozen=True)
class Edge:
    """A branch to a block: which operands become its arguments, None if that is not known."""

    target: ir.Block
    operands: range | None


def has_control_flow(module: ir.Operation) -> bool:
    """Whether control goes anywhere but straight on in a module, or values through its slots."""
    for outer in operations(module.regions[0].blocks[0]):
        attributes = outer.attributes
        if "arg_attrs" in attributes and TYPE_BOUND in str(attributes["arg_attrs"]):
            return True
        for op in walk(outer):
            if op.name in ("func.call", "torch.global_slot.get") or len(op.successors):
                return True
            if len(op.regions) and op.name not in OP_NAMES:
                return True
    return False


def walk_reachable(op: ir.Operation) -> Iterator[ir.Operation]:
    """What `walk` gives, without the operations in blocks that nothing leads to."""
    for region in op.regions:
        blocks = list(region)
        if len(blocks) > 1:
            found = components(blocks[:1], lambda block: list(block.successors))
            reached = {block for component in found for block in component}
            blocks = [block for block in blocks if block in reached]
        for block in blocks:
            for inner in operations(block):
                yield inner
                if len(inner.regions):
                    yield from walk_reachable(inner)


def edges(terminator: ir.Operation) -> list[Edge]:
    """The branches that an op ends its block with, one for each successor."""
    targets = list(terminator.successors)
    if not targets:
        return []
    counts = _operand_counts(terminator)
    if counts is None or len(counts) != len(targets) + 1:
        return [Edge(target, None) for target in targets]
    found, start = [], counts[0]
    for target, count in zip(targets, counts[1:], strict=True):
        found.append(Edge(target, range(start, start + count)))
        start += count
    return found


def _operand_counts(op: ir.Operation) -> list[int] | None:
    """How many operands decide where a branch goes, then how many go with each successor."""
    if op.name == "cf.br":
        return [0, len(op.operands)]
    if op.name not in ("cf.cond_br", "cf.switch"):
        return None
    counts = list(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"]))
    if op.name == "cf.switch":
        cases = ir.DenseI32ArrayAttr(op.attributes["case_operand_segments"])
        counts = [*counts[:2], *cases]
    return counts


def destinations(op: ir.Operation, index: int) -> list[ir.Value] | None:
    """The values that an operand is where control goes on; None if it is not passed on as it is."""
    name = op.name
    if name in YIELDS:
        return _yielded(op, name, index - YIELDS[name])
    if name in LOOPS:
        place = index - (len(op.operands) - len(op.results))
        return None if place < 0 else _carried(op, place)
    if name == "scf.while":
        return [op.regions[0].blocks[0].arguments[index]]
    for edge in edges(op):
        if edge.operands is not None and index in edge.operands:
            return [edge.target.arguments[index - edge.operands.start]]
    return None


def _yielded(op: ir.Operation, name: str, place: int) -> list[ir.Value] | None:
    outer = op.parent
    if place < 0 or outer is None:
        return None
    if outer.name in BRANCHES:
        return [outer.results[place]]
    if outer.name in LOOPS:
        return _carried(outer, place)
    if outer.name != "scf.while":
        return None
    before, after = (region.blocks[0] for region in outer.regions)
    if name == "scf.condition":
        return [outer.results[place], after.arguments[place]]
    return [before.arguments[place]]


def _carried(loop: ir.Operation, place: int) -> list[ir.Value]:
    return [loop.results[place], loop.regions[0].blocks[0].arguments[place + 1]]


def components(
    nodes: Iterable[Node], successors: Callable[[Node], Sequence[Node]]
) -> list[list[Node]]:
    """The strongly connected components of a graph, each before those that it leads to.

    Tarjan's algorithm, without recursion: a program may have any number of blocks.
    """
    number: dict[Node, int] = {}
    lowest: dict[Node, int] = {}
    open_nodes: dict[Node, None] = {}
    found: list[list[Node]] = []
    for root in nodes:
        if root in number:
            continue
        number[root] = lowest[root] = len(number)
        open_nodes[root] = None
        path = [(root, iter(successors(root)))]
        while path:
            node, rest = path[-1]
            following = next(rest, None)
            if following is None:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    found.append(_closed(open_nodes, node))
            elif following not in number:
                number[following] = lowest[following] = len(number)
                open_nodes[following] = None
                path.append((following, iter(successors(following))))
            elif following in open_nodes:
                lowest[node] = min(lowest[node], number[following])
    return found[::-1]


def _closed(open_nodes: dict[Node, None], first: Node) -> list[Node]:
    """Take a component, of which `first` was met first, off the open nodes."""
    component: list[Node] = []
    while not component or component[-1] != first:
        component.append(open_nodes.popitem()[0])
    return component[::-1]
