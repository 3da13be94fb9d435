"""The tensors that a program keeps from call to call, and what is prepared of them."""

from __future__ import annotations

import ctypes
import math
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from torch_refine.runtime.calling import Caller, Frame, Memory, Result
from torch_refine.runtime.large_pages import LargePages
from torch_refine.runtime.signature import Parameter, TensorParameter
from torch_refine.runtime.tensors import TorchTensors

_ALIGNMENT = 64


@dataclass(frozen=True)
class Held:
    """State as it was at one time: what to pass as arguments, and what owns it."""

    arguments: tuple[tuple[int, int, Sequence[int], Sequence[int]], ...]
    """For each argument its place, address, sizes and strides."""
    owners: tuple[Any, ...]

    def fill(self, caller: Caller, frame: Frame) -> None:
        """Pass the state in a frame, unless it holds this one already."""
        if frame.held is self:
            return
        for place, address, sizes, strides in self.arguments:
            caller.set_tensor(frame, place, address, sizes, strides)
        frame.held = self


class State:
    """A program's state: the first arguments of its function, and the last, which are prepared.

    Tensors are passed as they lie, so that what is changed in them in place is seen. What is
    prepared of them, such as packed weights, is made again when PyTorch counts a newer version of
    one. A change that PyTorch does not count, through `Tensor.data` or another library, is seen in
    what is passed only: `forget` lets everything be prepared again.
    """

    def __init__(
        self,
        tensors: Sequence[Any],
        places: Sequence[int] = (),
        preparing: Caller | None = None,
        first: int = 0,
        kind: TorchTensors | None = None,
    ) -> None:
        """`preparing` takes the tensors at `places`; its results are the arguments from `first`."""
        self._tensors = [tensor.detach() for tensor in tensors]
        self._places = list(places)
        self._preparing = preparing
        self._first = first
        self._kind = TorchTensors() if kind is None else kind
        scattered = [i for i, tensor in enumerate(self._tensors) if not self._kind.can_pass(tensor)]
        watched = {*scattered, *(self._places if preparing is not None else ())}
        self._watched = [self._tensors[place] for place in sorted(watched)]
        # PyTorch counts no versions of inference tensors.
        self._counts = not any(tensor.is_inference() for tensor in self._watched)
        self._seen: list[int] | None = None
        self._held = Held((), ())
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._tensors)

    def current(self) -> Held:
        """The state as it is now."""
        if not self._tensors:
            return self._held
        with self._lock:
            if not self._counts:
                self._held = self._hold()
            else:
                versions = [tensor._version for tensor in self._watched]
                if versions != self._seen:
                    self._held = self._hold()
                    self._seen = versions
            return self._held

    def forget(self) -> None:
        """Prepare everything anew at the next call."""
        with self._lock:
            self._seen = None

    def _hold(self) -> Held:
        passed = [self._kind.contiguous(tensor, None) for tensor in self._tensors]
        arguments = [(place, *self._described(tensor)) for place, tensor in enumerate(passed)]
        owners: list[Any] = list(passed)
        if self._preparing is not None:
            frame = Frame(self._preparing.signature, self._preparing.workspace)
            for index, place in enumerate(self._places):
                self._preparing.set_tensor(frame, index, *arguments[place][1:])
            prepared, memory = _together(self._preparing, frame)
            arguments += [(place, *each) for place, each in enumerate(prepared, self._first)]
            owners.append(memory)
        return Held(tuple(arguments), tuple(owners))

    def _described(self, tensor: Any) -> tuple[int, Sequence[int], Sequence[int]]:
        found = self._kind.describe(tensor)
        assert found is not None, f"state is made of tensors on {self._kind.place}"
        assert found.strides is not None, "it was made contiguous"
        return found.address, found.sizes, found.strides


def _together(
    preparing: Caller, frame: Frame
) -> tuple[list[tuple[int, Sequence[int], Sequence[int]]], LargePages]:
    """What is prepared, moved to one piece of memory: addresses, sizes, strides."""
    found = preparing.call(frame)
    results = [each for each in found if isinstance(each, Result)]
    assert len(results) == len(found), "only tensors are prepared"
    # Freed when this returns.
    made = [Memory(each.allocated) for each in results if each.owns]
    counts = [
        math.prod(result.sizes) * _byte_size(parameter)
        for result, parameter in zip(results, preparing.signature.results, strict=True)
    ]
    memory = LargePages(sum(count + -count % _ALIGNMENT for count in counts))
    described: list[tuple[int, Sequence[int], Sequence[int]]] = []
    at = memory.address
    for result, count in zip(results, counts, strict=True):
        ctypes.memmove(at, result.address, count)
        described.append((at, result.sizes, result.strides))
        at += count + -count % _ALIGNMENT
    del made
    return described, memory


def _byte_size(parameter: Parameter) -> int:
    """The bytes of an element, whose type is spelled as in MLIR."""
    assert isinstance(parameter, TensorParameter)
    bits = int(re.sub(r"\D", "", parameter.dtype))
    return (2 if "complex" in parameter.dtype else 1) * ((bits + 7) // 8)
