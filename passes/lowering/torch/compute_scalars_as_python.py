"""Lower scalar arithmetic with Python's semantics."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import assert_that, create_op, create_value
from torch_refine.dialect.names import name_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.linalg.guard_integer_division import MESSAGE
from torch_refine.passes.lowering.templates import Templates


def _each(operator: str, overloads: str, function: str) -> dict[str, str]:
    return {f"torch.{operator}.{each}": function for each in overloads.split()}


_REMAINDER = "torch.aten.remainder.int"
_QUOTIENTS = {
    "torch.aten.div.int": "torch.aten.ne.int",
    "torch.aten.div.float": "torch.aten.ne.float_int",
}
_ASSERT = "torch.runtime.assert"
# How floats are rounded to ints, by operator.
_ROUNDINGS = {
    "torch.aten.floor.float": "math.floor",
    "torch.aten.ceil.float": "math.ceil",
    "torch.aten.Int.float": "math.trunc",
}
# Functions on numbers, of floats unless an operator is of ints only.
FUNCTIONS = Path(__file__).with_name("python_arithmetic.mlir")
_OF_FLOATS = {
    **_each("aten.pow", "int float int_float float_int", "power"),
    **_each("aten.remainder", "float int_float float_int", "remainder"),
    **_each("aten.floordiv", "float int_float float_int", "floor_quotient"),
    **_each("aten.sqrt", "int float", "square_root"),
    **_each("aten.log", "int float", "logarithm"),
    **_each("aten.round", "int float", "round"),
    **_each("prim.max", "float int_float float_int", "larger"),
    **_each("prim.min", "float int_float float_int", "smaller"),
}
_OF_INTS = {
    "torch.aten.pow.int_to_int": "power_of_ints",
    "torch.aten.__and__.int": "bits_in_both",
    "torch.aten.__or__.int": "bits_in_any",
    "torch.aten.__xor__.int": "bits_in_one",
    "torch.aten.__lshift__.int": "shifted_left",
    "torch.aten.__rshift__.int": "shifted_right",
}
# The operation on the operands, or on one and true.
_OF_BOOLS = {
    "torch.aten.__not__": "arith.xori",
    "torch.aten.__and__.bool": "arith.andi",
    "torch.aten.__or__.bool": "arith.ori",
}
_TOO_LARGE = "a float is too large for an integer"
# Where its comparison is ordered: a NaN is not less.
_LESS = 4


@dataclass
class ComputeScalarsAsPython(Pass):
    """Lower scalar arithmetic with Python's semantics.

    The wheel lowers `aten.remainder.int` to a remainder with the sign of the dividend; Python's has
    that of the divisor. A quotient of scalars is a float, which is infinite where Python raises.
    `aten.floordiv.int` is guarded later (`guard-integer-division`). The wheel does not lower floats
    that are rounded to ints, such as a size times a factor; one that no int64 represents raises.
    Nor does it lower powers, remainders and rounded quotients of floats, their extremes, square
    roots, and the bits of ints, which are functions of `python_arithmetic.mlir`; nor operations on
    bools.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.int, %arg1: !torch.int) -> (!torch.int, !torch.float) {
      %0 = torch.aten.remainder.int %arg0, %arg1 : !torch.int, !torch.int -> !torch.int
      %1 = torch.aten.div.int %arg0, %arg1 : !torch.int, !torch.int -> !torch.float
      return %0, %1 : !torch.int, !torch.float
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.int, %arg1: !torch.int) -> (!torch.int, !torch.float) {
      %0 = torch.aten.floordiv.int %arg0, %arg1 : !torch.int, !torch.int -> !torch.int
      %1 = torch.aten.mul.int %0, %arg1 : !torch.int, !torch.int -> !torch.int
      %2 = torch.aten.sub.int %arg0, %1 : !torch.int, !torch.int -> !torch.int
      %int0 = torch.constant.int 0
      %3 = torch.aten.ne.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
      torch.runtime.assert %3, "ZeroDivisionError"
      %4 = torch.aten.div.int %arg0, %arg1 : !torch.int, !torch.int -> !torch.float
      return %2, %4 : !torch.int, !torch.float
    }
    ```
    """

    name: ClassVar[str] = "torch-compute-scalars-as-python"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the operations of a module, or of one function."""
        templates: Templates | None = None
        for each in list(walk(op)):
            name = name_of(each)
            if name in _OF_FLOATS or name in _OF_INTS:
                templates = templates or Templates(FUNCTIONS, op.context)
                _call(each, name, templates)
                state.count(self.name, "functions")
            elif name in _OF_BOOLS:
                _combine(each, _OF_BOOLS[name])
                state.count(self.name, "bools")
            elif each.name == _REMAINDER:
                _rewrite_remainder(each)
                state.count(self.name, "remainders")
            elif each.name in _QUOTIENTS and not _is_checked(each):
                _check_divisor(each)
                state.count(self.name, "quotients")
            elif name in _ROUNDINGS:
                _round(each, _ROUNDINGS[name])
                state.count(self.name, "roundings")


def _call(op: ir.Operation, name: str, templates: Templates) -> None:
    """Replace an operator by a function's body."""
    wide, number = ir.F64Type.get(op.context), ir.IntegerType.get_signless(64, op.context)
    is_of_ints = name in _OF_INTS
    with ir.InsertionPoint(op), op.location:
        given = []
        for operand in op.operands:
            if str(operand.type) == "!torch.float":
                given.append(create_value("torch_c.to_f64", wide, [operand]))
                continue
            value = create_value("torch_c.to_i64", number, [operand])
            given.append(value if is_of_ints else create_value("arith.sitofp", wide, [value]))
        function = _OF_INTS[name] if is_of_ints else _OF_FLOATS[name]
        (found,), _ = templates.put(function, given)
        back = "torch_c.from_i64" if is_of_ints else "torch_c.from_f64"
        result = create_value(back, op.results[0].type, [found])
    op.results[0].replace_all_uses_with(result)
    op.erase()


def _combine(op: ir.Operation, operation: str) -> None:
    """Replace an operator on bools."""
    bit = ir.IntegerType.get_signless(1, op.context)
    with ir.InsertionPoint(op), op.location:
        given = [create_value("torch_c.to_i1", bit, [operand]) for operand in op.operands]
        if len(given) == 1:
            true = {"value": ir.IntegerAttr.get(bit, 1)}
            given.append(create_value("arith.constant", bit, [], true))
        found = create_value(operation, bit, given)
        result = create_value("torch_c.from_i1", op.results[0].type, [found])
    op.results[0].replace_all_uses_with(result)
    op.erase()


def _rewrite_remainder(op: ir.Operation) -> None:
    dividend, divisor = op.operands
    type = op.results[0].type
    with ir.InsertionPoint(op), op.location:
        quotient = create_value("torch.aten.floordiv.int", type, [dividend, divisor])
        multiple = create_value("torch.aten.mul.int", type, [quotient, divisor])
        remainder = create_value("torch.aten.sub.int", type, [dividend, multiple])
    op.results[0].replace_all_uses_with(remainder)
    op.erase()


def _round(op: ir.Operation, rounding: str) -> None:
    """Convert a rounded float, whose magnitude is asserted to be less than that of any int64."""
    wide, number = ir.F64Type.get(op.context), ir.IntegerType.get_signless(64, op.context)
    bit = ir.IntegerType.get_signless(1, op.context)
    with ir.InsertionPoint(op), op.location:
        value = create_value("torch_c.to_f64", wide, [op.operands[0]])
        rounded = create_value(rounding, wide, [value])
        bound = create_value(
            "arith.constant", wide, [], {"value": ir.FloatAttr.get(wide, float(1 << 63))}
        )
        predicate = ir.IntegerAttr.get(number, _LESS)
        magnitude = create_value("math.absf", wide, [rounded])
        fits = create_value("arith.cmpf", bit, [magnitude, bound], {"predicate": predicate})
        assert_that(fits, _TOO_LARGE)
        whole = create_value("arith.fptosi", number, [rounded])
        result = create_value("torch_c.from_i64", op.results[0].type, [whole])
    op.results[0].replace_all_uses_with(result)
    op.erase()


def _is_checked(op: ir.Operation) -> bool:
    """Whether the divisor is asserted not to be zero already."""
    checks = _QUOTIENTS.values()
    found = [use.owner.operation for use in op.operands[1].uses if use.owner.name in checks]
    return any(use.owner.name == _ASSERT for each in found for use in each.results[0].uses)


def _check_divisor(op: ir.Operation) -> None:
    divisor = op.operands[1]
    with ir.InsertionPoint(op), op.location:
        number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)
        zero = create_value(
            "torch.constant.int", ir.Type.parse("!torch.int"), [], {"value": number}
        )
        good = create_value(_QUOTIENTS[op.name], ir.Type.parse("!torch.bool"), [divisor, zero])
        message = ir.StringAttr.get(MESSAGE)
        create_op(_ASSERT, [good], {"message": message})
