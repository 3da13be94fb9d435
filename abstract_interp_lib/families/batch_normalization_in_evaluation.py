"""Batch normalization by statistics that are given, as a backend is chosen for it."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.families.batch_normalization import (
    native_batch_norm,
    native_batch_norm_dtype,
)
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size


def batch_norm_without_update(
    input: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    running_mean: Optional[List[int]],
    running_var: Optional[List[int]],
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """As `native_batch_norm` in evaluation; the fourth result is room that a backend may need."""
    out, mean, deviation = native_batch_norm(input, weight, bias, running_mean, running_var, False)
    return out, mean, deviation, [unknown_size()]


def batch_norm_without_update_dtype(
    input: Tuple[int, int],
    weight: Optional[Tuple[int, int]],
    bias: Optional[Tuple[int, int]],
    running_mean: Optional[Tuple[int, int]],
    running_var: Optional[Tuple[int, int]],
) -> Tuple[int, int, int, int]:
    """The dtype of the input, that of its statistics, and bytes."""
    out, mean, deviation = native_batch_norm_dtype(input, weight, bias, running_mean, running_var)
    return out, mean, deviation, torch.uint8


# The meta kernel wants all parameters; the CPU kernel crashes without statistics.
shape_family(
    batch_norm_without_update,
    "aten::_batch_norm_no_update",
    ok=[
        Invocation(T(2, 4, 5), T(4), T(4), T(4), T(4), 0.1, 1e-5),
        Invocation(T(2, 4, 5), T(4), T(4), T(4), T(4), 0.1, 1e-5, device="cpu"),
        Invocation(T(2, 4), None, None, T(4), T(4), 0.1, 1e-5, device="cpu"),
        Invocation(T(2, 4, 5, dtype=torch.bfloat16), T(4), T(4), T(4), T(4), 0.1, 1e-5),
        Invocation(
            *[T(2, 4, 5, dtype=torch.bfloat16), T(4), T(4), T(4), T(4), 0.1, 1e-5], device="cpu"
        ),
        Invocation(T(2, 4, dtype=torch.float64), *[T(4, dtype=torch.float64)] * 4, 0.1, 1e-5),
    ],
    error=[
        Invocation(T(4), None, None, T(4), T(4), 0.1, 1e-5, device="cpu"),
        Invocation(T(2, 4, 5), T(3), T(4), T(4), T(4), 0.1, 1e-5),
    ],
)
dtype_family(batch_norm_without_update_dtype, "aten::_batch_norm_no_update")
