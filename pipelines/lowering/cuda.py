"""From linalg on tensors to PTX, and a host program that launches it through the CUDA driver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.passes.base import option
from torch_refine.passes.lowering.buffers.plan_memory import PlanMemory
from torch_refine.passes.lowering.gpu.code.chips import NVIDIA, has_tensor_cores, has_warpgroups
from torch_refine.passes.lowering.gpu.host.launch_through_driver import LaunchThroughDriver
from torch_refine.pipelines.elements import Element, OurPass
from torch_refine.pipelines.lowering.cpu import to_llvm
from torch_refine.pipelines.lowering.gpu import linalg_to_launches, nvidia_kernels, outline
from torch_refine.pipelines.lowering.to_linalg import MODULE, TorchToLinalgPipeline, upstream
from torch_refine.pipelines.pipeline import StagedPipeline


@dataclass
class TorchToCudaPipeline(StagedPipeline):
    """Lower a program to PTX and to the llvm dialect for the host, which launches its kernels."""

    name: ClassVar[str] = "torch-to-cuda-pipeline"

    chip: str = option("sm_90", "the chip to generate code for", choices=NVIDIA)

    def stages(self) -> dict[str, tuple[Element, ...]]:
        """Stages up to linalg, and `code`: PTX, and the llvm dialect for the host."""
        return {
            **TorchToLinalgPipeline(self.extra_library).stages(),
            "code": (
                *self.launches(has_tensor_cores(self.chip), has_warpgroups(self.chip)),
                *nvidia_kernels(self.chip),
                *to_driver_calls(),
            ),
        }

    @staticmethod
    def launches(tensor_cores: bool = True, warpgroups: bool = False) -> tuple[Element, ...]:
        """Outline kernels into GPU modules, and launch them from a host program."""
        return (
            *linalg_to_launches(tensor_cores, warpgroups),
            OurPass(PlanMemory(), MODULE),
            *outline(),
        )


def to_driver_calls() -> tuple[Element, ...]:
    """The host program as a module of the llvm dialect, with the kernels as an attribute."""
    return (
        *upstream(MODULE, "inline"),
        OurPass(LaunchThroughDriver(), MODULE),
        *upstream(MODULE, "canonicalize", "cse"),
        *to_llvm(),
    )
