"""Indices along a dimension, computed by other operators."""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    along,
    as_element,
    as_row,
    filled,
    in_dtype,
    may_be_element,
    of_row,
)
from torch_refine.abstract_interp_lib.rules.formulas.diagonals import with_diagonal
from torch_refine.abstract_interp_lib.rules.formulas.indexed_dims import from_front
from torch_refine.abstract_interp_lib.rules.normalization import is_half
from torch_refine.abstract_interp_lib.rules.promotion import greatest_integer, is_integral

_PLACES = T(3, dtype=torch.int64, values=[2, 0, 2])


def nonnegative(index: torch.Tensor) -> torch.Tensor:
    """Indices in a row; a negative one, which kernels reject, is out of bounds of any tensor."""
    row = in_dtype(as_row(index), torch.int64)
    none = torch.full([], 1 << 62, dtype=torch.int64)
    return torch.where(torch.lt(row, 0), none, row)


@decomposition("aten::index_add")
def index_add(
    self: torch.Tensor,
    dim: int,
    index: torch.Tensor,
    source: torch.Tensor,
    alpha: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """Slices are added to those at the indices; bools are combined by `or`."""
    is_right = may_be_element(alpha, self.dtype)
    assert is_right, "kernels reject a factor that the dtype does not have"
    row, given = as_row(self), as_row(source)
    places = along(index, given, dim)
    if self.dtype == torch.bool:
        # `bool` of a number drops its fraction in TorchScript.
        wide = torch.mul(in_dtype(given, torch.int64), 1 if alpha != 0 else 0)
        found = torch.scatter_add(in_dtype(row, torch.int64), dim, places, wide)
        return of_row(torch.ne(found, 0), self)
    if is_integral(self.dtype):
        alpha = int(alpha)
    added = given if alpha == 1 else torch.mul(given, alpha)
    # Halves are rounded once.
    sums = torch.float32 if is_half(self.dtype) else self.dtype
    before, added = in_dtype(row, sums), in_dtype(added, sums)
    if dim == 0:
        found = torch.index_put(before, [nonnegative(index)], added, True)
    else:
        found = torch.scatter_add(before, dim, places, added)
    return of_row(in_dtype(found, self.dtype), self)


@decomposition("aten::index_copy")
def index_copy(
    self: torch.Tensor, dim: int, index: torch.Tensor, source: torch.Tensor
) -> torch.Tensor:
    """Slices replace those at the indices."""
    row, given = as_row(self), as_row(source)
    if dim == 0:
        return of_row(torch.index_put(row, [nonnegative(index)], given), self)
    return of_row(torch.scatter(row, dim, along(index, given, dim), given), self)


@decomposition("aten::index_fill.int_Scalar")
def index_fill_scalar(
    self: torch.Tensor, dim: int, index: torch.Tensor, value: Union[int, float, complex]
) -> torch.Tensor:
    """A number replaces the slices at the indices."""
    row = as_row(self)
    if dim == 0:
        places = from_front(in_dtype(as_row(index), torch.int64), row.size(0))
        number = torch.full([], value, dtype=self.dtype)
        return of_row(torch.index_put(row, [places], number), self)
    return of_row(torch.scatter(row, dim, filled(row, dim, index), value), self)


@decomposition("aten::index_fill.int_Tensor")
def index_fill_tensor(
    self: torch.Tensor, dim: int, index: torch.Tensor, value: torch.Tensor
) -> torch.Tensor:
    """A scalar tensor replaces the slices at the indices."""
    row = as_row(self)
    if dim == 0:
        places = from_front(in_dtype(as_row(index), torch.int64), row.size(0))
        return of_row(torch.index_put(row, [places], as_element(value, self.dtype)), self)
    places = filled(row, dim, index)
    given = as_element(value, self.dtype).expand(places.size())
    return of_row(torch.scatter(row, dim, places, given), self)


@decomposition("aten::isin.Tensor_Tensor")
def isin(
    elements: torch.Tensor,
    test_elements: torch.Tensor,
    assume_unique: bool = False,
    invert: bool = False,
) -> torch.Tensor:
    """Each element is compared with all tests."""
    tests = torch.reshape(test_elements, [test_elements.numel()])
    found = torch.any(torch.eq(torch.unsqueeze(elements, -1), tests), -1)
    return torch.logical_not(found) if invert else found


@decomposition("aten::take")
def take(self: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    """Elements by their index in the flat tensor; negative ones count from the end."""
    count = self.numel()
    flat = torch.reshape(in_dtype(index, torch.int64), [index.numel()])
    flat = torch.where(torch.lt(flat, 0), torch.add(flat, count), flat)
    found = torch.gather(torch.reshape(self, [count]), 0, flat)
    return torch.reshape(found, index.size())


@decomposition("aten::take_along_dim")
def take_along_dim(
    self: torch.Tensor, indices: torch.Tensor, dim: Optional[int] = None
) -> torch.Tensor:
    """`gather` of operands that broadcast in the other dimensions; indices wrap around."""
    if dim is None:
        count = self.numel()
        flat = torch.remainder(torch.reshape(indices, [indices.numel()]), count)
        return torch.gather(torch.reshape(self, [count]), 0, flat)
    along_dim = dim + self.dim() if dim < 0 else dim
    from_sizes: List[int] = []
    at_sizes: List[int] = []
    for place in range(self.dim()):
        if place == along_dim:
            from_sizes.append(self.size(place))
            at_sizes.append(indices.size(place))
        else:
            size = indices.size(place) if self.size(place) == 1 else self.size(place)
            from_sizes.append(size)
            at_sizes.append(size)
    places = torch.remainder(indices, self.size(along_dim))
    return torch.gather(self.expand(from_sizes), along_dim, places.expand(at_sizes))


@decomposition("aten::scatter.reduce")
def scatter_reduce(
    self: torch.Tensor, dim: int, index: torch.Tensor, src: torch.Tensor, reduce: str
) -> torch.Tensor:
    """Sums or products of the elements that an index comes with."""
    assert reduce == "add" or reduce == "multiply", "PyTorch rejects others"
    by = "sum" if reduce == "add" else "prod"
    return torch.ops.aten.scatter_reduce(self, dim, index, src, by)


@decomposition("aten::scatter.value_reduce")
def scatter_value_reduce(
    self: torch.Tensor,
    dim: int,
    index: torch.Tensor,
    value: Union[int, float, complex],
    reduce: str,
) -> torch.Tensor:
    """Sums or products with a number, once for each time that an index occurs."""
    assert reduce == "add" or reduce == "multiply", "PyTorch rejects others"
    by = "sum" if reduce == "add" else "prod"
    given = torch.full_like(index, value, dtype=self.dtype)
    return torch.ops.aten.scatter_reduce(self, dim, index, given, by)


def without_effect(dtype: int, reduce: str) -> torch.Tensor:
    """The element that changes no other one in a reduction."""
    if reduce == "mean":
        return torch.full([], 0, dtype=dtype)
    if reduce == "prod":
        return torch.full([], 1, dtype=dtype)
    largest = greatest_integer(dtype)
    if largest > 0:
        return torch.full([], -largest - 1 if reduce == "amax" else largest, dtype=dtype)
    return torch.full([], -float("inf") if reduce == "amax" else float("inf"), dtype=dtype)


def reduced_elements(
    self: torch.Tensor,
    dim: int,
    index: torch.Tensor,
    source: torch.Tensor,
    reduce: str,
    include_self: bool,
) -> torch.Tensor:
    """Reductions of the slices that an index comes with, one element at a time."""
    row, given = as_row(self), as_row(source)
    places = along(index, given, dim)
    found = torch.ops.aten.scatter_reduce(
        row, dim, places, given, reduce, include_self=include_self
    )
    return of_row(found, self)


@decomposition(
    "aten::index_reduce",
    ok=[
        Invocation(T(4, 3), 0, _PLACES, T(3, 3), "mean"),
        Invocation(T(4, 3), 0, _PLACES, T(3, 3), "mean", include_self=False),
        Invocation(T(2, 4, 3), 1, _PLACES, T(2, 3, 3), "amin", include_self=False),
        Invocation(T(2, 4, 3), -2, _PLACES, T(2, 3, 3), "prod"),
        Invocation(
            T(4, dtype=torch.int64), 0, _PLACES, T(3, dtype=torch.int64), "amax", include_self=False
        ),
        Invocation(T(4, dtype=torch.int8), 0, _PLACES, T(3, dtype=torch.int8), "amin"),
    ],
)
def index_reduce(
    self: torch.Tensor,
    dim: int,
    index: torch.Tensor,
    source: torch.Tensor,
    reduce: str,
    include_self: bool = True,
) -> torch.Tensor:
    """Reductions of the slices that an index comes with, as those of dimension 0.

    Products and extremes that include the slices which are there have a lowering.
    """
    assert reduce != "mean" or not is_integral(self.dtype), "PyTorch rounds down"
    if self.dtype not in [torch.float32, torch.float64, torch.int32, torch.int64]:
        return reduced_elements(self, dim, index, source, reduce, include_self)
    is_plain = dim == 0 and self.dim() > 0 and include_self and reduce != "mean"
    is_row = index.dim() == 1 and index.dtype == torch.int64
    assert not is_plain or not is_row, "it has a lowering"
    row, given = as_row(self), as_row(source)
    row, given = torch.transpose(row, 0, dim), torch.transpose(given, 0, dim)
    places = nonnegative(index)
    ones: List[int] = [row.size(0)]
    for _ in range(row.dim() - 1):
        ones.append(1)
    counts = torch.zeros([row.size(0)], dtype=torch.int64)
    if reduce == "mean" or not include_self:
        counts = torch.index_put(counts, [places], torch.full([], 1, dtype=torch.int64), True)
    counts = torch.reshape(counts, ones)
    if not include_self:
        row = torch.where(torch.gt(counts, 0), without_effect(self.dtype, reduce), row)
    if reduce == "mean":
        total = torch.index_put(row, [places], given, True)
        divisor = torch.add(counts, 1) if include_self else torch.clamp_min(counts, 1)
        found = torch.div(total, in_dtype(divisor, self.dtype))
    else:
        found = torch.ops.aten.index_reduce(row, 0, places, given, reduce)
    return of_row(torch.transpose(found, 0, dim), self)


@decomposition("aten::put")
def put(
    self: torch.Tensor, index: torch.Tensor, source: torch.Tensor, accumulate: bool = False
) -> torch.Tensor:
    """Writes to places that count through all elements; negative ones count from the end."""
    count = self.numel()
    flat = torch.reshape(self, [count])
    places = torch.reshape(in_dtype(index, torch.int64), [index.numel()])
    places = torch.where(torch.lt(places, 0), torch.add(places, count), places)
    given = torch.reshape(source, [source.numel()])
    if accumulate:
        return torch.reshape(torch.scatter_add(flat, 0, places, given), self.size())
    return torch.reshape(torch.scatter(flat, 0, places, given), self.size())


@decomposition("aten::diagonal_scatter")
def diagonal_scatter(
    self: torch.Tensor, src: torch.Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> torch.Tensor:
    """Another diagonal of matrices."""
    rank = self.dim()
    dim1 = dim1 + rank if dim1 < 0 else dim1
    dim2 = dim2 + rank if dim2 < 0 else dim2
    order: List[int] = []
    for dim in range(rank):
        if dim != dim1 and dim != dim2:
            order.append(dim)
    order.append(dim1)
    order.append(dim2)
    back: List[int] = []
    for dim in range(rank):
        for place in range(rank):
            if order[place] == dim:
                back.append(place)
    moved = torch.permute(self, order)
    return torch.permute(with_diagonal(moved, in_dtype(src, self.dtype), offset), back)
