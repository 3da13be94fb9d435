"""The parts of floating-point numbers: `frexp`."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_function,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral


@shape_function(
    "aten::frexp.Tensor",
    ok=[
        Invocation(T(2, 3)),
        Invocation(T()),
        Invocation(T(0)),
        *[
            Invocation(T(2, dtype=dtype))
            for dtype in (torch.float16, torch.bfloat16, torch.float64)
        ],
    ],
)
def frexp(self: List[int]) -> Tuple[List[int], List[int]]:
    """A mantissa and an exponent for each element."""
    return self, self


@dtype_function(
    "aten::frexp.Tensor",
    error=[Invocation(T(2, dtype=dtype)) for dtype in (torch.int64, torch.bool, torch.complex64)],
)
def frexp_dtype(self: Tuple[int, int]) -> Tuple[int, int]:
    """The mantissa has the dtype of `self`, the exponent is int32."""
    assert not is_integral(self[1]) and not is_complex(self[1]), (
        f"aten::frexp.Tensor: self must be floating, got dtype {self[1]}"
    )
    return self[1], torch.int32
