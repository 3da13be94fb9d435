"""Dtypes that depend on sizes or values, which no dtype function sees."""

from torch_refine.abstract_interp_lib.rules.unknown import unknown_size


def either_dtype(usual: int, other: int) -> int:
    """One dtype of two, unknown unless they are the same.

    Run by the checker it is the usual one.
    """
    return other if unknown_size() == 0 else usual
