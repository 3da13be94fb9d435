"""Decompositions of random operators into those that `draw-from-seed` lowers.

The distributions are those of PyTorch's documentation. The values differ from eager mode.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._ops import OpOverload

aten = torch.ops.aten


def random_decompositions() -> dict[OpOverload, Callable[..., Any]]:
    """The decompositions by operator."""
    return {
        aten.bernoulli.p: _bernoulli,
        aten.cauchy.default: _cauchy,
        aten.exponential.default: _exponential,
        aten.geometric.default: _geometric,
        aten.log_normal.default: _log_normal,
        aten.multinomial.default: _multinomial,
        aten.normal.Tensor_Tensor: _normal,
        aten.normal.Tensor_float: _normal,
        aten.normal.float_Tensor: _normal,
        aten.normal.float_float: _normal_of_size,
        aten.randint_like.default: _randint_like,
        aten.randint_like.low_dtype: _randint_like_low,
        aten.random.to: _random_to,
        aten.randperm.default: _randperm,
    }


def _uniform(like: torch.Tensor) -> torch.Tensor:
    """Uniform values in [0, 1) of a tensor's shape, in the widest precision it can hold."""
    dtype = torch.float64 if like.dtype == torch.float64 else torch.float32
    return torch.rand(like.shape, dtype=dtype, device=like.device)


def _bernoulli(self: torch.Tensor, p: float = 0.5, *, generator: None = None) -> torch.Tensor:
    # In f64, as f32 cannot represent small probabilities well between 0 and 1.
    drawn = torch.rand(self.shape, dtype=torch.float64, device=self.device)
    return (drawn < p).to(self.dtype)


def _cauchy(
    self: torch.Tensor, median: float = 0, sigma: float = 1, *, generator: None = None
) -> torch.Tensor:
    return (median + sigma * torch.tan(math.pi * (_uniform(self) - 0.5))).to(self.dtype)


def _exponential_samples(like: torch.Tensor) -> torch.Tensor:
    """Positive values of an exponential distribution with mean 1."""
    # 1 less a value below 1 is positive, and may be 1; then the result is that of half a step.
    rest = 1 - _uniform(like)
    return torch.where(rest == 1, torch.finfo(rest.dtype).eps / 4, -torch.log(rest))


def _exponential(self: torch.Tensor, lambd: float = 1, *, generator: None = None) -> torch.Tensor:
    return (_exponential_samples(self) / lambd).to(self.dtype)


def _geometric(self: torch.Tensor, p: float, *, generator: None = None) -> torch.Tensor:
    # The number of trials. For a probability of 1 the logarithm is not defined.
    if p == 1:
        return torch.ones_like(self)
    return torch.ceil(_exponential_samples(self) / -math.log1p(-p)).to(self.dtype)


def _log_normal(
    self: torch.Tensor, mean: float = 1, std: float = 2, *, generator: None = None
) -> torch.Tensor:
    dtype = torch.float64 if self.dtype == torch.float64 else torch.float32
    drawn = torch.randn(self.shape, dtype=dtype, device=self.device)
    return torch.exp(drawn * std + mean).to(self.dtype)


def _multinomial(
    self: torch.Tensor, num_samples: int, replacement: bool = False, *, generator: None = None
) -> torch.Tensor:
    if not replacement or num_samples == 1:
        # The first arrivals, with the weights as rates. Weights of 0 never arrive.
        wide = self if self.dtype == torch.float64 else self.float()
        order = wide / _exponential_samples(wide)
        if num_samples == 1:
            return torch.argmax(order, -1, keepdim=True)
        return torch.topk(order, num_samples, -1).indices
    total = torch.cumsum(self.double(), -1)
    size = (*self.shape[:-1], num_samples)
    drawn = torch.rand(size, dtype=torch.float64, device=self.device) * total[..., -1:]
    return (total.unsqueeze(-2) <= drawn.unsqueeze(-1)).sum(-1)


def _normal(mean: Any, std: Any = 1, *, generator: None = None) -> Any:
    # The result has the dtype of the mean, if that is a tensor; its sizes are those of the sum.
    dtype = mean.dtype if isinstance(mean, torch.Tensor) else std.dtype
    return (torch.randn_like(mean + std, dtype=dtype) * std + mean).to(dtype)


def _normal_of_size(
    mean: float, std: float, size: Sequence[int], *, generator: None = None, **kwargs: Any
) -> torch.Tensor:
    return torch.randn(size, **kwargs) * std + mean


def _randint_like(self: torch.Tensor, high: int, **kwargs: Any) -> Any:
    return _randint_like_low(self, 0, high, **kwargs)


def _randint_like_low(
    self: torch.Tensor, low: int, high: int, *, dtype: torch.dtype | None = None, **kwargs: Any
) -> Any:
    dtype = self.dtype if dtype is None else dtype
    return aten.randint.low(low, high, self.shape, dtype=dtype, device=self.device)


def _random_to(self: torch.Tensor, to: int, *, generator: None = None) -> Any:
    return aten.randint.low(0, to, self.shape, dtype=self.dtype, device=self.device)


def _randperm(
    n: int, *, dtype: torch.dtype = torch.int64, device: Any = None, **kwargs: Any
) -> torch.Tensor:
    # With 53 bits, two of a million are equal (and stay in order) with a probability of 1 in
    # 18,000.
    drawn = torch.rand((n,), dtype=torch.float64, device=device)
    return torch.argsort(drawn).to(dtype)
