"""From ONNX operators to refined PyTorch operators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.passes.base import option
from torch_refine.passes.fold_static_info_casts import FoldStaticInfoCasts
from torch_refine.passes.onnx.convert_onnx_operators import ConvertOnnxOperators
from torch_refine.passes.onnx.verify_onnx_converted import VerifyOnnxConverted
from torch_refine.passes.refine_public_return import RefinePublicReturn
from torch_refine.passes.refine_types import INVALID_PROGRAM, RefineTypes
from torch_refine.pipelines.elements import Element, OurPass, Repeat, UpstreamPass
from torch_refine.pipelines.pipeline import Pipeline

_MODULE = ("builtin.module",)
_FUNCTION = ("builtin.module", "func.func")


@dataclass
class TorchOnnxToTorchPipeline(Pipeline):
    """Convert a program of ONNX operators to PyTorch's, and infer all shapes and dtypes.

    Conversions require types that only refinement infers, so both alternate until neither changes
    the program. Computations on shapes become scalar arithmetic. A remaining operator is an error.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3,?],f32>) -> !torch.vtensor attributes {torch.onnx_meta.opset_version = 20 : si64} {
      %0 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor
      %1 = torch.operator "onnx.MatMul"(%0, %arg1) : (!torch.vtensor, !torch.vtensor<[3,?],f32>) -> !torch.vtensor
      return %1 : !torch.vtensor
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3,?],f32>) -> !torch.vtensor<[2,?],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
      %0 = torch.aten.relu %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
      %1 = torch.aten.matmul %0, %arg1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[3,?],f32> -> !torch.vtensor<[2,?],f32>
      return %1 : !torch.vtensor<[2,?],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-onnx-to-torch-pipeline"

    invalid_program: str = option(
        "error", "what an operator that always raises is, or a wrong declaration", INVALID_PROGRAM
    )
    max_iterations: int = option(100, "the maximum number of conversions and refinements")

    def elements(self) -> tuple[Element, ...]:
        """Conversion and refinement to a fixed point; then public results."""
        refine = RefineTypes(self.extra_library, self.invalid_program)
        # An operator is converted for the type of its operand, not for that of a cast of it.
        both = (
            OurPass(ConvertOnnxOperators(), _MODULE),
            # Shapes are tensors in ONNX; as scalars, a size of -1 is recognized.
            UpstreamPass("torch-scalarize-shapes", _FUNCTION),
            OurPass(refine, _MODULE),
            OurPass(FoldStaticInfoCasts(), _MODULE),
        )
        last = (VerifyOnnxConverted(), RefinePublicReturn())
        return (
            Repeat(both, self.max_iterations),
            *(OurPass(each, _MODULE) for each in last),
        )
