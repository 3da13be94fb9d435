"""Contractions, in forms that are converted correctly."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import has_bytes, in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_complex
from torch_refine.abstract_interp_lib.rules.unknown import is_known


@decomposition("aten::mm", ok=[Invocation(T(2, 3, dtype=torch.int8), T(3, 2, dtype=torch.int8))])
def mm(self: torch.Tensor, mat2: torch.Tensor) -> torch.Tensor:
    """In 32 bits, with the same wrap-around; signed bytes are converted as if quantized."""
    assert has_bytes(self), "concerns only 8-bit integers"
    found = torch.mm(in_dtype(self, torch.int32), in_dtype(mat2, torch.int32))
    return in_dtype(found, self.dtype)


@decomposition(
    "aten::bmm", ok=[Invocation(T(2, 2, 3, dtype=torch.uint8), T(2, 3, 2, dtype=torch.uint8))]
)
def bmm(self: torch.Tensor, mat2: torch.Tensor) -> torch.Tensor:
    """In 32 bits, with the same wrap-around; signed bytes are converted as if quantized."""
    assert has_bytes(self), "concerns only 8-bit integers"
    found = torch.bmm(in_dtype(self, torch.int32), in_dtype(mat2, torch.int32))
    return in_dtype(found, self.dtype)


def has_dim(dims: List[int], dim: int, rank: int) -> bool:
    """Whether a dimension is listed, maybe as a negative one."""
    return dim in dims or dim - rank in dims


def expanded(self: torch.Tensor, dims: List[int], rank: int, dtype: int) -> torch.Tensor:
    """A tensor with dimensions of size 1 added."""
    found = in_dtype(self, dtype)
    for dim in range(rank):
        if has_dim(dims, dim, rank):
            found = torch.unsqueeze(found, dim)
    return found


def summed_over(self: torch.Tensor, dims: List[int]) -> torch.Tensor:
    """Sums along dimensions, if there are any, which remain with size 1."""
    return torch.sum(self, dims, True) if len(dims) > 0 else self


@decomposition(
    "aten::_trilinear",
    ok=[
        Invocation(T(5, 2), T(4, 2, 3), T(5, 3), [1, 3], [0], [1, 2], [2, 3]),
        Invocation(
            T(5, 2, dtype=torch.float16),
            T(4, 2, 3, dtype=torch.float16),
            T(5, 3, dtype=torch.float16),
            [1, 3],
            [0],
            [1, 2],
            [2, 3],
        ),
    ],
)
def _trilinear(
    i1: torch.Tensor,
    i2: torch.Tensor,
    i3: torch.Tensor,
    expand1: List[int],
    expand2: List[int],
    expand3: List[int],
    sumdim: List[int],
    unroll_dim: int = 1,
) -> torch.Tensor:
    """Sum the products of the first two operands before multiplying by the third.

    PyTorch's kernel does so; with infinities the order matters. For 16-bit floats, neither products
    nor sums are rounded in between.
    """
    assert not is_complex(i1.dtype), "products of complex numbers are not summed here"
    is_half = i1.dtype == torch.float16 or i1.dtype == torch.bfloat16
    wide = torch.float32 if is_half else i1.dtype
    rank = i1.dim() + len(expand1)
    first = expanded(i1, expand1, rank, wide)
    second = expanded(i2, expand2, rank, wide)
    third = expanded(i3, expand3, rank, wide)
    shape: List[int] = []
    before: List[int] = []
    behind: List[int] = []
    is_empty = False
    for dim in range(rank):
        # The size of the last operand that has the dimension; 0 if none has it.
        size = 0 if has_dim(expand1, dim, rank) else first.size(dim)
        size = size if has_dim(expand2, dim, rank) else second.size(dim)
        size = size if has_dim(expand3, dim, rank) else third.size(dim)
        if not has_dim(sumdim, dim, rank):
            shape.append(size)
            if is_known(size):
                is_empty = is_empty or size == 0
        elif has_dim(expand3, dim, rank):
            before.append(dim)
        else:
            behind.append(dim)
    if is_empty:
        # Nothing is computed, and so nothing broadcast.
        return torch.zeros(shape, dtype=i1.dtype)
    sums = summed_over(torch.mul(first, second), before)
    found = summed_over(torch.mul(sums, third), behind)
    for index in range(rank):
        if has_dim(sumdim, rank - 1 - index, rank):
            found = torch.squeeze(found, rank - 1 - index)
    return in_dtype(found, i1.dtype)
