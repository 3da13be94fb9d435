"""Scaling of losses, which keeps gradients in float16 from becoming zero (`torch.amp`)."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.quantization import (
    check_float32,
    check_floating,
    check_one_element,
)


@shape_function(
    "aten::_amp_foreach_non_finite_check_and_unscale",
    ok=[
        Invocation([T(2, 3), T(4)], T(1), T(1)),
        Invocation([T(2, 3), T(0), T()], T(), T(1, 1), device="cpu"),
        *[
            Invocation([T(2, 3, dtype=dtype), T(4)], T(1), T(1), device="cpu")
            for dtype in (torch.float64, torch.float16, torch.bfloat16)
        ],
    ],
    error=[
        Invocation([T(2, 3)], T(2), T(1)),
        Invocation([T(2, 3)], T(1), T(2)),
    ],
)
def unscaled(
    self: List[List[int]], found_inf: List[int], inv_scale: List[int]
) -> Tuple[List[List[int]], List[int]]:
    """The shapes of the gradients, and that of the number that says whether all are finite."""
    check_one_element(found_inf, "found_inf")
    check_one_element(inv_scale, "inv_scale")
    return self, found_inf


# The meta kernel takes other dtypes.
@dtype_function(
    "aten::_amp_foreach_non_finite_check_and_unscale",
    error=[
        Invocation([T(2, dtype=torch.int64)], T(1), T(1), device="cpu"),
        Invocation([T(2)], T(1, dtype=torch.float64), T(1), device="cpu"),
        Invocation([T(2)], T(1), T(1, dtype=torch.float64), device="cpu"),
    ],
)
def unscaled_dtype(
    self: List[Tuple[int, int]], found_inf: Tuple[int, int], inv_scale: Tuple[int, int]
) -> Tuple[List[int], int]:
    """The dtypes of the gradients, which must be floating-point ones, and float32."""
    check_float32(found_inf[1], "found_inf")
    check_float32(inv_scale[1], "inv_scale")
    for gradient in self:
        check_floating(gradient[1])
    return [gradient[1] for gradient in self], found_inf[1]


def updated_scale(
    self: List[int], growth_tracker: List[int], found_inf: List[int]
) -> Tuple[List[int], List[int]]:
    """The shapes of the scale and of the number of steps since it changed."""
    check_one_element(self, "self")
    check_one_element(growth_tracker, "growth_tracker")
    check_one_element(found_inf, "found_inf")
    return self, growth_tracker


def updated_scale_dtype(
    self: Tuple[int, int], growth_tracker: Tuple[int, int], found_inf: Tuple[int, int]
) -> Tuple[int, int]:
    """Float32 and int32."""
    check_float32(self[1], "self")
    check_float32(found_inf[1], "found_inf")
    assert growth_tracker[1] == torch.int32, (
        f"growth_tracker must be of dtype int32, got dtype {growth_tracker[1]}"
    )
    return self[1], growth_tracker[1]


_STEPS = T(1, dtype=torch.int32)
_FACTORS = (2.0, 0.5, 2)
# The meta kernel looks at nothing.
shape_family(
    updated_scale,
    "aten::_amp_update_scale",
    ok=[
        Invocation(T(1), _STEPS, T(1), *_FACTORS),
        Invocation(T(1), _STEPS, T(1), *_FACTORS, device="cpu"),
        Invocation(T(), T(1, 1, dtype=torch.int32), T(), *_FACTORS, device="cpu"),
    ],
    error=[
        Invocation(T(2), _STEPS, T(1), *_FACTORS, device="cpu"),
        Invocation(T(1), T(2, dtype=torch.int32), T(1), *_FACTORS, device="cpu"),
        Invocation(T(1), _STEPS, T(2), *_FACTORS, device="cpu"),
    ],
)
dtype_family(
    updated_scale_dtype,
    "aten::_amp_update_scale",
    error=[
        Invocation(T(1, dtype=torch.float64), _STEPS, T(1), *_FACTORS, device="cpu"),
        Invocation(T(1), T(1, dtype=torch.int64), T(1), *_FACTORS, device="cpu"),
        Invocation(T(1), _STEPS, T(1, dtype=torch.float64), *_FACTORS, device="cpu"),
    ],
)
