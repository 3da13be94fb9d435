"""The path condition: what holds on one path through a calculation.

Each side of an `If` on an unknown condition assumes its outcome. Path conditions are immutable:
each path has its own, and where paths merge, `join` keeps what holds on both.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch_refine.abstract_interpreter.conditions.conditions import (
    And,
    Condition,
    NonNegative,
    Not,
    Opaque,
    Or,
    Zero,
    negative,
    nonnegative,
    zero,
)
from torch_refine.abstract_interpreter.numbers import ranges
from torch_refine.abstract_interpreter.numbers.expressions import (
    INT_MAX,
    INT_MIN,
    Atom,
    Derived,
    Expression,
    Number,
    Symbol,
    add,
    mentions,
    multiply,
    of_atom,
    single_atom,
    substitute,
)
from torch_refine.abstract_interpreter.numbers.ranges import Range

_DIVISIONS = ("floordiv", "remainder")
# Minima and maxima that are replaced by an operand at once, in search of a proof.
_MOST_EXTREMES = 3

Truth = Zero | NonNegative | Opaque


class PathCondition:
    """Constraints on atoms, and conditions, that hold on a path.

    `bindings` define an atom by others, none of which is bound; `ranges` bound atoms more tightly
    than their own bounds; `truths` are conditions that neither can express.
    """

    __slots__ = ("bindings", "ranges", "truths")

    def __init__(
        self,
        bindings: Mapping[Atom, Number],
        ranges: Mapping[Atom, Range],
        truths: Mapping[Truth, bool],
    ) -> None:
        self.bindings = bindings
        self.ranges = ranges
        self.truths = truths

    # Queries.

    def resolve(self, number: Number) -> Number:
        """A number in terms of unbound atoms."""
        if not self.bindings or isinstance(number, int):
            return number
        return substitute(number, self.bindings)

    def range_of_atom(self, atom: Atom) -> Range:
        """The range of an atom on this path."""
        own = self._own_range(atom)
        known = self.ranges.get(atom)
        return own if known is None else ranges.meet(own, known)

    def _own_range(self, atom: Atom) -> Range:
        """The range of an atom on any path."""
        if isinstance(atom, Symbol):
            return Range(atom.low, atom.high)
        return self._derived_range(atom)

    def _derived_range(self, atom: Derived) -> Range:
        left, right = (self.range_of(operand) for operand in atom.operands)
        if atom.operation == "floordiv":
            return ranges.floor_quotient(left, right)
        if atom.operation == "remainder":
            return ranges.modulus(left, right)
        pick = min if atom.operation == "min" else max
        return Range(pick(left.low, right.low), pick(left.high, right.high))

    def range_of(self, number: Number) -> Range:
        """The range of a resolved number."""
        if isinstance(number, int):
            return Range(number, number)
        atom = single_atom(number)
        if atom is not None:
            return self.range_of_atom(atom)
        low: ranges.Bound = number.constant
        high: ranges.Bound = number.constant
        for atoms, factor in number.terms:
            total = Range(factor, factor)
            for each in atoms:
                total = ranges.product(total, self.range_of_atom(each))
            low, high = low + total.low, high + total.high
        return Range(low, high)

    def evaluate(self, condition: Condition) -> bool | None:
        """The value of a condition on this path, None if unknown."""
        if isinstance(condition, bool):
            return condition
        if isinstance(condition, Not):
            inner = self.evaluate(condition.operand)
            return None if inner is None else not inner
        if isinstance(condition, And | Or):
            left, right = self.evaluate(condition.left), self.evaluate(condition.right)
            decisive = isinstance(condition, Or)
            if left is decisive or right is decisive:
                return decisive
            return None if left is None or right is None else not decisive
        return self._evaluate_simple(condition)

    def _evaluate_simple(self, condition: Truth) -> bool | None:
        known = self.truths.get(condition)
        if known is not None or isinstance(condition, Opaque):
            return known
        number = self.resolve(condition.expression)
        again = zero(number) if isinstance(condition, Zero) else nonnegative(number)
        if isinstance(again, bool):
            return again
        assert isinstance(again, Zero | NonNegative)
        known = self.truths.get(again)
        if known is not None:
            return known
        within = self.range_of(again.expression)
        if isinstance(again, NonNegative):
            if within.low < 0 <= within.high:
                opposite = negative(again.expression)
                assert isinstance(opposite, NonNegative)
                if self.truths.get(opposite) or self._extremes_show(opposite.expression):
                    return False
                return True if self._extremes_show(again.expression) else None
            return within.low >= 0
        if 0 not in within:
            return False
        atom, value = _atom_for_zero(again.expression)
        if atom is not None and (value is None or value not in self.range_of_atom(atom)):
            return False
        return None

    def _extremes_show(self, number: Expression, budget: int = _MOST_EXTREMES) -> bool:
        """Whether bounds of minima and maxima prove a number nonnegative.

        A maximum is at least each of its operands, and is one of them; so `n - min(n, 3)` is at
        least `n - n`, and `min(n, 9) - k` is nonnegative if `n - k` and `9 - k` are.
        """
        for atoms, factor in number.terms if budget else ():
            atom = atoms[0]
            if len(atoms) > 1 or not isinstance(atom, Derived) or atom.operation in _DIVISIONS:
                continue
            rest = _without_term(number, atoms)
            bounds = (add(rest, multiply(operand, factor)) for operand in atom.operands)
            shown = (
                self.range_of(bound).low >= 0
                or (isinstance(bound, Expression) and self._extremes_show(bound, budget - 1))
                for bound in bounds
            )
            if any(shown) if (atom.operation == "max") == (factor > 0) else all(shown):
                return True
        return False

    # Assuming conditions.

    def assume(self, condition: Condition, truth: bool = True) -> PathCondition | None:
        """The path condition with one more condition (or its negation); None if the path is
        infeasible.
        """
        known = self.evaluate(condition)
        if known is not None:
            return self if known == truth else None
        assert not isinstance(condition, bool)
        if isinstance(condition, Not):
            return self.assume(condition.operand, not truth)
        if isinstance(condition, And | Or):
            return self._assume_pair(condition, truth)
        if isinstance(condition, Opaque):
            return PathCondition(self.bindings, self.ranges, {**self.truths, condition: truth})
        number = self.resolve(condition.expression)
        again = zero(number) if isinstance(condition, Zero) else nonnegative(number)
        assert isinstance(again, Zero | NonNegative)
        if isinstance(again, Zero):
            if truth:
                return self._assume_zero(again.expression)
            return self._assume_not_zero(again.expression)
        if truth:
            return self._assume_nonnegative(again.expression)
        opposite = negative(again.expression)
        assert isinstance(opposite, NonNegative)
        return self._assume_nonnegative(opposite.expression)

    def _assume_pair(self, condition: And | Or, truth: bool) -> PathCondition | None:
        left, right = condition.left, condition.right
        if isinstance(condition, And) == truth:
            first = self.assume(left, truth)
            return None if first is None else first.assume(right, truth)
        one = self.assume(left, truth)
        other = self.assume(left, not truth)
        other = None if other is None else other.assume(right, truth)
        return join(one, other)

    def _assume_zero(self, number: Expression) -> PathCondition | None:
        atom, value = _atom_for_zero(number)
        if atom is not None:
            return None if value is None else self._bind(atom, value)
        # For `a - b == 0` and the like, bind derived atoms first, then the younger symbol.
        for atoms, factor in sorted(number.terms, key=_age, reverse=True):
            if len(atoms) == 1 and factor in (1, -1):
                rest = _without_term(number, atoms)
                solved = rest if factor == -1 else _negated(rest)
                if not mentions(solved, atoms[0]):
                    return self._bind(atoms[0], solved)
        return self._remember(Zero(number), True)

    def _assume_not_zero(self, number: Expression) -> PathCondition | None:
        atom, value = _atom_for_zero(number)
        if atom is None or value is None:
            return self._remember(Zero(number), False)
        return self._narrow(atom, Range(holes=frozenset((value,))))

    def _assume_nonnegative(self, number: Expression) -> PathCondition | None:
        if len(number.terms) == 1:
            (atoms, factor), constant = number.terms[0], number.constant
            if len(atoms) == 1:
                if factor > 0:
                    return self._narrow(atoms[0], Range(low=-(constant // factor)))
                return self._narrow(atoms[0], Range(high=constant // -factor))
        return self._remember(NonNegative(number), True)

    def _remember(self, truth: Truth, value: bool) -> PathCondition:
        return PathCondition(self.bindings, self.ranges, {**self.truths, truth: value})

    def _narrow(self, atom: Atom, to: Range) -> PathCondition | None:
        """Constrain an atom to a range."""
        found = self.range_of_atom(atom)
        found = ranges.trimmed(
            max(found.low, to.low), min(found.high, to.high), found.holes | to.holes
        )
        if found.empty:
            return None
        if found.value is not None:
            return self._bind(atom, found.value)
        return PathCondition(self.bindings, {**self.ranges, atom: found}, self.truths)

    def _bind(self, atom: Atom, number: Number) -> PathCondition | None:
        """Bind an atom to a number in which it does not occur."""
        own = self.range_of_atom(atom)
        if isinstance(number, int):
            if number not in own:
                return None
        elif ranges.meet(self.range_of(number), own).empty:
            return None
        values: dict[Atom, Number] = {atom: number}
        bindings = {other: substitute(bound, values) for other, bound in self.bindings.items()}
        bindings[atom] = number
        kept = {other: known for other, known in self.ranges.items() if other != atom}
        result: PathCondition | None = PathCondition(bindings, kept, {})
        assert result is not None
        other_atom = single_atom(number)
        if other_atom is not None:
            result = result._narrow(other_atom, own)
        elif not isinstance(number, int):
            # The bounds of the bound atom become bounds of its definition.
            for bound, sign in ((own.low, 1), (own.high, -1)):
                if result is not None and INT_MIN < bound < INT_MAX:
                    distance = multiply(add(number, -int(bound)), sign)
                    result = result.assume(nonnegative(distance))
        for truth, value in self.truths.items():
            result = None if result is None else result.assume(truth, value)
        return result


def _atom_for_zero(number: Expression) -> tuple[Atom | None, int | None]:
    """The atom of `factor * atom + constant`, and its value for which that is zero.

    The atom is None for other expressions; the value is None if no integer makes it zero.
    """
    if len(number.terms) != 1 or len(number.terms[0][0]) != 1:
        return None, None
    atoms, factor = number.terms[0]
    value, rest = divmod(-number.constant, factor)
    return atoms[0], None if rest else value


def _age(term: tuple[tuple[Atom, ...], int]) -> tuple[int, int]:
    """The order in which atoms are solved for: derived ones first, then the youngest."""
    atom = term[0][0]
    return (1, atom.key[1]) if isinstance(atom, Symbol) else (2, atom.depth)


def _without_term(number: Expression, atoms: tuple[Atom, ...]) -> Number:
    kept = tuple(term for term in number.terms if term[0] != atoms)
    return Expression(kept, number.constant) if kept else number.constant


def _negated(number: Number) -> Number:
    if isinstance(number, int):
        return -number
    return Expression(tuple((atoms, -factor) for atoms, factor in number.terms), -number.constant)


NOTHING = PathCondition({}, {}, {})


def join(left: PathCondition | None, right: PathCondition | None) -> PathCondition | None:
    """What holds on either of two paths; an infeasible path (None) is ignored."""
    if left is None or right is None or left is right:
        return right if left is None else left
    bindings: dict[Atom, Number] = {}
    kept: dict[Atom, Range] = {}
    for atom in {**left.bindings, **right.bindings, **left.ranges, **right.ranges}:
        this = of_atom(atom)
        one, other = left.resolve(this), right.resolve(this)
        bound = _common(atom, one, other, left, right)
        if bound is not None:
            bindings[atom] = bound
            continue
        hull = ranges.join(
            ranges.meet(left.range_of(one), left.range_of_atom(atom)),
            ranges.meet(right.range_of(other), right.range_of_atom(atom)),
        )
        own = NOTHING.range_of_atom(atom)
        if not own.within(hull):
            kept[atom] = hull
    truths = {
        truth: value for truth, value in left.truths.items() if right.evaluate(truth) == value
    }
    truths.update(
        (truth, value)
        for truth, value in right.truths.items()
        if truth not in truths and left.evaluate(truth) == value
    )
    return PathCondition(_resolved(bindings), kept, truths)


def _common(
    atom: Atom, one: Number, other: Number, left: PathCondition, right: PathCondition
) -> Number | None:
    """A number equal to an atom on both paths, None if none is found."""
    for number in (one, other):
        if (
            not mentions(number, atom)
            and left.resolve(number) == one
            and right.resolve(number) == other
        ):
            return number
    return None


def _resolved(bindings: dict[Atom, Number]) -> dict[Atom, Number]:
    """Bindings in terms of unbound atoms; one that would close a cycle is dropped."""
    result: dict[Atom, Number] = {}
    for atom, number in bindings.items():
        number = substitute(number, result)
        if not mentions(number, atom):
            result = {other: substitute(bound, {atom: number}) for other, bound in result.items()}
            result[atom] = number
    return result
