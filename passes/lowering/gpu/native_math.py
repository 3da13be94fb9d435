"""Use the instructions that chips have for functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState

_INTRINSICS = {
    "math.absf": "fabs",
    "math.ceil": "ceil",
    "math.copysign": "copysign",
    "math.floor": "floor",
    "math.fma": "fma",
    "math.roundeven": "roundeven",
    "math.sqrt": "sqrt",
    "math.trunc": "trunc",
}


@dataclass
class NativeMath(Pass):
    """Use the instructions that chips have for functions.

    Upstream's conversions for GPUs make calls of the makers' libraries of everything. What both
    makers' chips compute exactly becomes an intrinsic of LLVM, or arithmetic; `rsqrt` becomes a
    division by a square root, as on the CPU.

    Before:

    ```mlir
    func.func @f(%arg0: f32) -> f32 {
      %0 = math.sqrt %arg0 : f32
      return %0 : f32
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: f32) -> f32 {
      %0 = llvm.call_intrinsic "llvm.sqrt"(%arg0) : (f32) -> f32
      return %0 : f32
    }
    ```
    """

    name: ClassVar[str] = "native-math"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Replace in a module, or in one function."""
        for each in list(walk(op)):
            if each.name == "math.rsqrt" and _is_float(each.result.type):
                _divide(each)
            elif each.name == "math.absi":
                _greater_of_both(each)
            elif each.name in _INTRINSICS and _is_float(each.result.type):
                with ir.InsertionPoint(each), each.location:
                    made = _intrinsic(_INTRINSICS[each.name], list(each.operands))
                each.result.replace_all_uses_with(made)
                each.erase()
            else:
                continue
            state.count(self.name, "functions replaced")


def _greater_of_both(op: ir.Operation) -> None:
    """A whole number's magnitude; the least number stays what it is."""
    type = op.result.type
    with ir.InsertionPoint(op), op.location:
        value = ir.Attribute.parse(
            f"dense<0> : {type}" if isinstance(type, ir.VectorType) else f"0 : {type}", op.context
        )
        zero = ir.Operation.create("arith.constant", results=[type], attributes={"value": value})
        operands = [zero.result, op.operands[0]]
        negated = ir.Operation.create("arith.subi", results=[type], operands=operands).result
        greater = ir.Operation.create(
            "arith.maxsi", results=[type], operands=[op.operands[0], negated]
        ).result
    op.result.replace_all_uses_with(greater)
    op.erase()


def _is_float(type: ir.Type) -> bool:
    element = type.element_type if isinstance(type, ir.VectorType) else type
    return str(element) in ("f32", "f64")


def _intrinsic(name: str, operands: list[ir.Value]) -> ir.Value:
    context = operands[0].type.context
    return ir.Operation.create(
        "llvm.call_intrinsic",
        results=[operands[0].type],
        operands=operands,
        attributes={
            "intrin": ir.StringAttr.get(f"llvm.{name}", context),
            "op_bundle_sizes": ir.DenseI32ArrayAttr.get([], context),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(operands), 0], context),
        },
    ).result


def _divide(op: ir.Operation) -> None:
    type = op.result.type
    with ir.InsertionPoint(op), op.location:
        root = _intrinsic("sqrt", [op.operands[0]])
        value = ir.Attribute.parse(
            f"dense<1.0> : {type}" if isinstance(type, ir.VectorType) else f"1.0 : {type}",
            op.context,
        )
        one = ir.Operation.create("arith.constant", results=[type], attributes={"value": value})
        quotient = ir.Operation.create(
            "arith.divf", results=[type], operands=[one.result, root]
        ).result
    op.result.replace_all_uses_with(quotient)
    op.erase()
