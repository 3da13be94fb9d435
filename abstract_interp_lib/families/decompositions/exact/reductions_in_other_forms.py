"""Reductions, in forms that are converted correctly.

The conversions extend unsigned integers as signed, or abort at them, and take no tensors of rank 0.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
)
from torch_refine.abstract_interp_lib.rules.decomposing import as_row, has_bytes, in_dtype, of_row
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import (
    complex_of,
    imag_of,
    is_covered,
    is_nonzero,
    real_dtype,
    real_of,
)
from torch_refine.abstract_interp_lib.rules.unknown import is_known

_COMPLEX = Invocation(T(2, 3, dtype=torch.complex64))
_UNSIGNED = Invocation(T(2, 3, dtype=torch.uint8))
_BYTES = Invocation(T(2, 3, dtype=torch.int8))


def as_bools(self: torch.Tensor) -> torch.Tensor:
    """Whether elements are not 0."""
    return self if self.dtype == torch.bool else is_nonzero(self)


def is_wide(self: torch.Tensor, dtype: Optional[int]) -> bool:
    """Whether elements are summed, or multiplied, in int64."""
    return self.dtype == torch.uint8 or (dtype is not None and dtype == torch.uint8)


def in_result_dtype(self: torch.Tensor, dtype: Optional[int]) -> torch.Tensor:
    """A result in the dtype that is asked for."""
    return self if dtype is None else in_dtype(self, dtype)


def every_dim(self: torch.Tensor, dim: Optional[List[int]]) -> List[int]:
    """The dimensions of a reduction; none are all."""
    if dim is not None and len(dim) > 0:
        return dim
    dims: List[int] = []
    for each in range(self.dim()):
        dims.append(each)
    return dims


@decomposition("aten::sum", ok=[_COMPLEX, _UNSIGNED, Invocation(T(3), dtype=torch.bool)])
def sum(self: torch.Tensor, dtype: Optional[int] = None) -> torch.Tensor:
    """Sums of the parts of complex numbers, of unsigned ones in int64, and whether any is true."""
    if dtype is not None and dtype == torch.bool:
        return torch.any(as_bools(self))
    if is_covered(self):
        assert dtype is None or dtype == self.dtype, "converted before"
        return complex_of(torch.sum(real_of(self)), torch.sum(imag_of(self)))
    assert is_wide(self, dtype), "concerns only complex numbers, unsigned ones and bools"
    return in_result_dtype(torch.sum(in_dtype(self, torch.int64)), dtype)


@decomposition(
    "aten::sum.dim_IntList",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64), [1], True),
        Invocation(T(2, 3, dtype=torch.uint8), [0]),
        Invocation(T(2, 3), [-1], dtype=torch.bool),
        Invocation(T(2, 3), None, True, dtype=torch.bool),
    ],
)
def sum_dims(
    self: torch.Tensor,
    dim: Optional[List[int]],
    keepdim: bool = False,
    dtype: Optional[int] = None,
) -> torch.Tensor:
    """Sums of the parts of complex numbers, of unsigned ones in int64, and whether any is true."""
    if dtype is not None and dtype == torch.bool:
        return torch.any(as_bools(self), every_dim(self, dim), keepdim)
    if is_covered(self):
        assert dtype is None or dtype == self.dtype, "converted before"
        real = torch.sum(real_of(self), dim, keepdim)
        return complex_of(real, torch.sum(imag_of(self), dim, keepdim))
    assert is_wide(self, dtype), "concerns only complex numbers, unsigned ones and bools"
    return in_result_dtype(torch.sum(in_dtype(self, torch.int64), dim, keepdim), dtype)


def product_along(self: torch.Tensor, dim: int) -> torch.Tensor:
    """The product along a dimension of known size, which remains with size 1: of halves."""
    size = self.size(dim)
    if size == 0:
        ones = torch.prod(real_of(self), dim, True)
        return complex_of(ones, torch.zeros_like(ones))
    found = self
    while size > 1:
        half = size // 2
        product = torch.mul(
            torch.ops.aten.slice(found, dim, 0, half, 1),
            torch.ops.aten.slice(found, dim, half, 2 * half, 1),
        )
        if size % 2 == 1:
            last = torch.ops.aten.slice(found, dim, size - 1, size, 1)
            found = torch.cat([product, last], dim)
        else:
            found = product
        size = size - half
    return found


@decomposition("aten::prod", ok=[_COMPLEX, _UNSIGNED, Invocation(T(3), dtype=torch.bool)])
def prod(self: torch.Tensor, dtype: Optional[int] = None) -> torch.Tensor:
    """The product of all elements; of unsigned ones in int64, or whether all are true."""
    if dtype is not None and dtype == torch.bool:
        return torch.all(as_bools(self))
    if is_covered(self):
        assert dtype is None or dtype == self.dtype, "the dtype is that of the elements"
        flat = torch.reshape(self, [self.numel()])
        return torch.reshape(product_along(flat, 0), [])
    assert is_wide(self, dtype), "concerns only complex numbers, unsigned ones and bools"
    return in_result_dtype(torch.prod(in_dtype(self, torch.int64)), dtype)


@decomposition(
    "aten::prod.dim_int",
    ok=[
        Invocation(T(2, 5, dtype=torch.complex64), -1, True),
        Invocation(T(2, 5, dtype=torch.uint8), 1),
        Invocation(T(2, 5), 1, dtype=torch.bool),
        Invocation(T(), -1, True),
    ],
)
def prod_of_dim(
    self: torch.Tensor, dim: int, keepdim: bool = False, dtype: Optional[int] = None
) -> torch.Tensor:
    """The product along a dimension; of unsigned numbers in int64, or whether all are true."""
    if dtype is not None and dtype == torch.bool:
        return torch.all(as_bools(self), dim, keepdim)
    if is_covered(self):
        assert dtype is None or dtype == self.dtype, "the dtype is that of the elements"
        if self.dim() == 0:
            return self
        found = product_along(self, dim)
        return found if keepdim else torch.squeeze(found, dim)
    if is_wide(self, dtype):
        wide = as_row(in_dtype(self, torch.int64))
        found = in_result_dtype(torch.prod(wide, dim, keepdim), dtype)
        return torch.reshape(found, []) if self.dim() == 0 else found
    assert self.dim() == 0, (
        "concerns only complex and unsigned numbers, bools and tensors of rank 0"
    )
    return torch.reshape(torch.prod(as_row(self), 0, dtype=dtype), [])


@decomposition("aten::max", ok=[_UNSIGNED, _BYTES])
def max(self: torch.Tensor) -> torch.Tensor:
    """Of integers of 8 bits, in int64."""
    assert has_bytes(self), "concerns only integers of 8 bits"
    return in_dtype(torch.max(in_dtype(self, torch.int64)), self.dtype)


@decomposition("aten::min", ok=[_UNSIGNED, _BYTES])
def min(self: torch.Tensor) -> torch.Tensor:
    """Of integers of 8 bits, in int64."""
    assert has_bytes(self), "concerns only integers of 8 bits"
    return in_dtype(torch.min(in_dtype(self, torch.int64)), self.dtype)


@decomposition("aten::max.dim", ok=[Invocation(T(), -1, True)])
def max_of_dim(
    self: torch.Tensor, dim: int, keepdim: bool = False
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Of a row of one element."""
    assert self.dim() == 0, "concerns only tensors of rank 0"
    found = torch.max(as_row(self), 0)
    return torch.reshape(found.values, []), torch.reshape(found.indices, [])


