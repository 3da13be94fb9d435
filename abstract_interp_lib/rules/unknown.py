"""Sizes that depend on values, which no shape function can know."""

import torch


@torch.jit.ignore
def unknown_size() -> int:
    """A size that only running the operator tells.

    Exported as an op that the interpreter knows nothing about beyond its being an int; run
    by the checker it is -1, which it takes as "any size".
    """
    return -1
