"""torch-refine: shapes and dtypes for every value of a PyTorch program.

import torch_refine

module = torch_refine.load("model.mlir")
report = torch_refine.refine(module)
print(report)
torch_refine.save(module, "refined.mlir")

torch_refine.infer("aten::mm", TensorSpec(["n", 3]), TensorSpec([3, 4]))
print(torch_refine.coverage("aten::stft.center"))
"""

from torch_refine.api import RefineError, Report, import_model, load, refine, save
from torch_refine.operator_coverage import OperatorCoverage, coverage
from torch_refine.passes.abstract_interpreter.calling import InferenceError, TensorSpec, infer

__all__ = [
    "InferenceError",
    "OperatorCoverage",
    "RefineError",
    "Report",
    "TensorSpec",
    "coverage",
    "import_model",
    "infer",
    "load",
    "refine",
    "save",
]
