"""Histograms: `histc`, `histogram`, `histogramdd`, `bincount`."""

from functools import partial
from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.promotion import check_number
from torch_refine.abstract_interp_lib.rules.sizes import product
from torch_refine.abstract_interp_lib.rules.unknown import may_be_empty, unknown_size

_DOUBLE = torch.float64


def check_bins(bins: int) -> None:
    """Raise unless the number of bins is positive."""
    assert bins > 0, f"the number of bins must be positive, got {bins}"


def histc_rule(bins: int) -> List[int]:
    """One count per bin."""
    check_bins(bins)
    return [bins]


shape_family(
    histc_rule,
    "aten::histc",
    ok=[
        Invocation(T(2, 3)),
        Invocation(T(2, 3), 4),
        Invocation(T(), 4, -1, 2.5),
        Invocation(T(0), 4),
        *[Invocation(T(5, dtype=dtype), 4) for dtype in (_DOUBLE, torch.float16, torch.bfloat16)],
        # Only CUDA supports integers.
        Invocation(T(5, dtype=torch.int64), 4),
    ],
    error=[Invocation(T(2, 3), 0), Invocation(T(2, 3), -1)],
)


def histc_dtype(
    self: Tuple[int, int],
    min: Union[int, float, complex],
    max: Union[int, float, complex],
) -> int:
    """The dtype of `self`, to which the ends are cast."""
    check_number(min, self[1])
    check_number(max, self[1])
    return self[1]


dtype_family(
    histc_dtype,
    "aten::histc",
    error=[
        Invocation(T(2, dtype=torch.float16), 4, -1e5, device="cpu"),
        Invocation(T(2, dtype=torch.float16), 4, -1, 1e5, device="cpu"),
    ],
)

# The other histograms have no meta kernels.
_on_cpu = partial(Invocation, device="cpu")


def both_dtypes(self: int, weight: Optional[Tuple[int, int]]) -> int:
    """The dtype of `self`, which the weights also have."""
    if weight is not None:
        assert weight[1] == self, f"dtypes must match, got {self} and {weight[1]}"
    return self


def check_range(range: Optional[List[float]], dims: int) -> None:
    """Raise unless a range has two bounds per dimension."""
    if range is not None:
        assert len(range) == 2 * dims, f"range must have {2 * dims} entries, got {len(range)}"


def check_weights(self: List[int], weight: Optional[List[int]]) -> None:
    """Raise unless the weight has the shape of `self`."""
    if weight is not None:
        assert product(weight) == product(self), f"weight must have shape {self}, got {weight}"


def histogram_rule(
    self: List[int], bins: int, range: Optional[List[float]], weight: Optional[List[int]]
) -> Tuple[List[int], List[int]]:
    """The histogram and the bin edges."""
    check_bins(bins)
    check_range(range, 1)
    check_weights(self, weight)
    return [bins], [bins + 1]


def histogram_edges_rule(
    self: List[int], bins: List[int], weight: Optional[List[int]]
) -> Tuple[List[int], List[int]]:
    """The histogram, and the given bin edges."""
    assert len(bins) == 1, f"bins must be 1-D, got shape {bins}"
    check_bins(bins[0] - 1)
    check_weights(self, weight)
    return [bins[0] - 1], bins


def histogram_dtype(self: Tuple[int, int], weight: Optional[Tuple[int, int]]) -> Tuple[int, int]:
    """The dtype of `self`."""
    return both_dtypes(self[1], weight), self[1]


def histogram_edges_dtype(
    self: Tuple[int, int], bins: Tuple[int, int], weight: Optional[Tuple[int, int]]
) -> Tuple[int, int]:
    """The dtype of `self`, which the edges also have."""
    return both_dtypes(self[1], bins), both_dtypes(self[1], weight)


