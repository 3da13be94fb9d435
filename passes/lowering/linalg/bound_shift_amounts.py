"""Define shifts by every amount, as PyTorch does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import compare, constant, constant_int_value, create_value
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.passes.base import Pass, RunState

_SHIFTS = ("arith.shli", "arith.shrsi", "arith.shrui")


@dataclass
class BoundShiftAmounts(Pass):
    """Define shifts by every amount, as PyTorch does.

    LLVM's result is poison where an amount is negative, or at least the width. PyTorch's is what
    shifting one bit at a time gives: zero, or the sign (`aten/src/ATen/native/cpu/\
BinaryOpsKernel.cpp`, `lshift_kernel` and `rshift_kernel`).

    Before:

    ```mlir
    func.func @f(%arg0: i64, %arg1: i64) -> i64 {
      %0 = arith.shli %arg0, %arg1 : i64
      %1 = arith.shrsi %0, %arg1 : i64
      return %1 : i64
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: i64, %arg1: i64) -> i64 {
      %0 = arith.shli %arg0, %arg1 : i64
      %c64_i64 = arith.constant 64 : i64
      %1 = arith.cmpi ult, %arg1, %c64_i64 : i64
      %c0_i64 = arith.constant 0 : i64
      %2 = arith.select %1, %0, %c0_i64 : i64
      %c63_i64 = arith.constant 63 : i64
      %3 = arith.minui %arg1, %c63_i64 : i64
      %4 = arith.shrsi %2, %3 : i64
      return %4 : i64
    }
    ```
    """

    name: ClassVar[str] = "bound-shift-amounts"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Bound the amounts in a module, or in one function."""
        for each in list(walk(op)):
            type = each.results[0].type if each.name in _SHIFTS else None
            if not isinstance(type, ir.IntegerType):
                continue
            amount = constant_int_value(each.operands[1])
            if amount is not None and 0 <= amount < type.width:
                continue
            bound = _bound if each.name == "arith.shrsi" else _select
            state.count(self.name, "shifts", bound(each, type))


def _bound(op: ir.Operation, type: ir.IntegerType) -> bool:
    """Clamp the amount to the width less the sign bit."""
    amount = op.operands[1]
    producer = defining_op(amount)
    if producer is not None and producer.name == "arith.minui":
        # Already rewritten.
        return False
    with ir.InsertionPoint(op), op.location:
        most = constant(type, type.width - 1)
        op.operands[1] = create_value("arith.minui", type, [amount, most])
    return True


def _select(op: ir.Operation, type: ir.IntegerType) -> bool:
    """Select zero if all bits are shifted out."""
    users = [(operation_of(use.owner), use.operand_number) for use in op.results[0].uses]
    if [user.name for user, _ in users] == ["arith.select"]:
        # Already rewritten.
        return False
    with ir.InsertionPoint.after(op), op.location:
        keeps = compare("ult", op.operands[1], constant(type, type.width))
        result = create_value("arith.select", type, [keeps, op.results[0], constant(type, 0)])
    for user, place in users:
        user.operands[place] = result
    return True
