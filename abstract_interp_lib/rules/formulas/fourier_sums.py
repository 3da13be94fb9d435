"""Fourier transforms as sums of products, with a complex tensor as a pair of real ones.

A transform of n = r m elements is m transforms of r elements, a product with powers of the n-th
root of unity, and r transforms of m elements (Cooley and Tukey). Those of r elements are a product
with a matrix, so that a contraction computes them.
"""

from typing import List

import torch
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import imag_of, real_of
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def least_cost(size: int) -> float:
    """The time of equal stages, of which as many as are best, in rows of matrices.

    Besides its products, a stage takes the time of about 25 rows: it reads and writes all elements.
    """
    best = 0.0
    if size > 1:
        best = float(size) + 25.0
        for count in range(2, 7):
            cost = float(count) * (float(size) ** (1.0 / float(count)) + 25.0)
            if cost < best:
                best = cost
    return best


def next_radix(size: int, is_short: bool) -> int:
    """The divisor of a size, up to 256, with which all stages take the least time; 1 only of 1.

    Larger primes take quadratic time, and PyTorch's algorithms are better. With `is_short`, a
    matrix is multiplied by columns of the rest of the size, which costs more if they are shorter
    than a vector.
    """
    best, least = 1, 0.0
    for radix in range(2, 257):
        if radix <= size and size % radix == 0:
            rest = size // radix
            cost = float(radix) + 25.0 + least_cost(rest)
            if is_short and rest > 1 and rest < 16:
                cost = cost + 16.0
            if best == 1 or cost < least:
                best, least = radix, cost
    assert best > 1 or size == 1, "a prime factor of the size is large"
    return best


def roots(
    rows: int, columns: int, size: int, forward: bool, scale: float, dtype: int
) -> torch.Tensor:
    """A multiple of cos and sin of 2 pi j k / size, [2, rows, columns].

    They are computed in double precision and then rounded.
    """
    row = torch.reshape(torch.arange(rows, dtype=torch.int64), [rows, 1])
    column = torch.reshape(torch.arange(columns, dtype=torch.int64), [1, columns])
    # Only the remainder of j k matters, and is exact.
    power = torch.remainder(torch.mul(row, column), size)
    turn = -6.283185307179586 if forward else 6.283185307179586
    angle = torch.mul(in_dtype(power, torch.float64), turn / size)
    both = torch.stack([torch.cos(angle), torch.sin(angle)])
    return in_dtype(torch.mul(both, scale) if scale != 1.0 else both, dtype)


def turned(parts: List[torch.Tensor], by: torch.Tensor) -> List[torch.Tensor]:
    """The parts of products of complex numbers."""
    real, imag = parts[0], parts[1]
    cos, sin = torch.select(by, 0, 0), torch.select(by, 0, 1)
    return [
        torch.sub(torch.mul(real, cos), torch.mul(imag, sin)),
        torch.add(torch.mul(real, sin), torch.mul(imag, cos)),
    ]


def matrix_of(
    radix: int, kept: int, given: int, wanted: int, forward: bool, scale: float, dtype: int
) -> torch.Tensor:
    """The matrix from the parts of `radix` elements to those of their first frequencies, scaled.

    There are as many as `given` and `wanted` parts: the real ones, or both.
    """
    table = roots(radix, kept, radix, forward, scale, dtype)
    cos, sin = torch.select(table, 0, 0), torch.select(table, 0, 1)
    real = torch.cat([cos, sin], 1) if wanted == 2 else cos
    if given == 1:
        return real
    imag = torch.cat([torch.neg(sin), cos], 1) if wanted == 2 else torch.neg(sin)
    return torch.cat([real, imag], 0)


def followed(sizes: List[int], more: List[int]) -> List[int]:
    """Sizes, and then more of them."""
    return sizes + more


