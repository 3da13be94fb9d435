"""Lower floor division of integers to integer arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.structured_ops import GENERIC, defining_op, operation_of
from torch_refine.passes.base import Pass, RunState

_EXTENSIONS = {"arith.sitofp": "arith.extsi", "arith.uitofp": "arith.extui"}


@dataclass
class FloorDivideIntegers(Pass):
    """Lower floor division of integers to integer arithmetic.

    The wheel lowers `aten.div.Tensor_mode` with `rounding_mode="floor"` to a division of f64, which
    has 53 bits of precision: results are wrong for larger integers, and division by zero does not
    raise.

    Before:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%arg0: tensor<3xi64>, %arg1: tensor<3xi64>) -> tensor<3xi64> {
      %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} \
ins(%arg0 : tensor<3xi64>) outs(%arg1 : tensor<3xi64>) {
      ^bb0(%in: i64, %out: i64):
        %1 = arith.sitofp %in : i64 to f64
        %2 = arith.sitofp %out : i64 to f64
        %3 = arith.divf %1, %2 : f64
        %4 = math.floor %3 : f64
        %5 = arith.fptosi %4 : f64 to i64
        linalg.yield %5 : i64
      } -> tensor<3xi64>
      return %0 : tensor<3xi64>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%arg0: tensor<3xi64>, %arg1: tensor<3xi64>) -> tensor<3xi64> {
      %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} \
ins(%arg0 : tensor<3xi64>) outs(%arg1 : tensor<3xi64>) {
      ^bb0(%in: i64, %out: i64):
        %1 = arith.floordivsi %in, %out : i64
        linalg.yield %1 : i64
      } -> tensor<3xi64>
      return %0 : tensor<3xi64>
    }
    ```
    """

    name: ClassVar[str] = "floor-divide-integers"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the divisions in a module, or in one function."""
        for each in list(walk(op)):
            # A scalar outside of a generic is the quotient of two sizes, which Python computes.
            if each.name == "arith.fptosi" and operation_of(each.parent).name == GENERIC:
                state.count(self.name, "divisions", _rewrite(each))


def _rewrite(op: ir.Operation) -> bool:
    """Replace a float division with root `op` by one of integers, if its operands were integers."""
    floor = defining_op(op.operands[0])
    if floor is None or floor.name != "math.floor":
        return False
    quotient = defining_op(floor.operands[0])
    if quotient is None or quotient.name != "arith.divf":
        return False
    type = op.results[0].type
    with ir.InsertionPoint(op), op.location:
        operands = [_integer(operand, type) for operand in quotient.operands]
        found = [each for each in operands if each is not None]
        if len(found) < 2:
            return False
        new = create_value("arith.floordivsi", type, found)
    op.results[0].replace_all_uses_with(new)
    floats = [defining_op(operand) for operand in quotient.operands]
    for each in (op, floor, quotient, *floats):
        if each is not None and not any(True for _ in each.results[0].uses):
            each.erase()
    return True


def _integer(value: ir.Value, type: ir.Type) -> ir.Value | None:
    """The integer of a type that a float was converted from."""
    producer = defining_op(value)
    if producer is None:
        return None
    width = ir.IntegerType(type).width
    if producer.name == "arith.constant":
        number = float(ir.FloatAttr(producer.attributes["value"]).value)
        if not number.is_integer() or not -(1 << width - 1) <= number < 1 << width - 1:
            return None
        return create_value(
            "arith.constant", type, [], {"value": ir.IntegerAttr.get(type, int(number))}
        )
    if producer.name not in _EXTENSIONS:
        return None
    source = producer.operands[0]
    if source.type == type:
        return source if producer.name == "arith.sitofp" else None
    if ir.IntegerType(source.type).width > width:
        return None
    return create_value(_EXTENSIONS[producer.name], type, [source])
