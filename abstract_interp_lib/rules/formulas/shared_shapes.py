"""Tensors broadcast to the shape that they have in common."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def wider(left: int, right: int) -> int:
    """The size that two sizes broadcast to; unknown ones that differ are not 0."""
    if is_known(left) and left == 1:
        return right
    if is_known(right) and right == 1:
        return left
    return max(left, right)


def broadcast_all(tensors: List[torch.Tensor]) -> List[torch.Tensor]:
    """`broadcast_to` the shape that all have in common."""
    rank = 0
    for tensor in tensors:
        rank = max(rank, tensor.dim())
    sizes: List[int] = []
    for dim in range(rank):
        size = 1
        for tensor in tensors:
            place = dim + tensor.dim() - rank
            if place >= 0:
                size = wider(size, tensor.size(place))
        sizes.append(size)
    return [torch.broadcast_to(tensor, sizes) for tensor in tensors]
