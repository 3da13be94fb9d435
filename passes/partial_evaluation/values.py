"""What is known of a value while a calculation runs.

A known scalar is itself: a Python int, float, bool, str, or None. What is not known is an
`Unknown`, which names the SSA value that will have it. Lists are objects, because TorchScript's
are mutable and can be aliased; tuples are immutable and hold such values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from torch_refine.dialect.bindings import ir

if TYPE_CHECKING:
    from typing_extensions import TypeIs


@dataclass(eq=False, slots=True)
class Unknown:
    """A value that only the running program knows; `ssa` is where the IR has it.

    `kind` is its type as far as casts to wider types have not hidden it: the `int` behind a
    `!torch.number`, which decides promotion.
    """

    ssa: ir.Value
    kind: str


@dataclass(eq=False, slots=True)
class ListObject:
    """A list, with identity.

    `items` are its present elements, or None when even their number is unknown. `ssa` is the list
    in the IR, once it must exist there: from then on every change is written out as well. Without
    it, the list lives only here, and a copy is written out wherever the IR reads it. `uncertain`
    marks a list that may be the same object as another one, `given` one that belongs to the
    program and that a calculation must not change.
    """

    kind: str
    items: list[Any] | None
    ssa: ir.Value | None = None
    uncertain: bool = False
    given: bool = False
    depth: int = 0


@dataclass(frozen=True, slots=True)
class TupleValue:
    """A tuple of values; `kind` is its type's text."""

    kind: str
    items: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class TensorValue:
    """A tensor of the program, which calculations only ask for its sizes, rank and dtype."""

    ssa: ir.Value = field(compare=False)


Scalar: TypeAlias = int | float | bool | str | None
Value: TypeAlias = Scalar | Unknown | ListObject | TupleValue | TensorValue

_KINDS = {int: "int", float: "float", bool: "bool", str: "str", type(None): "none"}


def is_scalar(value: Value) -> TypeIs[Scalar]:
    """Whether a value is a known scalar."""
    return type(value) in _KINDS


def kind_of(value: Value) -> str:
    """The value's type as the dialect spells it, without `!torch.`."""
    if isinstance(value, TensorValue):
        return str(value.ssa.type).removeprefix("!torch.")
    return _KINDS[type(value)] if is_scalar(value) else value.kind


def is_known(value: Value) -> bool:
    """Whether everything about a value is known, down to the elements of lists and tuples."""
    if isinstance(value, ListObject | TupleValue):
        return value.items is not None and all(map(is_known, value.items))
    return type(value) in _KINDS


def freeze(value: Value) -> Any:
    """A hashable form of a value that is known; types keep `1`, `1.0` and `True` apart."""
    if isinstance(value, ListObject | TupleValue):
        return (value.kind, tuple(map(freeze, value.items or ())))
    return (type(value), value)


def plain(value: Value) -> Any:
    """A known value as Python has it: lists and tuples of scalars."""
    if isinstance(value, ListObject):
        return [plain(item) for item in value.items or ()]
    if isinstance(value, TupleValue):
        return tuple(plain(item) for item in value.items)
    return value


def lists_in(value: Value) -> list[ListObject]:
    """The lists in a value, at any depth."""
    if isinstance(value, ListObject):
        return [value, *(inner for item in value.items or () for inner in lists_in(item))]
    if isinstance(value, TupleValue):
        return [inner for item in value.items for inner in lists_in(item)]
    return []


def same_value(left: Value, right: Value) -> bool:
    """Whether two values are certainly the same one, as objects where they have identity."""
    if left is right:
        return True
    if is_scalar(left) and is_scalar(right):
        return bool(freeze(left) == freeze(right))
    if isinstance(left, Unknown | TensorValue) and isinstance(right, Unknown | TensorValue):
        return bool(left.ssa == right.ssa)
    if isinstance(left, TupleValue) and isinstance(right, TupleValue):
        return len(left.items) == len(right.items) and all(map(same_value, left.items, right.items))
    return False


@dataclass(eq=False, slots=True)
class Message(Unknown):
    """A message of which parts are unknown; `text` has question marks in their place."""

    text: str = ""


@dataclass(eq=False, slots=True)
class NumberTensor:
    """A number made a tensor, to ask for its dtype."""

    tensor: Any
    dtype: int

    @property
    def kind(self) -> str:
        """Its type, without `!torch.`."""
        return str(self.ssa.type).removeprefix("!torch.")

    @property
    def ssa(self) -> ir.Value:
        """The tensor's SSA value."""
        return self.tensor.ssa
