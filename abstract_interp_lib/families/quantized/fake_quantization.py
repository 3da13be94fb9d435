"""Fake quantization, and observers that compute its parameters.

Only the backward operators of the cached masks have meta kernels.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import same_as_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.quantization import (
    check_channel_parameters,
    check_float32,
    check_floating,
    check_one_element,
)
from torch_refine.abstract_interp_lib.rules.sizes import product
from torch_refine.abstract_interp_lib.rules.unknown import unknown_dtype, unknown_size

_FLOATS = (torch.float64, torch.float16, torch.bfloat16)
_INTEGERS = (torch.int64, torch.bool)
_RANGE = (0, 255)
_POINT = T(1, dtype=torch.int32)
_POINTS = T(3, dtype=torch.int32)


def fake_quantized_dtype(self: Tuple[int, int]) -> int:
    """The dtype of `self`, which must be floating-point."""
    check_floating(self[1])
    return self[1]


def fake_quantized_and_mask_dtype(self: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of `self`, which must be floating-point, and bool for the mask."""
    check_floating(self[1])
    return self[1], torch.bool


def same_twice(self: List[int]) -> Tuple[List[int], List[int]]:
    """The shape of `self`, and of the mask of values in the quantized range."""
    return self, list(self)


# Per tensor, with scale and zero point as scalars.
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
    """As `fake_quantized`, with a mask; a tensor of one element enables fake quantization."""
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


# Per channel.
def fake_quantized_channels(
    self: List[int], scale: List[int], zero_point: List[int], axis: int
) -> List[int]:
    """The shape of `self`."""
    check_channel_parameters(self, scale, zero_point, axis)
    return self


def fake_quantized_channels_and_mask(
    self: List[int], scale: List[int], zero_point: List[int], axis: int
) -> Tuple[List[int], List[int]]:
    """The shape of `self`, and of the mask of values in the quantized range."""
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
    """The gradient times the mask; an empty gradient is returned unchanged."""
    out = grad
    if 0 not in grad:
        out = broadcast_two(grad, mask)
    return out


def masked_gradient_dtype(grad: Tuple[int, int], mask: Tuple[int, int]) -> int:
    """The dtype of the gradient; the mask is bool."""
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
    """The shape of `self`; scale and zero point are the first elements of tensors."""
    assert len(scale) > 0, f"scale must not be 0-dim, got shape {scale}"
    assert len(zero_point) > 0, f"zero_point must not be 0-dim, got shape {zero_point}"
    return self


def learnable_gradients(
    grad: List[int], self: List[int], scale: List[int], zero_point: List[int]
) -> Tuple[List[int], List[int], List[int]]:
    """The gradients of `self`, of the scale and of the zero point.

    For an empty `self` PyTorch returns it and both parameters unchanged.
    """
    if 0 in self:
        outs = self, scale, zero_point
    else:
        outs = broadcast_two(grad, learnable(self, scale, zero_point)), [1], [1]
    return outs


def learnable_channel_gradients(
    grad: List[int], self: List[int], scale: List[int], zero_point: List[int], axis: int
) -> Tuple[List[int], List[int], List[int]]:
    """The gradients of `self`, and of the scale and zero point per channel.

    For a 1-D input the parameter gradients are summed to 0-dim tensors.
    """
    check_same(grad, self, "grad")
    check_channel_parameters(self, scale, zero_point, axis)
    parameters = self[:0]
    if len(self) > 1:
        parameters = [self[axis]]
    return self, parameters, list(parameters)


