"""Import programs for compilation: operators decomposed, weights as arguments.

This module loads PyTorch; it is loaded on first use.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
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
from torch_refine.dialect.guards import Guard, attach_guards
from torch_refine.importer.devices import has_fake_weights, on_cpu
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.expansion.composites import without_python_kernels
from torch_refine.importer.export import prepare_program
from torch_refine.importer.guards import guards_of
from torch_refine.importer.locations import node_source
from torch_refine.importer.program import import_program
from torch_refine.passes.lowering.abi import STATE, UPDATES
from torch_refine.passes.lowering.exported.checks.argument_checks import why_scalars_are_rejected
from torch_refine.passes.lowering.exported.checks.rejected_calls import rejected_calls
from torch_refine.passes.lowering.exported.checks.shared_operands import why_operands_overlap
from torch_refine.passes.lowering.exported.complex_numbers import complex_decompositions
from torch_refine.passes.lowering.exported.constant_folding import fold_constants
from torch_refine.passes.lowering.exported.dropout import without_idle_dropout
from torch_refine.passes.lowering.exported.exact_decompositions import exact_decompositions
from torch_refine.passes.lowering.exported.higher_order import with_dense_attention
from torch_refine.passes.lowering.exported.inlining import (
    graphs_of,
    in_all_graphs,
    inline_decompositions,
    inline_multiply_adds,
)
from torch_refine.passes.lowering.exported.library_functions import (
    expanded_after_import,
    library_functions,
)
from torch_refine.passes.lowering.exported.memory_layout import (
    inputs_read_as_memory,
    why_layout_matters,
)
from torch_refine.passes.lowering.exported.quantized_contractions import with_integer_contractions
from torch_refine.passes.lowering.exported.recurrent import recurrences
from torch_refine.passes.lowering.exported.shared_heads import with_shared_heads
from torch_refine.passes.lowering.exported.unit_sizes import set_unit_sizes
from torch_refine.passes.lowering.exported.whole_rows import add_whole_rows
from torch_refine.passes.program import symbol_name

# Operators whose direct lowering is faster or safer than their decomposition.
_KEPT = (
    # PyTorch's has no strides, and those of gradients check no sizes.
    "aten._reshape_alias",
    "aten.reflection_pad1d_backward",
    "aten.reflection_pad2d_backward",
    "aten.reflection_pad3d_backward",
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
    "aten.prelu",
    # PyTorch's adds 1 to `erf`, which cancels.
    "aten.special_ndtr",
    # PyTorch's have views, which cannot be made functional.
    "aten.fft_ihfftn",
    "aten.fft_ihfft2",
    # PyTorch's write the parts into an empty tensor.
    "aten.complex",
    "aten.polar",
)
# PyTorch's decompositions of these take other arguments than the operators: `nll_loss` would take
# the reduction for `size_average`, the others its name. The results of PyTorch's own decomposition
# are used instead.
_MISTAKEN = (
    "aten.nll_loss",
    "aten.margin_ranking_loss",
    "aten.hinge_embedding_loss",
    "aten.alpha_dropout",
)
# PyTorch interpolates unsigned integers in fixed point.
_INTERPOLATIONS = ("upsample_bilinear2d", "upsample_bicubic2d", "upsample_lanczos2d")
# Operators whose bounds are converted to the result's dtype first.
_SPACES = ("linspace.", "logspace.")
_FLASH_ATTENTION = "scaled_dot_product_flash_attention_for_cpu."
# Operators with an argument for the result's dtype, which their kernels mostly ignore.
_SOFTMAX_GRADIENTS = ("softmax_backward_data.", "log_softmax_backward_data.")
# Literals with fewer elements remain constants, which may be folded. Weights do not, as the model
# may change them.
_LEAST_ELEMENTS = 64


@dataclass(frozen=True)
class Calling:
    """How a program is called.

    The specs tell which leaves of the inputs and results are tensors, and how they are nested.
    """

    state_names: list[str]
    input_spec: pytree.TreeSpec
    output_spec: pytree.TreeSpec
    constants: dict[int, Any] = field(default_factory=dict)
    """Non-tensor leaves of the inputs: their indices and required values."""
    changed: list[int] = field(default_factory=list)
    """The arguments, state first, whose new values are the last results."""
    whole: dict[int, bool] = field(default_factory=dict)
    """The inputs that must be contiguous, and whether they must start their storage."""
    input_names: list[str] = field(default_factory=list)
    """The parameters of the model, positional ones first; empty if unknown."""
    constant_results: dict[int, Any] = field(default_factory=dict)
    """Result leaves that are not computed, such as None: their indices and values."""


@dataclass(frozen=True)
class LoweringInput(Calling):
    """An imported program, and the state that its function takes.

    The function `main` takes the tensors of `state`, in order, then those of the inputs.
    """

    module: ir.Module = field(kw_only=True)
    state: list[torch.Tensor] = field(kw_only=True)
    literals: list[int] = field(kw_only=True)
    """The places in `state` of constants that cannot be modified; they may be on the CPU."""


@cache
def lowering_table() -> Mapping[OpOverload, Any]:
    """PyTorch's decompositions, except those of operators with a better direct lowering."""
    table = dict(default_decompositions())
    for operator, decomposition in global_decomposition_table["post_autograd"].items():
        # Those of `torch._refs` produce prims, which have no lowering.
        is_taken = isinstance(operator, OpOverload) and decomposition.__module__ != "torch._refs"
        if is_taken and str(operator).rpartition(".")[0] not in _MISTAKEN:
            table[operator] = decomposition
    for operator in list(table):
        if str(operator).rpartition(".")[0] in _KEPT:
            del table[operator]
    for operator in expanded_after_import():
        table.pop(operator, None)
    table[torch.ops.aten.split_with_sizes.default] = _split_with_sizes
    table[torch.ops.aten.squeeze.dims] = _squeeze_dims
    table[torch.ops.aten.empty_permuted.default] = _empty_permuted
    for operator, exact in _own_decompositions().items():
        # If these return NotImplemented, the previous decomposition applies.
        table[operator] = _first_of(exact, table.get(operator))
    for operator, of_parts in complex_decompositions().items():
        table[operator] = _first_of(of_parts, table.get(operator))
    return table


