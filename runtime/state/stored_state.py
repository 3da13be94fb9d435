"""The weights of a saved program, in their own memory."""

from __future__ import annotations

import math
import threading
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from torch_refine.runtime.calls.calling import Caller, Frame
from torch_refine.runtime.calls.large_pages import LargePages
from torch_refine.runtime.state.state import State, StateSnapshot, prepared_by
from torch_refine.runtime.state.weights import Places

ALIGNMENT = 64
"""The alignment of each weight, in bytes."""


class StoredWeights:
    """Arrays in one allocation: for each a name, an offset, an item size and sizes."""

    def __init__(
        self, memory: LargePages, table: Mapping[str, tuple[int, int, Sequence[int]]]
    ) -> None:
        self.memory = memory
        self.table = dict(table)

    def names(self) -> Sequence[str]:
        """The names in the model."""
        return list(self.table)

    def arrays(self) -> list[Any]:
        """NumPy byte arrays; the element types are in the signature of the program."""
        import ctypes

        import numpy

        found = []
        for offset, itemsize, sizes in self.table.values():
            count = math.prod(sizes) * itemsize
            if not count:
                found.append(numpy.empty(sizes, dtype=f"V{itemsize}"))
                continue
            view: Any = (ctypes.c_char * count).from_address(self.memory.address + offset)
            found.append(numpy.frombuffer(view, dtype=f"V{itemsize}").reshape(sizes))
        return found

    def current(self) -> list[Any]:
        """The same as `arrays`."""
        return self.arrays()

    def places(self) -> Places | None:
        """Nowhere: the weights cannot be replaced."""
        return Places()

    def has_conditions(self) -> bool:
        """No."""
        return False

    def assigned(self) -> Collection[int]:
        """None: new values are written to their memory."""
        return ()

    def assign(self, place: int, tensor: Any) -> list[dict[str, Any]]:
        """Not possible."""
        raise AssertionError("stored weights are written to")


class StoredState(State):
    """State that only the program itself writes to."""

    def __init__(
        self,
        weights: StoredWeights,
        places: Sequence[int] = (),
        preparing: Caller | None = None,
        first: int = 0,
    ) -> None:
        self._stored = weights
        self._names = weights.names()
        self._places, self._preparing, self._first = list(places), preparing, first
        self._held: StateSnapshot | None = None
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._names)

    @property
    def names(self) -> Sequence[str]:
        """The names of the weights in messages."""
        return self._names

    def tensors(self) -> Sequence[Any]:
        """NumPy byte arrays."""
        return self.current().tensors

    def current(self) -> StateSnapshot:
        """The state, which is prepared on first use."""
        if self._held is None:
            with self._lock:
                self._held = self._held or self._made()
        return self._held

    def forget(self) -> None:
        """Prepare everything again at the next call."""
        with self._lock:
            self._held = None

    def _made(self) -> StateSnapshot:
        arrays = self._stored.arrays()
        arguments: list[tuple[int, int, Sequence[int], Sequence[int]]] = [
            (
                place,
                array.ctypes.data,
                array.shape,
                tuple(step // array.itemsize for step in array.strides),
            )
            for place, array in enumerate(arrays)
        ]
        owners: list[Any] = [self._stored.memory]
        if self._preparing is not None:
            frame = Frame(self._preparing.signature, self._preparing.workspace)
            for index, place in enumerate(self._places):
                self._preparing.set_tensor(frame, index, *arguments[place][1:])
            prepared, memory = prepared_by(self._preparing, frame)
            arguments += [(place, *each) for place, each in enumerate(prepared, self._first)]
            owners.append(memory)
        return StateSnapshot(tuple(arguments), tuple(owners), tuple(arrays), ())
