"""Compiling PyTorch models: what they take and return is nested, and they have state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.utils import _pytree as pytree
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import LoweringInput, import_for_lowering
from torch_refine.importer.strides import Lying, lying_of, take_as_they_lie
from torch_refine.runtime.compiled import CompiledModule, _bytecode, driver_for
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
    driver = driver_for(options, None if options.target == "cpu" else _device(program, found))
    if driver is not None:
        options = replace(options, chip=driver.chip)
    lying = _lying(program, found)
    take_as_they_lie(found.module, {len(found.state) + i: each for i, each in lying.items()})
    orders = {index: each.order for index, each in lying.items() if each.order is not None}
    changed = [found.state[found.state_names.index(name)].detach() for name in _buffers(found)]

    is_lone = found.output_spec == pytree.tree_structure(0)

    def unflatten(results: list[Any]) -> Any:
        own = len(results) - len(changed)
        for buffer, value in zip(changed, results[own:], strict=True):
            buffer.copy_(value)
        if is_lone and own == 1:
            return results[0]
        return pytree.tree_unflatten(results[:own], found.output_spec)

    bytecode = _bytecode(found.module)
    return CompiledModule(
        bytecode, options, found.state, orders, _flattener(found), unflatten, driver
    )


def _device(program: ExportedProgram, found: LoweringInput) -> torch.device | None:
    """Where a model and the examples of its inputs are; None if it has neither."""
    inputs = pytree.tree_leaves(program.example_inputs or ())
    tensors = [*found.state, *(leaf for leaf in inputs if isinstance(leaf, torch.Tensor))]
    devices = {tensor.device for tensor in tensors}
    if len(devices) > 1:
        shown = " and ".join(sorted(map(str, devices)))
        raise CompileError(f"the model and its inputs are on {shown}; they must be on one device")
    return next(iter(devices), None)


def _lying(program: ExportedProgram, found: LoweringInput) -> dict[int, Lying]:
    """How the examples of the inputs lie, where that is not row by row, by the inputs' numbers."""
    if program.example_inputs is None:
        return {}
    leaves = pytree.tree_leaves(program.example_inputs)
    given = [leaf for place, leaf in enumerate(leaves) if place not in found.constants]
    return {
        index: lying
        for index, leaf in enumerate(given)
        if isinstance(leaf, torch.Tensor)
        and leaf.layout == torch.strided
        and (lying := lying_of(tuple(leaf.shape), leaf.stride())) is not None
    }


def _buffers(found: LoweringInput) -> list[str]:
    """The buffers that a call changes; CompileError if it changes anything else."""
    others = [name for name in found.changed if name not in found.state_names]
    if others:
        raise CompileError(f"the model writes to its input {others[0]}, which is not supported")
    return found.changed


def _flattener(found: LoweringInput) -> Any:
    """What makes a list of the inputs that a model was called with."""

    count = found.input_spec.num_leaves
    is_flat = found.input_spec == pytree.tree_structure(((0,) * count, {})) and not found.constants

    def flatten(inputs: tuple[Any, ...], keywords: dict[str, Any]) -> list[Any]:
        # PyTorch's way takes as long as a small program.
        is_simple = is_flat and not keywords and len(inputs) == count
        if is_simple and all(isinstance(each, torch.Tensor) for each in inputs):
            return list(inputs)
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
