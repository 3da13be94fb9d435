"""A program's constants in the memory of its GPU."""

from __future__ import annotations

import ctypes
import threading
from typing import Any, NamedTuple

from torch_refine.runtime.cuda.interface import Driver


class Constants:
    """Copies of constants, made by the first call that uses them, for those of all threads.

    Their memory is that of the stream of that call. Its early reuse is prevented for others.
    """

    def __init__(self, driver: Driver) -> None:
        import torch

        self._torch = torch
        self._driver = driver
        self._copies: dict[tuple[int, int], _Copy] = {}
        self._lock = threading.Lock()

    def address(self, source: int, count: int) -> int:
        """The address of a copy of `count` bytes of the host's memory, which never change.

        Raises RuntimeError if there is none yet, and the call is captured in a CUDA graph.
        """
        found = self._copies.get((source, count))
        if found is None:
            with self._lock:
                found = self._copies.get((source, count))
                if found is None:
                    found = self._copies[source, count] = self._copy(source, count)
        stream = self._driver.stream()
        if stream not in found.streams:
            self._driver.use(found.memory)
            found.streams.add(stream)
        return found.address

    def _copy(self, source: int, count: int) -> _Copy:
        if self._driver.is_capturing():
            raise RuntimeError(
                "constants of the program are copied on its first call: call it before the capture "
                "of a CUDA graph"
            )
        # PyTorch waits for a copy from memory that is not pinned, so other streams need not.
        memory = self._torch.empty(
            max(count, 1), dtype=self._torch.uint8, device=self._driver.device
        )
        if count:
            held = (ctypes.c_char * count).from_address(source)
            memory.copy_(self._torch.frombuffer(held, dtype=self._torch.uint8))
        return _Copy(int(memory.data_ptr()), memory, {self._driver.stream()})


class _Copy(NamedTuple):
    """A constant's copy, and the streams that may use it."""

    address: int
    memory: Any
    streams: set[int]
