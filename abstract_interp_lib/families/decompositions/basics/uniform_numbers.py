"""Random operators by uniform numbers, which are drawn from a seed: `rand`, `dropout`, `rrelu`."""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import asserted, in_dtype


def uniform(size: List[int], dtype: Optional[int]) -> torch.Tensor:
    """Numbers in [0, 1)."""
    empty = torch.empty(size, dtype=torch.float32 if dtype is None else dtype)
    return torch.ops.aten.uniform(empty, 0.0, 1.0)


def uniform_like(self: torch.Tensor, dtype: Optional[int]) -> torch.Tensor:
    """Numbers in [0, 1), as many as the elements of a tensor."""
    return uniform(self.size(), self.dtype if dtype is None else dtype)


decomposition_family(uniform, "aten::rand", "aten::rand.generator")
decomposition_family(uniform_like, "aten::rand_like", "aten::rand_like.generator")


def is_below(self: torch.Tensor, bound: torch.Tensor) -> torch.Tensor:
    """1 or 0, with probabilities."""
    is_right = torch.logical_and(torch.ge(bound, 0), torch.le(bound, 1))
    bound = asserted(bound, is_right, "probabilities are between 0 and 1")
    drawn = torch.ops.aten.uniform(torch.zeros_like(bound, dtype=torch.float64), 0.0, 1.0)
    return in_dtype(torch.lt(drawn, in_dtype(bound, torch.float64)), self.dtype)


def bernoulli(self: torch.Tensor) -> torch.Tensor:
    """The elements are probabilities."""
    return is_below(self, self)


def bernoulli_of_tensor(self: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
    """The elements of another tensor are probabilities."""
    return is_below(self, torch.broadcast_to(p, self.size()))


decomposition_family(bernoulli, "aten::bernoulli")
decomposition_family(bernoulli_of_tensor, "aten::bernoulli.Tensor")


def dropped(input: torch.Tensor, p: float) -> Tuple[torch.Tensor, torch.Tensor]:
    """Elements that are 0 with a probability, the others scaled, and where those are."""
    if p == 1.0:
        return torch.zeros_like(input), torch.zeros_like(input, dtype=torch.bool)
    drawn = torch.ops.aten.uniform(torch.zeros_like(input, dtype=torch.float32), 0.0, 1.0)
    kept = torch.ge(drawn, p)
    factor = in_dtype(torch.mul(in_dtype(kept, torch.float32), 1.0 / (1.0 - p)), input.dtype)
    return torch.mul(input, factor), kept


def dropout(input: torch.Tensor, p: float, train: bool) -> torch.Tensor:
    """Without training, the elements as they are."""
    return dropped(input, p)[0] if train and p > 0.0 else input


decomposition_family(dropout, "aten::dropout", "aten::feature_dropout")


def leaky(
    self: torch.Tensor,
    noise: torch.Tensor,
    lower: Union[int, float, complex],
    upper: Union[int, float, complex],
    training: bool,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Times random slopes where not positive, which are returned; or times their mean."""
    if not training:
        return torch.ops.aten.leaky_relu(self, (float(lower) + float(upper)) / 2.0), noise
    empty = torch.zeros_like(self)
    slopes = torch.ops.aten.uniform(empty, float(lower), float(upper))
    drawn = torch.where(torch.le(self, 0), slopes, torch.ones_like(self))
    return torch.mul(self, drawn), drawn


def leaky_without_noise(
    self: torch.Tensor,
    lower: Union[int, float, complex],
    upper: Union[int, float, complex],
    training: bool,
) -> torch.Tensor:
    """The same without the slopes."""
    return leaky(self, self, lower, upper, training)[0]


decomposition_family(leaky, "aten::rrelu_with_noise_functional")
decomposition_family(leaky_without_noise, "aten::rrelu")
