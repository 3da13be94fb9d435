"""Compile PyTorch models, with nested inputs and results, and state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import torch
from torch.export import ExportedProgram
from torch.utils import _pytree as pytree
from torch_refine.dialect.guards import Guard
from torch_refine.importer.arguments import kind_of, positional, refuse_examples
from torch_refine.importer.export import export_model
from torch_refine.importer.lowering import (
    Calling,
    LoweringInput,
    import_for_lowering,
    mark_updates,
)
from torch_refine.importer.strides import InputLayout, input_layout, set_input_layouts
from torch_refine.runtime.compiled_module import CompiledModule, bytecode_of
from torch_refine.runtime.compiling import progress
from torch_refine.runtime.compiling.compiler import Options
from torch_refine.runtime.options import driver_for
from torch_refine.runtime.state.weights import FixedWeights, Weights
from torch_refine.runtime.torch_models.examples import without_aliases
from torch_refine.runtime.torch_models.gradients import Gradients
from torch_refine.runtime.torch_models.imports import imported
from torch_refine.runtime.torch_models.interface import Interface
from torch_refine.runtime.torch_models.model_weights import LiveModel, ModelWeights
from torch_refine.runtime.torch_models.nesting import Nesting
from torch_refine.runtime.torch_models.pytrees import flattened

Built = TypeVar("Built")


def compile_model(
    model: Any,
    example_inputs: Any,
    dynamic_shapes: Any,
    options: Options,
    kwargs: Mapping[str, Any] | None = None,
) -> CompiledModule:
    """Compile a `torch.nn.Module` or an `ExportedProgram` to machine code."""
    return build_model(
        model, example_inputs, dynamic_shapes, options, kwargs, build=compile_program
    )


def build_model(
    model: Any,
    example_inputs: Any,
    dynamic_shapes: Any,
    options: Options,
    kwargs: Mapping[str, Any] | None,
    *,
    build: Callable[[ExportedProgram, Options, LiveModel | None], Built],
) -> Built:
    """Compile a `torch.nn.Module` or an `ExportedProgram` by `build`."""
    if isinstance(model, ExportedProgram):
        refuse_examples(example_inputs, kwargs, dynamic_shapes)
        return build(model, options, None)
    if not isinstance(model, torch.nn.Module):
        raise TypeError(
            f"expected a torch.nn.Module, an ExportedProgram or a module, not {kind_of(model)}"
        )
    examples, keywords = without_aliases((positional(example_inputs), dict(kwargs or {})))
    progress.stage("exporting the model")
    exported = export_model(model, examples, keywords, dynamic_shapes)
    live = LiveModel(model, exported.assigned, exported.unread, exported.reads)
    return build(exported.program, options, live)


def compile_program(
    program: ExportedProgram,
    options: Options,
    model: LiveModel | None = None,
    guards: Sequence[Guard] | None = None,
) -> CompiledModule:
    """Compile an exported program, whose weights are those of a live model, if given.

    `guards` are those of a program that was split into this one and others.
    """
    progress.stage("importing the program")
    on_cpu = options.target == "cpu"
    found = (imported if on_cpu else import_for_lowering)(program, guards)
    driver = driver_for(options, None if on_cpu else _device(program, found))
    state = found.state if driver is None else _on_device(found, driver.device)
    weights = weights_of(model, state, found.state_names)
    if driver is not None:
        options = replace(options, chip=driver.chip)
    layouts = _input_layouts(program, found)
    set_input_layouts(found.module, {len(found.state) + i: each for i, each in layouts.items()})
    orders = {index: each.order for index, each in layouts.items() if each.order is not None}
    if driver is None:
        assigned = () if model is None else model.places_of_assigned(found.state_names)
        kept = {len(found.state) + index for index in layouts} | set(assigned)
        mark_updates(found.module, found.changed, kept)
    bytecode = bytecode_of(found.module)
    interface = ModelInterface(found, Gradients.of(program), model)
    return CompiledModule(bytecode, options, weights, orders, interface, driver)


def weights_of(
    model: LiveModel | None, tensors: Sequence[torch.Tensor], names: Sequence[str]
) -> Weights:
    """The weights of a live model, or those of a program without one."""
    return FixedWeights(tensors, names) if model is None else ModelWeights(model, tensors, names)


def _device(program: ExportedProgram, found: LoweringInput) -> torch.device | None:
    """The device of a model and its example inputs; None if it has neither."""
    inputs = pytree.tree_leaves(program.example_inputs or ())
    weights = [each for place, each in enumerate(found.state) if place not in found.literals]
    tensors = [*weights, *(leaf for leaf in inputs if isinstance(leaf, torch.Tensor))]
    return next((tensor.device for tensor in tensors), None)


def _on_device(found: LoweringInput, device: torch.device) -> list[torch.Tensor]:
    """The state of a program for a device, to which immutable constants are copied."""
    return [
        tensor.to(device) if place in found.literals else tensor
        for place, tensor in enumerate(found.state)
    ]


def _input_layouts(program: ExportedProgram, found: LoweringInput) -> dict[int, InputLayout]:
    """The layouts of non-contiguous example inputs, by index."""
    if program.example_inputs is None:
        return {}
    leaves = pytree.tree_leaves(program.example_inputs)
    given = [leaf for place, leaf in enumerate(leaves) if place not in found.constants]
    return {
        index: layout
        for index, leaf in enumerate(given)
        if isinstance(leaf, torch.Tensor)
        and leaf.layout == torch.strided
        and (layout := input_layout(tuple(leaf.shape), leaf.stride())) is not None
    }


_PLAIN = {torch.Tensor}


class ModelInterface(Interface):
    """The interface of a model, whose inputs and results are PyTorch pytrees."""

    def __init__(self, found: Calling, gradients: Gradients, model: LiveModel | None) -> None:
        signature = None if model is None else model.signature
        self.input_spec = found.input_spec
        positional, keywords = found.input_spec.children()
        specs = [*positional.children(), *keywords.children()]
        names = found.input_names
        if len(names) != len(specs):
            generic = [f"args_{place}" for place in range(positional.num_children)]
            names = [*generic, *map(str, keywords.context or ())]
        super().__init__(
            Nesting(specs, positional.num_children, names, flattened, signature, found.constants),
            self._built,
            gradients,
            constant_results=found.constant_results,
            changed=found.changed,
            whole=found.whole,
            state_names=found.state_names,
            assigned=() if model is None else model.places_of_assigned(found.state_names),
        )
        self.result_spec = found.output_spec
        count = found.input_spec.num_leaves
        flat = pytree.tree_structure(((0,) * count, {}))
        self._flat_count = count if found.input_spec == flat and not found.constants else None
        self._is_lone = found.output_spec == pytree.tree_structure(0)

    def flatten(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> list[Any]:
        """The non-constant inputs, in the order of the program's parameters."""
        # PyTorch's pytree functions take as long as a small program.
        is_simple = len(inputs) == self._flat_count and not keywords
        if is_simple and set(map(type, inputs)) == _PLAIN:
            return list(inputs)
        if is_simple and all(isinstance(each, torch.Tensor) for each in inputs):
            return _waited(inputs)
        leaves, spec = pytree.tree_flatten((inputs, keywords))
        if spec == self.input_spec:
            return _waited(self.nesting.without_constants(leaves))
        return _waited(super().flatten(inputs, keywords))

    def _built(self, leaves: list[Any]) -> Any:
        if self._is_lone:
            return leaves[0]
        return pytree.tree_unflatten(leaves, self.result_spec)


def _waited(leaves: Sequence[Any]) -> list[Any]:
    """The leaves, where tensors that a collective still writes to are waited for."""
    # By name: the class is part of torch.distributed, which a platform may lack.
    return [
        each.wait() if type(each).__name__ == "AsyncCollectiveTensor" else each for each in leaves
    ]
