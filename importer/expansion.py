"""Decompose the operators of a program, each kind of call once.

`ExportedProgram.run_decompositions` traces a whole program, several times. Here each call is traced
by itself, by the same parts of PyTorch, and calls that differ only in the values of their tensors
share a trace: the twelve layers of a model cost one.

This module loads PyTorch.
"""

from __future__ import annotations

import copy
import logging
import operator
from collections import Counter
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
from torch.export import ExportedProgram
from torch.export.graph_signature import (
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
    TensorArgument,
)
from torch.fx import Graph, Node
from torch.fx import traceback as fx_traceback
from torch.fx._lazy_graph_module import _make_graph_module, _use_lazy_graph_module
from torch.fx.experimental.proxy_tensor import get_proxy_mode, make_fx
from torch.utils import _pytree as pytree
from torch_refine.importer.composites import Composites, composites
from torch_refine.passes.lowering.exported.inlining import InlinedDecomposition

_LOG = logging.getLogger("torch_refine")
_COMPOSITE = torch._C.DispatchKey.CompositeImplicitAutograd
# Arithmetic on sizes, which is kept as it is.
_SIZES = ("_operator", "math", "torch")
_ALIAS = torch.ops.aten.alias.default
# Without gradients it changes nothing.
_DETACHED = torch.ops.aten.detach_.default
_SAYS = torch.ops.aten._assert_tensor_metadata.default
_SYMBOLIC = (torch.SymInt, torch.SymFloat, torch.SymBool)

# Composite operators always return new tensors, or not; only these are known to.
_NEW = ("batch_norm", "conv1d", "conv2d", "conv3d", "group_norm", "layer_norm", "linear", "matmul")
# Operators that return views without saying so.
_VIEWS = ("_unsafe_view", "_reshape_alias")

_MUTATIONS = {
    InputKind.USER_INPUT: OutputKind.USER_INPUT_MUTATION,
    InputKind.PARAMETER: OutputKind.PARAMETER_MUTATION,
    InputKind.BUFFER: OutputKind.BUFFER_MUTATION,
}

# The parts of a node's metadata that say where it comes from.
_PLACE = ("stack_trace", "nn_module_stack", "source_fn_stack", "torch_fn", "custom")

Table = Mapping[OpOverload, Callable[..., Any]]


class _Unusual(Exception):
    """A program that is left to PyTorch, with the reason."""


def expand(program: ExportedProgram, table: Table) -> ExportedProgram | None:
    """The decomposed program, as `run_decompositions` gives it; the argument is not modified.

    None if the program is to be traced whole: it writes to what has views, has regions or sizes
    that depend on values, or a decomposition fails, which PyTorch locates. The new values of inputs
    and buffers that it writes to are results, before its own.
    """
    try:
        return _expanded(program, table)
    except Exception as error:
        _LOG.debug("the program is traced whole: %s: %s", type(error).__name__, error)
        return None


