"""Element functions in the torch dialect as code of the arith, math and scf dialects.

A float has the type of the computation, an int 64 bits. The code is written at the insertion point,
such as the body of a loop over the elements of a tensor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import torch_refine.abstract_interp_lib as _lib
from torch_refine.abstract_interpreter.running.decoder import constant_value
from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import compare, create_op, create_value, finish, if_then
from torch_refine.dialect.library import functions_in
from torch_refine.dialect.names import ELEMENT_PREFIX, name_of
from torch_refine.passes.program import symbol_name

ELEMENT_FUNCTIONS = Path(_lib.__file__).parent / "exported" / "elements.mlir"

_LEAST_INT = -(2**63)
# The function that stands for what only the lowering knows.
_WRAPPED = ".abstract_interp_lib.elements.wrapped"
# Predicates of arith.cmpf: ordered ones, but not-equal, which holds for NaN.
_OF_FLOATS = {"eq": 1, "gt": 2, "ge": 3, "lt": 4, "le": 5, "ne": 13}
_OF_INTS = {"eq": 0, "ne": 1, "lt": 2, "le": 3, "gt": 4, "ge": 5}
_ARITHMETIC = {"add", "div", "mul", "sub"}
_BITWISE = {"__and__": "arith.andi", "__or__": "arith.ori", "__xor__": "arith.xori"}
# Functions of floats, by their names in TorchScript.
_MATH = {
    "abs": "math.absf",
    "acos": "math.acos",
    "copysign": "math.copysign",
    "cos": "math.cos",
    "erfc": "math.erfc",
    "exp": "math.exp",
    "expm1": "math.expm1",
    "fabs": "math.absf",
    "log": "math.log",
    "log1p": "math.log1p",
    "pow": "math.powf",
    "sin": "math.sin",
    "sqrt": "math.sqrt",
}
_EXTREMES = {"max": "arith.maximumf", "min": "arith.minimumf"}


@cache
def _texts() -> dict[str, str]:
    return functions_in(ELEMENT_FUNCTIONS.read_text(encoding="utf-8"))


@cache
def element_operators() -> frozenset[str]:
    """The operators that have an element function, as in `aten.gcd`, without overloads."""
    return frozenset(
        symbol.removeprefix(ELEMENT_PREFIX)
        for symbol in _texts()
        if symbol.startswith(ELEMENT_PREFIX)
    )


def operator_of(op: ir.Operation) -> str:
    """The operator of an op, without its overload, if it has an element function; else nothing."""
    parts = name_of(op).split(".")
    found = ".".join(parts[1:3])
    return found if parts[0] == "torch" and found in element_operators() else ""


class NotTranslatableError(Exception):
    """An element function has an operator that has no translation; the message names it."""


class ElementFunctions:
    """The element functions of the library, or of the text of another, in one context."""

    def __init__(self, context: ir.Context, text: str | None = None) -> None:
        # Owns the bodies.
        self._module = ir.Module.parse(text or "\n".join(_texts().values()), context)
        self._bodies: dict[str, ir.Block] = {
            symbol_name(each) or "": each.regions[0].blocks[0]
            for each in operations(self._module.operation.regions[0].blocks[0])
        }

    def kinds(self, operator: str) -> list[str]:
        """The kinds of the parameters of an operator's function, `int` or `float`."""
        arguments = self._bodies[ELEMENT_PREFIX + operator].arguments
        return [str(each.type).removeprefix("!torch.") for each in arguments]

    def put(
        self,
        operator: str,
        values: Sequence[ir.Value],
        float_type: ir.Type,
        wrap: Callable[[ir.Value], ir.Value],
    ) -> ir.Value:
        """Write the function of an operator at the insertion point; returns its result.

        `wrap` writes an int as the dtype of the result holds it.
        """
        body = self._bodies[ELEMENT_PREFIX + operator]
        (result,) = _Translation(self._bodies, float_type, wrap).run(body, values)
        return result


