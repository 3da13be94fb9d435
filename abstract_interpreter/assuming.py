"""Assumptions on named sizes: `n >= 2`, `n % 8 == 0`, `n == m`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from torch_refine.abstract_interpreter.conditions.conditions import Condition, Zero, equal
from torch_refine.abstract_interpreter.conditions.parsing import parse_condition
from torch_refine.abstract_interpreter.conditions.path_condition import NOTHING, PathCondition
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import (
    Derived,
    Expression,
    Number,
    Symbol,
    of_atom,
    single_atom,
)

MOST = 64


class AssumptionError(ValueError):
    """A text is no condition on the named sizes, or contradicts the ones before it."""


@dataclass
class Assumptions:
    """What is assumed of named ints; `path` is their path condition.

    For `n % 8 == 0`, the path binds `n` to `8*k` with a fresh symbol `k`; `multiples` has `n` and 8
    for `k`.
    """

    path: PathCondition = NOTHING
    multiples: dict[Symbol, tuple[Number, int]] = field(default_factory=dict)

    @staticmethod
    def of(texts: Sequence[str], names: Mapping[str, Number]) -> Assumptions:
        """The assumptions that texts state; raises AssumptionError."""
        if len(texts) > MOST:
            raise AssumptionError(f"at most {MOST} assumptions are taken, not {len(texts)}")
        found = Assumptions()
        for text in texts:
            found._add(text, names)
        return found

    def _add(self, text: str, names: Mapping[str, Number]) -> None:
        try:
            condition = parse_condition(text, names.get)
        except ValueError as error:
            raise AssumptionError(f"the assumption {text!r}: {error}") from None
        after = self.path.assume(self._solved(condition))
        if after is None:
            raise AssumptionError(f"the assumption {text!r} contradicts those before it")
        self.path = after

    def _solved(self, condition: Condition) -> Condition:
        """A condition, for `n % 8 == 0` that `n` equals `8*k`."""
        if not isinstance(condition, Zero):
            return condition
        atom = single_atom(condition.expression)
        if not isinstance(atom, Derived) or atom.operation != "remainder":
            return condition
        number, divisor = (self.path.resolve(each) for each in atom.operands)
        if not isinstance(single_atom(number), Symbol) or not isinstance(divisor, int):
            return condition
        if divisor < 1:
            return condition
        quotient = expressions.fresh()
        symbol = single_atom(quotient)
        assert isinstance(symbol, Symbol)
        self.multiples[symbol] = (number, divisor)
        return equal(number, expressions.multiply(quotient, divisor))

    def symbols(self) -> Iterator[Symbol]:
        """The symbols that stand for quotients."""
        return iter(self.multiples)

    def over_names(self, number: Number) -> Number:
        """A number without quotients: `8*k` is `n`, and `k` is `n // 8`."""
        # A quotient may be one of a size that another quotient replaced, so the newest go first.
        for symbol, (named, divisor) in reversed(self.multiples.items()):
            number = _without(number, symbol, named, divisor)
        return number


def _without(number: Number, symbol: Symbol, named: Number, divisor: int) -> Number:
    """A number with a symbol replaced by `named // divisor`, exactly where factors allow."""
    if not isinstance(number, Expression):
        return number
    total: Number = number.constant
    for atoms, factor in number.terms:
        product: Number = 1
        for atom in atoms:
            if atom != symbol:
                inner: Number = of_atom(atom)
                if isinstance(atom, Derived):
                    sides = [_without(each, symbol, named, divisor) for each in atom.operands]
                    inner = expressions.derive(atom.operation, sides) or inner
                product = expressions.multiply(product, inner)
            else:
                # `4*k` is `n // 2` if `n` is `8*k`.
                common = math.gcd(factor, divisor)
                factor //= common
                part = expressions.floor_divide(named, divisor // common)
                product = expressions.multiply(product, part)
        total = expressions.add(total, expressions.multiply(product, factor))
    return total
