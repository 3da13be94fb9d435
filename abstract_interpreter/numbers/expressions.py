"""Symbolic integers: polynomials over symbols.

An integer of a calculation is a Python int if it is known, else an `Expression`: a sum of products
of atoms with integer coefficients. An atom is a `Symbol`, or a `Derived` one, the result of an
operation that no polynomial expresses, such as a division with remainder. Expressions are
canonical, so that `768 * s0 // s0` is 768 and dimensions computed in two ways compare equal.

Arithmetic is that of unbounded integers: a size that overflows 64 bits cannot be allocated, so no
run has it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

INT_MAX = 2**63 - 1
INT_MIN = -(2**63)

# Larger expressions are replaced by a fresh symbol; see `too_large`.
_TERM_LIMIT = 16
_FACTOR_LIMIT = 12
_DEPTH_LIMIT = 12

_serials = itertools.count()


def next_serial() -> int:
    """A number larger than all serial numbers of symbols and lists so far."""
    return next(_serials)


class Symbol:
    """An integer between `low` and `high`, both inclusive.

    The same object is the same integer; whether different symbols are equal is unknown.
    """

    __slots__ = ("depth", "high", "key", "low")

    def __init__(self, low: int = INT_MIN, high: int = INT_MAX) -> None:
        self.low = low
        self.high = high
        self.key: tuple[Any, ...] = ("", next_serial())
        self.depth = 0

    def __repr__(self) -> str:
        return f"s{self.key[1]}"


class Derived:
    """The result of an operation on operands that are not all known."""

    __slots__ = ("depth", "hash", "key", "operands", "operation")

    def __init__(self, operation: str, operands: tuple[Number, ...]) -> None:
        self.operation = operation
        self.operands = operands
        self.key = (operation, *map(_key, operands))
        self.hash = hash(self.key)
        self.depth = 1 + max(map(_depth, operands))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Derived) and self.key == other.key)

    def __hash__(self) -> int:
        return self.hash

    def __repr__(self) -> str:
        return f"{self.operation}({', '.join(map(repr, self.operands))})"


Atom: TypeAlias = Symbol | Derived
Monomial: TypeAlias = tuple[Atom, ...]


class Expression:
    """A polynomial that is not constant; create it with the functions of this module."""

    __slots__ = ("constant", "hash", "key", "terms")

    def __init__(self, terms: tuple[tuple[Monomial, int], ...], constant: int) -> None:
        self.terms = terms
        self.constant = constant
        parts = tuple((tuple(atom.key for atom in atoms), factor) for atoms, factor in terms)
        self.key = (parts, constant)
        self.hash = hash(self.key)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Expression) and self.key == other.key)

    def __hash__(self) -> int:
        return self.hash

    def __repr__(self) -> str:
        parts = ["*".join(map(repr, ([factor] if factor != 1 else []) + list(atoms)))
                 for atoms, factor in self.terms]  # fmt: skip
        return " + ".join([*parts, *([str(self.constant)] if self.constant else [])])


Number: TypeAlias = int | Expression


def _key(number: Number) -> Any:
    return number.key if isinstance(number, Expression) else ((), number)


def _depth(number: Number) -> int:
    return max((atom.depth for atom in atoms_in(number)), default=0)


def of_atom(atom: Atom) -> Expression:
    """The expression of a single atom."""
    return Expression((((atom,), 1),), 0)


def fresh(low: int = INT_MIN, high: int = INT_MAX) -> Expression:
    """A fresh symbol with bounds."""
    return of_atom(Symbol(low, high))


def dimension() -> Expression:
    """A fresh symbol for the size of a dimension."""
    return fresh(0)


def single_atom(number: Number) -> Atom | None:
    """The atom of a trivial expression, None for any other."""
    if isinstance(number, Expression) and number.constant == 0 and len(number.terms) == 1:
        atoms, factor = number.terms[0]
        if factor == 1 and len(atoms) == 1:
            return atoms[0]
    return None


def atoms_in(number: Number) -> Iterator[Atom]:
    """The atoms of an expression, not those inside derived ones; may repeat."""
    if isinstance(number, Expression):
        for atoms, _ in number.terms:
            yield from atoms


def symbols_in(number: Number) -> Iterator[Symbol]:
    """The symbols of an expression in order, also those inside derived atoms."""
    for atom in atoms_in(number):
        if isinstance(atom, Symbol):
            yield atom
        else:
            for operand in atom.operands:
                yield from symbols_in(operand)


def mentions(number: Number, atom: Atom) -> bool:
    """Whether an expression depends on an atom, directly or inside a derived one."""
    return any(
        inner == atom
        or (isinstance(inner, Derived) and any(mentions(o, atom) for o in inner.operands))
        for inner in atoms_in(number)
    )


def _number(terms: Mapping[Monomial, int], constant: int) -> Number:
    """The number with these terms, of any size."""
    kept = [(atoms, factor) for atoms, factor in terms.items() if factor]
    if not kept:
        return constant
    kept.sort(key=lambda term: tuple(atom.key for atom in term[0]))
    return Expression(tuple(kept), constant)


def too_large(number: Number) -> bool:
    """Whether an expression should be replaced by a symbol, so that programs stay linear."""
    if not isinstance(number, Expression):
        return False
    return (
        len(number.terms) > _TERM_LIMIT
        or any(len(atoms) > _FACTOR_LIMIT for atoms, _ in number.terms)
        or _depth(number) > _DEPTH_LIMIT
    )


def _parts(number: Number) -> tuple[tuple[tuple[Monomial, int], ...], int]:
    if isinstance(number, Expression):
        return number.terms, number.constant
    return (), number


def add(left: Number, right: Number) -> Number:
    """`left + right`."""
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    terms, constant = _parts(left)
    summed = dict(terms)
    more, added = _parts(right)
    for atoms, factor in more:
        summed[atoms] = summed.get(atoms, 0) + factor
    return _number(summed, constant + added)


def negate(number: Number) -> Number:
    """`-number`."""
    return multiply(number, -1)


def subtract(left: Number, right: Number) -> Number:
    """`left - right`."""
    return add(left, negate(right))


def multiply(left: Number, right: Number) -> Number:
    """`left * right`."""
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    product: dict[Monomial, int] = {}
    left_terms, left_constant = _parts(left)
    right_terms, right_constant = _parts(right)
    for one, factor in (*left_terms, ((), left_constant)):
        for other, more in (*right_terms, ((), right_constant)):
            atoms = tuple(sorted((*one, *other), key=lambda atom: atom.key))
            product[atoms] = product.get(atoms, 0) + factor * more
    constant = product.pop((), 0)
    return _number(product, constant)


def _without(atoms: Monomial, factors: Monomial) -> Monomial | None:
    """A monomial divided by another, None if it is not divisible."""
    left = list(atoms)
    for atom in factors:
        if atom not in left:
            return None
        left.remove(atom)
    return tuple(left)


def _exact_quotient(number: Number, divisor: Expression) -> Number | None:
    """`number / divisor` as a polynomial, None if none is found."""
    terms, constant = _parts(number)
    if len(divisor.terms) == 1 and divisor.constant == 0:
        first, factor = divisor.terms[0]
        quotient: dict[Monomial, int] = {}
        if constant:
            return None
        for atoms, more in terms:
            left = _without(atoms, first)
            if left is None or more % factor:
                return None
            quotient[left] = more // factor
        return _number(quotient, quotient.pop((), 0))
    return _long_quotient(number, divisor)


def _long_quotient(number: Number, divisor: Expression) -> Number | None:
    """`number / divisor` by long division, None if there is a remainder."""
    first, factor = _leading(divisor)
    quotient: Number = 0
    for _ in range(_TERM_LIMIT):
        atoms, more = _leading(number)
        left = _without(atoms, first)
        if left is None or more % factor:
            return None
        found = _number({left: more // factor}, 0) if left else more // factor
        quotient = add(quotient, found)
        number = subtract(number, multiply(divisor, found))
        if number == 0:
            return quotient
    return None


def _leading(number: Number) -> tuple[Monomial, int]:
    """The first term by degree, then by atoms: an order that products preserve."""
    terms, constant = _parts(number)
    if not terms:
        return (), constant
    return min(terms, key=lambda term: (-len(term[0]), tuple(atom.key for atom in term[0])))


def floor_divide(number: Number, divisor: Number) -> Number:
    """`number // divisor`, rounded down; a constant divisor must not be zero.

    A symbolic divisor is assumed to be nonzero, as the operation raises otherwise.
    """
    if isinstance(number, int) and isinstance(divisor, int):
        return number // divisor
    if isinstance(divisor, Expression):
        exact = _exact_quotient(number, divisor)
        if exact is not None:
            return exact
        return of_atom(Derived("floordiv", (number, divisor)))
    whole, rest = _split(number, divisor)
    if isinstance(rest, int):
        return add(whole, rest // divisor)
    flat = _flattened(rest, divisor) if divisor > 0 else None
    return add(whole, of_atom(Derived("floordiv", (rest, divisor))) if flat is None else flat)


def _flattened(number: Expression, divisor: int) -> Number | None:
    """`(a // b + c) // divisor` as one division, `(a + b*c) // (b*divisor)`; None for others."""
    if len(number.terms) != 1 or number.terms[0][1] != 1 or len(number.terms[0][0]) != 1:
        return None
    atom = number.terms[0][0][0]
    if not isinstance(atom, Derived) or atom.operation != "floordiv":
        return None
    inner, by = atom.operands
    if not isinstance(by, int) or by < 1 or by * divisor > INT_MAX:
        return None
    return floor_divide(add(inner, number.constant * by), by * divisor)


def remainder(number: Number, divisor: Number) -> Number:
    """`number % divisor` with the sign of the divisor; a constant divisor must not be zero."""
    if isinstance(number, int) and isinstance(divisor, int):
        return number % divisor
    if isinstance(divisor, Expression):
        if _exact_quotient(number, divisor) is not None:
            return 0
        return of_atom(Derived("remainder", (number, divisor)))
    rest = _split(number, divisor)[1]
    if isinstance(rest, int):
        return rest % divisor
    return of_atom(Derived("remainder", (rest, divisor)))


def _split(number: Number, divisor: int) -> tuple[Number, Number]:
    """`whole` and `rest` with `number == whole * divisor + rest`, with the largest `whole` that is
    certain.
    """
    terms, constant = _parts(number)
    whole: dict[Monomial, int] = {}
    rest: dict[Monomial, int] = {}
    for atoms, factor in terms:
        if factor % divisor == 0:
            whole[atoms] = factor // divisor
        else:
            rest[atoms] = factor
    return _number(whole, constant // divisor), _number(rest, constant % divisor)


def extreme(operation: str, left: Number, right: Number) -> Number:
    """`min` or `max` of two numbers whose order is unknown."""
    if left == right:
        return left
    if isinstance(left, int) and isinstance(right, int):
        return min(left, right) if operation == "min" else max(left, right)
    ordered = sorted((left, right), key=_order)
    return of_atom(Derived(operation, tuple(ordered)))


def _order(number: Number) -> tuple[bool, Any]:
    return (isinstance(number, Expression), _key(number))


_OPERATIONS: dict[str, Callable[[Number, Number], Number]] = {
    "floordiv": floor_divide,
    "remainder": remainder,
    "min": lambda left, right: extreme("min", left, right),
    "max": lambda left, right: extreme("max", left, right),
}


def derive(operation: str, operands: Iterable[Number]) -> Number | None:
    """The operation of a `Derived` atom applied to other operands.

    None if undefined: a division by zero, which only a run that raises can reach.
    """
    left, right = operands
    if operation in ("floordiv", "remainder") and right == 0:
        return None
    return _OPERATIONS[operation](left, right)


def substitute(number: Number, values: Mapping[Atom, Number]) -> Number:
    """An expression with atoms replaced, also inside derived ones.

    A derived atom that becomes undefined, by a division by zero, is left unchanged.
    """
    if not isinstance(number, Expression):
        return number
    replaced = {atom: _replaced(atom, values) for atom in set(atoms_in(number))}
    if all(new is None for new in replaced.values()):
        return number
    total: Number = number.constant
    for atoms, factor in number.terms:
        product: Number = factor
        for atom in atoms:
            new = replaced[atom]
            product = multiply(product, of_atom(atom) if new is None else new)
        total = add(total, product)
    return total


def _replaced(atom: Atom, values: Mapping[Atom, Number]) -> Number | None:
    """The replacement of an atom, None if it is unchanged."""
    new = values.get(atom)
    if new is not None:
        return new
    if isinstance(atom, Symbol):
        return None
    operands = [substitute(operand, values) for operand in atom.operands]
    if all(one is other for one, other in zip(operands, atom.operands, strict=True)):
        return None
    return derive(atom.operation, operands)
