"""Parts of an exported program as programs of their own."""

from __future__ import annotations

import copy
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.export.exported_program import ModuleCallEntry, ModuleCallSignature
from torch.export.graph_signature import (
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
    SymIntArgument,
    TensorArgument,
)
from torch.fx import Graph, GraphModule, Node
from torch.utils import _pytree as pytree
from torch_refine.passes.lowering.exported.inlining import graphs_of
from torch_refine.runtime.partition.values import is_broadcast, is_size

_STATE = (InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR)


@dataclass
class Part:
    """Nodes of a program that are compiled together.

    `nodes` are its own, and those that compute sizes it uses, in the program's order; `inputs` are
    the values of other parts and of the caller that it takes, `state` the program's state. Nodes
    that are `repeated` are also in other parts.
    """

    nodes: list[Node]
    inputs: list[Node]
    state: list[Node]
    repeated: frozenset[Node] = frozenset()

    def results(self, needed: Container[Node]) -> list[Node]:
        """The values that it defines and others need."""
        return [
            node
            for node in self.nodes
            if node in needed
            and node not in self.repeated
            and isinstance(node.meta.get("val"), torch.Tensor)
        ]


@dataclass(frozen=True)
class Source:
    """A functional graph that is split: `specs` are those of its state, by placeholder."""

    module: GraphModule
    graph: Graph
    specs: dict[Node, InputSpec]
    tensors: Mapping[str, Any]
    """Parameters and buffers, by the targets of the specs."""
    constants: Mapping[str, Any]
    """Other state, and what else the program refers to."""
    bounds: dict[Any, Any]
    """The range constraints of symbols."""

    @staticmethod
    def of(program: ExportedProgram) -> Source:
        """An exported program."""
        nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
        specs = {
            nodes[spec.arg.name]: spec
            for spec in program.graph_signature.input_specs
            if spec.kind in _STATE and isinstance(spec.arg, TensorArgument)
        }
        return Source(
            program.graph_module,
            program.graph,
            specs,
            program.state_dict,
            program.constants,
            program.range_constraints,
        )

    @staticmethod
    def of_graph(module: GraphModule) -> Source:
        """A functional graph of AOTAutograd, or of a control-flow operator.

        Tensors that it refers to are constants.
        """
        constants: dict[str, Any] = {}
        specs: dict[Node, InputSpec] = {}
        graph = copy.deepcopy(module.graph)
        first = next(node for node in graph.nodes if node.op != "placeholder")
        for node in [node for node in graph.nodes if node.op == "get_attr"]:
            value = getattr(module, str(node.target), None)
            if not isinstance(value, torch.Tensor):
                continue
            with graph.inserting_before(first):
                made = graph.placeholder(node.name)
            made.meta = node.meta
            node.replace_all_uses_with(made)
            graph.erase_node(node)
            constants[made.name] = value
            argument = TensorArgument(made.name)
            specs[made] = InputSpec(InputKind.CONSTANT_TENSOR, argument, made.name)
        environment = next(
            (
                value.node.shape_env
                for node in graph.nodes
                for value in _numbers_of(node.meta.get("val"))
            ),
            None,
        )
        bounds = {} if environment is None else dict(environment.var_to_range)
        return Source(module, graph, specs, {}, constants, bounds)

    @property
    def returned(self) -> list[Any]:
        """What the graph returns: nodes, and constants."""
        (output,) = (node for node in self.graph.nodes if node.op == "output")
        found = output.args[0]
        return list(found) if isinstance(found, (tuple, list)) else [found]

    @property
    def returns_one(self) -> bool:
        """Whether the graph returns a value rather than a tuple."""
        (output,) = (node for node in self.graph.nodes if node.op == "output")
        return isinstance(output.args[0], Node)

    @property
    def inputs(self) -> list[Node]:
        """The placeholders of what is no state."""
        placeholders = (node for node in self.graph.nodes if node.op == "placeholder")
        return [node for node in placeholders if node not in self.specs]

    @property
    def state(self) -> list[Any]:
        """The tensors of the state."""
        names = [str(spec.target) for spec in self.specs.values()]
        return [self.tensors.get(name, self.constants.get(name)) for name in names]


