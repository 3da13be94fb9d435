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
    func.func @f(%arg0: memref<4xf32>) {
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<4xf32>) {
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
