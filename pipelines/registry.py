"""All named pipelines, each loaded when used."""

from __future__ import annotations

from torch_refine.passes.registry import Registry
from torch_refine.pipelines.pipeline import Pipeline

_BY_MODULE = {
    "torch_refine.pipelines.refinement": {
        "torch-shape-refinement-pipeline": "ShapeRefinementPipeline",
        "torch-dtype-refinement-pipeline": "DtypeRefinementPipeline",
        "torch-reified-refinement-pipeline": "ReifiedRefinementPipeline",
        "torch-refinement-pipeline": "RefinementPipeline",
    },
    "torch_refine.pipelines.onnx": {
        "torch-onnx-to-torch-pipeline": "TorchOnnxToTorchPipeline",
    },
    "torch_refine.pipelines.lowering.to_linalg": {
        "torch-backend-contract-pipeline": "BackendContractPipeline",
        "torch-to-linalg-pipeline": "TorchToLinalgPipeline",
    },
    "torch_refine.pipelines.lowering.cpu": {"torch-to-cpu-pipeline": "TorchToCpuPipeline"},
    "torch_refine.pipelines.lowering.cuda": {"torch-to-cuda-pipeline": "TorchToCudaPipeline"},
    "torch_refine.pipelines.lowering.gpu": {
        "torch-to-nvgpu-pipeline": "TorchToNvgpuPipeline",
        "torch-to-amdgpu-pipeline": "TorchToAmdgpuPipeline",
    },
    "torch_refine.pipelines.lowering.gpu_on_cpu": {
        "torch-to-gpu-on-cpu-pipeline": "TorchToGpuOnCpuPipeline"
    },
}

PIPELINES: Registry[Pipeline] = Registry(
    {
        flag: f"{module}:{owner}"
        for module, owners in _BY_MODULE.items()
        for flag, owner in owners.items()
    }
)
