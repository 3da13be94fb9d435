"""Fold linalg ops whose iteration space is empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState


@dataclass
class FoldEmptyLoops(Pass):
    """Fold linalg ops whose iteration space is empty.

    An operand without elements means that a loop has no iterations: the result is its initial
    value. Schedules would tile and vectorize by the size 0.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<0x3xf32>, %arg1: tensor<3xf32>) -> tensor<3xf32> {
      %0 = linalg.reduce ins(%arg0 : tensor<0x3xf32>) outs(%arg1 : tensor<3xf32>) dimensions = [0]
        (%in: f32, %init: f32) {
          %1 = arith.addf %in, %init : f32
          linalg.yield %1 : f32
        }
      return %0 : tensor<3xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<0x3xf32>, %arg1: tensor<3xf32>) -> tensor<3xf32> {
      return %arg1 : tensor<3xf32>
    }
    ```
    """

    name: ClassVar[str] = "fold-empty-loops"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Fold them in a module, or in one function."""
        # Ops inside of one are gone with it, so they come first.
        for each in reversed(list(walk(op))):
            count = len(each.results)
            if (
                not each.name.startswith("linalg.")
                or not count
                or not _has_empty_iteration_space(each)
            ):
                continue
            starts = list(each.operands)[-count:]
            if [start.type for start in starts] != [result.type for result in each.results]:
                continue
            for result, start in zip(each.results, starts, strict=True):
                result.replace_all_uses_with(start)
            each.erase()
            state.count(self.name, "ops removed")


def _has_empty_iteration_space(op: ir.Operation) -> bool:
    return any(
        isinstance(operand.type, ir.RankedTensorType) and 0 in list(operand.type.shape)
        for operand in op.operands
    )
