"""Stop a kernel where an assertion fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_op, create_value, finish, if_then
from torch_refine.passes.base import Pass, RunState


@dataclass
class TrapOnAsserts(Pass):
    """Trap where an assertion in a kernel fails, such as that of an index.

    A kernel cannot return a message. As in PyTorch, where a failing assertion of a kernel leaves
    the device in an error state, it traps; the message is lost.

    Before:

    ```mlir
    func.func @f(%arg0: i1, %arg1: index) {
      gpu.launch blocks(%x, %y, %z) in (%a = %arg1, %b = %arg1, %c = %arg1) \
threads(%t, %u, %v) in (%d = %arg1, %e = %arg1, %f = %arg1) {
        cf.assert %arg0, "wrong"
        gpu.terminator
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: i1, %arg1: index) {
      gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %arg1, %arg9 = %arg1, %arg10 = %arg1) \
threads(%arg5, %arg6, %arg7) in (%arg11 = %arg1, %arg12 = %arg1, %arg13 = %arg1) {
        %true = arith.constant true
        %0 = arith.xori %arg0, %true : i1
        scf.if %0 {
          llvm.call_intrinsic "llvm.trap"() : () -> ()
        }
        gpu.terminator
      }
      return
    }
    ```
    """

    name: ClassVar[str] = "trap-on-asserts"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Replace the assertions in the launches of a module, or of one function."""
        launches = [each for each in walk(op) if each.name == "gpu.launch"]
        for each in [each for launch in launches for each in walk(launch)]:
            if each.name == "cf.assert":
                _trap(each)
                state.count(self.name, "assertions")


def _trap(op: ir.Operation) -> None:
    condition = op.operands[0]
    with ir.InsertionPoint(op), op.location:
        true = create_value(
            "arith.constant", condition.type, [], {"value": ir.IntegerAttr.get(condition.type, -1)}
        )
        fails = create_value("arith.xori", condition.type, [condition, true])
        inner = if_then(fails).regions[0].blocks[0]
        with ir.InsertionPoint(inner):
            create_op(
                "llvm.call_intrinsic",
                attributes={
                    "intrin": ir.StringAttr.get("llvm.trap", op.context),
                    "op_bundle_sizes": ir.DenseI32ArrayAttr.get([], op.context),
                    "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0], op.context),
                },
            )
        finish(inner)
    op.erase()
