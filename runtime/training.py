"""Forward and backward graphs of a model in training, for the backend of `torch.compile`.

PyTorch's AOTAutograd traces both, and decides which values the backward graph gets from the forward
one and which it computes again. Both take the weights as inputs, as an optimizer changes them
between calls.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch._C import DispatchKey
from torch._dynamo.backends.common import aot_autograd
from torch._functorch.partitioners import min_cut_rematerialization_partition
from torch._guards import tracing
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.fx import GraphModule
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch_refine.importer.effects import call_without_tokens
from torch_refine.importer.errors import ImportModelError
from torch_refine.passes.lowering.exported.library_functions import mixed_normalizations
from torch_refine.runtime.compiling.collector import few_collections
from torch_refine.runtime.compiling.compiler import CompileError, Options
from torch_refine.runtime.compiling.progress import shown
from torch_refine.runtime.partition.parts import Parts
from torch_refine.runtime.partition.subprograms import Source
from torch_refine.runtime.partition.timed import communications, refuse_repetition
from torch_refine.runtime.torch_models.aliases import UnknownView
from torch_refine.runtime.torch_models.views import SplitViews

_log = logging.getLogger("torch_refine")
Noted = Callable[[Parts], None]


def compile_for_training(
    graph: GraphModule, example_inputs: Sequence[Any], options: Options, note: Noted
) -> Callable[..., Any]:
    """A function like a graph of Dynamo, through which gradients flow.

    PyTorch decides when the backward graph is compiled. `note` is told of each graph that is.
    """

    def compiled(traced: GraphModule, inputs: Sequence[Any]) -> Callable[..., Any]:
        return _compiled(traced, options, note)

    trace = aot_autograd(
        fw_compiler=compiled,
        bw_compiler=compiled,
        inference_compiler=compiled,
        decompositions=mixed_normalizations(),
        partition_fn=min_cut_rematerialization_partition,
    )
    # The gradients of fused kernels need results that only these kernels have.
    with sdpa_kernel(SDPBackend.MATH), _whole_resampling():
        found: Callable[..., Any] = trace(graph, example_inputs)
    return found


@contextmanager
def _whole_resampling() -> Iterator[None]:
    """Let PyTorch trace resampling as operators, whose gradients are operators, too.

    Under autograd it traces them as reads of elements otherwise, whose gradients are scattered.
    """
    hidden: list[tuple[Any, Any, Any]] = []
    for name in dir(torch.ops.aten):
        if "upsample" not in name:
            continue
        packet = getattr(torch.ops.aten, name)
        for overload in packet.overloads():
            op = getattr(packet, overload)
            for key in (DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd):
                if key in op.py_kernels:
                    hidden.append((op, key, op.py_kernels.pop(key)))
            op._dispatch_cache.clear()
    try:
        yield
    finally:
        for op, key, kernel in hidden:
            op.py_kernels[key] = kernel
            op._dispatch_cache.clear()


def _compiled(traced: GraphModule, options: Options, note: Noted) -> Callable[..., Any]:
    """A graph of AOTAutograd as a function of a list."""
    # The trace that asks for this must get no guards of it, and has fake tensors only.
    try:
        call_without_tokens(traced)
        split = SplitViews.of(traced)
        source = Source.of_graph(traced if split is None else split.module)
        with tracing(None), unset_fake_temporarily(), shown(), few_collections():
            parts = Parts.of(source, options)
    except (CompileError, ImportModelError, UnknownView) as error:
        # Those of a backward graph would be raised to the caller of `backward`.
        _log.warning("a graph of %d operators runs eagerly: %s", len(traced.graph.nodes), error)
        return _boxed(traced.forward)
    run = parts.alone() if split is None else _with_views(parts.alone(), split.views)
    note(parts)

    told: list[str] = []

    def without_gradients(*given: Any) -> Any:
        with torch.no_grad():
            before = communications.started
            try:
                return run(*given)
            except (TypeError, ValueError) as error:
                refuse_repetition(before, error)
                # PyTorch's kernels may return other dtypes and sizes than its trace says.
                if not told:
                    told.append(str(error))
                    _log.warning("a graph runs eagerly: %s", error)
                return traced.forward(*given)

    return _boxed(without_gradients)


def _with_views(run: Callable[..., Any], views: GraphModule) -> Callable[..., Any]:
    """The function of a whole graph, of which `run` computes what are no views."""

    def call(*given: Any) -> Any:
        return views.forward(*given, *run(*given))

    return call


def _boxed(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a list, which it empties: AOTAutograd's form, to free inputs early."""

    def call(arguments: list[Any]) -> Any:
        given = list(arguments)
        arguments.clear()
        return function(*given)

    call._boxed_call = True  # type: ignore[attr-defined]
    return call
