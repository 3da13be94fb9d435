"""Shapes that must match."""

from typing import List


def check_same(shape: List[int], expected: List[int], name: str) -> None:
    """Raise unless two shapes are the same."""
    assert len(shape) == len(expected), f"{name} must have shape {expected}, got {shape}"
    for i in range(len(shape)):
        assert shape[i] == expected[i], f"{name} must have shape {expected}, got {shape}"


def check_expands(addend: List[int], shape: List[int]) -> None:
    """Raise unless `addend` expands to `shape`, as with `Tensor.expand`."""
    offset = len(shape) - len(addend)
    assert offset >= 0, f"shape {addend} cannot expand to shape {shape} of lower rank"
    for i in range(len(addend)):
        assert addend[i] == 1 or addend[i] == shape[offset + i], (
            f"shape {addend} cannot expand to {shape}"
        )


def check_spatial(grad_output: List[int], self: List[int], sizes: List[int]) -> None:
    """Raise unless the last dimensions of a gradient have the given `sizes`.

    The kernels check no more: neither batch and channels nor any further dimensions. Some accept
    inputs of other ranks and then check other dimensions.
    """
    end, rank = len(self), len(sizes)
    if end == rank + 1 or end == rank + 2:
        check_same(grad_output[end - rank : end], sizes, "the spatial part of grad_output")
