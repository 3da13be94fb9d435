"""A program that runs in parts, as users of PyTorch call it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch_refine.runtime.calls.signature import Parameter
from torch_refine.runtime.calls.tensors import TorchTensors
from torch_refine.runtime.compiled_module import CompiledModule
from torch_refine.runtime.compiling.compiler import CompileError
from torch_refine.runtime.partition.timed import (
    CompiledPart,
    EagerOperator,
    PartStates,
    Timed,
)
from torch_refine.runtime.report import OperatorReport, Report
from torch_refine.runtime.state.state import State
from torch_refine.runtime.state.weights import Weights
from torch_refine.runtime.torch_models.interface import Interface


@dataclass
class PartitionedState:
    """The state of a program, and those of its parts."""

    whole: State
    parts: PartStates

    def of(self, tensors: Sequence[Any]) -> PartitionedState:
        """The state of the same program with other tensors; they are checked on first use.

        Parts keep the constants that only they have, such as those that were folded.
        """
        by_name = dict(zip(self.names, tensors, strict=True))
        parts = [
            None
            if part is None
            else part.of(
                [
                    by_name.get(name, own)
                    for name, own in zip(part.names, part.tensors(), strict=True)
                ]
            )
            for part in self.parts
        ]
        return PartitionedState(self.whole.of(tensors), parts)

    def tensors(self) -> Sequence[Any]:
        """The current tensors; raises WeightError."""
        return self.whole.tensors()

    @property
    def names(self) -> Sequence[str]:
        """The names of the tensors in messages."""
        return self.whole.names

    def current(self) -> Any:
        """The snapshot of the state; raises WeightError."""
        return self.whole.current()


class PartitionedModule:
    """A program of compiled parts, and of operators that PyTorch runs between them.

    It is called like a `CompiledModule`, with torch tensors, and raises the same errors, or those
    of PyTorch's operators. A result owns its memory. `report` tells what runs in PyTorch, and why.
    """

    def __init__(
        self,
        run: Callable[..., Any],
        entry: CompiledModule,
        parts: Sequence[CompiledPart],
        inner: Sequence[CompiledPart],
        operators: Sequence[EagerOperator],
        weights: Weights,
        interface: Interface,
    ) -> None:
        """`run` takes the states of the parts, the tensors of the state, and the inputs; `entry`
        checks the inputs; `inner` are the parts of graphs of control-flow operators.
        """
        self._inner = list(inner)
        self.parts = list(parts)
        self.operators = list(operators)
        self._run = run
        self._entry = entry
        self._interface = interface
        self._arrays = TorchTensors()
        states = [part.program.state for part in self.parts]
        self._state = PartitionedState(State(weights), states)
        self._calls = 0
        self._seconds = 0.0

    def __call__(self, *inputs: Any, **keywords: Any) -> Any:
        """Run the program."""
        return self.call_with(self._state, inputs, keywords)

    def call_with(
        self, state: PartitionedState | None, inputs: tuple[Any, ...], keywords: Mapping[str, Any]
    ) -> Any:
        """Run the program with its own state, or one with other weights."""
        start = time.perf_counter()
        state = self._state if state is None else state
        values = self._interface.flatten(inputs, dict(keywords))
        for place, value in enumerate(values):
            if type(value).__module__ == "numpy":
                raise TypeError(f"input {place} must be a torch tensor, as parts run in PyTorch")
        self._arrays.refuse_traces()
        held = state.current()
        self._interface.check(values, held)
        marks = self._interface.gradients.are_lost(values, held, state.names)
        self._entry(*values)
        with torch.no_grad():
            found = self._run(state.parts, *held.tensors, *values)
        results = _owned(found, [*held.tensors, *values])
        if marks:
            results = self._interface.gradients.marked(results)
        finished = self._interface.finish(
            results, values, values, self._arrays, held, state.whole.assign
        )
        self._calls += 1
        self._seconds += time.perf_counter() - start
        return finished

    @property
    def state(self) -> PartitionedState:
        """The state of the weights."""
        return self._state

    @property
    def input_parameters(self) -> list[Parameter]:
        """The parameters of the inputs, in order."""
        return self._entry.input_parameters

    def report(self) -> Report:
        """What runs in PyTorch, why, and its share of the time of all calls so far."""
        kinds: dict[tuple[str, str], list[EagerOperator]] = {}
        for each in self.operators:
            kinds.setdefault((each.name, each.reason), []).append(each)
        found = [
            OperatorReport(
                name,
                len(same),
                reason,
                tuple(dict.fromkeys(each.source for each in same if each.source)),
                self._share(same),
            )
            for (name, reason), same in kinds.items()
        ]
        found.sort(key=lambda each: (-(each.share or 0), -each.count, each.name))
        return Report(
            sum(part.operators for part in (*self.parts, *self._inner)),
            len(self.parts) + len(self._inner),
            tuple(found),
            self._calls,
            self._share((*self.parts, *self._inner)),
        )

    def _share(self, timed: Iterable[Timed]) -> float | None:
        """The share of the time of all calls."""
        return sum(each.seconds for each in timed) / self._seconds if self._calls else None

    def refresh(self) -> None:
        """Prepare the weights again at the next call; see `CompiledModule.refresh`."""
        for state in (self._state.whole, *self._state.parts):
            if state is not None:
                state.forget()

    def ir(self, stage: str) -> str:
        """The IR of each part at a stage; see `CompiledModule.ir`."""
        shown = [part.program.ir(stage) for part in (*self.parts, *self._inner)]
        return "\n".join(f"// Part {place}\n{text}" for place, text in enumerate(shown, 1))

    def save(self, path: str | os.PathLike[str], *, weights: bool = True) -> str:
        """Raise CompileError: operators of PyTorch cannot be saved."""
        raise CompileError(
            f"a program with operators that run in PyTorch cannot be saved to {os.fspath(path)}: "
            + ", ".join(sorted({each.name for each in self.operators}))
        )


def _owned(results: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """The results, copied where they share memory with the caller's tensors or each other."""
    shared = {_storage(each) for each in others if isinstance(each, torch.Tensor)}
    found = []
    for result in results:
        if isinstance(result, torch.Tensor) and result.layout == torch.strided:
            storage = _storage(result)
            if storage in shared:
                result = result.clone()
            shared.add(storage)
        found.append(result)
    return found


def _storage(tensor: torch.Tensor) -> int | None:
    if tensor.layout != torch.strided:
        return None
    return int(tensor.untyped_storage()._cdata)
