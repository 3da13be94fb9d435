"""Running maxima and minima, as logarithmically many steps over a whole dimension."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import as_row, in_dtype, of_row
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def is_of_later(before: torch.Tensor, own: torch.Tensor, largest: int) -> torch.Tensor:
    """Whether the later element is taken: it is of equal ones, and NaN is better than any number."""
    later = torch.ge(own, before) if largest == 1 else torch.le(own, before)
    if is_integral(own.dtype):
        return later
    # A comparison with NaN is false.
    later = torch.logical_and(later, torch.logical_not(torch.isnan(before)))
    return torch.logical_or(later, torch.isnan(own))


def extremes_so_far(
    self: torch.Tensor, dim: int, largest: int
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Each step combines each element with that at a distance before it."""
    assert not is_complex(self.dtype), "complex numbers have no order"
    row = as_row(self)
    length = row.size(dim)
    assert is_known(length), "the size of the dimension is unknown"
    # The conversion compares unsigned integers and bools as signed.
    is_narrow = self.dtype == torch.uint8 or self.dtype == torch.bool
    values = in_dtype(row, torch.int32) if is_narrow else row
    shape: List[int] = []
    for _ in range(row.dim()):
        shape.append(1)
    shape[dim] = length
    numbers = torch.reshape(torch.arange(length, dtype=torch.int64), shape)
    places = numbers.expand(row.size())
    distance = 1
    while distance < length:
        rest = length - distance
        before = torch.ops.aten.slice(values, dim, 0, rest, 1)
        own = torch.ops.aten.slice(values, dim, distance, length, 1)
        later = is_of_later(before, own, largest)
        first = torch.ops.aten.slice(values, dim, 0, distance, 1)
        values = torch.cat([first, torch.where(later, own, before)], dim)
        before = torch.ops.aten.slice(places, dim, 0, rest, 1)
        own = torch.ops.aten.slice(places, dim, distance, length, 1)
        first = torch.ops.aten.slice(places, dim, 0, distance, 1)
        places = torch.cat([first, torch.where(later, own, before)], dim)
        distance = distance * 2
    return of_row(in_dtype(values, self.dtype), self), of_row(places, self)


_CASES = [
    Invocation(T(5, 3), 0),
    Invocation(T(2, 7, dtype=torch.uint8), -1),
    Invocation(T(), 0),
    Invocation(T(2, 0), 1),
]
decomposition_family(extremes_so_far, "aten::cummax", ok=_CASES, largest=1)
decomposition_family(extremes_so_far, "aten::cummin", ok=_CASES, largest=0)