@cache
def _own_decompositions() -> Mapping[OpOverload, Any]:
    return exact_decompositions() | recurrences() | library_functions()


def _first_of(exact: Any, other: Any) -> Any:
    """A decomposition that falls back to another one if it returns NotImplemented."""
    if other is None:
        return exact

    def decompose(*args: Any, **kwargs: Any) -> Any:
        found = exact(*args, **kwargs)
        return other(*args, **kwargs) if found is NotImplemented else found

    return decompose


def _split_with_sizes(
    self: torch.Tensor, split_sizes: list[int], dim: int = 0
) -> list[torch.Tensor]:
    """One slice per size."""
    pieces, start = [], 0
    for size in split_sizes:
        pieces.append(torch.ops.aten.slice.Tensor(self, dim, start, start + size))
        start += size
    return pieces


def _empty_permuted(size: list[int], physical_layout: list[int], **kwargs: Any) -> Any:
    """The strides of an uninitialized tensor do not affect tensors computed from it."""
    return torch.ops.aten.empty.memory_format(size, **kwargs)


def _squeeze_dims(self: torch.Tensor, dim: list[int]) -> torch.Tensor:
    """Squeeze one dimension at a time, last first, so that the others keep their indices."""
    for each in sorted({d % max(self.dim(), 1) for d in dim}, reverse=True):
        self = torch.ops.aten.squeeze.dim(self, each)
    return self


def import_for_lowering(
    program: ExportedProgram, guards: Sequence[Guard] | None = None
) -> LoweringInput:
    """Import an exported program with its weights as arguments of the function.

    A program of another device is imported as one of the CPU, whose weights are where they were.
    `guards` are those of a program that was split into this one and others.

    Raises:
        ImportModelError: a decomposition failed, an operator cannot be imported, or a result is not
            on the device of the inputs and weights.
    """
    moved = on_cpu(program, literals_of(program))
    found = import_decomposed(moved, decompose_for_lowering(moved), guards)
    if moved is program:
        return found
    weights = {**program.constants, **program.state_dict}
    pairs = zip(found.state_names, found.state, strict=True)
    return replace(found, state=[weights.get(name, folded) for name, folded in pairs])


def decompose_for_lowering(program: ExportedProgram) -> ExportedProgram:
    """Decompose the operators of a program, for `import_decomposed`; the argument is not modified.

    Raises:
        ImportModelError: a kernel rejects a call, or a decomposition failed.
    """
    _check(program)
    # PyTorch lists composite operators once, of which those without kernels are no longer ones.
    table = lowering_table()
    with without_python_kernels([*expanded_after_import(), *library_functions()]):
        return prepare_program(unguarded(program), decompose=True, table=table)


