"""The order in which parts of a program run: few parts, each as large as possible."""

from __future__ import annotations

import heapq
from collections.abc import Container, Sequence
from dataclasses import dataclass

from torch.fx import Node
from torch_refine.passes.lowering.exported.inlining import is_control_flow
from torch_refine.runtime.partition.values import (
    has_effects,
    is_element,
    is_size,
)

# Parts with fewer operators take longer to call than PyTorch needs for them.
_LEAST_OPERATORS = 3
_LARGE = ("mm", "bmm", "convolution", "linear", "matmul", "conv", "attention", "lstm", "gru")
_VIEWS = ("view", "permute", "transpose", "reshape", "expand", "squeeze", "slice", "select", "t.")


@dataclass
class Step:
    """Nodes that run together, compiled or in PyTorch."""

    nodes: list[Node]
    compiled: bool


def schedule(nodes: Sequence[Node], eager: Container[Node]) -> list[Step]:
    """The steps of a program whose nodes are in a valid order.

    Nodes with effects keep their order. Nodes that compute sizes are in no step.
    """
    found = [_scheduled(nodes, eager, first) for first in (True, False)]
    return min(found, key=lambda steps: sum(step.compiled for step in steps))


def _scheduled(nodes: Sequence[Node], eager: Container[Node], compiled: bool) -> list[Step]:
    place = {node: index for index, node in enumerate(nodes)}
    waiting: dict[Node, int] = {}
    users: dict[Node, list[Node]] = {}
    last: Node | None = None
    for node in nodes:
        needed = {each for each in node.all_input_nodes if each in place}
        if has_effects(node) and not is_size(node):
            if last is not None:
                needed.add(last)
            last = node
        waiting[node] = len(needed)
        for each in needed:
            users.setdefault(each, []).append(node)
    ready: dict[bool, list[int]] = {True: [], False: []}
    kind: dict[Node, bool] = {}

    def is_compiled(node: Node) -> bool:
        # A result of an operator belongs to it.
        origin = node.all_input_nodes[0] if is_element(node) else node
        return kind.setdefault(node, kind.get(origin, origin not in eager))

    def release(node: Node) -> None:
        pending = [node]
        while pending:
            for user in users.get(pending.pop(), ()):
                waiting[user] -= 1
                if not waiting[user]:
                    push(user, pending)

    def push(node: Node, pending: list[Node]) -> None:
        if is_size(node):
            pending.append(node)
        else:
            heapq.heappush(ready[is_compiled(node)], place[node])

    free: list[Node] = []
    for node in [node for node in nodes if not waiting[node]]:
        push(node, free)
    for node in free:
        release(node)
    steps: list[Step] = []
    while ready[True] or ready[False]:
        if not ready[compiled]:
            compiled = not compiled
        step = Step([], compiled)
        while ready[compiled]:
            node = nodes[heapq.heappop(ready[compiled])]
            step.nodes.append(node)
            release(node)
        steps.append(step)
        compiled = not compiled
    return steps


def is_too_small(nodes: Sequence[Node]) -> bool:
    """Whether PyTorch takes no longer for some operators than a call of compiled code."""
    names = [str(node.target).partition(".")[2] for node in nodes if not is_element(node)]
    work = [name for name in names if not name.startswith(_VIEWS)]
    is_large = any(map(is_control_flow, nodes)) or any(
        large in name for name in work for large in _LARGE
    )
    return len(work) < _LEAST_OPERATORS and not is_large
