"""Find the operators of a program that cannot be compiled."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch.export import ExportedProgram
from torch.fx import Node
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.lowering import import_decomposed, import_for_lowering
from torch_refine.passes.lowering.exported.inlining import is_control_flow
from torch_refine.passes.lowering.exported.memory_layout import reads_memory, views_of
from torch_refine.runtime.compiled_module import bytecode_of
from torch_refine.runtime.compiling.compiler import CompileError, Options, why_not_compiled
from torch_refine.runtime.partition.decomposed import Decomposed
from torch_refine.runtime.partition.subprograms import Source, as_program, needs_of, part_of
from torch_refine.runtime.partition.values import (
    elements_of,
    is_check,
    is_communication,
    is_element,
    is_size,
    reads_number,
    why_not_passed,
)

# The file that nodes of a program are located in while it is tried, each in a line of its own.
_FILE = "torch_refine.partition"
_LINE = re.compile(rf"{re.escape(_FILE)}\W+(?:line )?(\d+)")
_ERROR = ": error: "
# Trying ends after this many programs, or seconds: what is not known to compile does not.
_MOST_TRIALS, _MOST_SECONDS = 60, 600
# All operators without a lowering are known after this stage.
_LOWERED = "linalg"


@dataclass(frozen=True)
class _Problem:
    """Why nodes do not compile, and whether importing them fails."""

    text: str
    at_import: bool


@dataclass
class Refusals:
    """The nodes of a program that PyTorch runs, with the reasons.

    `reasons` has an operator's node, not those of its results.
    """

    source: Source
    options: Options
    reasons: dict[Node, str] = field(default_factory=dict)
    _trials: int = field(default=0, init=False)
    _decomposed: Decomposed | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        graph = self.source.graph
        self.nodes = [node for node in graph.nodes if node.op == "call_function"]
        self.order = {node: place for place, node in enumerate(graph.nodes)}
        self._lines = {
            node: f'  File "{_FILE}", line {place + 1}, in forward\n    {node.name}\n'
            for node, place in self.order.items()
        }
        self._by_line = {place + 1: node for node, place in self.order.items()}
        self._start = time.monotonic()
        for node in self.nodes:
            reason = self._why_not_tried(node)
            if reason is not None:
                self.reasons[node] = reason
            if reads_memory(node):
                self._refuse_views(node)

    def find(self) -> None:
        """Find the operators without a lowering to linalg, by lowering the others.

        What later stages refuse is found in the part that does not compile.
        """
        self.find_in(self.nodes, _LOWERED)

    def find_in(self, nodes: Sequence[Node], last_stage: str | None = None) -> None:
        """Find those among some nodes, by compiling them as one program, up to a stage."""
        while True:
            # Sizes are computed where an operator uses them; others may be of any type.
            tried = [node for node in nodes if not is_size(node) and not self._is_eager(node)]
            if not tried:
                return
            if self._is_over():
                self.refuse(tried, "it was not tried: too many operators do not compile")
                return
            problem = self._problem(tried, last_stage)
            if problem is None:
                return
            found = self._blamed(problem.text) & set(tried) or self._culprits(
                tried, problem, last_stage
            )
            if not found:
                self.refuse(tried, problem.text)
                return
            for node in found:
                self._refuse_alike(node, problem.text, tried)

    def _culprits(
        self, nodes: Sequence[Node], problem: _Problem, last_stage: str | None
    ) -> set[Node]:
        """A small part of nodes that has the same kind of problem, where a message names none."""
        found = list(nodes)
        while True:
            operators = [node for node in found if not is_size(node) and not is_element(node)]
            if len(operators) <= 1 or self._is_over():
                return set(operators)
            middle = found.index(operators[len(operators) // 2])
            for half in (found[:middle], found[middle:]):
                if self._problem(half, last_stage, problem.at_import) is not None:
                    found = half
                    break
            else:
                return set(operators)

    def _is_over(self) -> bool:
        """Whether no more programs are tried."""
        return self._trials >= _MOST_TRIALS or time.monotonic() - self._start > _MOST_SECONDS

    def refuse(self, nodes: Sequence[Node], problem: str) -> None:
        """Let PyTorch run nodes."""
        for node in nodes:
            self._refuse(node, problem)

    def __contains__(self, node: object) -> bool:
        return node in self.reasons

    def _is_eager(self, node: Node) -> bool:
        return (node.all_input_nodes[0] if is_element(node) else node) in self.reasons

    def _refuse_views(self, reader: Node) -> None:
        """Let PyTorch run what reads the memory of a tensor, and the views up to its root.

        Compiled code returns contiguous tensors, so the root must be one.
        """
        *views, root = views_of(reader.args[0])
        value = root.meta.get("val")
        is_owner = isinstance(value, torch.Tensor) and value.is_contiguous()
        if root.op == "call_function" and not is_owner:
            raise CompileError(
                f"{reader.target} reads the memory of a tensor that is not contiguous"
            )
        for node in (reader, *views):
            self._refuse(node, "it reads the memory of a tensor")

    def _why_not_tried(self, node: Node) -> str | None:
        if is_size(node) or is_element(node):
            return None
        if is_communication(node):
            return "torch.distributed exchanges tensors between processes"
        if is_check(node):
            return "it only checks a number"
        if reads_number(node):
            return "Python computes sizes with the number that it reads"
        if is_control_flow(node) and not all(map(_is_tensor, elements_of(node.meta.get("val")))):
            return "a number is among the results of control flow, whose graphs are compiled"
        for operand in [node, *needs_of(node)]:
            reason = why_not_passed(operand)
            if reason is not None:
                return reason
        return None

    def _problem(
        self, nodes: Sequence[Node], last_stage: str | None, only_import: bool = False
    ) -> _Problem | None:
        """The error of compiling nodes, or of importing them; None if there is none."""
        self._trials += 1
        try:
            if only_import:
                import_for_lowering(self._located(nodes), guards=())
                return None
            if self._decomposed is None or not self._decomposed.covers(nodes):
                # Decomposing takes longer than all else, so it is done for the most nodes.
                self._decomposed = Decomposed.of(self._located(nodes), nodes, self._by_place)
            program, literals = self._decomposed.only(nodes)
            found = import_decomposed(program, program, (), literals)
        except ImportModelError as error:
            return _Problem(f"{error}\n{error.source or ''}", True)
        reason = why_not_compiled(bytecode_of(found.module), self.options, last_stage)
        return None if reason is None else _Problem(reason, False)

    def _located(self, nodes: Sequence[Node]) -> ExportedProgram:
        """The nodes as a program, each located in a line of its own."""
        part = part_of(nodes, self.order, self.source.specs)
        own = set(part.nodes)
        needed = {
            operand
            for node in self.source.graph.nodes
            if node not in own
            for operand in node.all_input_nodes
        }
        return as_program(self.source, part, part.results(needed), self._lines)

    def _by_place(self, trace: str) -> Node | None:
        """The node that a stack trace is about."""
        line = _LINE.search(trace)
        return None if line is None else self._by_line.get(int(line[1]))

    def _blamed(self, problem: str) -> set[Node]:
        """The nodes that a message names."""
        found = {self._by_line.get(int(line)) for line in _LINE.findall(problem)}
        nodes = {node for node in found if node is not None and node.op == "call_function"}
        return {node.all_input_nodes[0] if is_element(node) else node for node in nodes}

    def _refuse_alike(self, node: Node, problem: str, tried: Sequence[Node]) -> None:
        """Refuse a node, and others that only differ in sizes."""
        kind = _kind(node)
        for other in tried:
            if other == node or (other.target == node.target and _kind(other) == kind):
                self._refuse(other, problem)

    def _refuse(self, node: Node, problem: str) -> None:
        if not is_size(node) and not is_element(node):
            self.reasons.setdefault(node, _reason(problem, self.order[node] + 1))


def _kind(node: Node) -> tuple[object, ...]:
    """The dtypes and ranks of a node's operands and results, and its other arguments."""
    values = [node.meta.get("val"), *(each.meta.get("val") for each in node.all_input_nodes)]
    return tuple(
        (each.dtype, each.dim()) if isinstance(each, torch.Tensor) else type(each)
        for value in values
        for each in elements_of(value)
    )


def _reason(problem: str, line: int) -> str:
    """The message about a node, or the first one."""
    messages = problem.splitlines()
    own = [message for message in messages if str(line) in _LINE.findall(message)]
    chosen = next((message for message in own if _ERROR in message), (own or messages)[0])
    return chosen.partition(_ERROR)[2] or chosen


def _is_tensor(value: object) -> bool:
    return isinstance(value, torch.Tensor)
