"""Detection of gradients that would be lost: compiled programs compute none.

A call with gradients disabled, under `torch.no_grad()` or `torch.inference_mode()`, is not
affected. With gradients enabled, an input that requires a gradient is rejected. Weights often
require one although nothing needs it, so a result requires a gradient if eager mode's does, and its
backward pass raises.
"""

from __future__ import annotations

import operator
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.autograd import forward_ad
from torch.export import ExportedProgram
from torch.export.graph_signature import ConstantArgument, InputKind, OutputKind
from torch.fx import Node
from torch_refine.runtime.refusals import GradientError
from torch_refine.runtime.state.state import StateSnapshot

_NO_GRAD = (
    'call it under torch.no_grad(), or train the model with torch.compile(backend="torch_refine")'
)
_BACKWARD = (
    "a compiled program has no backward pass: its result requires a gradient because a weight of "
    f"the model does; {_NO_GRAD}"
)
_mark = torch._C._functions.DelayedError(_BACKWARD, 1)
# Operators whose results have no gradient.
_CUT = ("detach", "zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like")


@dataclass
class Gradients:
    """The values of a program that have a gradient in eager mode, if the weights require one."""

    sources: frozenset[str]
    """The names of the weights that gradients were propagated from."""
    results: tuple[bool, ...]
    writes: bool
    """Whether a value written to inputs or buffers has one."""
    known: int = 0
    """The state whose weights that require gradients are all among the sources."""

    @staticmethod
    def of(program: ExportedProgram) -> Gradients:
        """Propagate gradients from the weights through a graph.

        Results without a gradient because the model itself disables gradients cannot be told apart:
        an export does not record that.
        """
        specs = program.graph_signature.input_specs
        sources = {
            spec.arg.name: str(spec.target)
            for spec in specs
            if spec.kind == InputKind.PARAMETER
            or (spec.kind != InputKind.USER_INPUT and _requires_grad(program, str(spec.target)))
        }
        flow = _Flow(sources.keys())
        for node in program.graph.nodes:
            flow.visit(node)
        (returned,) = (node for node in program.graph.nodes if node.op == "output")
        results, writes = [], flow.writes
        outputs = program.graph_signature.output_specs
        for spec, node in zip(outputs, returned.args[0], strict=True):
            if isinstance(spec.arg, ConstantArgument):
                continue
            if spec.kind == OutputKind.USER_OUTPUT:
                results.append(isinstance(node, Node) and flow.reaches(node))
            else:
                writes = writes or flow.reaches(node)
        return Gradients(frozenset(sources.values()), tuple(results), writes)

    def are_lost(
        self, inputs: Sequence[Any], held: StateSnapshot | None, names: Sequence[str]
    ) -> bool:
        """Whether results must be marked; `names` are those of the state that is held.

        Raises:
            GradientError: the gradient of an input, or of a tensor that is written to, would be
                lost; or the call is differentiated in forward mode.
        """
        if forward_ad._current_level >= 0:
            _refuse_tangents([*inputs, *(held.tensors if held is not None else ())])
        if not torch.is_grad_enabled():
            return False
        for place, value in enumerate(inputs):
            if isinstance(value, torch.Tensor) and value.requires_grad:
                raise GradientError(
                    f"input {place} requires a gradient, and a compiled program computes none; "
                    + _NO_GRAD
                )
        if held is None or not held.requiring:
            return False
        if self.writes:
            raise GradientError(
                "the program writes values with a gradient to its inputs or buffers, because a "
                f"weight requires one, and computes no gradients; {_NO_GRAD}"
            )
        if self.known == held.serial:
            return True
        others = {names[place] for place in held.requiring} - self.sources
        if others:
            raise GradientError(
                f"{min(others)!r} requires a gradient, which it did not when the program was "
                f"compiled; {_NO_GRAD}"
            )
        self.known = held.serial
        return True

    def marked(self, results: Sequence[Any]) -> list[Any]:
        """The results of a call; the backward pass of those with a gradient raises."""
        own = len(self.results)
        return [
            *(
                _mark(result.requires_grad_())
                if wanted and isinstance(result, torch.Tensor)
                else result
                for wanted, result in zip(self.results, results[:own], strict=True)
            ),
            *results[own:],
        ]


class _Flow:
    """The values of a graph that have a gradient; a view has one if its base has."""

    def __init__(self, sources: Container[str]) -> None:
        self._sources = sources
        self._bases: dict[Node, Node] = {}
        self._reached: set[Node] = set()
        self.writes = False

    def reaches(self, node: Node) -> bool:
        """Whether a value has a gradient."""
        return self._bases.get(node, node) in self._reached and _is_differentiable(node)

    def visit(self, node: Node) -> None:
        """Visit a node after its operands."""
        if node.op == "placeholder":
            if node.name in self._sources:
                self._reached.add(node)
            return
        if node.op != "call_function":
            return
        schema = getattr(node.target, "_schema", None)
        name = schema.name.rpartition("::")[2] if schema is not None else ""
        operands = node.all_input_nodes
        is_cut = name in _CUT
        has_gradient = not is_cut and any(self.reaches(operand) for operand in operands)
        is_view = node.target is operator.getitem or (
            schema is not None and any(each.alias_info is not None for each in schema.returns)
        )
        if is_view and operands and not is_cut:
            self._bases[node] = self._bases.get(operands[0], operands[0])
        elif has_gradient:
            self._reached.add(node)
        if has_gradient and schema is not None and schema.is_mutable:
            for operand in _written(node):
                base = self._bases.get(operand, operand)
                self._reached.add(base)
                self.writes = self.writes or base.op == "placeholder"


def _written(node: Node) -> Iterator[Node]:
    """The operands that an operator writes to."""
    schema = node.target._schema  # type: ignore[union-attr]
    for place, argument in enumerate(schema.arguments):
        if argument.alias_info is None or not argument.alias_info.is_write:
            continue
        given = node.kwargs.get(argument.name)
        if place < len(node.args):
            given = node.args[place]
        for each in given if isinstance(given, (list, tuple)) else [given]:
            if isinstance(each, Node):
                yield each


def _is_differentiable(node: Node) -> bool:
    values = node.meta.get("val")
    return any(
        isinstance(value, torch.Tensor)
        and (value.dtype.is_floating_point or value.dtype.is_complex)
        for value in (values if isinstance(values, (list, tuple)) else [values])
    )


def _requires_grad(program: ExportedProgram, name: str) -> bool:
    value = program.state_dict.get(name, program.constants.get(name))
    return isinstance(value, torch.Tensor) and value.requires_grad


def _refuse_tangents(values: Sequence[Any]) -> None:
    unpack: Any = forward_ad.unpack_dual
    for value in values:
        if isinstance(value, torch.Tensor) and unpack(value).tangent is not None:
            raise GradientError(
                "a tensor has a tangent of forward-mode differentiation, which a compiled program "
                "does not compute; call the model itself"
            )
