"""The refinement pipelines: reify, simplify, drop; for shapes, for dtypes, and for both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.passes.base import Pass, option
from torch_refine.passes.drop_abstract_interp_calculations import DropAbstractInterpCalculations
from torch_refine.passes.fold_static_info_casts import FoldStaticInfoCasts
from torch_refine.passes.refine_public_return import RefinePublicReturn
from torch_refine.passes.refine_types import INVALID_PROGRAM, SYMBOLIC_SHAPES, RefineTypes
from torch_refine.passes.reify_dtype_calculations import ReifyDtypeCalculations
from torch_refine.passes.reify_shape_calculations import ReifyShapeCalculations
from torch_refine.passes.simplify_dtype_calculations import SimplifyDtypeCalculations
from torch_refine.passes.simplify_shape_calculations import SimplifyShapeCalculations
from torch_refine.pipelines.elements import Element, OurPass
from torch_refine.pipelines.pipeline import Pipeline

_MODULE = ("builtin.module",)


def _sequence(*passes: Pass) -> tuple[Element, ...]:
    return tuple(OurPass(each, _MODULE) for each in passes)


@dataclass
class ShapeRefinementPipeline(Pipeline):
    """Infer the shapes of all tensors: reify, simplify, drop."""

    name: ClassVar[str] = "torch-shape-refinement-pipeline"

    def elements(self) -> tuple[Element, ...]:
        """Reify, simplify to a fixed point, drop."""
        return _sequence(
            ReifyShapeCalculations(self.extra_library),
            SimplifyShapeCalculations(),
            DropAbstractInterpCalculations(),
        )


@dataclass
class DtypeRefinementPipeline(Pipeline):
    """Infer the dtypes of all tensors: reify, simplify, drop."""

    name: ClassVar[str] = "torch-dtype-refinement-pipeline"

    def elements(self) -> tuple[Element, ...]:
        """Reify, simplify to a fixed point, drop."""
        return _sequence(
            ReifyDtypeCalculations(self.extra_library),
            SimplifyDtypeCalculations(),
            DropAbstractInterpCalculations(),
        )


@dataclass
class ReifiedRefinementPipeline(Pipeline):
    """Infer shapes and dtypes through reified calculations, then refine public results.

    Each calculation is evaluated with all values known at its position, also through regions, calls
    and global slots, whose own types are refined last.
    """

    name: ClassVar[str] = "torch-reified-refinement-pipeline"

    def elements(self) -> tuple[Element, ...]:
        """Reify both, simplify both, drop; then control flow, casts and public results."""
        extra = self.extra_library
        return _sequence(
            ReifyShapeCalculations(extra),
            ReifyDtypeCalculations(extra),
            SimplifyShapeCalculations(),
            SimplifyDtypeCalculations(),
            DropAbstractInterpCalculations(),
            RefineTypes(extra, "warn", only_control_flow=True),
            FoldStaticInfoCasts(),
            RefinePublicReturn(),
        )


@dataclass
class RefinementPipeline(Pipeline):
    """Infer the shapes and dtypes of all tensors in one sweep, then refine public results."""

    name: ClassVar[str] = "torch-refinement-pipeline"

    invalid_program: str = option(
        "error", "what an operator that always raises is, or a wrong declaration", INVALID_PROGRAM
    )
    symbolic_shapes: str = option(
        "none", "the tensors whose sizes are written as expressions of symbols", SYMBOLIC_SHAPES
    )

    def elements(self) -> tuple[Element, ...]:
        """The sweep, then casts and public results."""
        return _sequence(
            RefineTypes(
                self.extra_library, self.invalid_program, symbolic_shapes=self.symbolic_shapes
            ),
            FoldStaticInfoCasts(),
            RefinePublicReturn(),
        )