@decomposition("aten::min.dim", ok=[Invocation(T(), -1, True)])
def min_of_dim(
    self: torch.Tensor, dim: int, keepdim: bool = False
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Of a row of one element."""
    assert self.dim() == 0, "concerns only tensors of rank 0"
    found = torch.min(as_row(self), 0)
    return torch.reshape(found.values, []), torch.reshape(found.indices, [])


@decomposition("aten::any", ok=[_COMPLEX, _UNSIGNED])
def any_of_all(self: torch.Tensor) -> torch.Tensor:
    """Whether a part of an element is not 0; of unsigned integers, 1 or 0."""
    if self.dtype == torch.uint8:
        return in_dtype(torch.any(as_bools(self)), self.dtype)
    assert is_covered(self), "concerns only complex and unsigned numbers"
    return torch.any(as_bools(self))


@decomposition(
    "aten::any.dim",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64), 1, True),
        Invocation(T(2, 3, dtype=torch.uint8), 1),
        Invocation(T(), -1, True),
    ],
)
def any_of_dim(self: torch.Tensor, dim: int, keepdim: bool = False) -> torch.Tensor:
    """Whether a part of an element is not 0; of unsigned integers, 1 or 0."""
    if self.dim() == 0:
        return of_no_dims(self)
    if self.dtype == torch.uint8:
        return in_dtype(torch.any(as_bools(self), dim, keepdim), self.dtype)
    assert is_covered(self), "concerns only complex and unsigned numbers, and tensors of rank 0"
    return torch.any(as_bools(self), dim, keepdim)


def logical_dtype(self: torch.Tensor) -> int:
    """The dtype of a logical reduction: bool, but for bytes."""
    return torch.uint8 if self.dtype == torch.uint8 else torch.bool


def of_no_dims(self: torch.Tensor) -> torch.Tensor:
    """A logical reduction of no dimensions."""
    return in_dtype(as_bools(self), logical_dtype(self))


@decomposition(
    "aten::any.dims",
    ok=[
        Invocation(T(2, 3, dtype=torch.uint8), [1], True),
        Invocation(T(2, 3), []),
        Invocation(T(2, 3, dtype=torch.complex64), [0]),
    ],
)
def any_of_dims(
    self: torch.Tensor, dim: Optional[List[int]] = None, keepdim: bool = False
) -> torch.Tensor:
    """An empty list means no dimensions, not all as in what it is converted to."""
    if dim is not None and len(dim) == 0:
        return of_no_dims(self)
    is_other = self.dtype == torch.uint8 or is_covered(self)
    assert is_other, "concerns only complex and unsigned numbers, and no dimensions"
    return in_dtype(torch.any(as_bools(self), dim, keepdim), logical_dtype(self))


@decomposition("aten::all.dims", ok=[Invocation(T(2, 3), []), Invocation(T(2, 3), [0, -1], True)])
def all_of_dims(
    self: torch.Tensor, dim: Optional[List[int]] = None, keepdim: bool = False
) -> torch.Tensor:
    """Whether none is 0; an empty list means no dimensions."""
    if dim is not None and len(dim) == 0:
        return of_no_dims(self)
    some = torch.any(torch.logical_not(as_bools(self)), every_dim(self, dim), keepdim)
    return in_dtype(torch.logical_not(some), logical_dtype(self))


@decomposition(
    "aten::all.dim",
    ok=[Invocation(T(), -1, True), Invocation(T(2, 3, dtype=torch.complex64), 1)],
)
def all_of_dim(self: torch.Tensor, dim: int, keepdim: bool = False) -> torch.Tensor:
    """Whether none is 0."""
    if self.dim() == 0:
        return of_no_dims(self)
    some = torch.any(torch.logical_not(as_bools(self)), dim, keepdim)
    return in_dtype(torch.logical_not(some), logical_dtype(self))


def sum_of_bytes(dtype: Optional[int]) -> int:
    """The dtype of a sum or product of bytes."""
    return torch.int64 if dtype is None else dtype


def is_of_bytes(self: torch.Tensor, dtype: Optional[int]) -> bool:
    """Whether bytes are added or multiplied, or give bytes, which conversions take for signed."""
    return self.dim() > 0 and (self.dtype == torch.uint8 or sum_of_bytes(dtype) == torch.uint8)


def widened_bytes(self: torch.Tensor, dtype: Optional[int]) -> torch.Tensor:
    """Bytes in a dtype in which they are computed, and of which the lowest bits are the result's."""
    kind = sum_of_bytes(dtype)
    # Other numbers become bytes first.
    return (
        in_dtype(in_dtype(self, kind), torch.int64) if kind == torch.uint8 else in_dtype(self, kind)
    )


@decomposition(
    "aten::cumsum",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64), -1),
        Invocation(T(dtype=torch.complex64), -1),
        Invocation(T(), -1),
        Invocation(T(2, 3, dtype=torch.uint8), 1),
        Invocation(T(2, 3), 0, dtype=torch.uint8),
    ],
)
def cumsum(self: torch.Tensor, dim: int, dtype: Optional[int] = None) -> torch.Tensor:
    """The running sums of the parts of complex numbers, of bytes, or of a row of one element."""
    if is_covered(self):
        assert dtype is None or dtype == self.dtype, "converted before"
        row = as_row(self)
        found = complex_of(torch.cumsum(real_of(row), dim), torch.cumsum(imag_of(row), dim))
        return torch.reshape(found, []) if self.dim() == 0 else found
    if is_of_bytes(self, dtype):
        return in_dtype(torch.cumsum(widened_bytes(self, dtype), dim), sum_of_bytes(dtype))
    assert self.dim() == 0, "concerns only complex numbers, bytes and tensors of rank 0"
    return torch.reshape(torch.cumsum(as_row(self), 0, dtype=dtype), [])


