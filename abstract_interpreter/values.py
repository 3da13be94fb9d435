"""Abstract values of a running calculation.

| value | is |
| --- | --- |
| a Python int, float, bool, str, None | known |
| an `Expression` | an int |
| a condition | a bool |
| a tuple | a tuple of values |
| a `ListObject` | a list with identity: TorchScript's are mutable and can be aliased |
| a `Maybe` | None, or the value it holds |
| an `Unknown` | anything of its kind |
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from torch_refine.abstract_interpreter.conditions.conditions import (
    SYMBOLIC_CONDITIONS,
    And,
    NonNegative,
    Not,
    Opaque,
    Or,
    SymbolicCondition,
    Zero,
)
from torch_refine.abstract_interpreter.conditions.path_condition import PathCondition
from torch_refine.abstract_interpreter.lattice import Tensor
from torch_refine.abstract_interpreter.numbers.expressions import (
    Expression,
    Number,
    dimension,
    fresh,
    next_serial,
)
from torch_refine.dialect.kinds import element_kind, split_kinds


class Unknown:
    """A value of which only the kind is known, `float` or `number` for example.

    `views` caches its casts to other kinds, so that equal casts give one value.
    """

    __slots__ = ("kind", "serial", "views")

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.serial = next_serial()
        self.views: dict[str, Any] = {}


class Message(Unknown):
    """A text with unknown parts; `text` has question marks in their place."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        super().__init__("str")
        self.text = text


class TensorValue(Unknown):
    """A tensor whose sizes, rank and dtype a calculation queries."""

    __slots__ = ("lattice_value",)

    def __init__(self, lattice_value: Tensor) -> None:
        super().__init__("vtensor")
        self.lattice_value = lattice_value


class Maybe:
    """None if `absent` holds, else `value`."""

    __slots__ = ("absent", "value")

    def __init__(self, absent: SymbolicCondition, value: Any) -> None:
        self.absent = absent
        self.value = value


# The join of the elements of a list of lists of ints; None where they differ.
Pattern: TypeAlias = tuple[Number | None, ...]


class ListObject:
    """A list with identity.

    `items` are its elements, or None if their number is unknown; then `length` is that number, and
    `nonnegative` tells that int elements are sizes. For a list of lists, `pattern` may hold the
    join of its elements, with None where they differ. A `frozen` list may alias another one:
    nothing is inferred of a calculation that mutates it.
    """

    __slots__ = ("found", "frozen", "items", "kind", "length", "nonnegative", "pattern", "serial")

    def __init__(
        self,
        kind: str,
        items: list[Any] | None,
        length: Number | None = None,
        nonnegative: bool = False,
        frozen: bool = False,
    ) -> None:
        self.kind = kind
        self.items = items
        self.length: Number = dimension() if length is None and items is None else length or 0
        self.nonnegative = nonnegative
        self.pattern: Pattern | None = None
        self.frozen = frozen
        # Elements of a list of unknown length that were read, by index.
        self.found: dict[Any, Any] = {}
        self.serial = next_serial()

    def forget(
        self,
        length: Number | None = None,
        nonnegative: bool = False,
        pattern: Pattern | None = None,
    ) -> None:
        """Forget the elements, except for these properties.

        Lists among them cannot be told apart any more, so none may be mutated.
        """
        freeze(self.items or ())
        freeze(self.found.values())
        self.items = None
        self.pattern = pattern
        self.length = dimension() if length is None else length
        self.nonnegative = nonnegative
        self.found = {}

    def element(self, index: Any) -> Any:
        """An element of a list of unknown length; the same value for the same index."""
        if not isinstance(index, int | Expression):
            return self.new_element()
        if index not in self.found:
            self.found[index] = self.new_element()
        return self.found[index]

    def new_element(self) -> Any:
        """A value that stands for any element."""
        kind = element_kind(self.kind)
        if self.pattern is not None:
            items = [fresh() if item is None else item for item in self.pattern]
            return ListObject(kind, items, frozen=True)
        return dimension() if kind == "int" and self.nonnegative else unknown(kind)

    def state(self) -> tuple[Any, ...]:
        """The contents, for `restore`."""
        items = None if self.items is None else list(self.items)
        return items, self.length, self.nonnegative, dict(self.found), self.pattern

    def restore(self, state: tuple[Any, ...]) -> None:
        """Restore the contents of `state`."""
        self.items, self.length, self.nonnegative, self.found, self.pattern = state


