"""The outcome of a run of a calculation: its results, path condition and trace.

Types are refined from the results. The trace holds the steps that no closed form expresses, in
execution order, each on its path:

| step | is |
| --- | --- |
| `Applied` | an operation whose results are atoms, such as an element of a list |
| `Made`, `Changed` | creation or mutation of a list |
| `Raising` | a precondition: the calculation raises if a condition holds |
| `Branched` | an `If`, with the joins of its sides' values |
| `Looped` | the iterations of a loop of unknown trip count |

`materialising` writes preconditions and symbolic results as IR. Operands are recorded by value: a
list with known elements is a `Snapshot`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from torch_refine.abstract_interpreter.conditions.conditions import (
    And,
    Condition,
    NonNegative,
    Not,
    Opaque,
    Or,
    Zero,
)
from torch_refine.abstract_interpreter.conditions.path_condition import PathCondition
from torch_refine.abstract_interpreter.numbers.expressions import (
    Expression,
    Symbol,
    single_atom,
    symbols_in,
)
from torch_refine.abstract_interpreter.values import ListObject, Maybe, Unknown, kind_of

# A value without closed form: defined by a step of a trace, or outside.
Atom: TypeAlias = Symbol | Opaque | Unknown | Maybe | ListObject


@dataclass(eq=False, slots=True)
class Snapshot:
    """The elements of a list at the time an operation read it; `list` is the list itself."""

    kind: str
    items: tuple[Any, ...]
    list: ListObject


@dataclass(frozen=True, slots=True)
class Reference:
    """A list as an object, whether or not its elements are known."""

    list: ListObject


@dataclass(eq=False, slots=True)
class Operation:
    """The name of an operation in IR, the types of its operands and results, and its attributes.

    The type of an unconstrained operand is empty.
    """

    name: str
    operands: list[str]
    results: list[str]
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Applied:
    """An operation whose results are atoms; one with an effect is always `kept`."""

    operation: Operation
    operands: list[Any]
    results: list[Any]
    kept: bool = False


@dataclass(eq=False, slots=True)
class Made:
    """The creation of a list."""

    value: ListObject
    items: list[Any]


@dataclass(eq=False, slots=True)
class Changed:
    """An operation that mutates its first operand, a list; the others are recorded by value."""

    operation: Operation
    value: ListObject
    operands: list[Any]
    results: list[Any]


@dataclass(eq=False, slots=True)
class Raising:
    """If `condition` equals `when`, the calculation raises at the end of the trace."""

    condition: Condition
    when: bool
    trace: Trace


@dataclass(eq=False, slots=True)
class Joined:
    """A joined value: `then` if that side was taken, `otherwise` if the other was."""

    value: Any
    then: Any
    otherwise: Any
    kind: str


@dataclass(eq=False, slots=True)
class Branched:
    """An `If` of which both sides continue."""

    condition: Condition
    then: Trace
    otherwise: Trace
    joined: list[Joined]


@dataclass(eq=False, slots=True)
class Carried:
    """A loop-carried value: `first` on entry, `later` after each iteration.

    `value` stands for it at the start of any iteration, and after the loop.
    """

    value: Any
    first: Any
    later: Any
    kind: str


@dataclass(eq=False, slots=True)
class Looped:
    """A loop of unknown trip count.

    It runs while `index`, which starts at `first`, is below `limit` and the condition holds:
    `condition` on entry, `again` after an iteration. `lists` are those that an iteration mutates.
    """

    limit: Any
    first: int
    condition: Condition
    index: Expression
    body: Trace
    again: Condition
    carried: list[Carried]


Step: TypeAlias = Applied | Made | Changed | Raising | Branched | Looped


@dataclass(eq=False, slots=True)
class Trace:
    """Steps in order; `raised` is the message of a trace that ends by raising."""

    steps: list[Step] = field(default_factory=list)
    raised: Any = None


@dataclass(frozen=True)
class Outcome:
    """The outcome of a run.

    `values` are the results, None for one that was not inferred, for which `remark` has the reason;
    `assumptions` holds on every path that does not raise.
    """

    values: tuple[Any, ...] | None
    assumptions: PathCondition
    trace: Trace | None = None
    remark: str | None = None


def snapshot(value: Any) -> Any:
    """A value as of now, unaffected by later mutations of its lists."""
    if isinstance(value, ListObject):
        if value.items is None:
            return value
        return Snapshot(value.kind, tuple(map(snapshot, value.items)), value)
    return tuple(map(snapshot, value)) if isinstance(value, tuple) else value


def atom_of(value: Any) -> Atom | None:
    """The atom of a value, None if it has a closed form or is composed of several."""
    if isinstance(value, Expression):
        atom = single_atom(value)
        return atom if isinstance(atom, Symbol) else None
    if isinstance(value, ListObject):
        return value if value.items is None else None
    return value if isinstance(value, Opaque | Unknown | Maybe) else None


def atoms_in(value: Any) -> Iterator[Atom]:
    """The atoms of a value; may repeat."""
    if isinstance(value, Expression):
        yield from symbols_in(value)
    elif isinstance(value, Zero | NonNegative):
        yield from symbols_in(value.expression)
    elif isinstance(value, Not):
        yield from atoms_in(value.operand)
    elif isinstance(value, And | Or):
        yield from atoms_in(value.left)
        yield from atoms_in(value.right)
    elif isinstance(value, Snapshot | tuple):
        for item in value.items if isinstance(value, Snapshot) else value:
            yield from atoms_in(item)
    elif isinstance(value, ListObject) and value.items is not None:
        for item in value.items:
            yield from atoms_in(item)
    elif isinstance(value, Reference):
        yield value.list
    elif isinstance(value, Opaque | Unknown | Maybe | ListObject):
        yield value


def kind_of_atom(value: Any) -> str:
    """The type of an atom."""
    if isinstance(value, Expression | Symbol):
        return "int"
    if isinstance(value, Opaque):
        return "bool"
    if isinstance(value, Maybe):
        return f"optional<{kind_of_snapshot(snapshot(value.value))}>"
    return str(value.kind)


def kind_of_snapshot(value: Any) -> str:
    """The type of any value."""
    if isinstance(value, Snapshot):
        return value.kind
    if isinstance(value, tuple):
        return f"tuple<{', '.join(map(kind_of_snapshot, value))}>"
    return kind_of(value)
