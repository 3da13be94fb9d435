"""Integrals of samples by trapezoids."""

from typing import List, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.promotion import is_complex


@decomposition("aten::trapz.dx")
def trapz(y: torch.Tensor, dx: float = 1.0, dim: int = -1) -> torch.Tensor:
    """Another name of `trapezoid`."""
    return torch.ops.aten.trapezoid(y, dx=dx, dim=dim)


@decomposition("aten::trapz.x")
def trapz_at(y: torch.Tensor, x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Another name of `trapezoid`."""
    return torch.ops.aten.trapezoid(y, x, dim=dim)


def sums_of_neighbours(y: torch.Tensor, dim: int) -> torch.Tensor:
    """The sum of each element and the next one."""
    size = y.size(dim)
    first = torch.ops.aten.slice(y, dim, 0, max(size - 1, 0), 1)
    return torch.add(first, torch.ops.aten.slice(y, dim, 1, size, 1))


@decomposition(
    "aten::cumulative_trapezoid.dx",
    ok=[Invocation(T(2, 1)), Invocation(T(3, 4), dx=2, dim=0)],
)
def cumulative_trapezoid(
    y: torch.Tensor, dx: Union[int, float, complex] = 1, dim: int = -1
) -> torch.Tensor:
    """The integral from the first sample to each other one, of equal distances."""
    assert not is_complex(y.dtype) and y.dtype != torch.uint8, "bytes wrap around"
    half = float(dx) / 2.0
    return torch.cumsum(torch.mul(sums_of_neighbours(y, dim), half), dim)


@decomposition(
    "aten::cumulative_trapezoid.x",
    ok=[Invocation(T(2, 3, 4), T(3), dim=1), Invocation(T(2, 3), T(3)), Invocation(T(3), T(2, 3))],
)
def cumulative_trapezoid_at(y: torch.Tensor, x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """The integral from the first sample to each other one."""
    assert not is_complex(y.dtype) and y.dtype != torch.uint8, "bytes wrap around"
    assert not is_complex(x.dtype) and x.dtype != torch.uint8, "bytes wrap around"
    at = dim + y.dim() if dim < 0 else dim
    places = x
    if x.dim() == 1:
        shape: List[int] = []
        for place in range(y.dim()):
            shape.append(x.size(0) if place == at else 1)
        places = torch.reshape(x, shape)
    elif x.dim() < y.dim():
        for _ in range(y.dim() - x.dim()):
            places = torch.unsqueeze(places, 0)
    else:
        at = dim
    size = places.size(at)
    last = torch.ops.aten.slice(places, at, 1, size, 1)
    apart = torch.sub(last, torch.ops.aten.slice(places, at, 0, max(size - 1, 0), 1))
    return torch.div(torch.cumsum(torch.mul(apart, sums_of_neighbours(y, dim)), dim), 2.0)
