"""Operators that take functions, as the operators that PyTorch's dense implementation calls.

Attention whose scores a function changes (`torch.nn.attention.flex_attention`) is an operator with
graphs as arguments. In eager mode PyTorch computes it with matmuls, a softmax and these functions,
mapped over all scores; a trace of that is a program like any other. It has no gradient on CPUs.

A region that PyTorch compiles once for all of its calls (`torch.compiler.nested_compile_region`) is
an operator with a graph, too. Here its nodes are part of each graph that calls it: kernels that are
the same are compiled once anyway.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter, getitem
from typing import Any

import torch
from torch import Tensor
from torch._dynamo._trace_wrapped_higher_order_op import TransformGetItemToIndex
from torch._higher_order_ops.flex_attention import flex_attention
from torch._higher_order_ops.invoke_subgraph import invoke_subgraph
from torch.func import vmap
from torch.fx import Graph, GraphModule, Node
from torch.fx.node import map_arg
from torch_refine.passes.lowering.exported.inlining import in_all_graphs, rewritten

# What a function takes beside a score: numbers of a batch, a head, a query and a key. Each mapping
# makes one of them a vector, the key first.
_PLACES = (
    (None, None, None, 0),
    (None, None, 0, None),
    (None, 0, None, None),
    (0, None, None, None),
)


def with_dense_attention(module: GraphModule) -> GraphModule:
    """The module with dense attention in place of that with functions; itself if it has none."""

    def inline(node: Node) -> None:
        operands: Any = node.args
        query, key, value, score, blocks, scale, _, *buffers = operands
        # The functions are no operands: a trace takes attributes among these for weights.
        functions = (score, blocks[-1])
        node.target = _DenseAttention(*(getattr(module, str(each.target)) for each in functions))
        node.args = (query, key, value, scale, *buffers)
        for each in functions:
            if not each.users:
                node.graph.erase_node(each)

    changed = rewritten(module, lambda node: node.target is flex_attention, inline)
    if changed is not module:
        changed.recompile()
    return changed


def without_nested_regions(module: GraphModule) -> GraphModule:
    """The module with the nodes of nested regions in place of calls; itself if it has none."""
    return in_all_graphs(module, _with_nodes_of_regions)


def _with_nodes_of_regions(module: GraphModule) -> GraphModule:
    if not any(node.target is invoke_subgraph for node in module.graph.nodes):
        return module
    graph = Graph()
    graph.set_codegen(module.graph._codegen)
    attributes: dict[str, Any] = {}

    def copied(owner: GraphModule, values: dict[Node, Any], prefix: str) -> Any:
        """Copy the nodes of a graph whose inputs have values; the values of its results."""
        given = values.__getitem__
        for node in owner.graph.nodes:
            operands: Any = map_arg(node.args, given)
            if node in values:
                continue
            if node.op == "output":
                return operands[0]
            if node.op in ("get_attr", "call_module"):
                value = attrgetter(str(node.target))(owner)
                name = f"{prefix}{node.target}"
                if isinstance(value, GraphModule) and _are_regions(node.users):
                    values[node] = value, f"{name}."
                    continue
                attributes[name] = value
                values[node] = graph.node_copy(node, given)
                values[node].target = name
            elif node.target is invoke_subgraph:
                (region, inner), _, *taken = operands
                own = [each for each in region.graph.nodes if each.op == "placeholder"]
                values[node] = copied(region, dict(zip(own, taken, strict=True)), inner)
            elif node.target is getitem and isinstance(operands[0], (tuple, list)):
                values[node] = operands[0][operands[1]]
            else:
                values[node] = graph.node_copy(node, given)
        return None

    graph.output(copied(module, {}, ""))
    changed = GraphModule(attributes, graph)
    changed.meta.update(module.meta)
    return changed


def _are_regions(users: Iterable[Node]) -> bool:
    return all(each.target is invoke_subgraph for each in users)


@dataclass(frozen=True)
class _DenseAttention:
    """What PyTorch computes of the operator in eager mode; `score` and `mask` are its functions."""

    score: GraphModule
    mask: GraphModule

    def __call__(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        scale: float,
        of_score: tuple[Any, ...] = (),
        of_mask: tuple[Any, ...] = (),
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The result, and the logarithm to base 2 of the sum, and the maximum, of each row.

        `query` has the shape [batch, heads, queries, width]. `of_score` and `of_mask` are what the
        functions take beside the score and its place.
        """
        computed = torch.float64 if query.dtype == torch.float64 else torch.float32
        shared = query.size(1) // key.size(1)
        batch = query.size(0)
        key, value = (
            each.repeat_interleave(shared, dim=1).expand(batch, -1, -1, -1) for each in (key, value)
        )
        scores = query.to(computed) @ key.to(computed).transpose(-2, -1) * scale
        places = [torch.arange(size, device=query.device) for size in scores.shape]
        # Indices of the functions may be mapped, which Python's indexing does not support.
        with TransformGetItemToIndex():
            is_seen = _mapped(self.mask, (), len(of_mask))(*places, *of_mask)
            changed = _mapped(self.score, (0,), len(of_score))(scores, *places, *of_score)
        scores = torch.where(is_seen, changed, scores.new_full((), -math.inf))
        result = torch._safe_softmax(scores, dim=-1).to(query.dtype) @ value.to(query.dtype)
        return result, scores.logsumexp(-1) / math.log(2), scores.amax(-1) / math.log(2)

    @property
    def __name__(self) -> str:
        """A name for the graph's nodes and code."""
        return "dense_flex_attention"

    def __str__(self) -> str:
        return "the dense implementation of flex_attention"


def _mapped(
    function: Callable[..., Tensor], score: tuple[int, ...], others: int
) -> Callable[..., Tensor]:
    """A function of one score as one of all: of a score, places, and other operands."""
    for places in _PLACES:
        function = vmap(function, in_dims=(*score, *places, *(None,) * others))
    return function
