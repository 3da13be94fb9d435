"""The shape rules that all kinds of padding share."""

from typing import List

from torch_refine.abstract_interp_lib.rules.windows import check_batched_or_not


def padded(self: List[int], pad: List[int]) -> List[int]:
    """Each pair of `pad`, from the last dimension backwards, is added to a size."""
    rank = len(pad) // 2
    assert len(pad) == 2 * rank, f"pad must hold pairs, got {pad}"
    kept = len(self) - rank
    assert kept >= 0, f"pad {pad} is for {rank} dimensions, more than shape {self} has"
    out = self[:kept]
    for index in range(rank):
        pair = 2 * (rank - 1 - index)
        size = self[kept + index] + pad[pair] + pad[pair + 1]
        assert size >= 0, f"pad {pad} leaves less than nothing of shape {self}"
        out.append(size)
    return out


def check_wraps(self: List[int], pad: List[int], spare: int) -> None:
    """Raise where padding is more than a size less `spare`: values are taken from the input."""
    rank = len(pad) // 2
    check_batched_or_not(self, rank)
    for index in range(len(pad)):
        size = self[len(self) - 1 - index // 2]
        assert pad[index] <= size - spare, (
            f"padding must come from the input: at most {size - spare} of size {size}, got {pad}"
        )


def spatially_padded(self: List[int], padding: List[int], rank: int) -> List[int]:
    """The last `rank` dimensions are padded; before them stand channels and perhaps a batch."""
    assert len(padding) == 2 * rank, f"padding must have {2 * rank} entries, got {padding}"
    check_batched_or_not(self, rank)
    return padded(self, padding)
