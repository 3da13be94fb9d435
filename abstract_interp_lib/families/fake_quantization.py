"""Fake quantization: numbers rounded to what a quantized dtype could hold, but kept as floats.

Only the backward operators of the cached masks have meta kernels.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import same_as_self
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.quantization import (
    check_channel_parameters,
    check_floating,
    check_one_element,
)
from torch_refine.abstract_interp_lib.rules.unknown import unknown_dtype

_FLOATS = (torch.float64, torch.float16, torch.bfloat16)
_INTEGERS = (torch.int64, torch.bool)
_RANGE = (0, 255)
_POINT = T(1, dtype=torch.int32)
_POINTS = T(3, dtype=torch.int32)


def fake_quantized_dtype(self: Tuple[int, int]) -> int:
    """The dtype of `self`, which must be a floating-point one."""
    check_floating(self[1])
    return self[1]


def fake_quantized_and_mask_dtype(self: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of `self`, which must be a floating-point one, and bool for the mask."""
    check_floating(self[1])
    return self[1], torch.bool


def same_twice(self: List[int]) -> Tuple[List[int], List[int]]:
    """The shape of `self`, and a mask of that shape that says what was within the range."""
    return self, list(self)


# One scale and zero point, as numbers.
_NUMBERS_OK = [
    Invocation(T(2, 3), 0.1, 0, *_RANGE, device="cpu"),
    Invocation(T(), 0.1, 0, *_RANGE, device="cpu"),
    Invocation(T(0, 3), 0.1, 0, *_RANGE, device="cpu"),
    *[Invocation(T(2, 3, dtype=dtype), 0.1, 0, *_RANGE, device="cpu") for dtype in _FLOATS],
]
_NUMBERS_ERROR = [
    Invocation(T(2, 3, dtype=dtype), 0.1, 0, *_RANGE, device="cpu") for dtype in _INTEGERS
]
shape_family(same_as_self, "aten::fake_quantize_per_tensor_affine", ok=_NUMBERS_OK)
shape_family(same_twice, "aten::fake_quantize_per_tensor_affine_cachemask", ok=_NUMBERS_OK)
dtype_family(fake_quantized_dtype, "aten::fake_quantize_per_tensor_affine", error=_NUMBERS_ERROR)
dtype_family(
    fake_quantized_and_mask_dtype,
    "aten::fake_quantize_per_tensor_affine_cachemask",
    error=_NUMBERS_ERROR,
)


def fake_quantized(self: List[int], scale: List[int], zero_point: List[int]) -> List[int]:
    """The shape of `self`; scale and zero point are tensors of one element."""
    check_one_element(scale, "scale")
    check_one_element(zero_point, "zero_point")
    return self


def fake_quantized_and_mask(
    self: List[int], scale: List[int], zero_point: List[int], fake_quant_enabled: List[int]
) -> Tuple[List[int], List[int]]:
    """As `fake_quantized`, with a mask; a tensor of one element says whether to do anything."""
    check_one_element(fake_quant_enabled, "fake_quant_enabled")
    out = fake_quantized(self, scale, zero_point)
    return out, list(out)


