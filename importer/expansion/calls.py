"""The decompositions of calls, each kind of which is traced once."""

from __future__ import annotations

import logging
import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import torch
from torch._dispatch.python import enable_python_dispatcher
from torch._functorch._aot_autograd.functional_utils import has_data_mutation
from torch._ops import OpOverload
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch._subclasses.functional_tensor import (
    FunctionalTensor,
    FunctionalTensorMode,
    dispatch_functionalize,
)
from torch.fx import Graph, Node
from torch.fx import traceback as fx_traceback
from torch.fx.experimental.proxy_tensor import get_proxy_mode, make_fx
from torch.utils import _pytree as pytree
from torch_refine.importer.expansion.composites import Composites
from torch_refine.passes.lowering.exported.inlining import InlinedDecomposition

ALIAS = torch.ops.aten.alias.default

_LOG = logging.getLogger("torch_refine")
_SAYS = torch.ops.aten._assert_tensor_metadata.default
_SYMBOLIC = (torch.SymInt, torch.SymFloat, torch.SymBool)

# The parts of a node's metadata that say where it comes from.
_PLACE = ("stack_trace", "nn_module_stack", "source_fn_stack", "torch_fn", "custom")


class Unusual(Exception):
    """A program that is left to PyTorch, with the reason."""


@dataclass(frozen=True)
class Expansion:
    """The graph of one kind of call.

    `arguments` are the placeholders, in the order of the call's nodes.
    """

    arguments: list[Node]
    body: list[Node]
    result: Any

    def insert(
        self, graph: Graph, node: Node, replaced: Mapping[Node, Any], sizes: dict[str, Node]
    ) -> Any:
        """Add the body to a graph; returns what replaces the results of `node`.

        `sizes` are those that the graph has, by expression, which are not computed again.
        """
        given = [replaced[each] for each in _nodes_of(node)]
        copies = dict(zip(self.arguments, given, strict=True))
        for each in self.body:
            value = each.meta.get("val")
            known = sizes.get(_expression(value))
            if each.target == ALIAS:
                copies[each] = copies[cast(Node, each.args[0])]
            elif known is not None:
                copies[each] = known
            else:
                copied = graph.node_copy(each, copies.__getitem__)
                copied.meta = {**_place_of(node), "val": value}
                copies[each] = copied
                note_size(copied, sizes)
        return pytree.tree_map_only(Node, copies.__getitem__, self.result)


class _Call(NamedTuple):
    """A call, and the function that is to be called, which is that of the node or a variant."""

    node: Node
    target: Callable[..., Any]


@dataclass
class Expansions:
    """Expansions by kind of call."""

    composites: Composites
    mode: FakeTensorMode
    _found: dict[str, Expansion] = field(default_factory=dict)

    def trace_together(self, nodes: Sequence[Node]) -> None:
        """Trace one call of each kind at once, because most of the time of a trace is to begin it.

        Calls that write, or that take sizes that are no numbers, are left for `of`, as all are if a
        decomposition fails, which is then reported.
        """
        kinds: dict[str, Node] = {}
        for node in nodes:
            if not is_mutable(node.target) and _has_numbers_only(node):
                kinds.setdefault(f"{node.target} {_kind(node)}", node)
        calls = [_Call(node, cast("Callable[..., Any]", node.target)) for node in kinds.values()]
        try:
            found = self._trace(calls)
        except Exception as error:
            _LOG.debug("calls are traced one by one: %s: %s", type(error).__name__, error)
            return
        self._found.update(zip(kinds, found, strict=True))

    def of(self, node: Node, target: Callable[..., Any]) -> Expansion:
        """The expansion of a call, if it were of `target`."""
        key = f"{target} {_kind(node)}"
        found = self._found.get(key)
        if found is None:
            [found] = self._trace([_Call(node, target)])
            self._found[key] = found
        return found

    def _trace(self, calls: Sequence[_Call]) -> list[Expansion]:
        """The expansions of calls, all in one trace."""
        # A trace knows values, of which several nodes may have the same.
        values = {
            _identity(each): each.meta["val"] for node, _ in calls for each in _nodes_of(node)
        }
        places = {key: place for place, key in enumerate(values)}
        owners: dict[Node, int] = {}

        def run(*given: Any) -> list[Any]:
            def operand(each: Node) -> Any:
                return given[places[_identity(each)]]

            results = []
            for index, (node, target) in enumerate(calls):
                args, kwargs = pytree.tree_map_only(Node, operand, (node.args, node.kwargs))
                results.append(target(*args, **kwargs))
                if any(_is_written(operand(each)) for each in _nodes_of(node)):
                    # Some write without saying so: the statistics of a batch norm.
                    raise Unusual(f"{target} writes to an operand")
                owners.update(dict.fromkeys(_new_nodes(owners), index))
            return results

        functional = dispatch_functionalize(run, FunctionalTensorMode(export=True))
        traced = make_fx(functional, decomposition_table=self.composites.others)
        with self.mode, enable_python_dispatcher(), _without_libraries():
            graph = traced(*values.values()).graph
        inputs = [each for each in graph.nodes if each.op == "placeholder"]
        (returned,) = (each for each in graph.nodes if each.op == "output")
        bodies = _bodies(graph, owners, len(calls))
        found = []
        for call, body, result in zip(calls, bodies, returned.args[0], strict=True):
            arguments = [inputs[places[_identity(each)]] for each in _nodes_of(call.node)]
            known = {*arguments, *body}
            read = {each for node in body for each in node.all_input_nodes}
            if not known.issuperset(read.union(nodes_in(result))):
                raise Unusual(f"the decomposition of {call.target} reads what it does not take")
            # What a decomposition says about its own values holds.
            kept = [each for each in body if each.target != _SAYS or call.target == _SAYS]
            found.append(Expansion(arguments, kept, result))
        return found


