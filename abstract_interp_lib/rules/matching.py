"""Shapes that must match others."""

from typing import List


def check_same(shape: List[int], expected: List[int], name: str) -> None:
    """Raise unless two shapes are the same."""
    assert len(shape) == len(expected), f"{name} must have shape {expected}, got {shape}"
    for i in range(len(shape)):
        assert shape[i] == expected[i], f"{name} must have shape {expected}, got {shape}"


def check_expands(addend: List[int], shape: List[int]) -> None:
    """Raise unless `addend` broadcasts to exactly `shape`, as `Tensor.expand` wants it."""
    offset = len(shape) - len(addend)
    assert offset >= 0, f"shape {addend} does not expand to the fewer dimensions of {shape}"
    for i in range(len(addend)):
        assert addend[i] == 1 or addend[i] == shape[offset + i], (
            f"shape {addend} does not expand to {shape}"
        )
