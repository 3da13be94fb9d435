"""Models and tensors on devices that the machine lacks, as fake tensors."""

from __future__ import annotations

from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.export import ExportedProgram
from torch.utils import _pytree as pytree
from torch_refine.importer.export import export_program

CUDA = torch.device("cuda:0")


def exported_on(
    device: torch.device,
    model: torch.nn.Module,
    inputs: tuple[Any, ...],
    dynamic_shapes: Any = None,
) -> ExportedProgram:
    """The program that PyTorch exports for a model on a device; the weights of `model` are lost."""
    mode = FakeTensorMode()

    def on_device(value: torch.Tensor) -> torch.Tensor:
        return FakeTensor(mode, value.detach().to("meta"), device)

    for module in model.modules():
        for name, weight in module._parameters.items():
            if weight is not None:
                fake = torch.nn.Parameter(on_device(weight), requires_grad=False)
                module._parameters[name] = fake
        for name, buffer in module._buffers.items():
            if buffer is not None:
                module._buffers[name] = on_device(buffer)
    examples = pytree.tree_map_only(torch.Tensor, on_device, inputs)
    return export_program(model, examples, {}, dynamic_shapes)
