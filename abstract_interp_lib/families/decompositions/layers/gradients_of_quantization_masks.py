"""Gradients that a mask of quantized elements lets through."""

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition_family


def masked_gradient(grad: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The gradient times the mask."""
    return torch.mul(grad, mask)


decomposition_family(
    masked_gradient,
    "aten::fake_quantize_per_channel_affine_cachemask_backward",
    "aten::fake_quantize_per_tensor_affine_cachemask_backward",
)
