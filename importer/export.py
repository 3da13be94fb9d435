"""Export a model and rewrite its graph before the import.

This module loads PyTorch; `import_model` loads it on first use.
"""

from __future__ import annotations

import copy
import logging
import operator
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import torch
from torch._ops import OpOverload
from torch.export import ExportedProgram, default_decompositions
from torch.export.graph_signature import (
    OutputKind,
    OutputSpec,
    SymBoolArgument,
    SymFloatArgument,
    SymIntArgument,
)
from torch.fx.node import has_side_effect
from torch_refine.importer.advice import why_not_exported
from torch_refine.importer.effects import drop_tokens
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.expansion.expand import expand
from torch_refine.importer.frames import frames_in_text, frames_of_error, written_by_the_user
from torch_refine.importer.guard_lines import locate_assertions, recorded_lines
from torch_refine.importer.layouts import without_layout_guards
from torch_refine.importer.nesting import with_plain_nesting
from torch_refine.importer.python_state.tracing import (
    Exported,
    PythonStateError,
    export_with_state,
)
from torch_refine.importer.stack_traces import quick_stacks
from torch_refine.importer.symbolic import drop_unused_sizes, use_operators_on_sizes
from torch_refine.importer.transforms import (
    export_below_transforms,
    failed_in_transforms,
    has_transforms,
    undone_transforms,
)
from torch_refine.passes.lowering.exported.collectives import without_written_operands
from torch_refine.passes.lowering.exported.dtypes import make_dtypes_explicit
from torch_refine.passes.lowering.exported.inlining import graphs_of
from torch_refine.passes.lowering.exported.numbers import select_scalar_overloads
from torch_refine.passes.lowering.exported.recurrent import whole_recurrences

# PyTorch's message for a node that fails: "While executing %name : [...] = ...[target=...](...)".
_FAILED_NODE = re.compile(r"While executing %(\w+) .*?\[target=(?:torch\.ops\.)?([\w.]+)\]")

# PyTorch registers only the overload with a message as having a side effect.
has_side_effect(torch.ops.aten._assert_async.default)


def export_program(
    model: torch.nn.Module,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    dynamic_shapes: Any,
) -> ExportedProgram:
    """Run `torch.export.export` on a model, with gradients disabled; raises as `export_model`."""
    return export_model(model, arguments, keywords, dynamic_shapes).program


def export_model(
    model: torch.nn.Module,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    dynamic_shapes: Any,
) -> Exported:
    """The same, with the names of tensors that the model replaces in a call.

    Raises:
        ImportModelError: PyTorch cannot export the model; names the line of the model. Or later
            calls depend on state in Python that a program does not have.
    """

    def export() -> ExportedProgram:
        return _export(model, tuple(arguments), dict(keywords), dynamic_shapes)

    try:
        with _quiet_trace(), recorded_lines(), whole_recurrences():
            if isinstance(model, torch.fx.GraphModule):
                # Its code is generated, and changes nothing in Python.
                return Exported(export())
            return export_with_state(model, export)
    except PythonStateError as error:
        raise ImportModelError("export", str(error)) from error
    except Exception as error:
        frames = written_by_the_user(frames_of_error(error))
        place = frames[-1] if frames else None
        reason = why_not_exported(error, place)
        source = None if place is None else str(place)
        raise ImportModelError("export", reason, source=source) from error


def _export(
    model: torch.nn.Module,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    dynamic_shapes: Any,
) -> ExportedProgram:
    try:
        with undone_transforms():
            program = torch.export.export(
                model, arguments, keywords, dynamic_shapes=dynamic_shapes, strict=False
            )
        if not has_transforms(program):
            # Inner graphs first: they may be all that uses a size of an outer one.
            for module in reversed(graphs_of(program.graph_module)):
                drop_unused_sizes(module)
            return program
    except Exception as error:
        if not failed_in_transforms(error):
            raise
    with undone_transforms():
        return export_below_transforms(model, arguments, keywords, dynamic_shapes)


def prepare_program(
    program: ExportedProgram,
    *,
    decompose: bool,
    reuse: bool = False,
    table: Mapping[OpOverload, Any] | None = None,
) -> ExportedProgram:
    """Transform a program for the import; the argument is not modified.

    With `reuse` it may be, which saves tracing it again if nothing must be rewritten. In-place
    operators are functionalized, and regions that only set gradient or autocast modes are inlined.
    With `decompose`, composite operators are decomposed to core ATen, or by `table`; else they are
    kept. Mutated buffers become results, after the model's own.

    Raises:
        ImportModelError: a decomposition failed; names the node and line of the model.
    """
    program = _with_functional_collectives(with_plain_nesting(program))
    try:
        with _quiet_trace(), recorded_lines(), undone_transforms():
            if decompose:
                prepared = _decompose(program, table)
            elif reuse and _is_plain(program):
                prepared = program
            else:
                prepared = _functionalize(program)
    except Exception as error:
        node, source = _failed_node(str(error))
        reason = why_not_exported(error, None)
        raise ImportModelError("decompose", reason, node=node, source=source) from error
    drop_tokens(prepared)
    for module in graphs_of(prepared.graph_module):
        locate_assertions(module.graph)
        use_operators_on_sizes(module.graph)
        make_dtypes_explicit(module.graph)
        select_scalar_overloads(module.graph)
    _simplify_results(prepared)
    return prepared


