"""Copies and conversions: `to`, `_to_copy`, `clone`, `detach`, `type_as`, `copy`, `fill`, ..."""

from typing import List, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self
from torch_refine.abstract_interp_lib.rules.factories import dtype_or_same
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.pointwise import dtype_of_other
from torch_refine.abstract_interp_lib.rules.promotion import check_filled

_META = torch.device("meta")
_SHAPES = [Invocation(T(2, 3)), Invocation(T()), Invocation(T(0, 3))]
_DTYPES = (
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.uint8,
    torch.bool,
    torch.complex64,
)
_OF_DTYPES = [Invocation(T(2, dtype=dtype)) for dtype in _DTYPES]

_COPIES = (
    "aten::_conj_physical",
    "aten::alias",
    "aten::alias_copy",
    "aten::clone",
    "aten::conj",
    "aten::contiguous",
    "aten::detach",
    "aten::detach_copy",
    "aten::lift",
    "aten::lift_fresh",
    "aten::lift_fresh_copy",
    "aten::resolve_conj",
    "aten::resolve_neg",
    "aten::to.prim_other",
    "aten::zero",
)
shape_family(same_as_self, *_COPIES, ok=_SHAPES)
dtype_family(dtype_of_self, *_COPIES, ok=_OF_DTYPES)

# Conversions with an optional dtype.
_TO_OPTIONAL = ("aten::_to_copy", "aten::to.dtype_layout")
shape_family(same_as_self, *_TO_OPTIONAL, ok=_SHAPES)
dtype_family(
    dtype_or_same,
    *_TO_OPTIONAL,
    ok=[*_OF_DTYPES, *[Invocation(T(2, dtype=torch.int32), dtype=dtype) for dtype in _DTYPES]],
)
shape_family(same_as_self, "aten::to.prim_dtype", ok=[Invocation(T(2, 3))])
dtype_family(
    dtype_or_same,
    "aten::to.prim_dtype",
    ok=[Invocation(T(2), torch.float16), Invocation(T(2, dtype=torch.bool), None)],
)
shape_family(same_as_self, "aten::to.prim_Device", ok=[Invocation(T(2, 3), _META)])
dtype_family(
    dtype_or_same,
    "aten::to.prim_Device",
    ok=[Invocation(T(2, dtype=torch.int64), _META, torch.float16), Invocation(T(2), _META, None)],
)


def given_dtype(dtype: int) -> int:
    """The argument `dtype`."""
    return dtype


shape_family(same_as_self, "aten::to.dtype", ok=[Invocation(T(2, 3), torch.int64)])
dtype_family(
    given_dtype,
    "aten::to.dtype",
    ok=[Invocation(T(2, dtype=torch.int32), dtype) for dtype in _DTYPES],
)
shape_family(same_as_self, "aten::to.device", ok=[Invocation(T(2, 3), _META, torch.int64)])
dtype_family(
    given_dtype,
    "aten::to.device",
    ok=[Invocation(T(2, dtype=torch.int32), _META, dtype) for dtype in _DTYPES],
)

_TO_OTHER = ("aten::to.other", "aten::type_as")
shape_family(same_as_self, *_TO_OTHER, ok=[Invocation(T(2, 3), T(4)), Invocation(T(), T(0, 3))])
dtype_family(
    dtype_of_other,
    *_TO_OTHER,
    ok=[Invocation(T(2, dtype=torch.int32), T(3, dtype=dtype)) for dtype in _DTYPES],
)

# A meta tensor has no data to copy.
shape_family(same_as_self, "aten::cpu", ok=[Invocation(T(2, 3), device="cpu")])
dtype_family(dtype_of_self, "aten::cpu", ok=[Invocation(T(2, dtype=torch.int64), device="cpu")])


def cast_byte() -> int:
    """uint8."""
    return torch.uint8


def cast_char() -> int:
    """int8."""
    return torch.int8


def cast_short() -> int:
    """int16."""
    return torch.int16


