"""Padding: with a constant, by reflection, by replication, or wrapping around."""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.padding import check_wraps, padded, spatially_padded
from torch_refine.abstract_interp_lib.rules.windows import check_batched_or_not


@shape_function(
    "aten::constant_pad_nd",
    ok=[
        Invocation(T(2, 3), [1, 2]),
        Invocation(T(2, 3, 4), [1, -2, 0, 3], 1.5),
        Invocation(T(2, 3), [-1, -2]),
        Invocation(T(2, 0), [1, 0]),
        Invocation(T(), []),
        Invocation(T(2, 3, dtype=torch.int64), [1, 1], 1.5),
        Invocation(T(2, 3, dtype=torch.bool), [1, 1], True),
        Invocation(T(2, 3, dtype=torch.float16), [1, 1], value=2),
        Invocation(T(2, 3, dtype=torch.complex64), [1, 1], 2.0),
    ],
    error=[
        Invocation(T(2, 3), [1]),
        Invocation(T(2, 3), [1, 1, 1, 1, 1, 1]),
        Invocation(T(2, 3), [-2, -2]),
    ],
)
def constant_pad_nd(
    self: List[int], pad: List[int], value: Union[int, float, complex] = 0
) -> List[int]:
    """Sizes grow, or shrink, by the pairs of `pad`, the last dimension first."""
    return padded(self, pad)


