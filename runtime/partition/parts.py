"""Split a graph into parts that are compiled, and operators that PyTorch runs; connect them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import attrgetter
from typing import Any

import torch
from torch.fx import Graph, GraphModule, Node
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.locations import node_source
from torch_refine.importer.python_state.reads import Reads
from torch_refine.passes.lowering.exported.inlining import is_control_flow
from torch_refine.runtime.compiled_module import CompiledModule
from torch_refine.runtime.compiling import progress
from torch_refine.runtime.compiling.compiler import CompileError, Options
from torch_refine.runtime.partition.discovery import Refusals
from torch_refine.runtime.partition.schedule import Step, is_too_small, schedule
from torch_refine.runtime.partition.subprograms import Part, Source, as_program, needs_of, part_of
from torch_refine.runtime.partition.timed import CompiledPart, EagerOperator
from torch_refine.runtime.partition.values import (
    is_check,
    is_communication,
    is_element,
    is_size,
)
from torch_refine.runtime.torch_models.model_weights import LiveModel
from torch_refine.runtime.torch_models.models import compile_program

_log = logging.getLogger("torch_refine")
# What was found to compile with other operators may not without them.
_ROUNDS = 8


@dataclass
class _Piece:
    """A step of a program; with a part, and its results, if it is compiled."""

    step: Step
    part: Part | None
    results: list[Node] = field(default_factory=list)
    compiled: CompiledModule | None = None


class _Branch(torch.nn.Module):
    """A compiled graph of a control-flow operator."""

    def __init__(self, run: Callable[..., Any], returns_one: bool) -> None:
        super().__init__()
        self._run, self._returns_one = run, returns_one

    def forward(self, *operands: Any) -> Any:
        """Run the graph."""
        found = self._run(*operands)
        return found[0] if self._returns_one else found


class Parts:
    """The compiled parts of a graph, and the operators between them."""

    def __init__(
        self,
        source: Source,
        refusals: Refusals,
        pieces: Sequence[_Piece],
        branches: Mapping[str, Parts] | None = None,
    ) -> None:
        """`branches` are the compiled graphs of control-flow operators, by attribute."""
        self.source = source
        self._branches = dict(branches or {})
        self.parts: list[CompiledPart] = []
        self.inner: list[CompiledPart] = []
        """The parts of graphs of control-flow operators."""
        self.operators: list[EagerOperator] = []
        self._refusals = refusals
        self._pieces = pieces

    @staticmethod
    def of(
        source: Source,
        options: Options,
        model: LiveModel | None = None,
        *,
        tried: bool = False,
    ) -> Parts:
        """Find what compiles, and compile it; `tried` if the whole is known not to.

        Raises CompileError.
        """
        refusals = Refusals(source, options)
        if not tried and not refusals.reasons:
            pieces = _pieces(source, refusals)
            if _compile(source, pieces, options, model) is None:
                return Parts(source, refusals, pieces)
        progress.stage("finding what compiles")
        refusals.find()
        for _ in range(_ROUNDS):
            pieces = _pieces(source, refusals)
            failed = _compile(source, pieces, options, model)
            if failed is None:
                return Parts(source, refusals, pieces, _branches(source, pieces, options))
            step, problem = failed
            before = len(refusals.reasons)
            refusals.find_in(step.nodes)
            if len(refusals.reasons) == before:
                refusals.refuse(step.nodes, problem)
        refusals.refuse(refusals.nodes, "parts of the program compile only with other parts")
        return Parts(source, refusals, _pieces(source, refusals))

    def connected(self, inputs: Iterable[Node], results: Sequence[Any]) -> Callable[..., Any]:
        """A function from the states of the parts, the state and the inputs to the results."""
        graph = Graph()
        made: dict[Node, Node] = {}
        branches = {
            name: _Branch(branch.alone(), branch.source.returns_one)
            for name, branch in self._branches.items()
        }
        for branch in self._branches.values():
            self.inner += [*branch.parts, *branch.inner]
            self.operators += branch.operators
        states = graph.placeholder("states_of_parts")
        for node in (*self.source.specs, *inputs):
            made[node] = graph.placeholder(node.name)

        def evaluated(node: Node) -> Node:
            """A value; sizes are computed where they are first used."""
            pending = [node]
            while pending:
                each = pending[-1]
                missing = [other for other in each.all_input_nodes if other not in made]
                if each in made:
                    pending.pop()
                elif missing:
                    pending += missing
                else:
                    assert is_size(each) or each.op == "get_attr", f"{each} is not computed"
                    made[pending.pop()] = graph.node_copy(each, made.__getitem__)
            return made[node]

        for piece in self._pieces:
            if piece.part is not None and piece.compiled is not None:
                count = sum(_is_operator(node) for node in piece.step.nodes)
                part = CompiledPart(piece.compiled, len(self.parts), count)
                self.parts.append(part)
                given = (states, *map(evaluated, piece.part.inputs))
                called = graph.call_function(part, given)
                for place, result in enumerate(piece.results):
                    made[result] = graph.call_function(_item, (called, place))
                continue
            for node in piece.step.nodes:
                for operand in node.all_input_nodes:
                    evaluated(operand)
                made[node] = graph.node_copy(node, made.__getitem__)
                if _is_operator(node):
                    made[node].target = self._eager(node)
        graph.output(
            tuple([evaluated(each) if isinstance(each, Node) else each for each in results])
        )
        attributes: dict[str, Any] = {
            name: attrgetter(name)(self.source.module)
            for name in (str(node.target) for node in graph.nodes if node.op == "get_attr")
        }
        forward: Callable[..., Any] = GraphModule(attributes | branches, graph).forward
        return forward

    def alone(self) -> Callable[..., Any]:
        """A function from the graph's inputs to its results, with its own state."""
        run = self.connected(self.source.inputs, self.source.returned)
        states = [part.program.state for part in self.parts]
        return partial(run, states, *self.source.state)

    def _eager(self, node: Node) -> EagerOperator:
        """What runs a node in PyTorch."""
        reason = self._refusals.reasons.get(node, "a call of compiled code would take longer")
        graphs = [str(each.target) for each in node.all_input_nodes if each.op == "get_attr"]
        inner = [
            part
            for branch in map(self._branches.get, graphs)
            for part in (() if branch is None else (*branch.parts, *branch.inner))
        ]
        found = EagerOperator(node.target, reason, node_source(node), inner, is_communication(node))
        self.operators.append(found)
        return found


