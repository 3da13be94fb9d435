"""From the torch dialect to linalg on tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.passes.base import option
from torch_refine.passes.decompose_ops import DecomposeOps
from torch_refine.passes.insert_error_guards import InsertErrorGuards
from torch_refine.passes.lowering.elements.lower_bit_casts import LowerBitCasts
from torch_refine.passes.lowering.elements.lower_element_functions import LowerElementFunctions
from torch_refine.passes.lowering.elements.lower_element_scatters import LowerElementScatters
from torch_refine.passes.lowering.elements.lower_index_reduce import LowerIndexReduce
from torch_refine.passes.lowering.elements.lower_logcumsumexp import LowerLogcumsumexp
from torch_refine.passes.lowering.elements.lower_running_extremes import LowerRunningExtremes
from torch_refine.passes.lowering.linalg.accumulate_in_f32 import AccumulateInF32
from torch_refine.passes.lowering.linalg.batch_matmul_to_matmul import BatchMatmulToMatmul
from torch_refine.passes.lowering.linalg.check_operand_sizes import CheckOperandSizes
from torch_refine.passes.lowering.linalg.crop_before_padding import CropBeforePadding
from torch_refine.passes.lowering.linalg.extract_from_sources import ExtractFromSources
from torch_refine.passes.lowering.linalg.fold_empty_loops import FoldEmptyLoops
from torch_refine.passes.lowering.linalg.insert_bounds_checks import InsertBoundsChecks
from torch_refine.passes.lowering.linalg.keep_empty_sizes import KeepEmptySizes
from torch_refine.passes.lowering.linalg.propagate_nans import PropagateNans
from torch_refine.passes.lowering.linalg.trim_windows import TrimWindows
from torch_refine.passes.lowering.torch.assertions.assert_cast_sizes import AssertCastSizes
from torch_refine.passes.lowering.torch.assertions.assert_convolved_channels import (
    AssertConvolvedChannels,
)
from torch_refine.passes.lowering.torch.assertions.assert_guards import AssertGuards
from torch_refine.passes.lowering.torch.assertions.assert_squeezed_sizes import AssertSqueezedSizes
from torch_refine.passes.lowering.torch.assertions.convert_runtime_asserts import (
    ConvertRuntimeAsserts,
)
from torch_refine.passes.lowering.torch.compute_in_f32 import ComputeInF32
from torch_refine.passes.lowering.torch.compute_scalars_as_python import ComputeScalarsAsPython
from torch_refine.passes.lowering.torch.constants.fold_complex_views import FoldComplexViews
from torch_refine.passes.lowering.torch.constants.fold_empty_tensors import FoldEmptyTensors
from torch_refine.passes.lowering.torch.constants.split_complex_literals import SplitComplexLiterals
from torch_refine.passes.lowering.torch.decompose_data_dependent_sizes import (
    DecomposeDataDependentSizes,
)
from torch_refine.passes.lowering.torch.draw_from_seed import DrawFromSeed
from torch_refine.passes.lowering.torch.linear_algebra.lower_linear_algebra import (
    LowerLinearAlgebra,
)
from torch_refine.passes.lowering.torch.lower_data_dependent_sizes import LowerDataDependentSizes
from torch_refine.passes.lowering.torch.lower_grouped_mm import LowerGroupedMm
from torch_refine.passes.lowering.torch.lower_recurrences import LowerRecurrences
from torch_refine.passes.lowering.torch.make_value_semantic import MakeValueSemantic
from torch_refine.passes.lowering.torch.promote_operands import PromoteOperands
from torch_refine.passes.lowering.torch.strip_symbolic_shapes import StripSymbolicShapes
from torch_refine.passes.lowering.torch.verify_lowerable import VerifyLowerable
from torch_refine.passes.lowering.torch.verify_lowered import VerifyLowered
from torch_refine.passes.lowering.torch.views_to_tensor import ViewsToTensor
from torch_refine.passes.verify_backend_contract import VerifyBackendContract
from torch_refine.pipelines.elements import Element, OurPass, UpstreamPass
from torch_refine.pipelines.pipeline import Pipeline, StagedPipeline
from torch_refine.pipelines.refinement import RefinementPipeline

MODULE = ("builtin.module",)
FUNCTION = ("builtin.module", "func.func")
# The operators that passes before the conversions build.
_BUILT = ",".join(
    f"aten::{name}"
    for name in (
        "arange",
        "clamp_min",
        "expand",
        "full",
        "index.Tensor",
        "index_put",
        "index_put.hacked_twin",
        "reshape",
        "select.int",
        "where.self",
    )
)


def upstream(anchors: tuple[str, ...], *texts: str) -> tuple[Element, ...]:
    """Passes of upstream MLIR or of the wheel."""
    return tuple(UpstreamPass(text, anchors) for text in texts)


_VERIFY = "torch-verify-linalg-on-tensors-backend-contract"


@dataclass
class BackendContractPipeline(Pipeline):
    """Bring a program into the form that backends take: refined, value-semantic, decomposed."""

    name: ClassVar[str] = "torch-backend-contract-pipeline"

    def elements(self) -> tuple[Element, ...]:
        """Refine, convert to value semantics, refine, decompose operators, refine."""
        refine = RefinementPipeline(self.extra_library).elements()
        return (
            *refine,
            OurPass(MakeValueSemantic(), MODULE),
            *refine,
            # Of the operators as they were written, so that the messages are theirs.
            OurPass(InsertErrorGuards(self.extra_library, hoist="attribute"), MODULE),
            OurPass(DecomposeOps(extra_library=self.extra_library), MODULE),
            OurPass(FoldEmptyTensors(), MODULE),
            OurPass(DecomposeDataDependentSizes(), MODULE),
            OurPass(DecomposeOps(ops=_BUILT, extra_library=self.extra_library), MODULE),
            OurPass(FoldComplexViews(), MODULE),
            # Functions call operators with operands that theirs does not compare.
            OurPass(InsertErrorGuards(self.extra_library, hoist="attribute"), MODULE),
            OurPass(FoldEmptyTensors(), MODULE),
            # Greedy pattern rewrites fold, and promote in their own way.
            OurPass(PromoteOperands(), MODULE),
            OurPass(VerifyLowerable(), MODULE),
            # Upstream folds a squeeze to its operand where their types are equal.
            OurPass(AssertSqueezedSizes(), MODULE),
            OurPass(AssertConvolvedChannels(), MODULE),
            OurPass(ComputeInF32(), MODULE),
            *refine,
            OurPass(VerifyBackendContract(), MODULE),
        )


@dataclass
class TorchToLinalgPipeline(StagedPipeline):
    """Lower a program to linalg on tensors; an operator without a lowering is an error at its
    op."""

    name: ClassVar[str] = "torch-to-linalg-pipeline"

    lapack: bool = option(
        False, "lower linear algebra to calls of functions that `call-lapack` lowers on a CPU"
    )

    def stages(self) -> dict[str, tuple[Element, ...]]:
        """`contract`: the backend contract; `linalg`: linalg on tensors."""
        return {
            "contract": BackendContractPipeline(self.extra_library).elements(),
            "linalg": self._to_linalg(),
        }

    def _to_linalg(self) -> tuple[Element, ...]:
        """The wheel's conversions of operators, then of types, and the missing checks."""
        return (
            OurPass(AssertGuards(), MODULE),
            OurPass(AssertCastSizes(), MODULE),
            OurPass(ComputeScalarsAsPython(), MODULE),
            OurPass(ConvertRuntimeAsserts(), MODULE),
            OurPass(StripSymbolicShapes(), MODULE),
            OurPass(SplitComplexLiterals(), MODULE),
            OurPass(ViewsToTensor(), MODULE),
            OurPass(LowerDataDependentSizes(), MODULE),
            OurPass(LowerRecurrences(), MODULE),
            OurPass(LowerGroupedMm(), MODULE),
            *((OurPass(LowerLinearAlgebra(), MODULE),) if self.lapack else ()),
            OurPass(LowerElementFunctions(), MODULE),
            OurPass(LowerBitCasts(), MODULE),
            OurPass(LowerLogcumsumexp(), MODULE),
            OurPass(LowerRunningExtremes(), MODULE),
            OurPass(LowerIndexReduce(), MODULE),
            OurPass(LowerElementScatters(), MODULE),
            OurPass(DrawFromSeed(), MODULE),
            OurPass(VerifyLowered(before_conversions=True), MODULE),
            *upstream(FUNCTION, "convert-torch-to-tmtensor"),
            OurPass(CheckOperandSizes(of_values=True), MODULE),
            # The wheel folds some operators to values of other types.
            UpstreamPass("canonicalize", FUNCTION, is_verified=True),
            *upstream(FUNCTION, "convert-torch-to-linalg"),
            OurPass(CheckOperandSizes(of_values=True), MODULE),
            # Upstream's folds do not expect negative padding.
            OurPass(CropBeforePadding(), MODULE),
            # Before accesses to constants are folded as if all indices were in bounds.
            OurPass(InsertBoundsChecks(constants_only=True), MODULE),
            *upstream(
                FUNCTION,
                "canonicalize",
                "convert-torch-to-scf",
                "convert-torch-to-arith",
                "convert-torch-to-tensor",
            ),
            OurPass(PropagateNans(), MODULE),
            OurPass(AccumulateInF32(), MODULE),
            OurPass(FoldEmptyLoops(), MODULE),
            OurPass(TrimWindows(), MODULE),
            *upstream(MODULE, "convert-torch-conversion-to-mlprogram"),
            *upstream(FUNCTION, "canonicalize", "resolve-shaped-type-result-dims", "cse"),
            OurPass(VerifyLowered(), MODULE),
            *upstream(MODULE, "torch-func-backend-type-conversion"),
            *upstream(FUNCTION, "canonicalize", "torch-finalizing-backend-type-conversion"),
            OurPass(KeepEmptySizes(), MODULE),
            OurPass(BatchMatmulToMatmul(), MODULE),
            OurPass(CheckOperandSizes(), MODULE),
            OurPass(InsertBoundsChecks(), MODULE),
            # After the checks of indices that only the broadcast tensor has.
            OurPass(ExtractFromSources(), MODULE),
            # A second run keeps the operands of the checks in place.
            *upstream(FUNCTION, "resolve-shaped-type-result-dims", "canonicalize", "cse"),
            # The contract has no calls of functions.
            *(() if self.lapack else upstream(MODULE, "inline", _VERIFY)),
        )