def cast_int() -> int:
    """int32."""
    return torch.int32


def cast_long() -> int:
    """int64."""
    return torch.int64


def cast_half() -> int:
    """float16."""
    return torch.float16


def cast_float() -> int:
    """float32."""
    return torch.float32


def cast_double() -> int:
    """float64."""
    return torch.float64


_CASTS = {
    "aten::_cast_Byte": cast_byte,
    "aten::_cast_Char": cast_char,
    "aten::_cast_Double": cast_double,
    "aten::_cast_Float": cast_float,
    "aten::_cast_Half": cast_half,
    "aten::_cast_Int": cast_int,
    "aten::_cast_Long": cast_long,
    "aten::_cast_Short": cast_short,
}
for _operator, _cast in _CASTS.items():
    shape_family(same_as_self, _operator, ok=_SHAPES)
    dtype_family(_cast, _operator, ok=_OF_DTYPES)

# The same in the set of operators that PyTorch decomposes to.
_SHAPES_OF_A = [Invocation(T(2, 3), torch.int64), Invocation(T(), torch.int64)]


def same_as_a(a: List[int]) -> List[int]:
    """The shape of `a`."""
    return a


def dtype_of_a(a: Tuple[int, int]) -> int:
    """The dtype of `a`."""
    return a[1]


shape_family(same_as_a, "prims::convert_element_type", ok=_SHAPES_OF_A)
dtype_family(
    given_dtype,
    "prims::convert_element_type",
    ok=[Invocation(T(2, dtype=torch.int32), dtype) for dtype in _DTYPES],
)
shape_family(same_as_a, "prims::view_of", ok=_SHAPES)
dtype_family(dtype_of_a, "prims::view_of", ok=_OF_DTYPES)


def copied(self: List[int], src: List[int]) -> List[int]:
    """`src` expands to the shape of `self`."""
    check_expands(src, self)
    return self


shape_family(
    copied,
    "aten::copy",
    ok=[
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(2, 3), T(3)),
        Invocation(T(2, 3), T()),
        Invocation(T(0, 3), T(1, 3)),
    ],
    error=[
        Invocation(T(3), T(2, 3)),
        Invocation(T(3), T(1, 3)),
        Invocation(T(1), T(3)),
        Invocation(T(3), T(4)),
    ],
)
dtype_family(
    dtype_of_self,
    "aten::copy",
    ok=[Invocation(T(2, dtype=dtype), T(2, dtype=torch.int32)) for dtype in _DTYPES],
)

shape_family(
    same_as_self,
    "aten::fill.Scalar",
    ok=[Invocation(T(2, 3), 1.5), Invocation(T(), 1)],
)


def fill_dtype(self: Tuple[int, int], value: Union[int, float, complex]) -> int:
    """The dtype of `self`, to which the scalar is cast."""
    check_filled(value, self[1], self[0])
    return self[1]


dtype_family(
    fill_dtype,
    "aten::fill.Scalar",
    ok=[
        *[Invocation(T(2, dtype=dtype), 1) for dtype in _DTYPES],
        Invocation(T(dtype=torch.bfloat16), 1e39),
    ],
    error=[
        Invocation(T(2, dtype=torch.int8), 300, device="cpu"),
        Invocation(T(2, dtype=torch.float16), -1e9, device="cpu"),
        Invocation(T(), 1e39, device="cpu"),
    ],
)


def filled(self: List[int], value: List[int]) -> List[int]:
    """The shape of `self`; `value` is 0-dim."""
    assert len(value) == 0, f"aten::fill: value must be 0-dim, got shape {value}"
    return self


shape_family(
    filled,
    "aten::fill.Tensor",
    ok=[Invocation(T(2, 3), T()), Invocation(T(), T())],
    error=[Invocation(T(2), T(1))],
)
dtype_family(
    dtype_of_self,
    "aten::fill.Tensor",
    ok=[Invocation(T(2, dtype=dtype), T(dtype=torch.int32)) for dtype in _DTYPES],
)
