"""Keep accumulators in registers across the iterations of a loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import finish, for_loop
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.gpu.contractions_to_mma_sync import SUMS
from torch_refine.passes.lowering.kernels.schedules import Schedules

_READ, _WRITE = "vector.transfer_read", "vector.transfer_write"


@dataclass
class KeepAccumulatorsInRegisters(Pass):
    """Keep accumulators in registers across the iterations of a loop.

    A vector that every iteration of a loop reads, updates and writes back is read before the loop
    and written after it, by the schedule `gpu/registers.mlir`. The schedule does not apply to
    views; the accumulators of `contractions-to-mma-sync`, which are views, are handled here.
    Sinking the write past a barrier inside the loop is sound for launches of `map-loops-to-gpu`,
    which have another barrier after it.

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

    name: ClassVar[str] = "keep-accumulators-in-registers"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Hoist transfers out of loops in the launches of a module."""
        schedules = Schedules(self.name, state)
        for function in list(operations(op.regions[0].blocks[0])):
            if any(each.name == "vector.transfer_write" for each in walk(function)):
                schedules.apply("gpu/registers", function)
            for read in [each for each in walk(function) if SUMS in each.attributes]:
                if read.name == _READ and _hoist(read):
                    state.count(self.name, "accumulators of warps")


def _hoist(read: ir.Operation) -> bool:
    """Make a thread's accumulator loop-carried; False if the loop has other accesses to it."""
    loop = read.parent.operation
    inside = list(operations(read.block))
    writes = [each for each in inside if each.name == _WRITE and SUMS in each.attributes]
    if loop.name != "scf.for" or len(writes) != 1:
        return False
    (write,) = writes
    # The indices are loop-invariant.
    places = list(read.operands)[:-1]
    if list(write.operands)[1:] != places or any(defining_op(each) in inside for each in places):
        return False
    read.move_before(loop)
    sums = write.operands[0]
    write.move_after(loop)
    start, end, step, *carried = loop.operands
    old = loop.regions[0].blocks[0]
    with ir.InsertionPoint(loop), loop.location:
        made, body = for_loop(start, end, step, [*carried, read.result])
    for argument, new in zip(old.arguments, body.arguments, strict=False):
        argument.replace_all_uses_with(new)
    *ops, last = operations(old)
    for op in ops:
        op.detach_from_parent()
        body.append(op)
    # All iterations but the first read what the previous one wrote.
    for use in list(read.result.uses):
        user = operation_of(use.owner)
        if user != made:
            user.operands[use.operand_number] = body.arguments[len(carried) + 1]
    finish(body, [*last.operands, sums])
    for result, new in zip(loop.results, made.results, strict=False):
        result.replace_all_uses_with(new)
    write.operands[0] = made.results[len(carried)]
    loop.erase()
    return True
