"""Compute GELU with two fast functions where it may be approximate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.templates import Templates

# With h = erfc(|x| / sqrt(2)) / 2, GELU is x - x h for positive x, and x h for negative x.
# h = t P(t) exp(-x^2 / 2) with t = 1 / (1 + 0.38 |x|): the form of Abramowitz and Stegun, 7.1.26,
# fitted to the least relative error, 3.6e-5 for |x| <= 14. It is negated below.
_GELU = """
func.func private @gelu(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  // Past it, h is 0. Infinity times it would not be a number.
  %most = arith.constant 20.0 : f32
  %scale = arith.constant 0.38 : f32
  %power_scale = arith.constant -0.72134752044448170 : f32
  %p1 = arith.constant -0.15122529 : f32
  %p2 = arith.constant -0.15782834 : f32
  %p3 = arith.constant -0.09198292 : f32
  %p4 = arith.constant -0.18887264 : f32
  %p5 = arith.constant 0.08992667 : f32
  %size = math.absf %x : f32
  %divisor = math.fma %scale, %size, %one : f32
  %t = arith.divf %one, %divisor fastmath<afn> : f32
  %a0 = math.fma %p5, %t, %p4 : f32
  %a1 = math.fma %a0, %t, %p3 : f32
  %a2 = math.fma %a1, %t, %p2 : f32
  %a3 = math.fma %a2, %t, %p1 : f32
  %a4 = arith.mulf %a3, %t : f32
  %square = arith.mulf %x, %x : f32
  %power = arith.mulf %square, %power_scale : f32
  %e = math.exp2 %power fastmath<afn> : f32
  %h = arith.mulf %a4, %e : f32
  %below = arith.minnumf %x, %most : f32
  %factor = math.absf %below : f32
  %positive = arith.maximumf %x, %zero : f32
  %value = math.fma %factor, %h, %positive : f32
  return %value : f32
}
"""
_HALF, _ROOT = 0.5, 0.70710678118654752
_CLOSE = 1e-6


@dataclass
class ApproximateGelu(Pass):
    """Compute GELU with two fast functions where it may be approximate.

    `x / 2 * (1 + erf(x / sqrt(2)))` takes about twenty instructions for each element, more than
    memory leaves time for. If `afn` is set on its `erf`, it becomes a polynomial of a reciprocal
    times an exponential, with a relative error of at most 4e-5 also where GELU is nearly 0.

    Before:

    ```mlir
    func.func @f(%arg0: f32) -> f32 {
      %cst = arith.constant 5.000000e-01 : f32
      %cst_0 = arith.constant 0.707106769 : f32
      %cst_1 = arith.constant 1.000000e+00 : f32
      %0 = arith.mulf %arg0, %cst_0 : f32
      %1 = math.erf %0 fastmath<afn> : f32
      %2 = arith.addf %1, %cst_1 : f32
      %3 = arith.mulf %arg0, %cst : f32
      %4 = arith.mulf %3, %2 : f32
      return %4 : f32
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: f32) -> f32 {
      %cst = arith.constant 5.000000e-01 : f32
      %cst_0 = arith.constant 0.707106769 : f32
      %cst_1 = arith.constant 1.000000e+00 : f32
      %0 = arith.mulf %arg0, %cst_0 : f32
      %1 = arith.mulf %arg0, %cst : f32
      %cst_2 = arith.constant 0.000000e+00 : f32
      %cst_3 = arith.constant 1.000000e+00 : f32
      %cst_4 = arith.constant 2.000000e+01 : f32
      %cst_5 = arith.constant 3.800000e-01 : f32
      %cst_6 = arith.constant -0.72134751 : f32
      %cst_7 = arith.constant -0.151225284 : f32
      %cst_8 = arith.constant -0.157828346 : f32
      %cst_9 = arith.constant -0.0919829234 : f32
      %cst_10 = arith.constant -0.188872635 : f32
      %cst_11 = arith.constant 0.0899266675 : f32
      %2 = math.absf %arg0 : f32
      %3 = math.fma %cst_5, %2, %cst_3 : f32
      %4 = arith.divf %cst_3, %3 fastmath<afn> : f32
      %5 = math.fma %cst_11, %4, %cst_10 : f32
      %6 = math.fma %5, %4, %cst_9 : f32
      %7 = math.fma %6, %4, %cst_8 : f32
      %8 = math.fma %7, %4, %cst_7 : f32
      %9 = arith.mulf %8, %4 : f32
      %10 = arith.mulf %arg0, %arg0 : f32
      %11 = arith.mulf %10, %cst_6 : f32
      %12 = math.exp2 %11 fastmath<afn> : f32
      %13 = arith.mulf %9, %12 : f32
      %14 = arith.minnumf %arg0, %cst_4 : f32
      %15 = math.absf %14 : f32
      %16 = arith.maximumf %arg0, %cst_2 : f32
      %17 = math.fma %15, %13, %16 : f32
      return %17 : f32
    }
    ```
    """

    name: ClassVar[str] = "approximate-gelu"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Replace in a module, or in one function."""
        templates = Templates(_GELU, op.context)
        for each in [each for each in walk(op) if each.name == "math.erf"]:
            if "afn" not in str(each.attributes["fastmath"]):
                continue
            product = _product(each)
            if product is None:
                continue
            (x,) = _factors(defining_op(each.operands[0]), _ROOT)
            with ir.InsertionPoint(product), product.location:
                (value,) = templates.put("gelu", [x]).results
            product.result.replace_all_uses_with(value)
            sum = operation_of(next(iter(each.result.uses)).owner)
            for old in (product, sum, each):
                old.erase()
            state.count(self.name, "GELUs")


def _product(erf: ir.Operation) -> ir.Operation | None:
    """The product that is GELU of what an error function is of; None if there is none."""
    of = _factors(defining_op(erf.operands[0]), _ROOT)
    sum = _only_user(erf)
    if not of or sum is None or sum.name != "arith.addf":
        return None
    others = [operand for operand in sum.operands if operand != erf.result]
    if len(others) != 1 or _number(others[0]) != 1.0:
        return None
    product = _only_user(sum)
    if product is None or product.name != "arith.mulf":
        return None
    others = [operand for operand in product.operands if operand != sum.result]
    if len(others) != 1 or _factors(defining_op(others[0]), _HALF) != of:
        return None
    return product


def _only_user(op: ir.Operation) -> ir.Operation | None:
    uses = list(op.result.uses)
    return operation_of(uses[0].owner) if len(uses) == 1 else None


def _factors(op: ir.Operation | None, number: float) -> list[ir.Value]:
    """What an op multiplies with a number."""
    if op is None or op.name != "arith.mulf":
        return []
    a, b = op.operands
    for one, other in ((a, b), (b, a)):
        found = _number(other)
        if found is not None and abs(found - number) < _CLOSE:
            return [one]
    return []


def _number(value: ir.Value) -> float | None:
    """The value of a constant, or of one that is rounded to f32."""
    op = defining_op(value)
    if op is not None and op.name == "arith.truncf":
        op = defining_op(op.operands[0])
    if op is None or op.name != "arith.constant":
        return None
    attribute = op.attributes["value"]
    return float(attribute.value) if isinstance(attribute, ir.FloatAttr) else None
