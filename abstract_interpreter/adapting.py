"""From facts to the arguments of library functions, by the plan of `operands.py`, and from their
results to facts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch_refine.abstract_interp_lib import scalar_types
from torch_refine.abstract_interpreter.conditions.assumptions import Assumptions
from torch_refine.abstract_interpreter.conditions.formulas import Opaque
from torch_refine.abstract_interpreter.facts import (
    Anything,
    BoolOrInt,
    Fact,
    Facts,
    Integer,
    Scalar,
    Sequence,
    Tensor,
)
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import (
    INT_MAX,
    Number,
    fresh,
    symbols_in,
)
from torch_refine.abstract_interpreter.operands import (
    BOOL_OR_INT,
    Conversion,
    conversion,
)
from torch_refine.abstract_interpreter.values import (
    ListObject,
    Maybe,
    Unknown,
    Value,
    is_number,
    kind_of,
    unknown,
)
from torch_refine.dialect.kinds import element_kind

_LAST_DTYPE = len(scalar_types.NAMES) - 1


def argument(fact: Fact, kind: str) -> Value:
    """What a parameter of type `kind` takes for an operand; raises NotAdaptable."""
    if isinstance(fact, BoolOrInt) and kind != "number" and not kind.startswith("optional<"):
        fact = fact.value
    return _MAKERS[conversion(_kind(fact), kind)](fact, kind)


def _kind(fact: Fact) -> str:
    """The kind of an operand, as far as a fact tells."""
    if isinstance(fact, Scalar):
        return kind_of(fact.value)
    if isinstance(fact, Tensor):
        return "vtensor"
    if isinstance(fact, BoolOrInt):
        return BOOL_OR_INT
    return "int" if isinstance(fact, Integer) else fact.kind


def _same(fact: Fact, kind: str) -> Value:
    """An operand under its own type or a wider one."""
    if isinstance(fact, Scalar):
        return fact.value  # type: ignore[no-any-return]
    if isinstance(fact, Integer):
        return fact.expression
    if isinstance(fact, Sequence) and kind.startswith("list<"):
        return _items(fact, kind)
    return Unknown(_kind(fact)) if kind == "any" else unknown(_kind(fact))


def _narrower(fact: Fact, kind: str) -> Value:
    return unknown(kind)


def _float(fact: Fact, kind: str) -> Value:
    return float(fact.value) if isinstance(fact, Scalar) else Unknown("float")


def _int(fact: Fact, kind: str) -> Value:
    return int(fact.value) if isinstance(fact, Scalar) else unknown("int")


def _number(fact: Fact, kind: str) -> Value:
    return _same(fact, kind) if isinstance(fact, Scalar) else Unknown(BOOL_OR_INT)


def _sizes(fact: Fact, kind: str) -> Value:
    if not isinstance(fact, Tensor) or fact.sizes is None:
        return ListObject("list<int>", None, nonnegative=True)
    return ListObject("list<int>", list(fact.sizes))


def _rank_and_dtype(fact: Fact, kind: str) -> Value:
    sizes = fact.sizes if isinstance(fact, Tensor) else None
    return (fresh(0) if sizes is None else len(sizes), _dtype(fact))


def _sizes_and_dtype(fact: Fact, kind: str) -> Value:
    return (_sizes(fact, kind), _dtype(fact))


def _dtype(fact: Fact) -> Number:
    dtype = fact.dtype if isinstance(fact, Tensor) else None
    return fresh(0, _LAST_DTYPE) if dtype is None else dtype


def _items(fact: Fact, kind: str) -> Value:
    if not isinstance(fact, Sequence):
        return unknown(kind)
    if fact.items is None:
        return ListObject(kind, None)
    return ListObject(kind, [argument(item, element_kind(kind)) for item in fact.items])


def _either(fact: Fact, kind: str) -> Value:
    assert isinstance(fact, Anything)
    return Maybe(Opaque(), argument(Anything(element_kind(fact.kind)), element_kind(kind)))


_MAKERS: dict[Conversion, Callable[[Fact, str], Value]] = {
    Conversion.SAME: _same,
    Conversion.WIDER: _same,
    Conversion.NARROWER: _narrower,
    Conversion.SIZES: _sizes,
    Conversion.RANK_AND_DTYPE: _rank_and_dtype,
    Conversion.SIZES_AND_DTYPE: _sizes_and_dtype,
    Conversion.FLOAT: _float,
    Conversion.INT: _int,
    Conversion.INT_THEN_FLOAT: _float,
    Conversion.NUMBER: _number,
    Conversion.BOOL_OR_INT: lambda fact, kind: Unknown(BOOL_OR_INT),
    Conversion.ITEMS: _items,
    Conversion.ABSENT: lambda fact, kind: None,
    Conversion.PRESENT: lambda fact, kind: argument(fact, element_kind(kind)),
    Conversion.EITHER: _either,
}


class Results:
    """Makes facts of what a shape and a dtype function gave."""

    def __init__(self, facts: Facts, known: set[expressions.Symbol]) -> None:
        self.facts = facts
        # The symbols of the operands; others are new ones.
        self.known = known

    def size(self, value: Any, assumptions: Assumptions) -> Number:
        """A size; a new symbol where it is not known, or where the function is wrong."""
        if type(value) is int:
            return value if value >= 0 else expressions.dimension()
        if not is_number(value):
            return expressions.dimension()
        number = assumptions.resolve(value)
        found = assumptions.range_of(number)
        if found.value is not None:
            number = found.value
        if isinstance(number, int):
            return number if number >= 0 else expressions.dimension()
        if all(symbol in self.known for symbol in symbols_in(number)):
            return number
        if isinstance(expressions.single_atom(number), expressions.Symbol):
            return fresh(int(max(found.low, 0)), int(min(max(found.high, 0), INT_MAX)))
        return number

    def sizes(self, value: Any, assumptions: Assumptions) -> tuple[Number, ...] | None:
        """The sizes of a tensor, None where the rank is not known."""
        if not isinstance(value, ListObject):
            return None
        if value.items is None:
            rank = assumptions.range_of(assumptions.resolve(value.length)).value
            if rank is None or rank > _RANK_LIMIT:
                return None
            return tuple(expressions.dimension() for _ in range(rank))
        return tuple(self.size(item, assumptions) for item in value.items)

    def dtype(self, value: Any, assumptions: Assumptions) -> int | None:
        """A dtype's number, None where it is not known."""
        if type(value) is int:
            return value if 0 <= value <= _LAST_DTYPE else None
        if not is_number(value):
            return None
        found = assumptions.range_of(assumptions.resolve(value)).value
        return found if found is not None and 0 <= found <= _LAST_DTYPE else None


_RANK_LIMIT = 64
