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
from torch_refine.runtime.overlaps import Extent, refuse_overlaps
from torch_refine.runtime.tensors import ArrayKind


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
    bytecode = _bytecode(found.module)
    return CompiledModule(bytecode, options, found.state, orders, _Nested(found), driver)


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


class _Nested:
    """What a model takes and returns, as it is nested; what it writes to."""

    def __init__(self, found: LoweringInput) -> None:
        self._input_spec = found.input_spec
        self._output_spec = found.output_spec
        self._constants = found.constants
        count = found.input_spec.num_leaves
        flat = pytree.tree_structure(((0,) * count, {}))
        self._flat_count = count if found.input_spec == flat and not found.constants else None
        self._is_lone = found.output_spec == pytree.tree_structure(0)
        first = len(found.state)
        self._changed = found.changed
        self._state = [Extent.of(each) for each in found.state] if found.changed else []
        self._buffers = {
            place: found.state[place].detach() for place in found.changed if place < first
        }
        self._written = {place: place - first for place in found.changed if place >= first}

    def flatten(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> list[Any]:
        """The inputs that are no constants, in order."""
        # PyTorch's way takes as long as a small program.
        is_simple = len(inputs) == self._flat_count and not keywords
        if is_simple and all(isinstance(each, torch.Tensor) for each in inputs):
            return list(inputs)
        leaves, spec = pytree.tree_flatten((inputs, keywords))
        if spec != self._input_spec:
            raise TypeError(f"the inputs are nested like {spec}, expected {self._input_spec}")
        for place, value in self._constants.items():
            if not _is_same(leaves[place], value):
                raise ValueError(
                    f"input {place} is {leaves[place]!r}; the program was compiled for {value!r}"
                )
        return [leaf for place, leaf in enumerate(leaves) if place not in self._constants]

    def check(self, values: Sequence[Any]) -> None:
        """OverlapError if what is written to lies where something else does."""
        if self._changed:
            refuse_overlaps(self._state, values, self._changed)

    def finish(self, results: list[Any], values: Sequence[Any], arrays: ArrayKind) -> Any:
        """Write to what the model writes to; its own results, as they are nested."""
        own = len(results) - len(self._changed)
        for place, new in zip(self._changed, results[own:], strict=True):
            if place in self._buffers:
                self._buffers[place].copy_(new)
            else:
                arrays.write(values[self._written[place]], new)
        if self._is_lone and own == 1:
            return results[0]
        return pytree.tree_unflatten(results[:own], self._output_spec)


def _is_same(given: Any, constant: Any) -> bool:
    """Whether a program that was compiled for a constant may be given a value."""
    # 2 and 2.0 are equal, and make tensors of other dtypes; so are 0.0 and -0.0. NaN is not.
    return type(given) is type(constant) and repr(given) == repr(constant)
