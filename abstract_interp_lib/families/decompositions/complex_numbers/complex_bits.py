"""Views of complex tensors with another dtype, by those of their parts."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import as_row
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import is_covered, real_dtype


def with_last(self: torch.Tensor, sizes: List[int]) -> List[int]:
    """The sizes of a tensor, but other ones for its last dimension."""
    out: List[int] = []
    for dim in range(self.dim() - 1):
        out.append(self.size(dim))
    for size in sizes:
        out.append(size)
    return out


def complex_bits(self: torch.Tensor, dtype: int) -> torch.Tensor:
    """Neighbours are the real and the imaginary part."""
    is_result = dtype == torch.complex64 or dtype == torch.complex128
    assert is_result or is_covered(self), "concerns only complex numbers"
    row = as_row(self)
    if is_covered(self):
        sizes = with_last(row, [row.size(-1) * 2])
        row = torch.reshape(torch.view_as_real(row), sizes)
    wanted = real_dtype(dtype) if is_result else dtype
    row = row if row.dtype == wanted else torch.ops.aten.view_copy(row, dtype=wanted)
    if is_result:
        row = torch.view_as_complex(torch.reshape(row, with_last(row, [row.size(-1) // 2, 2])))
    return torch.reshape(row, []) if self.dim() == 0 else row


decomposition_family(
    complex_bits,
    "aten::view.dtype",
    "aten::view_copy.dtype",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64), torch.float64),
        Invocation(T(2, 3, dtype=torch.complex128), torch.int16),
        Invocation(T(2, 4), torch.complex64),
        Invocation(T(2, 8, dtype=torch.int16), torch.complex64),
        Invocation(T(2, 4, dtype=torch.complex64), torch.complex128),
        Invocation(T(dtype=torch.complex64), torch.int64),
        Invocation(T(dtype=torch.float64), torch.complex64),
    ],
)
