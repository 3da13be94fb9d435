"""Cumulative sums, products and extrema along a dimension, and differences."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.promotion import promote_list
from torch_refine.abstract_interp_lib.rules.reduction import dtype_and_index, sum_dtype
from torch_refine.abstract_interp_lib.rules.sizes import replace_size

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_INTS = (torch.int64, torch.int32, torch.uint8, torch.bool)


def scan_rule(self: List[int], dim: int) -> List[int]:
    """The shape of `self`."""
    wrap_dim(dim, len(self))
    return self


def scan_with_index_rule(self: List[int], dim: int) -> Tuple[List[int], List[int]]:
    """The cumulative extremum and its index; PyTorch ignores `dim` for empty or 0-dim inputs."""
    rank = len(self)
    assert (-rank <= dim and dim < rank) or rank == 0 or 0 in self, (
        f"dimension {dim} is out of range for a tensor of rank {rank}"
    )
    return self, self


_OK = [
    Invocation(T(2, 3), 1),
    Invocation(T(2, 3), -2),
    Invocation(T(), 0),
    Invocation(T(), -1),
    Invocation(T(0, 3), 0),
    *[Invocation(T(2, 3, dtype=dtype), 1) for dtype in _FLOATS],
]
_OK_INTS = [Invocation(T(2, 3, dtype=dtype), 1) for dtype in _INTS]
_OK_COMPLEX = [Invocation(T(2, 3, dtype=torch.complex64), 1)]
_ERROR = [Invocation(T(2, 3), 2), Invocation(T(2, 3), -3), Invocation(T(), 1)]

shape_family(
    scan_rule,
    "aten::cumsum",
    "aten::cumprod",
    ok=[
        *_OK,
        *_OK_INTS,
        *_OK_COMPLEX,
        Invocation(T(2, 3, dtype=torch.bool), 1, dtype=torch.float16),
        Invocation(T(2, 3), 0, dtype=torch.int32),
        Invocation(T(2, 3, dtype=torch.int32), 0, dtype=torch.int32),
    ],
    error=_ERROR,
)
dtype_family(sum_dtype, "aten::cumsum", "aten::cumprod")

shape_family(scan_rule, "aten::logcumsumexp", ok=[*_OK, *_OK_COMPLEX], error=_ERROR)
dtype_family(dtype_of_self, "aten::logcumsumexp")
# There is no meta kernel.
shape_family(
    scan_rule,
    "aten::_logcumsumexp",
    ok=[
        Invocation(T(2, 3), -1, device="cpu"),
        Invocation(T(), 0, device="cpu"),
        Invocation(T(0, 3), 0, device="cpu"),
        *[
            Invocation(T(2, 3, dtype=dtype), 1, device="cpu")
            for dtype in (*_FLOATS, torch.complex64)
        ],
    ],
    error=[Invocation(T(2, 3), 2, device="cpu")],
)
dtype_family(dtype_of_self, "aten::_logcumsumexp")

shape_family(
    scan_with_index_rule,
    "aten::cummax",
    "aten::cummin",
    ok=[*_OK, *_OK_INTS, Invocation(T(), 1), Invocation(T(0), 1, device="cpu")],
    error=[Invocation(T(2, 3), 2), Invocation(T(2, 3), -3)],
)
dtype_family(dtype_and_index, "aten::cummax", "aten::cummin")


def length_along(tensor: Optional[List[int]], self: List[int], dim: int) -> int:
    """The size that prepending or appending a tensor adds to a dimension."""
    length = 0
    if tensor is not None:
        assert len(tensor) == len(self), f"ranks must match, got {len(tensor)} and {len(self)}"
        for index in range(len(self)):
            assert index == dim or tensor[index] == self[index], (
                f"sizes must match apart from dimension {dim}, got {tensor} and {self}"
            )
        length = tensor[dim]
    return length


@shape_function(
    "aten::diff",
    ok=[
        Invocation(T(3)),
        Invocation(T(3), 5),
        Invocation(T(3), 0),
        Invocation(T(3, 4), 2, -2),
        Invocation(T(3, 4), 1, 0, T(2, 4), T(1, 4)),
        Invocation(T(3, 4), 0, 0, T(2, 4)),
        Invocation(T(0, 4), 1, 0),
        *[Invocation(T(3, dtype=dtype)) for dtype in _FLOATS + _INTS],
        Invocation(T(3, dtype=torch.int64), prepend=T(2, dtype=torch.float16)),
        Invocation(T(3), append=T(1, dtype=torch.float64)),
        Invocation(T(3), 0, append=T(1, dtype=torch.float64)),
    ],
    error=[
        Invocation(T()),
        Invocation(T(3), 1, 1),
        Invocation(T(3), -1),
        Invocation(T(3, 4), 1, 0, T(2, 3)),
        Invocation(T(3, 4), 1, 0, T()),
    ],
)
def diff(
    self: List[int],
    n: int = 1,
    dim: int = -1,
    prepend: Optional[List[int]] = None,
    append: Optional[List[int]] = None,
) -> List[int]:
    """Each of `n` differences shortens the dimension by one; with `n` 0 it is `self`."""
    assert len(self) > 0, f"aten::diff: self must have at least 1 dimension, got rank {len(self)}"
    assert n >= 0, f"aten::diff: n must not be negative, got {n}"
    if n == 0:
        return self
    else:
        at = wrap_dim(dim, len(self))
        added = length_along(prepend, self, at) + length_along(append, self, at)
        return replace_size(self, at, max(self[at] + added - n, 0))


@dtype_function("aten::diff")
def diff_dtype(
    self: Tuple[int, int],
    n: int = 1,
    dim: int = -1,
    prepend: Optional[Tuple[int, int]] = None,
    append: Optional[Tuple[int, int]] = None,
) -> int:
    """All tensors promote together; with `n` 0 it is the dtype of `self`."""
    joined = [self]
    if prepend is not None:
        joined.append(prepend)
    if append is not None:
        joined.append(append)
    return self[1] if n == 0 else promote_list(joined)
