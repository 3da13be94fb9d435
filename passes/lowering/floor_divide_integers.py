"""Divide integers as integers, rounding down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.building import made
from torch_refine.passes.lowering.kernels.indexing import GENERIC, maker_of, operation_of

_EXTENSIONS = {"arith.sitofp": "arith.extsi", "arith.uitofp": "arith.extui"}


@dataclass
class FloorDivideIntegers(Pass):
    """Divide integers as integers, rounding down.

    The wheel lowers `aten.div.Tensor_mode` with `rounding_mode="floor"` to a division of f64, which
    has 53 bits: the result is wrong for larger integers, and a division by zero gives a number.

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
            # A scalar that is not inside is the quotient of two sizes, which Python computes.
            if each.name == "arith.fptosi" and operation_of(each.parent).name == GENERIC:
                state.count(self.name, "divisions", _rewrite(each))


def _rewrite(op: ir.Operation) -> bool:
    """Replace a division of floats that ends in an op, if it is one of integers."""
    floor = maker_of(op.operands[0])
    if floor is None or floor.name != "math.floor":
        return False
    quotient = maker_of(floor.operands[0])
    if quotient is None or quotient.name != "arith.divf":
        return False
    type = op.results[0].type
    with ir.InsertionPoint(op), op.location:
        operands = [_integer(operand, type) for operand in quotient.operands]
        found = [each for each in operands if each is not None]
        if len(found) < 2:
            return False
        new = made("arith.floordivsi", type, found)
    op.results[0].replace_all_uses_with(new)
    floats = [maker_of(operand) for operand in quotient.operands]
    for each in (op, floor, quotient, *floats):
        if each is not None and not any(True for _ in each.results[0].uses):
            each.erase()
    return True


def _integer(value: ir.Value, type: ir.Type) -> ir.Value | None:
    """The integer of a type that a float was converted from."""
    maker = maker_of(value)
    if maker is None:
        return None
    width = ir.IntegerType(type).width
    if maker.name == "arith.constant":
        number = float(ir.FloatAttr(maker.attributes["value"]).value)
        if not number.is_integer() or not -(1 << width - 1) <= number < 1 << width - 1:
            return None
        return made("arith.constant", type, [], {"value": ir.IntegerAttr.get(type, int(number))})
    if maker.name not in _EXTENSIONS:
        return None
    source = maker.operands[0]
    if source.type == type:
        return source if maker.name == "arith.sitofp" else None
    if ir.IntegerType(source.type).width > width:
        return None
    return made(_EXTENSIONS[maker.name], type, [source])
