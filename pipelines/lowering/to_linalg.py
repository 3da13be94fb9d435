"""From the torch dialect to linalg on tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.passes.lowering.accumulate_in_f32 import AccumulateInF32
from torch_refine.passes.lowering.assert_guards import AssertGuards
from torch_refine.passes.lowering.assert_squeezed_sizes import AssertSqueezedSizes
from torch_refine.passes.lowering.bound_shift_amounts import BoundShiftAmounts
from torch_refine.passes.lowering.check_operand_sizes import CheckOperandSizes
from torch_refine.passes.lowering.compute_in_f32 import ComputeInF32
from torch_refine.passes.lowering.compute_scalars_as_python import ComputeScalarsAsPython
from torch_refine.passes.lowering.convert_runtime_asserts import ConvertRuntimeAsserts
from torch_refine.passes.lowering.crop_before_padding import CropBeforePadding
from torch_refine.passes.lowering.decompose_data_dependent_sizes import (
    DecomposeDataDependentSizes,
)
from torch_refine.passes.lowering.draw_from_seed import WHOLE as DRAWING
from torch_refine.passes.lowering.draw_from_seed import DrawFromSeed
from torch_refine.passes.lowering.drop_shape_notes import DropShapeNotes
from torch_refine.passes.lowering.drop_zero_asserts import DropZeroAsserts
from torch_refine.passes.lowering.floor_divide_integers import FloorDivideIntegers
from torch_refine.passes.lowering.fold_empty_loops import FoldEmptyLoops
from torch_refine.passes.lowering.fold_empty_tensors import FoldEmptyTensors
from torch_refine.passes.lowering.insert_bounds_checks import InsertBoundsChecks
from torch_refine.passes.lowering.keep_bools import KeepBools
from torch_refine.passes.lowering.keep_empty_sizes import KeepEmptySizes
from torch_refine.passes.lowering.keep_nans import KeepNans
from torch_refine.passes.lowering.lower_data_dependent_sizes import WHOLE as COUNTING
from torch_refine.passes.lowering.lower_data_dependent_sizes import LowerDataDependentSizes
from torch_refine.passes.lowering.make_value_semantic import MakeValueSemantic
from torch_refine.passes.lowering.match_scalars import MatchScalars
from torch_refine.passes.lowering.merge_batches import MergeBatches
from torch_refine.passes.lowering.trim_windows import TrimWindows
from torch_refine.passes.lowering.verify_lowerable import VerifyLowerable
from torch_refine.passes.lowering.verify_lowered import VerifyLowered
from torch_refine.passes.lowering.views_to_tensor import ViewsToTensor
from torch_refine.passes.lowering.widen_convolutions import WidenConvolutions
from torch_refine.passes.verify_backend_contract import VerifyBackendContract
from torch_refine.pipelines.elements import Element, OurPass, UpstreamPass
from torch_refine.pipelines.pipeline import Pipeline
from torch_refine.pipelines.refinement import RefinementPipeline

MODULE = ("builtin.module",)
FUNCTION = ("builtin.module", "func.func")
# What is lowered as it is, and must not be taken apart before.
_WHOLE = (*DRAWING, *COUNTING)


def upstream(anchors: tuple[str, ...], *texts: str) -> tuple[Element, ...]:
    """Passes of upstream MLIR or of the wheel."""
    return tuple(UpstreamPass(text, anchors) for text in texts)


@dataclass
class BackendContractPipeline(Pipeline):
    """Bring a program into the form that backends take: refined, value-semantic, decomposed."""

    name: ClassVar[str] = "torch-backend-contract-pipeline"

    def elements(self) -> tuple[Element, ...]:
        """Refine, make tensors values, refine what came of it, take operators apart, refine."""
        refine = RefinementPipeline(self.extra_library).elements()
        return (
            *refine,
            OurPass(MakeValueSemantic(), MODULE),
            *refine,
            OurPass(FoldEmptyTensors(), MODULE),
            OurPass(DecomposeDataDependentSizes(), MODULE),
            # Before operators are taken apart, and what they are made of.
            OurPass(VerifyLowerable(), MODULE),
            # Upstream folds a squeeze to its operand where their types are equal.
            OurPass(AssertSqueezedSizes(), MODULE),
            OurPass(ComputeInF32(), MODULE),
            # Whatever matches patterns folds, too.
            OurPass(MatchScalars(), MODULE),
            *upstream(FUNCTION, f"torch-decompose-complex-ops{{legal-ops={','.join(_WHOLE)}}}"),
            *refine,
            OurPass(FoldEmptyTensors(), MODULE),
            OurPass(VerifyLowerable(), MODULE),
            OurPass(VerifyBackendContract(), MODULE),
        )


@dataclass
class TorchToLinalgPipeline(Pipeline):
    """Lower a program to linalg on tensors; what has no lowering is an error at its op."""

    name: ClassVar[str] = "torch-to-linalg-pipeline"

    def elements(self) -> tuple[Element, ...]:
        """The backend contract, the wheel's conversions, then the types."""
        return (
            *BackendContractPipeline(self.extra_library).elements(),
            OurPass(AssertGuards(), MODULE),
            OurPass(ComputeScalarsAsPython(), MODULE),
            OurPass(MatchScalars(), MODULE),
            OurPass(ConvertRuntimeAsserts(), MODULE),
            OurPass(AssertSqueezedSizes(), MODULE),
            OurPass(DropShapeNotes(), MODULE),
            OurPass(WidenConvolutions(), MODULE),
            OurPass(ViewsToTensor(), MODULE),
            OurPass(LowerDataDependentSizes(), MODULE),
            OurPass(DrawFromSeed(), MODULE),
            *upstream(
                FUNCTION,
                "convert-torch-to-tmtensor",
                "canonicalize",
                "convert-torch-to-linalg",
            ),
            # Upstream's folds take no padding for a negative one.
            OurPass(CropBeforePadding(), MODULE),
            # Before accesses to constants are folded as if all indices were in range.
            OurPass(InsertBoundsChecks(constants_only=True), MODULE),
            *upstream(
                FUNCTION,
                "canonicalize",
                "convert-torch-to-scf",
                "convert-torch-to-arith",
                "convert-torch-to-tensor",
            ),
            OurPass(DropZeroAsserts(), MODULE),
            OurPass(KeepNans(), MODULE),
            OurPass(KeepBools(), MODULE),
            OurPass(AccumulateInF32(), MODULE),
            OurPass(FoldEmptyLoops(), MODULE),
            OurPass(TrimWindows(), MODULE),
            *upstream(MODULE, "convert-torch-conversion-to-mlprogram"),
            *upstream(FUNCTION, "canonicalize", "resolve-shaped-type-result-dims", "cse"),
            OurPass(VerifyLowered(), MODULE),
            *upstream(MODULE, "torch-func-backend-type-conversion"),
            *upstream(FUNCTION, "canonicalize", "torch-finalizing-backend-type-conversion"),
            OurPass(KeepEmptySizes(), MODULE),
            OurPass(MergeBatches(), MODULE),
            OurPass(CheckOperandSizes(), MODULE),
            OurPass(InsertBoundsChecks(), MODULE),
            OurPass(FloorDivideIntegers(), MODULE),
            OurPass(BoundShiftAmounts(), MODULE),
            # What the checks are made of stands where it would after another run.
            *upstream(FUNCTION, "resolve-shaped-type-result-dims", "canonicalize", "cse"),
            *upstream(MODULE, "torch-verify-linalg-on-tensors-backend-contract"),
        )