def _expanded(program: ExportedProgram, table: Table) -> ExportedProgram:
    _check(program)
    module = program.graph_module
    graph = Graph()
    graph.set_codegen(copy.copy(module.graph._codegen))
    replaced: dict[Node, Any] = {}
    sizes: dict[str, Node] = {}
    divided = composites(table)
    expansions = _Expansions(divided, _mode_of(module.graph))
    writes = _Writes(_writable(program))
    # The Python code of a graph is generated when it is run, and these are not.
    with divided.overridden(), fx_traceback.preserve_node_meta(), _use_lazy_graph_module(True):
        expansions.trace_together(
            [node for node in module.graph.nodes if _is_operator(node) and node.target != _DETACHED]
        )
        for node in module.graph.nodes:
            if _is_element(node) and isinstance(replaced[node.args[0]], (list, tuple)):
                replaced[node] = replaced[node.args[0]][node.args[1]]
            elif node.target == _DETACHED:
                replaced[node] = replaced[node.args[0]]
            elif _is_operator(node):
                target = writes.functional(node)
                with fx_traceback.set_current_meta(node):
                    expansion = expansions.of(node, target)
                result = expansion.insert(graph, node, replaced, sizes)
                for each in writes.written_by(node):
                    replaced[each] = result
                replaced[node] = result
            else:
                replaced[node] = graph.node_copy(node, replaced.__getitem__)
                if node.op == "placeholder":
                    # The signature has its name, which may be one of Python's.
                    replaced[node].name = node.name
                _note_size(replaced[node], sizes)
            writes.note(node)
        (before,) = (node for node in module.graph.nodes if node.op == "output")
        (after,) = (node for node in graph.nodes if node.op == "output")
        written = writes.inputs()
        after.args = ((*(replaced[node] for node in written), *after.args[0]),)
        graph.eliminate_dead_code()
        expanded = copy.copy(program)
        expanded._graph_module = _make_graph_module(module, graph)
    expanded._graph_module.meta.update(module.meta)
    signature = copy.deepcopy(program.graph_signature)
    for spec, old, new in zip(
        signature.output_specs, before.args[0], after.args[0][len(written) :], strict=True
    ):
        if isinstance(old, Node):
            spec.arg.name = new.name
    inputs = {spec.arg.name: spec for spec in signature.input_specs}
    signature.output_specs[:0] = [
        _new_value(inputs[old.name], new) for old, new in zip(written, after.args[0], strict=False)
    ]
    expanded._graph_signature = signature
    return expanded


def _new_value(written: InputSpec, value: Node) -> OutputSpec:
    """The result that is the new value of an input, a buffer or a parameter."""
    kind = _MUTATIONS[written.kind]
    name = written.arg.name if kind == OutputKind.USER_INPUT_MUTATION else written.target
    return OutputSpec(kind, TensorArgument(value.name), name)


def _writable(program: ExportedProgram) -> set[str]:
    """The placeholders that may be written to: of state, those that share no memory with other."""
    owners: Counter[int] = Counter()
    state: dict[str, int] = {}
    for spec in program.graph_signature.input_specs:
        held = program.state_dict.get(spec.target, program.constants.get(spec.target))
        if isinstance(held, torch.Tensor):
            state[spec.arg.name] = held.untyped_storage()._cdata
            owners[state[spec.arg.name]] += 1
    return {
        spec.arg.name
        for spec in program.graph_signature.input_specs
        if spec.kind == InputKind.USER_INPUT
        or (spec.kind in _MUTATIONS and owners[state.get(spec.arg.name, 0)] == 1)
    }


def _check(program: ExportedProgram) -> None:
    signature = program.graph_signature
    kinds = (OutputKind.USER_OUTPUT, *_MUTATIONS.values())
    if any(spec.kind not in kinds for spec in signature.output_specs):
        raise _Unusual("it has a result that is no value")
    known = (InputKind.USER_INPUT, InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR)
    if any(spec.kind not in known for spec in signature.input_specs):
        raise _Unusual("it has an input that is no tensor or number")
    for node in program.graph.nodes:
        if node.op not in ("placeholder", "call_function", "output"):
            raise _Unusual(f"it has {node.op} nodes")
        if node.meta.get("unbacked_bindings"):
            raise _Unusual(f"a size depends on the values of {node.name}")
        if node.op != "call_function" or _is_operator(node):
            continue
        if getattr(node.target, "__module__", None) not in _SIZES:
            raise _Unusual(f"it calls {node.target}")


def _mode_of(graph: Graph) -> FakeTensorMode:
    for node in graph.nodes:
        for value in pytree.tree_leaves(node.meta.get("val")):
            if isinstance(value, FakeTensor):
                return value.fake_mode
    raise _Unusual("it has no tensors")


def _is_operator(node: Node) -> bool:
    """Whether a call is of an operator, or of the decomposition of one."""
    return isinstance(node.target, (OpOverload, InlinedDecomposition))


