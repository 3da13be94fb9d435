"""Tile, fuse and vectorise kernels, by the schedule of their kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.indexing import is_structured
from torch_refine.passes.lowering.kernels.outlining import KERNEL, ROWS, SCHEDULED, kernels
from torch_refine.passes.lowering.schedules import apply_schedule

_ROOT = "torch_refine.root"
# Vectors of other widths become poor code.
_WIDTHS = (16, 8)


@dataclass
class ScheduleKernels(Pass):
    """Tile, fuse and vectorise kernels, by the schedule of their kind.

    A schedule is a file of the transform dialect, named after the kind; what depends on the kernel
    is filled in. A kernel whose schedule does not apply stays as it is: the loops that it becomes
    are slower, not wrong.

    Before:

    ```mlir
    func.func private @kernel(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> \
attributes {torch_refine.kernel = "loops"} {
      %0 = linalg.exp ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```

    After:

    ```mlir
    func.func private @kernel(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> \
attributes {torch_refine.kernel = "scheduled"} {
      %0 = linalg.exp ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
    """

    name: ClassVar[str] = "schedule-kernels"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Schedule the kernels of a module."""
        for kind, kernel in kernels(op):
            kernel.attributes[KERNEL] = ir.StringAttr.get(SCHEDULED, op.context)
            parameters = _parameters(kind, kernel)
            if kind == "convolution" and parameters is None:
                kind, parameters = "convolution_by_rows", {}
            if parameters is None:
                continue
            done = apply_schedule(kind, kernel, parameters)
            state.count(self.name, f"kernels of kind {kind}{'' if done else ' left as loops'}")


def _parameters(kind: str, kernel: ir.Operation) -> dict[str, str] | None:
    """What a schedule wants to know of a kernel; None where there is none for it."""
    if kind == "loops":
        return None
    body = list(operations(kernel.regions[0].blocks[0]))
    root = [each for each in body if is_structured(each)][-1]
    root.attributes[_ROOT] = ir.UnitAttr.get(kernel.context)
    rank = ir.RankedTensorType(root.results[0].type).rank
    if kind == "rows":
        rows = ir.IntegerAttr(kernel.attributes[ROWS]).value
        del kernel.attributes[ROWS]
        tiles = [1] * rows + [0] * (rank - rows)
        return {
            "ROWS": str(rows),
            "TILES": ", ".join(map(str, tiles)),
            "LOOP_TYPES": ", ".join(["!transform.any_op"] * rows),
        }
    if kind == "convolution":
        _, channels, _, columns = ir.RankedTensorType(root.results[0].type).shape
        width = _divisor(columns, _WIDTHS)
        steps = list(ir.DenseIntElementsAttr(root.attributes["strides"]))
        if channels < 0 or columns < 0 or width is None or steps[-1] != 1:
            return None
        return {"CHANNELS": str(_divisor(channels, range(16, 0, -1))), "COLUMNS": str(width)}
    return {
        "BATCH": "1, " * (rank - 2),
        "ZEROS": "0, " * (rank - 2),
        "OUTER": str(rank),
        "OUTER_TYPES": ", ".join(["!transform.any_op"] * rank),
    }


def _divisor(size: int, candidates: Iterable[int]) -> int | None:
    """The first of the candidates that divides a size, None if none does."""
    return next((each for each in candidates if size % each == 0), None)
