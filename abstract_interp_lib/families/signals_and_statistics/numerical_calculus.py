"""Finite differences and integrals: `gradient`, `trapezoid`, `cumulative_trapezoid`."""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.fourier import wrap_existing_dims
from torch_refine.abstract_interp_lib.rules.promotion import (
    int_to_float,
    promote_dtypes,
    promote_two,
    promote_with_number,
)
from torch_refine.abstract_interp_lib.rules.sizes import remove_size, replace_size, wrap_existing
from torch_refine.abstract_interp_lib.rules.unknown import may_be_empty


def one_or_all(dim: Optional[int], rank: int) -> List[int]:
    """The given dimension, wrapped to be non-negative, or all of them for None."""
    if dim is None:
        return [index for index in range(rank)]
    else:
        return [wrap_existing(dim, rank)]


def gradients(self: List[int], dims: List[int], edge_order: int) -> List[List[int]]:
    """One gradient along each of `dims`, which are non-negative."""
    assert edge_order == 1 or edge_order == 2, f"edge_order must be 1 or 2, got {edge_order}"
    for dim in dims:
        assert self[dim] > edge_order, (
            f"size must be at least {edge_order + 1} for edge_order {edge_order}, got {self[dim]}"
        )
    return [self for _ in dims]


def check_spacings(spacings: int, dims: List[int]) -> None:
    """Raise unless there is one spacing per dimension."""
    assert spacings == len(dims), f"expected {len(dims)} spacings, got {spacings}"


def spaced_gradients(
    self: List[int], spacing: List[List[int]], dims: List[int], edge_order: int
) -> List[List[int]]:
    """One gradient along each of `dims`, at given coordinates.

    PyTorch does not compare their number with the size: for 3 entries, or 3 points, the single
    inner difference broadcasts.
    """
    check_spacings(len(spacing), dims)
    out = gradients(self, dims, edge_order)
    for index in range(len(dims)):
        points = spacing[index]
        assert len(points) == 1, f"coordinates must be 1-D, got shape {points}"
        size = self[dims[index]]
        assert points[0] > edge_order, (
            f"expected at least {edge_order + 1} coordinates for edge_order {edge_order}, got {points[0]}"
        )
        assert points[0] == size or points[0] == 3 or size == 3, (
            f"expected {size} coordinates, got {points[0]}"
        )
        out[index] = replace_size(self, dims[index], points[0] if size == 3 else size)
    return out


def gradient_rule(self: List[int], dim: Optional[int], edge_order: int) -> List[List[int]]:
    """Along one dimension, or along all of them."""
    return gradients(self, one_or_all(dim, len(self)), edge_order)


def gradient_dims_rule(self: List[int], dim: List[int], edge_order: int) -> List[List[int]]:
    """Along the given dimensions."""
    return gradients(self, wrap_existing_dims(dim, len(self)), edge_order)


def gradient_numbers_rule(
    self: List[int],
    spacing: List[Union[int, float, complex]],
    dim: Optional[int],
    edge_order: int,
) -> List[List[int]]:
    """Along one dimension, or along all of them, with one spacing each."""
    dims = one_or_all(dim, len(self))
    check_spacings(len(spacing), dims)
    return gradients(self, dims, edge_order)


def gradient_numbers_dims_rule(
    self: List[int],
    spacing: List[Union[int, float, complex]],
    dim: List[int],
    edge_order: int,
) -> List[List[int]]:
    """Along the given dimensions, with one spacing each."""
    dims = wrap_existing_dims(dim, len(self))
    check_spacings(len(spacing), dims)
    return gradients(self, dims, edge_order)


def gradient_points_rule(
    self: List[int], spacing: List[List[int]], dim: Optional[int], edge_order: int
) -> List[List[int]]:
    """Along one dimension, or along all of them, with coordinates for each."""
    return spaced_gradients(self, spacing, one_or_all(dim, len(self)), edge_order)


def gradient_points_dims_rule(
    self: List[int], spacing: List[List[int]], dim: List[int], edge_order: int
) -> List[List[int]]:
    """Along the given dimensions, with coordinates for each."""
    return spaced_gradients(self, spacing, wrap_existing_dims(dim, len(self)), edge_order)


