"""Operators on complex numbers, computed by those on their parts."""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computed_in,
    in_dtype,
    promoted_dtype,
)
from torch_refine.abstract_interp_lib.rules.factories import default_dtype
from torch_refine.abstract_interp_lib.rules.formulas.complex_functions import power_of_parts
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import (
    complex_of,
    divided,
    imag_of,
    is_covered,
    is_nonzero,
    is_of_two,
    real_dtype,
    real_of,
)
from torch_refine.abstract_interp_lib.rules.promotion import (
    dtype_of_number,
    int_to_float,
    is_complex,
    is_integral,
    promote_with_number,
)

# Cases of operators of one operand, and of two, of which one may be real.
_OF_ONE = [Invocation(T(2, 3, dtype=torch.complex64))]
_OF_TWO = [
    Invocation(T(2, 3, dtype=torch.complex64), T(3, dtype=torch.complex64)),
    Invocation(T(3), T(2, 1, dtype=torch.complex64)),
]


def angle_of(self: torch.Tensor) -> torch.Tensor:
    """The angle to the positive real axis; of real numbers, 0 or pi."""
    if is_covered(self):
        return torch.atan2(imag_of(self), real_of(self))
    assert not is_complex(self.dtype), "half precision has no complex type in MLIR"
    number = in_dtype(self, int_to_float(self.dtype))
    turned = torch.full_like(number, 3.141592653589793)
    found = torch.where(torch.lt(number, 0), turned, torch.zeros_like(number))
    return torch.where(torch.ne(number, number), number, found)


decomposition_family(angle_of, "aten::angle")


@decomposition("aten::reciprocal", ok=[*_OF_ONE, Invocation(T(2, 3, dtype=torch.int32))])
def reciprocal(self: torch.Tensor) -> torch.Tensor:
    """1 over a number."""
    if is_covered(self):
        one = torch.ones_like(real_of(self))
        return divided(one, torch.zeros_like(one), real_of(self), imag_of(self))
    dtype = int_to_float(self.dtype)
    return torch.div(torch.full([], 1.0, dtype=dtype), in_dtype(self, dtype))


@decomposition("aten::neg", ok=[*_OF_ONE, Invocation(T(2, 3, dtype=torch.uint8))])
def neg(self: torch.Tensor) -> torch.Tensor:
    """Both parts, negated; integers subtracted from 0, as the wheel's conversion computes floats."""
    if is_integral(self.dtype):
        assert self.dtype != torch.bool, "PyTorch negates no bools"
        return torch.rsub(self, 0)
    assert is_covered(self), "concerns no real floats"
    return complex_of(torch.neg(real_of(self)), torch.neg(imag_of(self)))


