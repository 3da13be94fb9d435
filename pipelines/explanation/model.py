"""What an explanation consists of: causes, steps, and proposals, as plain data with a text."""

from __future__ import annotations

from dataclasses import dataclass, field

from torch_refine.abstract_interpreter.running.library_lines import LibraryPlace

# The kinds of causes, with what each says in general.
KINDS = {
    "argument": "the program declares it unknown",
    "no-function": "an operator without a shape or dtype function",
    "data-dependent": "the values of tensors decide it",
    "condition": "a condition on dynamic sizes is undecided",
    "control-flow": "branches or iterations give different values",
    "budget": "a function exceeds the budget of inference",
    "misfit": "an operator does not fit its function",
    "call": "a call of a function without a body",
    "slot": "the contents of a global slot",
    "alias": "a tensor that may be resized in place",
    "list": "a list that may be mutated, or whose length is unknown",
    "cast": "a cast erases it",
    "not-refined": "inference knows it, but the type was not refined",
    "raises": "the operator always raises",
    "operation": "an operation that inference does not interpret",
}


@dataclass(frozen=True)
class Cause:
    """A first cause: why one part of a value is unknown.

    `kind` is a key of `KINDS`, `subject` the operator, or the part of an argument; `value` is the
    name of the value, `place` its source line, `library` the line of the operator's function.
    """

    kind: str
    subject: str
    text: str
    value: str
    part: str
    place: str | None = None
    library: LibraryPlace | None = None
    condition: str | None = None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Step:
    """One link of a chain: the part of a value, and what it comes from.

    `cause` is the kind of a first cause, `"from"` for a link in between, `"inferred"`, `"declared"`
    or `"formula"` for what is known. `depth` is the distance from the explained value.
    """

    value: str
    operator: str | None
    part: str
    cause: str
    text: str
    place: str | None = None
    library: LibraryPlace | None = None
    condition: str | None = None
    depth: int = 0

    def __str__(self) -> str:
        indent = "  " * (self.depth + 1)
        at = f" (at {self.place})" if self.place else ""
        lines = [f"{indent}{self.value}: {self.text}{at}"]
        if self.condition is not None and self.condition not in self.text:
            lines.append(f"{indent}  undecided: {self.condition}")
        if self.library is not None:
            lines.append(f"{indent}  {self.library}: {self.library.text}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Explanation:
    """Why the type of a value is what it is.

    `steps` is the chain from the value back to its first causes, `causes`; `others` are the names
    of other values that the question fits.
    """

    value: str
    type: str
    place: str | None
    steps: tuple[Step, ...]
    causes: tuple[Cause, ...] = ()
    others: tuple[str, ...] = ()

    def __str__(self) -> str:
        at = f" (at {self.place})" if self.place else ""
        lines = [f"{self.value} is {self.type}{at}", *map(str, self.steps)]
        if self.others:
            shown = ", ".join(self.others[:_SHOWN])
            more = f" and {len(self.others) - _SHOWN} more" if len(self.others) > _SHOWN else ""
            lines.append(f"  also asked for: {shown}{more}")
        return "\n".join(lines)


@dataclass(frozen=True)
class RankedCause:
    """A cause with the number of `values` that are unknown because of it.

    Equal causes of an operator are one; `places` counts them, `cause` is the first.
    """

    cause: Cause
    values: int
    places: int

    def __str__(self) -> str:
        cause = self.cause
        at = f" (at {cause.place})" if cause.place else ""
        more = f", and {self.places - 1} more like it" if self.places > 1 else ""
        lines = [f"{self.values:>6}  {cause.value}: {cause.text}{more}{at}"]
        if cause.library is not None:
            lines.append(f"        {cause.library}: {cause.library.text}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Proposal:
    """A fact that would complete types: `resolved` more values, with those of earlier proposals.

    `tried` is what was stated to verify it; `how` is an option that states it.
    """

    text: str
    resolved: int
    tried: str = ""
    how: str | None = None

    def __str__(self) -> str:
        tried = f" (tried {self.tried})" if self.tried else ""
        count = f"{self.resolved} more value{'' if self.resolved == 1 else 's'} resolve"
        text = f"{self.text}{tried}: {count}{'s' if self.resolved == 1 else ''}"
        return text if self.how is None else f"{text}\n    {self.how}"


@dataclass(frozen=True)
class Advice:
    """The smallest set of facts that was found to complete a module, each verified by refining.

    `unknown` values are unknown now, `left` would still be. `notes` say what was not tried.
    """

    proposals: tuple[Proposal, ...]
    unknown: int
    left: int
    refinements: int
    notes: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        if not self.unknown:
            return "every tensor is known"
        lines = []
        if self.proposals:
            lines.append("to complete it:" if not self.left else "what helps:")
            lines += [f"  {each}" for each in self.proposals]
        if self.left:
            lines.append(f"{self.left} of {self.unknown} values would still be unknown")
        lines += [f"note: {note}" for note in self.notes]
        return "\n".join(lines)


@dataclass(frozen=True)
class Conflict:
    """Ops, or declared types, that contradict each other; each is needed for the contradiction."""

    message: str
    place: str | None
    members: tuple[tuple[str, str | None], ...]
    is_smallest: bool = True

    def __str__(self) -> str:
        at = f" (at {self.place})" if self.place else ""
        few = "the fewest found" if self.is_smallest else "at most these"
        lines = [f"{self.message}{at}", f"  {few} that contradict each other:"]
        lines += [f"    {text}{f' (at {where})' if where else ''}" for text, where in self.members]
        return "\n".join(lines)


_SHOWN = 8