def _numbers_of(value: Any) -> Iterator[Any]:
    """The symbolic numbers of a value: itself, or its sizes."""
    for each in value.shape if isinstance(value, torch.Tensor) else (value,):
        if isinstance(each, torch.SymInt):
            yield each


def part_of(nodes: Sequence[Node], order: dict[Node, int], state: Container[Node]) -> Part:
    """The part with these nodes, and with what it needs of a program's other nodes.

    `order` has the places of the program's nodes.
    """
    own = set(nodes)
    repeated: set[Node] = set()
    inputs: dict[Node, None] = {}
    used: dict[Node, None] = {}
    pending = list(nodes)
    while pending:
        for operand in pending.pop().all_input_nodes:
            if operand in own:
                continue
            if operand in state:
                used[operand] = None
            elif operand.op == "get_attr" or is_size(operand) or is_broadcast(operand):
                repeated.add(operand)
                own.add(operand)
                pending.append(operand)
            else:
                inputs[operand] = None
    in_order = order.__getitem__
    nodes, taken, tensors = (sorted(each, key=in_order) for each in (own, inputs, used))
    return Part(nodes, taken, tensors, frozenset(repeated))


def needs_of(node: Node) -> Iterator[Node]:
    """The tensors that a node needs, also through sizes, and other values."""
    seen: set[Node] = set()
    pending = [node]
    while pending:
        for operand in pending.pop().all_input_nodes:
            if operand not in seen:
                seen.add(operand)
                if is_size(operand):
                    pending.append(operand)
                else:
                    yield operand


def as_program(
    whole: Source,
    part: Part,
    results: Iterable[Node],
    lines: dict[Node, str] | None = None,
    *,
    is_decomposed: bool = False,
) -> ExportedProgram:
    """A part as a program that takes its inputs and returns `results`, as flat tuples.

    `lines` are the stack traces of its nodes, those of the program if not given. Unless the whole
    is decomposed, views become reshapes: a decomposition may return other strides than its
    operator, for which a view is invalid, and the program would be traced again without views.
    """
    graph = Graph()
    copied: dict[Node, Node] = {}
    specs = whole.specs
    inputs = []
    for node in [*part.state, *part.inputs]:
        made = graph.placeholder(node.name)
        made.meta = {key: node.meta[key] for key in ("val", "tensor_meta") if key in node.meta}
        copied[node] = made
        if node in specs:
            spec = copy.copy(specs[node])
            spec.arg = TensorArgument(made.name)
        else:
            kind = TensorArgument if isinstance(node.meta["val"], torch.Tensor) else SymIntArgument
            spec = InputSpec(InputKind.USER_INPUT, kind(made.name), None)
        inputs.append(spec)
    for node in part.nodes:
        made = graph.node_copy(node, copied.__getitem__)
        if made.target is torch.ops.aten.view.default and not is_decomposed:
            made.target = torch.ops.aten.reshape.default
        made.meta = dict(node.meta)
        if lines is not None and node in lines:
            made.meta["stack_trace"] = lines[node]
        copied[node] = made
    returned = [copied[node] for node in results]
    graph.output(tuple(returned))
    outputs = [
        OutputSpec(OutputKind.USER_OUTPUT, TensorArgument(node.name), None) for node in returned
    ]
    signature = ExportGraphSignature(inputs, outputs)
    taken = pytree.tree_structure(((0,) * len(part.inputs), {}))
    given = pytree.tree_structure((0,) * len(returned))
    call = ModuleCallSignature([], [], taken, given, [node.name for node in part.inputs])
    module = GraphModule(whole.module, graph)
    if lines is not None:
        _locate_inside(module)
    return ExportedProgram(
        module,
        graph,
        signature,
        dict(whole.tensors),
        whole.bounds,
        [ModuleCallEntry("", call)],
        constants=dict(whole.constants),
    )


def _locate_inside(module: GraphModule) -> None:
    """Let the nodes of graphs of control flow have the stack traces of what runs them."""
    for node in module.graph.nodes:
        for operand in node.all_input_nodes:
            inner = getattr(module, str(operand.target), None) if operand.op == "get_attr" else None
            if not isinstance(inner, GraphModule):
                continue
            inner = copy.deepcopy(inner)
            for graph in graphs_of(inner):
                for each in graph.graph.nodes:
                    each.meta["stack_trace"] = node.meta.get("stack_trace")
            setattr(module, str(operand.target), inner)