shape_family(
    histogram_rule,
    "aten::histogram.bin_ct",
    ok=[
        _on_cpu(T(2, 3)),
        _on_cpu(T(), 4),
        _on_cpu(T(0), 4),
        _on_cpu(T(2, 3), 4, range=[0.0, 2.0], density=True),
        _on_cpu(T(2, 3), 4, weight=T(3, 2)),
        _on_cpu(T(3, dtype=_DOUBLE), 4, weight=T(3, dtype=_DOUBLE)),
    ],
    error=[
        _on_cpu(T(2, 3), 0),
        _on_cpu(T(2, 3), 4, range=[1.0]),
        _on_cpu(T(2, 3), 4, weight=T(5)),
    ],
)
dtype_family(
    histogram_dtype,
    "aten::histogram.bin_ct",
    error=[_on_cpu(T(3), 4, weight=T(3, dtype=_DOUBLE))],
)
shape_family(
    histogram_edges_rule,
    "aten::histogram.bins_tensor",
    ok=[
        _on_cpu(T(2, 3), T(4)),
        _on_cpu(T(), T(2)),
        _on_cpu(T(2, 3), T(4), weight=T(6), density=True),
        _on_cpu(T(3, dtype=_DOUBLE), T(4, dtype=_DOUBLE)),
    ],
    error=[
        _on_cpu(T(3), T()),
        _on_cpu(T(3), T(2, 2)),
        _on_cpu(T(3), T(1)),
        _on_cpu(T(3), T(0)),
        _on_cpu(T(3), T(4), weight=T(2)),
    ],
)
dtype_family(
    histogram_edges_dtype,
    "aten::histogram.bins_tensor",
    error=[
        _on_cpu(T(3), T(4, dtype=_DOUBLE)),
        _on_cpu(T(3), T(4), weight=T(3, dtype=_DOUBLE)),
    ],
)


def points_dim(self: List[int]) -> int:
    """The number of coordinates per point: the last size."""
    assert len(self) >= 2, f"self must have at least 2 dimensions, got shape {self}"
    return self[-1]


def check_point_weights(self: List[int], weight: Optional[List[int]]) -> None:
    """Raise unless there is one weight per point; a 0-dim weight counts as 1-D."""
    if weight is not None:
        check_same(weight if len(weight) > 0 else [1], self[:-1], "weight")


def bin_edges_rule(
    self: List[int], bins: List[int], range: Optional[List[float]]
) -> List[List[int]]:
    """The bin edges of each dimension."""
    dims = points_dim(self)
    assert len(bins) == dims, f"bins must have {dims} entries, got {bins}"
    check_range(range, dims)
    return [[count + 1] for count in bins]


def grid_rule(
    self: List[int],
    bins: List[int],
    range: Optional[List[float]],
    weight: Optional[List[int]],
) -> List[int]:
    """One count per bin of the grid."""
    bin_edges_rule(self, bins, range)
    for count in bins:
        check_bins(count)
    check_point_weights(self, weight)
    return bins[:]


def edges_grid_rule(
    self: List[int], bins: List[List[int]], weight: Optional[List[int]]
) -> List[int]:
    """One count per bin between the edges of the grid."""
    dims = points_dim(self)
    assert len(bins) == dims, f"bins must have {dims} entries, got {len(bins)}"
    out: List[int] = []
    for edges in bins:
        assert len(edges) == 1, f"bin edges must be 1-D, got shape {edges}"
        check_bins(edges[0] - 1)
        out.append(edges[0] - 1)
    check_point_weights(self, weight)
    return out


def histogramdd_rule(
    self: List[int],
    bins: List[int],
    range: Optional[List[float]],
    weight: Optional[List[int]],
) -> Tuple[List[int], List[List[int]]]:
    """The histogram, and the bin edges of each dimension."""
    return grid_rule(self, bins, range, weight), bin_edges_rule(self, bins, range)


def histogramdd_one_rule(
    self: List[int],
    bins: int,
    range: Optional[List[float]],
    weight: Optional[List[int]],
) -> Tuple[List[int], List[List[int]]]:
    """The same number of bins in each dimension."""
    return histogramdd_rule(self, [bins] * points_dim(self), range, weight)


