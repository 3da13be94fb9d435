"""Random operators, by uniform and normal numbers and integers, which are drawn from a seed.

The distributions are those of PyTorch's documentation. The values differ from eager mode.
"""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import asserted, in_dtype


def drawn_dtype(self: torch.Tensor) -> int:
    """The widest dtype that numbers are drawn in for a tensor's."""
    return torch.float64 if self.dtype == torch.float64 else torch.float32


def uniform_like(self: torch.Tensor, dtype: int) -> torch.Tensor:
    """Uniform numbers in [0, 1) of a tensor's shape."""
    return torch.ops.aten.uniform(in_dtype(self, dtype), 0.0, 1.0)


def normal_like(self: torch.Tensor, dtype: int) -> torch.Tensor:
    """Normal numbers of mean 0 and deviation 1, of a tensor's shape."""
    return torch.randn_like(self, dtype=dtype)


def bernoulli(self: torch.Tensor, p: float) -> torch.Tensor:
    """1 with a probability; f32 cannot represent small ones well between 0 and 1."""
    return in_dtype(torch.lt(uniform_like(self, torch.float64), p), self.dtype)


decomposition_family(bernoulli, "aten::bernoulli.p")


def cauchy(self: torch.Tensor, median: float, sigma: float) -> torch.Tensor:
    """By the distribution's inverse."""
    turn = torch.mul(torch.sub(uniform_like(self, drawn_dtype(self)), 0.5), 3.141592653589793)
    return in_dtype(torch.add(torch.mul(torch.tan(turn), sigma), median), self.dtype)


decomposition_family(cauchy, "aten::cauchy")


def exponential_like(self: torch.Tensor) -> torch.Tensor:
    """Positive numbers of an exponential distribution with mean 1."""
    # 1 less a number below 1 is positive, and may be 1; then the result is that of half a step.
    rest = torch.rsub(uniform_like(self, drawn_dtype(self)), 1)
    step = 2.220446049250313e-16 if self.dtype == torch.float64 else 1.1920928955078125e-07
    least = torch.full_like(rest, step / 4)
    return torch.where(torch.eq(rest, 1), least, torch.neg(torch.log(rest)))


def exponential(self: torch.Tensor, lambd: float) -> torch.Tensor:
    """With a mean of 1 / lambd."""
    return in_dtype(torch.div(exponential_like(self), lambd), self.dtype)


decomposition_family(exponential, "aten::exponential")


def geometric(self: torch.Tensor, p: float) -> torch.Tensor:
    """The number of trials: one for a probability of 1, whose logarithm is infinite."""
    rate = torch.neg(torch.log1p(torch.full([], -p, dtype=torch.float64)))
    trials = torch.ceil(torch.div(exponential_like(self), rate))
    return in_dtype(torch.clamp_min(trials, 1.0), self.dtype)


decomposition_family(geometric, "aten::geometric")


def log_normal(self: torch.Tensor, mean: float, std: float) -> torch.Tensor:
    """The exponential of normal numbers."""
    drawn = normal_like(self, drawn_dtype(self))
    return in_dtype(torch.exp(torch.add(torch.mul(drawn, std), mean)), self.dtype)


decomposition_family(log_normal, "aten::log_normal")


def multinomial(self: torch.Tensor, num_samples: int, replacement: bool) -> torch.Tensor:
    """Indices, by weights along the last dimension."""
    is_finite = torch.logical_and(torch.ge(self, 0), torch.lt(self, float("inf")))
    self = asserted(self, is_finite, "weights of multinomial are finite, none negative")
    has_weight = torch.any(torch.gt(self, 0), -1)
    self = asserted(self, has_weight, "weights of multinomial are not all zero")
    if replacement and num_samples != 1:
        total = torch.cumsum(in_dtype(self, torch.float64), -1)
        sizes: List[int] = []
        for dim in range(self.dim() - 1):
            sizes.append(self.size(dim))
        sizes.append(num_samples)
        last = torch.ops.aten.slice(total, -1, self.size(-1) - 1, self.size(-1), 1)
        share = uniform_like(torch.zeros(sizes, dtype=torch.float64), torch.float64)
        point = torch.unsqueeze(torch.mul(share, last), -1)
        return torch.sum(torch.le(torch.unsqueeze(total, -2), point), [-1])
    # The first arrivals, with the weights as rates. Weights of 0 never arrive.
    wide = in_dtype(self, drawn_dtype(self))
    order = torch.div(wide, exponential_like(wide))
    if num_samples == 1:
        return torch.argmax(order, -1, True)
    return torch.topk(order, num_samples, -1).indices


