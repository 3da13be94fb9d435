"""Dimensions: wrap negative ones, check their range."""

from typing import List, Tuple


def wrap_dim(dim: int, rank: int) -> int:
    """`dim` wrapped to be non-negative; a 0-dim tensor counts as having one dimension."""
    extent = max(rank, 1)
    assert -extent <= dim and dim < extent, (
        f"dimension {dim} is out of range for a tensor of rank {rank}"
    )
    if dim < 0:
        dim = dim + extent
    return dim


def wrap_dims(dims: List[int], rank: int) -> List[int]:
    """`dims` wrapped to be non-negative; duplicates raise."""
    wrapped: List[int] = []
    for dim in dims:
        from_front = wrap_dim(dim, rank)
        assert from_front not in wrapped, f"dimension {from_front} appears multiple times in {dims}"
        wrapped.append(from_front)
    return wrapped


def same_as_self(self: List[int]) -> List[int]:
    """The result has the shape of `self`."""
    return self


def dtype_of_self(self: Tuple[int, int]) -> int:
    """The result has the dtype of `self`."""
    return self[1]
