"""Products of matrices of 8-bit floats and integers with scales, as on a CPU: in float32.

Floats are multiplied by scales first: one of each matrix, or one of each row of the first and of
each column of the second.
"""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_float8
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def has_one_element(self: torch.Tensor) -> bool:
    """Whether a tensor is known to have one element."""
    for dim in range(self.dim()):
        if not is_known(self.size(dim)) or self.size(dim) != 1:
            return False
    return True


def scaled_product(
    self: torch.Tensor,
    mat2: torch.Tensor,
    scale_a: torch.Tensor,
    scale_b: torch.Tensor,
    bias: Optional[torch.Tensor],
    out_dtype: Optional[int],
) -> torch.Tensor:
    """The product in float32, plus a bias, converted to the first matrix's dtype or another."""
    assert is_float8(self.dtype) and is_float8(mat2.dtype), "matrices are of 8-bit floats"
    assert scale_a.dtype == torch.float32 and scale_b.dtype == torch.float32, "scales are floats"
    scalar: List[int] = []
    left, right = in_dtype(self, torch.float32), in_dtype(mat2, torch.float32)
    are_vectors = scale_a.dim() < 2 and scale_b.dim() < 2
    if are_vectors or (has_one_element(scale_a) and has_one_element(scale_b)):
        left = torch.mul(left, torch.reshape(scale_a, scalar))
        right = torch.mul(right, torch.reshape(scale_b, scalar))
    else:
        assert scale_a.dim() == 2 and scale_b.dim() == 2, "there is a scale for each row"
        assert scale_a.size(0) == self.size(0) and scale_b.size(1) == mat2.size(1)
        assert scale_a.size(1) == 1 and scale_b.size(0) == 1
        left, right = torch.mul(left, scale_a), torch.mul(right, scale_b)
    product = torch.mm(left, right)
    if bias is not None:
        product = in_dtype(torch.add(product, bias), torch.float32)
    result: int = self.dtype
    if out_dtype is not None:
        result = out_dtype
    return in_dtype(product, result)


@decomposition("aten::_scaled_mm")
def scaled_mm(
    self: torch.Tensor,
    mat2: torch.Tensor,
    scale_a: torch.Tensor,
    scale_b: torch.Tensor,
    bias: Optional[torch.Tensor] = None,
    scale_result: Optional[torch.Tensor] = None,
    out_dtype: Optional[int] = None,
    use_fast_accum: bool = False,
) -> torch.Tensor:
    """CPUs ignore the scale of a result, which other devices may not."""
    assert scale_result is None, "a result is not scaled"
    return scaled_product(self, mat2, scale_a, scale_b, bias, out_dtype)


@decomposition("aten::_weight_int8pack_mm")
def weight_int8pack_mm(
    self: torch.Tensor, mat2: torch.Tensor, scales: torch.Tensor
) -> torch.Tensor:
    """The products of rows of floats with rows of integers, which have a scale each."""
    weights = torch.transpose(in_dtype(mat2, torch.float32), 0, 1)
    product = torch.mm(in_dtype(self, torch.float32), weights)
    return in_dtype(torch.mul(product, in_dtype(scales, torch.float32)), self.dtype)