decomposition_family(
    multinomial,
    "aten::multinomial",
    ok=[
        Invocation(T(2, 3, values=[1, 2, 3, 1, 0, 1]), 2),
        Invocation(T(3, values=[1, 2, 3]), 1),
        Invocation(T(2, 3, values=[1, 2, 3, 1, 0, 1]), 4, True),
    ],
)


def with_deviations(std: torch.Tensor) -> torch.Tensor:
    """Standard deviations, which are not negative."""
    return asserted(std, torch.ge(std, 0), "standard deviations are not negative")


def normal_of_tensors(mean: torch.Tensor, std: torch.Tensor) -> torch.Tensor:
    """The result has the dtype of the mean; its sizes are those of the sum."""
    std = with_deviations(std)
    drawn = normal_like(torch.add(mean, std), mean.dtype)
    return in_dtype(torch.add(torch.mul(drawn, std), mean), mean.dtype)


def normal_of_mean(mean: torch.Tensor, std: float) -> torch.Tensor:
    """Around each element."""
    return torch.add(torch.mul(normal_like(mean, mean.dtype), std), mean)


def normal_of_deviation(mean: float, std: torch.Tensor) -> torch.Tensor:
    """By the deviation of each element."""
    std = with_deviations(std)
    return torch.add(torch.mul(normal_like(std, std.dtype), std), mean)


def normal_of_size(mean: float, std: float, size: List[int], dtype: Optional[int]) -> torch.Tensor:
    """Of equal mean and deviation."""
    return torch.add(torch.mul(torch.randn(size, dtype=dtype), std), mean)


_DEVIATIONS = T(2, 3, values=[1, 2, 3, 1, 0.5, 1])
decomposition_family(
    normal_of_tensors, "aten::normal.Tensor_Tensor", ok=[Invocation(T(3), _DEVIATIONS)]
)
decomposition_family(normal_of_mean, "aten::normal.Tensor_float", ok=[Invocation(T(3), 2.0)])
decomposition_family(
    normal_of_deviation, "aten::normal.float_Tensor", ok=[Invocation(2.0, _DEVIATIONS)]
)
decomposition_family(normal_of_size, "aten::normal.float_float")


def integers_like(self: torch.Tensor, low: int, high: int, dtype: Optional[int]) -> torch.Tensor:
    """Integers between bounds, of a tensor's shape."""
    result = self.dtype if dtype is None else dtype
    return torch.randint(low, high, self.size(), dtype=result)


def integers_below(self: torch.Tensor, high: int, dtype: Optional[int]) -> torch.Tensor:
    """From 0 on."""
    return integers_like(self, 0, high, dtype)


def integers_to(self: torch.Tensor, to: int) -> torch.Tensor:
    """From 0 on, in a tensor's dtype."""
    return integers_like(self, 0, to, self.dtype)


decomposition_family(integers_below, "aten::randint_like")
decomposition_family(integers_like, "aten::randint_like.low_dtype")
decomposition_family(integers_to, "aten::random.to")


def permutation(n: int, dtype: Optional[int]) -> torch.Tensor:
    """The order of uniform numbers.

    With 53 bits, two of a million are equal (and stay in order) with a probability of 1 in 18,000.
    """
    share = uniform_like(torch.zeros([n], dtype=torch.float64), torch.float64)
    return in_dtype(torch.sort(share).indices, torch.int64 if dtype is None else dtype)


decomposition_family(permutation, "aten::randperm")
