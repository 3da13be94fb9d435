"""Dimensions: wrapping negative ones, checking them."""

from typing import List


def wrap_dim(dim: int, rank: int) -> int:
    """`dim` counted from the front; a zero-dim tensor counts as having one dimension."""
    extent = max(rank, 1)
    assert -extent <= dim and dim < extent, (
        f"dimension {dim} is out of range for a tensor of rank {rank}"
    )
    if dim < 0:
        dim = dim + extent
    return dim


def same_as_self(self: List[int]) -> List[int]:
    """The rule of operators whose result has the shape of `self`."""
    return self
