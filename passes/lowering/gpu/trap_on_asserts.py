"""Stop a kernel where an assertion fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.building import finish, if_then


@dataclass
class TrapOnAsserts(Pass):
    """Stop a kernel where an assertion fails, such as that of an index.

    A kernel cannot return a message. As in PyTorch, where a failing assertion of a kernel leaves
    the device in an error, it traps; what the assertion says is lost.

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
        true = ir.Operation.create(
            "arith.constant",
            results=[condition.type],
            attributes={"value": ir.IntegerAttr.get(condition.type, -1)},
        ).result
        fails = ir.Operation.create(
            "arith.xori", results=[condition.type], operands=[condition, true]
        ).result
        inner = if_then(fails).regions[0].blocks[0]
        with ir.InsertionPoint(inner):
            ir.Operation.create(
                "llvm.call_intrinsic",
                attributes={
                    "intrin": ir.StringAttr.get("llvm.trap", op.context),
                    "op_bundle_sizes": ir.DenseI32ArrayAttr.get([], op.context),
                    "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0], op.context),
                },
            )
        finish(inner)
    op.erase()
