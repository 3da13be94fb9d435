"""Write ints and conditions as IR: each common subexpression once, hoisted as far as possible."""

from __future__ import annotations

from collections.abc import Callable

from torch_refine.abstract_interpreter.conditions.conditions import (
    And,
    Condition,
    NonNegative,
    Not,
    Opaque,
    Or,
    Zero,
)
from torch_refine.abstract_interpreter.conditions.simplifying import (
    is_total,
    is_total_condition,
)
from torch_refine.abstract_interpreter.materialising.writer import Writer
from torch_refine.abstract_interpreter.numbers.expressions import (
    Derived,
    Expression,
    Monomial,
    Number,
    Symbol,
    symbols_in,
)
from torch_refine.abstract_interpreter.outcomes import Atom
from torch_refine.abstract_interpreter.outcomes import atoms_in as names_in
from torch_refine.dialect.bindings import ir

_DERIVED = {
    "floordiv": "torch.aten.floordiv.int",
    "remainder": "torch.aten.remainder.int",
    "min": "torch.prim.min.int",
    "max": "torch.prim.max.int",
}


class Arithmetic:
    """Writes ints and conditions; `atom` returns the value of an atom.

    Nothing is hoisted beyond the block at depth `outermost`.
    """

    def __init__(self, writer: Writer, atom: Callable[[Atom], ir.Value]) -> None:
        self.writer = writer
        self.atom = atom
        self.outermost = 0

    def number(self, number: Number) -> ir.Value:
        """An int."""
        if isinstance(number, int):
            return self.writer.constant(number)
        found = self.writer.closed(number)
        if found is None:
            for symbol in symbols_in(number):
                self.atom(symbol)
            depth = len(self.writer.scopes) - 1
            if is_total(number):
                depth = max([self.outermost, *map(self.writer.depth, symbols_in(number))])
            found = self._sum(list(number.terms), number.constant, depth)
            self.writer.scopes[depth].closed[number] = found
        return found

    def _sum(self, terms: list[tuple[Monomial, int]], constant: int, depth: int) -> ir.Value:
        """A sum of terms: positive ones first, then the subtracted ones."""
        added = [(atoms, factor) for atoms, factor in terms if factor > 0]
        subtracted = [(atoms, -factor) for atoms, factor in terms if factor < 0]
        total: ir.Value | None = None
        if constant > 0 and not added:
            total, constant = self.writer.constant(constant), 0
        for atoms, factor in added:
            product = self._product(atoms, factor, depth)
            total = product if total is None else self._binary("add", total, product, depth)
        for atoms, factor in subtracted:
            product = self._product(atoms, factor, depth)
            if total is None:
                total = self._emit("torch.aten.neg.int", [product], depth)
            else:
                total = self._binary("sub", total, product, depth)
        if total is None:
            return self.writer.constant(constant)
        if constant:
            operation = "add" if constant > 0 else "sub"
            total = self._binary(operation, total, self.writer.constant(abs(constant)), depth)
        return total

    def _product(self, atoms: Monomial, factor: int, depth: int) -> ir.Value:
        key = (atoms, factor)
        found = self.writer.closed(key)
        if found is None:
            for atom in atoms:
                value = self._factor(atom, depth)
                found = value if found is None else self._binary("mul", found, value, depth)
            assert found is not None
            if factor != 1:
                found = self._binary("mul", found, self.writer.constant(factor), depth)
            self.writer.scopes[depth].closed[key] = found
        return found

    def _factor(self, atom: Symbol | Derived, depth: int) -> ir.Value:
        if isinstance(atom, Symbol):
            return self.atom(atom)
        found = self.writer.closed(atom)
        if found is None:
            operands = [self.number(operand) for operand in atom.operands]
            found = self._emit(_DERIVED[atom.operation], operands, depth)
            self.writer.scopes[depth].closed[atom] = found
        return found

    def _binary(self, operation: str, left: ir.Value, right: ir.Value, depth: int) -> ir.Value:
        return self._emit(f"torch.aten.{operation}.int", [left, right], depth)

    def _emit(self, name: str, operands: list[ir.Value], depth: int, kind: str = "int") -> ir.Value:
        return self.writer.emit(name, [kind], operands, depth=depth).result

    # Conditions.

    def condition(self, condition: Condition) -> ir.Value:
        """A bool."""
        if isinstance(condition, bool):
            return self.writer.constant(condition)
        if isinstance(condition, Opaque):
            return self.atom(condition)
        found = self.writer.closed(condition)
        if found is not None:
            return found
        for atom in names_in(condition):
            self.atom(atom)
        depth = len(self.writer.scopes) - 1
        if is_total_condition(condition):
            depth = max([self.outermost, *map(self.writer.depth, names_in(condition))])
        found = self._condition(condition, depth)
        self.writer.scopes[depth].closed[condition] = found
        return found

    def _condition(self, condition: Condition, depth: int) -> ir.Value:
        if isinstance(condition, Zero | NonNegative):
            return self._comparison(condition, True, depth)
        if isinstance(condition, Not):
            operand = condition.operand
            if isinstance(operand, Zero | NonNegative):
                return self._comparison(operand, False, depth)
            return self._emit("torch.aten.__not__", [self.condition(operand)], depth, "bool")
        assert isinstance(condition, And | Or)
        if not is_total_condition(condition.right):
            return self._lazy(condition)
        operands = [self.condition(condition.left), self.condition(condition.right)]
        name = "torch.aten.__and__.bool" if isinstance(condition, And) else "torch.aten.__or__.bool"
        return self._emit(name, operands, depth, "bool")

    def _lazy(self, condition: And | Or) -> ir.Value:
        """A short-circuit combination: the right side is computed only if needed."""
        writer = self.writer
        left = self.condition(condition.left)
        op = writer.emit("torch.prim.If", ["bool"], [left], regions=2)
        decisive = isinstance(condition, Or)
        for region, holds in zip(op.regions, (True, False), strict=True):
            writer.open(op, region.blocks.append())
            found = writer.constant(decisive)
            if holds != decisive:
                found = self.condition(condition.right)
            writer.close("torch.prim.If.yield", [found])
        return op.result

    def _comparison(self, condition: Zero | NonNegative, truth: bool, depth: int) -> ir.Value:
        """A comparison of the positive terms with the negated ones."""
        terms, constant = condition.expression.terms, condition.expression.constant
        left = [(atoms, factor) for atoms, factor in terms if factor > 0]
        right = [(atoms, -factor) for atoms, factor in terms if factor < 0]
        swapped = not left
        if swapped:
            left, right, constant = right, left, -constant
        # A constant is added to the side where it is positive; alone it is on the right.
        beside = constant if constant > 0 and right else 0
        operands = [
            self._side(left, beside, depth),
            self._side(right, beside - constant, depth),
        ]
        if isinstance(condition, Zero):
            name = "eq" if truth else "ne"
        else:
            name = {(True, False): "ge", (False, False): "lt", (True, True): "le"}.get(
                (truth, swapped), "gt"
            )
        return self._emit(f"torch.aten.{name}.int", operands, depth, "bool")

    def _side(self, terms: list[tuple[Monomial, int]], constant: int, depth: int) -> ir.Value:
        if not terms:
            return self.writer.constant(constant)
        return self.number(Expression(tuple(terms), constant))