def import_decomposed(
    program: ExportedProgram,
    prepared: ExportedProgram,
    guards: Sequence[Guard] | None = None,
    literals: Iterable[str] | None = None,
) -> LoweringInput:
    """Import a program that is decomposed as `prepared`, which is modified.

    `literals` are the names of immutable constants, those of `program` if not given.

    Raises:
        ImportModelError: an operator cannot be imported.
    """
    read = inputs_read_as_memory(program)
    graphs = [module.graph for module in graphs_of(prepared.graph_module)]
    for node in chain.from_iterable(graph.nodes for graph in graphs):
        # Those of the program were checked before; others come from PyTorch's decompositions.
        reason = why_layout_matters(node, node.graph is not prepared.graph)
        if reason is not None:
            raise _refused(node, reason)
    fixed = literals_of(program) if literals is None else set(literals)
    fixed |= fold_constants(prepared, fixed)
    for graph in graphs:
        set_unit_sizes(graph)
        add_whole_rows(graph)
    constant_results = _drop_constant_results(prepared)
    written = _return_new_inputs(prepared)
    specs = prepared.graph_signature.output_specs
    # New values of buffers are results with a target.
    buffers = [str(spec.target) for spec in specs if spec.target is not None]
    state, names = _lift_state(prepared, fixed)
    module = import_program(prepared, new_context(), casts=True)
    taken = [each.name for each in _inputs(program) if not isinstance(each, ConstantArgument)]
    changed = [names.index(name) for name in buffers]
    changed += [len(state) + taken.index(name) for name in written]
    _mark_state(module, [place for place in range(len(state)) if place not in changed])
    _attach_guards(module, guards_of(program, len(state)) if guards is None else guards)
    if any(name not in taken for name in read):
        raise ImportModelError("decompose", "as_strided reads the memory of a weight")
    whole = {taken.index(name): from_start for name, from_start in read.items()}
    calling = calling_of(program)
    return LoweringInput(
        names,
        calling.input_spec,
        calling.output_spec,
        calling.constants,
        changed,
        whole,
        calling.input_names,
        constant_results,
        module=module,
        state=state,
        literals=[place for place, name in enumerate(names) if name in fixed],
    )


def calling_of(program: ExportedProgram) -> Calling:
    """How a program is called, without state and new values, and with all results."""
    constants = {
        place: argument.value
        for place, argument in enumerate(_inputs(program))
        if isinstance(argument, ConstantArgument)
    }
    call = program.call_spec
    graph_call = program.module_call_graph[0].signature
    names = None if graph_call is None else graph_call.forward_arg_names
    return Calling([], call.in_spec, call.out_spec, constants, input_names=names or [])


def _inputs(program: ExportedProgram) -> list[Any]:
    """What an exported program calls its inputs, or the values that they must have."""
    return [
        spec.arg
        for spec in program.graph_signature.input_specs
        if spec.kind == InputKind.USER_INPUT
    ]


def unguarded(program: ExportedProgram) -> ExportedProgram:
    """The program without the module that checks its guards, for tracing its graph.

    PyTorch makes that module from the example inputs. Tracing it would record each guard again, and
    fails for guards on properties of the examples, such as the base of a view.
    """
    plain = copy.copy(program)
    plain.example_inputs = None
    # Graphs of control flow have no aliases.
    module = without_idle_dropout(program.graph_module)
    for change in (with_dense_attention, with_shared_heads, inline_multiply_adds):
        module = in_all_graphs(module, change)
    # Kernels of GPUs have no dot products of bytes, and the host cannot check a zero point there.
    if not has_fake_weights(program):
        module = with_integer_contractions(module, program)
    own = _own_decompositions()
    plain._graph_module = in_all_graphs(module, lambda each: inline_decompositions(each, own))
    return plain


def _attach_guards(module: ir.Module, guards: Sequence[Guard]) -> None:
    for function in operations(module.operation.regions[0].blocks[0]):
        if symbol_name(function) == "main":
            attach_guards(function, guards)


def _drop_constant_results(program: ExportedProgram) -> dict[int, Any]:
    """Drop results that are not computed; returns them by index."""
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
    """Make new values of mutated inputs results, after all others; returns the inputs' names."""
    specs = program.graph_signature.output_specs
    written = [spec for spec in specs if spec.kind == OutputKind.USER_INPUT_MUTATION]
    specs[:] = [spec for spec in specs if spec not in written]
    specs += [OutputSpec(OutputKind.USER_OUTPUT, spec.arg, None) for spec in written]
    return [str(spec.target) for spec in written]


