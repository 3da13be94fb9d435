"""The interface between host programs and a GPU: a table of addresses, and allocation."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

from torch_refine.runtime.cuda.constants import Constants
from torch_refine.runtime.cuda.interface import Driver

_LAUNCH, _COPY, _ALLOCATE, _FREE, _STREAM, _ERROR, _CONSTANT, _KERNELS = range(8)

# Set by launching.ll for a grid with more blocks than the driver supports.
_TOO_MANY_BLOCKS = 2**32 - 1
# The driver's error number. Nothing is launched after an error.
_NO_MEMORY = 2

_Allocate = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
_Free = ctypes.CFUNCTYPE(None, ctypes.c_int64)
_Constant = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


class Table:
    """The table of one thread, and the allocations of its running call.

    `kernels` are handles. Memory is allocated by PyTorch as tensors: freed memory that pending
    kernels use is reused only by later kernels of the same stream. `layouts` are sizes and dtypes
    of results by their size in bytes: allocations of that size are such tensors, others are bytes.
    """

    def __init__(
        self,
        driver: Driver,
        kernels: Sequence[int],
        constants: Constants,
        layouts: Mapping[int, tuple[Sequence[int], Any]] | None = None,
    ) -> None:
        import torch

        self._torch = torch
        self._driver = driver
        self._constants = constants
        self._layouts = layouts or {}
        self._words = (ctypes.c_int64 * (_KERNELS + len(kernels)))()
        self.address = ctypes.addressof(self._words)
        # ctypes callbacks live as long as they are referenced.
        self._functions = (
            _Allocate(self._allocate),
            _Free(self._free),
            _Constant(self._constant),
        )
        self._words[_LAUNCH], self._words[_COPY] = driver.launch, driver.copy
        for place, function in zip((_ALLOCATE, _FREE, _CONSTANT), self._functions, strict=True):
            self._words[place] = ctypes.cast(function, ctypes.c_void_p).value or 0
        self._words[_KERNELS:] = list(kernels)
        self._allocated: dict[int, Any] = {}
        self._failure: BaseException | None = None

    def begin(self) -> None:
        """Called before a call."""
        self._words[_STREAM] = self._driver.stream()
        self._words[_ERROR] = 0
        self._allocated.clear()
        self._failure = None

    def check(self) -> None:
        """Raise the error of a call: out of memory, or a driver error."""
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
        """Allocate bytes on the device."""
        sizes, dtype = self._layouts.get(count) or ((count,), self._torch.uint8)
        return self._torch.empty(sizes, dtype=dtype, device=self._driver.device)

    def look(self, address: int) -> Any:
        """The call's allocation at an address, which stays owned by the table."""
        return self._allocated[address]

    def take(self, address: int) -> Any:
        """The call's allocation at an address; ownership moves to the caller."""
        return self._allocated.pop(address)

    def _allocate(self, count: int) -> int:
        # Exceptions must not propagate through C code.
        try:
            memory = self.new(max(count, 1))
        except BaseException as error:
            return self._note(error)
        address = int(memory.data_ptr())
        self._allocated[address] = memory
        return address

    def _free(self, address: int) -> None:
        self._allocated.pop(address, None)

    def _constant(self, source: int, count: int) -> int:
        try:
            return self._constants.address(source, count)
        except BaseException as error:
            return self._note(error)

    def _note(self, error: BaseException) -> int:
        """Keep an exception for `check`; returns the address of no memory."""
        self._failure = error
        self._words[_ERROR] = _NO_MEMORY
        return 0
