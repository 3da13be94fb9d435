"""Inline decompositions of operators that PyTorch does not decompose by tables.

PyTorch has Python functions for some (`OpOverload.py_kernels`): some run as soon as the operator is
called; otherwise the operator is kept. And it treats operators with a composite implementation as
composites, which those that also have a kernel are not. Views that are not ATen's it rejects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from torch._C import DispatchKey
from torch._ops import OpOverload
from torch.fx import Graph, GraphModule, Node

Decomposition = Callable[..., Any]
_CONTROL_FLOW = ("cond", "while_loop", "scan", "map_impl")


def inline_decompositions(
    module: GraphModule, table: Mapping[OpOverload, Decomposition]
) -> GraphModule:
    """The module with decompositions in place of calls of such operators; itself if it has none."""

    def is_replaced(target: Any) -> bool:
        return (
            isinstance(target, OpOverload)
            and target in table
            and (DispatchKey.Autograd in target.py_kernels or _is_both(target) or _is_view(target))
        )

    def inline(node: Node) -> None:
        operator: Any = node.target
        node.target = InlinedDecomposition(operator, table[operator])

    return rewritten(module, lambda node: is_replaced(node.target), inline)


def inline_multiply_adds(module: GraphModule) -> GraphModule:
    """The module with a product and a sum in place of `prims::fma`; itself if it has none.

    Dynamo writes that operator for `addcmul_` and `addcdiv_` with a value, which steps of
    optimizers are made of; its kernel rounds the product. PyTorch defines it with inductor, so that
    no table of decompositions has it.
    """

    def inline(node: Node) -> None:
        operator: Any = node.target
        node.target = InlinedDecomposition(operator, _multiplied_and_added)

    return rewritten(module, lambda node: str(node.target) == "prims.fma.default", inline)


def _multiplied_and_added(first: Any, second: Any, third: Any) -> Any:
    return first * second + third


def is_control_flow(node: Node) -> bool:
    """Whether a node runs graphs; its last argument is the last operands of all of them."""
    return str(node.target) in _CONTROL_FLOW


def graphs_of(module: GraphModule) -> list[GraphModule]:
    """A module, and those of the graphs of its control flow."""
    return [each for each in module.modules() if isinstance(each, GraphModule)]


def in_all_graphs(module: GraphModule, change: Callable[[GraphModule], GraphModule]) -> GraphModule:
    """A copy of the module whose graphs are changed, also those of its control flow.

    The module itself, if nothing changes.
    """
    changed = change(module)
    for name, child in module.named_children():
        if not isinstance(child, GraphModule) or not hasattr(changed, name):
            continue
        other = in_all_graphs(child, change)
        if other is not child:
            changed = _copied(module, lambda _: None) if changed is module else changed
            setattr(changed, name, other)
    return changed


def rewritten(
    module: GraphModule, is_changed: Callable[[Node], bool], change: Callable[[Node], None]
) -> GraphModule:
    """A copy of the module with some nodes changed; itself if there are none."""
    if not any(map(is_changed, module.graph.nodes)):
        return module
    return _copied(module, lambda node: change(node) if is_changed(node) else None)


def _copied(module: GraphModule, change: Callable[[Node], None]) -> GraphModule:
    """A copy of the module, with a change of each of its nodes."""
    graph = Graph()
    graph.set_codegen(module.graph._codegen)
    copies: dict[Any, Any] = {}
    for node in module.graph.nodes:
        copies[node] = graph.node_copy(node, copies.__getitem__)
        # The signature has its name, which may be one of Python's.
        copies[node].name = node.name
        change(copies[node])
    changed = GraphModule(module, graph)
    changed.meta.update(module.meta)
    return changed


def _is_both(operator: OpOverload) -> bool:
    """Whether an operator has a kernel, and a composite implementation for other devices."""
    keys = (DispatchKey.CPU, DispatchKey.CompositeImplicitAutograd)
    return all(map(operator.has_kernel_for_dispatch_key, keys))


def _is_view(operator: OpOverload) -> bool:
    """Whether an operator that is not ATen's returns a view of an argument."""
    returned = any(each.alias_info is not None for each in operator._schema.returns)
    return returned and operator.namespace != "aten"


@dataclass(frozen=True)
class InlinedDecomposition:
    """The decomposition of an operator, which is the operator itself for other arguments."""

    operator: OpOverload
    decomposition: Decomposition

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the operator returns."""
        found = self.decomposition(*args, **kwargs)
        return self.operator(*args, **kwargs) if found is NotImplemented else found

    @property
    def __name__(self) -> str:
        """A name for the graph's nodes and code."""
        return self.operator.__name__.replace(".", "_")

    def __str__(self) -> str:
        return f"the decomposition of {self.operator}"
