"""Sums of products of batches, and the gradient of normalized weights."""

from typing import List, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    in_dtype,
    of_sizes,
)


@decomposition("aten::addbmm")
def addbmm(
    self: torch.Tensor,
    batch1: torch.Tensor,
    batch2: torch.Tensor,
    beta: Union[int, float, complex] = 1,
    alpha: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """The sum of the products of all matrices is one product of longer rows."""
    count, depth = batch1.size(0), batch1.size(2)
    left = torch.reshape(torch.permute(batch1, [1, 0, 2]), [batch1.size(1), count * depth])
    right = torch.reshape(batch2, [count * depth, batch2.size(2)])
    return torch.addmm(self, left, right, beta=beta, alpha=alpha)


@decomposition("aten::_weight_norm_interface_backward")
def weight_norm_backward(
    grad_w: torch.Tensor,
    saved_v: torch.Tensor,
    saved_g: torch.Tensor,
    saved_norms: torch.Tensor,
    dim: int,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The gradients of the direction v and of the length g of weights g v / |v|."""
    rank = saved_v.dim()
    assert dim == 0 or dim == rank - 1, "the norm must be over all dimensions but the first or last"
    wide = computation_dtype(saved_v.dtype)
    shape: List[int] = []
    over: List[int] = []
    for each in range(rank):
        shape.append(saved_v.size(each) if each == dim else 1)
        if each != dim:
            over.append(each)
    grad = of_sizes(in_dtype(grad_w, wide), saved_v.size())
    v = in_dtype(saved_v, wide)
    norms = of_sizes(in_dtype(saved_norms, wide), shape)
    g = of_sizes(in_dtype(saved_g, wide), shape)
    along = torch.sum(torch.mul(grad, v), over, True)
    inner = torch.mul(v, torch.div(along, torch.mul(norms, norms)))
    grad_v = torch.mul(torch.div(g, norms), torch.sub(grad, inner))
    grad_g = torch.div(along, norms)
    return in_dtype(grad_v, saved_v.dtype), in_dtype(grad_g, saved_g.dtype)


@decomposition("aten::_sparse_addmm")
def sparse_addmm(
    self: torch.Tensor,
    mat1: torch.Tensor,
    mat2: torch.Tensor,
    beta: Union[int, float, complex] = 1,
    alpha: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """`addmm`; all tensors are dense here."""
    return torch.addmm(self, mat1, mat2, beta=beta, alpha=alpha)
