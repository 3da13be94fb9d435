"""Derivatives of samples by differences of neighbours, of the second order inside."""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import computation_dtype, in_dtype, of_sizes
from torch_refine.abstract_interp_lib.rules.formulas.windows_of_dims import along_dim
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def piece(self: torch.Tensor, dim: int, start: int, end: int) -> torch.Tensor:
    """The elements of a dimension from `start` to `end`."""
    return torch.ops.aten.slice(self, dim, start, end, 1)


def check_samples(self: torch.Tensor, edge_order: int) -> None:
    """Raise for what is not differentiated."""
    assert not is_complex(self.dtype) and self.dtype != torch.uint8, "bytes wrap around"
    assert edge_order == 1 or edge_order == 2, "PyTorch rejects others"


def in_wide(self: torch.Tensor) -> torch.Tensor:
    """Samples in the dtype that differences are computed in; integers in their own."""
    return self if is_integral(self.dtype) else in_dtype(self, computation_dtype(self.dtype))


def rounded(found: torch.Tensor, dtype: int) -> torch.Tensor:
    """A derivative in the dtype of the samples; that of integers in its own."""
    return found if is_integral(dtype) else in_dtype(found, dtype)


def evenly(self: torch.Tensor, spacing: float, dim: int, edge_order: int) -> torch.Tensor:
    """The derivative along a dimension, of samples with equal distances."""
    check_samples(self, edge_order)
    dtype = self.dtype
    self = in_wide(self)
    at = dim + self.dim() if dim < 0 else dim
    size = self.size(at)
    inside = torch.sub(piece(self, at, 2, size), piece(self, at, 0, size - 2))
    first, second = piece(self, at, 0, 1), piece(self, at, 1, 2)
    last, before = piece(self, at, size - 1, size), piece(self, at, size - 2, size - 1)
    if edge_order == 1:
        start, end = torch.sub(second, first), torch.sub(last, before)
    else:
        third, other = piece(self, at, 2, 3), piece(self, at, size - 3, size - 2)
        start = torch.sub(torch.mul(second, 2.0), torch.mul(first, 1.5))
        start = torch.sub(start, torch.mul(third, 0.5))
        end = torch.sub(torch.mul(last, 1.5), torch.mul(before, 2.0))
        end = torch.add(end, torch.mul(other, 0.5))
    parts = [torch.div(start, spacing), torch.div(inside, 2.0 * spacing), torch.div(end, spacing)]
    return rounded(torch.cat(parts, at), dtype)


def weighted_three(
    parts: List[torch.Tensor], a: torch.Tensor, b: torch.Tensor, c: torch.Tensor
) -> torch.Tensor:
    """The sum of three tensors, each times its weights."""
    found = torch.add(torch.mul(a, parts[0]), torch.mul(b, parts[1]))
    return torch.add(found, torch.mul(c, parts[2]))


def at_coordinates(
    self: torch.Tensor, coordinates: torch.Tensor, dim: int, edge_order: int
) -> torch.Tensor:
    """The derivative along a dimension, of samples at coordinates."""
    check_samples(self, edge_order)
    assert self.dtype == coordinates.dtype, "the weights are of another dtype"
    rank = self.dim()
    at = dim + rank if dim < 0 else dim
    size = self.size(at)
    if is_known(size) and is_known(coordinates.size(0)):
        assert size == coordinates.size(0), "PyTorch repeats a single difference"
    dtype = self.dtype
    self = in_wide(self)
    coordinates = in_wide(of_sizes(coordinates, [size]))
    apart = torch.sub(piece(coordinates, 0, 1, size), piece(coordinates, 0, 0, size - 1))
    apart = along_dim(apart, rank, at)
    one, two = piece(apart, at, 0, size - 2), piece(apart, at, 1, size - 1)
    both = torch.add(one, two)
    inside = weighted_three(
        [piece(self, at, 0, size - 2), piece(self, at, 1, size - 1), piece(self, at, 2, size)],
        torch.div(torch.neg(two), torch.mul(one, both)),
        torch.div(torch.sub(two, one), torch.mul(one, two)),
        torch.div(one, torch.mul(two, both)),
    )
    first, second = piece(self, at, 0, 1), piece(self, at, 1, 2)
    last, before = piece(self, at, size - 1, size), piece(self, at, size - 2, size - 1)
    if edge_order == 1:
        start = torch.div(torch.sub(second, first), piece(apart, at, 0, 1))
        end = torch.div(torch.sub(last, before), piece(apart, at, size - 2, size - 1))
        return rounded(torch.cat([start, inside, end], at), dtype)
    one, two = piece(apart, at, 0, 1), piece(apart, at, 1, 2)
    both = torch.add(one, two)
    start = weighted_three(
        [first, second, piece(self, at, 2, 3)],
        torch.div(torch.neg(torch.add(torch.mul(one, 2), two)), torch.mul(one, both)),
        torch.div(both, torch.mul(one, two)),
        torch.div(torch.neg(one), torch.mul(two, both)),
    )
    one, two = piece(apart, at, size - 3, size - 2), piece(apart, at, size - 2, size - 1)
    both = torch.add(one, two)
    end = weighted_three(
        [piece(self, at, size - 3, size - 2), before, last],
        torch.div(two, torch.mul(one, both)),
        torch.div(torch.neg(both), torch.mul(one, two)),
        torch.div(torch.add(torch.mul(two, 2), one), torch.mul(two, both)),
    )
    return rounded(torch.cat([start, inside, end], at), dtype)


