"""torch-refine: shapes and dtypes for every value of a PyTorch program.

import torch_refine

module = torch_refine.load("model.mlir")
report = torch_refine.refine(module)
print(report)
torch_refine.save(module, "refined.mlir")
"""

from torch_refine.api import RefineError, Report, import_model, load, refine, save

__all__ = ["RefineError", "Report", "import_model", "load", "refine", "save"]