def _is_element(node: Node) -> bool:
    return node.op == "call_function" and node.target is operator.getitem


class _Writes:
    """In-place operators on tensors that nothing else sees, which are functional operators.

    The tensor must be an operator's new result, or one of the inputs that are named, and no view of
    it may exist when it is written.
    """

    def __init__(self, writable: Collection[str]) -> None:
        # The values that are one tensor, by each of them, and those that may have other views.
        self._same: dict[Node, list[Node]] = {}
        self._seen: set[Node] = set()
        self._writable = writable
        self._inputs: list[Node] = []
        self._written: set[Node] = set()

    def inputs(self) -> list[Node]:
        """The inputs that have been written to."""
        return [node for node in self._inputs if node in self._written]

    def functional(self, node: Node) -> Callable[..., Any]:
        """The operator without a write; raises _Unusual."""
        target: Any = node.target
        if not _is_mutable(target):
            return cast("Callable[..., Any]", target)
        written = node.args[0] if node.args else None
        packet = getattr(torch.ops.aten, target.overloadpacket.__name__.removesuffix("_"), None)
        found = getattr(packet, target._overloadname, None)
        if (
            not isinstance(written, Node)
            or written not in self._same
            or any(each in self._seen for each in self._same[written])
            or any(written in _nodes_in(each) for each in (node.args[1:], node.kwargs))
            or not isinstance(found, OpOverload)
            or not _is_variant(target, found)
            # An operator that only returns a view changes how its operand is laid out.
            or any(each.alias_info is not None for each in found._schema.returns)
        ):
            raise _Unusual(f"{target} writes in place")
        return found

    def written_by(self, node: Node) -> list[Node]:
        """The values that an operator changes."""
        if not _is_mutable(node.target):
            return []
        same = self._same[cast(Node, node.args[0])]
        self._written.add(same[0])
        same.append(node)
        self._same[node] = same
        return same

    def note(self, node: Node) -> None:
        """Called after each node."""
        if node in self._same:
            return
        if node.op == "placeholder":
            if node.name in self._writable and isinstance(node.meta.get("val"), FakeTensor):
                self._inputs.append(node)
                self._same[node] = [node]
            return
        operand = cast(Node, node.args[0]) if node.target in (_ALIAS, _DETACHED) else None
        if operand in self._same:
            same = self._same[operand]
            same.append(node)
            self._same[node] = same
        elif _returns_new(node):
            self._same[node] = [node]
        elif node.op != "call_function" or not _only_reads(node):
            self._seen.update(node.all_input_nodes)


def _is_mutable(target: Any) -> bool:
    return isinstance(target, OpOverload) and target._schema.is_mutable


def _is_variant(target: OpOverload, functional: OpOverload) -> bool:
    """Whether an operator writes to its first operand the result of another one."""
    schemas = target._schema, functional._schema
    if functional._schema.is_mutable or target.namespace != "aten":
        return False
    in_place, plain = (
        [(each.name, str(each.type), each.default_value) for each in schema.arguments]
        for schema in schemas
    )
    writes = [
        each.alias_info is not None and each.alias_info.is_write
        for each in target._schema.arguments
    ]
    return in_place == plain and writes == [True] + [False] * (len(writes) - 1)


def _returns_new(node: Node) -> bool:
    """Whether the result of a call is one new tensor, which is no view."""
    target = node.target
    return (
        isinstance(target, OpOverload)
        and isinstance(node.meta.get("val"), FakeTensor)
        and _only_reads(node)
    )


def _only_reads(node: Node) -> bool:
    """Whether the results of a call are no views of its operands."""
    target = node.target
    if not isinstance(target, OpOverload):
        return False
    name = target.overloadpacket.__name__
    return (
        all(each.alias_info is None for each in target._schema.returns)
        and (not target.has_kernel_for_dispatch_key(_COMPOSITE) or name in _NEW)
        and name not in _VIEWS
    )


