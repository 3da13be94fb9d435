"""Operators on three tensors at the same index of lists: `_foreach_addcmul`, `_foreach_lerp`."""

from typing import List, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition


@decomposition("aten::_foreach_addcdiv.Scalar")
def addcdiv_each(
    self: List[torch.Tensor],
    tensor1: List[torch.Tensor],
    tensor2: List[torch.Tensor],
    value: Union[int, float, complex] = 1,
) -> List[torch.Tensor]:
    """`addcdiv` of the tensors at the same index."""
    return [
        torch.addcdiv(self[index], tensor1[index], tensor2[index], value=value)
        for index in range(len(self))
    ]


@decomposition("aten::_foreach_addcdiv.ScalarList")
def addcdiv_each_by_numbers(
    self: List[torch.Tensor],
    tensor1: List[torch.Tensor],
    tensor2: List[torch.Tensor],
    scalars: List[Union[int, float, complex]],
) -> List[torch.Tensor]:
    """`addcdiv` of the tensors and the number at the same index."""
    return [
        torch.addcdiv(self[index], tensor1[index], tensor2[index], value=scalars[index])
        for index in range(len(self))
    ]


@decomposition("aten::_foreach_addcmul.Scalar")
def addcmul_each(
    self: List[torch.Tensor],
    tensor1: List[torch.Tensor],
    tensor2: List[torch.Tensor],
    value: Union[int, float, complex] = 1,
) -> List[torch.Tensor]:
    """`addcmul` of the tensors at the same index."""
    return [
        torch.addcmul(self[index], tensor1[index], tensor2[index], value=value)
        for index in range(len(self))
    ]


@decomposition("aten::_foreach_addcmul.ScalarList")
def addcmul_each_by_numbers(
    self: List[torch.Tensor],
    tensor1: List[torch.Tensor],
    tensor2: List[torch.Tensor],
    scalars: List[Union[int, float, complex]],
) -> List[torch.Tensor]:
    """`addcmul` of the tensors and the number at the same index."""
    return [
        torch.addcmul(self[index], tensor1[index], tensor2[index], value=scalars[index])
        for index in range(len(self))
    ]


@decomposition("aten::_foreach_lerp.List")
def lerp_each_list(
    self: List[torch.Tensor], tensors1: List[torch.Tensor], weights: List[torch.Tensor]
) -> List[torch.Tensor]:
    """Between the tensors at the same index."""
    return [torch.lerp(self[index], tensors1[index], weights[index]) for index in range(len(self))]


@decomposition("aten::_foreach_lerp.Scalar")
def lerp_each_scalar(
    self: List[torch.Tensor], tensors1: List[torch.Tensor], weight: Union[int, float, complex]
) -> List[torch.Tensor]:
    """Between the tensors at the same index."""
    return [torch.lerp(self[index], tensors1[index], weight) for index in range(len(self))]


@decomposition("aten::_foreach_lerp.ScalarList")
def lerp_each_scalarlist(
    self: List[torch.Tensor], tensors1: List[torch.Tensor], weight: List[Union[int, float, complex]]
) -> List[torch.Tensor]:
    """Between the tensors at the same index."""
    return [torch.lerp(self[index], tensors1[index], weight[index]) for index in range(len(self))]
