"""Tensors that are made of numbers and sizes, or repeated, in forms that are converted correctly."""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.factories import closed_range_size
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import (
    complex_of,
    imag_of,
    is_covered,
    real_of,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_integral
from torch_refine.abstract_interp_lib.rules.unknown import is_known


# Ranges with their ends. The number of elements is that of the shape function.
def closed_range(
    start: Union[int, float, complex],
    end: Union[int, float, complex],
    dtype: Optional[int],
) -> torch.Tensor:
    """By 1."""
    return closed_range_by(start, end, 1, dtype)


def closed_range_by(
    start: Union[int, float, complex],
    end: Union[int, float, complex],
    step: Union[int, float, complex],
    dtype: Optional[int],
) -> torch.Tensor:
    """In int64 and float64, or the float32 of halves, as kernels accumulate."""
    result = torch.float32 if dtype is None else dtype
    count = closed_range_size(start, end, step, dtype)
    assert is_known(count) and count >= 0, "the number of halves that kernels round to"
    each = torch.arange(count, dtype=torch.int64)
    if is_integral(result):
        return in_dtype(torch.add(torch.mul(each, int(step)), int(start)), result)
    wide = torch.float64
    if result == torch.float16 or result == torch.bfloat16:
        wide = torch.float32
    found = torch.add(torch.mul(in_dtype(each, wide), float(step)), float(start))
    return in_dtype(found, result)


decomposition_family(
    closed_range,
    "aten::range",
    ok=[
        Invocation(-1.5, 2),
        Invocation(0.5, 5.5, dtype=torch.int64),
        Invocation(0, 5, dtype=torch.bfloat16),
    ],
)
decomposition_family(
    closed_range_by,
    "aten::range.step",
    ok=[
        Invocation(0, 1, 0.1),
        Invocation(7, 0, -3, dtype=torch.uint8),
        Invocation(0.5, 10.7, 2.9, dtype=torch.int32),
        Invocation(7, 0, -3, dtype=torch.float16),
    ],
)


def identity(rows: int, columns: int, dtype: Optional[int]) -> torch.Tensor:
    """1 where the index of a row is that of a column."""
    row, column = torch.arange(rows), torch.arange(columns)
    result = torch.float32 if dtype is None else dtype
    return in_dtype(torch.eq(torch.unsqueeze(row, 1), column), result)


def square_identity(n: int, dtype: Optional[int]) -> torch.Tensor:
    """As many rows as columns."""
    return identity(n, n, dtype)


def any_identity(n: int, m: int, dtype: Optional[int]) -> torch.Tensor:
    """Rows and columns of different numbers."""
    return identity(n, m, dtype)


decomposition_family(square_identity, "aten::eye", ok=[Invocation(3)])
decomposition_family(any_identity, "aten::eye.m", ok=[Invocation(2, 3, dtype=torch.int64)])


@decomposition(
    "aten::repeat",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64), [2, 1, 2]),
        Invocation(T(2, 3), [2, 0, 2]),
        Invocation(T(0, 3), [2, 2]),
    ],
)
def repeat(self: torch.Tensor, repeats: List[int]) -> torch.Tensor:
    """Each dimension, behind one of size 1 that is expanded; of complex numbers, the parts."""
    if is_covered(self):
        real = torch.ops.aten.repeat(real_of(self), repeats)
        return complex_of(real, torch.ops.aten.repeat(imag_of(self), repeats))
    apart: List[int] = []
    sizes: List[int] = []
    is_empty = False
    found = self
    for dim in range(len(repeats)):
        place = dim - len(repeats) + self.dim()
        size = self.size(place) if place >= 0 else 1
        apart.append(repeats[dim])
        apart.append(size)
        sizes.append(size * repeats[dim])
        if is_known(sizes[dim]):
            is_empty = is_empty or sizes[dim] == 0
        found = torch.unsqueeze(found, 2 * dim)
        if place < 0:
            found = torch.unsqueeze(found, 2 * dim)
    if is_empty:
        return torch.zeros(sizes, dtype=self.dtype)
    return torch.reshape(found.expand(apart), sizes)
