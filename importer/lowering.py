"""Programs for a compiler: operators taken apart, weights as arguments.

This module loads PyTorch; what needs it loads it on first use.
"""

from __future__ import annotations

import copy
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import torch
from torch._decomp import global_decomposition_table
from torch._ops import OpOverload
from torch.export import ExportedProgram, default_decompositions
from torch.export.graph_signature import (
    ConstantArgument,
    InputKind,
    OutputKind,
    OutputSpec,
    TensorArgument,
)
from torch.utils import _pytree as pytree
from torch_refine.dialect.bindings import ir, new_context, operations
from torch_refine.importer.argument_checks import why_numbers_are_rejected
from torch_refine.importer.attention import attention_decompositions
from torch_refine.importer.constant_folding import fold_constants
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.exact_decompositions import exact_decompositions
from torch_refine.importer.export import prepare_program
from torch_refine.importer.guards import guards_of
from torch_refine.importer.inlining import with_functions
from torch_refine.importer.interpolation import interpolations
from torch_refine.importer.locations import node_source
from torch_refine.importer.memory_layout import inputs_read_as_memory, why_layout_matters
from torch_refine.importer.program import import_program
from torch_refine.importer.random_decompositions import random_decompositions
from torch_refine.importer.rejected_calls import rejected_calls
from torch_refine.importer.shared_operands import why_operands_share
from torch_refine.importer.spaces import spaces
from torch_refine.importer.unit_sizes import say_unit_sizes
from torch_refine.passes.lowering.guards import Guard, attach_guards
from torch_refine.passes.lowering.prepare_state import STATE
from torch_refine.passes.program import symbol_name

# Operators that have a lowering of their own, which is faster than what they are made of.
_KEPT = (
    "aten.convolution",
    "aten.max_pool2d_with_indices",
    "aten.max_pool3d_with_indices",
    "aten.embedding",
    "aten._adaptive_avg_pool2d",
    "aten.index_select",
    "aten.slice",
    "aten.slice_scatter",
    "aten.squeeze",
    "aten.expand",
    "aten.cumsum",
    "aten.mm",
    "aten.bmm",
    "aten.uniform",
    "aten.normal_functional",
)
# PyTorch's decompositions of these take other arguments than the operators: `nll_loss` would take
# the reduction for `size_average`, the others take its name. What PyTorch makes of them is used.
_MISTAKEN = (
    "aten.nll_loss",
    "aten.margin_ranking_loss",
    "aten.hinge_embedding_loss",
    "aten.alpha_dropout",
)
# What PyTorch computes of unsigned numbers in fixed point.
_INTERPOLATIONS = ("upsample_bilinear2d", "upsample_bicubic2d", "upsample_lanczos2d")
# Operators whose bounds become numbers of the result's dtype before anything is computed.
_SPACES = ("linspace.", "logspace.")
# Operators that name a dtype for their result, which their kernels mostly do not look at.
_SOFTMAX_GRADIENTS = ("softmax_backward_data.", "log_softmax_backward_data.")
# Literals with fewer elements stay in the program, where they may be folded. Weights do not, as
# the model may change them.
_LEAST_ELEMENTS = 64


@dataclass(frozen=True)
class LoweringInput:
    """A program for a compiler, and what its function is called with.

    The function `main` takes the tensors of `state`, in order, then those of the inputs. Which of
    the leaves of the inputs and results are tensors, and how they are nested, is in the specs.
    """

    module: ir.Module
    state: list[torch.Tensor]
    state_names: list[str]
    input_spec: pytree.TreeSpec
    output_spec: pytree.TreeSpec
    constants: dict[int, Any] = field(default_factory=dict)
    """Leaves of the inputs that are no tensors: their places and the values they must have."""
    changed: list[int] = field(default_factory=list)
    """The arguments of `main` whose new values are the last results."""
    whole: dict[int, bool] = field(default_factory=dict)
    """The inputs that must be contiguous, and whether they must start where their storage does."""
    input_names: list[str] = field(default_factory=list)
    """The parameters of the model, those passed by position first; empty where none are known."""
    constant_results: dict[int, Any] = field(default_factory=dict)
    """Leaves of the results that `main` does not return, such as None: their places and values."""


@cache
def lowering_table() -> Mapping[OpOverload, Any]:
    """PyTorch's decompositions, but those of operators that are better lowered as they are."""
    table = dict(default_decompositions())
    for operator, decomposition in global_decomposition_table["post_autograd"].items():
        # Those of `torch._refs` lead to prims, which have no lowering.
        is_taken = isinstance(operator, OpOverload) and decomposition.__module__ != "torch._refs"
        if is_taken and str(operator).rpartition(".")[0] not in _MISTAKEN:
            table[operator] = decomposition
    for operator in list(table):
        if str(operator).rpartition(".")[0] in _KEPT:
            del table[operator]
    table[torch.ops.aten.split_with_sizes.default] = _split_with_sizes
    table[torch.ops.aten.squeeze.dims] = _squeeze_dims
    table[torch.ops.aten.sort.stable] = _sort
    table[torch.ops.aten.empty_permuted.default] = _empty_permuted
    table.update(random_decompositions())
    for operator, exact in _own_decompositions().items():
        # Where these leave an operator whole, it is taken apart as it was.
        table[operator] = _first_of(exact, table.get(operator))
    return table


