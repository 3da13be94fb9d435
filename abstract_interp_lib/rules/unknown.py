"""Data-dependent sizes, dtypes and shapes, and sizes that are not known yet."""

from typing import List

import torch


@torch.jit.ignore
def unknown_size() -> int:
    """A data-dependent size.

    Exported as an op whose result the interpreter knows only to be an int; in the checker it is -1,
    which matches any size.
    """
    return -1


@torch.jit.ignore
def unknown_dtype() -> int:
    """A data-dependent dtype; see `unknown_size`."""
    return -1


@torch.jit.ignore
def unknown_sizes() -> List[int]:
    """The shape of a tensor of data-dependent rank.

    Exported as an op that returns any list of sizes; in the checker it is `[-2]`, which matches any
    shape.
    """
    return [-2]


def either_dtype(usual: int, other: int) -> int:
    """One of two dtypes, unknown unless they are the same.

    In the checker it is the usual one.
    """
    return other if unknown_size() == 0 else usual


def may_be_empty() -> bool:
    """Whether a tensor is empty, which a dtype function cannot know because it sees no sizes.

    Refinement joins both outcomes; in the checker it is False.
    """
    return unknown_size() == 0


@torch.jit.ignore
def is_known(size: int) -> bool:
    """Whether a size is known when a program is compiled, for decomposition functions.

    Exported as an op; in the checker all sizes are known, and in a trace those that are no symbols.
    It may only choose between forms of equal results.
    """
    return not isinstance(size, torch.SymInt)


def require_sizes(sizes: List[int], wanted: List[int]) -> None:
    """Require equal sizes in a trace, where they become guards.

    For the same operator in IR the asserts of its shape function are guards. PyTorch's fake kernels
    check less than its kernels.
    """
    if not torch.jit.is_scripting():
        if len(sizes) != len(wanted):
            raise ValueError(f"{sizes} are not {wanted}")
        for index in range(len(sizes)):
            if sizes[index] != wanted[index]:
                raise ValueError(f"{sizes} are not {wanted}")
