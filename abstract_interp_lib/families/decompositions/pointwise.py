"""Elementwise operators, computed by other operators."""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    computed_in,
    element,
    in_dtype,
    promoted_dtype,
    sign_of,
)
from torch_refine.abstract_interp_lib.rules.promotion import (
    int_to_float,
    is_complex,
    is_integral,
    promote_with_number,
)


@decomposition("aten::deg2rad")
def deg2rad(self: torch.Tensor) -> torch.Tensor:
    """Times pi / 180."""
    return torch.mul(self, 0.017453292519943295)


@decomposition("aten::rad2deg")
def rad2deg(self: torch.Tensor) -> torch.Tensor:
    """Times 180 / pi."""
    return torch.mul(self, 57.295779513082323)


@decomposition("aten::hypot")
def hypot(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The length of a vector of two elements, without the overflow of a square."""
    dtype = promoted_dtype(self, other)
    wide = torch.float64 if dtype == torch.float32 else computation_dtype(dtype)
    left = torch.abs(in_dtype(self, wide))
    right = torch.abs(in_dtype(other, wide))
    infinite = torch.logical_or(torch.isinf(left), torch.isinf(right))
    if dtype == torch.float32:
        # Squares of float32 are exact in float64.
        length = torch.sqrt(torch.add(torch.mul(left, left), torch.mul(right, right)))
        length = torch.where(infinite, torch.full_like(length, float("inf")), length)
        return in_dtype(length, dtype)
    # Squares of large elements overflow, those of small ones underflow: the ratio does neither.
    large = torch.maximum(left, right)
    small = torch.minimum(left, right)
    ratio = torch.div(small, large)
    length = torch.mul(large, torch.sqrt(torch.add(torch.mul(ratio, ratio), 1.0)))
    length = torch.where(torch.eq(large, 0.0), large, length)
    length = torch.where(infinite, torch.full_like(length, float("inf")), length)
    return in_dtype(length, dtype)


@decomposition("aten::rsub.Tensor")
def rsub(
    self: torch.Tensor, other: torch.Tensor, alpha: Union[int, float, complex] = 1
) -> torch.Tensor:
    """The operands of `sub`, exchanged."""
    return torch.sub(other, self, alpha=alpha)


@decomposition("aten::clamp_max.Tensor")
def clamp_max(self: torch.Tensor, max: torch.Tensor) -> torch.Tensor:
    """The smaller element, or a NaN."""
    return torch.minimum(self, max)


@decomposition("aten::clamp_min.Tensor")
def clamp_min(self: torch.Tensor, min: torch.Tensor) -> torch.Tensor:
    """The larger element, or a NaN."""
    return torch.maximum(self, min)


def without_nans(left: torch.Tensor, right: torch.Tensor, extreme: torch.Tensor) -> torch.Tensor:
    """The extreme of two operands, or the one that is not NaN."""
    dtype = promoted_dtype(left, right)
    if is_integral(dtype):
        return extreme
    found = torch.where(torch.isnan(right), in_dtype(left, dtype), extreme)
    return torch.where(torch.isnan(left), in_dtype(right, dtype), found)


@decomposition("aten::fmax")
def fmax(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The larger element, or the one that is not NaN."""
    return without_nans(self, other, torch.maximum(self, other))


@decomposition("aten::fmin")
def fmin(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The smaller element, or the one that is not NaN."""
    return without_nans(self, other, torch.minimum(self, other))


@decomposition("aten::isreal")
def isreal(self: torch.Tensor) -> torch.Tensor:
    """Every element is, as no imaginary part exists."""
    assert not is_complex(self.dtype), "the parts of complex numbers are not compared"
    return torch.ones_like(self, dtype=torch.bool)


@decomposition("aten::divide.Tensor")
def divide(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Another name of `div`."""
    return torch.div(self, other)


@decomposition("aten::multiply.Tensor")
def multiply(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Another name of `mul`."""
    return torch.mul(self, other)


@decomposition("aten::subtract.Tensor")
def subtract(
    self: torch.Tensor, other: torch.Tensor, alpha: Union[int, float, complex] = 1
) -> torch.Tensor:
    """Another name of `sub`."""
    return torch.sub(self, other, alpha=alpha)


@decomposition("aten::true_divide.Tensor")
def true_divide(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Another name of `div`."""
    return torch.div(self, other)


@decomposition("aten::sinc")
def sinc(self: torch.Tensor) -> torch.Tensor:
    """sin(pi x) / (pi x), and 1 at 0."""
    dtype = int_to_float(self.dtype)
    wide = torch.mul(in_dtype(self, computation_dtype(dtype)), 3.141592653589793)
    ratio = torch.div(torch.sin(wide), wide)
    return in_dtype(torch.where(torch.eq(wide, 0.0), torch.ones_like(wide), ratio), dtype)


@decomposition("aten::logaddexp2")
def logaddexp2(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """log2(2^a + 2^b), by the larger operand and the difference."""
    dtype = promoted_dtype(self, other)
    left = computed_in(self, dtype)
    right = computed_in(other, dtype)
    large = torch.maximum(left, right)
    less = torch.neg(torch.abs(torch.sub(left, right)))
    # log2(1 + 2^less), of which log1p keeps what is small.
    more = torch.mul(torch.log1p(torch.exp2(less)), 1.4426950408889634)
    found = torch.add(large, more)
    # Two equal infinities have no difference.
    return in_dtype(torch.where(torch.isinf(large), large, found), dtype)


@decomposition("aten::positive")
def positive(self: torch.Tensor) -> torch.Tensor:
    """The operand itself."""
    return self


@decomposition("aten::divide.Scalar")
def divide_scalar(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """Another name of `div`."""
    return torch.div(self, other)


@decomposition("aten::multiply.Scalar")
def multiply_scalar(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """Another name of `mul`."""
    return torch.mul(self, other)


@decomposition("aten::subtract.Scalar")
def subtract_scalar(
    self: torch.Tensor,
    other: Union[int, float, complex],
    alpha: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """Another name of `sub`."""
    return torch.sub(self, other, alpha=alpha)


@decomposition("aten::sign")
def sign(self: torch.Tensor) -> torch.Tensor:
    """1, -1, or 0 for all else."""
    return sign_of(self)


def resolved(self: torch.Tensor) -> torch.Tensor:
    """The operand: no tensor of a program is lazily conjugated or negated."""
    return self


decomposition_family(resolved, "aten::resolve_conj", "aten::resolve_neg")


def times_logarithm(
    self: torch.Tensor, logarithm: torch.Tensor, other: torch.Tensor
) -> torch.Tensor:
    """x log y, which is 0 where x is, unless y is NaN."""
    product = torch.where(
        torch.eq(self, 0.0), torch.zeros_like(logarithm), torch.mul(self, logarithm)
    )
    return torch.where(torch.ne(other, other), other, product)


def xlogy(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """x log y, which is 0 where x is."""
    dtype = int_to_float(promoted_dtype(self, other))
    left = computed_in(self, dtype)
    right = computed_in(other, dtype)
    return in_dtype(times_logarithm(left, torch.log(right), right), dtype)


decomposition_family(xlogy, "aten::xlogy.Tensor", "aten::special_xlogy")


@decomposition("aten::special_xlog1py")
def special_xlog1py(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """x log(1 + y), which is 0 where x is."""
    dtype = int_to_float(promoted_dtype(self, other))
    left = computed_in(self, dtype)
    right = computed_in(other, dtype)
    return in_dtype(times_logarithm(left, torch.log1p(right), right), dtype)


@decomposition("aten::special_entr")
def special_entr(self: torch.Tensor) -> torch.Tensor:
    """-x log x, which is 0 at 0 and negative infinity below."""
    dtype = int_to_float(self.dtype)
    wide = in_dtype(self, computation_dtype(dtype))
    found = torch.neg(torch.mul(wide, torch.log(wide)))
    found = torch.where(torch.eq(wide, 0.0), torch.zeros_like(wide), found)
    below = torch.full_like(wide, float("-inf"))
    return in_dtype(torch.where(torch.lt(wide, 0.0), below, found), dtype)


@decomposition("aten::logit")
def logit(self: torch.Tensor, eps: Optional[float] = None) -> torch.Tensor:
    """log(x / (1 - x)); with a bound that is not negative, of x between it and 1 minus it.

    Kernels round the difference and the quotient.
    """
    dtype = int_to_float(self.dtype)
    wide = in_dtype(in_dtype(self, dtype), computation_dtype(dtype))
    # Every comparison with a bound that is NaN is false.
    if eps is not None and not eps < 0.0:
        low = element(eps, dtype)
        high = in_dtype(torch.rsub(low, 1), wide.dtype)
        low = in_dtype(low, wide.dtype)
        inner = torch.where(torch.gt(wide, high), high, wide)
        wide = torch.where(torch.lt(wide, low), low, inner)
    rest = in_dtype(in_dtype(torch.rsub(wide, 1), dtype), wide.dtype)
    quotient = in_dtype(in_dtype(torch.div(wide, rest), dtype), wide.dtype)
    return in_dtype(torch.log(quotient), dtype)


@decomposition("aten::special_ndtr")
def special_ndtr(self: torch.Tensor) -> torch.Tensor:
    """The normal distribution's function, by `erfc`, which has the digits of small results."""
    dtype = int_to_float(self.dtype)
    wide = in_dtype(self, computation_dtype(dtype))
    found = torch.erfc(torch.mul(wide, -0.7071067811865476))
    return in_dtype(torch.mul(found, 0.5), dtype)


@decomposition("aten::prelu")
def prelu(self: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Negative elements times a weight, one for all or one per channel."""
    shape: List[int] = []
    if weight.numel() != 1:
        for dim in range(self.dim()):
            shape.append(weight.numel() if dim == 1 else 1)
    scaled = torch.mul(self, torch.reshape(weight, shape))
    return torch.where(torch.gt(self, 0), self, scaled)


# Operators of a tensor and a scalar.


def common_dtype(tensor: torch.Tensor, number: Union[int, float, complex]) -> int:
    """The dtype that a tensor and a scalar promote to."""
    return promote_with_number((tensor.dim(), tensor.dtype), number)


@decomposition("aten::bitwise_and.Scalar")
def bitwise_and(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """The scalar is a tensor of the promoted dtype."""
    dtype = common_dtype(self, other)
    return torch.bitwise_and(in_dtype(self, dtype), element(other, dtype))


@decomposition("aten::bitwise_and.Scalar_Tensor")
def bitwise_and_of_number(self: Union[int, float, complex], other: torch.Tensor) -> torch.Tensor:
    """The operator is commutative."""
    return torch.ops.aten.bitwise_and(other, self)


@decomposition("aten::bitwise_or.Scalar")
def bitwise_or(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """The scalar is a tensor of the promoted dtype."""
    dtype = common_dtype(self, other)
    return torch.bitwise_or(in_dtype(self, dtype), element(other, dtype))


@decomposition("aten::bitwise_or.Scalar_Tensor")
def bitwise_or_of_number(self: Union[int, float, complex], other: torch.Tensor) -> torch.Tensor:
    """The operator is commutative."""
    return torch.ops.aten.bitwise_or(other, self)


@decomposition("aten::bitwise_xor.Scalar")
def bitwise_xor(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """The scalar is a tensor of the promoted dtype."""
    dtype = common_dtype(self, other)
    return torch.bitwise_xor(in_dtype(self, dtype), element(other, dtype))


@decomposition("aten::bitwise_xor.Scalar_Tensor")
def bitwise_xor_of_number(self: Union[int, float, complex], other: torch.Tensor) -> torch.Tensor:
    """The operator is commutative."""
    return torch.ops.aten.bitwise_xor(other, self)


@decomposition("aten::bitwise_left_shift.Tensor_Scalar")
def bitwise_left_shift(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """The scalar is a tensor of the promoted dtype."""
    dtype = common_dtype(self, other)
    number = element(other, dtype)
    return torch.bitwise_left_shift(in_dtype(self, dtype), number)


@decomposition("aten::bitwise_left_shift.Scalar_Tensor")
def number_shifted_left(self: Union[int, float, complex], other: torch.Tensor) -> torch.Tensor:
    """The scalar is a tensor of the promoted dtype."""
    dtype = common_dtype(other, self)
    number = element(self, dtype)
    return torch.bitwise_left_shift(number, in_dtype(other, dtype))


@decomposition("aten::bitwise_right_shift.Tensor_Scalar")
def bitwise_right_shift(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """The scalar is a tensor of the promoted dtype."""
    dtype = common_dtype(self, other)
    number = element(other, dtype)
    return torch.bitwise_right_shift(in_dtype(self, dtype), number)


@decomposition("aten::bitwise_right_shift.Scalar_Tensor")
def number_shifted_right(self: Union[int, float, complex], other: torch.Tensor) -> torch.Tensor:
    """The scalar is a tensor of the promoted dtype."""
    dtype = common_dtype(other, self)
    number = element(self, dtype)
    return torch.bitwise_right_shift(number, in_dtype(other, dtype))


@decomposition("aten::copysign.Scalar")
def copysign_of_number(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """The sign is that of a tensor of the result's dtype."""
    dtype = int_to_float(common_dtype(self, other))
    return torch.copysign(in_dtype(self, dtype), element(other, dtype))
