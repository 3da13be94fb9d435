"""Gradients by finite differences: the overloads of `gradient`."""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.fourier import wrap_existing_dims
from torch_refine.abstract_interp_lib.rules.promotion import (
    int_to_float,
    promote_two,
    promote_with_number,
)
from torch_refine.abstract_interp_lib.rules.sizes import replace_size, wrap_existing


def one_or_all(dim: Optional[int], rank: int) -> List[int]:
    """The dimension named, counted from the front, or all of them for None."""
    if dim is None:
        return [index for index in range(rank)]
    else:
        return [wrap_existing(dim, rank)]


def gradients(self: List[int], dims: List[int], edge_order: int) -> List[List[int]]:
    """One gradient along each of `dims`, which count from the front."""
    assert edge_order == 1 or edge_order == 2, f"edge_order must be 1 or 2, got {edge_order}"
    for dim in dims:
        assert self[dim] > edge_order, (
            f"edge_order {edge_order} needs {edge_order + 1} entries, got {self[dim]}"
        )
    return [self for _ in dims]


def check_spacings(spacings: int, dims: List[int]) -> None:
    """Raise unless there is a spacing for each dimension."""
    assert spacings == len(dims), f"{len(dims)} spacings are needed, got {spacings}"


def spaced_gradients(
    self: List[int], spacing: List[List[int]], dims: List[int], edge_order: int
) -> List[List[int]]:
    """One gradient along each of `dims`, at the points that are given.

    PyTorch does not compare their number with the size: of 3 entries, or 3 points, the one inner
    difference broadcasts.
    """
    check_spacings(len(spacing), dims)
    out = gradients(self, dims, edge_order)
    for index in range(len(dims)):
        points = spacing[index]
        assert len(points) == 1, f"points must be vectors, got shape {points}"
        size = self[dims[index]]
        assert points[0] > edge_order, (
            f"edge_order {edge_order} needs {edge_order + 1} points, got {points[0]}"
        )
        assert points[0] == size or points[0] == 3 or size == 3, (
            f"there must be a point for each of {size} entries, got {points[0]}"
        )
        out[index] = replace_size(self, dims[index], points[0] if size == 3 else size)
    return out


def gradient_rule(self: List[int], dim: Optional[int], edge_order: int) -> List[List[int]]:
    """Along one dimension, or along all of them."""
    return gradients(self, one_or_all(dim, len(self)), edge_order)


def gradient_dims_rule(self: List[int], dim: List[int], edge_order: int) -> List[List[int]]:
    """Along the dimensions named."""
    return gradients(self, wrap_existing_dims(dim, len(self)), edge_order)


def gradient_numbers_rule(
    self: List[int],
    spacing: List[Union[int, float, complex]],
    dim: Optional[int],
    edge_order: int,
) -> List[List[int]]:
    """Along one dimension, or along all of them, with a spacing for each."""
    dims = one_or_all(dim, len(self))
    check_spacings(len(spacing), dims)
    return gradients(self, dims, edge_order)


def gradient_numbers_dims_rule(
    self: List[int],
    spacing: List[Union[int, float, complex]],
    dim: List[int],
    edge_order: int,
) -> List[List[int]]:
    """Along the dimensions named, with a spacing for each."""
    dims = wrap_existing_dims(dim, len(self))
    check_spacings(len(spacing), dims)
    return gradients(self, dims, edge_order)


def gradient_points_rule(
    self: List[int], spacing: List[List[int]], dim: Optional[int], edge_order: int
) -> List[List[int]]:
    """Along one dimension, or along all of them, at the points given for each."""
    return spaced_gradients(self, spacing, one_or_all(dim, len(self)), edge_order)


def gradient_points_dims_rule(
    self: List[int], spacing: List[List[int]], dim: List[int], edge_order: int
) -> List[List[int]]:
    """Along the dimensions named, at the points given for each."""
    return spaced_gradients(self, spacing, wrap_existing_dims(dim, len(self)), edge_order)


def check_signed(dtype: int) -> None:
    """Raise for uint8, whose differences wrap around."""
    assert dtype != torch.uint8, f"there is no gradient of uint8, got dtype {dtype}"


def gradient_dtype(self: Tuple[int, int]) -> List[int]:
    """That of `self`; integers become float32."""
    check_signed(self[1])
    return [int_to_float(self[1])]


def over_number(self: Tuple[int, int], spacing: Union[int, float, complex]) -> int:
    """The dtype of differences over a number: integers become float32."""
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
    """`self` promotes with its weights, quotients of points, which integers make float32."""
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