def check_signed(dtype: int) -> None:
    """Raise for uint8, whose differences would wrap around."""
    assert dtype != torch.uint8, f"gradient does not support uint8, got dtype {dtype}"


def gradient_dtype(self: Tuple[int, int]) -> List[int]:
    """The dtype of `self`; integers become float32."""
    check_signed(self[1])
    return [int_to_float(self[1])]


def over_number(self: Tuple[int, int], spacing: Union[int, float, complex]) -> int:
    """The dtype of differences divided by a scalar: integers become float32."""
    return int_to_float(promote_with_number(self, spacing))


def gradient_optional_number_dtype(
    self: Tuple[int, int], spacing: Optional[Union[int, float, complex]]
) -> List[int]:
    """Only a complex spacing changes the dtype."""
    check_signed(self[1])
    if spacing is None:
        return [int_to_float(self[1])]
    else:
        return [over_number(self, spacing)]


def gradient_number_dtype(self: Tuple[int, int], spacing: Union[int, float, complex]) -> List[int]:
    """Only a complex spacing changes the dtype."""
    check_signed(self[1])
    return [over_number(self, spacing)]


def gradient_numbers_dtype(
    self: Tuple[int, int], spacing: List[Union[int, float, complex]]
) -> List[int]:
    """Only a complex spacing changes the dtype."""
    check_signed(self[1])
    return [over_number(self, number) for number in spacing]


def gradient_points_dtype(self: Tuple[int, int], spacing: List[Tuple[int, int]]) -> List[int]:
    """`self` promotes with quotients of the coordinates, which are float32 for integers."""
    check_signed(self[1])
    return [promote_two(self, (points[0], int_to_float(points[1]))) for points in spacing]


_FLOATS = (torch.float16, torch.bfloat16, torch.float64, torch.complex64)
_DTYPES = (*_FLOATS, torch.int64, torch.int32)
_UINT8 = T(3, dtype=torch.uint8)

