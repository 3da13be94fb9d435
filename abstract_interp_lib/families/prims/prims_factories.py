"""Factories among the primitive operators: `prims::full`, `prims::iota`, ..."""

from typing import Any, List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.factories_and_copies.conversion import (
    given_dtype,
    same_as_a,
)
from torch_refine.abstract_interp_lib.rules.factories import given_size, zero_dim
from torch_refine.abstract_interp_lib.rules.prims import check_permutation
from torch_refine.abstract_interp_lib.rules.promotion import is_integral


def made(*args: Any, **kwargs: Any) -> Invocation:
    """A case of an operator with a device argument, on the meta device."""
    case = Invocation(*args, **kwargs)
    case.kwargs["device"] = torch.device("meta")
    return case


def given_shape(shape: List[int]) -> List[int]:
    """The shape is the argument `shape`."""
    return given_size(shape)


def strided_shape(shape: List[int], strides: List[int]) -> List[int]:
    """The argument `shape`; every dimension has a stride."""
    assert len(shape) == len(strides), (
        f"shape and strides must have the same length, got {shape} and {strides}"
    )
    return given_size(shape)


def permuted_shape(shape: List[int], physical_layout: List[int]) -> List[int]:
    """The argument `shape`; the layout is a permutation of the dimensions."""
    check_permutation(physical_layout, len(shape))
    return given_size(shape)


def uniform_shape(shape: List[int], stride: List[int]) -> List[int]:
    """The argument `shape`; every dimension has a stride."""
    return strided_shape(shape, stride)


_DTYPES = (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.bool, torch.complex64)
_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_NEW: dict[str, Any] = {"dtype": torch.float32, "requires_grad": False}

shape_family(
    given_shape,
    "prims::empty",
    ok=[made([2, 3], **_NEW), made([], **_NEW), made([0, 3], **_NEW)],
    error=[made([2, -1], **_NEW)],
)
dtype_family(
    given_dtype,
    "prims::empty",
    ok=[made([2], dtype=dtype, requires_grad=False) for dtype in _DTYPES],
)
shape_family(
    permuted_shape,
    "prims::empty_permuted",
    ok=[made([2, 3], [1, 0], **_NEW), made([], [], **_NEW), made([0, 2], [0, 1], **_NEW)],
    error=[
        made([2, 3], [0], **_NEW),
        made([2, 3], [0, 0], **_NEW),
        made([2, 3], [-1, 0], **_NEW),
        made([2, -1], [0, 1], **_NEW),
    ],
)
dtype_family(
    given_dtype,
    "prims::empty_permuted",
    ok=[made([2], [0], dtype=dtype, requires_grad=False) for dtype in _DTYPES],
)
shape_family(
    strided_shape,
    "prims::empty_strided",
    ok=[made([2, 3], [1, 2], **_NEW), made([], [], **_NEW), made([0], [1], **_NEW)],
    error=[made([2], [1, 1], **_NEW), made([-2], [1], **_NEW)],
)
dtype_family(
    given_dtype,
    "prims::empty_strided",
    ok=[made([2], [1], dtype=dtype, requires_grad=False) for dtype in _DTYPES],
)
shape_family(
    given_shape,
    "prims::full",
    ok=[made([2, 3], 1, **_NEW), made([], 1.5, **_NEW), made([0, 3], 1, **_NEW)],
    error=[made([2, -1], 1, **_NEW)],
)
dtype_family(
    given_dtype,
    "prims::full",
    ok=[made([2], 1, dtype=dtype, requires_grad=False) for dtype in _DTYPES],
)
shape_family(
    same_as_a,
    "prims::full_like",
    ok=[made(T(2, 3), 1, **_NEW), made(T(), 1.5, **_NEW), made(T(0, 3), 1, **_NEW)],
)
dtype_family(
    given_dtype,
    "prims::full_like",
    ok=[made(T(2), 1, dtype=dtype, requires_grad=False) for dtype in _DTYPES],
)

