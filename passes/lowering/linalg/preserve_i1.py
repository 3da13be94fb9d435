"""Preserve the meaning of `i1` in sorts and sums, as PyTorch has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_op
from torch_refine.passes.base import Pass, RunState

# Signed predicates of arith.cmpi, and their unsigned counterparts.
_UNSIGNED = {2: 6, 3: 7, 4: 8, 5: 9}
_LOGICAL = {"arith.addi": "arith.ori", "arith.muli": "arith.andi"}


@dataclass
class PreserveI1(Pass):
    """Preserve the meaning of `i1` in sorts and sums, as PyTorch has it.

    The wheel's sorts compare them as signed integers of one bit, where true is -1, and its scatters
    add them, where true plus true is false.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<4xi1>) -> tensor<4xi1> {
      %0 = tm_tensor.sort dimension(0) outs(%arg0 : tensor<4xi1>) {
      ^bb0(%arg1: i1, %arg2: i1):
        %1 = arith.cmpi sle, %arg1, %arg2 : i1
        tm_tensor.yield %1 : i1
      } -> tensor<4xi1>
      return %0 : tensor<4xi1>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<4xi1>) -> tensor<4xi1> {
      %0 = tm_tensor.sort dimension(0) outs(%arg0 : tensor<4xi1>) {
      ^bb0(%arg1: i1, %arg2: i1):
        %1 = arith.cmpi ule, %arg1, %arg2 : i1
        tm_tensor.yield %1 : i1
      } -> tensor<4xi1>
      return %0 : tensor<4xi1>
    }
    ```
    """

    name: ClassVar[str] = "preserve-i1"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the sorts and scatters of a module, or of one function."""
        for each in [each for each in walk(op) if each.name.startswith("tm_tensor.")]:
            for inner in list(walk(each)):
                if not len(inner.operands) or str(inner.operands[0].type) != "i1":
                    continue
                if each.name == "tm_tensor.sort" and inner.name == "arith.cmpi":
                    predicate = ir.IntegerAttr(inner.attributes["predicate"])
                    known = _UNSIGNED.get(predicate.value, predicate.value)
                    inner.attributes["predicate"] = ir.IntegerAttr.get(predicate.type, known)
                elif each.name == "tm_tensor.scatter" and inner.name in _LOGICAL:
                    _replace(inner, _LOGICAL[inner.name])
                else:
                    continue
                state.count(self.name, "operations")


def _replace(op: ir.Operation, name: str) -> None:
    with ir.InsertionPoint(op), op.location:
        new = create_op(name, list(op.operands), results=[op.result.type])
    op.result.replace_all_uses_with(new.result)
    op.erase()
