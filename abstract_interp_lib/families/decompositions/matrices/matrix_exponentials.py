"""Exponentials of matrices by scaling and squaring, and linear combinations of tensors.

exp(A) = exp(A / 2^s)^(2^s): the series of Taylor converges fast for the scaled matrix, whose result
is squared s times. The bounds of its norm are those of Bader, Blanes and Casas (2019), "Computing
the matrix exponential with an optimized Taylor polynomial approximation", of degree 18, which
PyTorch's kernel (`LinearAlgebra.cpp`) uses, too, so that matrices are squared as often.
"""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import (
    asserted,
    in_dtype,
)
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import (
    complex_of,
    imag_of,
    is_covered,
    real_of,
)
from torch_refine.abstract_interp_lib.rules.formulas.matrices import identities
from torch_refine.abstract_interp_lib.rules.promotion import is_complex


def inverse_factorials(count: int) -> List[float]:
    """1 / k! from k = 0."""
    found: List[float] = []
    value = 1.0
    for index in range(count):
        found.append(value)
        value = value / float(index + 1)
    return found


def taylor_of_degree_20(matrix: torch.Tensor) -> torch.Tensor:
    """The sum of A^k / k! up to k = 20, by Horner's rule for polynomials in A^5."""
    powers: List[torch.Tensor] = [identities(matrix, matrix.size(-1)), matrix]
    for _ in range(4):
        powers.append(torch.matmul(powers[-1], matrix))
    coefficients = inverse_factorials(21)
    found = torch.mul(powers[5], coefficients[20])
    for block in range(4):
        first = 15 - 5 * block
        if block > 0:
            found = torch.matmul(found, powers[5])
        # The smallest summands first.
        for index in range(5):
            place = 4 - index
            found = torch.add(found, torch.mul(powers[place], coefficients[first + place]))
    return found


def number_of_squarings(norm: torch.Tensor, bound: float, most: int) -> torch.Tensor:
    """How often a norm is halved until it is not greater than a bound."""
    powers = torch.bitwise_left_shift(torch.ones([1], dtype=torch.int64), torch.arange(most + 1))
    bounds = torch.mul(in_dtype(powers, norm.dtype), bound)
    is_greater = torch.gt(torch.unsqueeze(norm, -1), bounds)
    return torch.sum(in_dtype(is_greater, torch.int64), [-1])


def exponential_by_norm(matrix: torch.Tensor, norm: torch.Tensor, is_single: bool) -> torch.Tensor:
    """exp of matrices in double precision, whose greatest sums of columns' magnitudes are known.

    Results for single precision overflow where it does, as a later product with 0 is a NaN.
    """
    # More squarings than these are not expanded; f32 has no correct digit left after them.
    most = 24
    bound = 3.010066362817634 if is_single else 1.090863719290036
    is_finite = torch.lt(norm, float("inf"))
    count = number_of_squarings(torch.where(is_finite, norm, torch.zeros_like(norm)), bound, most)
    message = "matrix_exp: the norm of a matrix is greater than 2^24"
    count = asserted(count, torch.le(count, most), message)
    count = torch.unsqueeze(torch.unsqueeze(count, -1), -1)
    scale = torch.bitwise_left_shift(torch.ones_like(count), count)
    found = taylor_of_degree_20(torch.div(matrix, in_dtype(scale, torch.float64)))
    for index in range(most):
        square = torch.matmul(found, found)
        if is_single:
            limit = torch.mul(square, float("inf"))
            square = torch.where(torch.gt(torch.abs(square), 3.4028235677973366e38), limit, square)
        found = torch.where(torch.gt(count, index), square, found)
    # Each element of the result is a NaN if one of the matrix is infinite, or a NaN.
    is_known = torch.unsqueeze(torch.unsqueeze(is_finite, -1), -1)
    return torch.where(is_known, found, torch.full_like(found, float("nan")))


def norm_of(magnitudes: torch.Tensor) -> torch.Tensor:
    """The greatest sum of a column."""
    return torch.amax(torch.sum(magnitudes, [-2]), [-1])


