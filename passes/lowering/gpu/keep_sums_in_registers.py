"""Keep what a thread adds to in registers while a loop runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.schedules import apply_schedule


@dataclass
class KeepSumsInRegisters(Pass):
    """Keep what a thread adds to in registers while a loop runs.

    A vector that every turn of a loop reads, changes and writes back is read before the loop and
    written after it, by the schedule `gpu/registers.mlir`. This moves the write behind a barrier
    inside the loop, so it is for launches of `map-loops-to-gpu`, which have another one after it.

    Before:

    ```mlir
    func.func @f(%arg0: memref<4xf32>, %arg1: vector<4xf32>, %arg2: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = ub.poison : f32
      scf.for %arg3 = %c0 to %arg2 step %c1 {
        %1 = vector.transfer_read %arg0[%c0], %0 {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
        %2 = arith.addf %1, %arg1 : vector<4xf32>
        vector.transfer_write %2, %arg0[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<4xf32>, %arg1: vector<4xf32>, %arg2: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = ub.poison : f32
      %1 = vector.transfer_read %arg0[%c0], %0 {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
      %2 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %1) -> (vector<4xf32>) {
        %3 = arith.addf %arg4, %arg1 : vector<4xf32>
        scf.yield %3 : vector<4xf32>
      }
      vector.transfer_write %2, %arg0[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
      return
    }
    ```
    """

    name: ClassVar[str] = "keep-sums-in-registers"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Move what the launches of a module read and write out of loops."""
        for function in list(operations(op.regions[0].blocks[0])):
            if any(each.name == "vector.transfer_write" for each in walk(function)):
                done = apply_schedule("gpu/registers", function)
                state.count(self.name, f"functions {'' if done else 'not '}looked at")