shape_family(
    gradient_rule,
    "aten::gradient.scalarint",
    ok=[
        Invocation(T(3, 4)),
        Invocation(T(3, 4), dim=-1),
        Invocation(T(3, 4), spacing=2, dim=0, edge_order=2),
        Invocation(T(3, 4), spacing=2j),
        Invocation(T(2)),
        Invocation(T(0, 3), dim=1),
        *[Invocation(T(3, dtype=dtype)) for dtype in _DTYPES],
        *[Invocation(T(3, dtype=dtype), spacing=1.5) for dtype in _DTYPES],
        Invocation(T(3, dtype=torch.int64), spacing=2j),
    ],
    error=[
        Invocation(T(), dim=0),
        Invocation(T(3, 4), dim=2),
        Invocation(T(3, 1)),
        Invocation(T(2), edge_order=2),
        Invocation(T(5), edge_order=3),
    ],
)
dtype_family(gradient_optional_number_dtype, "aten::gradient.scalarint", error=[Invocation(_UINT8)])
_DIMS_ERROR = [
    Invocation(T(3, 4), dim=[2]),
    Invocation(T(3, 4), dim=[0, -2]),
    Invocation(T(3, 1), dim=[1]),
    Invocation(T(5), dim=[0], edge_order=3),
]
shape_family(
    gradient_dims_rule,
    "aten::gradient.array",
    ok=[
        Invocation(T(3, 4), dim=[0, 1]),
        Invocation(T(3, 4, 5), dim=[-1, 0], edge_order=2),
        Invocation(T(3, 1), dim=[0]),
        *[Invocation(T(3, dtype=dtype), dim=[0]) for dtype in _DTYPES],
    ],
    error=_DIMS_ERROR,
)
dtype_family(gradient_dtype, "aten::gradient.array", error=[Invocation(_UINT8, dim=[0])])
shape_family(
    gradient_dims_rule,
    "aten::gradient.scalararray",
    ok=[
        Invocation(T(3, 4), spacing=2, dim=[0, 1]),
        Invocation(T(3, 4), spacing=2j, dim=[-1], edge_order=2),
        *[Invocation(T(3, dtype=dtype), spacing=1.5, dim=[0]) for dtype in _DTYPES],
    ],
    error=[Invocation(*case.args, spacing=1, **case.kwargs) for case in _DIMS_ERROR],
)
dtype_family(
    gradient_number_dtype,
    "aten::gradient.scalararray",
    error=[Invocation(_UINT8, spacing=1, dim=[0])],
)
shape_family(
    gradient_numbers_rule,
    "aten::gradient.scalarrayint",
    ok=[
        Invocation(T(3, 4), spacing=[2, 1.5]),
        Invocation(T(3, 4), spacing=[2, 2j]),
        Invocation(T(3, 4), spacing=[2], dim=-1, edge_order=2),
        *[Invocation(T(3, dtype=dtype), spacing=[2]) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(3, 4), spacing=[2]),
        Invocation(T(3, 4), spacing=[2, 2], dim=0),
        Invocation(T(3, 4), spacing=[2], dim=2),
        Invocation(T(1), spacing=[2]),
    ],
)
dtype_family(
    gradient_numbers_dtype,
    "aten::gradient.scalarrayint",
    error=[Invocation(_UINT8, spacing=[1])],
)
shape_family(
    gradient_numbers_dims_rule,
    "aten::gradient.scalarrayarray",
    ok=[
        Invocation(T(3, 4), spacing=[2, 1.5], dim=[0, 1]),
        Invocation(T(3, 4), spacing=[2j, 2], dim=[-1, 0], edge_order=2),
        *[Invocation(T(3, dtype=dtype), spacing=[2], dim=[0]) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(3, 4), spacing=[2], dim=[0, 1]),
        Invocation(T(3, 4), spacing=[2, 2], dim=[0, 0]),
        Invocation(T(3, 1), spacing=[2], dim=[1]),
    ],
)
dtype_family(
    gradient_numbers_dtype,
    "aten::gradient.scalarrayarray",
    error=[Invocation(_UINT8, spacing=[1], dim=[0])],
)
_POINT_DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int64)
shape_family(
    gradient_points_rule,
    "aten::gradient.tensorarrayint",
    ok=[
        Invocation(T(3, 4), spacing=[T(3), T(4)]),
        Invocation(T(3, 4), spacing=[T(4)], dim=-1, edge_order=2),
        Invocation(T(2), spacing=[T(2)]),
        Invocation(T(2), spacing=[T(3)]),
        Invocation(T(5), spacing=[T(3)]),
        Invocation(T(3), spacing=[T(5)]),
        Invocation(T(3), spacing=[T(2)]),
        Invocation(T(3), spacing=[T(6)], edge_order=2),
        *[
            Invocation(T(3, dtype=dtype), spacing=[T(3, dtype=points)])
            for dtype in _DTYPES
            for points in _POINT_DTYPES
        ],
        Invocation(T(3, 4), spacing=[T(3), T(4, dtype=torch.float64)]),
        Invocation(T(3), spacing=[T(3, dtype=torch.complex64)]),
    ],
    error=[
        Invocation(T(3, 4), spacing=[T(3)]),
        Invocation(T(3), spacing=[T()]),
        Invocation(T(3), spacing=[T(1, 3)]),
        Invocation(T(4), spacing=[T(5)]),
        Invocation(T(3), spacing=[T(1)]),
        Invocation(T(3), spacing=[T(2)], edge_order=2),
        Invocation(T(1), spacing=[T(3)]),
    ],
)
dtype_family(
    gradient_points_dtype,
    "aten::gradient.tensorarrayint",
    error=[Invocation(_UINT8, spacing=[T(3)])],
)
shape_family(
    gradient_points_dims_rule,
    "aten::gradient.tensorarray",
    ok=[
        Invocation(T(3, 4), spacing=[T(3), T(4)], dim=[0, 1]),
        Invocation(T(3, 4), spacing=[T(4)], dim=[-1], edge_order=2),
        Invocation(T(0, 3), spacing=[T(5)], dim=[1]),
        *[Invocation(T(3, dtype=dtype), spacing=[T(3)], dim=[0]) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(3, 4), spacing=[T(3)], dim=[0, 1]),
        Invocation(T(3, 3), spacing=[T(3), T(3)], dim=[1, 1]),
        Invocation(T(3, 4), spacing=[T(5)], dim=[1]),
    ],
)
dtype_family(
    gradient_points_dtype,
    "aten::gradient.tensorarray",
    error=[Invocation(_UINT8, spacing=[T(3)], dim=[0])],
)


