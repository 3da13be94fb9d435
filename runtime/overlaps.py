"""Whether tensors lie in the same memory.

A program that writes to an input was compiled as if nothing else lay there: what it computes of
another input is made of the values from before the call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

# How long to search for an element that two arrays have in common, if both lie with gaps.
_MOST_WORK = 100_000


class OverlapError(ValueError):
    """An input lies where another one is that the program writes to."""


class _Lying(NamedTuple):
    """Where an array lies: the address of its first element, sizes, strides in bytes."""

    address: int
    sizes: Sequence[int]
    strides: Sequence[int]
    itemsize: int

    def ends(self) -> tuple[int, int]:
        """The first byte of an array, and the one behind its last."""
        reached = [
            (size - 1) * stride for size, stride in zip(self.sizes, self.strides, strict=True)
        ]
        first = self.address + sum(each for each in reached if each < 0)
        return first, self.address + sum(each for each in reached if each > 0) + self.itemsize


def refuse_overlaps(inputs: Sequence[Any], written: Iterable[int], buffers: Iterable[Any]) -> None:
    """OverlapError if an input lies where another one does, or a buffer, that is written to.

    `written` are the numbers of inputs that the program writes to; so it does to all `buffers`.
    """
    places = [_lying(value) for value in inputs]
    for place, lying in [
        *((index, places[index]) for index in written),
        *((None, _lying(buffer)) for buffer in buffers),
    ]:
        for index, other in enumerate(places):
            if index == place or lying is None or other is None:
                continue
            if _overlap(lying, other):
                what = "a buffer" if place is None else f"input {place}"
                raise OverlapError(
                    f"input {index} lies in the memory of {what}, which the program writes to"
                )


def _lying(value: Any) -> _Lying | None:
    """Where a torch tensor or a NumPy array lies; None for what is neither, or has no elements."""
    if type(value).__module__ == "numpy":
        address, strides = value.ctypes.data, value.strides
    elif hasattr(value, "data_ptr"):
        address = value.data_ptr()
        strides = [stride * value.itemsize for stride in value.stride()]
    else:
        return None
    sizes = tuple(value.shape)
    return None if 0 in sizes else _Lying(address, sizes, strides, value.itemsize)


def _overlap(one: _Lying, other: _Lying) -> bool:
    """Whether two arrays have a byte in common, or may have: that can take long to find out."""
    (first, last), (start, end) = one.ends(), other.ends()
    if last <= start or end <= first:
        return False
    import numpy

    try:
        arrays = numpy.asarray(_Bytes(one)), numpy.asarray(_Bytes(other))
        # NumPy's stubs know two of the numbers that it takes.
        return bool(numpy.shares_memory(*arrays, max_work=_MOST_WORK))  # type: ignore[arg-type]
    except numpy.exceptions.TooHardError:
        return True


class _Bytes:
    """An array for NumPy, which looks at where it lies and not at what it holds."""

    def __init__(self, lying: _Lying) -> None:
        self.__array_interface__ = {
            "version": 3,
            "data": (lying.address, True),
            "shape": tuple(lying.sizes),
            "strides": tuple(lying.strides),
            "typestr": f"|V{lying.itemsize}",
        }
