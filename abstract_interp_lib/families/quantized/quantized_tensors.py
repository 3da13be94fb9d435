"""Quantization, parameters of quantized tensors, and dequantization.

A tensor quantized to 4 or 2 bits has as many elements as any other, but fewer bytes.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.dims import same_as_self
from torch_refine.abstract_interp_lib.rules.factories import given_size
from torch_refine.abstract_interp_lib.rules.made_cases import made
from torch_refine.abstract_interp_lib.rules.quantization import (
    check_channel_parameters,
    check_float32,
    check_one_element,
    check_quantized_dtype,
)
from torch_refine.abstract_interp_lib.rules.sizes import ceil_divide, product
from torch_refine.abstract_interp_lib.rules.unknown import unknown_dtype, unknown_size

_QUANTIZED = (torch.quint8, torch.qint8, torch.qint32)
_NARROW = (torch.quint4x2, torch.quint2x4)
_NOT_FLOAT32 = (torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.bool)


# From floating-point tensors.
def quantized_dtype(self: Tuple[int, int], dtype: int) -> int:
    """The requested dtype; only float32 can be quantized."""
    check_float32(self[1], "self")
    check_quantized_dtype(dtype)
    return dtype


def quantized_by_tensors(self: List[int], scale: List[int], zero_point: List[int]) -> List[int]:
    """The shape of `self`; scale and zero point are tensors of one element."""
    check_one_element(scale, "scale")
    check_one_element(zero_point, "zero_point")
    return self


def quantized_by_channel(
    self: List[int], scales: List[int], zero_points: List[int], axis: int
) -> List[int]:
    """The shape of `self`, with one scale and zero point per channel."""
    check_channel_parameters(self, scales, zero_points, axis)
    return self


# The meta kernel returns float32, and accepts any dtype.
shape_family(
    same_as_self,
    "aten::quantize_per_tensor",
    ok=[
        Invocation(T(), 0.1, 0, torch.quint8, device="cpu"),
        Invocation(T(0, 3), 0.1, 0, torch.quint8, device="cpu"),
        *[Invocation(T(2, 3), 0.1, 0, d, device="cpu") for d in (*_QUANTIZED, *_NARROW)],
    ],
)
dtype_family(
    quantized_dtype,
    "aten::quantize_per_tensor",
    error=[
        Invocation(T(2, 3), 0.1, 0, torch.int8, device="cpu"),
        *[Invocation(T(2, dtype=d), 0.1, 0, torch.qint8, device="cpu") for d in _NOT_FLOAT32],
    ],
)
shape_family(
    quantized_by_tensors,
    "aten::quantize_per_tensor.tensor_qparams",
    ok=[
        Invocation(T(0, 3), T(1), T(1, dtype=torch.int64), torch.quint8, device="cpu"),
        Invocation(T(), T(1, 1), T(dtype=torch.int32), torch.quint8, device="cpu"),
        *[Invocation(T(2, 3), T(), T(), d, device="cpu") for d in (*_QUANTIZED, *_NARROW)],
    ],
    error=[
        Invocation(T(2, 3), T(2), T(), torch.quint8, device="cpu"),
        Invocation(T(2, 3), T(), T(2), torch.quint8, device="cpu"),
    ],
)
dtype_family(
    quantized_dtype,
    "aten::quantize_per_tensor.tensor_qparams",
    error=[
        Invocation(T(2, 3), T(), T(), torch.int8, device="cpu"),
        *[Invocation(T(2, dtype=d), T(), T(), torch.qint8, device="cpu") for d in _NOT_FLOAT32],
    ],
)
shape_family(
    quantized_by_channel,
    "aten::quantize_per_channel",
    ok=[
        Invocation(T(0, 3), T(3), T(3, dtype=torch.int64), 1, torch.qint8, device="cpu"),
        Invocation(T(3, 2, 4), T(3), T(3), 0, torch.quint8, device="cpu"),
        # Zero points of a floating-point dtype crash the kernel for qint32.
        *[
            Invocation(T(2, 3), T(3), T(3, dtype=torch.int64), 1, dtype, device="cpu")
            for dtype in _QUANTIZED
        ],
    ],
    error=[
        Invocation(T(2, 3), T(3, 1), T(3, 1), 1, torch.quint8, device="cpu"),
        Invocation(T(2, 3), T(3), T(2), 1, torch.quint8, device="cpu"),
        Invocation(T(2, 3), T(3), T(3), 0, torch.quint8, device="cpu"),
        Invocation(T(2, 3), T(3), T(3), -1, torch.quint8, device="cpu"),
    ],
)
dtype_family(
    quantized_dtype,
    "aten::quantize_per_channel",
    error=[
        Invocation(T(2, 3), T(3), T(3), 1, torch.int8, device="cpu"),
        *[
            Invocation(T(2, 3, dtype=dtype), T(3), T(3), 1, torch.qint8, device="cpu")
            for dtype in _NOT_FLOAT32
        ],
    ],
)


@shape_function(
    "aten::quantize_per_tensor.tensors",
    ok=[
        Invocation([T(2, 3), T(4)], T(2), T(2), torch.quint8, device="cpu"),
        Invocation([T()], T(2, 1), T(2, 1), torch.qint8, device="cpu"),
    ],
    error=[
        Invocation([T(2), T(3)], T(1), T(2), torch.quint8, device="cpu"),
        Invocation([T(2), T(3)], T(2), T(1), torch.quint8, device="cpu"),
        Invocation([T(2)], T(), T(1), torch.quint8, device="cpu"),
    ],
)
def quantize_each(
    tensors: List[List[int]], scales: List[int], zero_points: List[int], dtype: int
) -> List[List[int]]:
    """The shapes of the tensors, with one scale and zero point each."""
    if len(tensors) > 0:
        assert len(scales) > 0 and scales[0] >= len(tensors), (
            f"scales must have {len(tensors)} elements, got shape {scales}"
        )
        assert len(zero_points) > 0 and zero_points[0] >= len(tensors), (
            f"zero_points must have {len(tensors)} elements, got shape {zero_points}"
        )
    return tensors


@dtype_function(
    "aten::quantize_per_tensor.tensors",
    error=[
        Invocation([T(2)], T(1), T(1), torch.int8, device="cpu"),
        Invocation([T(2, dtype=torch.float64)], T(1), T(1), torch.qint8, device="cpu"),
    ],
)
def quantize_each_dtype(
    tensors: List[Tuple[int, int]],
    scales: Tuple[int, int],
    zero_points: Tuple[int, int],
    dtype: int,
) -> List[int]:
    """The requested dtype; only float32 can be quantized."""
    for tensor in tensors:
        quantized_dtype(tensor, dtype)
    return [dtype]


def dynamically_quantized_dtype(self: Tuple[int, int], dtype: int) -> int:
    """The requested dtype; float16 is a plain conversion."""
    if dtype != torch.float16:
        assert dtype == torch.quint8 or dtype == torch.qint8, (
            f"dtype must be quint8, qint8 or float16, got {dtype}"
        )
        check_float32(self[1], "self")
    return dtype


shape_family(
    same_as_self,
    "aten::quantize_per_tensor_dynamic",
    ok=[
        Invocation(T(2, 3), torch.quint8, True, device="cpu"),
        Invocation(T(), torch.qint8, False, device="cpu"),
        Invocation(T(0, 3), torch.float16, False, device="cpu"),
        Invocation(T(2, 3, dtype=torch.float64), torch.float16, False, device="cpu"),
    ],
)
dtype_family(
    dynamically_quantized_dtype,
    "aten::quantize_per_tensor_dynamic",
    error=[
        Invocation(T(2, 3), torch.qint32, False, device="cpu"),
        Invocation(T(2, 3, dtype=torch.float64), torch.qint8, False, device="cpu"),
    ],
)


# From integer tensors.
def quantized_of_integers(self: Tuple[int, int]) -> int:
    """The quantized dtype of the same width and signedness."""
    integers = [torch.uint8, torch.int8, torch.int32]
    assert self[1] in integers, f"self must be of dtype uint8, int8 or int32, got dtype {self[1]}"
    return [torch.quint8, torch.qint8, torch.qint32][integers.index(self[1])]


def made_by_channel(self: List[int], scale: List[int], zero_point: List[int]) -> List[int]:
    """The shape of `self`; PyTorch does not check `axis`."""
    assert len(scale) == 1 and len(zero_point) == 1, (
        f"scale and zero_point must be 1-D, got shapes {scale} and {zero_point}"
    )
    assert scale[0] == zero_point[0], (
        f"scale and zero_point must have the same length, got {scale[0]} and {zero_point[0]}"
    )
    return self


_INTEGERS = (torch.uint8, torch.int8, torch.int32)
shape_family(
    same_as_self,
    "aten::_make_per_tensor_quantized_tensor",
    ok=[
        Invocation(T(dtype=torch.uint8), 0.1, 0, device="cpu"),
        Invocation(T(0, 3, dtype=torch.int8), 0.1, 0, device="cpu"),
        *[Invocation(T(2, 3, dtype=dtype), 0.1, 0, device="cpu") for dtype in _INTEGERS],
    ],
)
dtype_family(
    quantized_of_integers,
    "aten::_make_per_tensor_quantized_tensor",
    error=[Invocation(T(2, dtype=dtype), 0.1, 0, device="cpu") for dtype in _NOT_FLOAT32],
)
shape_family(
    made_by_channel,
    "aten::_make_per_channel_quantized_tensor",
    ok=[
        Invocation(T(2, 3, dtype=dtype), T(3), T(3, dtype=torch.int64), 1, device="cpu")
        for dtype in _INTEGERS
    ],
    error=[
        Invocation(T(2, 3, dtype=torch.int8), T(3, 1), T(3), 1, device="cpu"),
        Invocation(T(2, 3, dtype=torch.int8), T(3), T(2), 1, device="cpu"),
    ],
)
dtype_family(
    quantized_of_integers,
    "aten::_make_per_channel_quantized_tensor",
    error=[Invocation(T(2, 3, dtype=dtype), T(3), T(3), 1, device="cpu") for dtype in _NOT_FLOAT32],
)


# From sizes.
def empty_quantized_dtype(dtype: Optional[int]) -> int:
    """The argument `dtype`, which is required and must be quantized."""
    assert dtype is not None, "dtype must be given, got None"
    check_quantized_dtype(dtype)
    return dtype


def empty_like_quantized_dtype(qtensor: Tuple[int, int], dtype: Optional[int]) -> int:
    """The argument `dtype`, which must be quantized, or the dtype of `self`."""
    if dtype is None:
        out = qtensor[1]
    else:
        check_quantized_dtype(dtype)
        out = dtype
    return out


def empty_by_channel(size: List[int], scales: List[int], zero_points: List[int]) -> List[int]:
    """The argument `size`; PyTorch does not check `axis`."""
    return made_by_channel(given_size(size), scales, zero_points)


shape_family(
    given_size,
    "aten::_empty_affine_quantized",
    ok=[
        Invocation([], dtype=torch.qint8, device="cpu"),
        *[
            Invocation([0, 4], dtype=dtype, scale=0.1, zero_point=1, device="cpu")
            for dtype in (*_QUANTIZED, *_NARROW)
        ],
    ],
    error=[Invocation([2, -1], dtype=torch.qint8, device="cpu")],
)
dtype_family(
    empty_quantized_dtype,
    "aten::_empty_affine_quantized",
    error=[Invocation([2], device="cpu"), Invocation([2], dtype=torch.float32, device="cpu")],
)


def channel_case(
    size: List[int], channels: int, points: TensorCase, **options: torch.dtype
) -> Invocation:
    """A case with a vector of scales."""
    given = dict(scales=T(channels), zero_points=points, axis=1, device="cpu")
    return Invocation(size, **given, **options)


_POINTS = T(4, dtype=torch.int64)
shape_family(
    empty_by_channel,
    "aten::_empty_per_channel_affine_quantized",
    ok=[channel_case([2, 4], 4, _POINTS, dtype=dtype) for dtype in (*_QUANTIZED, *_NARROW)],
    error=[
        channel_case([2, -1], 4, _POINTS, dtype=torch.qint8),
        channel_case([2, 4], 3, _POINTS, dtype=torch.qint8),
        channel_case([2, 4], 4, T(4, 1), dtype=torch.qint8),
    ],
)
dtype_family(
    empty_quantized_dtype,
    "aten::_empty_per_channel_affine_quantized",
    error=[
        channel_case([2, 4], 4, _POINTS),
        channel_case([2, 4], 4, _POINTS, dtype=torch.float32),
    ],
)
shape_family(
    given_size,
    "aten::empty_quantized",
    ok=[
        Invocation([4, 5], T(2, 3, dtype=torch.quint8), device="cpu"),
        Invocation([], T(2, 3, dtype=torch.qint32), device="cpu"),
        Invocation([0, 3], T(2, dtype=torch.qint32), dtype=torch.qint8, device="cpu"),
    ],
    error=[Invocation([2, -1], T(2, 3, dtype=torch.quint8), device="cpu")],
)
dtype_family(
    empty_like_quantized_dtype,
    "aten::empty_quantized",
    error=[Invocation([2], T(2, dtype=torch.quint8), dtype=torch.float32, device="cpu")],
)


# To floating-point and integer tensors.
def same_as_qtensor(qtensor: List[int]) -> List[int]:
    """The shape of the quantized tensor."""
    return qtensor


def same_as_tensors(tensors: List[List[int]]) -> List[List[int]]:
    """The shapes of the quantized tensors."""
    return tensors


def same_as_qtensors(qtensors: List[List[int]]) -> List[List[int]]:
    """The shapes of the quantized tensors."""
    return qtensors


def always_float32() -> int:
    """float32, in which everything else is computed, for any quantized dtype."""
    return torch.float32


def float32_each() -> List[int]:
    """Float32 for every tensor."""
    return [torch.float32]


_DEQUANTIZED = [
    Invocation(T(2, 3, dtype=dtype), device="cpu")
    for dtype in (*_QUANTIZED, *_NARROW, *_NOT_FLOAT32, torch.float32, torch.complex64)
]
_MANY_DEQUANTIZED = [
    Invocation([T(2, 3, dtype=dtype), T(dtype=torch.quint8)], device="cpu") for dtype in _QUANTIZED
]
shape_family(same_as_self, "aten::dequantize.self", ok=_DEQUANTIZED)
shape_family(same_as_qtensor, "aten::dequantize.tensor", ok=_DEQUANTIZED)
dtype_family(always_float32, "aten::dequantize.self", "aten::dequantize.tensor")
shape_family(same_as_tensors, "aten::dequantize.tensors", ok=_MANY_DEQUANTIZED)
shape_family(same_as_qtensors, "aten::dequantize.list", ok=_MANY_DEQUANTIZED)
dtype_family(float32_each, "aten::dequantize.tensors", "aten::dequantize.list")


@shape_function(
    "aten::int_repr",
    ok=[
        Invocation(T(dtype=torch.quint8), device="cpu"),
        Invocation(T(dtype=torch.quint4x2), device="cpu"),
        Invocation(T(0, 3, dtype=torch.quint4x2), device="cpu"),
        *[Invocation(T(2, 5, dtype=d), device="cpu") for d in (*_QUANTIZED, *_NARROW)],
    ],
)
def int_repr(self: Tuple[List[int], int]) -> List[int]:
    """The shape of `self`; a byte vector if several elements share a byte."""
    out = self[0]
    if self[1] == torch.quint4x2:
        out = [ceil_divide(product(out), 2)]
    elif self[1] == torch.quint2x4:
        out = [ceil_divide(product(out), 4)]
    return out


@dtype_function("aten::int_repr", error=[Invocation(T(2, 3), device="cpu")])
def int_repr_dtype(self: Tuple[int, int]) -> int:
    """The integer dtype of the same width and sign; uint8 if elements share a byte."""
    check_quantized_dtype(self[1])
    out = torch.uint8
    if self[1] == torch.qint8:
        out = torch.int8
    elif self[1] == torch.qint32:
        out = torch.int32
    return out


def channel_parameters(self: List[int]) -> List[int]:
    """One element per channel; tensor types do not record the channel axis."""
    assert len(self) > 0, f"self must have at least 1 dimension, got shape {self}"
    size = unknown_size()
    if len(self) == 1:
        size = self[0]
    return [size]


def channel_parameters_dtype(self: Tuple[int, int]) -> int:
    """float32 for float zero points, else float64 for scales and int64 for zero points."""
    check_quantized_dtype(self[1])
    return unknown_dtype()


def by_channel(*sizes: int, zero_points: torch.dtype = torch.int64) -> TensorCase:
    """A tensor quantized with one scale and zero point per index of dimension 0."""

    def quantized() -> torch.Tensor:
        scales, points = torch.ones(sizes[0]), torch.zeros(sizes[0], dtype=zero_points)
        return torch.quantize_per_channel(torch.ones(sizes), scales, points, 0, torch.quint8)

    return made(torch.quint8, *sizes, make=quantized)


_PARAMETERS = ("aten::q_per_channel_scales", "aten::q_per_channel_zero_points")
shape_family(
    channel_parameters,
    *_PARAMETERS,
    ok=[
        Invocation(by_channel(2, 3), device="cpu"),
        Invocation(by_channel(2, 3, zero_points=torch.float32), device="cpu"),
        Invocation(by_channel(3), device="cpu"),
    ],
    error=[Invocation(T(dtype=torch.quint8), device="cpu")],
)
dtype_family(channel_parameters_dtype, *_PARAMETERS, error=[Invocation(T(2, 3), device="cpu")])
