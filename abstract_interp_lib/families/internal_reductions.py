"""Reductions and scans beside the public ones: `_aminmax`, `_logcumsumexp`, `hash_tensor`."""

from functools import partial
from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.families.extrema import (
    both_dtype_of_self,
    extremum_and_index_rule,
    extremum_dims_rule,
    extremum_rule,
)
from torch_refine.abstract_interp_lib.families.scans import scan_rule
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_INTS = (torch.int64, torch.uint8, torch.bool)
# Only `hash_tensor` has a meta kernel.
_on_cpu = partial(Invocation, device="cpu")


def extrema_of_all_rule(self: List[int]) -> Tuple[List[int], List[int]]:
    """The least and the greatest of all elements."""
    return extremum_rule(self), extremum_rule(self)


shape_family(
    extrema_of_all_rule,
    "aten::_aminmax",
    ok=[_on_cpu(T()), *[_on_cpu(T(2, 3, dtype=dtype)) for dtype in (*_FLOATS, *_INTS)]],
    error=[_on_cpu(T(0, 3))],
)
shape_family(
    extremum_and_index_rule,
    "aten::_aminmax.dim",
    ok=[
        _on_cpu(T(2, 3), 1),
        _on_cpu(T(2, 3), -2, True),
        _on_cpu(T(), 0),
        _on_cpu(T(0, 3), 1),
        *[_on_cpu(T(2, 3, dtype=dtype), 1) for dtype in (*_FLOATS, *_INTS)],
    ],
    error=[_on_cpu(T(2, 3), 2), _on_cpu(T(0, 3), 0)],
)
dtype_family(both_dtype_of_self, "aten::_aminmax", "aten::_aminmax.dim")

shape_family(
    scan_rule,
    "aten::_logcumsumexp",
    ok=[
        _on_cpu(T(2, 3), -1),
        _on_cpu(T(), 0),
        _on_cpu(T(0, 3), 0),
        *[_on_cpu(T(2, 3, dtype=dtype), 1) for dtype in (*_FLOATS, torch.complex64)],
    ],
    error=[_on_cpu(T(2, 3), 2)],
)
dtype_family(dtype_of_self, "aten::_logcumsumexp")


def hash_dtype() -> int:
    """A hash has 64 bits."""
    return torch.uint64


shape_family(
    extremum_dims_rule,
    "aten::hash_tensor",
    ok=[
        Invocation(T(2, 3)),
        Invocation(T(2, 3), keepdim=True),
        Invocation(T(2, 3), [0]),
        Invocation(T(2, 3, 4), [0, -1], keepdim=True),
        Invocation(T()),
        Invocation(T(0, 3), [1]),
        *[Invocation(T(2, dtype=dtype)) for dtype in (*_FLOATS, *_INTS)],
    ],
    error=[
        Invocation(T(2, 3), [2]),
        Invocation(T(2, 3), [0, 0]),
        Invocation(T(0, 3)),
        Invocation(T(0, 3), [0]),
    ],
)
dtype_family(hash_dtype, "aten::hash_tensor")
