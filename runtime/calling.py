"""Calling compiled functions: tensors as descriptors of their memory, results that own theirs.

A descriptor of a tensor of rank r is 3 + 2r words: the allocated pointer, the aligned pointer, the
offset, r sizes, r strides, in elements. The packed interface takes an array of pointers, each to an
argument; an argument that is a tensor is a pointer to its descriptor. Several results, or one
tensor, come as a struct whose address is the first argument; a lone number as the last.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from torch_refine.passes.lowering.guard_messages import decode_guard
from torch_refine.runtime.guards import BrokenGuardError
from torch_refine.runtime.large_pages import LargePages
from torch_refine.runtime.signature import NumberParameter, Parameter, Signature, TensorParameter

_WORD = 8
_free = ctypes.CDLL(None).free
_free.argtypes = [ctypes.c_void_p]
_free.restype = None


# Compiled code keeps a list of what a call has allocated (support.ll). What it is handed starts so
# many bytes into a block; the block's second word is the address of the next one.
_HEADER = 48
_NEXT = _WORD
# The words behind the status: how many bytes could not be allocated, a lock, the first block, and
# the first one that is kept for later calls.
_BYTES, _FIRST, _KEPT = 1, 3, 4
_RECORD_WORDS = 5


class Memory:
    """Memory that compiled code allocated; it is freed with the last tensor that shows it."""

    __slots__ = ("pointer",)

    def __init__(self, pointer: int) -> None:
        self.pointer = pointer

    def __del__(self) -> None:
        _free(self.pointer - _HEADER)


@dataclass(frozen=True)
class Result:
    """A result in memory: what the descriptor says.

    Two results may be one value of the program, or parts of it, in one piece of memory. The last of
    them owns it: the others are copied before it may be freed, which happens at once if it is
    empty.
    """

    allocated: int
    address: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    owns: bool = True


def _descriptor_words(parameter: Parameter) -> int:
    return 3 + 2 * len(parameter.sizes) if isinstance(parameter, TensorParameter) else 1


# The last argument of every function: the number of the assertion that failed.
_STATUS = TensorParameter((), "int64")


class Frame:
    """The memory of one call at a time: pointers, descriptors, results."""

    def __init__(self, signature: Signature, workspace: int | None = None) -> None:
        parameters: list[Parameter] = [*signature.parameters, _STATUS]
        if workspace is not None:
            parameters.insert(-1, TensorParameter((workspace,), "uint8"))
        results = signature.results
        self.alone = len(results) == 1 and isinstance(results[0], NumberParameter)
        sizes = list(map(_descriptor_words, parameters))
        result_words = sum(map(_descriptor_words, results))
        count = len(parameters) + (1 if results else 0)
        # Pointers, then what they point to: cells with the addresses of descriptors, descriptors.
        words = 2 * count + sum(sizes) + result_words
        self.memory = (ctypes.c_int64 * (words + _RECORD_WORDS))()
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
        self.words[status] = self.words[status + 1] = self.address + self.status * _WORD
        self.results = at
        if workspace is not None:
            self.workspace = LargePages(workspace)
            place = self.places[-2]
            self.words[place] = self.words[place + 1] = self.workspace.address
            self.words[place + 3], self.words[place + 4] = workspace, 1
        self.held = 0
        """Which state the descriptors point to, once they are written."""
        if results:
            self._point(len(parameters) if self.alone else 0, count, at, not self.alone)

    def release(self) -> None:
        """Free what a call that failed has allocated."""
        self._free_list(self.status + _FIRST)

    def __del__(self) -> None:
        """Free what calls have kept."""
        if hasattr(self, "status"):
            self._free_list(self.status + _KEPT)

    def _free_list(self, place: int) -> None:
        block = self.words[place]
        self.words[place] = 0
        while block:
            following = ctypes.c_int64.from_address(block + _NEXT).value
            _free(block)
            block = following

    def _point(self, index: int, count: int, at: int, indirect: bool) -> None:
        target = self.address + at * _WORD
        if indirect:
            cell = count + index
            self.words[cell] = target
            target = self.address + cell * _WORD
        self.words[index] = target


class Caller:
    """Calls one compiled function; each call that runs has a frame of its own.

    A frame has the memory that the function works in, `workspace` bytes of it. Frames are used
    again: there are as many as calls ever ran at the same time, in several threads or within each
    other, as when a signal handler calls the program that it interrupted. A process that is forked
    off has copies of those that are free, and no lock that another thread held.
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
        # Taking from a list and putting back are atomic. The last one is the one in the cache.
        self._free: list[Frame] = []

    def take_frame(self) -> Frame:
        """A frame that no other call uses until it is given back."""
        try:
            return self._free.pop()
        except IndexError:
            return Frame(self.signature, self.workspace)

    def give_back(self, frame: Frame) -> None:
        """A call that took a frame has ended."""
        self._free.append(frame)

    def set_tensor(
        self, frame: Frame, index: int, address: int, sizes: Sequence[int], strides: Sequence[int]
    ) -> None:
        """Pass a tensor."""
        at = frame.places[index]
        words = frame.words
        words[at] = words[at + 1] = address
        at += 3
        for size in sizes:
            words[at] = size
            at += 1
        for stride in strides:
            words[at] = stride
            at += 1

    def set_number(self, frame: Frame, index: int, value: Any) -> None:
        """Pass a number."""
        parameter = self.signature.parameters[index]
        assert isinstance(parameter, NumberParameter)
        frame.words[frame.places[index]] = _as_word(parameter, value)

    def call(self, frame: Frame) -> list[Any]:
        """Run the function; numbers, and Results for tensors.

        Raises BrokenGuardError when a guard does not hold, and RuntimeError when another assertion
        of the program fails.
        """
        words = frame.words
        words[frame.status] = 0
        self.function(frame.address)
        if words[frame.status]:
            frame.release()
            raise self._failure(words, frame.status)
        # What is left are results, which are freed one by one.
        words[frame.status + _FIRST] = 0
        place = frame.results * _WORD
        found: list[Any] = []
        owners: dict[int, int] = {}
        for parameter in self.signature.results:
            if isinstance(parameter, NumberParameter) and parameter.kind == "bool":
                # One byte, right behind another one; what lies behind it is left from earlier.
                found.append(bool(frame.bytes[place] & 1))
                place += 1
                continue
            at = -(-place // _WORD)
            place = (at + _descriptor_words(parameter)) * _WORD
            if isinstance(parameter, NumberParameter):
                found.append(_from_word(parameter, words[at]))
                continue
            rank = len(parameter.sizes)
            sizes = tuple(words[at + 3 : at + 3 + rank])
            strides = tuple(words[at + 3 + rank : at + 3 + 2 * rank])
            allocated = words[at]
            if allocated in owners:
                before = owners[allocated]
                found[before] = replace(found[before], owns=False)
            owners[allocated] = len(found)
            found.append(Result(allocated, words[at + 1], sizes, strides))
            assert words[at + 2] == 0, "results start where their memory does"
        return found

    def _failure(self, words: memoryview[int], status: int) -> Exception:
        """What a call that failed raises."""
        said = self.assertions[words[status] - 1]
        guard = decode_guard(said)
        if guard is not None:
            return BrokenGuardError(guard)
        return RuntimeError(said.replace("{bytes}", str(words[status + _BYTES])))


def _as_word(parameter: NumberParameter, value: Any) -> int:
    if parameter.kind == "float":
        word: int = struct.unpack("q", struct.pack("d", value))[0]
        return word
    return int(value)


def _from_word(parameter: NumberParameter, word: int) -> Any:
    is_float = parameter.kind == "float"
    return struct.unpack("d", struct.pack("q", word))[0] if is_float else word
