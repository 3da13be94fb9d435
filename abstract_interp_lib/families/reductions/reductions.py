"""Sums, products, means, variances, norms, any and all; sums to a size, segment reductions."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.dims import wrap_dim, wrap_dims
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.promotion import bool_to_int
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
from torch_refine.abstract_interp_lib.rules.sizes import replace_size, view_sizes
from torch_refine.abstract_interp_lib.rules.unknown import either_dtype, unknown_sizes

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

# For an empty list of dimensions the meta kernels reduce none.
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
    """The dtype of `sum`."""
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
# The meta kernels accept integers.
_VARIANCE_ERROR = [
    Invocation(T(2, 3, dtype=torch.int64), device="cpu"),
    Invocation(T(2, 3, dtype=torch.bool), device="cpu"),
]
_VARIANCE_DIM_ERROR = [Invocation(T(2, 3, dtype=torch.int64), [1], device="cpu")]
dtype_family(variance_dtype, *_VARIANCES, *_VARIANCES_CORRECTION, error=_VARIANCE_ERROR)
dtype_family(variance_dtype, *_VARIANCES_DIM, error=_VARIANCE_DIM_ERROR)


def reduce_all_twice(self: List[int]) -> Tuple[List[int], List[int]]:
    """Two reductions to 0-dim tensors."""
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

# The CPU kernels reject complex tensors together with a dtype.
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
    """Reduces over all dimensions for None, but over none for an empty list."""
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
    """Counts along one dimension, or over all elements for None."""
    return remove_dims(self, dim_or_all(dim, len(self)), False)


def count_nonzero_dims_rule(self: List[int], dim: List[int]) -> List[int]:
    """Counts over the given dimensions, or over all elements for an empty list."""
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


# Sums that reverse broadcasting: `sum_to_size`, `_grad_sum_to_size`.


def sum_to_size_rule(self: List[int], size: List[int]) -> List[int]:
    """The argument `size`, which must expand to the shape of `self`."""
    check_expands(size, self)
    return size


def summed_sizes(self: List[int], size: List[int]) -> List[int]:
    """Leading dimensions are removed; others are reduced to 1 where `size` is 1.

    If `size` has more dimensions, PyTorch reads out of bounds.
    """
    new = len(self) - len(size)
    if new < 0:
        return unknown_sizes()
    else:
        kept = [1 if size[index] == 1 else self[new + index] for index in range(len(size))]
        return view_sizes(kept, size) if new > 0 else kept


def grad_sum_to_size_rule(self: List[int], size: Optional[List[int]]) -> List[int]:
    """The argument `size`, or the shape of `self` if it is None."""
    if size is None:
        return self
    else:
        return summed_sizes(self, size)


def summed_dtype(self: int, rank: int, size: List[int]) -> int:
    """The dtype of `self`, or int64 if integers or bool are summed.

    If `size` has the rank of `self` and contains a 1, only the sizes of `self` tell whether there
    is a sum.
    """
    if len(size) < rank or len(size) == 0:
        return bool_to_int(self)
    elif 1 in size or len(size) > rank:
        return either_dtype(bool_to_int(self), self)
    else:
        return self


def sum_to_size_dtype(self: Tuple[int, int], size: List[int]) -> int:
    """Sums of integers and bool are int64."""
    return summed_dtype(self[1], self[0], size)


def grad_sum_to_size_dtype(self: Tuple[int, int], size: Optional[List[int]]) -> int:
    """Sums of integers and bool are int64."""
    if size is None:
        return self[1]
    else:
        return summed_dtype(self[1], self[0], size)


_INTEGERS = (torch.int64, torch.int32, torch.uint8, torch.bool)
_OK = [
    Invocation(T(2, 3, 4), [3, 1]),
    Invocation(T(2, 3), [2, 3]),
    Invocation(T(2, 3), [1, 3]),
    Invocation(T(2, 3), []),
    Invocation(T(), []),
    Invocation(T(0, 3), [1, 3]),
    Invocation(T(2, 0), [0]),
    *[Invocation(T(2, 3, dtype=dtype), [1, 3]) for dtype in (*_FLOATS, *_INTEGERS)],
    *[Invocation(T(2, 3, dtype=dtype), [3]) for dtype in (*_FLOATS, *_INTEGERS)],
    *[Invocation(T(2, 3, dtype=dtype), [2, 3]) for dtype in (*_FLOATS, *_INTEGERS)],
    *[Invocation(T(dtype=dtype), []) for dtype in (*_FLOATS, *_INTEGERS)],
]

shape_family(
    sum_to_size_rule,
    "aten::sum_to_size",
    ok=_OK,
    error=[
        Invocation(T(2, 3), [2, 4]),
        Invocation(T(2, 3), [2]),
        Invocation(T(3), [1, 3]),
    ],
)
dtype_family(sum_to_size_dtype, "aten::sum_to_size")
shape_family(
    grad_sum_to_size_rule,
    "aten::_grad_sum_to_size",
    ok=[*_OK, Invocation(T(2, 3), None), Invocation(T(2, dtype=torch.bool), None)],
    error=[Invocation(T(2, 3), [4])],
)
dtype_family(grad_sum_to_size_dtype, "aten::_grad_sum_to_size")


# Segment reductions: `segment_reduce` and its gradient.

_SEGMENT_FLOATS = (torch.float16, torch.bfloat16, torch.float64)


def check_segments(segments: List[int], data: List[int], axis: int, name: str) -> None:
    """Raise unless the last dimension of `segments` is `axis`, which is non-negative."""
    assert len(segments) <= len(data), (
        f"{name} {segments} must not have more dimensions than {data}"
    )
    assert axis == len(segments) - 1, (
        f"axis must be the last dimension of {name}, got {axis} and shape {segments}"
    )


def segment_reduce_rule(
    data: List[int], lengths: Optional[List[int]], offsets: Optional[List[int]], axis: int
) -> List[int]:
    """One entry per segment; offsets hold both ends of segments and override lengths."""
    at = wrap_dim(axis, len(data))
    segments = -1
    if lengths is not None:
        check_segments(lengths, data, at, "lengths")
        segments = lengths[at]
    if offsets is not None:
        check_segments(offsets, data, at, "offsets")
        segments = offsets[at] - 1
        assert segments >= 0, f"offsets must not be empty, got shape {offsets}"
    assert lengths is not None or offsets is not None, (
        f"one of lengths and offsets must be given, got {lengths} and {offsets}"
    )
    return replace_size(data, at, segments)


def segment_gradient_rule(
    data: List[int], lengths: Optional[List[int]], offsets: Optional[List[int]]
) -> List[int]:
    """The shape of the data."""
    assert lengths is not None or offsets is not None, (
        f"one of lengths and offsets must be given, got {lengths} and {offsets}"
    )
    return data


def dtype_of_data(data: Tuple[int, int]) -> int:
    """The dtype of the data."""
    return data[1]


def dtype_of_gradient(grad: Tuple[int, int]) -> int:
    """The dtype of the gradient."""
    return grad[1]


_LENGTHS = T(2, dtype=torch.int64, values=[2, 3])
_OFFSETS = T(3, dtype=torch.int64, values=[0, 2, 5])
_ROWS = T(2, 2, dtype=torch.int64, values=[2, 3, 1, 4])
shape_family(
    segment_reduce_rule,
    "aten::segment_reduce",
    ok=[
        Invocation(T(5), "sum", lengths=_LENGTHS),
        Invocation(T(5, 4), "max", lengths=_LENGTHS, unsafe=True),
        Invocation(T(2, 5), "sum", lengths=_ROWS, axis=1),
        Invocation(T(2, 5, 3), "mean", lengths=_ROWS, axis=1, initial=0.5),
        Invocation(T(2, 5), "min", lengths=_ROWS, axis=-1),
        Invocation(T(5), "prod", offsets=_OFFSETS),
        Invocation(T(5), "sum", offsets=T(1, dtype=torch.int64, values=[5])),
        Invocation(T(0), "sum", lengths=T(2, dtype=torch.int64, values=[0, 0])),
        # In the meta kernel, lengths take precedence.
        Invocation(
            T(5),
            "sum",
            lengths=T(1, dtype=torch.int64, values=[5]),
            offsets=_OFFSETS,
            device="cpu",
        ),
        *[Invocation(T(5, dtype=dtype), "sum", lengths=_LENGTHS) for dtype in _SEGMENT_FLOATS],
    ],
    error=[
        Invocation(T(5), "sum"),
        Invocation(T(2, 5), "sum", lengths=_LENGTHS, axis=1),
        Invocation(T(), "sum", lengths=T(1, dtype=torch.int64)),
        Invocation(T(5), "sum", lengths=T(dtype=torch.int64, values=[5])),
        Invocation(T(5), "sum", offsets=T(dtype=torch.int64, values=[5])),
        Invocation(T(5), "sum", offsets=T(0, dtype=torch.int64)),
    ],
)
dtype_family(dtype_of_data, "aten::segment_reduce")
shape_family(
    segment_gradient_rule,
    "aten::_segment_reduce_backward",
    ok=[
        Invocation(T(2), T(2), T(5), "sum", lengths=_LENGTHS),
        Invocation(T(2), T(2), T(5), "max", offsets=_OFFSETS),
        Invocation(T(2, 2), T(2, 2), T(2, 5), "sum", lengths=_ROWS, axis=1),
        *[
            Invocation(
                *[T(2, dtype=dtype), T(2, dtype=dtype), T(5, dtype=dtype)],
                "sum",
                lengths=_LENGTHS,
            )
            for dtype in _SEGMENT_FLOATS
        ],
    ],
    error=[Invocation(T(2), T(2), T(5), "sum")],
)
dtype_family(dtype_of_gradient, "aten::_segment_reduce_backward")
