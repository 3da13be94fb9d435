"""Lower arithmetic to what processors support."""

from __future__ import annotations

from torch_refine.passes.lowering.llvm.approximate_math import ApproximateMath
from torch_refine.passes.lowering.llvm.call_vector_functions import CallVectorFunctions
from torch_refine.passes.lowering.llvm.convert_in_steps import ConvertInSteps
from torch_refine.passes.lowering.llvm.expand_bf16_roundings import ExpandBf16Roundings
from torch_refine.passes.lowering.llvm.keep_roundings import KeepRoundings
from torch_refine.passes.lowering.llvm.set_fastmath_flags import SetFastmathFlags
from torch_refine.pipelines.elements import Element, OurPass
from torch_refine.pipelines.lowering.to_linalg import FUNCTION, MODULE, upstream

# Functions of 16-bit floats are computed in f32, and rounded once.
_FUNCTIONS_IN_F32 = "math-extend-to-supported-types{target-type=f32}"


def functions_in_f32() -> tuple[Element, ...]:
    """Compute functions of 16-bit floats in f32."""
    return (*upstream(FUNCTION, _FUNCTIONS_IN_F32), OurPass(KeepRoundings(), MODULE))


def plain_arithmetic(
    expand_roundings: bool = True, vector_functions: bool = True
) -> tuple[Element, ...]:
    """Expand functions such as exp into arithmetic, and compute 16-bit floats in f32.

    Conversions between f32 and bf16 are expanded into integer arithmetic only if asked for: GPUs
    have instructions for them, and LLVM expands them for chips without. They need no
    vector functions, as each of their threads branches by itself.
    """
    expanded = "{include-bf16=true}" if expand_roundings else ""
    return (
        *upstream(FUNCTION, _FUNCTIONS_IN_F32),
        *((OurPass(CallVectorFunctions(), MODULE),) if vector_functions else ()),
        OurPass(ApproximateMath(), MODULE),
        OurPass(SetFastmathFlags(), MODULE),
        OurPass(ConvertInSteps(), MODULE),
        *upstream(
            FUNCTION,
            "refback-expand-ops-for-llvm",
            "arith-emulate-unsupported-floats{source-types=bf16 target-type=f32}",
        ),
        OurPass(KeepRoundings(), MODULE),
        *((OurPass(ExpandBf16Roundings(), MODULE),) if expand_roundings else ()),
        *upstream(FUNCTION, f"arith-expand{expanded}"),
    )
