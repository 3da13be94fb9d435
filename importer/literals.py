"""Weights and other constant tensors as attributes.

This module loads PyTorch; `import_model` loads it on first use.
"""

from __future__ import annotations

import torch
from torch._subclasses import FakeTensor
from torch_refine.dialect.bindings import ir


def tensor_attribute(tensor: torch.Tensor, type: ir.RankedTensorType, name: str) -> ir.Attribute:
    """The values of a tensor as an elements attribute of `type`, in `type`'s context.

    The values are copied: later changes of the model do not affect the module. Tensors of more than
    one element become a resource called `name` (made unique if taken), which printing can elide;
    scalars and booleans become dense attributes.

    Raises:
        TypeError: the tensor is not dense, or has no values (a fake or meta tensor).
    """
    tensor = tensor.detach()
    if tensor.layout != torch.strided or tensor.is_quantized:
        kind = "quantized" if tensor.is_quantized else tensor.layout
        raise TypeError(f"constant {name!r} is a {kind} tensor; only dense ones can be imported")
    if tensor.is_meta or isinstance(tensor, FakeTensor):
        raise TypeError(f"constant {name!r} has no values: it is a fake or meta tensor")
    # Without the memory format a channels-last weight would keep its strides.
    tensor = tensor.cpu().resolve_conj().resolve_neg().clone(memory_format=torch.contiguous_format)
    element, shape = type.element_type, type.shape
    if tensor.numel() == 0 and not tensor.is_complex():
        return ir.Attribute.parse(f"dense<> : {type}", type.context)
    if tensor.dtype == torch.bool:
        return ir.DenseElementsAttr.get(tensor.numpy(), type=element, shape=shape)
    if tensor.numel() == 1 and tensor.is_floating_point():
        # NumPy lacks bfloat16 and the 8-bit floats; MLIR builds them from a scalar.
        return ir.DenseElementsAttr.get_splat(type, ir.FloatAttr.get(element, tensor.item()))
    if tensor.numel() <= 1 and tensor.dtype != torch.complex32:
        return ir.DenseElementsAttr.get(tensor.numpy(), type=element, shape=shape)
    data = tensor.flatten().view(torch.uint8).numpy().data
    alignment = tensor.element_size()
    return ir.DenseResourceElementsAttr.get_from_buffer(data, name, type, alignment=alignment)
