"""Sums, products, means, variances, norms, and tests of all elements."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.dims import wrap_dims
from torch_refine.abstract_interp_lib.rules.reduction import (
    dim_or_all,
    float_dtype,
    int64_dtype,
    mean_dtype,
    norm_dtype,
    norm_dtype_as,
    norm_dtype_in,
    reduce_all,
    reduce_dim,
    reduce_dims,
    reduce_optional_dims,
    remove_dims,
    sum_dtype,
    truth_dtype,
    variance_and_mean_dtype,
    variance_dtype,
)

_FLOATS = (torch.float16, torch.bfloat16, torch.float64, torch.complex64)
_INTS = (torch.int64, torch.int32, torch.uint8, torch.bool)

_ALL_OK = [Invocation(T(2, 3)), Invocation(T()), Invocation(T(0, 3))]
_ALL_OK_FLOATS = [Invocation(T(2, 3, dtype=dtype)) for dtype in _FLOATS]
_ALL_OK_INTS = [Invocation(T(2, 3, dtype=dtype)) for dtype in _INTS]

_DIM_OK = [
    Invocation(T(2, 3), 1),
    Invocation(T(2, 3), -2, True),
    Invocation(T(2, 3), 0, keepdim=True),
    Invocation(T(), 0),
    Invocation(T(), -1, True),
    Invocation(T(0, 3), 0),
]
_DIM_ERROR = [Invocation(T(2, 3), 2), Invocation(T(2, 3), -3), Invocation(T(), 1)]

_DIMS_OK = [
    Invocation(T(2, 3, 4), [1]),
    Invocation(T(2, 3, 4), [0, -1]),
    Invocation(T(2, 3, 4), [0, -1], keepdim=True),
    Invocation(T(2, 3), [], keepdim=True),
    Invocation(T(2, 3), [1, 0]),
    Invocation(T(), [0]),
    Invocation(T(), [-1], keepdim=True),
    Invocation(T(0, 3), [0]),
]
_DIMS_OPTIONAL_OK = [
    *_DIMS_OK,
    Invocation(T(2, 3), []),
    Invocation(T(2, 3), None),
    Invocation(T(2, 3), None, keepdim=True),
    Invocation(T(), None),
]
_DIMS_OK_FLOATS = [Invocation(T(2, 3, dtype=dtype), [1]) for dtype in _FLOATS]
_DIMS_OK_INTS = [Invocation(T(2, 3, dtype=dtype), [1]) for dtype in _INTS]
_DIMS_ERROR = [
    Invocation(T(2, 3), [2]),
    Invocation(T(2, 3), [0, -2]),
    Invocation(T(), [1]),
]

# Sums and products.

shape_family(
    reduce_all,
    "aten::sum",
    "aten::prod",
    ok=[
        *_ALL_OK,
        *_ALL_OK_FLOATS,
        *_ALL_OK_INTS,
        Invocation(T(2, 3, dtype=torch.bool), dtype=torch.float16),
        Invocation(T(2, 3), dtype=torch.int32),
        Invocation(T(2, 3, dtype=torch.int32), dtype=torch.int32),
        Invocation(T(2, 3, dtype=torch.uint8), dtype=torch.bool),
    ],
)
dtype_family(sum_dtype, "aten::sum", "aten::prod")

shape_family(
    reduce_optional_dims,
    "aten::sum.dim_IntList",
    ok=[
        *_DIMS_OPTIONAL_OK,
        *_DIMS_OK_FLOATS,
        *_DIMS_OK_INTS,
        Invocation(T(2, 3, dtype=torch.bool), [1], dtype=torch.float16),
        Invocation(T(2, 3, dtype=torch.int32), None, dtype=torch.int32),
    ],
    error=_DIMS_ERROR,
)
dtype_family(sum_dtype, "aten::sum.dim_IntList")

shape_family(
    reduce_dim,
    "aten::prod.dim_int",
    ok=[
        *_DIM_OK,
        *[Invocation(T(2, 3, dtype=dtype), 1) for dtype in _FLOATS + _INTS],
        Invocation(T(2, 3, dtype=torch.bool), 0, dtype=torch.float16),
        Invocation(T(2, 3, dtype=torch.int32), 0, True, dtype=torch.int32),
    ],
    error=_DIM_ERROR,
)
dtype_family(sum_dtype, "aten::prod.dim_int")

# The meta kernels reduce over nothing for an empty list of dimensions.
_NAN_OK = [
    *[case for case in _DIMS_OPTIONAL_OK if case.args[1:] != ([],)],
    Invocation(T(2, 3)),
    Invocation(T(2, 3), [], device="cpu"),
    Invocation(T(2, 3), [], True, device="cpu"),
    Invocation(T(2, 3, dtype=torch.float16), [0], dtype=torch.float64),
    *[Invocation(T(2, 3, dtype=dtype), [0]) for dtype in _FLOATS],
]

shape_family(
    reduce_optional_dims,
    "aten::nansum",
    ok=[
        *_NAN_OK,
        *_DIMS_OK_INTS,
        Invocation(T(2, 3, dtype=torch.float16), [0], dtype=torch.int32),
    ],
    error=_DIMS_ERROR,
)
dtype_family(sum_dtype, "aten::nansum")
shape_family(reduce_optional_dims, "aten::nanmean", ok=_NAN_OK, error=_DIMS_ERROR)
dtype_family(mean_dtype, "aten::nanmean", error=[Invocation(T(2, dtype=torch.int64))])


@shape_function(
    "aten::trace",
    ok=[*[Invocation(T(2, 3, dtype=dtype)) for dtype in _FLOATS + _INTS], Invocation(T(0, 3))],
    error=[Invocation(T(3)), Invocation(T(2, 3, 4))],
)
def trace(self: List[int]) -> List[int]:
    """The sum of the diagonal of a matrix."""
    assert len(self) == 2, f"aten::trace: self must be a matrix, got {len(self)} dimensions"
    return reduce_all(self)


def trace_dtype(self: Tuple[int, int]) -> int:
    """As of a sum."""
    return sum_dtype(self, None)


dtype_family(trace_dtype, "aten::trace")

# Means, variances, standard deviations.

shape_family(
    reduce_all,
    "aten::mean",
    ok=[
        *_ALL_OK,
        *_ALL_OK_FLOATS,
        Invocation(T(2, 3, dtype=torch.int64), dtype=torch.float32),
        Invocation(T(2, 3, dtype=torch.bool), dtype=torch.float16),
        Invocation(T(2, 3), dtype=torch.complex64),
    ],
)
dtype_family(
    mean_dtype,
    "aten::mean",
    error=[
        Invocation(T(2, 3, dtype=torch.int64)),
        Invocation(T(2, 3, dtype=torch.bool)),
        Invocation(T(2, 3), dtype=torch.int64),
    ],
)
shape_family(
    reduce_optional_dims,
    "aten::mean.dim",
    ok=[
        *_DIMS_OPTIONAL_OK,
        *_DIMS_OK_FLOATS,
        Invocation(T(2, 3, dtype=torch.int64), [1], dtype=torch.float32),
        Invocation(T(2, 3, dtype=torch.bool), None, dtype=torch.float16),
    ],
    error=_DIMS_ERROR,
)
dtype_family(
    mean_dtype,
    "aten::mean.dim",
    error=[
        Invocation(T(2, 3, dtype=torch.int64), [1]),
        Invocation(T(2, 3), [1], dtype=torch.int64),
    ],
)

_VARIANCES = ["aten::var", "aten::std"]
_VARIANCES_DIM = ["aten::var.dim", "aten::std.dim"]
_VARIANCES_CORRECTION = ["aten::var.correction", "aten::std.correction"]
_CORRECTION_OK = [
    *_DIMS_OPTIONAL_OK,
    *_DIMS_OK_FLOATS,
    Invocation(T(2, 3)),
    Invocation(T(2, 3), correction=0),
    Invocation(T(2, 3), [1], correction=0.5, keepdim=True),
]

shape_family(reduce_all, *_VARIANCES, ok=[*_ALL_OK, *_ALL_OK_FLOATS, Invocation(T(2), False)])
shape_family(
    reduce_optional_dims,
    *_VARIANCES_DIM,
    ok=[*_DIMS_OPTIONAL_OK, *_DIMS_OK_FLOATS, Invocation(T(2, 3), [0], False, True)],
    error=_DIMS_ERROR,
)
shape_family(reduce_optional_dims, *_VARIANCES_CORRECTION, ok=_CORRECTION_OK, error=_DIMS_ERROR)
# The meta kernels take integers.
_VARIANCE_ERROR = [
    Invocation(T(2, 3, dtype=torch.int64), device="cpu"),
    Invocation(T(2, 3, dtype=torch.bool), device="cpu"),
]
_VARIANCE_DIM_ERROR = [Invocation(T(2, 3, dtype=torch.int64), [1], device="cpu")]
dtype_family(variance_dtype, *_VARIANCES, *_VARIANCES_CORRECTION, error=_VARIANCE_ERROR)
dtype_family(variance_dtype, *_VARIANCES_DIM, error=_VARIANCE_DIM_ERROR)


def reduce_all_twice(self: List[int]) -> Tuple[List[int], List[int]]:
    """Two reductions to zero-dim tensors."""
    return reduce_all(self), reduce_all(self)


def reduce_dims_twice(
    self: List[int], dim: Optional[List[int]], keepdim: bool
) -> Tuple[List[int], List[int]]:
    """Two reductions over the same dimensions."""
    out = reduce_optional_dims(self, dim, keepdim)
    return out, out


_PAIRS = ["aten::var_mean", "aten::std_mean"]
_PAIRS_DIM = ["aten::var_mean.dim", "aten::std_mean.dim"]
_PAIRS_CORRECTION = ["aten::var_mean.correction", "aten::std_mean.correction"]

shape_family(reduce_all_twice, *_PAIRS, ok=[*_ALL_OK, *_ALL_OK_FLOATS, Invocation(T(2), False)])
shape_family(
    reduce_dims_twice,
    *_PAIRS_DIM,
    ok=[*_DIMS_OPTIONAL_OK, *_DIMS_OK_FLOATS, Invocation(T(2, 3), [0], False, True)],
    error=_DIMS_ERROR,
)
shape_family(reduce_dims_twice, *_PAIRS_CORRECTION, ok=_CORRECTION_OK, error=_DIMS_ERROR)
dtype_family(variance_and_mean_dtype, *_PAIRS, *_PAIRS_CORRECTION, error=_VARIANCE_ERROR)
dtype_family(variance_and_mean_dtype, *_PAIRS_DIM, error=_VARIANCE_DIM_ERROR)

# Norms.

_LOGSUMEXPS = ["aten::logsumexp", "aten::special_logsumexp"]

shape_family(
    reduce_dims,
    *_LOGSUMEXPS,
    ok=[*_DIMS_OK, *_DIMS_OK_FLOATS, *_DIMS_OK_INTS],
    error=_DIMS_ERROR,
)
dtype_family(float_dtype, *_LOGSUMEXPS)

shape_family(
    reduce_all,
    "aten::norm.Scalar",
    ok=[*_ALL_OK, *_ALL_OK_FLOATS, Invocation(T(2, 3), 1.5)],
)
dtype_family(
    norm_dtype,
    "aten::norm.Scalar",
    error=[Invocation(T(2, 3, dtype=dtype)) for dtype in (torch.int64, torch.bool)],
)

shape_family(
    reduce_dims,
    "aten::norm.ScalarOpt_dim",
    ok=[
        Invocation(T(2, 3, 4), 2, [0, -1]),
        Invocation(T(2, 3, 4), None, [1], True),
        Invocation(T(2, 3), 1, []),
        Invocation(T(), 2, [0]),
        Invocation(T(0, 3), 2, [0]),
        *[Invocation(T(2, 3, dtype=dtype), 2, [1]) for dtype in _FLOATS],
    ],
    error=[Invocation(T(2, 3), 2, [2]), Invocation(T(2, 3), 2, [0, -2])],
)
dtype_family(
    norm_dtype,
    "aten::norm.ScalarOpt_dim",
    error=[Invocation(T(2, 3, dtype=torch.int64), 2, [1])],
)

# The CPU kernels take no complex tensors together with a dtype.
shape_family(
    reduce_all,
    "aten::norm.ScalarOpt_dtype",
    ok=[
        Invocation(T(2, 3), 2, dtype=torch.float64),
        Invocation(T(dtype=torch.float16), None, dtype=torch.float32),
        Invocation(T(2, 3, dtype=torch.bfloat16), 1, dtype=torch.bfloat16),
        Invocation(T(2, 3, dtype=torch.complex64), 2, dtype=torch.complex128),
    ],
)
dtype_family(
    norm_dtype_as,
    "aten::norm.ScalarOpt_dtype",
    error=[
        Invocation(T(2, 3), 2, dtype=torch.complex64),
        Invocation(T(2, 3, dtype=torch.complex64), 2, dtype=torch.float32),
        Invocation(T(2, 3, dtype=torch.int64), 2, dtype=torch.float32),
    ],
)
shape_family(
    reduce_dims,
    "aten::norm.ScalarOpt_dim_dtype",
    ok=[
        Invocation(T(2, 3), 2, [0], False, dtype=torch.float64),
        Invocation(T(2, 3, dtype=torch.float16), None, [], True, dtype=torch.float32),
        Invocation(T(2, 3, dtype=torch.bfloat16), 1, [-1], True, dtype=torch.bfloat16),
        Invocation(T(2, 3, dtype=torch.complex64), 2, [0], False, dtype=torch.complex128),
    ],
    error=[Invocation(T(2, 3), 2, [2], False, dtype=torch.float64)],
)
dtype_family(
    norm_dtype_as,
    "aten::norm.ScalarOpt_dim_dtype",
    error=[Invocation(T(2, 3), 2, [0], False, dtype=torch.complex64)],
)

shape_family(
    reduce_optional_dims,
    "aten::linalg_vector_norm",
    ok=[
        Invocation(T(2, 3)),
        Invocation(T(2, 3, 4), 1, [0, -1]),
        Invocation(T(2, 3, 4), 0.5, [1], True),
        Invocation(T(2, 3), 2, [], True),
        Invocation(T(2, 3), 2, None, True),
        Invocation(T(), 2, [0]),
        Invocation(T(0, 3)),
        Invocation(T(2, 3, dtype=torch.float16), dtype=torch.float32),
        Invocation(T(2, 3, dtype=torch.complex64), dtype=torch.complex128),
        *_ALL_OK_FLOATS,
    ],
    error=[Invocation(T(2, 3), 2, [2]), Invocation(T(2, 3), 2, [0, -2])],
)
dtype_family(
    norm_dtype_in,
    "aten::linalg_vector_norm",
    error=[
        Invocation(T(2, 3, dtype=torch.int64)),
        Invocation(T(2, 3), dtype=torch.complex64),
        Invocation(T(2, 3, dtype=torch.int64), dtype=torch.float32),
    ],
)

# Tests and counts.

shape_family(reduce_all, "aten::any", "aten::all", ok=[*_ALL_OK, *_ALL_OK_FLOATS, *_ALL_OK_INTS])
shape_family(
    reduce_dim,
    "aten::any.dim",
    "aten::all.dim",
    ok=[*_DIM_OK, *[Invocation(T(2, 3, dtype=dtype), 1) for dtype in _FLOATS + _INTS]],
    error=_DIM_ERROR,
)


def truth_dims_rule(self: List[int], dim: Optional[List[int]], keepdim: bool) -> List[int]:
    """Reduces over all dimensions for None, but over none of them for an empty list."""
    if dim is None:
        return reduce_optional_dims(self, None, keepdim)
    else:
        return remove_dims(self, wrap_dims(dim, len(self)), keepdim)


shape_family(
    truth_dims_rule,
    "aten::any.dims",
    "aten::all.dims",
    ok=[
        *_DIMS_OPTIONAL_OK,
        *_DIMS_OK_FLOATS,
        *_DIMS_OK_INTS,
        Invocation(T(2, 3)),
        Invocation(T(2, 3, dtype=torch.uint8), []),
        Invocation(T(), [], True),
    ],
    error=_DIMS_ERROR,
)
dtype_family(
    truth_dtype,
    "aten::any",
    "aten::all",
    "aten::any.dim",
    "aten::all.dim",
    "aten::any.dims",
    "aten::all.dims",
)


def count_nonzero_rule(self: List[int], dim: Optional[int]) -> List[int]:
    """Counts along one dimension, or all elements for None."""
    return remove_dims(self, dim_or_all(dim, len(self)), False)


def count_nonzero_dims_rule(self: List[int], dim: List[int]) -> List[int]:
    """Counts along the dimensions named, or all elements for an empty list."""
    return reduce_dims(self, dim, False)


shape_family(
    count_nonzero_rule,
    "aten::count_nonzero",
    ok=[
        *_ALL_OK,
        *_ALL_OK_FLOATS,
        *_ALL_OK_INTS,
        Invocation(T(2, 3), 1),
        Invocation(T(2, 3), -2),
        Invocation(T(), 0),
    ],
    error=[Invocation(T(2, 3), 2)],
)
shape_family(
    count_nonzero_dims_rule,
    "aten::count_nonzero.dim_IntList",
    ok=[
        Invocation(T(2, 3, 4), [0, -1]),
        Invocation(T(2, 3), []),
        Invocation(T(), [0]),
        *_DIMS_OK_FLOATS,
        *_DIMS_OK_INTS,
    ],
    error=_DIMS_ERROR,
)
dtype_family(int64_dtype, "aten::count_nonzero", "aten::count_nonzero.dim_IntList")
