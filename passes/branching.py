"""Control flow out of an op, and where its operands are forwarded.

Covers branches between the blocks of a region, and ops with regions: which operand becomes which
block argument or result.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.calculate_ops import OP_NAMES

# Terminators that yield values to the parent op, with the index of the first such operand.
YIELDS = {
    "torch.prim.If.yield": 0,
    "torch.prim.Loop.condition": 1,
    "scf.yield": 0,
    "scf.condition": 1,
}
# Ops whose results are those yielded by one of their regions.
BRANCHES = {"torch.prim.If", "scf.if", "scf.index_switch", "scf.execute_region"}
# Loops whose last operands are the initial values of the loop-carried values, and whose results are
# the final ones.
LOOPS = {"torch.prim.Loop", "scf.for"}

# The type of the tensors that callers pass for an argument; the argument's own type may be less
# precise.
TYPE_BOUND = "torch.type_bound"

Node = TypeVar("Node", bound=Hashable)


@dataclass(frozen=True)
class Edge:
    """A branch to a block, with the operands of its arguments, None if unknown."""

    target: ir.Block
    operands: range | None


def has_control_flow(module: ir.Operation) -> bool:
    """Whether a module has control flow other than straight-line code, or global slots."""
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
    """Like `walk`, without the operations in unreachable blocks."""
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
    """The branches of a terminator, one per successor."""
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
    """The number of operands that control a branch, then of those forwarded to each successor."""
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
    """The values that an operand is forwarded to; None if it is not forwarded unchanged."""
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
    """The strongly connected components of a graph, each before its successors.

    Tarjan's algorithm, without recursion, as a program may have any number of blocks.
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
    """Pop the component whose first visited node is `first` off the stack of open nodes."""
    component: list[Node] = []
    while not component or component[-1] != first:
        component.append(open_nodes.popitem()[0])
    return component[::-1]