# Integrals by the trapezoidal rule: `trapezoid`, `trapz`, `cumulative_trapezoid`.


def strips(y: List[int], x: List[int], dim: int) -> List[int]:
    """The shape of the trapezoids along `dim`, which is non-negative, at points `x`.

    `x` is a vector along `dim`, or broadcasts with `y`, of which it may have a higher rank.
    """
    heights = replace_size(y, dim, max(y[dim] - 1, 0))
    if len(x) == 1:
        assert x[0] == y[dim], f"x must have {y[dim]} elements, got {x[0]}"
        return heights
    else:
        points = [1] * max(len(y) - len(x), 0) + x
        return broadcast_two(heights, replace_size(points, dim, max(points[dim] - 1, 0)))


def trapezoid_dx_rule(y: List[int], dim: int) -> List[int]:
    """The integral along a dimension."""
    return remove_size(y, wrap_existing(dim, len(y)))


def trapezoid_x_rule(y: List[int], x: List[int], dim: int) -> List[int]:
    """The integral along a dimension; if that is empty, `x` is ignored."""
    at = wrap_existing(dim, len(y))
    return remove_size(y if y[at] == 0 else strips(y, x, at), at)


def cumulative_dx_rule(y: List[int], dim: int) -> List[int]:
    """The cumulative integral, with one entry less than `y`."""
    at = wrap_existing(dim, len(y))
    return replace_size(y, at, max(y[at] - 1, 0))


def cumulative_x_rule(y: List[int], x: List[int], dim: int) -> List[int]:
    """The cumulative integral, with one entry less than `y`."""
    return strips(y, x, wrap_existing(dim, len(y)))


def cumulative_dx_dtype(y: Tuple[int, int]) -> int:
    """The dtype of `y`; integers become float32."""
    assert y[1] != torch.bool, f"bool is not supported, got dtype {y[1]}"
    return int_to_float(y[1])


def cumulative_x_dtype(y: Tuple[int, int], x: Tuple[int, int]) -> int:
    """`y` and `x` promote, as tensors of nonzero rank; integers become float32."""
    assert y[1] != torch.bool and x[1] != torch.bool, (
        f"bool is not supported, got dtypes {y[1]} and {x[1]}"
    )
    ranks: List[Optional[int]] = [1, 1]
    return int_to_float(promote_dtypes(ranks, [y[1], x[1]]))


def trapezoid_dx_dtype(y: Tuple[int, int]) -> int:
    """As `cumulative_trapezoid`, but the dtype of `y` if the dimension is empty."""
    if may_be_empty():
        return y[1]
    else:
        return cumulative_dx_dtype(y)


def trapezoid_x_dtype(y: Tuple[int, int], x: Tuple[int, int]) -> int:
    """As `cumulative_trapezoid`, but the dtype of `y` if the dimension is empty."""
    if may_be_empty():
        return y[1]
    else:
        return cumulative_x_dtype(y, x)


_INTEGRAL_DTYPES = (
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
    *[Invocation(T(3, dtype=dtype)) for dtype in _INTEGRAL_DTYPES],
]
_X_OK = [
    Invocation(T(3, 4), T(4)),
    Invocation(T(3, 4), T(3), dim=0),
    Invocation(T(3, 4), T(3, 4)),
    Invocation(T(3, 4), T(1, 4)),
    Invocation(T(1, 4), T(3, 4)),
    Invocation(T(2, 3, 4), T(3, 4), dim=1),
    Invocation(T(2, 3, 4), T(3, 4), dim=0),
    # The dimension refers to `y`, even if `x` has a higher rank.
    Invocation(T(3, 4), T(2, 2, 4), dim=0),
    Invocation(T(3, 2), T()),
    Invocation(T(1), T(1)),
    Invocation(T(0, 3), T(0), dim=0),
    Invocation(T(3, 0), T(3, 1)),
    *[Invocation(T(3, dtype=dtype), T(3)) for dtype in _INTEGRAL_DTYPES],
    *[Invocation(T(3), T(3, dtype=dtype)) for dtype in _INTEGRAL_DTYPES],
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