def histogramdd_edges_rule(
    self: List[int], bins: List[List[int]], weight: Optional[List[int]]
) -> Tuple[List[int], List[List[int]]]:
    """The histogram, and the given bin edges."""
    return edges_grid_rule(self, bins, weight), bins


def edges_dtype(self: Tuple[int, int]) -> List[int]:
    """The dtype of `self`, for all dimensions."""
    return [self[1]]


def grid_dtype(self: Tuple[int, int], weight: Optional[Tuple[int, int]]) -> int:
    """The dtype of `self`, which the weights also have."""
    return both_dtypes(self[1], weight)


def edges_grid_dtype(
    self: Tuple[int, int], bins: List[Tuple[int, int]], weight: Optional[Tuple[int, int]]
) -> int:
    """The dtype of `self`, which edges and weights also have."""
    for edges in bins:
        both_dtypes(self[1], edges)
    return both_dtypes(self[1], weight)


def histogramdd_dtype(
    self: Tuple[int, int], bins: List[int], weight: Optional[Tuple[int, int]]
) -> Tuple[int, List[int]]:
    """The dtype of `self`, for histogram and edges."""
    return grid_dtype(self, weight), [self[1]] * len(bins)


def histogramdd_one_dtype(
    self: Tuple[int, int], weight: Optional[Tuple[int, int]]
) -> Tuple[int, List[int]]:
    """The dtype of `self`, for histogram and edges, one dtype for any number of dimensions."""
    return grid_dtype(self, weight), [self[1]]


def histogramdd_edges_dtype(
    self: Tuple[int, int], bins: List[Tuple[int, int]], weight: Optional[Tuple[int, int]]
) -> Tuple[int, List[int]]:
    """The dtype of `self`, for histogram and edges."""
    return edges_grid_dtype(self, bins, weight), [self[1]] * len(bins)


_EDGES_OK = [
    _on_cpu(T(5, 2), [3, 4]),
    _on_cpu(T(5, 6, 2), [3, 4], range=[0.0, 1.0, 0.0, 2.0], weight=T(5, 6)),
    _on_cpu(T(5, 2, dtype=_DOUBLE), [3, 4]),
    _on_cpu(T(1, 2), [3, 4], weight=T()),
    _on_cpu(T(5, 0), []),
    _on_cpu(T(0, 2), [3, 4]),
]
_EDGES_ERROR = [
    _on_cpu(T(5), [3]),
    _on_cpu(T(5, 2), [3]),
    _on_cpu(T(5, 2), [3, 4], range=[0.0, 1.0]),
]
_GRID_ERROR = [
    *_EDGES_ERROR,
    _on_cpu(T(5, 2), [3, 0]),
    _on_cpu(T(5, 6, 2), [3, 4], weight=T(30)),
]
_WEIGHT_ERROR = [_on_cpu(T(5, 2), [3, 4], weight=T(5, dtype=_DOUBLE))]
_GRID_EDGES_OK = [
    _on_cpu(T(5, 2), [T(3), T(4)]),
    _on_cpu(T(5, 6, 2), [T(3), T(4)], weight=T(5, 6), density=True),
    _on_cpu(T(5, 2, dtype=_DOUBLE), [T(3, dtype=_DOUBLE), T(4, dtype=_DOUBLE)]),
    _on_cpu(T(5, 0), []),
]
_GRID_EDGES_ERROR = [
    _on_cpu(T(5), [T(3)]),
    _on_cpu(T(5, 2), [T(3)]),
    _on_cpu(T(5, 2), [T(3), T(2, 2)]),
    _on_cpu(T(5, 2), [T(3), T(1)]),
    _on_cpu(T(5, 2), [T(3), T(4)], weight=T(2)),
]
_GRID_EDGES_DTYPE_ERROR = [
    _on_cpu(T(5, 2), [T(3), T(4, dtype=_DOUBLE)]),
    _on_cpu(T(5, 2), [T(3), T(4)], weight=T(5, dtype=_DOUBLE)),
]
shape_family(
    bin_edges_rule,
    "aten::_histogramdd_bin_edges",
    ok=[*_EDGES_OK[:4], _on_cpu(T(5, 2), [3, 0])],
    error=_EDGES_ERROR,
)
dtype_family(edges_dtype, "aten::_histogramdd_bin_edges")
shape_family(grid_rule, "aten::_histogramdd_from_bin_cts", ok=_EDGES_OK, error=_GRID_ERROR)
dtype_family(grid_dtype, "aten::_histogramdd_from_bin_cts", error=_WEIGHT_ERROR)
shape_family(
    edges_grid_rule,
    "aten::_histogramdd_from_bin_tensors",
    ok=_GRID_EDGES_OK,
    error=_GRID_EDGES_ERROR,
)
dtype_family(edges_grid_dtype, "aten::_histogramdd_from_bin_tensors", error=_GRID_EDGES_DTYPE_ERROR)
shape_family(histogramdd_rule, "aten::histogramdd", ok=_EDGES_OK, error=_GRID_ERROR)
shape_family(
    histogramdd_one_rule,
    "aten::histogramdd.int_bins",
    ok=[
        _on_cpu(T(5, 1), 3),
        _on_cpu(T(5, 6, 1), 3, [0.0, 1.0], T(5, 6), True),
        _on_cpu(T(5, 1, dtype=_DOUBLE), 3),
    ],
    error=[_on_cpu(T(5), 3), _on_cpu(T(5, 2), 0), _on_cpu(T(5, 2), 3, [0.0, 1.0])],
)
dtype_family(histogramdd_dtype, "aten::histogramdd", error=_WEIGHT_ERROR)
dtype_family(
    histogramdd_one_dtype,
    "aten::histogramdd.int_bins",
    error=[_on_cpu(T(5, 2), 3, weight=T(5, dtype=_DOUBLE))],
)
shape_family(
    histogramdd_edges_rule,
    "aten::histogramdd.TensorList_bins",
    ok=[*_GRID_EDGES_OK, _on_cpu(T(5, 2), [T(3), T(4)], [0.0])],
    error=_GRID_EDGES_ERROR,
)
dtype_family(
    histogramdd_edges_dtype, "aten::histogramdd.TensorList_bins", error=_GRID_EDGES_DTYPE_ERROR
)


