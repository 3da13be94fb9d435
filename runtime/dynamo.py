"""The backend of `torch.compile`: `torch.compile(model, backend="torch_refine")`.

PyTorch finds it through the entry point `torch_dynamo_backends`. Operators without lowering run in
PyTorch, between compiled parts of the graph; a graph that cannot be exported runs eagerly. A log
line of `torch_refine` says which and why.
"""

from __future__ import annotations

import copy
import logging
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch._C._functorch import is_functorch_wrapped_tensor
from torch._dynamo.exc import RestartAnalysis
from torch._guards import tracing
from torch.export import Dim
from torch.fx.experimental.symbolic_shapes import statically_known_true
from torch.utils._python_dispatch import is_traceable_wrapper_subclass
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.export import export_program
from torch_refine.passes.lowering.exported.collectives import without_written_operands
from torch_refine.passes.lowering.exported.higher_order import without_nested_regions
from torch_refine.runtime.calls.guards import GuardError
from torch_refine.runtime.calls.overlaps import OverlapError
from torch_refine.runtime.calls.signature import TensorParameter
from torch_refine.runtime.calls.tensors import TorchTensors
from torch_refine.runtime.compiled_module import CompiledModule
from torch_refine.runtime.compiling.collector import few_collections
from torch_refine.runtime.compiling.compiler import CompileError, Options
from torch_refine.runtime.compiling.progress import shown, stage
from torch_refine.runtime.options import TARGETS, options_of
from torch_refine.runtime.partition.building import compile_or_split, note
from torch_refine.runtime.partition.partitioned import PartitionedModule, PartitionedState
from torch_refine.runtime.partition.timed import communications, refuse_repetition
from torch_refine.runtime.refusals import GradientError, WeightError
from torch_refine.runtime.state.state import State
from torch_refine.runtime.torch_models.aliases import GraphResults, UnknownView
from torch_refine.runtime.torch_models.examples import without_aliases
from torch_refine.runtime.torch_models.models import compile_program
from torch_refine.runtime.training import compile_for_training

AnyState = State | PartitionedState

_log = logging.getLogger("torch_refine")
# An unused set of weights is dropped after this many calls with others.
_MAX_CALLS = 1000
# Errors of a call for which the graph runs eagerly.
_REFUSALS = (GuardError, OverlapError, WeightError, GradientError, TypeError)
_MODES = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")


class _Unsupported(Exception):
    """A graph that is not compiled; the message says why."""