def exponential(self: torch.Tensor) -> torch.Tensor:
    """exp of square matrices; a single element is a number, a matrix of none is its own."""
    assert self.dtype != torch.float16 and self.dtype != torch.bfloat16, (
        "PyTorch computes arbitrary numbers for 16-bit floats"
    )
    assert not is_complex(self.dtype) or self.dtype == torch.complex128, (
        "PyTorch's results in single precision have larger errors"
    )
    # PyTorch squares large matrices only as often as it must.
    assert self.size(-1) <= 32, "of small matrices"
    is_single = self.dtype == torch.float32
    if self.size(-1) == 0:
        return torch.ops.aten.clone(self)
    if self.size(-1) == 1:
        return torch.exp(self)
    if is_covered(self):
        # Multiplication by complex numbers is that by real matrices of 2 by 2 elements.
        real, imag = real_of(self), imag_of(self)
        above = torch.cat([real, torch.neg(imag)], -1)
        whole = torch.cat([above, torch.cat([imag, real], -1)], -2)
        found = exponential_by_norm(whole, norm_of(torch.hypot(real, imag)), is_single)
        size = self.size(-1)
        left = torch.ops.aten.slice(found, -1, 0, size, 1)
        return complex_of(
            torch.ops.aten.slice(left, -2, 0, size, 1),
            torch.ops.aten.slice(left, -2, size, 2 * size, 1),
        )
    wide = in_dtype(self, torch.float64)
    return in_dtype(exponential_by_norm(wide, norm_of(torch.abs(wide)), is_single), self.dtype)


decomposition_family(
    exponential,
    "aten::linalg_matrix_exp",
    "aten::matrix_exp",
    ok=[
        Invocation(T(2, 4, 4)),
        Invocation(T(2, 1, 1)),
        Invocation(T(0, 3, 3)),
        Invocation(T(2, 0, 0)),
        Invocation(T(2, 2, dtype=torch.float64, values=[-30.0, 40.0, 5.0, -20.0])),
        Invocation(T(2, 2, values=[float("inf"), 0.0, 0.0, 1.0])),
        Invocation(T(2, 2, values=[float("nan"), 0.0, 0.0, 1.0])),
        Invocation(T(3, 3, dtype=torch.complex128)),
        Invocation(T(2, 1, 1, dtype=torch.complex128)),
    ],
)


def combined(input: torch.Tensor, coefficients: torch.Tensor) -> torch.Tensor:
    """The sums for each row of coefficients; each sum of 16-bit floats is rounded, in this order."""
    shape: List[int] = [coefficients.size(0)]
    sizes: List[int] = [coefficients.size(0)]
    for dim in range(input.dim() - 1):
        shape.append(1)
        sizes.append(input.size(dim + 1))
    found = torch.zeros(sizes, dtype=input.dtype)
    for index in range(input.size(0)):
        factor = torch.reshape(torch.select(coefficients, 1, index), shape)
        found = torch.add(found, torch.mul(factor, torch.select(input, 0, index)))
    return found


@decomposition(
    "aten::_compute_linear_combination",
    ok=[
        Invocation(T(3, 2, 4, dtype=torch.float64), T(5, 3, dtype=torch.float64), device="cpu"),
        Invocation(T(3, 4, dtype=torch.int32), T(2, 3, dtype=torch.int32), device="cpu"),
    ],
)
def _compute_linear_combination(input: torch.Tensor, coefficients: torch.Tensor) -> torch.Tensor:
    """The tensors along the first dimension times each row of coefficients, summed.

    The kernel reads the coefficients as numbers of the input's dtype, or of its parts.
    """
    assert input.dim() > 0 and coefficients.dim() == 2, "a matrix of coefficients"
    assert coefficients.size(1) == input.size(0), "one coefficient per tensor"
    assert input.numel() > 0 and coefficients.numel() > 0, "PyTorch rejects empty tensors"
    if input.dtype == torch.complex64 and coefficients.dtype == torch.float32:
        real = combined(real_of(input), coefficients)
        return complex_of(real, combined(imag_of(input), coefficients))
    assert not is_complex(input.dtype), "complex coefficients"
    assert coefficients.dtype == input.dtype, "coefficients of another dtype"
    return combined(input, coefficients)
