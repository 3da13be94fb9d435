"""Let contractions carry the schedules of a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.passes.base import Pass, PassFailure, RunState, option
from torch_refine.passes.lowering.contractions.schedule import ScheduleError
from torch_refine.passes.lowering.contractions.table import read_table, set_schedules


@dataclass
class SetSchedules(Pass):
    """Let contractions carry the schedules of a file.

    The file is one that `python -m torch_refine.schedules --export` wrote: schedules that were
    measured, by operation, types and attributes. They are written on the contractions that are the
    same, as the attribute `torch_refine.contraction`, which later passes follow. A contraction that
    carries one keeps it, and one that the file does not name gets none. Without a file nothing
    changes.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %0 = linalg.matmul ins(%arg0, %arg0 : tensor<64x64xf32>, tensor<64x64xf32>) \
outs(%arg1 : tensor<64x64xf32>) -> tensor<64x64xf32>
      return %0 : tensor<64x64xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %0 = linalg.matmul ins(%arg0, %arg0 : tensor<64x64xf32>, tensor<64x64xf32>) \
outs(%arg1 : tensor<64x64xf32>) -> tensor<64x64xf32>
      return %0 : tensor<64x64xf32>
    }
    ```
    """

    name: ClassVar[str] = "set-schedules"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    file: str = option("", "the file with the schedules")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Set the schedules of a module."""
        if not self.file:
            return
        try:
            table = read_table(self.file)
        except (OSError, ScheduleError) as error:
            state.diagnostics.error(op.location, f"{self.file}: {error}")
            raise PassFailure(self.name) from error
        state.count(self.name, "schedules set", set_schedules(op, table))
