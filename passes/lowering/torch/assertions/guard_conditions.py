"""Conditions on the sizes of a function's arguments, from text to i64 arithmetic.

A condition is a Python expression over `arg0.size(1)`, a size of an argument, and `arg2`, a scalar
argument. Python's integers are unbounded and those of the code have 64 bits, so every operation
that might overflow first asserts that it does not: sizes for which the arithmetic would wrap fail
the condition.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import create_op
from torch_refine.passes.lowering.templates import Templates
from torch_refine.passes.lowering.torch.compute_scalars_as_python import FUNCTIONS

_MOST = 2**62
"""The bound of intermediate results, so that a sum of two does not wrap."""
_INTEGER = (-(2**63), 2**63 - 1)
_LARGEST_EXACT = 2**53
"""Integers up to this are exact in f64."""
_MOST_CHARACTERS = 20_000
_MOST_FACTORS = 8

_ORDER = {ast.Lt: 2, ast.LtE: 3, ast.Gt: 4, ast.GtE: 5, ast.Eq: 0, ast.NotEq: 1}
_FLOAT_ORDER = {ast.Lt: 4, ast.LtE: 5, ast.Gt: 2, ast.GtE: 3, ast.Eq: 1, ast.NotEq: 13}
_FUNCTIONS_OF_FLOATS = {ast.Mod: "remainder", ast.FloorDiv: "floor_quotient"}
_EXTREMES_OF_FLOATS = {"max": "larger", "min": "smaller"}
_ROUNDING = {
    "floor": "math.floor",
    "ceil": "math.ceil",
    "trunc": "math.trunc",
    "round": "math.roundeven",
}


class ConditionError(Exception):
    """A condition that cannot be compiled; the message names the part."""


@dataclass(frozen=True)
class Number:
    """A value with the bounds inferred for an integer; a float has none."""

    value: ir.Value
    low: int = _INTEGER[0]
    high: int = _INTEGER[1]
    is_float: bool = False


Source = Callable[[int, "int | None"], ir.Value]
"""Returns the value of a size of an argument, an i64, or of a scalar argument."""


def write_condition(text: str, source: Source) -> ir.Value:
    """Emit a condition at the insertion point; returns an i1.

    Raises ConditionError for unsupported conditions.
    """
    if len(text) > _MOST_CHARACTERS:
        raise ConditionError("it is too long")
    try:
        parsed = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ConditionError(str(error)) from error
    try:
        return _Writer(source).write(parsed)
    except RecursionError as error:
        raise ConditionError("it is nested too deeply") from error


def reference(node: ast.expr) -> tuple[int, int | None] | None:
    """The argument and dimension that `arg0.size(1)` or `arg2` refer to, or None."""
    if isinstance(node, ast.Name) and node.id.startswith("arg") and node.id[3:].isdecimal():
        return int(node.id[3:]), None
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return None
    called, dim = node.func, node.args[0]
    if not isinstance(called, ast.Attribute) or called.attr != "size":
        return None
    owner = reference(called.value)
    if owner is None or not isinstance(dim, ast.Constant) or type(dim.value) is not int:
        return None
    return owner[0], dim.value


class _Writer:
    """Emits the arithmetic of one condition."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._fits: list[ir.Value] = []
        """The conditions under which the arithmetic equals Python's."""
        self._functions: Templates | None = None
        context = ir.Location.current.context
        self._integer = ir.IntegerType.get_signless(64, context)
        self._truth = ir.IntegerType.get_signless(1, context)
        self._double = ir.F64Type.get(context)

    def write(self, node: ast.expr) -> ir.Value:
        """Whether the condition holds and its arithmetic does not wrap."""
        found = self._condition(node)
        for fits in self._fits:
            found = self._make("arith.andi", self._truth, [fits, found])
        return found

    # Conditions.

    def _condition(self, node: ast.expr) -> ir.Value:
        if isinstance(node, ast.BoolOp):
            conjunction = isinstance(node.op, ast.And)
            name = "arith.andi" if conjunction else "arith.ori"
            found = self._condition(node.values[0])
            for each in node.values[1:]:
                fits = len(self._fits)
                other = self._condition(each)
                self._relax(fits, self._not(found) if conjunction else found)
                found = self._make(name, self._truth, [found, other])
            return found
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self._not(self._condition(node.operand))
        if isinstance(node, ast.Compare):
            sides = list(map(self._number, [node.left, *node.comparators]))
            parts = [
                self._compare(op, left, right)
                for op, left, right in zip(node.ops, sides, sides[1:], strict=False)
            ]
            found = parts[0]
            for each in parts[1:]:
                found = self._make("arith.andi", self._truth, [found, each])
            return found
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return self._bool(node.value)
        raise ConditionError(f"{_shown(node)} is not a condition")

    def _not(self, condition: ir.Value) -> ir.Value:
        return self._make("arith.xori", self._truth, [condition, self._bool(True)])

    def _relax(self, first: int, decided: ir.Value) -> None:
        """Do not ask that the arithmetic of an operand fits, from the `first` condition on, if
        those before it decide: Python would not compute it.
        """
        for place in range(first, len(self._fits)):
            operands = [decided, self._fits[place]]
            self._fits[place] = self._make("arith.ori", self._truth, operands)

    def _compare(self, op: ast.cmpop, left: Number, right: Number) -> ir.Value:
        if type(op) not in _ORDER:
            raise ConditionError(f"{type(op).__name__} is not a comparison of numbers")
        if left.is_float or right.is_float:
            operands = [self._to_float(left).value, self._to_float(right).value]
            return self._predicate("arith.cmpf", _FLOAT_ORDER[type(op)], operands)
        return self._predicate("arith.cmpi", _ORDER[type(op)], [left.value, right.value])

    # Numbers.

    def _number(self, node: ast.expr) -> Number:
        found = reference(node)
        if found is not None:
            low = _INTEGER[0] if found[1] is None else 0
            return Number(self._source(*found), low)
        if isinstance(node, ast.Constant):
            return self._constant(node.value)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            if isinstance(node.operand, ast.Constant):
                return self._constant(-node.operand.value)  # type: ignore[operator]
            return self._subtract(self._constant(0), self._number(node.operand))
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.IfExp):
            return self._choice(node)
        if isinstance(node, ast.Call) and not node.keywords:
            return self._call(ast.unparse(node.func), list(map(self._number, node.args)))
        raise ConditionError(f"{_shown(node)} is not a number")

    def _binary(self, node: ast.BinOp) -> Number:
        if isinstance(node.op, ast.Pow):
            return self._power(self._number(node.left), node.right)
        left, right = self._number(node.left), self._number(node.right)
        if isinstance(node.op, ast.Div):
            operands = [self._to_float(left).value, self._to_float(right).value]
            return self._float("arith.divf", operands)
        if left.is_float or right.is_float:
            if type(node.op) in _FUNCTIONS_OF_FLOATS:
                # By other divisors, the function might raise instead of failing the condition.
                if not _literal(node.right):
                    raise ConditionError(f"the divisor {_shown(node.right)} is not constant")
                return self._of_floats(_FUNCTIONS_OF_FLOATS[type(node.op)], [left, right])
            names = {ast.Add: "arith.addf", ast.Sub: "arith.subf", ast.Mult: "arith.mulf"}
            if type(node.op) not in names:
                raise ConditionError(f"{_shown(node)} is not supported for floats")
            operands = [self._to_float(left).value, self._to_float(right).value]
            return self._float(names[type(node.op)], operands)
        if isinstance(node.op, ast.Add):
            return self._add(left, right)
        if isinstance(node.op, ast.Sub):
            return self._subtract(left, right)
        if isinstance(node.op, ast.Mult):
            return self._multiply(left, right)
        if isinstance(node.op, ast.FloorDiv):
            return self._floor_divide(left, right)
        if isinstance(node.op, ast.Mod):
            return self._remainder(left, right)
        raise ConditionError(f"{_shown(node)} is not supported arithmetic on sizes")

    def _choice(self, node: ast.IfExp) -> Number:
        condition = self._condition(node.test)
        one, other = self._number(node.body), self._number(node.orelse)
        if one.is_float or other.is_float:
            one, other = self._to_float(one), self._to_float(other)
        value = self._make("arith.select", one.value.type, [condition, one.value, other.value])
        return Number(value, min(one.low, other.low), max(one.high, other.high), one.is_float)

    def _call(self, name: str, given: list[Number]) -> Number:
        if name in ("max", "min") and len(given) > 1:
            found = given[0]
            for each in given[1:]:
                if found.is_float or each.is_float:
                    found = self._of_floats(_EXTREMES_OF_FLOATS[name], [found, each])
                else:
                    found = self._extreme(name, found, each)
            return found
        if len(given) != 1:
            raise ConditionError(f"{name} of {len(given)} numbers is not supported")
        function = name.rpartition(".")[2]
        (number,) = given
        if function in ("float", "sym_float"):
            return self._to_float(number)
        if function in ("int", "sym_int", *_ROUNDING):
            return self._to_integer(number, _ROUNDING.get(function, "math.trunc"))
        if function in ("sqrt", "_sym_sqrt"):
            return self._float("math.sqrt", [self._to_float(number).value])
        if function == "abs":
            if number.is_float:
                return self._float("math.absf", [number.value])
            return self._magnitude(number)
        raise ConditionError(f"{name} is not supported")

    # Integers.

    def _add(self, left: Number, right: Number) -> Number:
        if right.low == right.high > _MOST:
            left, right = right, left
        if left.low == left.high > _MOST:
            # PyTorch writes `x <= INT_MAX` so, with a part of x on either side.
            right = self._bounded(right, _MOST)
            room = self._constant(_INTEGER[1] - left.low)
            if right.high > room.high:
                self._require(ast.LtE(), right, room)
            value = self._make("arith.addi", self._integer, [left.value, right.value])
            return Number(value, left.low + right.low)
        left, right = self._bounded(left, _MOST), self._bounded(right, _MOST)
        low, high = left.low + right.low, left.high + right.high
        value = self._make("arith.addi", self._integer, [left.value, right.value])
        return Number(value, max(low, _INTEGER[0]), min(high, _INTEGER[1]))

    def _subtract(self, left: Number, right: Number) -> Number:
        left, right = self._bounded(left, _MOST), self._bounded(right, _MOST)
        value = self._make("arith.subi", self._integer, [left.value, right.value])
        return Number(value, left.low - right.high, left.high - right.low)

    def _multiply(self, left: Number, right: Number) -> Number:
        left, right = self._bounded(left, _MOST), self._bounded(right, _MOST)
        products = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
        low, high = min(products), max(products)
        if max(-low, high) > _MOST:
            # |left| <= most / |right|, rounded down, holds only if |left * right| <= most.
            divisor = self._at_least_one(self._magnitude(right))
            quotient = self._make(
                "arith.divsi", self._integer, [self._constant(_MOST).value, divisor.value]
            )
            self._require(ast.LtE(), self._magnitude(left), Number(quotient))
            low, high = max(low, -_MOST), min(high, _MOST)
        value = self._make("arith.muli", self._integer, [left.value, right.value])
        return Number(value, low, high)

    def _power(self, base: Number, exponent: ast.expr) -> Number:
        power = _literal(exponent)
        if power is None:
            raise ConditionError(f"the exponent {_shown(exponent)} is not constant")
        if base.is_float or isinstance(power, float) or power < 0:
            # As Python's floats; a root of a negative number is NaN, which is less than no number.
            if power < 0:
                infinite = self._compare(ast.Eq(), base, self._constant(0))
                self._fits.append(self._not(infinite))
            given = [self._to_float(base).value, self._to_float(self._constant(power)).value]
            return self._float("math.powf", given)
        if not 0 < power <= _MOST_FACTORS:
            raise ConditionError(f"the exponent {power} is not supported")
        found = base
        for _ in range(power - 1):
            found = self._multiply(found, base)
        return found

    def _floor_divide(self, left: Number, right: Number) -> Number:
        left, right = self._bounded(left, _MOST), self._divisor(right)
        value = self._make("arith.floordivsi", self._integer, [left.value, right.value])
        return Number(value, min(left.low, 0), max(left.high, 0))

    def _remainder(self, left: Number, right: Number) -> Number:
        """With the sign of the divisor, as in Python; the divisor is positive."""
        left, right = self._bounded(left, _MOST), self._divisor(right)
        value = self._make("arith.remsi", self._integer, [left.value, right.value])
        if left.low < 0:
            value = self._make("arith.addi", self._integer, [value, right.value])
            value = self._make("arith.remsi", self._integer, [value, right.value])
        return Number(value, 0, right.high - 1)

    def _divisor(self, number: Number) -> Number:
        """A positive divisor; arbitrary where the condition fails."""
        number = self._bounded(number, _MOST)
        if number.low >= 1:
            return number
        self._require(ast.GtE(), number, self._constant(1))
        return self._at_least_one(number)

    def _at_least_one(self, number: Number) -> Number:
        """The value if it is positive, else 2."""
        # Not 1: that would be a `maxsi`, which the wheel emits for broadcasts, and which is
        # removed.
        one, two = self._constant(1), self._constant(2)
        positive = self._compare(ast.GtE(), number, one)
        operands = [positive, number.value, two.value]
        value = self._make("arith.select", self._integer, operands)
        return Number(value, max(number.low, 1), max(number.high, 2))

    def _extreme(self, name: str, one: Number, other: Number) -> Number:
        bounds = max if name == "max" else min
        value = self._make(f"arith.{name}si", self._integer, [one.value, other.value])
        return Number(value, bounds(one.low, other.low), bounds(one.high, other.high))

    def _magnitude(self, number: Number) -> Number:
        if number.low >= 0:
            return number
        number = self._bounded(number, _MOST)
        return self._extreme("max", number, self._subtract(self._constant(0), number))

    def _bounded(self, number: Number, most: int) -> Number:
        """Require a value to be at most `most`."""
        if number.is_float:
            raise ConditionError("a float where an integer is required")
        if number.high > most:
            self._require(ast.LtE(), number, self._constant(most))
        if number.low < -most:
            self._require(ast.GtE(), number, self._constant(-most))
        return Number(number.value, max(number.low, -most), min(number.high, most))

    def _require(self, op: ast.cmpop, left: Number, right: Number) -> None:
        self._fits.append(self._compare(op, left, right))

    # Floats.

    def _of_floats(self, function: str, given: Sequence[Number]) -> Number:
        """A function of Python's arithmetic on floats."""
        if self._functions is None:
            self._functions = Templates(FUNCTIONS, self._double.context)
        values = [self._to_float(each).value for each in given]
        (found,), _ = self._functions.put(function, values)
        return Number(found, is_float=True)

    def _to_float(self, number: Number) -> Number:
        if number.is_float:
            return number
        number = self._bounded(number, _LARGEST_EXACT)
        return self._float("arith.sitofp", [number.value])

    def _to_integer(self, number: Number, rounding: str) -> Number:
        if not number.is_float:
            return number
        rounded = self._float(rounding, [number.value])
        most = self._float_constant(float(_LARGEST_EXACT))
        size = self._float("math.absf", [rounded.value])
        # False for NaN, too.
        self._fits.append(self._predicate("arith.cmpf", 5, [size.value, most.value]))
        # Values out of range, and NaN, must not be converted: that is undefined behaviour.
        fits = self._fits[-1]
        safe = self._make(
            "arith.select",
            self._double,
            [fits, rounded.value, self._float_constant(0.0).value],
        )
        value = self._make("arith.fptosi", self._integer, [safe])
        return Number(value, -_LARGEST_EXACT, _LARGEST_EXACT)

    # Operations.

    def _float(self, name: str, operands: Sequence[ir.Value]) -> Number:
        return Number(self._make(name, self._double, operands), is_float=True)

    def _float_constant(self, number: float) -> Number:
        attribute = ir.FloatAttr.get(self._double, number)
        return Number(
            self._make("arith.constant", self._double, [], value=attribute), is_float=True
        )

    def _constant(self, number: object) -> Number:
        if isinstance(number, float):
            return self._float_constant(number)
        if type(number) is not int or not _INTEGER[0] <= number <= _INTEGER[1]:
            raise ConditionError(f"{number!r} does not fit into 64 bits")
        attribute = ir.IntegerAttr.get(self._integer, number)
        value = self._make("arith.constant", self._integer, [], value=attribute)
        return Number(value, number, number)

    def _bool(self, value: bool) -> ir.Value:
        attribute = ir.IntegerAttr.get(self._truth, int(value))
        return self._make("arith.constant", self._truth, [], value=attribute)

    def _predicate(self, name: str, predicate: int, operands: Sequence[ir.Value]) -> ir.Value:
        attribute = ir.IntegerAttr.get(self._integer, predicate)
        return self._make(name, self._truth, operands, predicate=attribute)

    def _make(
        self, name: str, type: ir.Type, operands: Sequence[ir.Value], **attributes: ir.Attribute
    ) -> ir.Value:
        made = create_op(name, list(operands), attributes, results=[type])
        return made.result


def _shown(node: ast.expr) -> str:
    return ast.unparse(node)


def _literal(node: ast.expr) -> int | float | None:
    """The number that an expression is, with its sign; None for any other."""
    try:
        number = ast.literal_eval(node)
    except ValueError:
        return None
    return number if type(number) in (int, float) else None
