"""The tensors that a program keeps between calls, and those prepared from them."""

from __future__ import annotations

import ctypes
import itertools
import math
import os
import re
import threading
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from torch_refine.runtime.calls.calling import Caller, Frame, Memory, Result
from torch_refine.runtime.calls.large_pages import LargePages
from torch_refine.runtime.calls.overlaps import Extent
from torch_refine.runtime.calls.signature import Parameter, TensorParameter
from torch_refine.runtime.calls.tensors import ArrayDescriptor, TorchTensors
from torch_refine.runtime.refusals import WeightError
from torch_refine.runtime.state.watching import Watch, can_watch
from torch_refine.runtime.state.weights import FixedWeights, Weights

_ALIGNMENT = 64
# The index of an argument, its address, sizes and strides.
_Argument = tuple[int, int, Sequence[int], Sequence[int]]


@dataclass(frozen=True)
class StateSnapshot:
    """A snapshot of the state: its argument descriptors, and the owners of their memory."""

    arguments: tuple[_Argument, ...]
    owners: tuple[Any, ...]
    tensors: tuple[Any, ...]
    """The tensors."""
    requiring: tuple[int, ...]
    """The indices of those that require a gradient."""
    copies: Mapping[int, Any] = field(default_factory=dict)
    """The copies that are passed, of tensors that cannot be."""
    assigned: tuple[_Argument, ...] = ()
    """The arguments that calls replace."""
    serial: int = field(default_factory=itertools.count(1).__next__)
    """The serial number, which frames store instead of a reference."""

    def fill(self, caller: Caller, frame: Frame) -> None:
        """Set the state's arguments in a frame, unless they are already."""
        if frame.held != self.serial:
            for place, address, sizes, strides in self.arguments:
                caller.set_tensor(frame, place, address, sizes, strides)
            frame.held = self.serial
        for place, address, sizes, strides in self.assigned:
            caller.set_tensor(frame, place, address, sizes, strides)

    @cached_property
    def extents(self) -> list[Extent | None]:
        """The memory extents of the tensors."""
        return [Extent.of(tensor) for tensor in self.tensors]


class _Seen(NamedTuple):
    """The properties of a tensor when it was checked; equal as long as its descriptor is valid."""

    described: ArrayDescriptor
    requires_grad: bool
    version: int | None


