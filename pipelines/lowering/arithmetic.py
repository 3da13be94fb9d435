"""Arithmetic as processors have it."""

from __future__ import annotations

from torch_refine.passes.lowering.approximate_math import ApproximateMath
from torch_refine.passes.lowering.narrow_in_steps import NarrowInSteps
from torch_refine.passes.lowering.relax_floats import RelaxFloats
from torch_refine.pipelines.elements import Element, OurPass
from torch_refine.pipelines.lowering.to_linalg import FUNCTION, MODULE, upstream


def plain_arithmetic() -> tuple[Element, ...]:
    """Functions such as exp become arithmetic, and that of 16-bit floats what there is of f32."""
    return (
        # Functions of 16-bit floats are those of f32, rounded once.
        *upstream(FUNCTION, "math-extend-to-supported-types{target-type=f32}"),
        OurPass(ApproximateMath(), MODULE),
        OurPass(RelaxFloats(), MODULE),
        OurPass(NarrowInSteps(), MODULE),
        *upstream(
            FUNCTION,
            "refback-expand-ops-for-llvm",
            "arith-emulate-unsupported-floats{source-types=bf16 target-type=f32}",
            "arith-expand{include-bf16=true}",
        ),
    )
