"""What quantization does before it quantizes: observe ranges, choose parameters, prune rows."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.dims import wrap_dim
from torch_refine.abstract_interp_lib.rules.quantization import check_float32
from torch_refine.abstract_interp_lib.rules.sizes import product
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size


def check_channel_axis(self: List[int], ch_axis: int) -> None:
    """Raise unless the dimension of the channels is one of those of `self`."""
    assert ch_axis < len(self), f"ch_axis {ch_axis} is out of range for rank {len(self)}"


def observed(self: List[int], ch_axis: int) -> List[int]:
    """The shape of `self`; an empty one is not looked at."""
    if 0 not in self:
        check_channel_axis(self, ch_axis)
    return self


def observed_and_mask(self: List[int], ch_axis: int) -> Tuple[List[int], List[int]]:
    """The shape of `self`, and a mask of that shape that says what was within the range."""
    check_channel_axis(self, ch_axis)
    return self, list(self)


def statistic(
    given: List[int],
    self: List[int],
    running_min: List[int],
    ch_axis: int,
    per_row_fake_quant: bool,
) -> List[int]:
    """What a statistic is made: one entry per channel, where there was no minimum yet."""
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
    """As `observed_and_mask`, with statistics and parameters as they are afterwards."""
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
    """A case in which statistics and parameters have the shape `channels`."""
    switch = T(1, dtype=torch.int64, values=[on])
    return Invocation(
        *(self, switch, switch, T(*channels), T(*channels), T(*channels)),
        T(*channels, dtype=torch.int32),
        *(0.01, 0, 255, axis, per_row, False),
        device=device,
    )


# Other dtypes than float32 pass where both switches are off.
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
    """The ends of the range chosen for the first `numel` elements of the input."""
    assert numel >= 0 and numel <= product(input), (
        f"the input must have {numel} elements, got shape {input}"
    )
    return [1], [1]


def chosen_parameters_dtype(input: Tuple[int, int]) -> Tuple[int, int]:
    """Float32, like the input."""
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
    assert len(weight) >= 2, f"weight must have two dimensions or more, got shape {weight}"
    return weight


def saturated_dtype(weight: Tuple[int, int]) -> int:
    """Float32, like the weight, whatever the name says."""
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
    """The rows that the mask keeps, how many only its values tell, and an index for each row."""
    assert len(weight) == 2, f"weight must be a matrix, got shape {weight}"
    assert product(mask) == weight[0], (
        f"the mask must have an element for each of {weight[0]} rows, got shape {mask}"
    )
    return [unknown_size(), weight[1]], [weight[0]]


def pruned_rows_dtype(weight: Tuple[int, int], compressed_indices_dtype: int) -> Tuple[int, int]:
    """The dtype of the weight, and the one asked for the indices."""
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
