"""Other names of operators that have options: `clip`, `special_softmax`, `concat`, `swapaxes`."""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family


@decomposition("aten::clip")
def clip(
    self: torch.Tensor,
    min: Optional[Union[int, float, complex]] = None,
    max: Optional[Union[int, float, complex]] = None,
) -> torch.Tensor:
    """Another name of `clamp`."""
    return torch.clamp(self, min, max)


@decomposition("aten::clip.Tensor")
def clip_tensor(
    self: torch.Tensor, min: Optional[torch.Tensor] = None, max: Optional[torch.Tensor] = None
) -> torch.Tensor:
    """Another name of `clamp`."""
    return torch.clamp(self, min, max)


@decomposition("aten::special_round")
def special_round(self: torch.Tensor, decimals: int = 0) -> torch.Tensor:
    """Another name of `round`."""
    return torch.round(self, decimals=decimals)


@decomposition("aten::special_logit")
def special_logit(self: torch.Tensor, eps: Optional[float] = None) -> torch.Tensor:
    """Another name of `logit`."""
    return torch.logit(self, eps)


@decomposition("aten::special_logsumexp")
def special_logsumexp(self: torch.Tensor, dim: List[int], keepdim: bool = False) -> torch.Tensor:
    """Another name of `logsumexp`."""
    return torch.logsumexp(self, dim, keepdim)


@decomposition("aten::special_softmax")
def special_softmax(self: torch.Tensor, dim: int, dtype: Optional[int] = None) -> torch.Tensor:
    """Another name of `softmax`."""
    return torch.softmax(self, dim, dtype)


@decomposition("aten::special_log_softmax")
def special_log_softmax(self: torch.Tensor, dim: int, dtype: Optional[int] = None) -> torch.Tensor:
    """Another name of `log_softmax`."""
    return torch.log_softmax(self, dim, dtype)


@decomposition("aten::special_multigammaln")
def special_multigammaln(self: torch.Tensor, p: int) -> torch.Tensor:
    """Another name of `mvlgamma`."""
    return torch.mvlgamma(self, p)


def joined(tensors: List[torch.Tensor], dim: int = 0) -> torch.Tensor:
    """Other names of `cat`."""
    return torch.cat(tensors, dim)


decomposition_family(joined, "aten::concat", "aten::concatenate")


@decomposition("aten::swapaxes")
def swapaxes(self: torch.Tensor, axis0: int, axis1: int) -> torch.Tensor:
    """Another name of `transpose`."""
    return torch.transpose(self, axis0, axis1)


@decomposition("aten::swapdims")
def swapdims(self: torch.Tensor, dim0: int, dim1: int) -> torch.Tensor:
    """Another name of `transpose`."""
    return torch.transpose(self, dim0, dim1)


@decomposition("aten::moveaxis.int")
def moveaxis_int(self: torch.Tensor, source: int, destination: int) -> torch.Tensor:
    """Another name of `movedim`."""
    return torch.movedim(self, source, destination)


@decomposition("aten::moveaxis.intlist")
def moveaxis(self: torch.Tensor, source: List[int], destination: List[int]) -> torch.Tensor:
    """Another name of `movedim`."""
    return torch.movedim(self, source, destination)


@decomposition("aten::argsort")
def argsort(self: torch.Tensor, dim: int = -1, descending: bool = False) -> torch.Tensor:
    """The indices that `sort` returns."""
    return torch.sort(self, dim, descending).indices


@decomposition("aten::argsort.stable")
def argsort_stable(
    self: torch.Tensor, stable: bool, dim: int = -1, descending: bool = False
) -> torch.Tensor:
    """The indices that `sort` returns."""
    return torch.sort(self, stable=stable, dim=dim, descending=descending).indices


@decomposition("aten::atleast_1d.Sequence")
def each_atleast_1d(tensors: List[torch.Tensor]) -> List[torch.Tensor]:
    """`atleast_1d` of each tensor."""
    return [torch.ops.aten.atleast_1d(tensor) for tensor in tensors]


@decomposition("aten::atleast_2d.Sequence")
def each_atleast_2d(tensors: List[torch.Tensor]) -> List[torch.Tensor]:
    """`atleast_2d` of each tensor."""
    return [torch.ops.aten.atleast_2d(tensor) for tensor in tensors]


@decomposition("aten::atleast_3d.Sequence")
def each_atleast_3d(tensors: List[torch.Tensor]) -> List[torch.Tensor]:
    """`atleast_3d` of each tensor."""
    return [torch.ops.aten.atleast_3d(tensor) for tensor in tensors]


@decomposition("aten::where")
def where(condition: torch.Tensor) -> List[torch.Tensor]:
    """The indices of elements that are not 0, one vector per dimension; a scalar has one."""
    values = torch.unsqueeze(condition, 0) if condition.dim() == 0 else condition
    places = torch.nonzero(values)
    found: List[torch.Tensor] = []
    for dim in range(values.dim()):
        found.append(torch.select(places, 1, dim))
    return found