@cache
def _own_decompositions() -> Mapping[OpOverload, Any]:
    return exact_decompositions() | interpolations() | spaces() | attention_decompositions()


def _first_of(exact: Any, other: Any) -> Any:
    """A decomposition that another one follows, where it says nothing."""
    if other is None:
        return exact

    def decompose(*args: Any, **kwargs: Any) -> Any:
        found = exact(*args, **kwargs)
        return other(*args, **kwargs) if found is NotImplemented else found

    return decompose


def _split_with_sizes(
    self: torch.Tensor, split_sizes: list[int], dim: int = 0
) -> list[torch.Tensor]:
    """A slice for each size."""
    pieces, start = [], 0
    for size in split_sizes:
        pieces.append(torch.ops.aten.slice.Tensor(self, dim, start, start + size))
        start += size
    return pieces


def _empty_permuted(size: list[int], physical_layout: list[int], **kwargs: Any) -> Any:
    """How a tensor without values lies says nothing of the tensors that are made of it."""
    return torch.ops.aten.empty.memory_format(size, **kwargs)


def _sort(
    self: torch.Tensor, *, stable: bool | None, dim: int = -1, descending: bool = False
) -> tuple[torch.Tensor, torch.Tensor]:
    """Like any other: all sorting here leaves equal values in their order."""
    values, places = torch.ops.aten.sort.default(self, dim, descending)
    return values, places


def _squeeze_dims(self: torch.Tensor, dim: list[int]) -> torch.Tensor:
    """One dimension at a time, the last first, so that the others keep their places."""
    for each in sorted({d % max(self.dim(), 1) for d in dim}, reverse=True):
        self = torch.ops.aten.squeeze.dim(self, each)
    return self


def import_for_lowering(program: ExportedProgram) -> LoweringInput:
    """Import an exported program with its weights as arguments of the function.

    Raises:
        ImportModelError: a decomposition failed, or an operator cannot be imported.
    """
    _check(program)
    read = inputs_read_as_memory(program)
    literals = _literals(program)
    prepared = prepare_program(_unguarded(program), decompose=True, table=lowering_table())
    literals |= fold_constants(prepared, literals)
    say_unit_sizes(prepared.graph)
    constant_results = _drop_constant_results(prepared)
    written = _return_new_inputs(prepared)
    specs = prepared.graph_signature.output_specs
    # New values of buffers are results that are told apart by a target.
    buffers = [str(spec.target) for spec in specs if spec.target is not None]
    state, names = _lift_state(prepared, literals)
    inputs = [
        spec.arg
        for spec in program.graph_signature.input_specs
        if spec.kind == InputKind.USER_INPUT
    ]
    constants = {
        place: argument.value
        for place, argument in enumerate(inputs)
        if isinstance(argument, ConstantArgument)
    }
    module = import_program(prepared, new_context())
    taken = [each.name for each in inputs if not isinstance(each, ConstantArgument)]
    changed = [names.index(name) for name in buffers]
    changed += [len(state) + taken.index(name) for name in written]
    _mark_state(module, [place for place in range(len(state)) if place not in changed])
    _attach_guards(module, guards_of(program, len(state)))
    if any(name not in taken for name in read):
        raise ImportModelError("decompose", "as_strided reads the memory of a weight")
    whole = {taken.index(name): from_start for name, from_start in read.items()}
    call = program.call_spec
    graph_call = program.module_call_graph[0].signature
    input_names = None if graph_call is None else graph_call.forward_arg_names
    return LoweringInput(
        module,
        state,
        names,
        call.in_spec,
        call.out_spec,
        constants,
        changed,
        whole,
        input_names or [],
        constant_results,
    )


def _unguarded(program: ExportedProgram) -> ExportedProgram:
    """The program for a trace of its graph alone, without a module that checks its guards.

    PyTorch makes that of the examples of the inputs. Tracing it would record each guard again, and
    fails for guards on what only the examples had, such as the tensor that one was a view of.
    """
    plain = copy.copy(program)
    plain.example_inputs = None
    plain._graph_module = with_functions(program.graph_module, _own_decompositions())
    return plain


def _attach_guards(module: ir.Module, guards: Sequence[Guard]) -> None:
    for function in operations(module.operation.regions[0].blocks[0]):
        if symbol_name(function) == "main":
            attach_guards(function, guards)


def _drop_constant_results(program: ExportedProgram) -> dict[int, Any]:
    """Let a program return only what it computes; its other results by their places."""
    specs = program.graph_signature.output_specs
    own = [spec for spec in specs if spec.kind == OutputKind.USER_OUTPUT and spec.target is None]
    constants = {
        place: spec.arg.value
        for place, spec in enumerate(own)
        if isinstance(spec.arg, ConstantArgument)
    }
    if constants:
        (returned,) = (node for node in program.graph.nodes if node.op == "output")
        pairs = zip(specs, returned.args[0], strict=True)
        kept = [(s, node) for s, node in pairs if not isinstance(s.arg, ConstantArgument)]
        specs[:] = [spec for spec, _ in kept]
        returned.args = (tuple(node for _, node in kept),)
    return constants