def _check(program: ExportedProgram) -> None:
    """Reject programs that kernels reject, and those that PyTorch decomposes incorrectly."""
    for module in graphs_of(program.graph_module):
        for node in module.graph.nodes:
            if node.op != "call_function":
                continue
            is_inside = module is not program.graph_module
            reason = why_scalars_are_rejected(node) or _why_decomposed_wrongly(node, is_inside)
            if reason is not None:
                raise _refused(node, reason)
        for node, reason in rejected_calls(module.graph):
            raise _refused(node, reason)


def _refused(node: torch.fx.Node, reason: str) -> ImportModelError:
    named = f"{node.name} ({node.target})"
    return ImportModelError("decompose", reason, node=named, source=node_source(node))


def _why_decomposed_wrongly(node: torch.fx.Node, is_inside: bool) -> str | None:
    """Why PyTorch's decomposition of an operator differs from its kernel; None if it does not."""
    memory = why_layout_matters(node, is_inside) or why_operands_overlap(node)
    if memory is not None:
        return memory
    name = str(node.target).partition(".")[2].lstrip("_")
    if name.startswith(_FLASH_ATTENTION) and any(user.args[1] == 1 for user in node.users):
        return "PyTorch decomposes it without the logarithms of sums that its gradient needs"
    given = [each.meta.get("val") for each in node.args if isinstance(each, torch.fx.Node)]
    tensors = [each for each in given if isinstance(each, torch.Tensor)]
    if name.startswith(_INTERPOLATIONS) and tensors and tensors[0].dtype == torch.uint8:
        return "PyTorch interpolates unsigned numbers in fixed point, which is not supported"
    if name.startswith(_SOFTMAX_GRADIENTS) and tensors and _is_cast(tensors[0], node.args[3]):
        return "PyTorch's kernels return gradients of the dtype of what they are given"
    if name.startswith(_SPACES) and getattr(node.meta.get("val"), "dtype", None) == torch.uint8:
        return "what PyTorch computes of bounds that are no unsigned numbers is not defined"
    if name.startswith("multi_margin_loss.") and len(tensors) > 1 and tensors[1].dim() == 0:
        # The export adds a dimension to the loss that the kernel does not.
        reduction = node.kwargs.get("reduction", node.args[5] if len(node.args) > 5 else 1)
        if reduction == 0:
            return "PyTorch exports the loss of one sample with a dimension that it does not have"
    if name.startswith(("pad.", "pad_circular.")) and tensors and _continues_cropped(node):
        return "PyTorch continues a cropped dimension by more elements than are left"
    return None


def _continues_cropped(node: torch.fx.Node) -> bool:
    """Whether circular padding copies elements that the kernel has not written."""
    given: dict[str, Any] = dict(zip(("self", "pad", "mode"), node.args, strict=False))
    named = given | dict(node.kwargs)
    mode = "circular" if "circular" in str(node.target) else named.get("mode", "constant")
    if mode != "circular" or "pad" not in named:
        return False
    sizes = named["self"].meta["val"].shape
    amounts = [
        each.meta["val"] if isinstance(each, torch.fx.Node) else each for each in named["pad"]
    ]
    return any(
        min(pair) < 0 < max(pair) and bool(max(pair) > sizes[-1 - place] + min(pair))
        for place, pair in enumerate(zip(amounts[::2], amounts[1::2], strict=True))
    )


def _is_cast(gradient: torch.Tensor, dtype: Any) -> bool:
    """Whether the gradient of a softmax has another dtype."""
    return bool(gradient.dtype != dtype)


def _mark_state(module: ir.Module, places: list[int]) -> None:
    """Mark the arguments of `main` that are state."""
    for function in operations(module.operation.regions[0].blocks[0]):
        if places and symbol_name(function) == "main":
            function.attributes[STATE] = ir.DenseI64ArrayAttr.get(places, function.context)


def mark_updates(module: ir.Module, changed: Sequence[int], kept: Collection[int]) -> None:
    """Mark which results of `main` are new values of arguments that it may write to.

    The last results are those of the arguments `changed`; others than those in `kept` may be
    written to in place.
    """
    for function in operations(module.operation.regions[0].blocks[0]):
        if symbol_name(function) == "main":
            type = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
            first = len(type.results) - len(changed)
            pairs = [
                number
                for result, place in enumerate(changed, first)
                if place not in kept
                for number in (result, place)
            ]
            if pairs:
                found = ir.DenseI64ArrayAttr.get(pairs, function.context)
                function.attributes[UPDATES] = found


def literals_of(program: ExportedProgram) -> set[str]:
    """The names of immutable constants: literals in the model's code.

    A trace copies these before any use. Others are tensors that the model, or its code, refers to,
    which may be written to.
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
    """Make the weights inputs of the program; returns the tensors and names, in input order."""
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