@dataclass
class Expander:
    """Adds calls to a graph, decomposed.

    `replaced` has the new value of each node of the program, a node or nested ones, and `sizes`
    the sizes that the graph has, by expression.
    """

    graph: Graph
    expansions: Expansions
    replaced: dict[Node, Any] = field(default_factory=dict)
    sizes: dict[str, Node] = field(default_factory=dict)

    def replacement(self, node: Node) -> Any:
        """Add a node as it is, decomposed if it calls an operator."""
        if is_element(node) and isinstance(self.replaced[cast(Node, node.args[0])], (list, tuple)):
            operand, place = node.args
            return self.replaced[cast(Node, operand)][place]
        if is_operator(node):
            return self.inserted(node, cast("Callable[..., Any]", node.target))
        copied = self.graph.node_copy(node, self.replaced.__getitem__)
        if node.op == "placeholder":
            # The signature has its name, which may be one of Python's.
            copied.name = node.name
        note_size(copied, self.sizes)
        return copied

    def inserted(self, node: Node, target: Callable[..., Any]) -> Any:
        """Add a call as if it were of `target`."""
        with fx_traceback.set_current_meta(node):
            expansion = self.expansions.of(node, target)
        return expansion.insert(self.graph, node, self.replaced, self.sizes)

    def called(self, at: Node, target: OpOverload, operand: Node, **kwargs: Any) -> Any:
        """Add a call with an operand of the new graph, for the node `at`."""
        scratch = Graph()
        given = scratch.placeholder("operand")
        given.meta["val"] = operand.meta["val"]
        call = scratch.call_function(target, (given,), kwargs)
        call.meta = _place_of(at)
        with fx_traceback.set_current_meta(call):
            expansion = self.expansions.of(call, target)
        return expansion.insert(self.graph, call, {given: operand}, self.sizes)

    def added(self, target: OpOverload, args: tuple[Any, ...], value: Any, at: Node) -> Node:
        """Add a call of an operator that is not decomposed, which has the value `value`."""
        added = self.graph.call_function(target, args)
        added.meta = {**_place_of(at), "val": value}
        return added

    def fake(self, target: OpOverload, *args: Any) -> Any:
        """What an operator returns for tensors without elements."""
        with self.expansions.mode:
            return target(*args)


def _place_of(node: Node) -> dict[str, Any]:
    """The metadata that says where a node comes from."""
    return {key: node.meta[key] for key in _PLACE if key in node.meta}


def is_operator(node: Node) -> bool:
    """Whether a call is of an operator, or of the decomposition of one."""
    return isinstance(node.target, (OpOverload, InlinedDecomposition))


def is_element(node: Node) -> bool:
    """Whether a call takes one of several results."""
    return node.op == "call_function" and node.target is operator.getitem


