"""Compiled parts and operators that PyTorch runs, and the time that each takes."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

import torch
from torch_refine.runtime.compiled_module import CompiledModule
from torch_refine.runtime.state.state import State

PartStates = Sequence[State | None]


class _Communications(threading.local):
    """How many collectives this thread has started."""

    started = 0


communications = _Communications()


class CommunicationError(RuntimeError):
    """A program failed after a collective, so it cannot be run again in PyTorch.

    The other processes would not run the collective again.
    """


def refuse_repetition(before: int, error: Exception) -> None:
    """Raise CommunicationError if a collective was started since there were `before`.

    Otherwise PyTorch may run the program that failed, with the same collectives in the same order.
    """
    if communications.started != before:
        raise CommunicationError(
            f"a program cannot be run again in PyTorch after a collective: {error}"
        ) from error


class Timed:
    """Something that is called, under a name that PyTorch's code generator can use."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seconds = 0.0
        self.__name__ = self.__qualname__ = "".join(c if c.isalnum() else "_" for c in name)
        self.__module__ = __name__


class EagerOperator(Timed):
    """An operator that PyTorch runs, why, and where the model calls it."""

    def __init__(
        self,
        target: Any,
        reason: str,
        source: str | None,
        inner: Sequence[Timed] = (),
        communicates: bool = False,
    ) -> None:
        """`inner` are the compiled parts that it runs, whose time is not its own; `communicates`
        tells whether it exchanges tensors with other processes.
        """
        super().__init__(str(target))
        self._inner = list(inner)
        self.reason = reason
        self.source = source
        self._target = target
        self._communicates = communicates

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Run the operator."""
        before = sum(each.seconds for each in self._inner)
        communications.started += self._communicates
        start = time.perf_counter()
        found = self._target(*arguments, **keywords)
        spent = time.perf_counter() - start
        self.seconds += spent - sum(each.seconds for each in self._inner) + before
        return found


class CompiledPart(Timed):
    """A compiled part of a program, which takes the state of all parts and its inputs."""

    def __init__(self, program: CompiledModule, place: int, operators: int) -> None:
        super().__init__(f"part_{place}")
        self.program = program
        self.operators = operators
        self._place = place

    def __call__(self, state: PartStates, *inputs: Any) -> Any:
        """Run the part."""
        start = time.perf_counter()
        passed = tuple([_plain(each) for each in inputs])
        found = self.program.call_with(state[self._place], passed, {})
        self.seconds += time.perf_counter() - start
        return found


def _plain(value: Any) -> Any:
    """A tensor whose memory has its values: results of operators may be lazily conjugated."""
    if isinstance(value, torch.Tensor) and (value.is_conj() or value.is_neg()):
        return value.resolve_conj().resolve_neg()
    return value
