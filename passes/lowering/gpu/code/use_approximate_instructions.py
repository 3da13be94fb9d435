"""Use the approximate instructions of NVIDIA's chips where that is allowed."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.structured_ops import defining_op, in_order
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.llvm.approximate_math import APPROXIMATIONS
from torch_refine.passes.lowering.templates import Templates

_RATIONAL = {"math.erf": "erf", "math.tanh": "tanh"}
_APPROXIMATE = "afn"
# A reciprocal takes as long as three divisions that share it.
_LEAST_SHARED = 3
_LEAST, _MOST = 2.0**-62, 2.0**62
_UP, _DOWN = 2.0**64, 2.0**-64
_LOG2_E = 1.44269504088896341


@dataclass
class UseApproximateInstructions(Pass):
    """Use the approximate instructions of NVIDIA's chips where `afn` allows it.

    - `exp` is `ex2.approx` of a product: at most 2^-16 of the result wrong.
    - The divisions in `erf` and `tanh` multiply by `rcp.approx`: their divisors are near 1.
    - Reciprocals are `rcp.approx`, and other divisions `div.full`: at most 2 units in the last
      place wrong. Several divisions by the same divisor multiply by one reciprocal of it; divisors
      whose reciprocal would be infinite or subnormal are scaled by a power of 2, and so are the
      dividends.
    - Subnormal operands and results stay: without `.ftz`, rows take the same time.

    Before:

    ```mlir
    func.func @f(%arg0: f32, %arg1: f32) -> f32 {
      %0 = arith.divf %arg0, %arg1 fastmath<afn> : f32
      return %0 : f32
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: f32, %arg1: f32) -> f32 {
      %0 = llvm.inline_asm asm_dialect = att "div.full.f32 $0, $1, $2;", "=f,f,f" %arg0, %arg1 : \
(f32, f32) -> f32
      return %0 : f32
    }
    ```
    """

    name: ClassVar[str] = "use-approximate-instructions"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Replace in a module, or in one function."""
        templates = Templates(APPROXIMATIONS, op.context)
        quotients: dict[tuple[ir.Block, ir.Value], list[ir.Operation]] = defaultdict(list)
        for each in [each for each in walk(op) if _is_approximate(each)]:
            if each.name == "arith.divf":
                quotients[each.block, each.operands[1]].append(each)
                continue
            with ir.InsertionPoint(each), each.location:
                made = _function(each, templates)
            if made is not None:
                each.result.replace_all_uses_with(made)
                each.erase()
                state.count(self.name, "functions")
        for (_, divisor), divisions in quotients.items():
            _divide(divisor, in_order(divisions))
            state.count(self.name, "divisions", len(divisions))


def _is_approximate(op: ir.Operation) -> bool:
    """Whether an op on scalars may be approximate."""
    return (
        "fastmath" in op.attributes
        and len(op.results) == 1
        and str(op.result.type) == "f32"
        and _APPROXIMATE in str(op.attributes["fastmath"])
    )


def _function(op: ir.Operation, templates: Templates) -> ir.Value | None:
    if op.name == "math.exp":
        return _exponential(op.operands[0])
    if op.name == "math.exp2":
        return _instruction("ex2.approx.f32", [op.operands[0]])
    if op.name not in _RATIONAL:
        return None
    put = templates.put(_RATIONAL[op.name], list(op.operands))
    (result,) = put.results
    for each in put.ops:
        with ir.InsertionPoint(each):
            if each.name == "math.exp":
                value = _exponential(each.operands[0])
            elif each.name == "arith.divf":
                dividend, divisor = each.operands
                value = _multiply(dividend, _instruction("rcp.approx.f32", [divisor]))
            else:
                continue
        if result == each.result:
            result = value
        each.result.replace_all_uses_with(value)
        each.erase()
    return result


def _exponential(power: ir.Value) -> ir.Value:
    return _instruction("ex2.approx.f32", [_multiply(power, _constant(_LOG2_E))])


def _divide(divisor: ir.Value, divisions: list[ir.Operation]) -> None:
    """Divide by a value that divisions of one block share."""
    first = divisions[0]
    scale = reciprocal = None
    if len(divisions) >= _LEAST_SHARED:
        with ir.InsertionPoint(first), first.location:
            scale, reciprocal = _reciprocal(divisor)
    for each in divisions:
        with ir.InsertionPoint(each), each.location:
            if _is_one(each.operands[0]):
                value = _instruction("rcp.approx.f32", [divisor])
            elif scale is not None and reciprocal is not None:
                value = _multiply(_multiply(each.operands[0], scale), reciprocal)
            else:
                value = _instruction("div.full.f32", list(each.operands))
        each.result.replace_all_uses_with(value)
        each.erase()


def _reciprocal(divisor: ir.Value) -> tuple[ir.Value, ir.Value]:
    """A power of 2, and the reciprocal of a divisor times it."""
    size = create_value("math.absf", divisor.type, [divisor])
    one = _constant(1.0)
    scale = one
    # Comparisons with NaN are false.
    for predicate, bound, factor in ((2, _MOST, _DOWN), (4, _LEAST, _UP)):
        chosen = create_value(
            "arith.cmpf",
            ir.IntegerType.get_signless(1),
            [size, _constant(bound)],
            {"predicate": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate)},
        )
        scale = create_value("arith.select", divisor.type, [chosen, _constant(factor), scale])
    return scale, _instruction("rcp.approx.f32", [_multiply(divisor, scale)])


def _is_one(value: ir.Value) -> bool:
    """Whether a number is 1, which may be an element of a constant vector."""
    op = defining_op(value)
    while op is not None and op.name in ("vector.extract", "vector.broadcast"):
        op = defining_op(op.operands[0])
    if op is None or op.name != "arith.constant":
        return False
    attribute = op.attributes["value"]
    if isinstance(attribute, ir.DenseFPElementsAttr) and attribute.is_splat:
        attribute = attribute.get_splat_value()
    return isinstance(attribute, ir.FloatAttr) and bool(attribute.value == 1)


def _multiply(a: ir.Value, b: ir.Value) -> ir.Value:
    return create_value("arith.mulf", a.type, [a, b])


def _constant(number: float) -> ir.Value:
    type = ir.F32Type.get()
    return create_value("arith.constant", type, [], {"value": ir.FloatAttr.get(type, number)})


def _instruction(name: str, operands: list[ir.Value]) -> ir.Value:
    """An instruction on f32 numbers, without side effects."""
    places = ", ".join(f"${place}" for place in range(len(operands) + 1))
    return create_value(
        "llvm.inline_asm",
        ir.F32Type.get(),
        operands,
        {
            "asm_string": ir.StringAttr.get(f"{name} {places};"),
            "constraints": ir.StringAttr.get(",".join(["=f", *("f" for _ in operands)])),
            # AT&T syntax, which NVPTX ignores.
            "asm_dialect": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0),
        },
    )
