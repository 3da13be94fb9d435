"""Attach schedules of contractions from a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.passes.base import Pass, PassFailure, RunState, option
from torch_refine.passes.lowering.kernels.contractions.schedule import ScheduleError
from torch_refine.passes.lowering.kernels.contractions.table import read_table, set_schedules


@dataclass
class SetSchedules(Pass):
    """Attach schedules of contractions from a file.

    The file is one that `python -m torch_refine.schedules --export` wrote: measured schedules by
    operation, types and attributes. Each becomes the attribute `torch_refine.contraction` of the
    matching contractions, which later passes follow. A contraction that carries a schedule keeps
    it, and one that the file does not name gets none. Without a file nothing changes.

    Before, with `file=test/passes/Inputs/schedules.json`:

    ```mlir
    func.func @f(%arg0: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = tensor.empty() : tensor<64x64xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<64x64xf32>) -> tensor<64x64xf32>
      %2 = linalg.matmul ins(%arg0, %arg0 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%1 : \
tensor<64x64xf32>) -> tensor<64x64xf32>
      return %2 : tensor<64x64xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = tensor.empty() : tensor<64x64xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<64x64xf32>) -> tensor<64x64xf32>
      %2 = linalg.matmul {torch_refine.contraction = {block = 0 : i64, columns = 16 : i64, depth = \
256 : i64, lines = 1 : i64, pack = false, rows = 5 : i64, threads = 1 : i64, unroll = 2 : i64}} \
ins(%arg0, %arg0 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%1 : tensor<64x64xf32>) -> \
tensor<64x64xf32>
      return %2 : tensor<64x64xf32>
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