def _pieces(source: Source, refusals: Refusals) -> list[_Piece]:
    pieces = []
    for step in schedule(refusals.nodes, refusals):
        is_part = step.compiled and not (refusals.reasons and is_too_small(step.nodes))
        part = part_of(step.nodes, refusals.order, source.specs) if is_part else None
        pieces.append(_Piece(step, part))
    needs = [
        {*piece.part.inputs, *piece.part.state}
        if piece.part is not None
        else {each for node in piece.step.nodes for each in needs_of(node)}
        for piece in pieces
    ]
    final = {
        need for node in source.returned if isinstance(node, Node) for need in _needed_for(node)
    }
    for place, piece in enumerate(pieces):
        others = (each for other, each in enumerate(needs) if other != place)
        if piece.part is not None:
            piece.results = piece.part.results(final.union(*others))
    return pieces


def _needed_for(node: Node) -> set[Node]:
    """A result, or what it is computed from if it is a size."""
    return {node, *needs_of(node)} if is_size(node) else {node}


def _compile(
    source: Source, pieces: Sequence[_Piece], options: Options, model: LiveModel | None
) -> tuple[Step, str] | None:
    """Compile all parts; the step of the first one that fails, and why."""
    parts = [piece for piece in pieces if piece.part is not None]
    # What the whole program was compiled from is checked once.
    model = None if model is None else replace(model, reads=Reads())
    for place, piece in enumerate(parts):
        progress.stage(f"compiling part {place + 1} of {len(parts)}")
        assert piece.part is not None
        program = as_program(source, piece.part, piece.results)
        try:
            piece.compiled = compile_program(program, options, model, guards=())
        except (CompileError, ImportModelError) as error:
            return piece.step, str(error)
    return None


def _branches(source: Source, pieces: Sequence[_Piece], options: Options) -> dict[str, Parts]:
    """The graphs of the control-flow operators that PyTorch runs, compiled if that is worth it."""
    found = {}
    for piece in pieces:
        for node in piece.step.nodes if piece.part is None else ():
            for operand in node.all_input_nodes if is_control_flow(node) else ():
                if operand.op != "get_attr":
                    continue
                name = str(operand.target)
                inner = Source.of_graph(attrgetter(name)(source.module))
                nodes = [each for each in inner.graph.nodes if each.op == "call_function"]
                if is_too_small([each for each in nodes if not is_size(each)]):
                    continue
                try:
                    found[name] = Parts.of(inner, options)
                except (CompileError, ImportModelError) as error:
                    _log.debug("a graph of %s is not compiled: %s", node.target, error)
    return found


def _is_operator(node: Node) -> bool:
    return not is_element(node) and not is_check(node)


def _item(values: Any, index: int) -> Any:
    """One of the results of a part."""
    return values[index]
