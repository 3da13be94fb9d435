"""Whether tensors lie in the same memory.

A program that writes to an input was compiled as if nothing else lay there: what it computes of
another input is made of the values from before the call.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

# How long to search for an element that two arrays have in common, if both lie with gaps.
_MOST_WORK = 100_000


class OverlapError(ValueError):
    """An input lies where another tensor is that the program writes to."""


@dataclass(frozen=True)
class Extent:
    """Where an array lies: from its first byte to the one behind its last, and how."""

    first: int
    end: int
    address: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    """In bytes."""
    itemsize: int

    @staticmethod
    def of(value: Any) -> Extent | None:
        """Where a torch tensor or a NumPy array lies; None for others, and without elements."""
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
        """Whether two elements have a byte in common, or may have."""
        reach = self.itemsize
        # If each dimension steps over all that the ones with shorter steps reach, none has.
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
        """Whether two arrays have a byte in common, or may have: that can take long to find out."""
        import numpy

        try:
            arrays = numpy.asarray(_Bytes(self)), numpy.asarray(_Bytes(other))
            # NumPy's stubs know two of the numbers that it takes.
            return bool(numpy.shares_memory(*arrays, max_work=_MOST_WORK))  # type: ignore[arg-type]
        except numpy.exceptions.TooHardError:
            return True


def refuse_unwritable(value: Any, name: str) -> None:
    """See whether a program may write to an array.

    Raises:
        OverlapError: two of its elements are one in memory.
        ValueError: it is read-only, or was made in inference mode and this is not.
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
    lying = Extent.of(value)
    if lying is not None and lying.overlaps_itself():
        raise OverlapError(
            f"two elements of {name} are one in memory, and the program writes to it"
        )


def refuse_overlaps(
    state: Sequence[Extent | None], inputs: Sequence[Any], written: Container[int]
) -> None:
    """OverlapError if an input lies where another one does, or state, that is written to.

    `written` are places among the state and the inputs, in this order.
    """
    first = len(state)
    for one, other in _overlapping([*state, *map(Extent.of, inputs)]):
        # State is looked at when it changes.
        if max(one, other) >= first and (one in written or other in written):
            index, at = max(one, other) - first, min(one, other) - first
            where = "the model's state" if at < 0 else f"input {at}"
            raise OverlapError(
                f"input {index} lies in the memory of {where}, and the program writes to it"
            )


def refuse_shared_state(
    state: Sequence[Extent | None], names: Sequence[str], written: Container[int]
) -> None:
    """OverlapError if state that is written to shares memory with other state.

    PyTorch exports no model whose state does, so it was replaced since.
    """
    for one, other in _overlapping(state):
        if one in written or other in written:
            first, second = sorted((names[one], names[other]))
            raise OverlapError(
                f"{first!r} and {second!r} share memory, which they did not when the program was "
                "compiled, and it writes to one of them"
            )


def _overlapping(places: Sequence[Extent | None]) -> Iterator[tuple[int, int]]:
    """All pairs that have a byte in common, by their numbers."""
    known = [(lying.first, index, lying) for index, lying in enumerate(places) if lying is not None]
    # Those that begin before the next one does, and may reach it.
    before: list[tuple[int, Extent]] = []
    for first, index, lying in sorted(known, key=lambda each: each[:2]):
        before = [each for each in before if each[1].end > first]
        for other, there in before:
            if lying.overlaps(there):
                yield index, other
        before.append((index, lying))


class _Bytes:
    """An array for NumPy, which looks at where it lies and not at what it holds."""

    def __init__(self, lying: Extent) -> None:
        self.__array_interface__ = {
            "version": 3,
            "data": (lying.address, True),
            "shape": lying.sizes,
            "strides": lying.strides,
            "typestr": f"|V{lying.itemsize}",
        }
