"""Assert that computed sizes are not negative."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import assert_that, compare, constant, constant_int_value
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.base import Pass, RunState

MESSAGE = "a dimension of a tensor would have a negative size"

_SIZES = ("tensor.dim", "memref.dim")
_MONOTONE = ("arith.addi", "arith.muli", "arith.minsi", "arith.index_cast", "arith.extsi")
_QUOTIENTS = ("arith.divsi", "arith.floordivsi", "arith.ceildivsi", "arith.remsi")
# A size depends on few others.
_MOST_STEPS = 16


@dataclass
class CheckSizes(Pass):
    """Assert that computed sizes are not negative.

    Loops over a negative size have no iterations, and their results are undefined. A size may be an
    input, or a difference, such as that of an image and a window. Sizes proven nonnegative are not
    checked.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<?xf32>, %arg1: index) -> tensor<?x?xf32> {
      %c0 = arith.constant 0 : index
      %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
      %0 = arith.subi %dim, %arg1 : index
      %1 = tensor.empty(%dim, %0) : tensor<?x?xf32>
      return %1 : tensor<?x?xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<?xf32>, %arg1: index) -> tensor<?x?xf32> {
      %c0 = arith.constant 0 : index
      %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
      %0 = arith.subi %dim, %arg1 : index
      %c0_0 = arith.constant 0 : index
      %1 = arith.cmpi sge, %0, %c0_0 : index
      cf.assert %1, "a dimension of a tensor would have a negative size"
      %2 = tensor.empty(%dim, %0) : tensor<?x?xf32>
      return %2 : tensor<?x?xf32>
    }
    ```
    """

    name: ClassVar[str] = "check-sizes"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Check the sizes in a module, or in one function."""
        for each in list(walk(op)):
            if each.name != "tensor.empty":
                continue
            for size in each.operands:
                if _is_checked(size) or _is_at_least_zero(size, _MOST_STEPS):
                    continue
                with ir.InsertionPoint(each), each.location:
                    zero = constant(size.type, 0)
                    assert_that(compare("sge", size, zero), MESSAGE)
                state.count(self.name, "sizes checked")


def _is_checked(size: ir.Value) -> bool:
    """Whether an earlier op in the function's own block asserts the same."""
    return any(
        use.owner.name == "arith.cmpi"
        and use.operand_number == 0
        and use.owner.operation.parent.name == "func.func"
        and any(user.owner.name == "cf.assert" for user in use.owner.operation.results[0].uses)
        and constant_int_value(use.owner.operation.operands[1]) == 0
        for use in size.uses
    )


def _is_at_least_zero(value: ir.Value, steps: int) -> bool:
    """Whether an integer is proven nonnegative."""
    producer = defining_op(value)
    known = constant_int_value(value)
    if known is not None:
        return known >= 0
    if producer is None or steps == 0:
        return False
    operands = list(producer.operands)
    if producer.name in _SIZES:
        return True
    if producer.name == "arith.maxsi":
        return any(_is_at_least_zero(each, steps - 1) for each in operands)
    if producer.name == "arith.select":
        operands = operands[1:]
    elif producer.name in _QUOTIENTS:
        divisor = constant_int_value(operands[1])
        if divisor is None or divisor <= 0:
            return False
        operands = operands[:1]
    elif producer.name not in _MONOTONE:
        return False
    return all(_is_at_least_zero(each, steps // 2) for each in operands)
