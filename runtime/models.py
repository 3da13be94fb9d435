"""Compiling PyTorch models: what they take and return is nested, and they have state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.utils import _pytree as pytree
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import LoweringInput, import_for_lowering
from torch_refine.runtime.compiled import CompiledModule, _bytecode
from torch_refine.runtime.compiler import CompileError, Options


def compile_model(
    model: Any, example_inputs: Sequence[Any], dynamic_shapes: Any, options: Options
) -> CompiledModule:
    """Compile a `torch.nn.Module` or an `ExportedProgram`."""
    if isinstance(model, ExportedProgram):
        program = model
    elif isinstance(model, torch.nn.Module):
        program = export_program(model, tuple(example_inputs), {}, dynamic_shapes)
    else:
        given = type(model).__name__
        raise TypeError(f"expected a torch.nn.Module, an ExportedProgram or a module, not {given}")
    return compile_program(program, options)


def compile_program(program: ExportedProgram, options: Options) -> CompiledModule:
    """Compile an exported program."""
    found = import_for_lowering(program)
    changed = [found.state[found.state_names.index(name)].detach() for name in _buffers(found)]

    def unflatten(results: list[Any]) -> Any:
        own = len(results) - len(changed)
        for buffer, value in zip(changed, results[own:], strict=True):
            buffer.copy_(value)
        return pytree.tree_unflatten(results[:own], found.output_spec)

    return CompiledModule(
        _bytecode(found.module), options, found.state, _flattener(found), unflatten
    )


def _buffers(found: LoweringInput) -> list[str]:
    """The buffers that a call changes; CompileError if it changes anything else."""
    others = [name for name in found.changed if name not in found.state_names]
    if others:
        raise CompileError(f"the model writes to its input {others[0]}, which is not supported")
    return found.changed


def _flattener(found: LoweringInput) -> Any:
    """What makes a list of the inputs that a model was called with."""

    def flatten(inputs: tuple[Any, ...], keywords: dict[str, Any]) -> list[Any]:
        leaves, spec = pytree.tree_flatten((inputs, keywords))
        if spec != found.input_spec:
            raise TypeError(f"the inputs are nested like {spec}, expected {found.input_spec}")
        for place, value in found.constants.items():
            if leaves[place] != value:
                raise ValueError(
                    f"input {place} is {leaves[place]!r}; the program was compiled for {value!r}"
                )
        return [leaf for place, leaf in enumerate(leaves) if place not in found.constants]

    return flatten