class State:
    """A program's state: the first arguments of its function, and the prepared ones, its last.

    Tensors are passed by reference, so that writes to them are seen. Prepared values, such as
    packed weights, are recomputed when the version of a tensor changes. Each call checks whether
    the weights are still the same tensors, with the same memory, sizes and strides (`watching.py`),
    and uses their replacements; those that the program was not compiled for raise WeightError.
    Tensors that calls assign are looked at on their own, so that the others need not be.

    An unversioned write, such as `weight.data.mul_(2)` or one by another library, is seen only in
    tensors passed directly: `forget` recomputes the prepared ones.
    """

    def __init__(
        self,
        weights: Weights,
        places: Sequence[int] = (),
        preparing: Caller | None = None,
        first: int = 0,
        kind: TorchTensors | None = None,
        like: State | None = None,
    ) -> None:
        """`preparing` takes the tensors at `places`; its results are the arguments from `first`.

        The weights must match those of the state `like`, or the current ones.
        """
        self._weights = weights
        self._places = list(places)
        self._preparing = preparing
        self._first = first
        self._kind = TorchTensors() if kind is None else kind
        self._wanted: list[tuple[Any, ...]] = (
            like._wanted if like is not None else [*map(_type_of, weights.current())]
        )
        # Not those that are prepared, or mirrored on a device.
        assigned = frozenset(weights.assigned())
        self._assigned = assigned if kind is None and assigned.isdisjoint(places) else frozenset()
        # The pair of a watch and its snapshot is replaced atomically, never modified.
        self._known: tuple[Watch | None, StateSnapshot] | None = None
        self._seen: list[_Seen | None] | None = None
        self._lock, self._process = threading.RLock(), os.getpid()

    def of(self, tensors: Sequence[Any]) -> State:
        """The state of the same program with other tensors; they are checked on first use."""
        weights = FixedWeights(tensors, self._weights.names())
        return State(weights, self._places, self._preparing, self._first, self._kind, self)

    def __len__(self) -> int:
        return len(self._wanted)

    def tensors(self) -> Sequence[Any]:
        """The current tensors; raises WeightError."""
        return self._weights.current()

    @property
    def names(self) -> Sequence[str]:
        """The names of the tensors in messages."""
        return self._weights.names()

    def current(self) -> StateSnapshot:
        """The current state.

        Raises:
            WeightError: a weight does not match those that the program was compiled for.
        """
        known = self._known
        if known is not None and known[0] is not None and not known[0].changed():
            held = known[1]
            if not held.assigned or self._are_as_passed(held):
                return held
        with self._own_lock():
            return self._look()

    def assign(self, place: int, tensor: Any) -> None:
        """Replace a tensor of the model by the new value that a call gave."""
        known = self._known
        is_known = known is not None and known[0] is not None and not known[0].changed()
        changed = self._weights.assign(place, tensor)
        if not is_known or _type_of(tensor) != self._wanted[place]:
            return
        assert known is not None and known[0] is not None, "it is known"
        watch, held = known
        if any(each[0] == place for each in held.assigned):
            known[0].renew(changed)
            self._known = watch, self._with_assigned(held, {place: tensor})

    def _with_assigned(self, held: StateSnapshot, new: Mapping[int, Any]) -> StateSnapshot:
        """A snapshot with other assigned tensors, by index."""
        tensors = list(held.tensors)
        for place, tensor in new.items():
            tensors[place] = tensor
        assigned = tuple((place, *self._described(tensor)) for place, tensor in new.items())
        others = tuple(each for each in held.assigned if each[0] not in new)
        return replace(held, tensors=tuple(tensors), assigned=(*others, *assigned))

    def _are_as_passed(self, held: StateSnapshot) -> bool:
        """Whether tensors that calls assign are in the memory that they were in."""
        for place, address, sizes, strides in held.assigned:
            tensor = held.tensors[place]
            found = self._kind.describe(tensor)
            if found is None or tensor.requires_grad != (place in held.requiring):
                return False
            if (found.address, found.sizes, found.strides) != (address, sizes, strides):
                return False
        return True

    def forget(self) -> None:
        """Prepare everything again at the next call."""
        with self._own_lock():
            self._known = self._seen = None

    def _own_lock(self) -> threading.RLock:
        if self._process != os.getpid():
            # Another thread may have held the lock when this process was forked.
            self._lock, self._process = threading.RLock(), os.getpid()
        return self._lock

    def _look(self) -> StateSnapshot:
        """Check everything; prepare again if something changed."""
        tensors = self._weights.current()
        self._check(tensors)
        # Copies must be made again when their sources change.
        copied = [
            i
            for i, tensor in enumerate(tensors)
            if not self._kind.can_pass(tensor) or "bool" in str(tensor.dtype)
        ]
        assigned = self._assigned.difference(copied)
        counted = {*copied, *(self._places if self._preparing is not None else ())}
        others = [each for place, each in enumerate(tensors) if place not in assigned]
        watched = [tensors[place] for place in sorted(counted)]
        # Created first, so that it detects all changes from here on.
        watch = None
        places = self._weights.places()
        if places is not None and can_watch(others, watched, places.owners):
            watch = Watch(others, watched, places.dicts, places.owners, places.lists)
        seen = [
            None
            if i in assigned and not tensor.requires_grad
            else self._seen_of(tensor, i in counted)
            for i, tensor in enumerate(tensors)
        ]
        # Inference tensors have no versions.
        is_same = self._seen == seen and not any(tensor.is_inference() for tensor in watched)
        known = self._known
        if is_same and known is not None:
            held = self._with_assigned(known[1], {place: tensors[place] for place in assigned})
        else:
            held = self._hold(tensors, assigned)
        self._known, self._seen = (watch, held), seen
        return held

    def _check(self, tensors: Sequence[Any]) -> None:
        for name, tensor, wanted in zip(self._weights.names(), tensors, self._wanted, strict=True):
            found = _type_of(tensor)
            problem = self._kind.problem_of(tensor)
            if problem is not None:
                raise WeightError(f"the weight {name!r} is {problem}")
            if found != wanted:
                raise WeightError(
                    f"the weight {name!r} is {_shown(found)}, and the program was compiled for "
                    f"{_shown(wanted)}; compile again"
                )

    def _seen_of(self, tensor: Any, is_counted: bool) -> _Seen:
        described = self._kind.describe(tensor)
        assert described is not None, "it was checked"
        version = tensor._version if is_counted and not tensor.is_inference() else None
        return _Seen(described, tensor.requires_grad, version)

    def _hold(self, tensors: Sequence[Any], assigned: AbstractSet[int]) -> StateSnapshot:
        detached = [tensor.detach() for tensor in tensors]
        passed = [self._passed(tensor) for tensor in detached]
        arguments = [(place, *self._described(tensor)) for place, tensor in enumerate(passed)]
        owners: list[Any] = list(passed)
        if self._preparing is not None:
            frame = Frame(self._preparing.signature, self._preparing.workspace)
            for index, place in enumerate(self._places):
                self._preparing.set_tensor(frame, index, *arguments[place][1:])
            prepared, memory = prepared_by(self._preparing, frame)
            arguments += [(place, *each) for place, each in enumerate(prepared, self._first)]
            owners.append(memory)
        requiring = tuple(i for i, tensor in enumerate(tensors) if tensor.requires_grad)
        return StateSnapshot(
            tuple(each for each in arguments if each[0] not in assigned),
            tuple(owners),
            tuple(tensors),
            requiring,
            {
                place: copy
                for place, (copy, tensor) in enumerate(zip(passed, detached, strict=True))
                if copy is not tensor
            },
            tuple(each for each in arguments if each[0] in assigned),
        )

    def _passed(self, tensor: Any) -> Any:
        described = self._kind.describe(tensor)
        assert described is not None, "it was checked"
        if described.dtype == "bool":
            tensor = self._kind.with_bools(tensor, described)
        return self._kind.contiguous(tensor, None)

    def _described(self, tensor: Any) -> tuple[int, Sequence[int], Sequence[int]]:
        found = self._kind.describe(tensor)
        assert found is not None and found.strides is not None, "it was made contiguous"
        return found.address, found.sizes, found.strides


def _type_of(tensor: Any) -> tuple[Any, ...]:
    return tuple(tensor.shape), tensor.dtype, tensor.device, tensor.layout


def _shown(type: tuple[Any, ...]) -> str:
    sizes, dtype, device, layout = type
    where = "" if str(device) == "cpu" else f" on {device}"
    how = "" if str(layout) == "torch.strided" else f" of layout {layout}"
    return f"{str(dtype).removeprefix('torch.')}{list(sizes)}{where}{how}"


def prepared_by(
    preparing: Caller, frame: Frame
) -> tuple[list[tuple[int, Sequence[int], Sequence[int]]], LargePages]:
    """Run the preparation; returns addresses, sizes and strides of results in one allocation."""
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
    """The size of an element in bytes, given MLIR's spelling of its type."""
    assert isinstance(parameter, TensorParameter)
    bits = int(re.sub(r"\D", "", parameter.dtype))
    return (2 if "complex" in parameter.dtype else 1) * ((bits + 7) // 8)
