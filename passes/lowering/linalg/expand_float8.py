"""Compute 8-bit floats in f32, and expand their conversions to integer arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.templates import Templates

_DIALECTS = ("arith.", "math.")
# Ops that only move bits, which later conversions take.
_MOVES = ("arith.constant", "arith.select", "arith.bitcast")


class _Format(NamedTuple):
    """A format of 8 bits with a sign: the bits of the mantissa, the exponent of 1.0."""

    mantissa: int
    bias: int

    @property
    def unused(self) -> int:
        """The bits of the mantissa of f32 that it does not have."""
        return 23 - self.mantissa

    @property
    def least_normal(self) -> int:
        """The bits of the least normal number, in f32."""
        return (128 - self.bias) << 23


_SIGNED = {
    "f8E5M2": _Format(2, 15),
    "f8E4M3FN": _Format(3, 7),
    "f8E5M2FNUZ": _Format(2, 16),
    "f8E4M3FNUZ": _Format(3, 8),
}
_POWERS = "f8E8M0FNU"

# A subnormal number is the normal one with the least exponent and the same mantissa, minus the
# least normal number.
_EXTEND = """
func.func private @extend(%x: i8) -> f32 {{
  %c7f = arith.constant 0x7F : i32
  %c80 = arith.constant 0x80 : i32
  %c24 = arith.constant 24 : i32
  %unused = arith.constant {unused} : i32
  %above = arith.constant {least_normal} : i32
  %exponents = arith.constant {exponents} : i32
  %one = arith.constant 0x800000 : i32
  %wide = arith.extui %x : i8 to i32
  %sign_bit = arith.andi %wide, %c80 : i32
  %sign = arith.shli %sign_bit, %c24 : i32
  %rest = arith.andi %wide, %c7f : i32
  %moved = arith.shli %rest, %unused : i32
  %normal = arith.addi %moved, %exponents : i32
  %greater = arith.addi %moved, %above : i32
  %greater_float = arith.bitcast %greater : i32 to f32
  %above_float = arith.bitcast %above : i32 to f32
  %small = arith.subf %greater_float, %above_float : f32
  %small_bits = arith.bitcast %small : f32 to i32
  %is_small = arith.cmpi ult, %moved, %one : i32
  %positive = arith.select %is_small, %small_bits, %normal : i32
  {special}
  %value = arith.bitcast %bits : i32 to f32
  return %value : f32
}}
"""
_SPECIAL_EXTENDED = {
    "f8E5M2": """
  %c7c = arith.constant 0x7C : i32
  %infinity = arith.constant 0x7F800000 : i32
  %quiet = arith.constant 0x7FC00000 : i32
  %is_finite = arith.cmpi ult, %rest, %c7c : i32
  %is_infinite = arith.cmpi eq, %rest, %c7c : i32
  %nan = arith.ori %normal, %quiet : i32
  %special = arith.select %is_infinite, %infinity, %nan : i32
  %chosen = arith.select %is_finite, %positive, %special : i32
  %bits = arith.ori %chosen, %sign : i32""",
    "f8E4M3FN": """
  %nan = arith.constant 0x7FF00000 : i32
  %is_nan = arith.cmpi eq, %rest, %c7f : i32
  %chosen = arith.select %is_nan, %nan, %positive : i32
  %bits = arith.ori %chosen, %sign : i32""",
}
# What would be the negative zero.
_SPECIAL_EXTENDED["f8E5M2FNUZ"] = _SPECIAL_EXTENDED["f8E4M3FNUZ"] = """
  %nan = arith.constant 0x7F800001 : i32
  %is_nan = arith.cmpi eq, %wide, %c80 : i32
  %number = arith.ori %positive, %sign : i32
  %bits = arith.select %is_nan, %nan, %number : i32"""

# To the nearest, of two equally near ones the even one. The sum with a power of two, whose last bit
# in f32 is the last of the format's subnormal numbers, rounds those.
_TRUNCATE = """
func.func private @truncate(%x: f32) -> i8 {{
  %signs = arith.constant 0x80000000 : i32
  %infinity = arith.constant 0x7F800000 : i32
  %c7f = arith.constant 0x7F : i32
  %c80 = arith.constant 0x80 : i32
  %c24 = arith.constant 24 : i32
  %one = arith.constant 1 : i32
  %unused = arith.constant {unused} : i32
  %least_normal = arith.constant {least_normal} : i32
  %rounding = arith.constant {rounding} : i32
  %round_at = arith.constant {round_at} : i32
  %given = arith.bitcast %x : f32 to i32
  %sign = arith.andi %given, %signs : i32
  %rest = arith.xori %given, %sign : i32
  %rest_float = arith.bitcast %rest : i32 to f32
  %round_at_float = arith.bitcast %round_at : i32 to f32
  %sum = arith.addf %rest_float, %round_at_float : f32
  %sum_bits = arith.bitcast %sum : f32 to i32
  %small = arith.subi %sum_bits, %round_at : i32
  %upper = arith.shrui %rest, %unused : i32
  %odd = arith.andi %upper, %one : i32
  %more = arith.addi %rest, %rounding : i32
  %rounded = arith.addi %more, %odd : i32
  %normal = arith.shrui %rounded, %unused : i32
  %is_small = arith.cmpi ult, %rest, %least_normal : i32
  %positive = arith.select %is_small, %small, %normal : i32
  %sign_bit = arith.shrui %sign, %c24 : i32
  {special}
  %value = arith.trunci %bits : i32 to i8
  return %value : i8
}}
"""
_SPECIAL_TRUNCATED = {
    "f8E5M2": """
  %c7c = arith.constant 0x7C : i32
  %least = arith.minui %positive, %c7c : i32
  %is_nan = arith.cmpi ugt, %rest, %infinity : i32
  %chosen = arith.select %is_nan, %c7f, %least : i32
  %bits = arith.ori %chosen, %sign_bit : i32""",
    # PyTorch saturates, infinities too.
    "f8E4M3FN": """
  %c7e = arith.constant 0x7E : i32
  %least = arith.minui %positive, %c7e : i32
  %is_nan = arith.cmpi ugt, %rest, %infinity : i32
  %chosen = arith.select %is_nan, %c7f, %least : i32
  %bits = arith.ori %chosen, %sign_bit : i32""",
}
_SPECIAL_TRUNCATED["f8E5M2FNUZ"] = _SPECIAL_TRUNCATED["f8E4M3FNUZ"] = """
  %zero = arith.constant 0 : i32
  %number = arith.ori %positive, %sign_bit : i32
  %is_zero = arith.cmpi eq, %positive, %zero : i32
  %unsigned = arith.select %is_zero, %zero, %number : i32
  %is_number = arith.cmpi ult, %positive, %c80 : i32
  %bits = arith.select %is_number, %unsigned, %c80 : i32"""

# Exponents only, of which the least is one of f32's without a 1 before the mantissa.
_OF_POWERS = """
func.func private @extend(%x: i8) -> f32 {
  %c0 = arith.constant 0 : i32
  %cff = arith.constant 0xFF : i32
  %c23 = arith.constant 23 : i32
  %least = arith.constant 0x00400000 : i32
  %nan = arith.constant 0x7F800001 : i32
  %wide = arith.extui %x : i8 to i32
  %moved = arith.shli %wide, %c23 : i32
  %is_least = arith.cmpi eq, %wide, %c0 : i32
  %number = arith.select %is_least, %least, %moved : i32
  %is_nan = arith.cmpi eq, %wide, %cff : i32
  %bits = arith.select %is_nan, %nan, %number : i32
  %value = arith.bitcast %bits : i32 to f32
  return %value : f32
}
func.func private @truncate(%x: f32) -> i8 {
  %c0 = arith.constant 0 : i32
  %cff = arith.constant 0xFF : i32
  %c23 = arith.constant 23 : i32
  %half = arith.constant 0x00400000 : i32
  %mantissas = arith.constant 0x007FFFFF : i32
  %given = arith.bitcast %x : f32 to i32
  %upper = arith.shrui %given, %c23 : i32
  %exponent = arith.andi %upper, %cff : i32
  %mantissa = arith.andi %given, %mantissas : i32
  %has_half = arith.cmpi uge, %mantissa, %half : i32
  %has_more = arith.cmpi ugt, %mantissa, %half : i32
  %is_normal = arith.cmpi ne, %exponent, %c0 : i32
  %is_above = arith.ori %is_normal, %has_more : i1
  %is_number = arith.cmpi ne, %exponent, %cff : i32
  %is_nearer = arith.andi %has_half, %is_above : i1
  %rounds_up = arith.andi %is_nearer, %is_number : i1
  %one = arith.extui %rounds_up : i1 to i32
  %bits = arith.addi %exponent, %one : i32
  %value = arith.trunci %bits : i32 to i8
  return %value : i8
}
"""


@dataclass
class ExpandFloat8(Pass):
    """Compute 8-bit floats in f32, and expand their conversions to integer arithmetic.

    LLVM has no such types. Numbers are rounded as in PyTorch: to the nearest, and those beyond the
    range of `f8E4M3FN` to its greatest.

    Before:

    ```mlir
    func.func @f(%arg0: f8E8M0FNU) -> f32 {
      %0 = arith.extf %arg0 : f8E8M0FNU to f32
      return %0 : f32
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: f8E8M0FNU) -> f32 {
      %0 = arith.bitcast %arg0 : f8E8M0FNU to i8
      // ...
      %1 = arith.extui %0 : i8 to i32
      %2 = arith.shli %1, %c23_i32 : i32
      %3 = arith.cmpi eq, %1, %c0_i32 : i32
      %4 = arith.select %3, %c4194304_i32, %2 : i32
      %5 = arith.cmpi eq, %1, %c255_i32 : i32
      %6 = arith.select %5, %c2139095041_i32, %4 : i32
      %7 = arith.bitcast %6 : i32 to f32
      return %7 : f32
    }
    ```
    """

    name: ClassVar[str] = "expand-float8"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        conversions = _Conversions(op.context)
        for each in list(walk(op)):
            if not each.name.startswith(_DIALECTS) or each.name in _MOVES:
                continue
            if any(map(_is_float8, (*each.operands, *each.results))):
                with ir.InsertionPoint(each), each.location:
                    _expand(each, conversions)
                state.count(self.name, "operations")


class _Conversions:
    """Conversions at the current insertion point."""

    def __init__(self, context: ir.Context) -> None:
        """For types of a context."""
        self.single = ir.F32Type.get(context)
        self._byte = ir.IntegerType.get_signless(8, context)
        self._context = context
        self._templates: dict[str, Templates] = {}

    def extended(self, value: ir.Value) -> ir.Value:
        """An 8-bit float in f32."""
        bits = create_value("arith.bitcast", self._byte, [value])
        return self._of(value.type).put("extend", [bits]).results[0]

    def truncated(self, value: ir.Value, type: ir.Type) -> ir.Value:
        """An f32 as an 8-bit float."""
        (bits,) = self._of(type).put("truncate", [value]).results
        return create_value("arith.bitcast", type, [bits])

    def _of(self, type: ir.Type) -> Templates:
        name = str(type)
        if name not in self._templates:
            text = _OF_POWERS if name == _POWERS else _of_format(name, _SIGNED[name])
            self._templates[name] = Templates(text, self._context)
        return self._templates[name]


def _of_format(name: str, format: _Format) -> str:
    extend = _EXTEND.format(
        unused=format.unused,
        least_normal=format.least_normal,
        exponents=(127 - format.bias) << 23,
        special=_SPECIAL_EXTENDED[name].strip(),
    )
    truncate = _TRUNCATE.format(
        unused=format.unused,
        least_normal=format.least_normal,
        rounding=((format.bias - 127) << 23) + (1 << (format.unused - 1)) - 1,
        round_at=format.least_normal + (format.unused << 23),
        special=_SPECIAL_TRUNCATED[name].strip(),
    )
    return extend + truncate


def _is_float8(value: ir.Value) -> bool:
    name = str(value.type)
    return name in _SIGNED or name == _POWERS


def _expand(op: ir.Operation, conversions: _Conversions) -> None:
    """Replace an op by one of f32, with conversions around it."""
    operands = [conversions.extended(v) if _is_float8(v) else v for v in op.operands]
    if op.name in ("arith.extf", "arith.truncf"):
        (operand,) = operands
        wanted = conversions.single if _is_float8(op.result) else op.result.type
        results = [_in(operand, wanted)]
    else:
        copy = op.operation.clone()
        for index, operand in enumerate(operands):
            copy.operands[index] = operand
        for result in copy.results:
            if _is_float8(result):
                result.set_type(conversions.single)
        results = list(copy.results)
    for old, new in zip(op.results, results, strict=True):
        made = conversions.truncated(new, old.type) if _is_float8(old) else new
        old.replace_all_uses_with(made)
    op.erase()


def _in(value: ir.Value, wanted: ir.Type) -> ir.Value:
    """A float in another float type, of which one is f32."""
    given, target = (ir.FloatType(each).width for each in (value.type, wanted))
    if given == target:
        return value
    name = "arith.extf" if given < target else "arith.truncf"
    return create_value(name, wanted, [value])
