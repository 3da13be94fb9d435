"""From linalg on tensors to PTX, and a host program that launches it through the CUDA driver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.passes.base import option
from torch_refine.passes.lowering.gpu.chips import NVIDIA, has_tensor_cores
from torch_refine.passes.lowering.gpu.launch_through_driver import LaunchThroughDriver
from torch_refine.passes.lowering.plan_workspace import PlanWorkspace
from torch_refine.pipelines.elements import Element, OurPass
from torch_refine.pipelines.lowering.cpu import to_llvm
from torch_refine.pipelines.lowering.gpu import linalg_to_launches, nvidia_kernels, outline
from torch_refine.pipelines.lowering.to_linalg import MODULE, TorchToLinalgPipeline, upstream
from torch_refine.pipelines.pipeline import Pipeline


@dataclass
class TorchToCudaPipeline(Pipeline):
    """Lower a program to PTX and to the llvm dialect for the host, which launches its kernels."""

    name: ClassVar[str] = "torch-to-cuda-pipeline"

    chip: str = option("sm_90", "the chip to generate code for", choices=NVIDIA)

    def elements(self) -> tuple[Element, ...]:
        """Linalg, launches, PTX, calls of the driver, LLVM."""
        return (
            *TorchToLinalgPipeline(self.extra_library).elements(),
            *self.launches(has_tensor_cores(self.chip)),
            *nvidia_kernels(self.chip),
            *to_driver_calls(),
        )

    @staticmethod
    def launches(tensor_cores: bool = True) -> tuple[Element, ...]:
        """Kernels in a module of their own, and a host program that launches them."""
        return (
            *linalg_to_launches(tensor_cores),
            OurPass(PlanWorkspace(), MODULE),
            *outline(),
        )


def to_driver_calls() -> tuple[Element, ...]:
    """The host program as a module of the llvm dialect, the kernels as an attribute of it."""
    return (
        *upstream(MODULE, "inline"),
        OurPass(LaunchThroughDriver(), MODULE),
        *upstream(MODULE, "canonicalize", "cse"),
        *to_llvm(),
    )
