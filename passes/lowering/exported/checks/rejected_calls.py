"""Calls that an operator's kernel rejects, but a trace of PyTorch accepts.

Fake kernels and decompositions omit checks of kernels, so a traced program returns a result where
eager mode raises. The library's functions follow the kernels: a call that they reject for all
unknown values is rejected.

This module loads PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch._ops import OpOverload
from torch.fx import Graph, Node
from torch_refine.abstract_interpreter.calling import (
    Functions,
    InferenceError,
    RejectionError,
    TensorSpec,
)

# PyTorch's numbers of these; no function reads others.
_MEMORY_FORMATS = {
    torch.contiguous_format: 0,
    torch.preserve_format: 1,
    torch.channels_last: 2,
    torch.channels_last_3d: 3,
}

_PLAIN = (bool, int, float, str, torch.dtype, torch.device)


def rejected_calls(graph: Graph) -> Iterator[tuple[Node, str]]:
    """The nodes of an exported graph whose operators always raise, and why."""
    functions = Functions()
    for node in graph.nodes:
        if node.op != "call_function" or not isinstance(node.target, OpOverload):
            continue
        if node.target.namespace != "aten":
            continue
        spec = _Spec()
        outs = {each.name for each in node.target._schema.arguments if each.is_out}
        try:
            args = tuple(map(spec.of, node.args))
            given = {name: spec.of(value) for name, value in node.kwargs.items()}
            kwargs = {name: value for name, value in given.items() if name not in outs}
            results = functions.infer(_name(node.target), args, kwargs)
        except RejectionError as error:
            yield node, str(error)
        except (InferenceError, _UnknownError):
            # There is no function, or it does not cover such a call.
            continue
        else:
            reason = _why_not_written([given[name] for name in given if name in outs], results)
            if reason is not None:
                yield node, reason


def _name(operator: OpOverload) -> str:
    """The operator's name; for an out variant, that of the functional one."""
    schema = operator._schema
    overload = schema.overload_name
    if any(each.is_out for each in schema.arguments):
        overload = overload.removesuffix("out").removesuffix("_")
    return f"{schema.name}.{overload}" if overload else str(schema.name)


def _why_not_written(outs: list[Any], results: Any) -> str | None:
    """Why results cannot be written to the given out tensors; None if they can."""
    made = results if isinstance(results, tuple) else (results,)
    for out, result in zip(outs, made, strict=False):
        if not (isinstance(out, TensorSpec) and isinstance(result, TensorSpec)):
            continue
        # Some kernels cast to the dtype of out, and others raise.
        if result.dtype is not None and result.dtype != out.dtype:
            return f"out must have dtype {result.dtype}, got {out.dtype}"
    return None


class _UnknownError(Exception):
    """An argument that cannot be passed to the functions."""


class _Spec:
    """Describes the arguments of a call; each unknown number gets a name of its own."""

    def __init__(self) -> None:
        self._count = 0

    def of(self, value: Any) -> Any:
        """An argument, or the fake value of a node."""
        if isinstance(value, Node):
            if "val" not in value.meta:
                raise _UnknownError
            return self.of(value.meta["val"])
        if isinstance(value, torch.Tensor):
            sizes = [size if isinstance(size, int) else None for size in value.shape]
            return TensorSpec(sizes, value.dtype)
        if isinstance(value, torch.SymInt):
            self._count += 1
            return f"n{self._count}"
        if isinstance(value, (list, tuple)):
            return [self.of(each) for each in value]
        if isinstance(value, torch.memory_format):
            return _MEMORY_FORMATS[value]
        if isinstance(value, torch.layout):
            return 0
        if value is None or isinstance(
            value, bool | int | float | str | torch.dtype | torch.device
        ):
            return value
        raise _UnknownError
