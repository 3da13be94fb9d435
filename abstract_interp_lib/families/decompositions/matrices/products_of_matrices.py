"""Products of matrices in batches, of several matrices, and powers."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import as_row, has_bytes, in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import (
    complex_of,
    imag_of,
    is_covered,
    real_of,
)
from torch_refine.abstract_interp_lib.rules.formulas.matrices import batch_of, identities, in_batch
from torch_refine.abstract_interp_lib.rules.promotion import is_complex
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def product_of(sizes: List[int]) -> int:
    """The number of elements of a tensor."""
    count = 1
    for size in sizes:
        count *= size
    return count


def common_size(one: int, other: int) -> int:
    """The size of a dimension of two batches; sizes that differ are rejected by the expansion."""
    if is_known(one):
        return other if one == 1 else one
    if is_known(other):
        return one if other == 1 else other
    return max(one, other)


def common_batch(one: List[int], other: List[int]) -> List[int]:
    """The sizes that two batches are repeated to."""
    rank = max(len(one), len(other))
    sizes: List[int] = []
    for index in range(rank):
        first = index - rank + len(one)
        second = index - rank + len(other)
        size = one[first] if first >= 0 else 1
        sizes.append(common_size(size, other[second]) if second >= 0 else size)
    return sizes


def in_one_batch(self: torch.Tensor, batch: List[int]) -> torch.Tensor:
    """Matrices, repeated in a batch, whose dimensions become one."""
    repeated = in_batch(self, batch)
    if len(batch) == 1:
        return repeated
    return torch.reshape(repeated, [product_of(batch), self.size(-2), self.size(-1)])


@decomposition(
    "aten::matmul",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64), T(3, 2, dtype=torch.complex64)),
        Invocation(T(2, 3, dtype=torch.int8), T(3, dtype=torch.int8)),
    ],
)
def matmul(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """One product of matrices, or of one batch of them; four for complex numbers."""
    if is_complex(self.dtype):
        assert is_covered(self) and is_covered(other), "half precision has no complex type in MLIR"
        a, b, c, d = real_of(self), imag_of(self), real_of(other), imag_of(other)
        real = torch.sub(torch.matmul(a, c), torch.matmul(b, d))
        return complex_of(real, torch.add(torch.matmul(a, d), torch.matmul(b, c)))
    if has_bytes(self) and self.dim() <= 2 and other.dim() <= 2:
        wide = torch.matmul(in_dtype(self, torch.int32), in_dtype(other, torch.int32))
        return in_dtype(wide, self.dtype)
    assert self.dim() > 2 or other.dim() > 2, "these are converted as they are"
    if other.dim() <= 2:
        # The rows of all matrices are those of one.
        rows = self.size()[:-1]
        flat = torch.reshape(self, [product_of(rows), self.size(-1)])
        if other.dim() == 1:
            return torch.reshape(torch.mv(flat, other), rows)
        return torch.reshape(torch.mm(flat, other), rows + other.size()[1:])
    left = torch.unsqueeze(self, 0) if self.dim() == 1 else self
    right = other
    batch = common_batch(batch_of(left), batch_of(right))
    found = torch.bmm(in_one_batch(left, batch), in_one_batch(right, batch))
    if self.dim() == 1:
        return torch.reshape(found, batch + right.size()[-1:])
    if len(batch) == 1:
        return found
    return torch.reshape(found, batch + left.size()[-2:-1] + right.size()[-1:])


@decomposition("aten::linalg_matmul")
def linalg_matmul(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Another name of `matmul`."""
    return torch.matmul(self, other)


def linalg_matrix_power(self: torch.Tensor, n: int) -> torch.Tensor:
    """A product of squares of squares; for a negative exponent, of the inverse."""
    if n == 0:
        return identities(self, self.size(-1))
    square = self if n > 0 else torch.ops.aten.linalg_inv(self)
    rest = n if n > 0 else -n
    if rest == 3:
        # The order shows if elements overflow.
        return torch.matmul(torch.matmul(square, square), square)
    found = square
    is_first = True
    for _ in range(64):
        if rest % 2 == 1:
            found = square if is_first else torch.matmul(found, square)
            is_first = False
        rest = rest // 2
        if rest > 0:
            square = torch.matmul(square, square)
    return found


decomposition_family(linalg_matrix_power, "aten::linalg_matrix_power", "aten::matrix_power")


@decomposition("aten::linalg_multi_dot")
def linalg_multi_dot(tensors: List[torch.Tensor]) -> torch.Tensor:
    """From the end that has a vector; else from the first to the last."""
    count = len(tensors)
    if tensors[count - 1].dim() == 1:
        found = tensors[count - 1]
        for index in range(count - 1):
            found = torch.matmul(tensors[count - 2 - index], found)
        return found
    found = tensors[0]
    for index in range(count - 1):
        found = torch.matmul(found, tensors[index + 1])
    return found


@decomposition("aten::chain_matmul")
def chain_matmul(matrices: List[torch.Tensor]) -> torch.Tensor:
    """From the first to the last."""
    found = matrices[0]
    for index in range(len(matrices) - 1):
        found = torch.matmul(found, matrices[index + 1])
    return found


@decomposition("aten::linalg_vander")
def linalg_vander(x: torch.Tensor, N: Optional[int] = None) -> torch.Tensor:
    """Ones, and the products of the first elements of repeated ones."""
    rows = as_row(x)
    last = torch.unsqueeze(rows, -1)
    sizes = rows.size()
    sizes.append((rows.size(-1) if N is None else N) - 1)
    powers = torch.cumprod(last.expand(sizes), -1)
    return torch.cat([torch.ones_like(last, dtype=powers.dtype), powers], -1)


@decomposition("aten::matrix_exp_backward")
def matrix_exp_backward(self: torch.Tensor, grad: torch.Tensor) -> torch.Tensor:
    """The upper right block of the exponential of a matrix of four blocks."""
    assert not is_complex(self.dtype), "complex numbers are conjugated"
    size = self.size(-1)
    turned = torch.transpose(self, -2, -1)
    upper = torch.cat([turned, grad], -1)
    lower = torch.cat([torch.zeros_like(turned), turned], -1)
    found = torch.ops.aten.linalg_matrix_exp(torch.cat([upper, lower], -2))
    rows = torch.ops.aten.slice(found, -2, 0, size, 1)
    return torch.ops.aten.slice(rows, -1, size, 2 * size, 1)


@decomposition("aten::bilinear")
def bilinear(
    input1: torch.Tensor,
    input2: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor] = None,
) -> torch.Tensor:
    """Each row of one operand times a matrix times that of the other, for each matrix."""
    rows = input1.size()[:-1]
    left = torch.reshape(input1, [product_of(rows), input1.size(-1)])
    right = torch.reshape(input2, [product_of(rows), input2.size(-1)])
    found = torch.ops.aten._trilinear(left, weight, right, [1, 3], [0], [1, 2], [2, 3])
    found = torch.reshape(found, rows + weight.size()[:1])
    return found if bias is None else torch.add(found, bias)
