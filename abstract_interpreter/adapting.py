"""From facts to the arguments of library functions, and from their results to facts.

What a function wants for an operand follows from its parameter's type: for a tensor its sizes, its
rank and dtype, or its sizes and dtype (`abstract_interp_lib/declaration.py` has the table).
"""

from __future__ import annotations

from typing import Any

from torch_refine.abstract_interp_lib import scalar_types
from torch_refine.abstract_interpreter.conditions.assumptions import Assumptions
from torch_refine.abstract_interpreter.conditions.formulas import Opaque
from torch_refine.abstract_interpreter.facts import (
    Anything,
    BoolOrInt,
    Fact,
    Facts,
    Scalar,
    Sequence,
    Tensor,
)
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import (
    INT_MAX,
    Expression,
    Number,
    fresh,
    symbols_in,
)
from torch_refine.abstract_interpreter.values import (
    ListObject,
    Maybe,
    Unknown,
    Value,
    is_number,
    unknown,
)
from torch_refine.dialect.kinds import element_kind

_LAST_DTYPE = len(scalar_types.NAMES) - 1
_KINDS = {int: "int", float: "float", bool: "bool", str: "str", type(None): "none"}


class NotAdaptable(Exception):
    """An operand cannot be given to a function's parameter; the message says why."""


def is_tensor_kind(kind: str) -> bool:
    """Whether a kind is that of a tensor, of either semantics."""
    return kind.startswith(("vtensor", "tensor"))


def argument(fact: Fact, kind: str) -> Value:
    """What a parameter of type `kind` takes for an operand; raises NotAdaptable."""
    if kind.startswith("optional<"):
        return _optional(fact, element_kind(kind))
    if isinstance(fact, Tensor):
        return _tensor(fact, kind)
    if isinstance(fact, Sequence):
        return _sequence(fact, kind)
    if isinstance(fact, BoolOrInt):
        # As an int it would promote as an int; as a bool that was cast it would not.
        return Unknown("bool or int") if kind == "number" else argument(fact.value, kind)
    if isinstance(fact, Anything):
        return _anything(fact.kind, kind)
    value = fact.value if isinstance(fact, Scalar) else fact.expression
    return _scalar(value, kind)


def _optional(fact: Fact, kind: str) -> Value:
    if isinstance(fact, Scalar) and fact.value is None:
        return None
    if isinstance(fact, Anything) and fact.kind.startswith("optional<"):
        return Maybe(Opaque(), _anything(element_kind(fact.kind), kind))
    return argument(fact, kind)


def _tensor(fact: Tensor, kind: str) -> Value:
    if kind == "list<int>":
        return _sizes(fact)
    if kind == "tuple<int, int>":
        rank = fresh(0) if fact.sizes is None else len(fact.sizes)
        return (rank, _dtype(fact))
    if kind == "tuple<list<int>, int>":
        return (_sizes(fact), _dtype(fact))
    if kind == "any":
        return Unknown("tensor")
    raise NotAdaptable(f"a tensor for {kind}")


def _sizes(fact: Tensor) -> ListObject:
    if fact.sizes is None:
        return ListObject("list<int>", None, nonnegative=True)
    return ListObject("list<int>", list(fact.sizes))


def _dtype(fact: Tensor) -> Number:
    return fresh(0, _LAST_DTYPE) if fact.dtype is None else fact.dtype


def _sequence(fact: Sequence, kind: str) -> Value:
    if kind == "any":
        return Unknown("any")
    if kind.startswith("tuple<") and fact.items is not None and fact.kind.startswith("tuple<"):
        raise NotAdaptable(f"{fact.kind} for {kind}")
    if not kind.startswith("list<"):
        raise NotAdaptable(f"{fact.kind} for {kind}")
    if fact.items is None:
        return ListObject(kind, None)
    return ListObject(kind, [argument(item, element_kind(kind)) for item in fact.items])


def _anything(have: str, kind: str) -> Value:
    if kind == "any":
        return Unknown(have)
    if is_tensor_kind(have):
        return _tensor(Tensor(None, None, None), kind)
    if have.startswith("list<") != kind.startswith("list<"):
        raise NotAdaptable(f"{have} for {kind}")
    if kind == "number" and have in ("int", "float"):
        return unknown(have)
    if kind == "number" and have == "bool":
        return Unknown("bool or int")
    if kind in ("int", "float") and have in ("bool", "number", "int", "float"):
        return unknown(kind)
    if have != kind and not have.startswith("list<"):
        raise NotAdaptable(f"{have} for {kind}")
    return unknown(kind)


def _scalar(value: Any, kind: str) -> Value:
    have = "int" if isinstance(value, Expression) else _KINDS[type(value)]
    if have == kind or kind == "any":
        return value  # type: ignore[no-any-return]
    if kind == "number" and have in ("int", "float", "bool"):
        return value  # type: ignore[no-any-return]
    if kind == "float" and have in ("int", "bool"):
        return Unknown("float") if isinstance(value, Expression) else float(value)
    if kind == "int" and have == "bool":
        return int(value)
    if kind.startswith("union<") and have in kind[len("union<") : -1].split(", "):
        return value  # type: ignore[no-any-return]
    raise NotAdaptable(f"{have} for {kind}")


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
