"""Compute functions such as exp number by number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_op, create_value
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.base import Pass, RunState


@dataclass
class ScalarizeMath(Pass):
    """Compute functions such as exp number by number.

    A thread of a GPU loads vectors, but computes scalars; the following passes support scalar
    functions only.

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
        for each in [each for each in walk(op) if _is_function(each)]:
            type = each.result.type
            if not isinstance(type, ir.VectorType) or type.rank != 1 or type.scalable:
                continue
            with ir.InsertionPoint(each), each.location:
                value = _scalarize(each, type)
            each.result.replace_all_uses_with(value)
            each.erase()
            state.count(self.name, "functions")


def _is_function(op: ir.Operation) -> bool:
    """Whether an op is a function, or a division that may be approximate as functions are."""
    if op.name == "arith.divf":
        return "fastmath" in op.attributes and "afn" in str(op.attributes["fastmath"])
    return bool(op.name.startswith("math."))


def _scalarize(op: ir.Operation, type: ir.VectorType) -> ir.Value:
    context = op.context
    poison = ir.Attribute.parse("#ub.poison", context)
    value = create_value("ub.poison", type, [], {"value": poison})
    flags = {"fastmath": op.attributes["fastmath"]} if "fastmath" in op.attributes else {}
    for place in range(type.shape[0]):
        position = ir.DenseI64ArrayAttr.get([place], context)
        numbers = [_element(operand, position) for operand in op.operands]
        computed = create_op(op.name, numbers, flags, results=[type.element_type])
        value = create_value(
            "vector.insert", type, [computed.result, value], {"static_position": position}
        )
    return value


def _element(vector: ir.Value, position: ir.Attribute) -> ir.Value:
    """An element of a vector; of a constant, a constant, by which functions are expanded."""
    type = ir.VectorType(vector.type).element_type
    op = defining_op(vector)
    if op is not None and op.name == "arith.constant":
        value = ir.DenseElementsAttr(op.attributes["value"])
        if value.is_splat:
            return create_value("arith.constant", type, [], {"value": value.get_splat_value()})
    return create_value("vector.extract", type, [vector], {"static_position": position})
