"""Functions of elements, as formulas of others: `isnan`, `frac`, `nan_to_num`, `logaddexp`."""

from typing import Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    computed_in,
    in_dtype,
    promoted_dtype,
)
from torch_refine.abstract_interp_lib.rules.formulas.float_bits import has_sign
from torch_refine.abstract_interp_lib.rules.promotion import (
    int_to_float,
    is_complex,
    is_integral,
)


@decomposition("aten::absolute")
def absolute(self: torch.Tensor) -> torch.Tensor:
    """Another name of `abs`."""
    return torch.abs(self)


@decomposition("aten::fix")
def fix(self: torch.Tensor) -> torch.Tensor:
    """Another name of `trunc`."""
    return torch.trunc(self)


@decomposition("aten::square")
def square(self: torch.Tensor) -> torch.Tensor:
    """Each element times itself; of bools, as int64."""
    wide = in_dtype(self, torch.int64) if self.dtype == torch.bool else self
    return torch.mul(wide, wide)


@decomposition("aten::frac")
def frac(self: torch.Tensor) -> torch.Tensor:
    """What is behind the point."""
    wide = in_dtype(self, computation_dtype(self.dtype))
    return in_dtype(torch.sub(wide, torch.trunc(wide)), self.dtype)


@decomposition("aten::isposinf")
def isposinf(self: torch.Tensor) -> torch.Tensor:
    """Whether elements are infinite and positive."""
    if is_integral(self.dtype):
        return torch.zeros_like(self, dtype=torch.bool)
    return torch.eq(self, float("inf"))


@decomposition("aten::isneginf")
def isneginf(self: torch.Tensor) -> torch.Tensor:
    """Whether elements are infinite and negative."""
    if is_integral(self.dtype):
        return torch.zeros_like(self, dtype=torch.bool)
    return torch.eq(self, -float("inf"))


@decomposition("aten::signbit")
def signbit(self: torch.Tensor) -> torch.Tensor:
    """Whether elements are negative; of floats, whether they have a sign, also 0 and NaN."""
    assert not is_complex(self.dtype), "the kernel takes real numbers"
    if self.dtype == torch.bool or self.dtype == torch.uint8:
        return torch.zeros_like(self, dtype=torch.bool)
    return torch.lt(self, 0) if is_integral(self.dtype) else has_sign(self)


@decomposition("aten::copysign.Tensor")
def copysign(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The sizes of elements with the signs of others."""
    dtype = int_to_float(promoted_dtype(self, other))
    size = torch.abs(in_dtype(self, dtype))
    return torch.where(has_sign(in_dtype(other, dtype)), torch.neg(size), size)


@decomposition("aten::heaviside")
def heaviside(self: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """0 below 0, 1 above it, and values at it."""
    assert self.dtype == values.dtype, "PyTorch does not promote them"
    found = in_dtype(torch.gt(self, 0), self.dtype)
    return torch.where(torch.eq(self, 0), values, found)


def largest_of(dtype: int) -> float:
    """The largest finite number of a dtype of floats."""
    if dtype == torch.float16:
        return 65504.0
    if dtype == torch.bfloat16:
        return 3.3895313892515355e38
    return 3.4028234663852886e38 if dtype == torch.float32 else 1.7976931348623157e308


@decomposition("aten::nan_to_num")
def nan_to_num(
    self: torch.Tensor,
    nan: Optional[float] = None,
    posinf: Optional[float] = None,
    neginf: Optional[float] = None,
) -> torch.Tensor:
    """Numbers in place of NaN and infinities; without, 0 and the largest finite ones."""
    if is_integral(self.dtype):
        return self
    assert not is_complex(self.dtype), "the parts of complex numbers are not replaced"
    largest = largest_of(self.dtype)
    none = torch.full([], 0.0 if nan is None else nan, dtype=self.dtype)
    above = torch.full([], largest if posinf is None else posinf, dtype=self.dtype)
    below = torch.full([], -largest if neginf is None else neginf, dtype=self.dtype)
    found = torch.where(torch.eq(self, float("inf")), above, self)
    found = torch.where(torch.eq(self, -float("inf")), below, found)
    return torch.where(torch.ne(self, self), none, found)


@decomposition("aten::round.decimals")
def round_decimals(self: torch.Tensor, decimals: int) -> torch.Tensor:
    """Rounded to a power of 10, which is multiplied or divided by (`round_decimals_kernel`)."""
    if decimals == 0:
        return torch.round(self)
    assert not is_integral(self.dtype), "the kernel takes floats"
    wide = in_dtype(self, computation_dtype(self.dtype))
    scale = 1.0
    for _ in range(decimals if decimals > 0 else -decimals):
        scale *= 10.0
    factor = torch.full([], scale, dtype=wide.dtype)
    if decimals > 0:
        found = torch.div(torch.round(torch.mul(wide, factor)), factor)
    else:
        found = torch.mul(torch.round(torch.div(wide, factor)), factor)
    return in_dtype(found, self.dtype)


@decomposition("aten::logaddexp")
def logaddexp(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The logarithm of a sum of exponentials, of which the larger is factored out."""
    dtype = promoted_dtype(self, other)
    assert not is_integral(dtype) and not is_complex(dtype), "the kernel takes floats"
    left = computed_in(self, dtype)
    right = computed_in(other, dtype)
    most = torch.maximum(left, right)
    apart = torch.neg(torch.abs(torch.sub(left, right)))
    found = torch.add(most, torch.log1p(torch.exp(apart)))
    alike = torch.logical_and(torch.eq(left, right), torch.isinf(left))
    return in_dtype(torch.where(alike, left, found), dtype)


@decomposition("aten::clamp_min")
def clamp_min(self: torch.Tensor, min: Union[int, float, complex]) -> torch.Tensor:
    """`clamp` with one bound."""
    return torch.clamp(self, min, None)


@decomposition("aten::clamp_max")
def clamp_max(self: torch.Tensor, max: Union[int, float, complex]) -> torch.Tensor:
    """`clamp` with one bound."""
    return torch.clamp(self, None, max)
