"""All named pipelines."""

from __future__ import annotations

from torch_refine.pipelines.lowering.cpu import TorchToCpuPipeline
from torch_refine.pipelines.lowering.cuda import TorchToCudaPipeline
from torch_refine.pipelines.lowering.gpu import TorchToAmdgpuPipeline, TorchToNvgpuPipeline
from torch_refine.pipelines.lowering.gpu_on_cpu import TorchToGpuOnCpuPipeline
from torch_refine.pipelines.lowering.to_linalg import BackendContractPipeline, TorchToLinalgPipeline
from torch_refine.pipelines.pipeline import Pipeline
from torch_refine.pipelines.refinement import (
    DtypeRefinementPipeline,
    RefinementPipeline,
    ReifiedRefinementPipeline,
    ShapeRefinementPipeline,
)

_ALL: tuple[type[Pipeline], ...] = (
    ShapeRefinementPipeline,
    DtypeRefinementPipeline,
    ReifiedRefinementPipeline,
    RefinementPipeline,
    BackendContractPipeline,
    TorchToLinalgPipeline,
    TorchToCpuPipeline,
    TorchToCudaPipeline,
    TorchToNvgpuPipeline,
    TorchToAmdgpuPipeline,
    TorchToGpuOnCpuPipeline,
)

PIPELINES: dict[str, type[Pipeline]] = {each.name: each for each in _ALL}