def learnable_gradients_dtype(grad: Tuple[int, int], self: Tuple[int, int]) -> Tuple[int, int, int]:
    """float32, in which the kernels compute; the only other supported dtype is bfloat16.

    For an empty input it is returned, so the result dtype for bfloat16 is unknown.
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


# Before quantization: observe ranges, choose parameters, prune rows.


def check_channel_axis(self: List[int], ch_axis: int) -> None:
    """Raise unless `ch_axis` is a dimension of `self`."""
    assert ch_axis < len(self), f"ch_axis {ch_axis} is out of range for rank {len(self)}"


def observed(self: List[int], ch_axis: int) -> List[int]:
    """The shape of `self`; nothing is checked for an empty one."""
    if 0 not in self:
        check_channel_axis(self, ch_axis)
    return self


def observed_and_mask(self: List[int], ch_axis: int) -> Tuple[List[int], List[int]]:
    """The shape of `self`, and of the mask of values in the quantized range."""
    check_channel_axis(self, ch_axis)
    return self, list(self)


def statistic(
    given: List[int],
    self: List[int],
    running_min: List[int],
    ch_axis: int,
    per_row_fake_quant: bool,
) -> List[int]:
    """The shape of a statistic after the update: one element per channel if it was empty."""
    out = given
    if per_row_fake_quant and 0 in running_min:
        out = [self[wrap_dim(ch_axis, len(self))]]
    return out


def observed_and_statistics(
    self: List[int],
    running_min: List[int],
    running_max: List[int],
    scale: List[int],
    zero_point: List[int],
    ch_axis: int,
    per_row_fake_quant: bool,
) -> Tuple[List[int], List[int], List[int], List[int], List[int], List[int]]:
    """As `observed_and_mask`, with the updated statistics and parameters."""
    out, mask = observed_and_mask(self, ch_axis)
    return (
        out,
        mask,
        statistic(running_min, self, running_min, ch_axis, per_row_fake_quant),
        statistic(running_max, self, running_min, ch_axis, per_row_fake_quant),
        statistic(scale, self, running_min, ch_axis, per_row_fake_quant),
        statistic(zero_point, self, running_min, ch_axis, per_row_fake_quant),
    )


def observed_dtype(self: Tuple[int, int]) -> int:
    """The dtype of `self`."""
    return self[1]


def observed_and_mask_dtype(self: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of `self`, and bool for the mask."""
    return self[1], torch.bool


def observed_and_statistics_dtype(
    self: Tuple[int, int],
    running_min: Tuple[int, int],
    running_max: Tuple[int, int],
    scale: Tuple[int, int],
    zero_point: Tuple[int, int],
) -> Tuple[int, int, int, int, int, int]:
    """The dtype of `self`, bool for the mask; statistics and parameters keep theirs."""
    return self[1], torch.bool, running_min[1], running_max[1], scale[1], zero_point[1]


def observer_case(
    self: TensorCase,
    channels: List[int],
    axis: int,
    per_row: bool,
    on: int = 1,
    device: str = "cpu",
) -> Invocation:
    """A case whose statistics and parameters have the shape `channels`."""
    switch = T(1, dtype=torch.int64, values=[on])
    return Invocation(
        *(self, switch, switch, T(*channels), T(*channels), T(*channels)),
        T(*channels, dtype=torch.int32),
        *(0.01, 0, 255, axis, per_row, False),
        device=device,
    )


# Dtypes other than float32 are accepted if both switches are off.
_OBSERVED_OK = [
    observer_case(T(2, 3), [1], 0, False),
    observer_case(T(2, 3), [1], -1, False, 0),
    observer_case(T(2, 3, 4), [2], 0, True),
    observer_case(T(2, 3), [3], 1, True, 0),
    observer_case(T(0, 3), [1], 0, False, 0),
    *[
        observer_case(T(2, 3, dtype=dtype), [1], 0, False, 0)
        for dtype in (torch.float64, torch.float16, torch.bfloat16, torch.int64)
    ],
]
_EMPTY_STATISTICS = [
    observer_case(T(2, 3), [0], 0, True),
    observer_case(T(2, 3), [0], -1, True, 0),
    observer_case(T(2, 3), [0, 4], 1, True, 0),
]
_OBSERVED_ERROR = [observer_case(T(2, 3), [1], 2, False), observer_case(T(), [1], 0, False)]
shape_family(
    observed,
    "aten::fused_moving_avg_obs_fake_quant",
    ok=[*_OBSERVED_OK, *_EMPTY_STATISTICS, observer_case(T(0, 3), [1], 5, False)],
    error=_OBSERVED_ERROR,
)
dtype_family(observed_dtype, "aten::fused_moving_avg_obs_fake_quant")
shape_family(
    observed_and_mask,
    "aten::_fused_moving_avg_obs_fq_helper",
    ok=[
        *_OBSERVED_OK,
        *_EMPTY_STATISTICS,
        observer_case(T(2, 3), [1], 0, False, device="meta"),
    ],
    error=[*_OBSERVED_ERROR, observer_case(T(0, 3), [1], 5, False)],
)
dtype_family(observed_and_mask_dtype, "aten::_fused_moving_avg_obs_fq_helper")
shape_family(
    observed_and_statistics,
    "aten::_fused_moving_avg_obs_fq_helper_functional",
    ok=[*_OBSERVED_OK, *_EMPTY_STATISTICS],
    error=[*_OBSERVED_ERROR, observer_case(T(2, 3), [0], -3, True)],
)
dtype_family(observed_and_statistics_dtype, "aten::_fused_moving_avg_obs_fq_helper_functional")


