"""Inverses of Fourier transforms of Hermitian signals, over several dimensions.

The last dimension is transformed as real numbers, whose conjugate half is kept, the others as
complex ones; all have the normalization of inverse transforms.
"""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.transformed_dims import (
    all_resized,
    inverse_mode,
    transformed_dims,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_integral


@decomposition("aten::fft_ihfftn")
def fft_ihfftn(
    self: torch.Tensor,
    s: Optional[List[int]] = None,
    dim: Optional[List[int]] = None,
    norm: Optional[str] = None,
) -> torch.Tensor:
    """The transform of the dimensions, by default of as many as `s` has, or of all."""
    found = in_dtype(self, torch.float32) if is_integral(self.dtype) else self
    dims = transformed_dims(self, s, dim)
    found = all_resized(found, dims, s)
    mode = inverse_mode(norm)
    last = len(dims) - 1
    half = torch.conj_physical(torch.ops.aten._fft_r2c(found, [dims[last]], mode, True))
    return half if last == 0 else torch.ops.aten._fft_c2c(half, dims[:last], mode, False)


def of_two(
    self: torch.Tensor, s: Optional[List[int]], dim: List[int], norm: Optional[str]
) -> torch.Tensor:
    """`ihfftn` of two dimensions."""
    return torch.ops.aten.fft_ihfftn(self, s, dim, norm)


decomposition_family(of_two, "aten::fft_ihfft2")
