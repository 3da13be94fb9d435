"""Constant, reflection, replication and circular padding, and their gradients."""

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
from torch_refine.abstract_interp_lib.rules.matching import check_spatial
from torch_refine.abstract_interp_lib.rules.windows import (
    check_batched_or_not,
    check_wraps,
    padded,
    spatially_padded,
)


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
        Invocation(T(1, 3), [1, -4], device="cpu"),
    ],
)
def constant_pad_nd(
    self: List[int], pad: List[int], value: Union[int, float, complex] = 0
) -> List[int]:
    """Sizes grow, or shrink, by the pairs of `pad`, starting with the last dimension.

    The kernel crops before it pads.
    """
    out = padded(self, pad)
    for index in range(len(pad) // 2):
        size = self[len(self) - 1 - index]
        rest = size + min(pad[2 * index], 0) + min(pad[2 * index + 1], 0)
        assert rest >= 0, f"a negative padding must not crop more than the size {size}, got {pad}"
    return out


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
def pad_by_name(
    self: List[int], pad: List[int], mode: str = "constant", value: Optional[float] = None
) -> List[int]:
    """As `constant_pad_nd`; other modes pad all dimensions except channels and batch."""
    if mode == "reflect":
        check_wraps(self, pad, 1)
    elif mode == "circular":
        check_wraps(self, pad, 0)
    elif mode == "replicate":
        check_batched_or_not(self, len(pad) // 2)
    else:
        assert mode == "constant", f"aten::pad: unknown mode '{mode}'"
    if value is not None:
        assert value == 0.0 or mode == "constant", (
            f"aten::pad: mode '{mode}' does not support a value, got {value}"
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
    """Circular padding of all dimensions except channels and batch."""
    check_wraps(self, pad, 0)
    return padded(self, pad)


def reflection_pad(self: List[int], padding: List[int], rank: int) -> List[int]:
    """Reflection padding of the last `rank` dimensions, without repeating the edge elements."""
    out = spatially_padded(self, padding, rank)
    check_wraps(self, padding, 1)
    return out


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
    reflection_pad,
    "aten::reflection_pad1d",
    ok=PAD1D_OK,
    error=[*PAD1D_ERROR, Invocation(T(2, 3, 4), [4, 0])],
    rank=1,
)
shape_family(
    reflection_pad,
    "aten::reflection_pad2d",
    ok=PAD2D_OK,
    error=[*PAD2D_ERROR, Invocation(T(2, 3, 4, 5), [0, 0, 4, 0])],
    rank=2,
)
shape_family(
    reflection_pad,
    "aten::reflection_pad3d",
    ok=PAD3D_OK,
    error=[*PAD3D_ERROR, Invocation(T(2, 3, 4, 5, 6), [0, 0, 0, 0, 0, 4])],
    rank=3,
)
shape_family(
    spatially_padded,
    "aten::replication_pad1d",
    ok=[*PAD1D_OK, Invocation(T(2, 3, 4), [9, 4])],
    error=PAD1D_ERROR,
    rank=1,
)
shape_family(spatially_padded, "aten::replication_pad2d", ok=PAD2D_OK, error=PAD2D_ERROR, rank=2)
shape_family(spatially_padded, "aten::replication_pad3d", ok=PAD3D_OK, error=PAD3D_ERROR, rank=3)

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


# Padding whose mode is an enum value: the operator that `pad` calls.


@shape_function(
    "aten::_pad_enum",
    ok=[
        Invocation(T(2, 3, 4), [3, 2], 0),
        Invocation(T(2, 3, 4, 5), [3, -1, 0, 2], 1),
        Invocation(T(3, 4), [4, 4], 2),
        Invocation(T(2, 3), [1, -2], 3),
        Invocation(T(2, 3), [1, 2], 3, 1.5),
        Invocation(T(2, 3, 4, dtype=torch.bfloat16), [1, 1], 1),
        Invocation(T(2, 3, 4, dtype=torch.int64), [1, 1], 2),
        Invocation(T(2, 3, 4, dtype=torch.bool), [1, 1], mode=3, value=1.0),
    ],
    error=[
        Invocation(T(2, 3, 4), [1, 1], 4),
        Invocation(T(2, 3, 4), [1, 1], -1),
        Invocation(T(2, 3, 4), [4, 0], 0),
        Invocation(T(2, 3, 4, 5), [1, 1], 1),
        Invocation(T(2, 3, 4), [1, 1], 0, 1.0),
    ],
)
def _pad_enum(
    self: List[int], pad: List[int], mode: int, value: Optional[float] = None
) -> List[int]:
    """As `pad`; mode 0 is reflect, 1 replicate, 2 circular, 3 constant."""
    assert mode >= 0 and mode < 4, f"aten::_pad_enum: mode must be from 0 to 3, got {mode}"
    return pad_by_name(self, pad, ["reflect", "replicate", "circular", "constant"][mode], value)


dtype_family(dtype_of_self, "aten::_pad_enum")


# Gradients of reflection and replication padding.


def pad_backward(
    grad_output: List[int], self: List[int], padding: List[int], rank: int
) -> List[int]:
    """The shape of `self`; the gradient has the padded sizes.

    PyTorch reads no more of the padding than it needs.
    """
    assert len(padding) >= 2 * rank, f"padding must have {2 * rank} entries, got {padding}"
    check_spatial(grad_output, self, padded(self, padding[: 2 * rank])[-rank:])
    return self


HALF_3D = [T(2, 3, 4, 5, 6, dtype=torch.float16), T(2, 3, 4, 5, 4, dtype=torch.float16)]

shape_family(
    pad_backward,
    "aten::reflection_pad1d_backward",
    "aten::replication_pad1d_backward",
    ok=[
        Invocation(T(2, 3, 8), T(2, 3, 4), [3, 1]),
        Invocation(T(3, 5), T(3, 4), [-1, 2]),
        Invocation(T(0, 3, 6), T(0, 3, 4), [1, 1]),
        Invocation(T(3, 6, dtype=torch.float64), T(3, 4, dtype=torch.float64), [1, 1]),
        Invocation(T(3, 6, dtype=torch.complex64), T(3, 4, dtype=torch.complex64), [1, 1]),
    ],
    error=[
        Invocation(T(2, 3, 7), T(2, 3, 4), [3, 1]),
        Invocation(T(2, 3, 5), T(2, 3, 4), [1]),
    ],
    rank=1,
)
shape_family(
    pad_backward,
    "aten::reflection_pad2d_backward",
    "aten::replication_pad2d_backward",
    ok=[
        Invocation(T(2, 3, 7, 10), T(2, 3, 4, 5), [4, 1, 0, 3]),
        Invocation(T(3, 4, 6), T(3, 4, 5), [-1, 2, 1, -1]),
        Invocation(
            T(2, 3, 6, dtype=torch.bfloat16), T(2, 3, 4, dtype=torch.bfloat16), [1, 1, 0, 0]
        ),
    ],
    error=[
        Invocation(T(2, 3, 7, 9), T(2, 3, 4, 5), [4, 1, 0, 3]),
        Invocation(T(2, 3, 6, 10), T(2, 3, 4, 5), [4, 1, 0, 3]),
        Invocation(T(3, 4, 6), T(3, 4, 5), [1, 0]),
    ],
    rank=2,
)
shape_family(
    pad_backward,
    "aten::reflection_pad3d_backward",
    "aten::replication_pad3d_backward",
    ok=[
        Invocation(T(2, 3, 9, 9, 12), T(2, 3, 4, 5, 6), [5, 1, 0, 4, 3, 2]),
        Invocation(T(3, 4, 5, 7), T(3, 4, 5, 6), [-1, 2, 1, -1, 0, 0]),
        Invocation(*HALF_3D, [1, 1, 0, 0, 0, 0]),
    ],
    error=[
        Invocation(T(2, 3, 9, 9, 9), T(2, 3, 4, 5, 6), [5, 1, 0, 4, 3, 2]),
        Invocation(T(3, 4, 5, 7), T(2, 3, 4, 5, 6), [1, 0, 0, 0, 0, 0]),
        Invocation(T(3, 4, 5, 7), T(3, 4, 5, 6), [1, 0]),
    ],
    rank=3,
)
dtype_family(
    dtype_of_self,
    "aten::reflection_pad1d_backward",
    "aten::replication_pad1d_backward",
    "aten::reflection_pad2d_backward",
    "aten::replication_pad2d_backward",
    "aten::reflection_pad3d_backward",
    "aten::replication_pad3d_backward",
)
