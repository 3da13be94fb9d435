"""Compiling PyTorch models: what they take and return is nested, and they have state."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.utils import _pytree as pytree
from torch_refine.importer.arguments import kind_of, positional, refuse_examples
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import LoweringInput, import_for_lowering
from torch_refine.importer.strides import Lying, lying_of, take_as_they_lie
from torch_refine.runtime.compiled import CompiledModule, _bytecode, driver_for
from torch_refine.runtime.compiler import CompileError, Options
from torch_refine.runtime.examples import told_apart
from torch_refine.runtime.gradients import Gradients
from torch_refine.runtime.model_weights import ModelWeights
from torch_refine.runtime.nesting import Nesting
from torch_refine.runtime.overlaps import refuse_overlaps, refuse_shared_state, refuse_unwritable
from torch_refine.runtime.state import Held
from torch_refine.runtime.tensors import ArrayKind
from torch_refine.runtime.weights import FixedWeights, Weights


def compile_model(
    model: Any,
    example_inputs: Any,
    dynamic_shapes: Any,
    options: Options,
    kwargs: Mapping[str, Any] | None = None,
) -> CompiledModule:
    """Compile a `torch.nn.Module` or an `ExportedProgram`."""
    if isinstance(model, ExportedProgram):
        refuse_examples(example_inputs, kwargs, dynamic_shapes)
        return compile_program(model, options)
    if not isinstance(model, torch.nn.Module):
        raise TypeError(
            f"expected a torch.nn.Module, an ExportedProgram or a module, not {kind_of(model)}"
        )
    examples, keywords = told_apart((positional(example_inputs), dict(kwargs or {})))
    program = export_program(model, examples, keywords, dynamic_shapes)
    return compile_program(program, options, model)


def compile_program(
    program: ExportedProgram, options: Options, model: torch.nn.Module | None = None
) -> CompiledModule:
    """Compile an exported program, whose weights are those of a live model, if there is one."""
    found = import_for_lowering(program)
    weights: Weights = FixedWeights(found.state, found.state_names)
    if model is not None:
        weights = ModelWeights(model, found.state, found.state_names)
    driver = driver_for(options, None if options.target == "cpu" else _device(program, found))
    if driver is not None:
        options = replace(options, chip=driver.chip)
    lying = _lying(program, found)
    take_as_they_lie(found.module, {len(found.state) + i: each for i, each in lying.items()})
    orders = {index: each.order for index, each in lying.items() if each.order is not None}
    bytecode = _bytecode(found.module)
    signature = None if model is None else inspect.signature(model.forward)
    interface = _Nested(found, Gradients.of(program), signature)
    return CompiledModule(bytecode, options, weights, orders, interface, driver)


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

    def __init__(
        self, found: LoweringInput, gradients: Gradients, signature: inspect.Signature | None
    ) -> None:
        self.gradients = gradients
        self._nesting = Nesting(found.input_spec, found.input_names, signature, found.constants)
        self._output_spec = found.output_spec
        self._constant_results = found.constant_results
        count = found.input_spec.num_leaves
        flat = pytree.tree_structure(((0,) * count, {}))
        self._flat_count = count if found.input_spec == flat and not found.constants else None
        self._is_lone = found.output_spec == pytree.tree_structure(0)
        self._first = len(found.state)
        self._changed = found.changed
        self._whole = found.whole
        self._names = found.state_names
        self._checked = 0

    def flatten(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> list[Any]:
        """The inputs that are no constants, in order."""
        # PyTorch's way takes as long as a small program.
        is_simple = len(inputs) == self._flat_count and not keywords
        if is_simple and all(isinstance(each, torch.Tensor) for each in inputs):
            return list(inputs)
        return self._nesting.leaves(inputs, keywords)

    def check(self, values: Sequence[Any], held: Held | None) -> None:
        """See whether what is written to can be, before anything is.

        Raises:
            OverlapError: it is where something else is, or two of its elements are one.
            ValueError: it is read-only; or the program reads the memory of an input that does not
                lie there row by row.
        """
        for place, from_start in self._whole.items():
            _refuse_parts(values[place], from_start, place)
        if not self._changed:
            return
        for place in self._changed:
            if place >= self._first:
                refuse_unwritable(values[place - self._first], f"input {place - self._first}")
        if held is None:
            refuse_overlaps([], values, self._changed)
            return
        if held.serial != self._checked:
            refuse_shared_state(held.extents, self._names, self._changed)
            self._checked = held.serial
        refuse_overlaps(held.extents, values, self._changed)

    def finish(
        self, results: list[Any], values: Sequence[Any], arrays: ArrayKind, held: Held | None
    ) -> Any:
        """Write to what the model writes to; its own results, as they are nested."""
        own = len(results) - len(self._changed)
        for place, new in zip(self._changed, results[own:], strict=True):
            if place < self._first:
                assert held is not None, "there is state"
                arrays.write(held.tensors[place], new)
            else:
                arrays.write(values[place - self._first], new)
        if self._is_lone and own == 1:
            return results[0]
        leaves = results[:own]
        for place, value in self._constant_results.items():
            leaves.insert(place, value)
        return pytree.tree_unflatten(leaves, self._output_spec)


def _refuse_parts(value: Any, from_start: bool, place: int) -> None:
    """Raise ValueError for an input that is a part of its storage, or in another order."""
    if not isinstance(value, torch.Tensor):
        is_whole = value.flags.c_contiguous
    else:
        is_whole = value.is_contiguous() and not (from_start and value.storage_offset())
    if not is_whole:
        raise ValueError(
            f"input {place} must be contiguous, from the start of its storage: `as_strided` "
            "reads it"
        )