def chosen_parameters(input: List[int], numel: int) -> Tuple[List[int], List[int]]:
    """The chosen minimum and maximum for the first `numel` elements of the input."""
    assert numel >= 0 and numel <= product(input), (
        f"the input must have {numel} elements, got shape {input}"
    )
    return [1], [1]


def chosen_parameters_dtype(input: Tuple[int, int]) -> Tuple[int, int]:
    """float32, like the input."""
    check_float32(input[1], "input")
    return input[1], input[1]


shape_family(
    chosen_parameters,
    "aten::choose_qparams_optimized",
    ok=[
        Invocation(T(10), 10, 200, 0.16, 8, device="cpu"),
        Invocation(T(2, 5), 6, 200, 0.16, 4, device="cpu"),
    ],
    error=[
        Invocation(T(5), 10, 200, 0.16, 8, device="cpu"),
        Invocation(T(5), -1, 200, 0.16, 8, device="cpu"),
    ],
)
dtype_family(
    chosen_parameters_dtype,
    "aten::choose_qparams_optimized",
    error=[
        Invocation(T(10, dtype=dtype), 10, 200, 0.16, 8, device="cpu")
        for dtype in (torch.float64, torch.float16, torch.int64)
    ],
)


def saturated(weight: List[int]) -> List[int]:
    """The shape of the weight."""
    assert len(weight) >= 2, f"weight must have at least 2 dimensions, got shape {weight}"
    return weight


def saturated_dtype(weight: Tuple[int, int]) -> int:
    """float32, like the weight, despite the operator's name."""
    check_float32(weight[1], "weight")
    return weight[1]


shape_family(
    saturated,
    "aten::_saturate_weight_to_fp16",
    ok=[
        Invocation(T(2, 3), device="cpu"),
        Invocation(T(2, 3, 4), device="cpu"),
        Invocation(T(0, 3), device="cpu"),
    ],
    error=[Invocation(T(3), device="cpu"), Invocation(T(), device="cpu")],
)
dtype_family(
    saturated_dtype,
    "aten::_saturate_weight_to_fp16",
    error=[
        Invocation(T(2, 3, dtype=dtype), device="cpu") for dtype in (torch.float16, torch.int64)
    ],
)


def pruned_rows(weight: List[int], mask: List[int]) -> Tuple[List[int], List[int]]:
    """The rows kept by the mask, whose number is data-dependent, and one index per row."""
    assert len(weight) == 2, f"weight must be a matrix, got shape {weight}"
    assert product(mask) == weight[0], (
        f"mask must have {weight[0]} elements, one per row, got shape {mask}"
    )
    return [unknown_size(), weight[1]], [weight[0]]


def pruned_rows_dtype(weight: Tuple[int, int], compressed_indices_dtype: int) -> Tuple[int, int]:
    """The dtype of the weight, and the requested dtype of the indices."""
    dtype = compressed_indices_dtype
    assert dtype == torch.int32 or dtype == torch.int64, (
        f"compressed_indices_dtype must be int32 or int64, got {dtype}"
    )
    return weight[1], dtype


_ROWS = T(3, dtype=torch.bool, values=[True, False, True])
shape_family(
    pruned_rows,
    "aten::_rowwise_prune",
    ok=[
        Invocation(T(3, 4), _ROWS, torch.int32, device="cpu"),
        Invocation(T(3, 4), T(3, 1, dtype=torch.bool), torch.int64, device="cpu"),
        Invocation(T(0, 4), T(0, dtype=torch.bool), torch.int32, device="cpu"),
        *[
            Invocation(T(3, 4, dtype=dtype), _ROWS, torch.int32, device="cpu")
            for dtype in (torch.float64, torch.bfloat16, torch.int64)
        ],
    ],
    error=[
        Invocation(T(3), _ROWS, torch.int32, device="cpu"),
        Invocation(T(4, 4), _ROWS, torch.int32, device="cpu"),
    ],
)
dtype_family(
    pruned_rows_dtype,
    "aten::_rowwise_prune",
    error=[Invocation(T(3, 4), _ROWS, torch.float32, device="cpu")],
)
