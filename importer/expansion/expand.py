"""Decompose a program as `ExportedProgram.run_decompositions` does."""

from __future__ import annotations

import copy
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch._ops import OpOverload
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
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
from torch.utils import _pytree as pytree
from torch_refine.importer.expansion.calls import (
    Expander,
    Expansions,
    Unusual,
    is_mutable,
    is_operator,
)
from torch_refine.importer.expansion.composites import composites
from torch_refine.importer.expansion.writes import DETACHED, Writes

_LOG = logging.getLogger("torch_refine")
# Arithmetic on sizes, which is kept as it is.
_SIZES = ("_operator", "math", "torch")

_MUTATIONS = {
    InputKind.USER_INPUT: OutputKind.USER_INPUT_MUTATION,
    InputKind.PARAMETER: OutputKind.PARAMETER_MUTATION,
    InputKind.BUFFER: OutputKind.BUFFER_MUTATION,
}

Table = Mapping[OpOverload, Callable[..., Any]]


def expand(program: ExportedProgram, table: Table) -> ExportedProgram | None:
    """The decomposed program, as `run_decompositions` gives it; the argument is not modified.

    None if the program is to be traced whole: it writes through views that have no inverse, has
    regions or sizes that depend on values, or a decomposition fails, which PyTorch locates. The new
    values of inputs and buffers that it writes to are results, before its own.
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
    divided = composites(table)
    expander = Expander(graph, Expansions(divided, _mode_of(module.graph)))
    replaced = expander.replaced
    writes = Writes(expander, _writable(program))
    # The Python code of a graph is generated when it is run, and these are not.
    with divided.overridden(), fx_traceback.preserve_node_meta(), _use_lazy_graph_module(True):
        expander.expansions.trace_together(
            [node for node in module.graph.nodes if is_operator(node) and node.target != DETACHED]
        )
        for node in module.graph.nodes:
            writes.refresh(node.all_input_nodes)
            if node.target == DETACHED:
                replaced[node] = replaced[node.args[0]]
            elif is_mutable(node.target):
                writes.write(node)
            else:
                replaced[node] = expander.replacement(node)
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
        raise Unusual("it has a result that is no value")
    known = (InputKind.USER_INPUT, InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR)
    if any(spec.kind not in known for spec in signature.input_specs):
        raise Unusual("it has an input that is no tensor or number")
    for node in program.graph.nodes:
        if node.op not in ("placeholder", "call_function", "output"):
            raise Unusual(f"it has {node.op} nodes")
        if node.meta.get("unbacked_bindings"):
            raise Unusual(f"a size depends on the values of {node.name}")
        if node.op != "call_function" or is_operator(node):
            continue
        if getattr(node.target, "__module__", None) not in _SIZES:
            raise Unusual(f"it calls {node.target}")


def _mode_of(graph: Graph) -> FakeTensorMode:
    for node in graph.nodes:
        for value in pytree.tree_leaves(node.meta.get("val")):
            if isinstance(value, FakeTensor):
                return value.fake_mode
    raise Unusual("it has no tensors")