shape_family(
    fake_quantized,
    "aten::fake_quantize_per_tensor_affine.tensor_qparams",
    ok=[
        Invocation(T(2, 3), T(1), _POINT, *_RANGE, device="cpu"),
        Invocation(T(), T(), T(), *_RANGE, device="cpu"),
        Invocation(T(0, 3), T(1, 1), T(1, dtype=torch.int64), *_RANGE, device="cpu"),
        *[Invocation(T(2, dtype=dtype), T(1), _POINT, *_RANGE, device="cpu") for dtype in _FLOATS],
    ],
    error=[
        Invocation(T(2, 3), T(3), _POINT, *_RANGE, device="cpu"),
        Invocation(T(2, 3), T(1), _POINTS, *_RANGE, device="cpu"),
    ],
)
dtype_family(
    fake_quantized_dtype,
    "aten::fake_quantize_per_tensor_affine.tensor_qparams",
    error=[
        Invocation(T(2, dtype=dtype), T(1), _POINT, *_RANGE, device="cpu") for dtype in _INTEGERS
    ],
)
shape_family(
    fake_quantized_and_mask,
    "aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams",
    ok=[
        Invocation(T(2, 3), T(1), _POINT, T(1, dtype=torch.int64), *_RANGE, device="cpu"),
        Invocation(T(), T(), T(), T(), *_RANGE, device="cpu"),
        *[
            Invocation(T(0, 3, dtype=dtype), T(1), _POINT, T(1), *_RANGE, device="cpu")
            for dtype in _FLOATS
        ],
    ],
    error=[
        Invocation(T(2, 3), T(3), _POINT, T(1), *_RANGE, device="cpu"),
        Invocation(T(2, 3), T(1), _POINTS, T(1), *_RANGE, device="cpu"),
        Invocation(T(2, 3), T(1), _POINT, T(2), *_RANGE, device="cpu"),
    ],
)
dtype_family(
    fake_quantized_and_mask_dtype,
    "aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams",
    error=[
        Invocation(T(2, dtype=dtype), T(1), _POINT, T(1), *_RANGE, device="cpu")
        for dtype in _INTEGERS
    ],
)


# A scale and a zero point for each channel.
def fake_quantized_channels(
    self: List[int], scale: List[int], zero_point: List[int], axis: int
) -> List[int]:
    """The shape of `self`."""
    check_channel_parameters(self, scale, zero_point, axis)
    return self


def fake_quantized_channels_and_mask(
    self: List[int], scale: List[int], zero_point: List[int], axis: int
) -> Tuple[List[int], List[int]]:
    """The shape of `self`, and a mask of that shape that says what was within the range."""
    check_channel_parameters(self, scale, zero_point, axis)
    return self, list(self)


_CHANNELS_OK = [
    Invocation(T(2, 3), T(3), _POINTS, 1, *_RANGE, device="cpu"),
    Invocation(T(3, 2, 4), T(3), T(3), 0, *_RANGE, device="cpu"),
    Invocation(T(0, 3), T(3), _POINTS, 1, *_RANGE, device="cpu"),
    *[
        Invocation(T(2, 3, dtype=dtype), T(3), _POINTS, 1, *_RANGE, device="cpu")
        for dtype in _FLOATS
    ],
]
_CHANNELS_ERROR = [
    Invocation(T(2, 3), T(3, 1), T(3, 1), 1, *_RANGE, device="cpu"),
    Invocation(T(2, 3), T(3), T(2), 1, *_RANGE, device="cpu"),
    Invocation(T(2, 3), T(3), T(3, 1), 1, *_RANGE, device="cpu"),
    Invocation(T(2, 3), T(2), T(2), 1, *_RANGE, device="cpu"),
    Invocation(T(2, 3), T(3), T(3), -1, *_RANGE, device="cpu"),
    Invocation(T(2, 3), T(3), T(3), 2, *_RANGE, device="cpu"),
]
_CHANNELS_DTYPE_ERROR = [
    Invocation(T(2, 3, dtype=dtype), T(3), _POINTS, 1, *_RANGE, device="cpu") for dtype in _INTEGERS
]
_CHANNELS = (
    "aten::fake_quantize_per_channel_affine",
    "aten::_fake_quantize_learnable_per_channel_affine",
)
shape_family(fake_quantized_channels, *_CHANNELS, ok=_CHANNELS_OK, error=_CHANNELS_ERROR)
dtype_family(fake_quantized_dtype, *_CHANNELS, error=_CHANNELS_DTYPE_ERROR)
shape_family(
    fake_quantized_channels_and_mask,
    "aten::fake_quantize_per_channel_affine_cachemask",
    ok=_CHANNELS_OK,
    error=_CHANNELS_ERROR,
)
dtype_family(
    fake_quantized_and_mask_dtype,
    "aten::fake_quantize_per_channel_affine_cachemask",
    error=_CHANNELS_DTYPE_ERROR,
)


