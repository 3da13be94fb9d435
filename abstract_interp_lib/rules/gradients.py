"""What gradients of operators over spatial dimensions share."""

from typing import List

from torch_refine.abstract_interp_lib.rules.matching import check_same


def check_spatial(grad_output: List[int], self: List[int], sizes: List[int]) -> None:
    """Raise unless a gradient has `sizes` where `self` has its last dimensions.

    The kernels look no further: neither at batch and channels nor at what may come after. Some take
    inputs of other ranks, and then look elsewhere.
    """
    end, rank = len(self), len(sizes)
    if end == rank + 1 or end == rank + 2:
        check_same(grad_output[end - rank : end], sizes, "the spatial part of grad_output")