@shape_function(
    "aten::pad",
    ok=[
        Invocation(T(2, 3), [1, 2]),
        Invocation(T(2, 3, 4), [1, -2, 0, 3], "constant", 1.5),
        Invocation(T(2, 3, 4), [3, 2], "reflect"),
        Invocation(T(2, 3, 4, 5), [3, -1, 0, 2], "replicate"),
        Invocation(T(3, 4), [4, 4], "circular"),
        Invocation(T(0, 3, 4, 5, 6), [1] * 6, "reflect"),
        Invocation(T(2, 3, 4), [1, 1], "reflect", 0.0),
        Invocation(T(2, 3, 4, dtype=torch.bfloat16), [1, 1], mode="replicate"),
        Invocation(T(2, 3, 4, dtype=torch.int64), [1, 1], mode="circular"),
    ],
    error=[
        Invocation(T(2, 3, 4), [1, 1], "mirror"),
        Invocation(T(2, 3, 4), [1, 1], "reflect", 1.0),
        Invocation(T(2, 3, 4, 5), [1, 1], "replicate"),
        Invocation(T(2, 3, 4), [4, 0], "reflect"),
        Invocation(T(2, 3, 4), [0, 5], "circular"),
    ],
)
def pad(
    self: List[int], pad: List[int], mode: str = "constant", value: Optional[float] = None
) -> List[int]:
    """As `constant_pad_nd`; other modes pad all dimensions but the channels and the batch."""
    if mode == "reflect":
        check_wraps(self, pad, 1)
    elif mode == "circular":
        check_wraps(self, pad, 0)
    elif mode == "replicate":
        check_batched_or_not(self, len(pad) // 2)
    else:
        assert mode == "constant", f"aten::pad: there is no mode '{mode}'"
    if value is not None:
        assert value == 0.0 or mode == "constant", (
            f"aten::pad: mode '{mode}' takes no value, got {value}"
        )
    return padded(self, pad)


@shape_function(
    "aten::_pad_circular",
    ok=[
        Invocation(T(2, 3, 4), [4, 1]),
        Invocation(T(3, 4, 5), [1, 2, 3, 0]),
        Invocation(T(2, 3, 4, dtype=torch.bool), [0, 1]),
    ],
    error=[Invocation(T(2, 3, 4), [5, 0]), Invocation(T(4), [1, 1])],
)
def _pad_circular(self: List[int], pad: List[int]) -> List[int]:
    """All dimensions but the channels and the batch wrap around."""
    check_wraps(self, pad, 0)
    return padded(self, pad)


def reflection_pad1d(self: List[int], padding: List[int]) -> List[int]:
    """The last dimension is reflected at its ends, which themselves are not repeated."""
    out = spatially_padded(self, padding, 1)
    check_wraps(self, padding, 1)
    return out


def reflection_pad2d(self: List[int], padding: List[int]) -> List[int]:
    """The last two dimensions are reflected at their ends, which are not repeated."""
    out = spatially_padded(self, padding, 2)
    check_wraps(self, padding, 1)
    return out


def reflection_pad3d(self: List[int], padding: List[int]) -> List[int]:
    """The last three dimensions are reflected at their ends, which are not repeated."""
    out = spatially_padded(self, padding, 3)
    check_wraps(self, padding, 1)
    return out


def replication_pad1d(self: List[int], padding: List[int]) -> List[int]:
    """The ends of the last dimension are repeated."""
    return spatially_padded(self, padding, 1)


def replication_pad2d(self: List[int], padding: List[int]) -> List[int]:
    """The ends of the last two dimensions are repeated."""
    return spatially_padded(self, padding, 2)


def replication_pad3d(self: List[int], padding: List[int]) -> List[int]:
    """The ends of the last three dimensions are repeated."""
    return spatially_padded(self, padding, 3)


PAD1D_OK = [
    Invocation(T(2, 3, 4), [3, 1]),
    Invocation(T(3, 4), [-1, 2]),
    Invocation(T(0, 3, 4, dtype=torch.float16), [1, 1]),
]
PAD1D_ERROR = [
    Invocation(T(4), [1, 1]),
    Invocation(T(2, 3, 4), [1]),
    Invocation(T(2, 3, 4), [-3, -2]),
]
PAD2D_OK = [
    Invocation(T(2, 3, 4, 5), [4, 1, 0, 3]),
    Invocation(T(3, 4, 5), [-1, 2, 1, -1]),
    Invocation(T(0, 3, 4, 5, dtype=torch.complex64), [1, 1, 1, 1]),
]
PAD2D_ERROR = [Invocation(T(2, 3, 4, 5), [1, 1]), Invocation(T(4, 5), [1, 1, 1, 1])]
PAD3D_OK = [
    Invocation(T(2, 3, 4, 5, 6), [5, 1, 0, 4, 3, 2]),
    Invocation(T(3, 4, 5, 6), [-1, 2, 1, -1, 0, 0]),
    Invocation(T(2, 3, 4, 5, 6, dtype=torch.int32), [1, 1, 1, 1, 1, 1]),
]
PAD3D_ERROR = [Invocation(T(2, 3, 4, 5, 6), [1, 1]), Invocation(T(4, 5, 6), [1] * 6)]

shape_family(
    reflection_pad1d,
    "aten::reflection_pad1d",
    ok=PAD1D_OK,
    error=[*PAD1D_ERROR, Invocation(T(2, 3, 4), [4, 0])],
)
shape_family(
    reflection_pad2d,
    "aten::reflection_pad2d",
    ok=PAD2D_OK,
    error=[*PAD2D_ERROR, Invocation(T(2, 3, 4, 5), [0, 0, 4, 0])],
)
shape_family(
    reflection_pad3d,
    "aten::reflection_pad3d",
    ok=PAD3D_OK,
    error=[*PAD3D_ERROR, Invocation(T(2, 3, 4, 5, 6), [0, 0, 0, 0, 0, 4])],
)
shape_family(
    replication_pad1d,
    "aten::replication_pad1d",
    ok=[*PAD1D_OK, Invocation(T(2, 3, 4), [9, 4])],
    error=PAD1D_ERROR,
)
shape_family(replication_pad2d, "aten::replication_pad2d", ok=PAD2D_OK, error=PAD2D_ERROR)
shape_family(replication_pad3d, "aten::replication_pad3d", ok=PAD3D_OK, error=PAD3D_ERROR)

dtype_family(
    dtype_of_self,
    "aten::constant_pad_nd",
    "aten::pad",
    "aten::_pad_circular",
    "aten::reflection_pad1d",
    "aten::reflection_pad2d",
    "aten::reflection_pad3d",
    "aten::replication_pad1d",
    "aten::replication_pad2d",
    "aten::replication_pad3d",
)