# Backward.
def masked_gradient(grad: List[int], mask: List[int]) -> List[int]:
    """The gradient times the mask; an empty gradient is returned as it is."""
    out = grad
    if 0 not in grad:
        out = broadcast_two(grad, mask)
    return out


def masked_gradient_dtype(grad: Tuple[int, int], mask: Tuple[int, int]) -> int:
    """The dtype of the gradient; the mask is made of bool."""
    assert mask[1] == torch.bool, f"the mask must be of dtype bool, got dtype {mask[1]}"
    return grad[1]


_MASK = T(2, 3, dtype=torch.bool)
_MASKED = (
    "aten::fake_quantize_per_tensor_affine_cachemask_backward",
    "aten::fake_quantize_per_channel_affine_cachemask_backward",
)
shape_family(
    masked_gradient,
    *_MASKED,
    ok=[
        Invocation(T(2, 3), _MASK),
        Invocation(T(), T(dtype=torch.bool)),
        Invocation(T(0, 3), T(0, 3, dtype=torch.bool)),
        *[Invocation(T(2, 3, dtype=dtype), _MASK) for dtype in (*_FLOATS, *_INTEGERS)],
        Invocation(T(2, 3, dtype=torch.complex64), _MASK),
    ],
    error=[Invocation(T(2, 3), T(3, 2, dtype=torch.bool))],
)
dtype_family(
    masked_gradient_dtype, *_MASKED, error=[Invocation(T(2, 3), T(2, 3, dtype=torch.int64))]
)


def learnable(self: List[int], scale: List[int], zero_point: List[int]) -> List[int]:
    """The shape of `self`; scale and zero point are the first entries of tensors."""
    assert len(scale) > 0, f"scale must not be zero-dim, got shape {scale}"
    assert len(zero_point) > 0, f"zero_point must not be zero-dim, got shape {zero_point}"
    return self


def learnable_gradients(
    grad: List[int], self: List[int], scale: List[int], zero_point: List[int]
) -> Tuple[List[int], List[int], List[int]]:
    """Gradients of `self`, and of one scale and zero point.

    Where `self` is empty PyTorch returns it with both parameters as they are.
    """
    if 0 in self:
        outs = self, scale, zero_point
    else:
        outs = broadcast_two(grad, learnable(self, scale, zero_point)), [1], [1]
    return outs


def learnable_channel_gradients(
    grad: List[int], self: List[int], scale: List[int], zero_point: List[int], axis: int
) -> Tuple[List[int], List[int], List[int]]:
    """Gradients of `self`, and of a scale and a zero point for each channel.

    The gradients of the parameters of a vector come out summed, as zero-dim tensors.
    """
    check_same(grad, self, "grad")
    check_channel_parameters(self, scale, zero_point, axis)
    parameters = self[:0]
    if len(self) > 1:
        parameters = [self[axis]]
    return self, parameters, list(parameters)


def learnable_gradients_dtype(grad: Tuple[int, int], self: Tuple[int, int]) -> Tuple[int, int, int]:
    """Float32, in which the kernels compute; of other numbers they take only bfloat16.

    That is returned as it is where there are none, so nobody knows what bfloat16 gives.
    """
    assert self[1] == torch.float32 or self[1] == torch.bfloat16, (
        f"self must be of dtype float32 or bfloat16, got dtype {self[1]}"
    )
    dtype = self[1]
    if dtype == torch.bfloat16:
        dtype = unknown_dtype()
    return dtype, dtype, dtype


