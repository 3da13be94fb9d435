"""What host programs are told of a GPU: a table of addresses, and the memory that they allocate."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Protocol

_LAUNCH, _COPY, _ALLOCATE, _FREE, _STREAM, _ERROR, _KERNELS = range(7)

# What launching.ll notes where a grid would have more blocks than the driver launches.
_TOO_MANY_BLOCKS = 2**32 - 1
# The driver's number for it. Nothing is launched after an error.
_NO_MEMORY = 2

_Allocate = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
_Free = ctypes.CFUNCTYPE(None, ctypes.c_int64)


class Driver(Protocol):
    """A GPU, as far as programs need it."""

    device: Any
    """PyTorch's device."""
    chip: str
    """What code is generated for."""
    launch: int
    """The address of a function with the parameters of `cuLaunchKernel`."""
    copy: int
    """The address of a function with the parameters of `cuMemcpyHtoDAsync`."""

    def load(self, assembly: str, kernels: Sequence[str]) -> tuple[Any, list[int]]:
        """Load kernels; what must be kept for as long as they are used, and their handles."""

    def stream(self) -> int:
        """PyTorch's current stream."""

    def current(self) -> Any:
        """A context in which the device is the current one, in this thread as in any other."""

    def mark(self) -> Any:
        """The place that PyTorch's current stream has come to."""

    def follow(self, mark: Any) -> bool:
        """Let PyTorch's current stream wait for a mark; False if it was passed already."""

    def use(self, tensor: Any) -> None:
        """Tell PyTorch that its current stream uses the memory of another stream's tensor."""

    def message(self, error: int) -> str:
        """What an error of the driver means."""


class Table:
    """The table of one thread, and what its running call allocated.

    `kernels` are handles. Memory is PyTorch's, as tensors of bytes: what was freed while kernels
    that use it wait in the stream is used again by later ones of that stream only.
    """

    def __init__(self, driver: Driver, kernels: Sequence[int]) -> None:
        import torch

        self._torch = torch
        self._driver = driver
        self._words = (ctypes.c_int64 * (_KERNELS + len(kernels)))()
        self.address = ctypes.addressof(self._words)
        # Functions for C live for as long as something refers to them.
        self._functions = (_Allocate(self._allocate), _Free(self._free))
        self._words[_LAUNCH], self._words[_COPY] = driver.launch, driver.copy
        for place, function in zip((_ALLOCATE, _FREE), self._functions, strict=True):
            self._words[place] = ctypes.cast(function, ctypes.c_void_p).value or 0
        self._words[_KERNELS:] = list(kernels)
        self._allocated: dict[int, Any] = {}
        self._failure: BaseException | None = None

    def begin(self) -> None:
        """A call is about to run."""
        self._words[_STREAM] = self._driver.stream()
        self._words[_ERROR] = 0
        self._allocated.clear()
        self._failure = None

    def check(self) -> None:
        """Raise what went wrong in a call: no memory, or what the driver said."""
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        if self._words[_ERROR] == _TOO_MANY_BLOCKS:
            raise RuntimeError(
                "a kernel needs more blocks than a GPU launches, 2147483647: "
                "the sizes of this call are too large"
            )
        if self._words[_ERROR]:
            raise RuntimeError(f"a kernel failed: {self._driver.message(self._words[_ERROR])}")

    def new(self, count: int) -> Any:
        """Memory on the device, as a tensor of bytes."""
        return self._torch.empty(count, dtype=self._torch.uint8, device=self._driver.device)

    def look(self, address: int) -> Any:
        """What the call allocated at an address, which someone else will take."""
        return self._allocated[address]

    def take(self, address: int) -> Any:
        """What the call allocated at an address; it is the taker's from now on."""
        return self._allocated.pop(address)

    def _allocate(self, count: int) -> int:
        # No exception passes through what C calls.
        try:
            memory = self.new(max(count, 1))
        except BaseException as error:
            self._failure = error
            self._words[_ERROR] = _NO_MEMORY
            return 0
        address = int(memory.data_ptr())
        self._allocated[address] = memory
        return address

    def _free(self, address: int) -> None:
        self._allocated.pop(address, None)
