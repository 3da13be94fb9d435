"""Functions of each tensor of a list: `_foreach_abs`, `_foreach_sin`, `_foreach_norm`."""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_complex


@decomposition("aten::_foreach_abs")
def abs_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`abs` of each tensor."""
    return [torch.abs(tensor) for tensor in self]


@decomposition("aten::_foreach_acos")
def acos_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`acos` of each tensor."""
    return [torch.acos(tensor) for tensor in self]


@decomposition("aten::_foreach_asin")
def asin_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`asin` of each tensor."""
    return [torch.asin(tensor) for tensor in self]


@decomposition("aten::_foreach_atan")
def atan_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`atan` of each tensor."""
    return [torch.atan(tensor) for tensor in self]


@decomposition("aten::_foreach_ceil")
def ceil_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`ceil` of each tensor."""
    return [torch.ceil(tensor) for tensor in self]


@decomposition("aten::_foreach_cos")
def cos_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`cos` of each tensor."""
    return [torch.cos(tensor) for tensor in self]


@decomposition("aten::_foreach_cosh")
def cosh_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`cosh` of each tensor."""
    return [torch.cosh(tensor) for tensor in self]


@decomposition("aten::_foreach_erf")
def erf_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`erf` of each tensor."""
    return [torch.erf(tensor) for tensor in self]


@decomposition("aten::_foreach_erfc")
def erfc_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`erfc` of each tensor."""
    return [torch.erfc(tensor) for tensor in self]


@decomposition("aten::_foreach_exp")
def exp_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`exp` of each tensor."""
    return [torch.exp(tensor) for tensor in self]


@decomposition("aten::_foreach_expm1")
def expm1_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`expm1` of each tensor."""
    return [torch.expm1(tensor) for tensor in self]


@decomposition("aten::_foreach_floor")
def floor_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`floor` of each tensor."""
    return [torch.floor(tensor) for tensor in self]


@decomposition("aten::_foreach_frac")
def frac_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`frac` of each tensor."""
    return [torch.frac(tensor) for tensor in self]


@decomposition("aten::_foreach_lgamma")
def lgamma_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`lgamma` of each tensor."""
    return [torch.lgamma(tensor) for tensor in self]


@decomposition("aten::_foreach_log")
def log_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`log` of each tensor."""
    return [torch.log(tensor) for tensor in self]


@decomposition("aten::_foreach_log10")
def log10_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`log10` of each tensor."""
    return [torch.log10(tensor) for tensor in self]


@decomposition("aten::_foreach_log1p")
def log1p_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`log1p` of each tensor."""
    return [torch.log1p(tensor) for tensor in self]


@decomposition("aten::_foreach_log2")
def log2_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`log2` of each tensor."""
    return [torch.log2(tensor) for tensor in self]


@decomposition("aten::_foreach_neg")
def neg_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`neg` of each tensor."""
    return [torch.neg(tensor) for tensor in self]


@decomposition("aten::_foreach_reciprocal")
def reciprocal_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`reciprocal` of each tensor."""
    return [torch.reciprocal(tensor) for tensor in self]


@decomposition("aten::_foreach_round")
def round_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`round` of each tensor."""
    return [torch.round(tensor) for tensor in self]


@decomposition("aten::_foreach_rsqrt")
def rsqrt_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`rsqrt` of each tensor."""
    return [torch.rsqrt(tensor) for tensor in self]


@decomposition("aten::_foreach_sigmoid")
def sigmoid_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`sigmoid` of each tensor."""
    return [torch.sigmoid(tensor) for tensor in self]


@decomposition("aten::_foreach_sign")
def sign_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`sign` of each tensor."""
    return [torch.sign(tensor) for tensor in self]


@decomposition("aten::_foreach_sin")
def sin_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`sin` of each tensor."""
    return [torch.sin(tensor) for tensor in self]


@decomposition("aten::_foreach_sinh")
def sinh_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`sinh` of each tensor."""
    return [torch.sinh(tensor) for tensor in self]


@decomposition("aten::_foreach_sqrt")
def sqrt_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`sqrt` of each tensor."""
    return [torch.sqrt(tensor) for tensor in self]


@decomposition("aten::_foreach_tan")
def tan_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`tan` of each tensor."""
    return [torch.tan(tensor) for tensor in self]


@decomposition("aten::_foreach_tanh")
def tanh_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`tanh` of each tensor."""
    return [torch.tanh(tensor) for tensor in self]


@decomposition("aten::_foreach_trunc")
def trunc_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """`trunc` of each tensor."""
    return [torch.trunc(tensor) for tensor in self]


@decomposition("aten::_foreach_max")
def max_of_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """The largest element of each tensor."""
    return [torch.max(tensor) for tensor in self]


@decomposition("aten::_foreach_norm.Scalar")
def norm_of_each(
    self: List[torch.Tensor], ord: Union[int, float, complex] = 2, dtype: Optional[int] = None
) -> List[torch.Tensor]:
    """The norm of all elements of each tensor."""
    return [
        torch.ops.aten.linalg_vector_norm(tensor, ord, None, False, dtype=dtype) for tensor in self
    ]


@decomposition("aten::_foreach_powsum.Scalar")
def power_sum_of_each(
    self: List[torch.Tensor], ord: Union[int, float, complex] = 2, dtype: Optional[int] = None
) -> List[torch.Tensor]:
    """The sum of the powers of the magnitudes of each tensor, converted before."""
    found: List[torch.Tensor] = []
    for tensor in self:
        wide = tensor
        if dtype is not None:
            assert not is_complex(dtype) and not is_complex(tensor.dtype), "a real dtype"
            wide = in_dtype(tensor, dtype)
        found.append(torch.sum(torch.pow(torch.abs(wide), ord)))
    return found


@decomposition("aten::_foreach_zero")
def zero_for_each(self: List[torch.Tensor]) -> List[torch.Tensor]:
    """Zeros in the shape of each tensor."""
    return [torch.zeros_like(tensor) for tensor in self]


@decomposition("aten::_foreach_clone")
def clone_of_each(
    self: List[torch.Tensor], memory_format: Optional[int] = None
) -> List[torch.Tensor]:
    """A copy of each tensor."""
    return [torch.ops.aten.clone(tensor) for tensor in self]


@decomposition("aten::_foreach_copy")
def copy_of_each(
    self: List[torch.Tensor], src: List[torch.Tensor], non_blocking: bool = False
) -> List[torch.Tensor]:
    """Each source in the shape and dtype of its destination."""
    return [
        in_dtype(src[index], self[index].dtype).expand(self[index].size())
        for index in range(len(src))
    ]


@decomposition("aten::_foreach_mm")
def product_of_each_pair(self: List[torch.Tensor], mat2: List[torch.Tensor]) -> List[torch.Tensor]:
    """Each matrix times the matrix at the same index."""
    return [torch.mm(self[index], mat2[index]) for index in range(len(self))]