_BETWEEN = {"low": 0.0, "high": 1.0}
shape_family(
    uniform_shape,
    "prims::uniform",
    ok=[
        made([2, 3], stride=[3, 1], dtype=torch.float32, **_BETWEEN),
        made([], stride=[], dtype=torch.float32, **_BETWEEN),
        made([0], stride=[1], dtype=torch.float32, **_BETWEEN),
    ],
    error=[
        made([2], stride=[1, 1], dtype=torch.float32, **_BETWEEN),
        made([-1], stride=[1], dtype=torch.float32, **_BETWEEN),
    ],
)
dtype_family(
    given_dtype,
    "prims::uniform",
    ok=[made([2], stride=[1], dtype=dtype, **_BETWEEN) for dtype in _FLOATS],
)


def normal_dtype(dtype: int) -> int:
    """The argument `dtype`, floating-point or complex."""
    assert not is_integral(dtype), f"the dtype must be floating-point or complex, got {dtype}"
    return dtype


_STANDARD = {"mean": 0.0, "std": 1.0, "requires_grad": False}
shape_family(
    given_shape,
    "prims::normal",
    ok=[
        made([2, 3], dtype=torch.float32, **_STANDARD),
        made([], dtype=torch.float32, **_STANDARD),
        made([0], dtype=torch.float32, **_STANDARD),
    ],
    error=[made([-1], dtype=torch.float32, **_STANDARD)],
)
dtype_family(
    normal_dtype,
    "prims::normal",
    ok=[made([2], dtype=dtype, **_STANDARD) for dtype in (*_FLOATS, torch.complex64)],
    error=[made([2], dtype=dtype, **_STANDARD) for dtype in (torch.int64, torch.bool)],
)


def iota(length: int) -> List[int]:
    """A vector of `length` elements."""
    assert length >= 0, f"length must not be negative, got {length}"
    return [length]


def iota_dtype(dtype: int) -> int:
    """The argument `dtype`, which is an integer dtype."""
    assert is_integral(dtype) and dtype != torch.bool, (
        f"the dtype must be an integer dtype, got {dtype}"
    )
    return dtype


_FROM_ZERO = {"start": 0, "step": 1, "requires_grad": False}
shape_family(
    iota,
    "prims::iota",
    ok=[made(5, dtype=torch.int64, **_FROM_ZERO), made(0, dtype=torch.int64, **_FROM_ZERO)],
    error=[made(-1, dtype=torch.int64, **_FROM_ZERO)],
)
dtype_family(
    iota_dtype,
    "prims::iota",
    ok=[
        made(5, start=9, step=-2, dtype=torch.int32, requires_grad=False),
        made(5, dtype=torch.uint8, **_FROM_ZERO),
    ],
    error=[made(5, dtype=dtype, **_FROM_ZERO) for dtype in (torch.float32, torch.bool)],
)


def number_dtype(dtype: Optional[int]) -> int:
    """The argument `dtype`, which PyTorch requires."""
    assert dtype is not None, f"the dtype must be given, got {dtype}"
    return dtype


shape_family(
    zero_dim,
    "prims::scalar_tensor",
    ok=[made(1, dtype=torch.float32), made(1.5, dtype=torch.int64)],
)
dtype_family(
    number_dtype,
    "prims::scalar_tensor",
    ok=[
        made(1, dtype=torch.float16),
        made(True, dtype=torch.bool),
        made(1.5, dtype=torch.float64),
        made(2j, dtype=torch.complex64),
    ],
    error=[made(1), made(1.5, dtype=None)],
)


def token() -> List[int]:
    """An empty tensor, which orders side effects."""
    return [0]


def token_dtype() -> int:
    """PyTorch's default dtype."""
    return torch.float32


shape_family(token, "prims::_make_token", ok=[Invocation()])
dtype_family(token_dtype, "prims::_make_token")