def functional_program(program: ExportedProgram) -> ExportedProgram:
    """The same program without in-place operators; the argument is not modified.

    Raises:
        ImportModelError: PyTorch fails to rewrite it.
    """
    program = _with_functional_collectives(with_plain_nesting(program))
    try:
        with _quiet_trace(), undone_transforms():
            functional = _functionalize(program)
            drop_tokens(functional)
            return functional
    except Exception as error:
        node, source = _failed_node(str(error))
        reason = why_not_exported(error, None)
        raise ImportModelError("decompose", reason, node=node, source=source) from error


def _with_functional_collectives(program: ExportedProgram) -> ExportedProgram:
    """The program with collectives that return new tensors; the argument is not modified."""
    module = without_written_operands(program.graph_module)
    if module is program.graph_module:
        return program
    changed = copy.copy(program)
    changed._graph_module = module
    # PyTorch would trace the original module to check the guards.
    changed.example_inputs = None
    return changed


def _is_plain(program: ExportedProgram) -> bool:
    """Whether a program consists only of functional operators."""
    outputs = program.graph_signature.output_specs
    return all(spec.kind == OutputKind.USER_OUTPUT for spec in outputs) and all(
        isinstance(node.target, OpOverload) and not node.target._schema.is_mutable
        for node in program.graph.nodes
        if node.op == "call_function" and node.target is not operator.getitem
    )


def _functionalize(program: ExportedProgram) -> ExportedProgram:
    functional: ExportedProgram = program.run_decompositions({})
    return functional


def _decompose(program: ExportedProgram, table: Mapping[OpOverload, Any] | None) -> ExportedProgram:
    chosen = default_decompositions() if table is None else table
    chosen = dict(chosen)
    expanded = expand(program, chosen)
    if expanded is not None:
        return expanded
    try:
        decomposed: ExportedProgram = program.run_decompositions(chosen)
        return decomposed
    except ValueError as error:
        if "Cannot view a tensor" not in str(error):
            raise
    # A decomposition may return other strides than the operator (attention on CPU, for one), for
    # which a view of the result may be invalid. A reshape is the same view if there is one and a
    # copy otherwise; that is safe once nothing is written in place.
    functional = _functionalize(program)
    for node in functional.graph.nodes:
        if node.target is torch.ops.aten.view.default:
            node.target = torch.ops.aten.reshape.default
    decomposed = functional.run_decompositions(chosen)
    return decomposed


def _simplify_results(program: ExportedProgram) -> None:
    """Make each new value of a buffer or parameter a result, after the model's own.

    Symbolic floats and bools among the results are declared as ints, the only kind of symbolic
    scalar that the importer accepts; it takes the type from the value.
    """
    changed = {OutputKind.BUFFER_MUTATION, OutputKind.PARAMETER_MUTATION}
    specs = program.graph_signature.output_specs
    for spec in specs:
        if isinstance(spec.arg, (SymFloatArgument, SymBoolArgument)):
            spec.arg = SymIntArgument(spec.arg.name)
    own = [spec for spec in specs if spec.kind not in changed]
    values = [(spec.arg, spec.target) for spec in specs if spec.kind in changed]
    specs[:] = own + [OutputSpec(OutputKind.USER_OUTPUT, *each) for each in values]


@contextmanager
def _quiet_trace() -> Iterator[None]:
    """Disable gradients and guards about layouts, and suppress PyTorch's own output.

    That output is a deprecation warning about its own code, a warning that it finds no line of the
    model for a scalar, and the partial graph of a failed export, on stderr.
    """
    trace: Any = import_module("torch.export._trace")
    log = logging.getLogger("torch.fx.experimental.symbolic_shapes")
    with torch.no_grad(), warnings.catch_warnings(), without_layout_guards(), quick_stacks():
        warnings.filterwarnings("ignore", message=r".*LeafSpec.*", category=FutureWarning)
        # `python_state/` does what it advises.
        warnings.filterwarnings("ignore", message=r"The tensor attributes? .* assigned during")
        log.addFilter(_is_about_the_model)
        trace.print = _print_nothing
        try:
            yield
        finally:
            log.removeFilter(_is_about_the_model)
            trace.__dict__.pop("print", None)


def _is_about_the_model(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith("Unable to find user code")


def _print_nothing(*values: Any, **options: Any) -> None:
    """A replacement for `print`."""


def _failed_node(message: str) -> tuple[str | None, str | None]:
    found = _FAILED_NODE.search(message)
    frames = written_by_the_user(frames_in_text(message))
    node = f"{found[1]} ({found[2]})" if found else None
    return node, str(frames[-1]) if frames else None
