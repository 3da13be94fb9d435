"""Sliding windows of convolutions and pools over spatial dimensions, and padding."""

from typing import List


def per_dimension(values: List[int], rank: int) -> List[int]:
    """One entry per spatial dimension; a single entry is repeated."""
    assert len(values) == 1 or len(values) == rank, (
        f"expected 1 or {rank} values for {rank} spatial dimensions, got {values}"
    )
    return values * rank if len(values) == 1 else values


def check_batched_or_not(input: List[int], rank: int) -> None:
    """Raise unless `input` has channels and `rank` spatial dimensions, and an optional batch."""
    assert len(input) == rank + 1 or len(input) == rank + 2, (
        f"the input must have {rank + 1} (unbatched) or {rank + 2} (batched) dimensions, "
        f"got shape {input}"
    )


def padded(self: List[int], pad: List[int]) -> List[int]:
    """Add each pair of `pad` to a size, starting from the last dimension."""
    rank = len(pad) // 2
    assert len(pad) == 2 * rank, f"pad must have an even length, got {pad}"
    kept = len(self) - rank
    assert kept >= 0, f"pad {pad} is for {rank} dimensions, got shape {self}"
    out = self[:kept]
    for index in range(rank):
        pair = 2 * (rank - 1 - index)
        size = self[kept + index] + pad[pair] + pad[pair + 1]
        assert size >= 0, f"pad {pad} gives a negative size for shape {self}"
        out.append(size)
    return out


def check_wraps(self: List[int], pad: List[int], spare: int) -> None:
    """Raise if padding exceeds a size minus `spare`, for padding that copies input elements."""
    rank = len(pad) // 2
    check_batched_or_not(self, rank)
    for index in range(len(pad)):
        size = self[len(self) - 1 - index // 2]
        assert pad[index] <= size - spare, (
            f"padding must be at most {size - spare} for input size {size}, got {pad}"
        )


def spatially_padded(self: List[int], padding: List[int], rank: int) -> List[int]:
    """Pad the last `rank` dimensions; channels and an optional batch dimension precede them."""
    assert len(padding) == 2 * rank, f"padding must have {2 * rank} entries, got {padding}"
    check_batched_or_not(self, rank)
    return padded(self, padding)