Value: TypeAlias = (
    int | float | bool | str | tuple["Value", ...] | Expression | SymbolicCondition | ListObject
    | Maybe | Unknown | None
)  # fmt: skip

_KINDS = {int: "int", float: "float", bool: "bool", str: "str", type(None): "none"}
SCALARS = frozenset(_KINDS)
_CONDITIONS = (bool, *SYMBOLIC_CONDITIONS)
_BY_TYPE = {
    Expression: "int",
    **dict.fromkeys((Zero, NonNegative, Opaque, Not, And, Or), "bool"),
}


def unknown(kind: str) -> Value:
    """An unknown value of a kind."""
    if kind == "int":
        return fresh()
    if kind == "bool":
        return Opaque()
    if kind == "none":
        return None
    if kind.startswith("list<"):
        # Two unknown lists may alias.
        return ListObject(kind, None, frozen=True)
    if kind.startswith("tuple<"):
        return tuple(map(unknown, split_kinds(kind)))
    if kind.startswith("optional<"):
        return Maybe(Opaque(), unknown(element_kind(kind)))
    return Unknown(kind)


def kind_of(value: Value) -> str:
    """The kind of a value, ignoring casts to wider kinds: `int`, `list<int>`."""
    kind = _KINDS.get(type(value)) or _BY_TYPE.get(type(value))
    if kind is not None:
        return kind
    if isinstance(value, ListObject | Unknown):
        return value.kind
    if isinstance(value, Maybe):
        return f"optional<{kind_of(value.value)}>"
    assert isinstance(value, tuple)
    return f"tuple<{', '.join(map(kind_of, value))}>"


def is_number(value: Value) -> bool:
    """Whether a value is an int, known or symbolic, and not a bool."""
    return isinstance(value, int | Expression) and not isinstance(value, bool)


def is_condition(value: Value) -> bool:
    """Whether a value is a bool, known or not."""
    return isinstance(value, _CONDITIONS)


def is_known(value: Value) -> bool:
    """Whether a value is fully known, including the elements of lists and tuples."""
    if type(value) in _KINDS:
        return True
    if isinstance(value, ListObject):
        return value.items is not None and all(map(is_known, value.items))
    return isinstance(value, tuple) and all(map(is_known, value))


def plain(value: Value) -> Any:
    """A known value as Python objects: lists and tuples of scalars."""
    if type(value) in SCALARS:
        return value
    if isinstance(value, ListObject):
        return [plain(item) for item in value.items or ()]
    return tuple(map(plain, value)) if isinstance(value, tuple) else value


def shown(value: Value, assumptions: PathCondition) -> Any:
    """A value for a message, with NotImplemented for unknown parts."""
    if isinstance(value, Message):
        return value.text
    if isinstance(value, ListObject):
        if value.items is None:
            return NotImplemented
        return [shown(item, assumptions) for item in value.items]
    if isinstance(value, tuple):
        return tuple(shown(item, assumptions) for item in value)
    if isinstance(value, Expression):
        resolved = assumptions.resolve(value)
        return resolved if isinstance(resolved, int) else NotImplemented
    return value if type(value) in _KINDS else NotImplemented


def freeze(values: Iterable[Any]) -> None:
    """Freeze the lists in values, at any depth: they may be aliased."""
    for value in values:
        for inner in lists_in(value):
            inner.frozen = True


def lists_in(value: Value) -> list[ListObject]:
    """The lists in a value, at any depth."""
    if isinstance(value, ListObject):
        return [value, *(inner for item in value.items or () for inner in lists_in(item))]
    if isinstance(value, tuple):
        return [inner for item in value for inner in lists_in(item)]
    return lists_in(value.value) if isinstance(value, Maybe) else []
