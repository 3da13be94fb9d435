"""Quantiles: `quantile` and `nanquantile`."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.reduction import dim_or_all, remove_dims

_DOUBLE = torch.float64


def quantile_scalar_rule(
    self: List[int], q: float, dim: Optional[int], keepdim: bool, interpolation: str
) -> List[int]:
    """One value of a dimension, or of all elements for None."""
    assert q >= 0 and q <= 1, f"q must be from 0 to 1, got {q}"
    return one_quantile(self, dim, keepdim, interpolation)


def quantile_rule(
    self: List[int], q: List[int], dim: Optional[int], keepdim: bool, interpolation: str
) -> List[int]:
    """One value for each entry of `q`, which come first."""
    assert len(q) <= 1, f"q must be zero-dim or a vector, got shape {q}"
    return q + one_quantile(self, dim, keepdim, interpolation)


def one_quantile(
    self: List[int], dim: Optional[int], keepdim: bool, interpolation: str
) -> List[int]:
    """The shape of one quantile."""
    assert interpolation in ["linear", "lower", "higher", "midpoint", "nearest"], (
        f"there is no interpolation '{interpolation}'"
    )
    assert 0 not in self, f"a tensor without elements has no quantile, got shape {self}"
    return remove_dims(self, dim_or_all(dim, len(self)), keepdim)


def check_wide(dtype: int) -> None:
    """Raise for dtypes that have no quantiles."""
    assert dtype == torch.float32 or dtype == torch.float64, (
        f"a quantile needs a float32 or float64 tensor, got dtype {dtype}"
    )


def quantile_scalar_dtype(self: Tuple[int, int]) -> int:
    """That of `self`."""
    check_wide(self[1])
    return self[1]


def quantile_dtype(self: Tuple[int, int], q: Tuple[int, int]) -> int:
    """That of `self`, which `q` has, too."""
    check_wide(self[1])
    assert q[1] == self[1], f"dtypes must match, got {self[1]} and {q[1]}"
    return self[1]


_SCALAR = ("aten::quantile.scalar", "aten::nanquantile.scalar")
_TENSOR = ("aten::quantile", "aten::nanquantile")
_OTHER_DTYPES = (torch.float16, torch.bfloat16, torch.int64, torch.bool, torch.complex64)
shape_family(
    quantile_scalar_rule,
    *_SCALAR,
    ok=[
        Invocation(T(2, 3), 0.5),
        Invocation(T(2, 3), 0.0, 1),
        Invocation(T(2, 3), 1.0, -2, True),
        Invocation(T(2, 3), 0.5, None, True, interpolation="midpoint"),
        Invocation(T(), 0.5, 0, True),
        Invocation(T(3, dtype=_DOUBLE), 0.5),
    ],
    error=[
        Invocation(T(2, 3), 1.5),
        Invocation(T(2, 3), -0.5),
        Invocation(T(2, 3), 0.5, 2),
        Invocation(T(0, 3), 0.5, 1),
        Invocation(T(2, 3), 0.5, interpolation="cubic"),
    ],
)
dtype_family(
    quantile_scalar_dtype,
    *_SCALAR,
    error=[Invocation(T(3, dtype=dtype), 0.5) for dtype in _OTHER_DTYPES],
)
shape_family(
    quantile_rule,
    *_TENSOR,
    ok=[
        Invocation(T(2, 3), T()),
        Invocation(T(2, 3), T(4)),
        Invocation(T(2, 3), T(0), 1),
        Invocation(T(2, 3), T(4), -2, True),
        Invocation(T(2, 3), T(4), None, True, interpolation="nearest"),
        Invocation(T(2, 3), T(), 0, True),
        Invocation(T(), T(4)),
        Invocation(T(), T(4), 0, True),
        Invocation(T(3, dtype=_DOUBLE), T(2, dtype=_DOUBLE)),
    ],
    error=[
        Invocation(T(2, 3), T(1, 1)),
        Invocation(T(2, 3), T(), 2),
        Invocation(T(0, 3), T()),
        Invocation(T(2, 3), T(), interpolation="cubic"),
    ],
)
dtype_family(
    quantile_dtype,
    *_TENSOR,
    error=[
        Invocation(T(3, dtype=_DOUBLE), T()),
        *[Invocation(T(3, dtype=dtype), T(dtype=dtype)) for dtype in _OTHER_DTYPES],
    ],
)
