"""Distinct values, where they were, and how often: `unique_dim`, `unique_consecutive`, ...

How many there are only values tell. There are no meta kernels.
"""

from functools import partial
from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.reduction import dtype_and_index
from torch_refine.abstract_interp_lib.rules.sizes import replace_size, wrap_existing
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size

_DTYPES = (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.uint8, torch.bool)
_on_cpu = partial(Invocation, device="cpu")


def asked_for(shape: List[int], asked: bool) -> List[int]:
    """The shape of a result that is empty unless it is asked for."""
    return shape if asked else [0]


def unique_rule(self: List[int], return_inverse: bool) -> Tuple[List[int], List[int]]:
    """The distinct elements, and for each element which one it is."""
    return [unknown_size()], asked_for(self, return_inverse)


def unique_counts_rule(
    self: List[int], return_inverse: bool, return_counts: bool
) -> Tuple[List[int], List[int], List[int]]:
    """The distinct elements, for each element which one it is, and how often each is there."""
    size = unknown_size()
    return [size], asked_for(self, return_inverse), asked_for([size], return_counts)


def unique_dim_rule(self: List[int], dim: int) -> Tuple[List[int], List[int], List[int]]:
    """The distinct slices of a dimension; which ones they are and how often is always told."""
    at = wrap_existing(dim, len(self))
    for index in range(len(self)):
        assert index == at or self[index] != 0, (
            f"dimension {at} has no slices to compare in shape {self}"
        )
    size = unknown_size()
    return replace_size(self, at, size), [self[at]], [size]


def unique_consecutive_rule(
    self: List[int], return_inverse: bool, return_counts: bool, dim: Optional[int]
) -> Tuple[List[int], List[int], List[int]]:
    """The elements, or slices of a dimension, that differ from what stands before them.

    The slices of the dimension 0 of a vector are its elements.
    """
    if dim is None or (dim == 0 and len(self) == 1):
        return unique_counts_rule(self, return_inverse, return_counts)
    else:
        return unique_dim_rule(self, dim)


def unique_counts_dtype(self: Tuple[int, int]) -> Tuple[int, int, int]:
    """Values as in `self`; positions and counts are int64."""
    return self[1], torch.int64, torch.int64


_SHAPES = [T(2, 3), T(), T(0, 3), *[T(2, 3, dtype=dtype) for dtype in _DTYPES]]
_FLAGS = [(False, False), (True, False), (False, True), (True, True)]
shape_family(
    unique_rule,
    "aten::_unique",
    ok=[
        _on_cpu(T(2, 3)),
        *[_on_cpu(shape, ordered, True) for shape in _SHAPES for ordered in (True, False)],
        *[_on_cpu(shape, return_inverse=False) for shape in _SHAPES],
    ],
)
dtype_family(dtype_and_index, "aten::_unique")
shape_family(
    unique_counts_rule,
    "aten::_unique2",
    ok=[
        _on_cpu(T(2, 3)),
        *[_on_cpu(shape, True, *flags) for shape in _SHAPES for flags in _FLAGS],
        *[_on_cpu(shape, False, *flags) for shape in _SHAPES for flags in _FLAGS],
    ],
)

_DIM_SHAPES = [T(3, 2), T(3), T(0, 3), *[T(2, 3, dtype=dtype) for dtype in _DTYPES]]
_DIM_ERROR = [
    _on_cpu(T(), 0),
    _on_cpu(T(2, 3), 2),
    _on_cpu(T(2, 0), 0),
    _on_cpu(T(0, 0), 0),
]
shape_family(
    unique_dim_rule,
    "aten::unique_dim",
    ok=[
        _on_cpu(T(2, 3), -1),
        *[_on_cpu(shape, 0, True, *flags) for shape in _DIM_SHAPES for flags in _FLAGS],
    ],
    error=_DIM_ERROR,
)
shape_family(
    unique_dim_rule,
    "aten::unique_dim_consecutive",
    ok=[
        _on_cpu(T(2, 3), -1),
        *[_on_cpu(shape, 0, *flags) for shape in _DIM_SHAPES for flags in _FLAGS],
    ],
    error=_DIM_ERROR,
)
shape_family(
    unique_consecutive_rule,
    "aten::unique_consecutive",
    ok=[
        _on_cpu(T(2, 3)),
        _on_cpu(T(2, 3), dim=-1),
        _on_cpu(T(3), dim=-1),
        *[_on_cpu(shape, *flags) for shape in _SHAPES for flags in _FLAGS],
        *[_on_cpu(shape, *flags, 0) for shape in _DIM_SHAPES for flags in _FLAGS],
    ],
    error=[
        _on_cpu(T(), dim=0),
        _on_cpu(T(2, 3), dim=2),
        _on_cpu(T(2, 0), dim=0),
    ],
)
dtype_family(
    unique_counts_dtype,
    "aten::_unique2",
    "aten::unique_dim",
    "aten::unique_dim_consecutive",
    "aten::unique_consecutive",
)
