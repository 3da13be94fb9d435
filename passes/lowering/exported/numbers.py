"""Select scalar overloads for operators whose tensor argument is a number.

PyTorch promotes a number otherwise than a tensor of rank 0, and the dialect has no tensors that are
numbers. This module loads PyTorch; `import_model` loads it on first use.
"""

from __future__ import annotations

from numbers import Number

from torch._ops import OpOverload
from torch.fx import Graph, Node


def select_scalar_overloads(graph: Graph) -> None:
    """Replace operators with numbers for tensors by their scalar overloads.

    `subtract.Tensor(x, 1.0)` becomes `subtract.Scalar(x, 1.0)`, in place; an operator without such
    an overload is kept.
    """
    for node in graph.nodes:
        if node.op == "call_function" and isinstance(node.target, OpOverload):
            overload = _for_numbers(node, node.target)
            if overload is not None:
                node.target = overload


def _for_numbers(node: Node, operator: OpOverload) -> OpOverload | None:
    """The overload for the numbers that a node passes for tensors."""
    given = [
        argument.name
        for argument, value in zip(operator._schema.arguments, node.args, strict=False)
        if str(argument.type) == "Tensor" and isinstance(value, Number)
    ]
    if not given:
        return None
    wanted = {
        each.name: "number" if each.name in given else str(each.type)
        for each in operator._schema.arguments
    }
    packet = operator.overloadpacket
    for name in packet.overloads():
        other: OpOverload = getattr(packet, name)
        found = {each.name: str(each.type) for each in other._schema.arguments}
        if found == wanted:
            return other
    return None
