"""Internal operators on elements, and sums of them."""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import element, in_dtype, promoted_dtype
from torch_refine.abstract_interp_lib.rules.promotion import (
    is_complex,
    is_integral,
    promote_with_number,
    real_dtype,
)


def limited_sum(sum: torch.Tensor) -> torch.Tensor:
    """A sum between 0 and the largest number of its dtype, to which infinity is rounded."""
    positive = torch.clamp(sum, min=0)
    if sum.dtype == torch.float64:
        return torch.clamp(positive, max=1.7976931348623157e308)
    elif sum.dtype == torch.float32:
        return torch.clamp(positive, max=3.4028234663852886e38)
    else:
        return positive


@decomposition("aten::_add_relu.Tensor")
def add_relu(
    self: torch.Tensor, other: torch.Tensor, alpha: Union[int, float, complex] = 1
) -> torch.Tensor:
    """A sum, or 0 if it is negative."""
    return limited_sum(torch.add(self, other, alpha=alpha))


@decomposition("aten::_add_relu.Scalar")
def add_relu_number(
    self: torch.Tensor,
    other: Union[int, float, complex],
    alpha: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """The same with a number."""
    return limited_sum(torch.add(self, other, alpha=alpha))


@decomposition("aten::linalg__powsum")
def linalg_powsum(
    self: torch.Tensor,
    ord: Union[int, float, complex] = 2,
    dim: Optional[List[int]] = None,
    keepdim: bool = False,
    dtype: Optional[int] = None,
) -> torch.Tensor:
    """The sum of powers of magnitudes: a norm without its root."""
    if dtype is None:
        found = torch.abs(self)
    elif is_complex(self.dtype) and not is_complex(dtype):
        assert dtype == real_dtype(self.dtype), "the magnitudes are of another dtype"
        found = torch.abs(self)
    else:
        found = torch.abs(in_dtype(self, dtype))
    return torch.sum(torch.pow(found, ord), dim, keepdim, dtype=found.dtype)


@decomposition("aten::_logcumsumexp")
def internal_logcumsumexp(self: torch.Tensor, dim: int) -> torch.Tensor:
    """`logcumsumexp`."""
    return torch.logcumsumexp(self, dim)


@decomposition("aten::_new_zeros_with_same_feature_meta")
def zeros_of_features(
    self: torch.Tensor, other: torch.Tensor, self_num_batch_dims: int = 0
) -> torch.Tensor:
    """Zeros of the batch dimensions of `self`, then of the shape of `other`."""
    return torch.zeros(self.size()[:self_num_batch_dims] + other.size(), dtype=other.dtype)


@decomposition("aten::set.source_Tensor")
def set_to_source(self: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
    """The elements of the source."""
    assert self.dtype == source.dtype, "the dtypes differ"
    return torch.ops.aten.clone(source)


@decomposition("aten::remainder.Scalar_Tensor")
def remainder_of_number(self: Union[int, float, complex], other: torch.Tensor) -> torch.Tensor:
    """The remainder of a number, which promotes like one."""
    dtype = promote_with_number((other.dim(), other.dtype), self)
    return torch.remainder(element(self, dtype), in_dtype(other, dtype))


def shifted(self: torch.Tensor, other: torch.Tensor, sign: int) -> torch.Tensor:
    """Floats times a power of 2; integers have kernels."""
    dtype = promoted_dtype(self, other)
    left, right = in_dtype(self, dtype), in_dtype(other, dtype)
    if is_integral(dtype):
        if sign > 0:
            return torch.bitwise_left_shift(left, right)
        else:
            return torch.bitwise_right_shift(left, right)
    factor = torch.pow(torch.full_like(right, 2), right)
    return torch.mul(left, factor) if sign > 0 else torch.div(left, factor)


@decomposition("aten::__lshift__.Tensor")
def lshift(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`self << other`."""
    return shifted(self, other, 1)


@decomposition("aten::__rshift__.Tensor")
def rshift(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """`self >> other`."""
    return shifted(self, other, -1)


def hash_of_bits(self: torch.Tensor, dim: List[int], keepdim: bool) -> torch.Tensor:
    """The exclusive or of the bits of elements as int64 or float64.

    A bit of it is the parity of a sum.
    """
    if is_integral(self.dtype):
        words = in_dtype(self, torch.int64)
    else:
        words = torch.ops.aten.view_copy(in_dtype(self, torch.float64), dtype=torch.int64)
    places = torch.ops.aten.arange(64)
    bits = torch.bitwise_and(
        torch.bitwise_right_shift(torch.unsqueeze(words, words.dim()), places), 1
    )
    over: List[int] = []
    for each in dim:
        over.append(each if each >= 0 else each + self.dim())
    if len(dim) == 0:
        for each in range(self.dim()):
            over.append(each)
    if len(over) > 0 and self.dim() > 0:
        bits = torch.sum(bits, over, keepdim)
    parity = torch.bitwise_and(bits, 1)
    last: List[int] = [-1]
    found = torch.sum(torch.bitwise_left_shift(parity, places), last)
    return torch.ops.aten.view_copy(found, dtype=torch.uint64)


decomposition_family(hash_of_bits, "aten::hash_tensor")