@decomposition("aten::div.Tensor", ok=_OF_TWO)
def div(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """A quotient, without the overflow of squares."""
    assert is_of_two(self, other), "concerns only complex numbers"
    dtype = real_dtype(promoted_dtype(self, other))
    return divided(
        in_dtype(real_of(self), dtype),
        in_dtype(imag_of(self), dtype),
        in_dtype(real_of(other), dtype),
        in_dtype(imag_of(other), dtype),
    )


@decomposition("aten::eq.Tensor", ok=_OF_TWO)
def eq(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Whether both parts are equal."""
    assert is_of_two(self, other), "concerns only complex numbers"
    dtype = real_dtype(promoted_dtype(self, other))
    real = torch.eq(in_dtype(real_of(self), dtype), in_dtype(real_of(other), dtype))
    imag = torch.eq(in_dtype(imag_of(self), dtype), in_dtype(imag_of(other), dtype))
    return torch.logical_and(real, imag)


@decomposition("aten::ne.Tensor", ok=_OF_TWO)
def ne(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Whether a part differs."""
    assert is_of_two(self, other), "concerns only complex numbers"
    return torch.logical_not(torch.eq(self, other))


@decomposition("aten::logical_not", ok=_OF_ONE)
def logical_not(self: torch.Tensor) -> torch.Tensor:
    """Whether both parts are 0."""
    assert is_covered(self), "concerns only complex numbers"
    return torch.logical_not(is_nonzero(self))


@decomposition("aten::logical_and", ok=_OF_TWO)
def logical_and(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Whether neither is 0."""
    assert is_of_two(self, other), "concerns only complex numbers"
    return torch.logical_and(is_nonzero(self), is_nonzero(other))


@decomposition("aten::logical_or", ok=_OF_TWO)
def logical_or(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Whether one is not 0."""
    assert is_of_two(self, other), "concerns only complex numbers"
    return torch.logical_or(is_nonzero(self), is_nonzero(other))


@decomposition("aten::logical_xor", ok=_OF_TWO)
def logical_xor(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Whether exactly one is not 0."""
    assert is_of_two(self, other), "concerns only complex numbers"
    return torch.logical_xor(is_nonzero(self), is_nonzero(other))


@decomposition("aten::isnan", ok=_OF_ONE)
def isnan(self: torch.Tensor) -> torch.Tensor:
    """Whether an element, or a part of it, is a NaN."""
    if is_integral(self.dtype):
        return torch.zeros_like(self, dtype=torch.bool)
    if not is_covered(self):
        return torch.ne(self, self)
    real, imag = real_of(self), imag_of(self)
    return torch.logical_or(torch.ne(real, real), torch.ne(imag, imag))


@decomposition("aten::isinf", ok=_OF_ONE)
def isinf(self: torch.Tensor) -> torch.Tensor:
    """Whether an element, or a part of it, is infinite."""
    if is_integral(self.dtype):
        return torch.zeros_like(self, dtype=torch.bool)
    if not is_covered(self):
        return torch.eq(torch.abs(self), float("inf"))
    real, imag = torch.abs(real_of(self)), torch.abs(imag_of(self))
    return torch.logical_or(torch.eq(real, float("inf")), torch.eq(imag, float("inf")))


@decomposition("aten::unfold", ok=[Invocation(T(2, 7, dtype=torch.complex64), 1, 3, 2)])
def unfold(self: torch.Tensor, dimension: int, size: int, step: int) -> torch.Tensor:
    """The windows of the parts."""
    assert is_covered(self), "concerns only complex numbers"
    real = torch.ops.aten.unfold(real_of(self), dimension, size, step)
    return complex_of(real, torch.ops.aten.unfold(imag_of(self), dimension, size, step))


def filled(size: List[int], number: Union[int, float, complex], dtype: int) -> torch.Tensor:
    """A number in a shape."""
    found = in_dtype(torch.ops.prim.NumToTensor(number), dtype)
    return torch.broadcast_to(found, size) if len(size) > 0 else found


@decomposition("aten::full")
def full(
    size: List[int],
    fill_value: Union[int, float, complex],
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
) -> torch.Tensor:
    """A number, converted to the dtype, in a shape."""
    assert not is_complex(dtype_of_number(fill_value)), "a number that is not real"
    wanted = default_dtype(dtype_of_number(fill_value)) if dtype is None else dtype
    if wanted == torch.complex64 or wanted == torch.complex128:
        part = real_dtype(wanted)
        return complex_of(filled(size, fill_value, part), filled(size, 0, part))
    return filled(size, fill_value, wanted)


@decomposition("aten::div.Scalar")
def div_scalar(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """Both parts over a real number."""
    assert is_covered(self), "concerns only complex numbers"
    return complex_of(torch.div(real_of(self), other), torch.div(imag_of(self), other))


@decomposition("aten::mean", ok=_OF_ONE)
def mean(self: torch.Tensor, dtype: Optional[int] = None) -> torch.Tensor:
    """The sum over the number of elements; of complex numbers, the means of the parts."""
    result = self.dtype if dtype is None else dtype
    if is_covered(self):
        assert result == self.dtype, "converted before"
        real, imag = torch.sum(real_of(self)), torch.sum(imag_of(self))
        return complex_of(torch.div(real, self.numel()), torch.div(imag, self.numel()))
    assert not is_integral(result) and not is_complex(result), "PyTorch averages floats"
    wide = computed_in(self, result)
    return in_dtype(torch.div(torch.sum(wide), self.numel()), result)


def integer_power(self: torch.Tensor, exponent: int) -> torch.Tensor:
    """A power of integers, by squares of squares, which wrap around."""
    assert exponent >= 0, "PyTorch rejects negative powers of integers"
    found = torch.ones_like(self)
    factor = self
    while exponent > 0:
        if exponent % 2 == 1:
            found = torch.mul(found, factor)
        factor = torch.mul(factor, factor)
        exponent = exponent // 2
    return found


@decomposition(
    "aten::pow.Tensor_Scalar",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64), 2),
        Invocation(T(2, 3, dtype=torch.complex64), 3),
        Invocation(T(2, 3, dtype=torch.complex128), -1.5),
        Invocation(T(2, 3, dtype=torch.complex64), -0.5),
        Invocation(T(2, 3, dtype=torch.complex64), -1),
        Invocation(T(2, 3, dtype=torch.complex64), -2),
        Invocation(T(2, 3, dtype=torch.complex64), 0),
        Invocation(T(2, 3, dtype=torch.int32), 5),
        Invocation(T(2, dtype=torch.uint8), 0),
        Invocation(T(dtype=torch.int8), 7),
        Invocation(T(2, 3), 0.5),
        Invocation(T(2, 3, dtype=torch.bfloat16), -0.5),
    ],
)
def power(self: torch.Tensor, exponent: Union[int, float, complex]) -> torch.Tensor:
    """The power of integers and of complex numbers, and roots.

    Powers of a half are roots, as in PyTorch's kernels but those of float16: of -inf they are
    NaN. Some powers of complex numbers have kernels of their own, too.
    """
    if not is_integral(self.dtype) and not is_complex(self.dtype):
        assert self.dtype != torch.float16, "concerns only integers, complex numbers and roots"
        assert isinstance(exponent, float), "concerns only integers, complex numbers and roots"
        half = float(exponent)
        assert half == 0.5 or half == -0.5, "concerns only integers, complex numbers and roots"
        return torch.sqrt(self) if half == 0.5 else torch.rsqrt(self)
    if is_integral(self.dtype) and isinstance(exponent, int):
        dtype = promote_with_number((self.dim(), self.dtype), exponent)
        return integer_power(in_dtype(self, dtype), exponent)
    assert is_covered(self), "concerns only integers, complex numbers and roots"
    if exponent == 0:
        return torch.ones_like(self)
    if exponent == 1:
        return torch.clone(self)
    if exponent == 0.5:
        return torch.sqrt(self)
    if exponent == -0.5:
        return torch.rsqrt(self)
    if exponent == -1:
        return torch.reciprocal(self)
    if exponent == 2:
        return square(self)
    if exponent == 3:
        return torch.mul(square(self), self)
    if exponent == -2:
        return torch.reciprocal(square(self))
    real = torch.full_like(real_of(self), exponent)
    return power_of_parts(self, real, torch.zeros_like(real), self.dtype)


def square(self: torch.Tensor) -> torch.Tensor:
    """The product of a complex number with itself."""
    real, imag = real_of(self), imag_of(self)
    return complex_of(
        torch.sub(torch.mul(real, real), torch.mul(imag, imag)),
        torch.mul(torch.mul(real, imag), 2.0),
    )


@decomposition(
    "aten::pow.Scalar",
    ok=[
        Invocation(-1.5, T(2, 3, dtype=torch.complex64)),
        Invocation(-2, T(2, 3, dtype=torch.int8)),
        Invocation(2, T(2, 3, dtype=torch.bool)),
    ],
)
def power_of_number(self: Union[int, float, complex], exponent: torch.Tensor) -> torch.Tensor:
    """The complex power of a real number, and that of an integer as one of a tensor."""
    dtype = promote_with_number((exponent.dim(), exponent.dtype), self)
    if is_integral(dtype) and dtype != torch.bool:
        return torch.pow(torch.full([], self, dtype=dtype), in_dtype(exponent, dtype))
    assert is_covered(exponent), "concerns no real floats"
    if self == 1:
        return torch.ones_like(exponent)
    real = torch.full_like(real_of(exponent), self)
    base = complex_of(real, torch.zeros_like(real))
    return power_of_parts(base, real_of(exponent), imag_of(exponent), exponent.dtype)
