"""Dual numbers of forward-mode differentiation, taken apart."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_function,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.unknown import unknown_dtype


@shape_function(
    "aten::_unpack_dual",
    ok=[
        Invocation(T(2, 3), 0),
        Invocation(T(dtype=torch.float16), 0),
        Invocation(T(2, dtype=torch.int64), 0),
        Invocation(T(2, dtype=torch.bool), 0),
    ],
)
def _unpack_dual(dual: List[int], level: int) -> Tuple[List[int], List[int]]:
    """The value, and its tangent, where there is one; both have one shape."""
    return dual, list(dual)


@dtype_function("aten::_unpack_dual")
def _unpack_dual_dtype(dual: Tuple[int, int], level: int) -> Tuple[int, int]:
    """The dtype of the value; the tangent may have been given another."""
    return dual[1], unknown_dtype()
