"""Operators that read or write the bits of floats."""

from typing import Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    computed_in,
    in_dtype,
    promoted_dtype,
)
from torch_refine.abstract_interp_lib.rules.formulas.float_bits import int_of_width


def nextafter(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The next number towards another: the bits of a number are counted, away from 0."""
    dtype = promoted_dtype(self, other)
    start, end = in_dtype(self, dtype), in_dtype(other, dtype)
    whole = int_of_width(dtype)
    bits = torch.ops.aten.view_copy(start, dtype=whole)
    # Comparisons of 16-bit floats may take subnormal numbers for 0.
    first = computed_in(start, dtype)
    last = computed_in(end, dtype)
    grows = torch.eq(torch.lt(first, last), torch.gt(first, 0.0))
    step = torch.where(grows, torch.ones_like(bits), torch.full_like(bits, -1))
    moved = torch.ops.aten.view_copy(torch.add(bits, step), dtype=dtype)
    least = torch.ops.aten.view_copy(torch.ones_like(bits), dtype=dtype)
    from_zero = torch.where(torch.lt(last, 0.0), torch.neg(least), least)
    found = torch.where(torch.eq(first, 0.0), from_zero, moved)
    found = torch.where(torch.eq(first, last), end, found)
    sum = torch.add(start, end)
    is_nan = torch.logical_or(torch.isnan(start), torch.isnan(end))
    return torch.where(is_nan, sum, found)


decomposition_family(nextafter, "aten::nextafter", "prims::nextafter")


@decomposition("aten::frexp.Tensor")
def frexp(self: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """Numbers m in [1/2, 1) and e, of which the operand is m 2^e; the operand and 0 if none are."""
    computed = computation_dtype(self.dtype)
    whole = int_of_width(computed)
    is_double = computed == torch.float64
    fraction_bits = 52 if is_double else 23
    bias = 1022 if is_double else 126
    field_of_all = 9218868437227405312 if is_double else 2139095040
    field_of_half = 4602678819172646912 if is_double else 1056964608
    wide = in_dtype(self, computed)
    # Subnormal numbers have no exponent of their own.
    is_small = torch.lt(torch.abs(wide), 1e-30)
    scaled = torch.where(is_small, torch.mul(wide, 18014398509481984.0), wide)
    bits = torch.ops.aten.view_copy(scaled, dtype=whole)
    field = torch.bitwise_and(bits, field_of_all)
    field = torch.bitwise_right_shift(field, torch.full_like(bits, fraction_bits))
    exponent = torch.sub(in_dtype(field, torch.int32), bias)
    exponent = torch.where(is_small, torch.sub(exponent, 54), exponent)
    others = torch.bitwise_and(bits, -1 - field_of_all)
    half = torch.bitwise_or(others, torch.full_like(bits, field_of_half))
    mantissa = torch.ops.aten.view_copy(half, dtype=computed)
    is_finite = torch.lt(torch.abs(wide), float("inf"))
    has_none = torch.logical_or(torch.eq(wide, 0.0), torch.logical_not(is_finite))
    mantissa = torch.where(has_none, wide, mantissa)
    return in_dtype(mantissa, self.dtype), torch.where(
        has_none, torch.zeros_like(exponent), exponent
    )