def dims_of(self: torch.Tensor, dim: Optional[int]) -> List[int]:
    """One dimension, or all."""
    dims: List[int] = []
    if dim is not None:
        dims.append(dim)
        return dims
    for place in range(self.dim()):
        dims.append(place)
    return dims


def real(spacing: Union[int, float, complex]) -> float:
    """A spacing, which is not complex."""
    assert not isinstance(spacing, complex), "the distances are real"
    return float(spacing)


@decomposition("aten::gradient.array")
def gradient_of_units(
    self: torch.Tensor, dim: List[int], edge_order: int = 1
) -> List[torch.Tensor]:
    """With distances of 1."""
    found: List[torch.Tensor] = []
    for each in dim:
        found.append(evenly(self, 1.0, each, edge_order))
    return found


@decomposition("aten::gradient.scalararray")
def gradient_of_distance(
    self: torch.Tensor,
    spacing: Union[int, float, complex],
    dim: List[int],
    edge_order: int = 1,
) -> List[torch.Tensor]:
    """With one distance."""
    found: List[torch.Tensor] = []
    for each in dim:
        found.append(evenly(self, real(spacing), each, edge_order))
    return found


@decomposition(
    "aten::gradient.scalarint",
    ok=[Invocation(T(3, 4), edge_order=2), Invocation(T(5), spacing=2, dim=0, edge_order=2)],
)
def gradient(
    self: torch.Tensor,
    spacing: Optional[Union[int, float, complex]] = None,
    dim: Optional[int] = None,
    edge_order: int = 1,
) -> List[torch.Tensor]:
    """With one distance, by default 1, along one dimension or all."""
    found: List[torch.Tensor] = []
    for each in dims_of(self, dim):
        found.append(evenly(self, 1.0 if spacing is None else real(spacing), each, edge_order))
    return found


@decomposition("aten::gradient.scalarrayarray")
def gradient_of_distances(
    self: torch.Tensor,
    spacing: List[Union[int, float, complex]],
    dim: List[int],
    edge_order: int = 1,
) -> List[torch.Tensor]:
    """With a distance for each dimension."""
    found: List[torch.Tensor] = []
    for index in range(len(dim)):
        found.append(evenly(self, real(spacing[index]), dim[index], edge_order))
    return found


@decomposition("aten::gradient.scalarrayint")
def gradient_of_distances_along(
    self: torch.Tensor,
    spacing: List[Union[int, float, complex]],
    dim: Optional[int] = None,
    edge_order: int = 1,
) -> List[torch.Tensor]:
    """With a distance for each dimension, along one of them or all."""
    found: List[torch.Tensor] = []
    dims = dims_of(self, dim)
    for index in range(len(dims)):
        found.append(evenly(self, real(spacing[index]), dims[index], edge_order))
    return found


@decomposition("aten::gradient.tensorarray")
def gradient_at(
    self: torch.Tensor, spacing: List[torch.Tensor], dim: List[int], edge_order: int = 1
) -> List[torch.Tensor]:
    """At coordinates of each dimension."""
    found: List[torch.Tensor] = []
    for index in range(len(dim)):
        found.append(at_coordinates(self, spacing[index], dim[index], edge_order))
    return found


@decomposition(
    "aten::gradient.tensorarrayint", ok=[Invocation(T(3, 4), spacing=[T(3), T(4)], edge_order=2)]
)
def gradient_at_along(
    self: torch.Tensor,
    spacing: List[torch.Tensor],
    dim: Optional[int] = None,
    edge_order: int = 1,
) -> List[torch.Tensor]:
    """At coordinates of each dimension, along one of them or all."""
    found: List[torch.Tensor] = []
    dims = dims_of(self, dim)
    for index in range(len(dims)):
        found.append(at_coordinates(self, spacing[index], dims[index], edge_order))
    return found
