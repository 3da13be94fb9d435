"""Emulate GPU kernels by loops on the CPU, to test their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.passes.base import option
from torch_refine.passes.lowering.gpu_emulation.gpu_launch_to_loops import GpuLaunchToLoops
from torch_refine.pipelines.elements import Element, OurPass
from torch_refine.pipelines.lowering.cpu import to_llvm
from torch_refine.pipelines.lowering.gpu import linalg_to_launches
from torch_refine.pipelines.lowering.to_linalg import (
    FUNCTION,
    MODULE,
    TorchToLinalgPipeline,
    upstream,
)
from torch_refine.pipelines.pipeline import Pipeline


@dataclass
class TorchToGpuOnCpuPipeline(Pipeline):
    """Lower a program as for a GPU, then its kernels to host loops."""

    name: ClassVar[str] = "torch-to-gpu-on-cpu-pipeline"

    reverse: bool = option(False, "whether the last thread of a block runs first")
    tensor_cores: bool = option(True, "whether contractions of 16-bit floats are those of sm_90")

    def elements(self) -> tuple[Element, ...]:
        """Linalg, launches, loops, the llvm dialect."""
        return (
            *TorchToLinalgPipeline(self.extra_library).elements(),
            *linalg_to_launches(self.tensor_cores),
            OurPass(GpuLaunchToLoops(self.reverse), MODULE),
            *upstream(
                FUNCTION,
                "refback-munge-memref-copy",
                "convert-linalg-to-loops",
                "canonicalize",
                "cse",
            ),
            *to_llvm(),
        )
