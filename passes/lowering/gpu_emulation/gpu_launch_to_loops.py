"""Lower GPU launches to host loops, to test kernels without a GPU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_op
from torch_refine.passes.base import Pass, PassFailure, RunState, option
from torch_refine.passes.lowering.gpu_emulation.emulation import Emulation, EmulationError


@dataclass
class GpuLaunchToLoops(Pass):
    """Lower GPU launches to host loops, to test kernels without a GPU.

    Tests the results of a kernel without a GPU. Blocks run sequentially. So do the threads of a
    block between two barriers: a missing barrier gives wrong results here, too; `reverse` runs the
    last thread first. Shared memory is not initialized, as on a GPU.

    Before:

    ```mlir
    func.func @f(%arg0: memref<64xf32>, %arg1: f32) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      gpu.launch blocks(%x, %y, %z) in (%a = %c2, %b = %c1, %c = %c1) \
threads(%t, %u, %v) in (%d = %c32, %e = %c1, %f = %c1) {
        %0 = arith.muli %x, %c32 : index
        %1 = arith.addi %0, %t : index
        memref.store %arg1, %arg0[%1] : memref<64xf32>
        gpu.terminator
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<64xf32>, %arg1: f32) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c2_1 = arith.constant 2 : index
      %c32_2 = arith.constant 32 : index
      %c0_3 = arith.constant 0 : index
      %c2_4 = arith.constant 2 : index
      %c1_5 = arith.constant 1 : index
      scf.for %arg2 = %c0_3 to %c2_4 step %c1_5 {
        %c0_6 = arith.constant 0 : index
        %c32_7 = arith.constant 32 : index
        %c1_8 = arith.constant 1 : index
        scf.for %arg3 = %c0_6 to %c32_7 step %c1_8 {
          %0 = arith.muli %arg2, %c32 : index
          %1 = arith.addi %0, %arg3 : index
          memref.store %arg1, %arg0[%1] : memref<64xf32>
        }
      }
      return
    }
    ```
    """

    name: ClassVar[str] = "gpu-launch-to-loops"

    reverse: bool = option(False, "whether the last thread runs first")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Replace the launches in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == "gpu.launch"]:
            try:
                Emulation(each, self.reverse).run()
            except EmulationError as error:
                state.diagnostics.error(error.op.location, str(error))
                raise PassFailure from None
            state.count(self.name, "launches")
        for each in [each for each in walk(op) if each.name == "gpu.memcpy"]:
            # The host copies to the buffers that its loops read.
            target, source = each.operands
            with ir.InsertionPoint(each), each.location:
                create_op("memref.copy", [source, target])
            each.erase()
