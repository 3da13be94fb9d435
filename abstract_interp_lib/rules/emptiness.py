"""Results whose dtype depends on whether a tensor is empty."""

from torch_refine.abstract_interp_lib.rules.unknown import unknown_size


def may_be_empty() -> bool:
    """Whether a tensor is empty, which a dtype function, seeing no sizes, cannot know.

    Refinement joins both outcomes; run by the checker it is False.
    """
    return unknown_size() == 0
