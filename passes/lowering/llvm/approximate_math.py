"""Expand functions such as exp and sin to arithmetic that can be vectorized."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_op, create_value
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.attention.softmax import NOT_POSITIVE
from torch_refine.passes.lowering.templates import Templates

APPROXIMATIONS = Path(__file__).with_name("approximations.mlir")
_OF_NOT_POSITIVE = "exp.not_positive"
_PLUS_ONE = "erf.plus_one"
_REMAINDER = "arith.remf"
_TO_INTEGERS = ("math.ceil", "math.floor", "math.round", "math.roundeven", "math.trunc")
_HALVES = ("f16", "bf16")
# Powers with larger exponents lose digits if they are computed by multiplications.
_MOST_MULTIPLIED = 16
# On GPUs, functions are of elements of vectors.
_BUILT = ("vector.from_elements", "vector.insert")
# Functions that the others call, and those of special cases.
_OTHERS = (
    "wide_exp",
    "wide_log",
    "quadrant",
    "near_circle",
    "sine_in",
    "angle",
    "other_leg",
    "scaled",
    "exp_near",
    "fraction_of",
    "log_near",
    "log_of_any",
    _OF_NOT_POSITIVE,
    _PLUS_ONE,
    # Of `call-vector-functions`.
    "near_quadrant",
    "near_wide_quadrant",
    "leg_in",
    "near_sin",
    "near_cos",
    "near_tan",
    "near_wide_circle",
    "near_wide_sin",
    "near_wide_cos",
)


@dataclass
class ApproximateMath(Pass):
    """Expand functions such as exp and sin to arithmetic that can be vectorized.

    Calls of the C library are scalar. The functions that have a template for their type are
    replaced, and so is the remainder of f32 and of 16-bit floats; powers of 2 are exp2, and powers
    with integers that are no small constants are those with floats. Upstream's expansions of expm1
    and log1p lose the precision that these functions exist for, that of erf does not support f64,
    and the C library's atanh is less accurate than PyTorch's.
    LLVM would round extended f16 to integers in f16, element by element; not if the f32 has another
    use, so results get the sign of what they are rounded from.
    The functions are in `approximations.mlir`, with their errors. An exp with the attribute
    `torch_refine.not_positive`, and an erf of which only the sum with 1 is used, take fewer steps.

    Before:

    ```mlir
    func.func @f(%arg0: f32) -> f32 {
      %0 = math.log10 %arg0 : f32
      return %0 : f32
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: f32) -> f32 {
      %cst = arith.constant 0.43429448190325182 : f64
      // ...
      %35 = math.fma %31, %cst_21, %34 : f64
      // ...
      %42 = arith.mulf %41, %cst : f64
      %43 = arith.truncf %42 : f64 to f32
      return %43 : f32
    }
    ```
    """

    name: ClassVar[str] = "approximate-math"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Replace in a module, or in one function."""
        templates = Templates(APPROXIMATIONS, op.context)
        names = {
            (_operation(name.partition(".")[0]), body.arguments[0].type): name
            for name, body in templates.bodies.items()
            if name not in _OTHERS
        }
        # The expansion may contain functions that are expanded, too.
        pending = list(walk(op))
        while pending:
            each = pending.pop()
            if not each.name.startswith("math.") and each.name != _REMAINDER:
                continue
            if each.name in _TO_INTEGERS and _is_of_f16(each):
                _keep_in_single(each)
                state.count(self.name, "functions kept in f32")
                continue
            if each.name == _REMAINDER and str(each.result.type) in _HALVES:
                each = _in_single(each)
            if each.name == "math.fpowi" and not _is_small(each.operands[1]):
                each = _with_float_exponent(each)
            if _is_power_of_2(each):
                with ir.InsertionPoint(each), each.location:
                    power = create_op("math.exp2", [each.operands[1]], results=[each.result.type])
                each.result.replace_all_uses_with(power.result)
                each.erase()
                each = power
            type = each.result.type
            is_vector = isinstance(type, ir.VectorType) and type.rank == 1
            name = names.get((each.name, type.element_type if is_vector else type))
            if name == "exp" and NOT_POSITIVE in each.attributes:
                name = _OF_NOT_POSITIVE
            if name == "erf" and _is_added_to_one(each):
                name = _PLUS_ONE
            if name is not None:
                lanes = type.shape[0] if is_vector else 0
                with ir.InsertionPoint(each), each.location:
                    made = templates.put(name, list(each.operands), lanes)
                each.result.replace_all_uses_with(made.results[0])
                pending += made.ops
                state.count(self.name, f"{each.name.partition('.')[2]} replaced")
                each.erase()


