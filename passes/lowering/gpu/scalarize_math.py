"""Compute functions such as exp number by number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState


@dataclass
class ScalarizeMath(Pass):
    """Compute functions such as exp number by number.

    A thread of a GPU loads vectors, but computes with single numbers; the passes that follow know
    functions of single numbers.

    Before:

    ```mlir
    func.func @f(%arg0: vector<2xf32>) -> vector<2xf32> {
      %0 = math.exp %arg0 : vector<2xf32>
      return %0 : vector<2xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: vector<2xf32>) -> vector<2xf32> {
      %0 = ub.poison : vector<2xf32>
      %1 = vector.extract %arg0[0] : f32 from vector<2xf32>
      %2 = math.exp %1 : f32
      %3 = vector.insert %2, %0 [0] : f32 into vector<2xf32>
      %4 = vector.extract %arg0[1] : f32 from vector<2xf32>
      %5 = math.exp %4 : f32
      %6 = vector.insert %5, %3 [1] : f32 into vector<2xf32>
      return %6 : vector<2xf32>
    }
    ```
    """

    name: ClassVar[str] = "scalarize-math"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for each in [each for each in walk(op) if each.name.startswith("math.")]:
            type = each.result.type
            if not isinstance(type, ir.VectorType) or type.rank != 1 or type.scalable:
                continue
            with ir.InsertionPoint(each), each.location:
                value = _by_number(each, type)
            each.result.replace_all_uses_with(value)
            each.erase()
            state.count(self.name, "functions")


def _by_number(op: ir.Operation, type: ir.VectorType) -> ir.Value:
    context = op.context
    poison = ir.Attribute.parse("#ub.poison", context)
    value = ir.Operation.create("ub.poison", results=[type], attributes={"value": poison}).result
    for place in range(type.shape[0]):
        position = ir.DenseI64ArrayAttr.get([place], context)
        numbers = [
            ir.Operation.create(
                "vector.extract",
                results=[ir.VectorType(operand.type).element_type],
                operands=[operand],
                attributes={"static_position": position},
            ).result
            for operand in op.operands
        ]
        computed = ir.Operation.create(op.name, results=[type.element_type], operands=numbers)
        value = ir.Operation.create(
            "vector.insert",
            results=[type],
            operands=[computed.result, value],
            attributes={"static_position": position},
        ).result
    return value