_COUNTED = T(5, dtype=torch.int64)


@shape_function(
    "aten::bincount",
    ok=[
        _on_cpu(_COUNTED),
        _on_cpu(T(5, dtype=torch.uint8)),
        _on_cpu(_COUNTED, None, 7),
        _on_cpu(_COUNTED, T(5)),
        _on_cpu(T(0, dtype=torch.int64), minlength=3),
    ],
    error=[
        _on_cpu(T(dtype=torch.int64)),
        _on_cpu(T(2, 2, dtype=torch.int64)),
        _on_cpu(_COUNTED, T(4)),
        _on_cpu(_COUNTED, T(5, 1)),
        _on_cpu(_COUNTED, minlength=-1),
    ],
)
def bincount(self: List[int], weights: Optional[List[int]] = None, minlength: int = 0) -> List[int]:
    """One count per integer up to the maximum, which is data-dependent."""
    assert len(self) == 1, f"aten::bincount: self must be 1-D, got shape {self}"
    assert minlength >= 0, f"aten::bincount: minlength must not be negative, got {minlength}"
    if weights is not None:
        assert self[0] == 0 or (len(weights) == 1 and weights[0] == self[0]), (
            f"aten::bincount: weights must have {self[0]} elements, got {weights}"
        )
    return [unknown_size()]


@dtype_function(
    "aten::bincount",
    ok=[
        _on_cpu(_COUNTED, T(5, dtype=dtype))
        for dtype in (_DOUBLE, torch.float16, torch.int64, torch.bool)
    ],
)
def bincount_dtype(
    self: Tuple[int, int], weights: Optional[Tuple[int, int]] = None, minlength: int = 0
) -> int:
    """float32 for float32 weights, else float64.

    Without weights, or for an empty input, int64.
    """
    if weights is None or may_be_empty():
        return torch.int64
    else:
        return torch.float32 if weights[1] == torch.float32 else torch.float64
