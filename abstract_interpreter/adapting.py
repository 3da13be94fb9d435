"""Convert lattice values to arguments of library functions, as `operands.py` plans, and results
back.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Several
from typing import Any

from torch_refine.abstract_interp_lib import scalar_types
from torch_refine.abstract_interpreter.conditions.conditions import Opaque
from torch_refine.abstract_interpreter.conditions.path_condition import PathCondition
from torch_refine.abstract_interpreter.lattice import (
    Anything,
    BoolOrInt,
    Integer,
    Lattice,
    LatticeValue,
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
    NotAdaptable,
    check_count,
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


def argument(lattice_value: LatticeValue, kind: str) -> Value:
    """Convert an operand to an argument for a parameter of type `kind`; raises NotAdaptable."""
    if (
        isinstance(lattice_value, BoolOrInt)
        and kind != "number"
        and not kind.startswith("optional<")
    ):
        lattice_value = lattice_value.value
    return _MAKERS[conversion(_kind(lattice_value), kind)](lattice_value, kind)


def arguments_of(operands: Several[LatticeValue], parameters: Several[str]) -> list[Value]:
    """Convert an operator's operands to arguments of a function; raises NotAdaptable."""
    check_count(len(parameters), len(operands))
    arguments: list[Value] = []
    for fact, parameter in zip(operands, parameters, strict=True):
        try:
            arguments.append(argument(fact, parameter))
        except NotAdaptable as error:
            raise NotAdaptable(f"{error} as operand #{len(arguments)}") from None
    return arguments


def _kind(lattice_value: LatticeValue) -> str:
    """The kind of an operand, as precise as its lattice value."""
    if isinstance(lattice_value, Scalar):
        return kind_of(lattice_value.value)
    if isinstance(lattice_value, Tensor):
        return "vtensor"
    if isinstance(lattice_value, BoolOrInt):
        return BOOL_OR_INT
    return "int" if isinstance(lattice_value, Integer) else lattice_value.kind


def _same(lattice_value: LatticeValue, kind: str) -> Value:
    """Pass an operand under its own type or a wider one."""
    if isinstance(lattice_value, Scalar):
        return lattice_value.value  # type: ignore[no-any-return]
    if isinstance(lattice_value, Integer):
        return lattice_value.expression
    if isinstance(lattice_value, Sequence) and kind.startswith("list<"):
        return _items(lattice_value, kind)
    return Unknown(_kind(lattice_value)) if kind == "any" else unknown(_kind(lattice_value))


def _narrower(lattice_value: LatticeValue, kind: str) -> Value:
    return unknown(kind)


def _float(lattice_value: LatticeValue, kind: str) -> Value:
    return float(lattice_value.value) if isinstance(lattice_value, Scalar) else Unknown("float")


def _int(lattice_value: LatticeValue, kind: str) -> Value:
    return int(lattice_value.value) if isinstance(lattice_value, Scalar) else unknown("int")


def _number(lattice_value: LatticeValue, kind: str) -> Value:
    return _same(lattice_value, kind) if isinstance(lattice_value, Scalar) else Unknown(BOOL_OR_INT)


def _sizes(lattice_value: LatticeValue, kind: str) -> Value:
    if not isinstance(lattice_value, Tensor) or lattice_value.sizes is None:
        return ListObject("list<int>", None, nonnegative=True)
    return ListObject("list<int>", list(lattice_value.sizes))


def _rank_and_dtype(lattice_value: LatticeValue, kind: str) -> Value:
    sizes = lattice_value.sizes if isinstance(lattice_value, Tensor) else None
    return (fresh(0) if sizes is None else len(sizes), _dtype(lattice_value))


def _sizes_and_dtype(lattice_value: LatticeValue, kind: str) -> Value:
    return (_sizes(lattice_value, kind), _dtype(lattice_value))


def _dtype(lattice_value: LatticeValue) -> Number:
    dtype = lattice_value.dtype if isinstance(lattice_value, Tensor) else None
    return fresh(0, _LAST_DTYPE) if dtype is None else dtype


def _items(lattice_value: LatticeValue, kind: str) -> Value:
    if not isinstance(lattice_value, Sequence):
        return unknown(kind)
    if lattice_value.items is None:
        return ListObject(kind, None)
    return ListObject(kind, [argument(item, element_kind(kind)) for item in lattice_value.items])


def _either(lattice_value: LatticeValue, kind: str) -> Value:
    assert isinstance(lattice_value, Anything)
    return Maybe(Opaque(), argument(Anything(element_kind(lattice_value.kind)), element_kind(kind)))


_MAKERS: dict[Conversion, Callable[[LatticeValue, str], Value]] = {
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
    Conversion.BOOL_OR_INT: lambda lattice_value, kind: Unknown(BOOL_OR_INT),
    Conversion.ITEMS: _items,
    Conversion.ABSENT: lambda lattice_value, kind: None,
    Conversion.PRESENT: lambda lattice_value, kind: argument(lattice_value, element_kind(kind)),
    Conversion.EITHER: _either,
}


class Results:
    """Converts the results of a shape and a dtype function to lattice values."""

    def __init__(self, lattice: Lattice, known: set[expressions.Symbol]) -> None:
        self.lattice = lattice
        # The symbols of the operands; any other is replaced by a fresh one.
        self.known = known

    def size(self, value: Any, assumptions: PathCondition) -> Number:
        """A size; a fresh symbol if it is unknown, or if the function computes a negative one."""
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

    def sizes(self, value: Any, assumptions: PathCondition) -> tuple[Number, ...] | None:
        """The sizes of a tensor, None if unranked."""
        if not isinstance(value, ListObject):
            return None
        if value.items is None:
            rank = assumptions.range_of(assumptions.resolve(value.length)).value
            if rank is None or rank > _RANK_LIMIT:
                return None
            return tuple(expressions.dimension() for _ in range(rank))
        return tuple(self.size(item, assumptions) for item in value.items)

    def dtype(self, value: Any, assumptions: PathCondition) -> int | None:
        """A dtype's number, None if unknown."""
        if type(value) is int:
            return value if 0 <= value <= _LAST_DTYPE else None
        if not is_number(value):
            return None
        found = assumptions.range_of(assumptions.resolve(value)).value
        return found if found is not None and 0 <= found <= _LAST_DTYPE else None


_RANK_LIMIT = 64
