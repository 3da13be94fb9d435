"""Operators that sort, select, gather and scatter, in forms that are converted correctly.

The conversions take no tensors of rank 0, compare unsigned integers and bools as signed ones, add bools as
integers of one bit, and abort at negative dimensions.
"""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    along,
    as_row,
    in_dtype,
    is_ordered_otherwise,
    may_be_element,
    of_row,
    ordered_row,
)
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import (
    complex_of,
    imag_of,
    is_covered,
    real_dtype,
    real_of,
)
from torch_refine.abstract_interp_lib.rules.normalization import is_half
from torch_refine.abstract_interp_lib.rules.promotion import (
    greatest_integer,
    is_integral,
    is_unsigned,
)
from torch_refine.abstract_interp_lib.rules.unknown import is_known

_PLACES = T(2, 2, dtype=torch.int64, values=[2, 0, 1, 0])
_PLACE = T(1, dtype=torch.int64, values=[0])
_LONE_PLACE = T(dtype=torch.int64, values=[0])


@decomposition(
    "aten::sort",
    ok=[
        Invocation(T(2, 3, dtype=torch.uint8), 0, True),
        Invocation(T(4, dtype=torch.bool)),
        Invocation(T()),
    ],
)
def sort(
    self: torch.Tensor, dim: int = -1, descending: bool = False
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Of unsigned integers in int32, and of a row of one element."""
    assert is_ordered_otherwise(self), "concerns only unsigned integers, bools and rank 0"
    found = torch.sort(ordered_row(self), dim, descending)
    return of_row(in_dtype(found.values, self.dtype), self), of_row(found.indices, self)


@decomposition("aten::sort.stable", ok=[Invocation(T(2, 3), stable=True, dim=0)])
def sort_stable(
    self: torch.Tensor, stable: Optional[bool], dim: int = -1, descending: bool = False
) -> Tuple[torch.Tensor, torch.Tensor]:
    """All sorts are stable."""
    found = torch.sort(self, dim, descending)
    return found.values, found.indices


@decomposition("aten::flip", ok=[Invocation(T(), [])])
def flip(self: torch.Tensor, dims: List[int]) -> torch.Tensor:
    """A tensor of rank 0 has one order."""
    assert self.dim() == 0, "concerns only tensors of rank 0"
    return torch.clone(self)


@decomposition("aten::nonzero", ok=[Invocation(T(values=[1]), device="cpu")])
def nonzero(self: torch.Tensor) -> torch.Tensor:
    """Of a tensor of rank 0, one row without indices, or none."""
    assert self.dim() == 0, "concerns only tensors of rank 0"
    return torch.ops.aten.slice(torch.nonzero(as_row(self)), 1, 0, 0)


@decomposition(
    "aten::index_select",
    ok=[Invocation(T(1, 3), 0, _PLACE, device="cpu"), Invocation(T(), 0, _PLACE, device="cpu")],
)
def index_select(self: torch.Tensor, dim: int, index: torch.Tensor) -> torch.Tensor:
    """One slice of one: as it is its own result, folds would drop the index unchecked."""
    if self.dim() == 0:
        row = as_row(self)
        return torch.reshape(torch.gather(row, 0, along(index, row, 0)), [])
    count = index.numel()
    is_single = is_known(count) and count == 1 and is_known(self.size(dim)) and self.size(dim) == 1
    assert is_single, "concerns only single slices"
    return torch.gather(self, dim, along(index, self, dim))


def row_dim(dim: int, rank: int) -> int:
    """A dimension that is not negative, of a row for a tensor of rank 0."""
    if rank == 0:
        return 0
    return dim + rank if dim < 0 else dim


@decomposition(
    "aten::gather",
    ok=[
        Invocation(T(2, 3), -1, _PLACES, device="cpu"),
        Invocation(T(), -1, _PLACE, device="cpu"),
        Invocation(T(2), 0, _LONE_PLACE, device="cpu"),
    ],
)
def gather(
    self: torch.Tensor, dim: int, index: torch.Tensor, sparse_grad: bool = False
) -> torch.Tensor:
    """From a row, or along a dimension that is not negative."""
    is_lone = self.dim() == 0 or index.dim() == 0
    assert is_lone or dim < 0, "concerns only tensors of rank 0 and negative dimensions"
    found = torch.gather(as_row(self), row_dim(dim, self.dim()), as_row(index))
    # A gathered result has the rank of its indices.
    return of_row(found, index)


_SOURCES = [
    Invocation(
        T(2, 3, dtype=torch.complex64), 1, _PLACES, T(2, 2, dtype=torch.complex64), device="cpu"
    ),
    Invocation(T(2, 3), -1, _PLACES, T(2, 2), device="cpu"),
    Invocation(T(dtype=torch.complex64), -1, _LONE_PLACE, T(dtype=torch.complex64), device="cpu"),
    Invocation(T(), -1, _LONE_PLACE, T(), device="cpu"),
    Invocation(T(2, 3, dtype=torch.bool), 1, _PLACES, T(2, 2, dtype=torch.bool), device="cpu"),
]
_SHORT_SOURCE = Invocation(
    T(2, 3, dtype=torch.bfloat16), 1, _PLACES, T(2, 2, dtype=torch.bfloat16), device="cpu"
)


@decomposition("aten::scatter.src", ok=_SOURCES)
def scatter(self: torch.Tensor, dim: int, index: torch.Tensor, src: torch.Tensor) -> torch.Tensor:
    """To a row, along a dimension that is not negative, or the parts of complex numbers."""
    place, row, places, written = row_dim(dim, self.dim()), as_row(self), as_row(index), as_row(src)
    if is_covered(self):
        real = torch.scatter(real_of(row), place, places, real_of(written))
        imag = torch.scatter(imag_of(row), place, places, imag_of(written))
        return of_row(complex_of(real, imag), self)
    is_lone = self.dim() == 0 or dim < 0
    assert is_lone, "concerns only complex numbers, tensors of rank 0 and negative dimensions"
    return of_row(torch.scatter(row, place, places, written), self)


@decomposition(
    "aten::scatter.value",
    ok=[
        Invocation(T(2, 3), -1, _PLACES, 2.5, device="cpu"),
        Invocation(T(), 0, _LONE_PLACE, 2, device="cpu"),
        Invocation(T(2, 3, dtype=torch.complex64), 1, _PLACES, 2.5, device="cpu"),
    ],
)
def scatter_number(
    self: torch.Tensor, dim: int, index: torch.Tensor, value: Union[int, float, complex]
) -> torch.Tensor:
    """To a row, along a dimension that is not negative, or the parts of complex numbers."""
    is_right = may_be_element(value, self.dtype)
    assert is_right, "kernels reject a number that the dtype does not have"
    place, row, places = row_dim(dim, self.dim()), as_row(self), as_row(index)
    if is_covered(self):
        written = torch.full(places.size(), value, dtype=real_dtype(self.dtype))
        real = torch.scatter(real_of(row), place, places, written)
        imag = torch.scatter(imag_of(row), place, places, torch.zeros_like(written))
        return of_row(complex_of(real, imag), self)
    written = torch.full(places.size(), value, dtype=self.dtype)
    return of_row(torch.scatter(row, place, places, written), self)


@decomposition("aten::scatter_add", ok=[*_SOURCES, _SHORT_SOURCE])
def scatter_add(
    self: torch.Tensor, dim: int, index: torch.Tensor, src: torch.Tensor
) -> torch.Tensor:
    """To a row, along a dimension that is not negative, or the parts of complex numbers."""
    place, row, places, written = row_dim(dim, self.dim()), as_row(self), as_row(index), as_row(src)
    if self.dtype == torch.bool:
        # One is true if any of those added is.
        wide = in_dtype(row, torch.int64)
        found = torch.scatter_add(wide, place, places, in_dtype(written, torch.int64))
        return of_row(in_dtype(found, torch.bool), self)
    if is_half(self.dtype):
        # PyTorch's kernels round the sums, and not each addition.
        wide = in_dtype(row, torch.float32)
        found = torch.scatter_add(wide, place, places, in_dtype(written, torch.float32))
        return of_row(in_dtype(found, self.dtype), self)
    if is_covered(self):
        real = torch.scatter_add(real_of(row), place, places, real_of(written))
        imag = torch.scatter_add(imag_of(row), place, places, imag_of(written))
        return of_row(complex_of(real, imag), self)
    is_lone = self.dim() == 0 or dim < 0
    assert is_lone, "concerns only complex and short numbers, rank 0 and negative dimensions"
    return of_row(torch.scatter_add(row, place, places, written), self)


def neutral(reduce: str, dtype: int, sizes: List[int]) -> torch.Tensor:
    """Elements that a sum, a product or an extreme does not change with."""
    if reduce == "sum":
        return torch.zeros(sizes, dtype=dtype)
    if reduce == "prod":
        return torch.ones(sizes, dtype=dtype)
    if not is_integral(dtype):
        return torch.full(sizes, -float("inf") if reduce == "amax" else float("inf"), dtype=dtype)
    number = greatest_integer(dtype)
    if reduce == "amax":
        number = 0 if is_unsigned(dtype) else -number - 1
    return torch.full(sizes, number, dtype=dtype)


@decomposition(
    "aten::scatter_reduce.two",
    ok=[
        *[
            Invocation(
                *(T(3, 3, dtype=dtype), 0, _PLACES, T(2, 2, dtype=dtype), kind),
                include_self=False,
                device="cpu",
            )
            for dtype in (torch.uint8, torch.int8, torch.int64, torch.float32)
            for kind in ("sum", "prod", "amax", "amin")
        ],
        Invocation(T(2, 3), -1, _PLACES, T(2, 2), "sum", device="cpu"),
        Invocation(T(), -1, _LONE_PLACE, T(), "amax", include_self=False, device="cpu"),
        Invocation(
            T(2, 3, dtype=torch.complex64),
            1,
            _PLACES,
            T(2, 2, dtype=torch.complex64),
            "sum",
            include_self=False,
            device="cpu",
        ),
        Invocation(
            T(2, 3, dtype=torch.float16),
            1,
            _PLACES,
            T(2, 2, dtype=torch.float16),
            "mean",
            device="cpu",
        ),
    ],
)
def scatter_reduce(
    self: torch.Tensor,
    dim: int,
    index: torch.Tensor,
    src: torch.Tensor,
    reduce: str,
    include_self: bool = True,
) -> torch.Tensor:
    """To a row, along a dimension that is not negative; of halves in f32, of complex numbers' parts.

    Elements that do not count themselves are replaced first by what does not change a result.
    """
    place = row_dim(dim, self.dim())
    row, places, written = as_row(self), as_row(index), as_row(src)
    is_replaced = not include_self and reduce != "mean"
    wide = self.dtype
    if self.dtype == torch.bool:
        wide = torch.int64
    elif is_half(self.dtype) and reduce in ["sum", "mean", "prod"]:
        wide = torch.float32
    if is_covered(self):
        assert reduce == "sum", "of complex numbers, only sums are those of the parts"
        real = torch.scatter_reduce(
            real_of(row), place, places, real_of(written), reduce, include_self=include_self
        )
        imag = torch.scatter_reduce(
            imag_of(row), place, places, imag_of(written), reduce, include_self=include_self
        )
        return of_row(complex_of(real, imag), self)
    is_lone = self.dim() == 0 or dim < 0
    concerned = is_lone or is_replaced or wide != self.dtype
    assert concerned, "concerns only complex and short numbers, rank 0 and negative dimensions"
    row, written = in_dtype(row, wide), in_dtype(written, wide)
    if is_replaced:
        row = torch.scatter(row, place, places, neutral(reduce, wide, places.size()))
        include_self = True
    found = torch.scatter_reduce(row, place, places, written, reduce, include_self=include_self)
    return of_row(in_dtype(found, self.dtype), self)