@decomposition(
    "aten::cumprod",
    ok=[
        Invocation(T(2, 3), 1, dtype=torch.float64),
        Invocation(T(dtype=torch.int32), -1),
        Invocation(T(2, 5, dtype=torch.complex64), -1),
        Invocation(T(2, 0, dtype=torch.complex64), 1),
        Invocation(T(dtype=torch.complex64), 0),
        Invocation(T(2, 3), 0, dtype=torch.complex128),
        Invocation(T(2, 3, dtype=torch.uint8), 1),
        Invocation(T(2, 3, dtype=torch.int32), 1, dtype=torch.uint8),
    ],
)
def cumprod(self: torch.Tensor, dim: int, dtype: Optional[int] = None) -> torch.Tensor:
    """Of the elements in the dtype that is asked for, and of a row of one element.

    Complex numbers are multiplied one after the other, as another order has other NaNs, and in
    complex128, as PyTorch's kernel does.
    """
    kind = self.dtype if dtype is None else dtype
    if kind == torch.complex64 or kind == torch.complex128:
        row = in_dtype(as_row(in_dtype(self, kind)), torch.complex128)
        count = row.size(dim)
        assert is_known(count) and count <= 64, "of few complex numbers only, in a known number"
        if count == 0:
            return in_dtype(row, kind)
        last = torch.select(row, dim, 0)
        # The first factor is 1.
        last = torch.mul(
            last, complex_of(torch.ones_like(real_of(last)), torch.zeros_like(real_of(last)))
        )
        found: List[torch.Tensor] = [last]
        for index in range(1, count):
            last = torch.mul(last, torch.select(row, dim, index))
            found.append(last)
        return of_row(in_dtype(torch.stack(found, dim), kind), self)
    if is_of_bytes(self, dtype):
        return in_dtype(torch.cumprod(widened_bytes(self, dtype), dim), sum_of_bytes(dtype))
    if self.dim() == 0:
        return torch.reshape(torch.cumprod(as_row(self), 0, dtype=dtype), [])
    assert dtype is not None, "concerns only results of given dtypes, and tensors of rank 0"
    return in_dtype(torch.cumprod(in_dtype(self, dtype), dim), dtype)


@decomposition(
    "aten::trace",
    ok=[Invocation(T(3, 4)), Invocation(T(0, 4)), Invocation(T(3, 4, dtype=torch.complex64))],
)
def trace(self: torch.Tensor) -> torch.Tensor:
    """The sum of the diagonal; kernels add float32 in float64, also as parts of numbers."""
    if is_covered(self):
        chosen = torch.diagonal(self)
        part = real_dtype(self.dtype)
        real = torch.sum(in_dtype(real_of(chosen), torch.float64))
        imag = torch.sum(in_dtype(imag_of(chosen), torch.float64))
        return complex_of(in_dtype(real, part), in_dtype(imag, part))
    diagonal = torch.diagonal(self)
    if self.dtype == torch.float32:
        return in_dtype(torch.sum(in_dtype(diagonal, torch.float64)), torch.float32)
    return torch.sum(diagonal)
