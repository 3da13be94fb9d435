"""Arithmetic, sums and products of complex numbers, computed by those of their parts."""

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
    sign_of,
)
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import (
    complex_of,
    imag_of,
    is_covered,
    is_of_two,
    real_dtype,
    real_of,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral

# Cases of operators of one operand, and of two, of which one may be real.
_OF_ONE = [Invocation(T(2, 3, dtype=torch.complex64))]
_OF_TWO = [
    Invocation(T(2, 3, dtype=torch.complex64), T(3, dtype=torch.complex64)),
    Invocation(T(3), T(2, 1, dtype=torch.complex64)),
]


def product(a: torch.Tensor, b: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """a + b i times numbers that are complex or real."""
    c, d = in_dtype(real_of(other), a.dtype), in_dtype(imag_of(other), a.dtype)
    real = torch.sub(torch.mul(a, c), torch.mul(b, d))
    return complex_of(real, torch.add(torch.mul(a, d), torch.mul(b, c)))


@decomposition("aten::mul.Tensor", ok=_OF_TWO)
def mul(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Four products of parts."""
    assert is_of_two(self, other), "concerns only complex numbers"
    dtype = real_dtype(promoted_dtype(self, other))
    return product(in_dtype(real_of(self), dtype), in_dtype(imag_of(self), dtype), other)


@decomposition("aten::mul.Scalar")
def mul_scalar(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """Both parts times a real number, to which the kernel adds the imaginary part 0."""
    assert is_covered(self), "concerns only complex numbers"
    real, imag = real_of(self), imag_of(self)
    return complex_of(
        torch.sub(torch.mul(real, other), torch.mul(imag, 0.0)),
        torch.add(torch.mul(real, 0.0), torch.mul(imag, other)),
    )


def scaled_part(
    part: torch.Tensor, aside: torch.Tensor, alpha: Union[int, float, complex]
) -> torch.Tensor:
    """A part of numbers times a real number; the kernels multiply by a complex one, also by 1, so
    that an infinite other part makes it NaN."""
    return torch.add(torch.mul(part, alpha), torch.mul(aside, 0.0))


def sum_of(
    self: torch.Tensor, other: torch.Tensor, alpha: Union[int, float, complex], sign: float
) -> torch.Tensor:
    """self + sign alpha other."""
    dtype = real_dtype(promoted_dtype(self, other))
    c, d = in_dtype(real_of(other), dtype), in_dtype(imag_of(other), dtype)
    real = torch.mul(scaled_part(c, torch.neg(d), alpha), sign)
    imag = torch.mul(scaled_part(d, c, alpha), sign)
    return complex_of(
        torch.add(in_dtype(real_of(self), dtype), real),
        torch.add(in_dtype(imag_of(self), dtype), imag),
    )


@decomposition("aten::add.Tensor", ok=_OF_TWO)
def add(
    self: torch.Tensor, other: torch.Tensor, alpha: Union[int, float, complex] = 1
) -> torch.Tensor:
    """Sums of the parts."""
    assert is_of_two(self, other), "concerns only complex numbers"
    return sum_of(self, other, alpha, 1.0)


@decomposition("aten::sub.Tensor", ok=_OF_TWO)
def sub(
    self: torch.Tensor, other: torch.Tensor, alpha: Union[int, float, complex] = 1
) -> torch.Tensor:
    """Differences of the parts."""
    assert is_of_two(self, other), "concerns only complex numbers"
    return sum_of(self, other, alpha, -1.0)


@decomposition("aten::add.Scalar")
def add_scalar(
    self: torch.Tensor,
    other: Union[int, float, complex],
    alpha: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """A real number, added to the real part."""
    assert is_covered(self), "concerns only complex numbers"
    return complex_of(torch.add(real_of(self), other, alpha=alpha), imag_of(self))


@decomposition("aten::sub.Scalar")
def sub_scalar(
    self: torch.Tensor,
    other: Union[int, float, complex],
    alpha: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """A real number, subtracted from the real part."""
    assert is_covered(self), "concerns only complex numbers"
    return complex_of(torch.sub(real_of(self), other, alpha=alpha), imag_of(self))


def conjugate(self: torch.Tensor) -> torch.Tensor:
    """The imaginary part, negated; real numbers have none."""
    if not is_complex(self.dtype):
        return self
    assert is_covered(self), "concerns only complex numbers"
    return complex_of(real_of(self), torch.neg(imag_of(self)))


decomposition_family(
    conjugate,
    "aten::conj",
    "aten::conj_physical",
    "aten::_conj_physical",
    "aten::_conj",
    "aten::_conj_copy",
    "prims::conj_physical",
    ok=[Invocation(T(2, 3, dtype=torch.complex64)), Invocation(T(dtype=torch.complex128))],
)


@decomposition("aten::polar")
def polar(abs: torch.Tensor, angle: torch.Tensor) -> torch.Tensor:
    """A distance from 0 and an angle as parts."""
    real, imag = torch.mul(abs, torch.cos(angle)), torch.mul(abs, torch.sin(angle))
    assert real.dtype != torch.float16, "half precision has no complex type in MLIR"
    return complex_of(real, imag)


@decomposition("aten::complex")
def complex_parts(real: torch.Tensor, imag: torch.Tensor) -> torch.Tensor:
    """Both parts in one shape."""
    assert real.dtype != torch.float16, "half precision has no complex type in MLIR"
    # Their common shape is that of an elementwise operator.
    chosen = torch.ones_like(real, dtype=torch.bool)
    shaped = torch.where(chosen, real, imag)
    return complex_of(shaped, torch.where(torch.logical_not(chosen), real, imag))


@decomposition("aten::mean.dim", ok=[Invocation(T(2, 3, dtype=torch.complex64), [1], True)])
def mean_dims(
    self: torch.Tensor,
    dim: Optional[List[int]],
    keepdim: bool = False,
    dtype: Optional[int] = None,
) -> torch.Tensor:
    """Sums over the number of their elements; of complex numbers, the means of the parts."""
    result = self.dtype if dtype is None else dtype
    count = 1
    if dim is None or len(dim) == 0:
        count = self.numel()
    else:
        for each in dim:
            count *= self.size(each) if self.dim() > 0 else 1
    if is_covered(self):
        assert result == self.dtype, "converted before"
        real = torch.sum(real_of(self), dim, keepdim)
        imag = torch.sum(imag_of(self), dim, keepdim)
        return complex_of(torch.div(real, count), torch.div(imag, count))
    assert not is_integral(result) and not is_complex(result), "PyTorch averages floats"
    wide = computed_in(self, result)
    return in_dtype(torch.div(torch.sum(wide, dim, keepdim), count), result)


@decomposition("aten::tril", ok=[Invocation(T(2, 3, 3, dtype=torch.complex64), 1)])
def tril(self: torch.Tensor, diagonal: int = 0) -> torch.Tensor:
    """The triangles of the parts."""
    assert is_covered(self), "concerns only complex numbers"
    return complex_of(torch.tril(real_of(self), diagonal), torch.tril(imag_of(self), diagonal))


@decomposition("aten::triu", ok=[Invocation(T(2, 3, 3, dtype=torch.complex64), 1)])
def triu(self: torch.Tensor, diagonal: int = 0) -> torch.Tensor:
    """The triangles of the parts."""
    assert is_covered(self), "concerns only complex numbers"
    return complex_of(torch.triu(real_of(self), diagonal), torch.triu(imag_of(self), diagonal))


@decomposition("aten::zeros")
def zeros(
    size: List[int],
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
) -> torch.Tensor:
    """Zeros in both parts."""
    assert dtype is not None and (dtype == torch.complex64 or dtype == torch.complex128), (
        "concerns only complex numbers"
    )
    real = torch.zeros(size, dtype=real_dtype(dtype))
    return complex_of(real, torch.zeros_like(real))


@decomposition("aten::ones")
def ones(
    size: List[int],
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
) -> torch.Tensor:
    """Ones as complex numbers."""
    assert dtype is not None and (dtype == torch.complex64 or dtype == torch.complex128), (
        "concerns only complex numbers"
    )
    real = torch.ones(size, dtype=real_dtype(dtype))
    return complex_of(real, torch.zeros_like(real))


@decomposition("aten::scalar_tensor")
def scalar_tensor(
    s: Union[int, float, complex],
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
) -> torch.Tensor:
    """A number as a tensor of rank 0."""
    return torch.full([], s, dtype=torch.float32 if dtype is None else dtype)


@decomposition("aten::sgn", ok=_OF_ONE)
def sgn(self: torch.Tensor) -> torch.Tensor:
    """The sign of real numbers; complex ones over their sizes, 0 for 0."""
    if not is_complex(self.dtype):
        return sign_of(self)
    assert is_covered(self), "half precision has no complex type in MLIR"
    real, imag = real_of(self), imag_of(self)
    size = torch.hypot(real, imag)
    nothing = torch.eq(size, 0)
    none = torch.zeros_like(size)
    return complex_of(
        torch.where(nothing, none, torch.div(real, size)),
        torch.where(nothing, none, torch.div(imag, size)),
    )
