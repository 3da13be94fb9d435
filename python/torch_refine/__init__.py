"""torch-refine: shapes and dtypes for every value of a PyTorch program.

import torch_refine

module = torch_refine.load("model.mlir")
report = torch_refine.refine(module)
print(report)
torch_refine.save(module, "refined.mlir")

spec = torch_refine.TensorSpec
print(torch_refine.infer("aten::mm", spec(["n", 3]), spec([3, 4])))
print(torch_refine.coverage("aten::index.Tensor"))

compiled = torch_refine.compile(model, example_inputs)
compiled.save("model.compiled")
torch_refine.load_compiled("model.compiled")   # without PyTorch
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from torch_refine.abstract_interpreter.calling import InferenceError, TensorSpec, infer
from torch_refine.api import (
    RefineError,
    Report,
    import_model,
    load,
    refine,
    save,
    shape_function,
    specialize_symbols,
)
from torch_refine.operator_coverage import OperatorCoverage, coverage

if TYPE_CHECKING:
    from torch_refine.passes.shape_functions.shape_function import ShapeFunction
    from torch_refine.passes.shape_functions.sizes import ShapeError
    from torch_refine.runtime.compiled import (
        CompiledModule,
        CompileError,
        GradientError,
        GuardError,
        WeightError,
        compile,
    )
    from torch_refine.runtime.partition.partitioned import PartitionedModule
    from torch_refine.runtime.saved import LoadedModule, LoadError, load_compiled

# Imported lazily, as refinement does not need them.
_LATE = {
    "CompileError": "runtime.compiled",
    "CompiledModule": "runtime.compiled",
    "GradientError": "runtime.compiled",
    "GuardError": "runtime.compiled",
    "LoadError": "runtime.saved",
    "LoadedModule": "runtime.saved",
    "PartitionedModule": "runtime.partition.partitioned",
    "ShapeError": "passes.shape_functions.sizes",
    "ShapeFunction": "passes.shape_functions.shape_function",
    "WeightError": "runtime.compiled",
    "compile": "runtime.compiled",
    "load_compiled": "runtime.saved",
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"torch_refine.{_LATE[name]}"), name)


__all__ = [
    "CompileError",
    "CompiledModule",
    "GradientError",
    "GuardError",
    "InferenceError",
    "LoadError",
    "LoadedModule",
    "OperatorCoverage",
    "PartitionedModule",
    "RefineError",
    "Report",
    "ShapeError",
    "ShapeFunction",
    "TensorSpec",
    "WeightError",
    "compile",
    "coverage",
    "import_model",
    "infer",
    "load",
    "load_compiled",
    "refine",
    "save",
    "shape_function",
    "specialize_symbols",
]
