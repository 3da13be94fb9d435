"""Alias analysis of the tensors of a call: whether they share memory.

A program that writes to an input was compiled assuming that no other input aliases it: other inputs
are read with their values from before the call.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

# The bound of the search for a common element of two non-contiguous arrays.
_MAX_WORK = 100_000


class OverlapError(ValueError):
    """An input aliases a tensor that the program writes to."""


@dataclass(frozen=True)
class Extent:
    """The memory extent of an array: first byte, end, and layout."""

    first: int
    end: int
    address: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    """In bytes."""
    itemsize: int

    @staticmethod
    def of(value: Any) -> Extent | None:
        """The extent of a torch tensor or a NumPy array; None for others, and for empty ones."""
        itemsize = getattr(value, "itemsize", 0)
        if type(value).__module__ == "numpy":
            address, strides = value.ctypes.data, value.strides
        elif str(getattr(value, "layout", "")) == "torch.strided":
            address = value.data_ptr()
            strides = tuple(stride * itemsize for stride in value.stride())
        else:
            return None
        sizes = tuple(value.shape)
        if 0 in sizes:
            return None
        reached = [(size - 1) * stride for size, stride in zip(sizes, strides, strict=True)]
        first = address + sum(each for each in reached if each < 0)
        end = address + sum(each for each in reached if each > 0) + itemsize
        return Extent(first, end, address, sizes, strides, itemsize)

    def overlaps_itself(self) -> bool:
        """Whether two elements share a byte, or may."""
        reach = self.itemsize
        # If each dimension's stride exceeds the span of all with smaller strides, none do.
        for step, size in sorted(
            (abs(step), size)
            for step, size in zip(self.strides, self.sizes, strict=True)
            if size > 1
        ):
            if step < reach:
                return True
            reach += step * (size - 1)
        return False

    def overlaps(self, other: Extent) -> bool:
        """Whether two arrays share a byte, or may: an exact answer can take exponential time."""
        import numpy

        try:
            arrays = numpy.asarray(_Bytes(self)), numpy.asarray(_Bytes(other))
            # NumPy's stubs do not accept an int here.
            return bool(numpy.shares_memory(*arrays, max_work=_MAX_WORK))  # type: ignore[arg-type]
        except numpy.exceptions.TooHardError:
            return True


def refuse_unwritable(value: Any, name: str) -> None:
    """Check that a program may write to an array.

    Raises:
        OverlapError: two of its elements are one in memory.
        ValueError: it is read-only, or is an inference tensor outside of inference mode.
    """
    if type(value).__module__ == "numpy":
        if not value.flags.writeable:
            raise ValueError(f"{name} is read-only, and the program writes to it")
    else:
        import torch

        if value.is_inference() and not torch.is_inference_mode_enabled():
            raise ValueError(
                f"{name} was made in inference mode, and the program writes to it outside"
            )
    extent = Extent.of(value)
    if extent is not None and extent.overlaps_itself():
        raise OverlapError(f"two elements of {name} share memory, and the program writes to it")


def refuse_overlaps(
    state: Sequence[Extent | None], inputs: Sequence[Any], written: Container[int]
) -> None:
    """Raise OverlapError if an input or state that is written to aliases an input.

    `written` are indices into the state followed by the inputs.
    """
    first = len(state)
    for one, other in _overlapping([*state, *map(Extent.of, inputs)]):
        # State is checked when it changes.
        if max(one, other) >= first and (one in written or other in written):
            index, at = max(one, other) - first, min(one, other) - first
            where = "the model's state" if at < 0 else f"input {at}"
            raise OverlapError(
                f"input {index} shares memory with {where}, and the program writes to it"
            )


def refuse_shared_state(
    state: Sequence[Extent | None], names: Sequence[str], written: Container[int]
) -> None:
    """Raise OverlapError if state that is written to aliases other state.

    PyTorch exports no such model, so the state was replaced since.
    """
    for one, other in _overlapping(state):
        if one in written or other in written:
            first, second = sorted((names[one], names[other]))
            raise OverlapError(
                f"{first!r} and {second!r} share memory, which they did not when the program was "
                "compiled, and it writes to one of them"
            )


def _overlapping(places: Sequence[Extent | None]) -> Iterator[tuple[int, int]]:
    """All pairs of indices whose extents share a byte."""
    known = [
        (extent.first, index, extent) for index, extent in enumerate(places) if extent is not None
    ]
    # The extents that start before the next one, and may reach it.
    before: list[tuple[int, Extent]] = []
    for first, index, extent in sorted(known, key=lambda each: each[:2]):
        before = [each for each in before if each[1].end > first]
        for other, there in before:
            if extent.overlaps(there):
                yield index, other
        before.append((index, extent))


class _Bytes:
    """An array interface for NumPy that exposes only addresses, not contents."""

    def __init__(self, extent: Extent) -> None:
        self.__array_interface__ = {
            "version": 3,
            "data": (extent.address, True),
            "shape": extent.sizes,
            "strides": extent.strides,
            "typestr": f"|V{extent.itemsize}",
        }
