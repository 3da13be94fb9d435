"""The backend of `torch.compile`: `torch.compile(model, backend="torch_refine")`.

PyTorch finds it through the entry point `torch_dynamo_backends`. A graph that cannot be compiled
runs as PyTorch runs it, and a log line of `torch_refine` says which and why.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.export import export_program
from torch_refine.runtime.compiled import TARGETS
from torch_refine.runtime.compiler import CompileError, Options
from torch_refine.runtime.models import compile_program

_log = logging.getLogger("torch_refine")


class _NotTaken(Exception):
    """A graph that we do not compile; the message says why."""


def backend(graph: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> Callable[..., Any]:
    """A compiled function for a graph, or the graph itself."""
    try:
        target = _target(graph, example_inputs)
        program = export_program(graph, tuple(example_inputs), {}, None)
        return compile_program(program, Options(target=target))
    except (_NotTaken, CompileError, ImportModelError) as error:
        _log.warning("a graph of %d operators runs eagerly: %s", _operators(graph), error)
        return graph.forward


def _operators(graph: torch.fx.GraphModule) -> int:
    return sum(node.op.startswith("call") for node in graph.graph.nodes)


def _target(graph: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> str:
    """Where a graph runs; raises _NotTaken for one that is not compiled."""
    tensors = [each for each in example_inputs if isinstance(each, torch.Tensor)]
    state = [*graph.parameters(), *graph.buffers()]
    if torch.is_grad_enabled() and any(each.requires_grad for each in [*tensors, *state]):
        raise _NotTaken("gradients are wanted; call it under torch.no_grad()")
    if any(isinstance(each, torch.SymInt) for each in example_inputs):
        raise _NotTaken("its sizes are dynamic; call torch.compile with dynamic=False")
    devices = {each.device.type for each in [*tensors, *state]} or {"cpu"}
    target = devices.pop()
    if devices or target not in TARGETS:
        raise _NotTaken(f"it runs on {', '.join(sorted({target, *devices}))}")
    return target