shape_family(
    learnable,
    "aten::_fake_quantize_learnable_per_tensor_affine",
    ok=[
        Invocation(T(2, 3), T(1), T(1), *_RANGE, device="cpu"),
        Invocation(T(), T(1), T(1), *_RANGE, 0.5, device="cpu"),
        Invocation(T(0, 3), T(3), T(1, 1), *_RANGE, grad_factor=0.5, device="cpu"),
        *[Invocation(T(2, dtype=dtype), T(1), T(1), *_RANGE, device="cpu") for dtype in _FLOATS],
    ],
    error=[
        Invocation(T(2, 3), T(), T(1), *_RANGE, device="cpu"),
        Invocation(T(2, 3), T(1), T(), *_RANGE, device="cpu"),
    ],
)
dtype_family(
    fake_quantized_dtype,
    "aten::_fake_quantize_learnable_per_tensor_affine",
    error=[Invocation(T(2, dtype=dtype), T(1), T(1), *_RANGE, device="cpu") for dtype in _INTEGERS],
)
shape_family(
    learnable_gradients,
    "aten::_fake_quantize_learnable_per_tensor_affine_backward",
    ok=[
        Invocation(T(2, 3), T(2, 3), T(1), T(1), *_RANGE, device="cpu"),
        Invocation(T(), T(), T(3), T(1, 1), *_RANGE, 0.5, device="cpu"),
        Invocation(T(0, 3), T(0, 3), T(3), T(2), *_RANGE, device="cpu"),
        Invocation(
            *[T(0, 3, dtype=torch.bfloat16)] * 2,
            T(1),
            T(1, dtype=torch.bfloat16),
            *_RANGE,
            device="cpu",
        ),
        Invocation(
            *[T(2, 3, dtype=torch.bfloat16)] * 2,
            *[T(1, dtype=torch.bfloat16)] * 2,
            *_RANGE,
            device="cpu",
        ),
    ],
    error=[
        Invocation(T(2, 3), T(3, 2), T(1), T(1), *_RANGE, device="cpu"),
        Invocation(T(2, 3), T(2, 3), T(), T(1), *_RANGE, device="cpu"),
    ],
)
shape_family(
    learnable_channel_gradients,
    "aten::_fake_quantize_learnable_per_channel_affine_backward",
    ok=[
        Invocation(T(2, 3), T(2, 3), T(3), T(3), 1, *_RANGE, device="cpu"),
        Invocation(T(3, 2, 4), T(3, 2, 4), T(3), T(3), 0, *_RANGE, 0.5, device="cpu"),
        Invocation(T(3), T(3), T(3), T(3), 0, *_RANGE, device="cpu"),
        Invocation(T(0, 3), T(0, 3), T(3), T(3), 1, *_RANGE, device="cpu"),
        Invocation(*[T(2, 3, dtype=torch.bfloat16)] * 2, T(3), T(3), 1, *_RANGE, device="cpu"),
    ],
    error=[
        Invocation(T(3, 2), T(2, 3), T(3), T(3), 1, *_RANGE, device="cpu"),
        Invocation(T(2, 3), T(2, 3), T(2), T(2), 1, *_RANGE, device="cpu"),
        Invocation(T(2, 3), T(2, 3), T(3), T(3), -1, *_RANGE, device="cpu"),
    ],
)
dtype_family(
    learnable_gradients_dtype,
    "aten::_fake_quantize_learnable_per_tensor_affine_backward",
    error=[
        Invocation(*[T(2, dtype=dtype)] * 2, T(1), T(1), *_RANGE, device="cpu")
        for dtype in (torch.float16, torch.float64, torch.int64)
    ],
)
dtype_family(
    learnable_gradients_dtype,
    "aten::_fake_quantize_learnable_per_channel_affine_backward",
    error=[
        Invocation(*[T(2, 3, dtype=dtype)] * 2, T(3), T(3), 1, *_RANGE, device="cpu")
        for dtype in (torch.float16, torch.float64, torch.int64)
    ],
)
