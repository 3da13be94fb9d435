"""Use the instructions that chips have for functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_op, create_value
from torch_refine.passes.base import Pass, RunState

# Of integer exponents in the vendors' libraries.
_EXPONENT_BITS = 32
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

    Upstream's GPU conversions call the vendors' libraries for every function. Functions that both
    vendors' chips compute exactly become LLVM intrinsics, or arithmetic; `rsqrt` becomes a division
    by a square root, as on the CPU. Powers with an integer of another width than the libraries' 32
    bits become powers with a float, to which PyTorch converts such exponents.

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
            elif each.name == "math.fpowi" and _is_wide(each.operands[1].type):
                _convert_exponent(each)
            elif each.name == "math.absi":
                _absolute_value(each)
            elif each.name in _INTRINSICS and _is_float(each.result.type):
                with ir.InsertionPoint(each), each.location:
                    made = _intrinsic(_INTRINSICS[each.name], list(each.operands))
                each.result.replace_all_uses_with(made)
                each.erase()
            else:
                continue
            state.count(self.name, "functions replaced")


def _is_wide(type: ir.Type) -> bool:
    element = type.element_type if isinstance(type, ir.VectorType) else type
    return bool(element.width != _EXPONENT_BITS)


def _convert_exponent(op: ir.Operation) -> None:
    base, exponent = op.operands
    with ir.InsertionPoint(op), op.location:
        converted = create_value("arith.sitofp", base.type, [exponent])
        power = create_value("math.powf", base.type, [base, converted])
    op.result.replace_all_uses_with(power)
    op.erase()


def _absolute_value(op: ir.Operation) -> None:
    """The absolute value of an integer; the least integer stays as it is."""
    type = op.result.type
    with ir.InsertionPoint(op), op.location:
        value = ir.Attribute.parse(
            f"dense<0> : {type}" if isinstance(type, ir.VectorType) else f"0 : {type}", op.context
        )
        zero = create_op("arith.constant", attributes={"value": value}, results=[type])
        operands = [zero.result, op.operands[0]]
        negated = create_value("arith.subi", type, operands)
        greater = create_value("arith.maxsi", type, [op.operands[0], negated])
    op.result.replace_all_uses_with(greater)
    op.erase()


def _is_float(type: ir.Type) -> bool:
    element = type.element_type if isinstance(type, ir.VectorType) else type
    return str(element) in ("f32", "f64")


def _intrinsic(name: str, operands: list[ir.Value]) -> ir.Value:
    context = operands[0].type.context
    return create_value(
        "llvm.call_intrinsic",
        operands[0].type,
        operands,
        {
            "intrin": ir.StringAttr.get(f"llvm.{name}", context),
            "op_bundle_sizes": ir.DenseI32ArrayAttr.get([], context),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(operands), 0], context),
        },
    )


def _divide(op: ir.Operation) -> None:
    type = op.result.type
    with ir.InsertionPoint(op), op.location:
        root = _intrinsic("sqrt", [op.operands[0]])
        value = ir.Attribute.parse(
            f"dense<1.0> : {type}" if isinstance(type, ir.VectorType) else f"1.0 : {type}",
            op.context,
        )
        one = create_op("arith.constant", attributes={"value": value}, results=[type])
        quotient = create_value("arith.divf", type, [one.result, root])
    op.result.replace_all_uses_with(quotient)
    op.erase()
