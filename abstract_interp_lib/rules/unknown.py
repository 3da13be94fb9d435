"""Sizes that depend on values, which no shape function can know."""

from typing import List

import torch


@torch.jit.ignore
def unknown_size() -> int:
    """A size that only running the operator tells.

    Exported as an op that the interpreter knows nothing about beyond its being an int; run
    by the checker it is -1, which it takes as "any size".
    """
    return -1


@torch.jit.ignore
def unknown_dtype() -> int:
    """A dtype that only running the operator tells, as `unknown_size` is a size."""
    return -1


@torch.jit.ignore
def unknown_sizes() -> List[int]:
    """The shape of a tensor of which not even the rank is known before the operator runs.

    Exported as an op that gives any list of sizes; run by the checker it is `[-2]`, which it takes
    as "any shape".
    """
    return [-2]