def _nodes_in(value: Any) -> list[Node]:
    return [each for each in pytree.tree_leaves(value) if isinstance(each, Node)]


@dataclass(frozen=True)
class _Expansion:
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
            if each.target == _ALIAS:
                copies[each] = copies[cast(Node, each.args[0])]
            elif known is not None:
                copies[each] = known
            else:
                copied = graph.node_copy(each, copies.__getitem__)
                copied.meta = {key: node.meta[key] for key in _PLACE if key in node.meta}
                copied.meta["val"] = value
                copies[each] = copied
                _note_size(copied, sizes)
        return pytree.tree_map_only(Node, copies.__getitem__, self.result)


class _Call(NamedTuple):
    """A call, and the function that is to be called, which is that of the node or a variant."""

    node: Node
    target: Callable[..., Any]


@dataclass
class _Expansions:
    """Expansions by kind of call."""

    composites: Composites
    mode: FakeTensorMode
    _found: dict[str, _Expansion] = field(default_factory=dict)

    def trace_together(self, nodes: Sequence[Node]) -> None:
        """Trace one call of each kind at once, because most of the time of a trace is to begin it.

        Calls that write, or that take sizes that are no numbers, are left for `of`, as all are if a
        decomposition fails, which is then reported.
        """
        kinds: dict[str, Node] = {}
        for node in nodes:
            if not _is_mutable(node.target) and _has_numbers_only(node):
                kinds.setdefault(f"{node.target} {_kind(node)}", node)
        calls = [_Call(node, cast("Callable[..., Any]", node.target)) for node in kinds.values()]
        try:
            found = self._trace(calls)
        except Exception as error:
            _LOG.debug("calls are traced one by one: %s: %s", type(error).__name__, error)
            return
        self._found.update(zip(kinds, found, strict=True))

    def of(self, node: Node, target: Callable[..., Any]) -> _Expansion:
        """The expansion of a call, if it were of `target`."""
        key = f"{target} {_kind(node)}"
        found = self._found.get(key)
        if found is None:
            [found] = self._trace([_Call(node, target)])
            self._found[key] = found
        return found

    def _trace(self, calls: Sequence[_Call]) -> list[_Expansion]:
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
                    raise _Unusual(f"{target} writes to an operand")
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
            if not known.issuperset(read.union(_nodes_in(result))):
                raise _Unusual(f"the decomposition of {call.target} reads what it does not take")
            if call.target != call.node.target and _types(result) != _types(call.node):
                raise _Unusual(f"{call.node.target} casts its result")
            # What a decomposition says about its own values holds.
            kept = [each for each in body if each.target != _SAYS or call.target == _SAYS]
            found.append(_Expansion(arguments, kept, result))
        return found


def _identity(node: Node) -> object:
    """The same for nodes that have the same tensor."""
    value = node.meta.get("val")
    return id(value) if isinstance(value, FakeTensor) else node


def _new_nodes(known: Collection[Node]) -> Iterator[Node]:
    """The last nodes of the trace that runs, as far as they are not known."""
    tracing = get_proxy_mode()
    if tracing is None:
        raise _Unusual("nothing records calls")
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
            raise _Unusual("a decomposition has constants or regions")
        if node not in owners:
            of_inputs = {owners[each] for each in node.all_input_nodes if each in owners}
            if len(of_inputs) != 1 and count > 1:
                raise _Unusual("a decomposition reads values of another one")
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


def _types(value: Any) -> list[Any]:
    found = [each.meta.get("val") for each in _nodes_in(value)]
    return [(each.dtype, each.shape) for each in found if isinstance(each, torch.Tensor)]


def _note_size(node: Node, sizes: dict[str, Node]) -> None:
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
        raise _Unusual("it has tensors of another class or layout")
    sizes, strides = (list(map(str, each)) for each in (value.shape, value.stride()))
    bits = (value.is_conj(), value.is_neg())
    return f"{value.dtype} {sizes} {strides} {value.storage_offset()} {value.device} {bits}"