class _Translation:
    """The translation of a function and of those that it calls, for a type of floats."""

    def __init__(
        self,
        bodies: dict[str, ir.Block],
        float_type: ir.Type,
        wrap: Callable[[ir.Value], ir.Value],
    ) -> None:
        self.bodies = bodies
        self.wrap = wrap
        context = float_type.context
        self.types = {
            "float": float_type,
            "int": ir.IntegerType.get_signless(64, context),
            "bool": ir.IntegerType.get_signless(1, context),
        }

    def run(self, body: ir.Block, values: Sequence[ir.Value]) -> list[ir.Value]:
        """Write the body of a function; returns its results."""
        return self.block(body, dict(zip(body.arguments, values, strict=True)))

    def type(self, type: ir.Type) -> ir.Type:
        return self.types[str(type).removeprefix("!torch.")]

    def block(self, block: ir.Block, known: dict[ir.Value, ir.Value]) -> list[ir.Value]:
        """Write a block, without its terminator; returns the operands of that."""
        for op in operations(block):
            given = [known[operand] for operand in op.operands]
            name = name_of(op)
            if name in ("func.return", "torch.prim.If.yield", "torch.prim.Loop.condition"):
                return given
            if name == "func.call":
                callee = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
                is_wrapping = callee.endswith(_WRAPPED)
                results = (
                    [self.wrap(given[0])] if is_wrapping else self.run(self.bodies[callee], given)
                )
            elif name == "torch.prim.If":
                results = self.branch(op, given[0], known)
            elif name == "torch.prim.Loop":
                results = self.loop(op, given, known)
            elif name.startswith("torch.constant."):
                results = [self.constant(op)]
            else:
                results = [self.operator(name, given, self.type(op.results[0].type))]
            known.update(zip(op.results, results, strict=True))
        raise AssertionError("a block has a terminator")

    def constant(self, op: ir.Operation) -> ir.Value:
        type = self.type(op.results[0].type)
        value = constant_value(op)
        if type == self.types["float"]:
            return self.number(value)
        return _constant(type, ir.IntegerAttr.get(type, int(value)))

    def number(self, value: float) -> ir.Value:
        """A float."""
        type = self.types["float"]
        return _constant(type, ir.FloatAttr.get(type, value))

    def branch(
        self, op: ir.Operation, condition: ir.Value, known: dict[ir.Value, ir.Value]
    ) -> list[ir.Value]:
        made = if_then(condition, [self.type(each.type) for each in op.results])
        for source, target in zip(op.regions, made.regions, strict=True):
            with ir.InsertionPoint(target.blocks[0]):
                values = self.block(source.blocks[0], dict(known))
            finish(target.blocks[0], values)
        return list(made.results)

    def loop(
        self, op: ir.Operation, given: list[ir.Value], known: dict[ir.Value, ir.Value]
    ) -> list[ir.Value]:
        """A loop with a number of iterations at most, and a condition for the next one."""
        most, first, *carried = given
        zero = self.integer(0)
        initial = [zero, first, *carried]
        types = [each.type for each in initial]
        made = create_op("scf.while", initial, results=types, regions=2)
        places = [ir.Location.current] * len(types)
        before = ir.Block.create_at_start(made.regions[0], types, places)
        with ir.InsertionPoint(before):
            index, again, *_ = before.arguments
            inside = compare("slt", index, most)
            goes_on = create_value("arith.andi", self.types["bool"], [inside, again])
            create_op("scf.condition", [goes_on, *before.arguments])
        after = ir.Block.create_at_start(made.regions[1], types, places)
        with ir.InsertionPoint(after):
            index, _, *values = after.arguments
            source = op.regions[0].blocks[0]
            inner = {**known, **dict(zip(source.arguments, [index, *values], strict=True))}
            again, *values = self.block(source, inner)
            following = create_value("arith.addi", index.type, [index, self.integer(1)])
        finish(after, [following, again, *values])
        return list(made.results)[2:]

    def integer(self, value: int) -> ir.Value:
        """An int."""
        type = self.types["int"]
        return _constant(type, ir.IntegerAttr.get(type, value))

    def operator(self, name: str, given: list[ir.Value], result: ir.Type) -> ir.Value:
        """An operator on numbers, such as `torch.aten.mul.int_float`."""
        base = name.removeprefix("torch.").split(".")[1]
        handler = _CONVERSIONS.get(base)
        if handler is not None:
            return handler(self, given)
        boolean, integer, real = self.types["bool"], self.types["int"], self.types["float"]
        if base == "__not__":
            one = _constant(boolean, ir.IntegerAttr.get(boolean, 1))
            return create_value("arith.xori", boolean, [*given, one])
        is_real = result == real or any(each.type == real for each in given)
        if is_real:
            given = [self.to_float([each]) for each in given]
        if base in _OF_FLOATS:
            predicates = _OF_FLOATS if is_real else _OF_INTS
            kind = ir.IntegerAttr.get(integer, predicates[base])
            made = "arith.cmpf" if is_real else "arith.cmpi"
            return create_value(made, boolean, given, {"predicate": kind})
        if is_real:
            return self.of_floats(base, given)
        return self.of_ints(base, given)

    def of_floats(self, base: str, given: list[ir.Value]) -> ir.Value:
        real = self.types["float"]
        if base in _ARITHMETIC:
            return create_value(f"arith.{base}f", real, given)
        if base == "neg":
            return create_value("arith.negf", real, given)
        if base == "floordiv":
            quotient = create_value("arith.divf", real, given)
            return create_value("math.floor", real, [quotient])
        name = _EXTREMES.get(base) or _MATH.get(base)
        if name is None:
            raise NotTranslatableError(f"{base} of floats has no translation")
        return create_value(name, real, given)

    def of_ints(self, base: str, given: list[ir.Value]) -> ir.Value:
        integer = self.types["int"]
        if base in _ARITHMETIC - {"div"}:
            return create_value(f"arith.{base}i", integer, given)
        if base in _BITWISE:
            return create_value(_BITWISE[base], given[0].type, given)
        if base == "neg":
            return create_value("arith.subi", integer, [self.integer(0), *given])
        if base == "abs":
            return create_value("math.absi", integer, given)
        if base == "floordiv":
            return create_value("arith.floordivsi", integer, given)
        if base != "remainder":
            raise NotTranslatableError(f"{base} of ints has no translation")
        # That of Python has the sign of the divisor.
        found = create_value("arith.remsi", integer, given)
        zero = self.integer(0)
        sides = create_value("arith.xori", integer, [found, given[1]])
        is_other = compare("slt", sides, zero)
        differs = compare("ne", found, zero)
        moves = create_value("arith.andi", self.types["bool"], [is_other, differs])
        moved = create_value("arith.addi", integer, [found, given[1]])
        return create_value("arith.select", integer, [moves, moved, found])

    def to_float(self, given: list[ir.Value]) -> ir.Value:
        """A number as a float."""
        (value,) = given
        real = self.types["float"]
        if value.type == real:
            return value
        name = "arith.uitofp" if value.type == self.types["bool"] else "arith.sitofp"
        return create_value(name, real, [value])

    def to_int(self, given: list[ir.Value]) -> ir.Value:
        """A float without its fraction; the least int where that is out of range, as PyTorch."""
        (value,) = given
        integer, boolean = self.types["int"], self.types["bool"]
        if value.type != self.types["float"]:
            if value.type == integer:
                return value
            return create_value("arith.extui", integer, [value])
        size = create_value("math.absf", value.type, [value])
        kind = ir.IntegerAttr.get(integer, _OF_FLOATS["lt"])
        fits = create_value(
            "arith.cmpf", boolean, [size, self.number(2.0**63)], {"predicate": kind}
        )
        # The conversion of what does not fit is undefined.
        kept = create_value("arith.select", value.type, [fits, value, self.number(0.0)])
        found = create_value("arith.fptosi", integer, [kept])
        return create_value("arith.select", integer, [fits, found, self.integer(_LEAST_INT)])

    def is_nan(self, given: list[ir.Value]) -> ir.Value:
        kind = ir.IntegerAttr.get(self.types["int"], 14)
        return create_value("arith.cmpf", self.types["bool"], [given[0]] * 2, {"predicate": kind})

    def is_infinite(self, given: list[ir.Value]) -> ir.Value:
        size = create_value("math.absf", given[0].type, given)
        kind = ir.IntegerAttr.get(self.types["int"], _OF_FLOATS["eq"])
        operands = [size, self.number(math.inf)]
        return create_value("arith.cmpf", self.types["bool"], operands, {"predicate": kind})


_CONVERSIONS: dict[str, Callable[[_Translation, list[ir.Value]], ir.Value]] = {
    "Float": _Translation.to_float,
    "Int": _Translation.to_int,
    "isinf": _Translation.is_infinite,
    "isnan": _Translation.is_nan,
}


def _constant(type: ir.Type, value: ir.Attribute) -> ir.Value:
    return create_value("arith.constant", type, [], {"value": value})
