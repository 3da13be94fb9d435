"""Extrema, medians and modes, and their indices: `max`, `amax`, `argmax`, `median`, `_aminmax`."""

from functools import partial
from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.reduction import (
    check_not_empty,
    dim_or_all,
    dims_or_all,
    dtype_and_index,
    int64_dtype,
    reduce_all,
    remove_dims,
)

_DTYPES = (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.int32, torch.uint8)
# The CPU has no arg, median or quantile kernels for bool.
_DTYPES_BOOL = (*_DTYPES, torch.bool)

# The meta kernels accept most empty tensors; hence the error cases on the CPU.


def extremum_rule(self: List[int]) -> List[int]:
    """A 0-dim tensor; the input must not be empty."""
    assert 0 not in self, f"self must not be empty, got shape {self}"
    return reduce_all(self)


def reduce_nonempty_dim(self: List[int], dim: int, keepdim: bool) -> List[int]:
    """Reduces one dimension, which must not be empty."""
    dims = [wrap_dim(dim, len(self))]
    check_not_empty(self, dims)
    return remove_dims(self, dims, keepdim)


def extremum_and_index_rule(
    self: List[int], dim: int, keepdim: bool
) -> Tuple[List[int], List[int]]:
    """The extremum along a dimension, and its index."""
    out = reduce_nonempty_dim(self, dim, keepdim)
    return out, out


def extremum_dims_rule(self: List[int], dim: List[int], keepdim: bool) -> List[int]:
    """The extremum over the given dimensions, or over all of them for an empty list."""
    dims = dims_or_all(dim, len(self))
    check_not_empty(self, dims)
    return remove_dims(self, dims, keepdim)


def extremum_index_rule(self: List[int], dim: Optional[int], keepdim: bool) -> List[int]:
    """The index of an extremum along a dimension, or in the flattened tensor for None."""
    dims = dim_or_all(dim, len(self))
    check_not_empty(self, dims)
    return remove_dims(self, dims, keepdim)


def extrema_rule(self: List[int], dim: Optional[int], keepdim: bool) -> Tuple[List[int], List[int]]:
    """Minimum and maximum along a dimension, or of all elements for None."""
    out = extremum_index_rule(self, dim, keepdim)
    return out, out


def both_dtype_of_self(self: Tuple[int, int]) -> Tuple[int, int]:
    """Both results have the dtype of `self`."""
    return self[1], self[1]


shape_family(
    extremum_rule,
    "aten::max",
    "aten::min",
    ok=[
        Invocation(T(2, 3)),
        Invocation(T()),
        *[Invocation(T(2, 3, dtype=dtype)) for dtype in _DTYPES_BOOL],
    ],
    error=[Invocation(T(0, 3), device="cpu")],
)
dtype_family(dtype_of_self, "aten::max", "aten::min")

_MEDIANS = ["aten::median", "aten::nanmedian"]

shape_family(
    reduce_all,
    *_MEDIANS,
    ok=[
        Invocation(T(2, 3)),
        Invocation(T()),
        Invocation(T(0)),
        *[Invocation(T(2, 3, dtype=dtype)) for dtype in _DTYPES],
    ],
)
dtype_family(dtype_of_self, *_MEDIANS)

_DIM_OK = [
    Invocation(T(2, 3), 1),
    Invocation(T(2, 3), -2, True),
    Invocation(T(2, 3), 0, keepdim=True),
    Invocation(T(), 0),
    Invocation(T(), -1, True),
    Invocation(T(0, 3), 1),
    *[Invocation(T(2, 3, dtype=dtype), 1) for dtype in _DTYPES],
]
_DIM_ERROR = [Invocation(T(2, 3), 2), Invocation(T(0, 3), 0, device="cpu")]

_EXTREMA_DIM = ["aten::max.dim", "aten::min.dim", "aten::mode"]
_MEDIANS_DIM = ["aten::median.dim", "aten::nanmedian.dim"]

shape_family(
    extremum_and_index_rule,
    *_EXTREMA_DIM,
    ok=[*_DIM_OK, Invocation(T(2, 3, dtype=torch.bool), 1)],
    error=_DIM_ERROR,
)
shape_family(extremum_and_index_rule, *_MEDIANS_DIM, ok=_DIM_OK, error=_DIM_ERROR)
dtype_family(dtype_and_index, *_EXTREMA_DIM, *_MEDIANS_DIM)

shape_family(
    extremum_dims_rule,
    "aten::amax",
    "aten::amin",
    ok=[
        Invocation(T(2, 3)),
        Invocation(T(2, 3), [], True),
        Invocation(T(2, 3, 4), [0, -1]),
        Invocation(T(2, 3, 4), [0, -1], True),
        Invocation(T(), []),
        Invocation(T(), [0], True),
        Invocation(T(0, 3), [1]),
        *[Invocation(T(2, 3, dtype=dtype), [1]) for dtype in _DTYPES_BOOL],
    ],
    error=[
        Invocation(T(2, 3), [2]),
        Invocation(T(2, 3), [0, -2]),
        Invocation(T(0, 3), [0]),
        Invocation(T(0, 3)),
    ],
)
dtype_family(dtype_of_self, "aten::amax", "aten::amin")

_INDEX_OK = [
    Invocation(T(2, 3)),
    Invocation(T(2, 3), None, True),
    Invocation(T(2, 3), 1),
    Invocation(T(2, 3), -2, True),
    Invocation(T()),
    Invocation(T(), 0, True),
    Invocation(T(0, 3), 1),
    *[Invocation(T(2, 3, dtype=dtype), 1) for dtype in _DTYPES],
]
_INDEX_ERROR = [Invocation(T(2, 3), 2), Invocation(T(0, 3), 0), Invocation(T(0, 3))]

shape_family(extremum_index_rule, "aten::argmax", "aten::argmin", ok=_INDEX_OK, error=_INDEX_ERROR)
dtype_family(int64_dtype, "aten::argmax", "aten::argmin")

shape_family(
    extrema_rule,
    "aten::aminmax",
    ok=[
        Invocation(T(2, 3)),
        Invocation(T(2, 3), keepdim=True),
        Invocation(T(2, 3), dim=1),
        Invocation(T(2, 3), dim=-2, keepdim=True),
        Invocation(T(), dim=0, keepdim=True),
        Invocation(T(0, 3), dim=1),
        *[Invocation(T(2, 3, dtype=dtype)) for dtype in _DTYPES_BOOL],
    ],
    error=[
        Invocation(T(2, 3), dim=2),
        Invocation(T(0, 3), dim=0),
        Invocation(T(0, 3)),
    ],
)
dtype_family(both_dtype_of_self, "aten::aminmax")


# Internal reductions: `_aminmax`, `hash_tensor`.

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_INTS = (torch.int64, torch.uint8, torch.bool)
# Only `hash_tensor` has a meta kernel.
_on_cpu = partial(Invocation, device="cpu")


def extrema_of_all_rule(self: List[int]) -> Tuple[List[int], List[int]]:
    """Minimum and maximum of all elements."""
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


def hash_dtype() -> int:
    """A hash is uint64."""
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