def _operation(name: str) -> str:
    """The operation that a template replaces."""
    return _REMAINDER if _REMAINDER.endswith(f".{name}") else f"math.{name}"


def _is_of_f16(op: ir.Operation) -> bool:
    extension = defining_op(op.operands[0])
    return (
        extension is not None
        and extension.name == "arith.extf"
        and str(_element_of(extension.operands[0])) == "f16"
        and sum(1 for _ in op.operands[0].uses) == 1
    )


def _element_of(value: ir.Value) -> ir.Type:
    type = value.type
    return type.element_type if isinstance(type, ir.VectorType) else type


def _keep_in_single(op: ir.Operation) -> None:
    """Give the result of an op the sign of its operand, which it has."""
    with ir.InsertionPoint.after(op), op.location:
        signed = create_op("math.copysign", [op.result, op.operands[0]], results=[op.result.type])
    for use in list(op.result.uses):
        user = operation_of(use.owner)
        if user != signed:
            user.operands[use.operand_number] = signed.result


def _in_single(op: ir.Operation) -> ir.Operation:
    """A remainder of 16-bit floats as one of f32, of which it is one of 16 bits."""
    single = ir.F32Type.get(op.context)
    with ir.InsertionPoint(op), op.location:
        wide = [create_value("arith.extf", single, [each]) for each in op.operands]
        remainder = create_op(op.name, wide, results=[single])
        value = create_value("arith.truncf", op.result.type, [remainder.result])
    op.result.replace_all_uses_with(value)
    op.erase()
    return remainder


def _is_small(exponent: ir.Value) -> bool:
    """Whether an exponent is a constant for which LLVM multiplies."""
    op = defining_op(exponent)
    if op is None or op.name != "arith.constant":
        return False
    attribute = op.attributes["value"]
    if isinstance(attribute, ir.DenseIntElementsAttr) and attribute.is_splat:
        attribute = attribute.get_splat_value()
    return isinstance(attribute, ir.IntegerAttr) and abs(attribute.value) <= _MOST_MULTIPLIED


def _with_float_exponent(op: ir.Operation) -> ir.Operation:
    """A power with an integer as one with a float, as PyTorch computes it.

    The functions of compilers' libraries take exponents of 32 bits; LLVM would pass it 64.
    """
    base, exponent = op.operands
    with ir.InsertionPoint(op), op.location:
        converted = create_value("arith.sitofp", base.type, [exponent])
        power = create_op("math.powf", [base, converted], results=[base.type])
    op.result.replace_all_uses_with(power.result)
    op.erase()
    return power


def _is_added_to_one(op: ir.Operation) -> bool:
    """Whether only the sum of a result with 1 is used."""
    pending = [op]
    while pending:
        for use in pending.pop().result.uses:
            user = operation_of(use.owner)
            if user.name in _BUILT:
                pending.append(user)
            elif user.name != "arith.addf" or not any(
                _is_constant(each, 1.0) for each in user.operands
            ):
                return False
    return True


def _is_power_of_2(op: ir.Operation) -> bool:
    """Whether an op raises the number 2 to a power, as `aten.exp2` is lowered."""
    if op.name != "math.powf":
        return False
    base = op.operands[0]
    extension = defining_op(base)
    if extension is not None and extension.name == "arith.extf":
        base = extension.operands[0]
    return _is_constant(base, 2.0)


def _is_constant(value: ir.Value, number: float) -> bool:
    op = defining_op(value)
    if op is None or op.name != "arith.constant":
        return False
    attribute = op.attributes["value"]
    if isinstance(attribute, ir.DenseFPElementsAttr) and attribute.is_splat:
        attribute = attribute.get_splat_value()
    return isinstance(attribute, ir.FloatAttr) and bool(attribute.value == number)
