"""Fourier transforms as sums of products, with a complex tensor as a pair of real ones.

A transform of n = r m elements is m transforms of r elements, a product with powers of the n-th
root of unity, and r transforms of m elements (Cooley and Tukey). Those of r elements are a product
with a matrix, so that a contraction computes them.
"""

from typing import List

import torch
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype

# The largest matrix that a stage multiplies by. Larger primes take quadratic time up to
# `LARGEST_PRIME`, beyond which PyTorch's algorithms are better.
LARGEST_RADIX = 32
LARGEST_PRIME = 256


def next_radix(size: int) -> int:
    """The largest divisor of a size up to LARGEST_RADIX, or its least prime factor."""
    best = 1
    for radix in range(2, 33):
        if size % radix == 0:
            best = radix
    if best > 1:
        return best
    for prime in range(33, 257):
        if size % prime == 0:
            return prime
    assert size == 1, "a prime factor of the size is large"
    return 1


def roots(rows: int, columns: int, size: int, forward: bool, dtype: int) -> torch.Tensor:
    """cos and sin of 2 pi j k / size, [2, rows, columns], in double precision and then rounded."""
    row = torch.reshape(torch.arange(rows, dtype=torch.int64), [rows, 1])
    column = torch.reshape(torch.arange(columns, dtype=torch.int64), [1, columns])
    # Only the remainder of j k matters, and is exact.
    power = torch.remainder(torch.mul(row, column), size)
    turn = -6.283185307179586 if forward else 6.283185307179586
    angle = torch.mul(in_dtype(power, torch.float64), turn / size)
    return in_dtype(torch.stack([torch.cos(angle), torch.sin(angle)]), dtype)


def turned(pair: torch.Tensor, by: torch.Tensor, dim: int) -> torch.Tensor:
    """The product of complex numbers, whose parts are stacked along a dimension and the first."""
    real, imag = torch.select(pair, dim, 0), torch.select(pair, dim, 1)
    cos, sin = torch.select(by, 0, 0), torch.select(by, 0, 1)
    return torch.stack(
        [
            torch.sub(torch.mul(real, cos), torch.mul(imag, sin)),
            torch.add(torch.mul(real, sin), torch.mul(imag, cos)),
        ],
        dim,
    )


def transformed_rows(rows: torch.Tensor, size: int, forward: bool) -> torch.Tensor:
    """The transforms of rows, [batch, 2, size], by stages."""
    batch = rows.size(0)
    dtype = rows.dtype
    left, done = size, 1
    # [batch, 2, left, done]: `done` holds the digits of the frequency so far, the lowest last.
    for _ in range(64):
        if left > 1:
            radix = next_radix(left)
            rest = left // radix
            table = roots(radix, radix, radix, forward, dtype)
            cos, sin = torch.select(table, 0, 0), torch.select(table, 0, 1)
            # One real product of twice the size multiplies by a complex matrix.
            matrix = torch.cat([torch.cat([cos, torch.neg(sin)], 1), torch.cat([sin, cos], 1)], 0)
            rows = torch.matmul(matrix, torch.reshape(rows, [batch, 2 * radix, rest * done]))
            rows = torch.reshape(rows, [batch, 2, radix, rest, done])
            if rest > 1:
                factor = roots(radix, rest, left, forward, dtype)
                rows = turned(rows, torch.reshape(factor, [2, radix, rest, 1]), 1)
            rows = torch.permute(rows, [0, 1, 3, 2, 4])
            left, done = rest, done * radix
    return torch.reshape(rows, [batch, 2, size])


def transformed(pair: torch.Tensor, dim: int, forward: bool) -> torch.Tensor:
    """The transform of a dimension; [2, ...], where the dimension counts without the first one."""
    rank = pair.dim()
    axis = dim + 1
    size = pair.size(axis)
    assert size > 0, "a transform has elements"
    order: List[int] = []
    for each in range(1, rank):
        if each != axis:
            order.append(each)
    order.append(0)
    order.append(axis)
    back: List[int] = []
    for each in range(rank):
        for place in range(rank):
            if order[place] == each:
                back.append(place)
    moved = torch.permute(pair, order)
    sizes: List[int] = []
    count = 1
    for each in range(rank):
        sizes.append(moved.size(each))
        if each < rank - 2:
            count = count * moved.size(each)
    found = transformed_rows(torch.reshape(moved, [count, 2, size]), size, forward)
    return torch.permute(torch.reshape(found, sizes), back)


def transformed_dims(pair: torch.Tensor, dims: List[int], forward: bool) -> torch.Tensor:
    """The transform of several dimensions, from the last."""
    rank = pair.dim() - 1
    for index in range(len(dims)):
        dim = dims[len(dims) - 1 - index]
        pair = transformed(pair, dim + rank if dim < 0 else dim, forward)
    return pair


def parts(self: torch.Tensor) -> torch.Tensor:
    """The real and the imaginary parts, stacked in front."""
    viewed = torch.view_as_real(self)
    last = viewed.dim() - 1
    return torch.stack([torch.select(viewed, last, 0), torch.select(viewed, last, 1)])


def joined(pair: torch.Tensor) -> torch.Tensor:
    """Complex numbers of their parts, which are stacked in front."""
    return torch.view_as_complex(
        torch.stack([torch.select(pair, 0, 0), torch.select(pair, 0, 1)], -1)
    )


def with_no_imaginary_part(self: torch.Tensor) -> torch.Tensor:
    """Real numbers and zeros, stacked in front."""
    return torch.stack([self, torch.zeros_like(self)])


def half_of(pair: torch.Tensor, dim: int) -> torch.Tensor:
    """The frequencies that determine the transform of real numbers."""
    rank = pair.dim() - 1
    axis = 1 + (dim + rank if dim < 0 else dim)
    return torch.ops.aten.slice(pair, axis, 0, pair.size(axis) // 2 + 1, 1)


def real_of_half(pair: torch.Tensor, dims: List[int], size: int) -> torch.Tensor:
    """The real numbers, `size` along the last dimension, that have these frequencies."""
    others: List[int] = []
    for index in range(len(dims) - 1):
        others.append(dims[index])
    pair = transformed_dims(pair, others, False)
    rank = pair.dim() - 1
    last = dims[len(dims) - 1]
    last = last + rank if last < 0 else last
    known = size // 2 + 1
    assert pair.size(last + 1) == known, "PyTorch crops and fills other sizes in its own way"
    # The others are conjugate to known ones, in reverse.
    more = torch.flip(torch.ops.aten.slice(pair, last + 1, 1, size - known + 1, 1), [last + 1])
    real, imag = torch.select(more, 0, 0), torch.select(more, 0, 1)
    whole = torch.cat([pair, torch.stack([real, torch.neg(imag)])], last + 1)
    return torch.select(transformed(whole, last, False), 0, 0)


def scale_of(self: torch.Tensor, dims: List[int], normalization: int, last: int) -> float:
    """The factor of a normalization: none, by the root of the number of elements, by the number.

    `last` is the size of the last dimension where it is another one than the tensor's.
    """
    count = 1
    for index in range(len(dims)):
        size = self.size(dims[index])
        if index == len(dims) - 1 and last >= 0:
            size = last
        count = count * size
    # With another one, MKL divides by the number of elements, and pocketfft raises.
    assert normalization >= 0 and normalization <= 2, "the normalization is 0, 1 or 2"
    if normalization == 0 or count == 0:
        return 1.0
    return 1.0 / count if normalization == 2 else 1.0 / float(count) ** 0.5
