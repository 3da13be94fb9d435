"""Compile a program in parts, with PyTorch for what has no lowering."""

from __future__ import annotations

import logging
from collections import Counter

from torch.export import ExportedProgram
from torch.export.graph_signature import ConstantArgument, InputKind, OutputKind
from torch.fx import Node
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.export import functional_program
from torch_refine.importer.guards import guards_of
from torch_refine.importer.lowering import Calling
from torch_refine.runtime.compiled_module import CompiledModule
from torch_refine.runtime.compiling.compiler import CompileError, Options
from torch_refine.runtime.partition.partitioned import PartitionedModule
from torch_refine.runtime.partition.parts import Parts
from torch_refine.runtime.partition.subprograms import Part, Source, as_program
from torch_refine.runtime.partition.values import is_communication
from torch_refine.runtime.torch_models.gradients import Gradients
from torch_refine.runtime.torch_models.model_weights import LiveModel
from torch_refine.runtime.torch_models.models import ModelInterface, compile_program, weights_of

_log = logging.getLogger("torch_refine")
_CHANGED_STATE = (OutputKind.BUFFER_MUTATION, OutputKind.PARAMETER_MUTATION)
_CHANGED_INPUTS = (OutputKind.USER_INPUT_MUTATION,)
_SHOWN = 5


def compile_or_split(
    program: ExportedProgram, options: Options, model: LiveModel | None = None
) -> CompiledModule | PartitionedModule:
    """Compile a program whole if that is possible, else in parts; raises as `compile_in_parts`."""
    if not any(map(is_communication, program.graph.nodes)):
        try:
            return compile_program(program, options, model)
        except (CompileError, ImportModelError) as error:
            _log.debug("the program is compiled in parts: %s", error)
    return compile_in_parts(program, options, model)


def compile_in_parts(
    program: ExportedProgram, options: Options, model: LiveModel | None = None
) -> PartitionedModule:
    """Compile a program; PyTorch runs the operators that cannot be compiled.

    Raises:
        CompileError: the program's inputs, or its state, cannot be passed.
        ImportModelError: it cannot be made functional, or has guards that cannot be checked.
    """
    whole = functional_program(program)
    entry = _compiled_entry(program, options)
    parts = Parts.of(Source.of(whole), options, model, tried=True)
    found = _callable(program, whole, parts, entry, model)
    note(parts)
    return found


def _compiled_entry(program: ExportedProgram, options: Options) -> CompiledModule:
    """A program that only checks the inputs."""
    inputs = _inputs(program)
    checked = as_program(Source.of(program), Part([], inputs, []), [])
    return compile_program(checked, options, guards=guards_of(program, 0))


def _inputs(program: ExportedProgram) -> list[Node]:
    """The placeholders of the inputs that are no constants."""
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    return [
        nodes[spec.arg.name]
        for spec in program.graph_signature.input_specs
        if spec.kind == InputKind.USER_INPUT and not isinstance(spec.arg, ConstantArgument)
    ]


def _callable(
    program: ExportedProgram,
    whole: ExportedProgram,
    parts: Parts,
    entry: CompiledModule,
    model: LiveModel | None,
) -> PartitionedModule:
    """The parts as a program; `whole` is `program` made functional."""
    signature = whole.graph_signature
    taken = [spec for spec in signature.input_specs if spec.kind == InputKind.USER_INPUT]
    constants = {
        place: spec.arg.value
        for place, spec in enumerate(taken)
        if isinstance(spec.arg, ConstantArgument)
    }
    outputs = list(zip(signature.output_specs, parts.source.returned, strict=True))
    own = [pair for pair in outputs if pair[0].kind == OutputKind.USER_OUTPUT]
    constant_results = {
        place: spec.arg.value if isinstance(spec.arg, ConstantArgument) else value
        for place, (spec, value) in enumerate(own)
        if not isinstance(value, Node)
    }
    results = [value for _, value in own if isinstance(value, Node)]
    inputs = _inputs(whole)
    names = [str(spec.target) for spec in parts.source.specs.values()]
    arguments = [*names, *(node.name for node in inputs)]
    changed = []
    for kinds in (_CHANGED_STATE, _CHANGED_INPUTS):
        for spec, value in outputs:
            if spec.kind in kinds:
                changed.append(arguments.index(str(spec.target)))
                results.append(value)
    call = program.call_spec
    graph_call = program.module_call_graph[0].signature
    calling = Calling(
        names,
        call.in_spec,
        call.out_spec,
        constants,
        changed,
        input_names=(None if graph_call is None else graph_call.forward_arg_names) or [],
        constant_results=constant_results,
    )
    interface = ModelInterface(calling, Gradients.of(program), model)
    return PartitionedModule(
        parts.connected(inputs, results),
        entry,
        parts.parts,
        parts.inner,
        parts.operators,
        weights_of(model, parts.source.state, names),
        interface,
    )


def note(found: Parts) -> None:
    """Log which operators run in PyTorch and why, if any do."""
    if not found.operators:
        return
    kinds = Counter((each.name, each.reason) for each in found.operators)
    shown = [f"{name} ({n}): {reason}" for (name, reason), n in kinds.most_common(_SHOWN)]
    compiled = sum(part.operators for part in (*found.parts, *found.inner))
    _log.warning(
        "%d of %d operators run in PyTorch: %s%s",
        len(found.operators),
        len(found.operators) + compiled,
        "; ".join(shown),
        "; …" if len(kinds) > _SHOWN else "",
    )
