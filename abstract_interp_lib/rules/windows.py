"""Windows that slide over spatial dimensions, as convolutions and pools have them."""

from typing import List


def per_dimension(values: List[int], rank: int) -> List[int]:
    """One entry per spatial dimension; a lone one counts for all of them."""
    assert len(values) == 1 or len(values) == rank, (
        f"{values} must have 1 entry, or one for each of {rank} spatial dimensions"
    )
    return values * rank if len(values) == 1 else values


def check_batched_or_not(input: List[int], rank: int) -> None:
    """Raise unless `input` has channels and `rank` spatial dimensions, with or without a batch."""
    assert len(input) == rank + 1 or len(input) == rank + 2, (
        f"the input must have {rank + 1} (unbatched) or {rank + 2} (batched) dimensions, "
        f"got shape {input}"
    )