def _return_new_inputs(program: ExportedProgram) -> list[str]:
    """Make what a program writes to its inputs results, behind all others; the inputs' names."""
    specs = program.graph_signature.output_specs
    written = [spec for spec in specs if spec.kind == OutputKind.USER_INPUT_MUTATION]
    specs[:] = [spec for spec in specs if spec not in written]
    specs += [OutputSpec(OutputKind.USER_OUTPUT, spec.arg, None) for spec in written]
    return [str(spec.target) for spec in written]


def _check(program: ExportedProgram) -> None:
    """Refuse what kernels reject, and what PyTorch's decompositions compute otherwise."""
    for node in program.graph.nodes:
        if node.op != "call_function":
            continue
        reason = why_numbers_are_rejected(node) or _why_decomposed_wrongly(node)
        if reason is not None:
            raise _refused(node, reason)
    for node, reason in rejected_calls(program.graph):
        raise _refused(node, reason)


def _refused(node: torch.fx.Node, reason: str) -> ImportModelError:
    named = f"{node.name} ({node.target})"
    return ImportModelError("decompose", reason, node=named, source=node_source(node))


def _why_decomposed_wrongly(node: torch.fx.Node) -> str | None:
    """Why what PyTorch makes of an operator is not what its kernel computes; None if it is."""
    memory = why_layout_matters(node) or why_operands_share(node)
    if memory is not None:
        return memory
    name = str(node.target).partition(".")[2].lstrip("_")
    given = [each.meta.get("val") for each in node.args if isinstance(each, torch.fx.Node)]
    tensors = [each for each in given if isinstance(each, torch.Tensor)]
    if name.startswith(_INTERPOLATIONS) and tensors and tensors[0].dtype == torch.uint8:
        return "PyTorch interpolates unsigned numbers in fixed point, which is not supported"
    if name.startswith(_SOFTMAX_GRADIENTS) and tensors and _is_cast(tensors[0], node.args[3]):
        return "PyTorch's kernels return gradients of the dtype of what they are given"
    if name.startswith(_SPACES) and getattr(node.meta.get("val"), "dtype", None) == torch.uint8:
        return "what PyTorch computes of bounds that are no unsigned numbers is not defined"
    if name.startswith("multi_margin_loss.") and len(tensors) > 1 and tensors[1].dim() == 0:
        # The export gives the loss a dimension that the kernel's has not.
        reduction = node.kwargs.get("reduction", node.args[5] if len(node.args) > 5 else 1)
        if reduction == 0:
            return "PyTorch exports the loss of one sample with a dimension that it does not have"
    return None


def _is_cast(gradient: torch.Tensor, dtype: Any) -> bool:
    """Whether the gradient of a softmax has another dtype; on GPUs f32 may be rounded to f16."""
    is_rounded = gradient.dtype == torch.float32 and dtype == torch.float16
    return gradient.dtype != dtype and not (is_rounded and gradient.device.type == "cuda")


def _mark_state(module: ir.Module, places: list[int]) -> None:
    """Say which arguments of `main` are the same from call to call."""
    for function in operations(module.operation.regions[0].blocks[0]):
        if places and symbol_name(function) == "main":
            function.attributes[STATE] = ir.DenseI64ArrayAttr.get(places, function.context)


def _literals(program: ExportedProgram) -> set[str]:
    """The names of constants that nobody can change: what the model's code writes out.

    A trace copies these before anything else. Others are tensors that the model, or its code,
    refers to, and someone may write to.
    """
    placeholders = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    return {
        str(spec.target)
        for spec in program.graph_signature.input_specs
        if spec.kind == InputKind.CONSTANT_TENSOR
        and all(
            user.target is torch.ops.aten.lift_fresh_copy.default
            for user in placeholders[spec.arg.name].users
        )
    }


def _lift_state(
    program: ExportedProgram, literals: Container[str]
) -> tuple[list[torch.Tensor], list[str]]:
    """Make the weights inputs of the program; the tensors in the order of the inputs, and names."""
    state: list[torch.Tensor] = []
    names: list[str] = []
    for spec in program.graph_signature.input_specs:
        if spec.kind in (InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR):
            tensor = _state_tensor(program, spec.target)
            is_small = tensor.numel() < _LEAST_ELEMENTS
            if isinstance(spec.arg, TensorArgument) and not (
                is_small and str(spec.target) in literals
            ):
                state.append(tensor)
                names.append(str(spec.target))
                spec.kind = InputKind.USER_INPUT
                spec.target = None
                spec.persistent = None
    return state, names


def _state_tensor(program: ExportedProgram, name: str) -> torch.Tensor:
    found = program.state_dict.get(name)
    tensor = program.constants[name] if found is None else found
    assert isinstance(tensor, torch.Tensor)
    return tensor
