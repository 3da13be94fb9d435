"""Keep what a thread adds to in registers while a loop runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.building import finish, for_loop
from torch_refine.passes.lowering.gpu.multiply_in_warps import SUMS
from torch_refine.passes.lowering.kernels.indexing import maker_of, operation_of
from torch_refine.passes.lowering.schedules import apply_schedule

_READ, _WRITE = "vector.transfer_read", "vector.transfer_write"


@dataclass
class KeepSumsInRegisters(Pass):
    """Keep what a thread adds to in registers while a loop runs.

    A vector that every turn of a loop reads, changes and writes back is read before the loop and
    written after it, by the schedule `gpu/registers.mlir`. It gives up where the memory is a view;
    for the sums of `multiply-in-warps`, which are one, it is done here. Moving the write behind a
    barrier inside the loop is right for launches of `map-loops-to-gpu`, which have another one
    after it.

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
            for read in [each for each in walk(function) if SUMS in each.attributes]:
                if read.name == _READ and _hoist(read):
                    state.count(self.name, "sums of warps")


def _hoist(read: ir.Operation) -> bool:
    """Carry a thread's sums from turn to turn; False if they are not in a loop by themselves."""
    loop = read.parent.operation
    inside = list(operations(read.block))
    writes = [each for each in inside if each.name == _WRITE and SUMS in each.attributes]
    if loop.name != "scf.for" or len(writes) != 1:
        return False
    (write,) = writes
    # The same place in every turn, and no other.
    places = list(read.operands)[:-1]
    if list(write.operands)[1:] != places or any(maker_of(each) in inside for each in places):
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
    # All turns but the first read what the one before wrote.
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
