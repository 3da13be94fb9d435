"""Truncate f64 to f16 by way of f32, as PyTorch does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_op
from torch_refine.passes.base import Pass, RunState

_HALVES = ("f16", "bf16")


@dataclass
class NarrowInSteps(Pass):
    """Truncate f64 to f16 by way of f32, as PyTorch does.

    LLVM lowers the direct conversion to a library function that the process does not have.

    Before:

    ```mlir
    func.func @f(%arg0: f64) -> f16 {
      %0 = arith.truncf %arg0 : f64 to f16
      return %0 : f16
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: f64) -> f16 {
      %0 = arith.truncf %arg0 : f64 to f32
      %1 = arith.truncf %0 : f32 to f16
      return %1 : f16
    }
    ```
    """

    name: ClassVar[str] = "narrow-in-steps"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        single = ir.Type.parse("f32", op.context)
        for each in list(walk(op)):
            if (
                each.name == "arith.truncf"
                and str(each.operands[0].type) == "f64"
                and str(each.result.type) in _HALVES
            ):
                with ir.InsertionPoint(each), each.location:
                    step = create_op("arith.truncf", [each.operands[0]], results=[single])
                each.operands[0] = step.result
                state.count(self.name, "conversions")
