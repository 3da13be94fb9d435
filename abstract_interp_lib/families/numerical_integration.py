"""Integrals by the trapezoidal rule: `trapezoid`, `trapz`, `cumulative_trapezoid`."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.emptiness import may_be_empty
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float, promote_dtypes
from torch_refine.abstract_interp_lib.rules.sizes import (
    remove_size,
    replace_size,
    wrap_existing,
)


def strips(y: List[int], x: List[int], dim: int) -> List[int]:
    """The strips between neighbours along `dim`, from the front, that points `x` stand at.

    `x` is a vector along `dim`, or broadcasts with `y`, of which it may have more dimensions.
    """
    heights = replace_size(y, dim, max(y[dim] - 1, 0))
    if len(x) == 1:
        assert x[0] == y[dim], f"there must be a point x for each of {y[dim]} values, got {x[0]}"
        return heights
    else:
        points = [1] * max(len(y) - len(x), 0) + x
        return broadcast_two(heights, replace_size(points, dim, max(points[dim] - 1, 0)))


def trapezoid_dx_rule(y: List[int], dim: int) -> List[int]:
    """The integral along a dimension."""
    return remove_size(y, wrap_existing(dim, len(y)))


def trapezoid_x_rule(y: List[int], x: List[int], dim: int) -> List[int]:
    """The integral along a dimension; where that is empty, the points do not matter."""
    at = wrap_existing(dim, len(y))
    return remove_size(y if y[at] == 0 else strips(y, x, at), at)


def cumulative_dx_rule(y: List[int], dim: int) -> List[int]:
    """The integral up to each of the values but the first."""
    at = wrap_existing(dim, len(y))
    return replace_size(y, at, max(y[at] - 1, 0))


def cumulative_x_rule(y: List[int], x: List[int], dim: int) -> List[int]:
    """The integral up to each of the values but the first."""
    return strips(y, x, wrap_existing(dim, len(y)))


def cumulative_dx_dtype(y: Tuple[int, int]) -> int:
    """That of `y`; integers become float32."""
    assert y[1] != torch.bool, f"there is no integral over bool, got dtype {y[1]}"
    return int_to_float(y[1])


def cumulative_x_dtype(y: Tuple[int, int], x: Tuple[int, int]) -> int:
    """Values and points promote, as dimensioned tensors; integers become float32."""
    assert y[1] != torch.bool and x[1] != torch.bool, (
        f"there is no integral over bool, got dtypes {y[1]} and {x[1]}"
    )
    ranks: List[Optional[int]] = [1, 1]
    return int_to_float(promote_dtypes(ranks, [y[1], x[1]]))


def trapezoid_dx_dtype(y: Tuple[int, int]) -> int:
    """As of `cumulative_trapezoid`, but zeros of the dtype of `y` where there are no values."""
    if may_be_empty():
        return y[1]
    else:
        return cumulative_dx_dtype(y)


def trapezoid_x_dtype(y: Tuple[int, int], x: Tuple[int, int]) -> int:
    """As of `cumulative_trapezoid`, but zeros of the dtype of `y` where there are no values."""
    if may_be_empty():
        return y[1]
    else:
        return cumulative_x_dtype(y, x)


_DTYPES = (
    torch.float16,
    torch.bfloat16,
    torch.float64,
    torch.complex64,
    torch.int64,
    torch.int32,
    torch.uint8,
)
_DX_OK = [
    Invocation(T(3, 4)),
    Invocation(T(3, 4), dim=0),
    Invocation(T(3), dx=2.5),
    Invocation(T(1, 3), dx=2, dim=-2),
    Invocation(T(0)),
    Invocation(T(0, 3), dim=0),
    *[Invocation(T(3, dtype=dtype)) for dtype in _DTYPES],
]
_X_OK = [
    Invocation(T(3, 4), T(4)),
    Invocation(T(3, 4), T(3), dim=0),
    Invocation(T(3, 4), T(3, 4)),
    Invocation(T(3, 4), T(1, 4)),
    Invocation(T(1, 4), T(3, 4)),
    Invocation(T(2, 3, 4), T(3, 4), dim=1),
    Invocation(T(2, 3, 4), T(3, 4), dim=0),
    # The dimension is that of `y`, also where `x` has more of them.
    Invocation(T(3, 4), T(2, 2, 4), dim=0),
    Invocation(T(3, 2), T()),
    Invocation(T(1), T(1)),
    Invocation(T(0, 3), T(0), dim=0),
    Invocation(T(3, 0), T(3, 1)),
    *[Invocation(T(3, dtype=dtype), T(3)) for dtype in _DTYPES],
    *[Invocation(T(3), T(3, dtype=dtype)) for dtype in _DTYPES],
    Invocation(T(3, dtype=torch.int64), T(3, dtype=torch.int64)),
    Invocation(T(3, dtype=torch.float16), T(3, dtype=torch.int64)),
    Invocation(T(3, 2, dtype=torch.float16), T(dtype=torch.float64)),
]
_DX_ERROR = [Invocation(T()), Invocation(T(3, 4), dim=2)]
_X_ERROR = [
    Invocation(T(), T()),
    Invocation(T(3, 4), T(4), dim=2),
    Invocation(T(3, 4), T(3)),
    Invocation(T(2, 4), T(3, 4)),
]
_BOOL = T(3, dtype=torch.bool)
_TRAPEZOIDS_DX = ("aten::trapezoid.dx", "aten::trapz.dx")
_TRAPEZOIDS_X = ("aten::trapezoid.x", "aten::trapz.x")
shape_family(trapezoid_dx_rule, *_TRAPEZOIDS_DX, ok=_DX_OK, error=_DX_ERROR)
dtype_family(trapezoid_dx_dtype, *_TRAPEZOIDS_DX, error=[Invocation(_BOOL)])
shape_family(
    trapezoid_x_rule,
    *_TRAPEZOIDS_X,
    ok=[*_X_OK, Invocation(T(0, 3), T(5), dim=0)],
    error=_X_ERROR,
)
dtype_family(
    trapezoid_x_dtype,
    *_TRAPEZOIDS_X,
    error=[Invocation(_BOOL, T(3)), Invocation(T(3), _BOOL)],
)
shape_family(cumulative_dx_rule, "aten::cumulative_trapezoid.dx", ok=_DX_OK, error=_DX_ERROR)
dtype_family(
    cumulative_dx_dtype,
    "aten::cumulative_trapezoid.dx",
    ok=[Invocation(T(0, dtype=torch.int64))],
    error=[Invocation(_BOOL)],
)
shape_family(
    cumulative_x_rule,
    "aten::cumulative_trapezoid.x",
    ok=_X_OK,
    error=[*_X_ERROR, Invocation(T(0, 3), T(5), dim=0)],
)
dtype_family(
    cumulative_x_dtype,
    "aten::cumulative_trapezoid.x",
    ok=[Invocation(T(0), T(0, dtype=torch.float64))],
    error=[Invocation(_BOOL, T(3)), Invocation(T(3), _BOOL)],
)