def backend(
    graph: torch.fx.GraphModule,
    example_inputs: Sequence[Any],
    *,
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Callable[..., Any]:
    """A compiled function for a graph, or the graph itself.

    `options` are those of `torch_refine.compile`: `opt_level`, `threads`, `fast_math`, `cpu`,
    `features`. PyTorch's modes are accepted and equivalent: code is always compiled for speed.

    Raises:
        TypeError, ValueError: an option or a mode is unknown, or has an invalid value.
    """
    if mode is not None and mode not in _MODES:
        raise ValueError(f"there is no mode {mode!r}; the modes are {', '.join(_MODES)}")
    graph = without_written_operands(without_nested_regions(graph))

    def eagerly(reason: object) -> None:
        _log.warning("a graph of %d operators runs eagerly: %s", _operators(graph), reason)

    try:
        target = _target(graph, example_inputs)
        chosen = options_of(target, **(options or {}))
        if _needs_gradients(graph, example_inputs) or _has_wrappers(graph, example_inputs):
            if target != "cpu":
                raise _Unsupported(
                    "gradients, DTensors and torch.func are compiled for the CPU only"
                )
            return compile_for_training(graph, example_inputs, chosen, note)
    except (_Unsupported, CompileError, ImportModelError) as error:
        eagerly(error)
        return graph.forward
    try:
        rewritten = _Rewritten.of(graph, example_inputs)
        with shown(), few_collections():
            compiled = rewritten.compile(chosen)
    except CompileError as error:
        eagerly(error)
        return graph.forward
    except (_Unsupported, ImportModelError) as error:
        if target == "cpu":
            try:
                # AOTAutograd has no export, and rebuilds the views of inputs that are results. It
                # takes weights as inputs, so this is slower.
                return compile_for_training(graph, example_inputs, chosen, note)
            except RestartAnalysis:
                # PyTorch traces the model again, with a number as a constant.
                raise
            except Exception as other:
                # Whatever PyTorch raises of a graph that it cannot trace.
                _log.debug("AOTAutograd fails: %s: %s", type(other).__name__, other)
        eagerly(error)
        return graph.forward

    bound = _Bound(compiled, rewritten)

    def call(*inputs: Any) -> Any:
        before = communications.started
        try:
            found = bound.run(inputs)
        except _REFUSALS as error:
            refuse_repetition(before, error)
            # PyTorch recompiles for sizes that change the program; the export may require more. It
            # also has guards on gradients and tensor types, which can be disabled.
            eagerly(error)
            return graph.forward(*inputs)
        return rewritten.results.make(found, inputs)

    return call


class _Bound:
    """A program bound to the weights of a call.

    PyTorch calls one graph with the weights of several modules, such as layers that are compiled
    individually, and with replaced weights. Each set of weights is a separate state, which is
    prepared once.
    """

    def __init__(self, compiled: CompiledModule | PartitionedModule, rewritten: _Rewritten) -> None:
        # Each takes its own kind of state.
        self._compiled: Any = compiled
        self._kept = rewritten.kept
        self._places = list(rewritten.bound)
        names = {f"bound_{place}": index for index, place in enumerate(self._places)}
        state = compiled.state
        # Other state of a program is a constant of the graph.
        self._order = [names.get(name) for name in (() if state is None else state.names)]
        self._states: dict[tuple[int, ...], _Used] = {}
        self._calls = 0
        self._last: tuple[Sequence[Any], AnyState | None] = [], state
        if self._places:
            given = list(rewritten.bound.values())
            self._last = given, self._state_of(given)

    def run(self, inputs: Sequence[Any]) -> Any:
        """Call the program.

        Raises:
            WeightError: it was not compiled for the weights.
            GradientError: a gradient is required.
        """
        given = [inputs[place] for place in self._places]
        last, state = self._last
        if not all(map(operator.is_, given, last)):
            state = self._state_of(given)
            self._last = given, state
        taken = tuple(inputs[place] for place in self._kept)
        if torch.is_grad_enabled() and (
            (state is not None and state.current().requiring)
            or any(isinstance(each, torch.Tensor) and each.requires_grad for each in taken)
        ):
            raise GradientError("gradients are required; call it under torch.no_grad()")
        return self._compiled.call_with(state, taken, {})

    def _state_of(self, given: list[Any]) -> AnyState | None:
        state = self._compiled.state
        if state is None:
            return None
        self._calls += 1
        key = tuple(map(id, given))
        # The state keeps the tensors alive, so that their ids are not reused.
        known = self._states.get(key)
        if known is None:
            forgotten = self._calls - _MAX_CALLS
            self._states = {k: each for k, each in self._states.items() if each.last > forgotten}
            fixed = state.tensors()
            tensors = [
                fixed[index] if place is None else given[place]
                for index, place in enumerate(self._order)
            ]
            known = self._states[key] = _Used(given, state.of(tensors))
        known.last = self._calls
        return known.state


@dataclass
class _Used:
    """A state, and the key that identifies it."""

    given: list[Any]
    state: AnyState
    last: int = 0
    """The last use, counted in changes of the current state."""


def _operators(graph: torch.fx.GraphModule) -> int:
    return sum(node.op.startswith("call") for node in graph.graph.nodes)


def _needs_gradients(graph: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> bool:
    """Whether gradients flow through a graph."""
    tensors = _tensors(graph, example_inputs)
    return torch.is_grad_enabled() and any(each.requires_grad for each in tensors)


def _tensors(graph: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> list[torch.Tensor]:
    """The state and the inputs of a graph."""
    inputs = [each for each in example_inputs if isinstance(each, torch.Tensor)]
    return [*graph.parameters(), *graph.buffers(), *inputs]


def _has_wrappers(graph: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> bool:
    """Whether a graph has tensors that wrap others: DTensors, or those of torch.func's transforms.

    AOTAutograd traces it as a program of the wrapped tensors, which an export cannot do.
    """
    if any(map(is_traceable_wrapper_subclass, _tensors(graph, example_inputs))):
        return True
    values = (node.meta.get("example_value") for node in graph.graph.nodes)
    return any(
        isinstance(each, torch.Tensor) and is_functorch_wrapped_tensor(each) for each in values
    )


def _target(graph: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> str:
    """The target of a graph; raises _Unsupported for one that is not compiled."""
    tensors = [each for each in example_inputs if isinstance(each, torch.Tensor)]
    state = [*graph.parameters(), *graph.buffers()]
    devices = {each.device.type for each in [*tensors, *state]} or {"cpu"}
    target = devices.pop()
    if devices or target not in TARGETS:
        raise _Unsupported(f"it runs on {', '.join(sorted({target, *devices}))}")
    kind = TorchTensors(target)
    for tensor in tensors:
        if is_traceable_wrapper_subclass(tensor):
            continue
        problem = kind.problem_of(tensor)
        if problem is not None:
            raise _Unsupported(f"it takes {problem}")
    return target


@dataclass(frozen=True)
class _Rewritten:
    """A graph as a model: weights become its state, and sizes those of its inputs.

    PyTorch passes weights and sizes to a graph like any other input.
    """

    model: torch.fx.GraphModule
    kept: list[int]
    """The indices of the model's inputs, in order."""
    bound: dict[int, torch.Tensor]
    """The weights by index."""
    inputs: list[torch.Tensor | int]
    dynamic: list[list[int] | None]
    """The dynamic dimensions of each input; None for a number."""
    results: GraphResults

    @staticmethod
    def of(graph: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> _Rewritten:
        """Rewrite a copy of a graph; raises _Unsupported if it takes what is no tensor or size."""
        model = torch.fx.GraphModule(graph, copy.deepcopy(graph.graph))
        nodes = [node for node in model.graph.nodes if node.op == "placeholder"]
        first = next(node for node in model.graph.nodes if node.op != "placeholder")
        try:
            results = GraphResults.of(model.graph)
        except UnknownView as error:
            raise _Unsupported(str(error)) from error
        returned = next(node for node in model.graph.nodes if node.op == "output")
        returned.args = (tuple(results.nodes),)
        made = _Rewritten(model, [], {}, [], [], results)
        sizes: dict[str, tuple[Any, int]] = {}
        given: dict[int, tuple[torch.Tensor | int, list[int] | None]] = {}
        numbers = []
        storages: set[int] = set()
        for place, (node, example) in enumerate(zip(nodes, example_inputs, strict=True)):
            if not isinstance(example, torch.Tensor):
                numbers.append((place, node, example))
            elif _is_state(example):
                made.bound[place] = example
                model.register_buffer(f"bound_{place}", _alone(example, storages))
                with model.graph.inserting_before(first):
                    node.replace_all_uses_with(model.graph.get_attr(f"bound_{place}"))
                model.graph.erase_node(node)
            else:
                # The exporter marks dynamic sizes on its examples, which PyTorch would see.
                given[place] = without_aliases(example.detach()), _symbolic_dims(node, sizes)
        for place, node, example in numbers:
            if not isinstance(example, torch.SymInt):
                raise _Unsupported(f"it takes {example!r}, which is not a tensor")
            if node.users and str(example) not in sizes:
                # A number of the program, such as a position. An export assumes that none is
                # negative; PyTorch traces again for those only if the trace depends on the sign.
                if not example.node.has_hint() or not statically_known_true(example >= 0):
                    raise _Unsupported(f"it takes a number, {example}, which may be negative")
                given[place] = example.node.hint, None
                continue
            if node.users:
                with model.graph.inserting_before(first):
                    size = model.graph.call_function(
                        torch.ops.aten.sym_size.int, sizes[str(example)]
                    )
                node.replace_all_uses_with(size)
            model.graph.erase_node(node)
        for place, (example, dims) in sorted(given.items()):
            made.kept.append(place)
            made.inputs.append(example)
            made.dynamic.append(dims)
        model.recompile()
        return made

    def compile(self, options: Options) -> CompiledModule | PartitionedModule:
        """Compile the model; raises _Unsupported if a dynamic size was specialized."""
        shapes = None
        if any(dims is None or dims for dims in self.dynamic):
            shapes = tuple(
                Dim.AUTO if dims is None else dict.fromkeys(dims, Dim.AUTO) for dims in self.dynamic
            )
        # The export and each decomposition would add symbols and guards to the shape environment of
        # the enclosing trace.
        with tracing(None):
            stage("exporting the graph")
            program = export_program(self.model, tuple(self.inputs), {}, shapes)
            build = compile_or_split if options.target == "cpu" else compile_program
            compiled = build(program, options)
        taken = compiled.input_parameters
        for parameter, dims in zip(taken, self.dynamic, strict=True):
            if dims is None:
                continue
            assert isinstance(parameter, TensorParameter)
            if any(parameter.sizes[dim] is not None for dim in dims):
                raise _Unsupported("a dynamic size was specialized to a constant")
        return compiled


def _alone(tensor: torch.Tensor, storages: set[int]) -> torch.Tensor:
    """A weight, or a copy if it shares memory with another: an export would merge the two."""
    storage = tensor.untyped_storage()._cdata
    alone = without_aliases(tensor.detach()) if storage in storages else tensor.detach()
    storages.add(storage)
    return alone


def _is_state(tensor: torch.Tensor) -> bool:
    """Whether a tensor is a weight or a buffer of a module, as PyTorch marks them."""
    marked = getattr(tensor, "_dynamo_static_input_type", None) is not None
    return marked or isinstance(tensor, torch.nn.Parameter)


def _symbolic_dims(node: torch.fx.Node, sizes: dict[str, tuple[Any, int]]) -> list[int]:
    """The dynamic dimensions of an input; records where each size occurs."""
    shape = node.meta["example_value"].shape
    dims = [dim for dim, size in enumerate(shape) if not isinstance(size, int)]
    for dim in dims:
        sizes.setdefault(str(shape[dim]), (node, dim))
    return dims
