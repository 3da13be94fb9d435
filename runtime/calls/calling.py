"""Calling compiled functions: memref descriptors of tensors, and ownership of results.

`passes/lowering/abi.py` documents descriptors, the order of arguments, and the status.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from torch_refine.dialect.guard_messages import decode_guard
from torch_refine.passes.lowering.abi import (
    BLOCK_BYTES,
    BLOCK_HEADER,
    FAILED_BYTES,
    FIRST_BLOCK,
    KEPT_BLOCK,
    LAST_LOG,
    LEAST_KEPT,
    LOG_HEADER,
    NEXT_BLOCK,
    RECORD_WORDS,
    SIZES,
    UNALLOCATED,
    WORD,
    descriptor_words,
)
from torch_refine.runtime.calls.guards import BrokenGuardError
from torch_refine.runtime.calls.large_pages import LargePages
from torch_refine.runtime.calls.signature import (
    NumberParameter,
    Parameter,
    Signature,
    TensorParameter,
)

_free = ctypes.CDLL(None).free
_free.argtypes = [ctypes.c_void_p]
_free.restype = None


class Memory:
    """Memory that compiled code allocated; freed with the last tensor that uses it.

    If there is a `frame`, it goes back to that, for its next call.
    """

    __slots__ = ("frame", "pointer")

    def __init__(self, pointer: int, frame: Frame | None = None) -> None:
        self.pointer = pointer
        self.frame = frame

    def __del__(self, is_ending: Callable[[], bool] = sys.is_finalizing) -> None:
        # When the process ends, this module may be gone.
        if is_ending():
            return
        if self.frame is None:
            _free(self.pointer - BLOCK_HEADER)
        else:
            self.frame.returned.append(self.pointer - BLOCK_HEADER)


class Result(NamedTuple):
    """The descriptor of a result.

    Two results may be the same value, or parts of it, in one allocation. The last of them owns it:
    the others are copied before it may be freed, which happens at once if it is empty. With a
    `frame`, its memory goes back to that.
    """

    allocated: int
    address: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    owns: bool = True
    frame: Frame | None = None


def _descriptor_words(parameter: Parameter) -> int:
    return descriptor_words(len(parameter.sizes)) if isinstance(parameter, TensorParameter) else 1


# The last argument of every function: the number of the failed assertion.
_STATUS = TensorParameter((), "int64")


class Frame:
    """The memory of one call at a time: pointers, descriptors, results."""

    def __init__(self, signature: Signature, workspace: int | None = None) -> None:
        self.returned: list[int] = []
        """Blocks of results that are in use no longer."""
        parameters: list[Parameter] = [*signature.parameters, _STATUS]
        if workspace is not None:
            parameters.insert(-1, TensorParameter((workspace,), "uint8"))
        results = signature.results
        self.alone = len(results) == 1 and isinstance(results[0], NumberParameter)
        sizes = list(map(_descriptor_words, parameters))
        result_words = sum(map(_descriptor_words, results))
        count = len(parameters) + (1 if results else 0)
        # Pointers, then their targets: cells with the addresses of descriptors, and descriptors.
        words = 2 * count + sum(sizes) + result_words
        self.memory = (ctypes.c_int64 * (words + RECORD_WORDS))()
        self.address = ctypes.addressof(self.memory)
        self.bytes = memoryview(self.memory).cast("B")
        self.words = self.bytes.cast("q")
        at = 2 * count
        self.places = []
        first = 0 if self.alone or not results else 1
        for index, (parameter, size) in enumerate(zip(parameters, sizes, strict=True)):
            self._point(first + index, count, at, isinstance(parameter, TensorParameter))
            self.places.append(at)
            at += size
        status = self.places[-1]
        self.status = at + result_words
        self.words[status] = self.words[status + 1] = self.address + self.status * WORD
        self.results = at
        if workspace is not None:
            self.workspace = LargePages(workspace)
            place = self.places[-2]
            self.words[place] = self.words[place + 1] = self.workspace.address
            self.words[place + SIZES], self.words[place + SIZES + 1] = workspace, 1
        self.held = 0
        """The serial number of the state in the descriptors."""
        self.layouts: list[tuple[Sequence[int], Sequence[int]] | None] = [None] * len(parameters)
        """The sizes and strides in the descriptor of each parameter."""
        if results:
            self._point(len(parameters) if self.alone else 0, count, at, not self.alone)

    def release(self) -> None:
        """Undo a failed call: restore what it overwrote, and free its allocations."""
        self._restore()
        self._free_list(self.status + FIRST_BLOCK)

    def keep_returned(self) -> None:
        """Keep the blocks that came back for the next call, as it keeps those that it frees."""
        while self.returned:
            block = self.returned.pop()
            if ctypes.c_int64.from_address(block + BLOCK_BYTES).value < LEAST_KEPT:
                _free(block)
                continue
            following = ctypes.c_int64.from_address(block + NEXT_BLOCK)
            following.value = self.words[self.status + KEPT_BLOCK]
            self.words[self.status + KEPT_BLOCK] = block

    def _restore(self) -> None:
        place = self.status + LAST_LOG
        log = self.words[place]
        while log:
            following, count, width = (ctypes.c_int64 * 3).from_address(log)
            places = (ctypes.c_int64 * count).from_address(log + LOG_HEADER)
            values = log + LOG_HEADER + count * WORD
            for number, address in enumerate(places):
                ctypes.memmove(address, values + number * width, width)
            log = following
        self.words[place] = 0

    def __del__(self, is_ending: Callable[[], bool] = sys.is_finalizing) -> None:
        """Free the memory kept between calls; this module may be gone when the process ends."""
        if hasattr(self, "status") and not is_ending():
            self._free_list(self.status + KEPT_BLOCK)
            for block in self.returned:
                _free(block)

    def _free_list(self, place: int) -> None:
        block = self.words[place]
        self.words[place] = 0
        while block:
            following = ctypes.c_int64.from_address(block + NEXT_BLOCK).value
            _free(block)
            block = following

    def _point(self, index: int, count: int, at: int, indirect: bool) -> None:
        target = self.address + at * WORD
        if indirect:
            cell = count + index
            self.words[cell] = target
            target = self.address + cell * WORD
        self.words[index] = target


class _ResultPlace(NamedTuple):
    """A result of a signature: the kind of a number, and its parameter; the rank of a tensor."""

    kind: str | None
    number: NumberParameter | None
    rank: int

    @staticmethod
    def of(parameter: Parameter) -> _ResultPlace:
        if isinstance(parameter, NumberParameter):
            return _ResultPlace(parameter.kind, parameter, 0)
        return _ResultPlace(None, None, len(parameter.sizes))


class Caller:
    """Calls one compiled function; each running call has its own frame.

    A frame includes the function's workspace of `workspace` bytes. Frames are reused: there are as
    many as calls ever ran concurrently, in several threads or nested, as when a signal handler
    calls the program that it interrupted. A forked process has copies of the free ones, and no lock
    that another thread held.
    """

    def __init__(
        self,
        function: Callable[[int], None],
        signature: Signature,
        assertions: Sequence[str] = (),
        workspace: int | None = None,
    ) -> None:
        self.function = function
        self.signature = signature
        self.assertions = assertions
        self.workspace = workspace
        self._results = [_ResultPlace.of(each) for each in signature.results]
        # Popping and appending are atomic. The most recently used frame is the one in the cache.
        self._free: list[Frame] = []

    def take_frame(self) -> Frame:
        """A frame that no other call uses until it is given back."""
        try:
            return self._free.pop()
        except IndexError:
            return Frame(self.signature, self.workspace)

    def give_back(self, frame: Frame) -> None:
        """Return a frame after its call."""
        self._free.append(frame)

    def set_tensor(
        self, frame: Frame, index: int, address: int, sizes: Sequence[int], strides: Sequence[int]
    ) -> None:
        """Set a tensor argument."""
        at = frame.places[index]
        words = frame.words
        words[at] = words[at + 1] = address
        layout = (sizes, strides)
        # Of those of the previous call, most are the same.
        if frame.layouts[index] == layout:
            return
        frame.layouts[index] = None
        at += SIZES
        for size in sizes:
            words[at] = size
            at += 1
        for stride in strides:
            words[at] = stride
            at += 1
        # An exception of a signal handler may come before.
        frame.layouts[index] = layout

    def set_number(self, frame: Frame, index: int, value: Any) -> None:
        """Set a scalar argument."""
        parameter = self.signature.parameters[index]
        assert isinstance(parameter, NumberParameter)
        frame.words[frame.places[index]] = _as_word(parameter, value)

    def call(self, frame: Frame) -> list[Any]:
        """Run the function; returns scalars, and Results for tensors.

        Raises BrokenGuardError if a guard fails, and RuntimeError if another assertion of the
        program fails.
        """
        words = frame.words
        # Logs remain if an exception of a signal handler came after a call that failed.
        words[frame.status] = words[frame.status + LAST_LOG] = 0
        if frame.returned:
            frame.keep_returned()
        self.function(frame.address)
        if words[frame.status]:
            frame.release()
            raise self._failure(words, frame.status)
        # Only results remain, which are freed individually.
        words[frame.status + FIRST_BLOCK] = 0
        place = frame.results * WORD
        found: list[Any] = []
        owners: dict[int, int] = {}
        for kind, number, rank in self._results:
            if kind == "bool":
                # A bool is a single byte; the bytes after it are stale.
                found.append(bool(frame.bytes[place] & 1))
                place += 1
                continue
            at = -(-place // WORD)
            if number is not None:
                place = (at + 1) * WORD
                found.append(_from_word(number, words[at]))
                continue
            first = at + SIZES
            place = (first + 2 * rank) * WORD
            layout = words[first : first + 2 * rank].tolist()
            allocated, address, offset = words[at:first].tolist()
            if allocated in owners:
                before = owners[allocated]
                found[before] = found[before]._replace(owns=False)
            owners[allocated] = len(found)
            found.append(Result(allocated, address, tuple(layout[:rank]), tuple(layout[rank:])))
            assert offset == 0, "results start where their memory does"
        return found

    def _failure(self, words: memoryview[int], status: int) -> Exception:
        """The exception for a failed call."""
        said = self.assertions[words[status] - 1]
        guard = decode_guard(said)
        if guard is not None:
            return BrokenGuardError(guard)
        return RuntimeError(said.replace(UNALLOCATED, str(words[status + FAILED_BYTES])))


def _as_word(parameter: NumberParameter, value: Any) -> int:
    if parameter.kind == "float":
        word: int = struct.unpack("q", struct.pack("d", value))[0]
        return word
    return int(value)


def _from_word(parameter: NumberParameter, word: int) -> Any:
    is_float = parameter.kind == "float"
    return struct.unpack("d", struct.pack("q", word))[0] if is_float else word