def _identity(node: Node) -> object:
    """The same for nodes that have the same tensor."""
    value = node.meta.get("val")
    return id(value) if isinstance(value, FakeTensor) else node


def _new_nodes(known: Collection[Node]) -> Iterator[Node]:
    """The last nodes of the trace that runs, as far as they are not known."""
    tracing = get_proxy_mode()
    if tracing is None:
        raise Unusual("nothing records calls")
    for node in reversed(tracing.tracer.graph.nodes):
        if node.op == "placeholder" or node in known:
            return
        yield node


def _bodies(graph: Graph, owners: dict[Node, int], count: int) -> list[list[Node]]:
    """The nodes of each call in a trace; `owners` are those that it added while it ran.

    The others are added at the end, to return what has been written in place.
    """
    bodies: list[list[Node]] = [[] for _ in range(count)]
    for node in graph.nodes:
        if node.op in ("placeholder", "output"):
            continue
        if node.op != "call_function":
            raise Unusual("a decomposition has constants or regions")
        if node not in owners:
            of_inputs = {owners[each] for each in node.all_input_nodes if each in owners}
            if len(of_inputs) != 1 and count > 1:
                raise Unusual("a decomposition reads values of another one")
            owners[node] = of_inputs.pop() if of_inputs else 0
        bodies[owners[node]].append(node)
    return bodies


@contextmanager
def _without_libraries() -> Iterator[None]:
    """A context in which composite operators are not decomposed to those of a library."""
    # The public contexts set all flags of a library, which warns about those of other devices.
    flags = torch._C._get_mkldnn_enabled(), torch._C._get_nnpack_enabled()
    torch._C._set_mkldnn_enabled(False)
    torch._C._set_nnpack_enabled(False)
    try:
        yield
    finally:
        torch._C._set_mkldnn_enabled(flags[0])
        torch._C._set_nnpack_enabled(flags[1])


def _is_written(value: Any) -> bool:
    """Whether an operand of a trace has been written to."""
    return isinstance(value, FunctionalTensor) and has_data_mutation(value)


def note_size(node: Node, sizes: dict[str, Node]) -> None:
    """Remember a node that computes a size."""
    expression = _expression(node.meta.get("val"))
    if expression:
        sizes.setdefault(expression, node)


def _expression(value: Any) -> str:
    """The expression of a size, of whose symbols each has one value; empty for anything else."""
    return str(value.node.expr) if isinstance(value, torch.SymInt) else ""


def _nodes_of(node: Node) -> list[Node]:
    """The nodes that a call takes, each once."""
    return node.all_input_nodes


def _has_numbers_only(node: Node) -> bool:
    """Whether the sizes of all tensors that a call takes are numbers, and it takes only tensors."""
    values = [each.meta.get("val") for each in _nodes_of(node)]
    return all(
        isinstance(each, FakeTensor)
        and not any(
            isinstance(size, _SYMBOLIC)
            for size in (*each.shape, *each.stride(), each.storage_offset())
        )
        for each in values
    )


def _kind(node: Node) -> str:
    """All that the decomposition of a call may depend on."""
    places = {each: place for place, each in enumerate(_nodes_of(node))}
    values = [_described(each.meta.get("val")) for each in places]
    given = pytree.tree_map_only(Node, lambda each: f"%{places[each]}", (node.args, node.kwargs))
    return f"{given} {values}"


def _described(value: Any) -> str:
    if isinstance(value, _SYMBOLIC):
        return f"{type(value).__name__} {value.node.expr}"
    if isinstance(value, (list, tuple)):
        return str([_described(each) for each in value])
    if not isinstance(value, FakeTensor) or value.layout != torch.strided:
        raise Unusual("it has tensors of another class or layout")
    sizes, strides = (list(map(str, each)) for each in (value.shape, value.stride()))
    bits = (value.is_conj(), value.is_neg())
    return f"{value.dtype} {sizes} {strides} {value.storage_offset()} {value.device} {bits}"


def is_mutable(target: Any) -> bool:
    """Whether an operator says that it writes to an operand."""
    return isinstance(target, OpOverload) and target._schema.is_mutable


def nodes_in(value: Any) -> list[Node]:
    """The nodes among nested values."""
    return [each for each in pytree.tree_leaves(value) if isinstance(each, Node)]
