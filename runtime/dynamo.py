"""The backend of `torch.compile`: `torch.compile(model, backend="torch_refine")`.

PyTorch finds it through the entry point `torch_dynamo_backends`. A graph that cannot be compiled
runs as PyTorch runs it, and a log line of `torch_refine` says which and why.
"""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch._guards import tracing
from torch.export import Dim
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.export import export_program
from torch_refine.runtime.aliases import GraphResults, UnknownView
from torch_refine.runtime.compiled import TARGETS, CompiledModule
from torch_refine.runtime.compiler import CompileError, Options
from torch_refine.runtime.guards import GuardError
from torch_refine.runtime.models import compile_program
from torch_refine.runtime.overlaps import OverlapError
from torch_refine.runtime.signature import TensorParameter

_log = logging.getLogger("torch_refine")


class _NotTaken(Exception):
    """A graph that we do not compile; the message says why."""


def backend(graph: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> Callable[..., Any]:
    """A compiled function for a graph, or the graph itself."""
    try:
        target = _target(graph, example_inputs)
        rewritten = _Rewritten.of(graph, example_inputs)
        compiled = rewritten.compile(Options(target=target))
    except (_NotTaken, CompileError, ImportModelError) as error:
        _log.warning("a graph of %d operators runs eagerly: %s", _operators(graph), error)
        return graph.forward

    def call(*inputs: Any) -> Any:
        if not all(inputs[place] is tensor for place, tensor in rewritten.bound.items()):
            _log.warning("a graph of %d operators runs eagerly: other weights", _operators(graph))
            return graph.forward(*inputs)
        try:
            found = compiled(*[inputs[place] for place in rewritten.kept])
        except (GuardError, OverlapError) as error:
            # PyTorch compiles anew for sizes that change the program; the export may ask for more.
            _log.warning("a graph of %d operators runs eagerly: %s", _operators(graph), error)
            return graph.forward(*inputs)
        return rewritten.results.make(found, inputs)

    return call


def _operators(graph: torch.fx.GraphModule) -> int:
    return sum(node.op.startswith("call") for node in graph.graph.nodes)


def _target(graph: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> str:
    """Where a graph runs; raises _NotTaken for one that is not compiled."""
    tensors = [each for each in example_inputs if isinstance(each, torch.Tensor)]
    state = [*graph.parameters(), *graph.buffers()]
    if torch.is_grad_enabled() and any(each.requires_grad for each in [*tensors, *state]):
        raise _NotTaken("gradients are wanted; call it under torch.no_grad()")
    devices = {each.device.type for each in [*tensors, *state]} or {"cpu"}
    target = devices.pop()
    if devices or target not in TARGETS:
        raise _NotTaken(f"it runs on {', '.join(sorted({target, *devices}))}")
    return target


@dataclass(frozen=True)
class _Rewritten:
    """A graph as a model: weights are its state, and sizes are those of its inputs.

    PyTorch passes weights and sizes to a graph like any other input.
    """

    model: torch.fx.GraphModule
    kept: list[int]
    """The places of the inputs that the model takes, in order."""
    bound: dict[int, torch.Tensor]
    """The weights by their places."""
    inputs: list[torch.Tensor]
    dynamic: list[list[int]]
    """The dimensions of each input whose sizes are not known."""
    results: GraphResults

    @staticmethod
    def of(graph: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> _Rewritten:
        """Rewrite a copy of a graph; raises _NotTaken where no input has a size that it takes."""
        model = torch.fx.GraphModule(graph, copy.deepcopy(graph.graph))
        nodes = [node for node in model.graph.nodes if node.op == "placeholder"]
        first = next(node for node in model.graph.nodes if node.op != "placeholder")
        try:
            results = GraphResults.of(model.graph)
        except UnknownView as error:
            raise _NotTaken(str(error)) from error
        returned = next(node for node in model.graph.nodes if node.op == "output")
        returned.args = (tuple(results.nodes),)
        made = _Rewritten(model, [], {}, [], [], results)
        sizes: dict[str, tuple[Any, int]] = {}
        numbers = []
        for place, (node, example) in enumerate(zip(nodes, example_inputs, strict=True)):
            if not isinstance(example, torch.Tensor):
                numbers.append((node, example))
            elif _is_state(example):
                made.bound[place] = example
                model.register_buffer(f"bound_{place}", example.detach())
                with model.graph.inserting_before(first):
                    node.replace_all_uses_with(model.graph.get_attr(f"bound_{place}"))
                model.graph.erase_node(node)
            else:
                made.kept.append(place)
                # The exporter notes on its examples which sizes are dynamic; PyTorch would see it.
                made.inputs.append(example.detach())
                made.dynamic.append(_symbolic_dims(node, sizes))
        for node, example in numbers:
            if not isinstance(example, torch.SymInt):
                raise _NotTaken(f"it takes {example!r}, which is no tensor")
            if node.users:
                if str(example) not in sizes:
                    raise _NotTaken(f"it takes a size, {example}, which no input has")
                with model.graph.inserting_before(first):
                    size = model.graph.call_function(
                        torch.ops.aten.sym_size.int, sizes[str(example)]
                    )
                node.replace_all_uses_with(size)
            model.graph.erase_node(node)
        model.recompile()
        return made

    def compile(self, options: Options) -> CompiledModule:
        """Compile the model; raises _NotTaken if a size had to be a certain one."""
        shapes = None
        if any(self.dynamic):
            shapes = tuple(dict.fromkeys(dims, Dim.AUTO) for dims in self.dynamic)
        # The exporter would leave its notes on sizes with the trace that is going on.
        with tracing(None):
            program = export_program(self.model, tuple(self.inputs), {}, shapes)
        compiled = compile_program(program, options)
        taken = compiled.input_parameters
        for parameter, dims in zip(taken, self.dynamic, strict=True):
            assert isinstance(parameter, TensorParameter)
            if any(parameter.sizes[dim] is not None for dim in dims):
                raise _NotTaken("a size that may change was taken for a constant")
        return compiled


def _is_state(tensor: torch.Tensor) -> bool:
    """Whether a tensor is a weight or a buffer of a module, as PyTorch marks them."""
    marked = getattr(tensor, "_dynamo_static_input_type", None) is not None
    return marked or isinstance(tensor, torch.nn.Parameter)


def _symbolic_dims(node: torch.fx.Node, sizes: dict[str, tuple[Any, int]]) -> list[int]:
    """The dimensions of an input whose sizes are not known; notes where each such size is."""
    shape = node.meta["example_value"].shape
    dims = [dim for dim, size in enumerate(shape) if not isinstance(size, int)]
    for dim in dims:
        sizes.setdefault(str(shape[dim]), (node, dim))
    return dims
