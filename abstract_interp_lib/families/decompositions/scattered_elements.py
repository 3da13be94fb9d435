"""Elements that are written to places of a tensor in memory or by a mask, and zeros."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import asserted, in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.scattering import count_of


@decomposition("aten::as_strided_scatter", ok=[Invocation(T(4, 5), T(2, 2), [2, 2], [6, 1], 3)])
def as_strided_scatter(
    self: torch.Tensor,
    src: torch.Tensor,
    size: List[int],
    stride: List[int],
    storage_offset: Optional[int] = None,
) -> torch.Tensor:
    """Elements at multiples of the strides are replaced in a contiguous tensor."""
    place = torch.zeros([1], dtype=torch.int64)
    if storage_offset is not None:
        place = torch.full([1], storage_offset, dtype=torch.int64)
    count = 1
    for dim in range(len(size)):
        is_apart = torch.full([1], stride[dim], dtype=torch.int64) != 0
        is_one = torch.full([1], size[dim], dtype=torch.int64) <= 1
        place = asserted(place, torch.logical_or(is_apart, is_one), "elements overlap in memory")
        steps = torch.mul(torch.arange(size[dim], dtype=torch.int64), stride[dim])
        count *= size[dim]
        place = torch.reshape(torch.add(torch.unsqueeze(place, 1), steps), [count])
    flat = torch.reshape(self, [count_of(self.size())])
    given = torch.reshape(in_dtype(src, self.dtype), [count])
    return torch.reshape(torch.scatter(flat, 0, place, given), self.size())


@decomposition(
    "aten::masked_scatter_backward",
    ok=[
        Invocation(T(2, 3), T(2, 3, dtype=torch.bool), [7]),
        Invocation(T(2, 3), T(3, dtype=torch.bool), [3, 2]),
    ],
)
def masked_scatter_backward(
    grad_output: torch.Tensor, mask: torch.Tensor, sizes: List[int]
) -> torch.Tensor:
    """The gradients where the mask is true, in order, then zeros."""
    count = count_of(sizes)
    elements = grad_output.numel()
    flat = torch.reshape(mask.expand(grad_output.size()), [elements])
    # What is masked out goes to an element in front.
    place = torch.where(
        flat, torch.cumsum(in_dtype(flat, torch.int64), 0), torch.zeros([1], dtype=torch.int64)
    )
    zeros = torch.zeros([count + 1], dtype=grad_output.dtype)
    found = torch.scatter_add(zeros, 0, place, torch.reshape(grad_output, [elements]))
    return torch.reshape(torch.ops.aten.slice(found, 0, 1, count + 1, 1), sizes)


@decomposition("aten::_efficientzerotensor")
def efficientzerotensor(
    size: List[int],
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
) -> torch.Tensor:
    """Zeros, which eager mode does not store."""
    return torch.zeros(size, dtype=dtype)