def transformed_rows(
    parts: List[torch.Tensor], inner: List[int], kept: int, wanted: int, forward: bool, scale: float
) -> List[torch.Tensor]:
    """The first frequencies of [batch, size, *inner], scaled, as many parts as wanted.

    By stages, of which the first has the lowest digit of the frequency. `inner` is one size, or
    none: the product of the last stage is then of rows and a matrix, not of a matrix and columns.
    """
    batch, given, left = parts[0].size(0), len(parts), parts[0].size(1)
    dtype = parts[0].dtype
    is_short = len(inner) == 0
    width = 1 if is_short else inner[0]
    done = 1
    # [batch, done, parts, left, *inner]
    rows = torch.stack(parts, 1)
    found: List[torch.Tensor] = []
    for stage in range(64):
        if left > 1 or stage == 0:
            radix = next_radix(left, is_short)
            rest = left // radix
            columns, made, factor = radix, 2, 1.0
            if rest == 1:
                columns, made, factor = min(radix, (kept - 1) // done + 1), wanted, scale
            matrix = matrix_of(radix, columns, given, made, forward, factor, dtype)
            if rest == 1 and is_short:
                rows = torch.matmul(torch.reshape(rows, [-1, given * radix]), matrix)
            else:
                rows = torch.reshape(rows, [batch * done, given * radix, rest * width])
                # `matmul` would transpose the rows for one product of all.
                every = torch.unsqueeze(torch.transpose(matrix, 0, 1), 0)
                rows = torch.bmm(every.expand([rows.size(0), -1, -1]), rows)
            # No dimensions of size 1, whose permutation would be a copy.
            sizes = [batch, done] if done > 1 else [batch]
            dim = len(sizes)
            sizes.append(made)
            sizes.append(columns)
            if rest > 1:
                sizes.append(rest)
            rows = torch.reshape(rows, followed(sizes, inner))
            found = [torch.select(rows, dim, part) for part in range(made)]
            if rest > 1:
                turns = roots(radix, rest, left, forward, 1.0, dtype)
                found = turned(found, turns if is_short else torch.unsqueeze(turns, 3))
            if done > 1:
                found = [torch.transpose(part, 1, 2) for part in found]
            left, done, given = rest, columns * done, made
            if rest > 1:
                # Each part is written to its place.
                rows = torch.stack(found, dim + 1)
    found = [torch.reshape(part, followed([batch, done], inner)) for part in found]
    return [torch.ops.aten.slice(part, 1, 0, kept, 1) for part in found]


def transformed(
    parts: List[torch.Tensor], dim: int, kept: int, wanted: int, forward: bool, scale: float
) -> List[torch.Tensor]:
    """The first frequencies of a dimension of parts, scaled, as many parts as wanted."""
    rank = parts[0].dim()
    size = parts[0].size(dim)
    assert size > 0, "a transform has elements"
    batch, inner = 1, 1
    for each in range(dim):
        batch = batch * parts[0].size(each)
    for each in range(dim + 1, rank):
        inner = inner * parts[0].size(each)
    order: List[int] = []
    # If few elements follow, they are moved in front: vectors are then along the dimension.
    moves = dim + 1 < rank and is_known(inner) and inner < 8
    for each in range(dim):
        order.append(each)
    if moves:
        batch = batch * inner
        for each in range(dim + 1, rank):
            order.append(each)
    order.append(dim)
    if not moves:
        for each in range(dim + 1, rank):
            order.append(each)
    back: List[int] = []
    for each in range(rank):
        for place in range(rank):
            if order[place] == each:
                back.append(place)
    moved = [torch.permute(part, order) for part in parts]
    sizes: List[int] = []
    for each in range(rank):
        sizes.append(kept if order[each] == dim else moved[0].size(each))
    last: List[int] = []
    if not moves and dim + 1 < rank:
        last.append(inner)
    rows = [torch.reshape(part, followed([batch, size], last)) for part in moved]
    found = transformed_rows(rows, last, kept, wanted, forward, scale)
    return [torch.permute(torch.reshape(part, sizes), back) for part in found]


def transformed_dims(
    parts: List[torch.Tensor], dims: List[int], forward: bool, scale: float
) -> List[torch.Tensor]:
    """The transform of several dimensions, from the last, as parts; the first scales it."""
    rank = parts[0].dim()
    for index in range(len(dims)):
        dim = dims[len(dims) - 1 - index]
        dim = dim + rank if dim < 0 else dim
        factor = scale if index == len(dims) - 1 else 1.0
        parts = transformed(parts, dim, parts[0].size(dim), 2, forward, factor)
    return parts


def parts_of(self: torch.Tensor) -> List[torch.Tensor]:
    """The real and the imaginary parts of complex numbers."""
    return [real_of(self), imag_of(self)]


def transform_of_real(
    self: torch.Tensor, dims: List[int], onesided: bool, scale: float
) -> List[torch.Tensor]:
    """The scaled transform of real numbers, or the last dimension's frequencies that determine it.

    As parts.
    """
    last = dims[len(dims) - 1]
    last = last + self.dim() if last < 0 else last
    size = self.size(last)
    kept = size // 2 + 1 if onesided else size
    found = transformed([self], last, kept, 2, True, scale)
    others: List[int] = []
    for index in range(len(dims) - 1):
        others.append(dims[index])
    return transformed_dims(found, others, True, 1.0)


def real_of_half(
    parts: List[torch.Tensor], dims: List[int], size: int, scale: float
) -> torch.Tensor:
    """The real numbers, `size` along the last dimension, that have these frequencies, scaled."""
    others: List[int] = []
    for index in range(len(dims) - 1):
        others.append(dims[index])
    parts = transformed_dims(parts, others, False, 1.0)
    last = dims[len(dims) - 1]
    last = last + parts[0].dim() if last < 0 else last
    known = size // 2 + 1
    assert parts[0].size(last) == known, "PyTorch crops and fills other sizes in its own way"
    # The others are conjugate to known ones, in reverse.
    more = [
        torch.flip(torch.ops.aten.slice(part, last, 1, size - known + 1, 1), [last])
        for part in parts
    ]
    whole = [torch.cat([parts[0], more[0]], last), torch.cat([parts[1], torch.neg(more[1])], last)]
    return transformed(whole, last, size, 1, False, scale)[0]


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
