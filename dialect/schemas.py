"""Operator schemas, read from a snapshot of PyTorch's operator registry.

The snapshot (`registry.txt`, one schema per line) is written by `make registry` from the pinned
PyTorch, so that nothing here imports PyTorch.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

REGISTRY = Path(__file__).with_name("registry.txt")
CORE_ATEN = Path(__file__).with_name("core_aten.txt")
_HEADER = re.compile(r"# The operator schemas of PyTorch ([\w.+]+),")


def registry_version() -> str:
    """The PyTorch version of the snapshot, such as `2.13.0`."""
    with REGISTRY.open(encoding="utf-8") as file:
        found = _HEADER.match(file.readline())
    assert found is not None, f"{REGISTRY.name} does not begin with PyTorch's version"
    return found[1]


@cache
def core_aten() -> frozenset[str]:
    """The names of the operators that PyTorch calls core ATen."""
    lines = CORE_ATEN.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


@dataclass(frozen=True)
class Argument:
    """One argument of a schema.

    `type` is PyTorch's spelling, without alias annotations (`Tensor`, `SymInt[2]`, `Scalar?`).
    `default` is the text after `=`, or None when the argument is required.
    """

    name: str
    type: str
    default: str | None = None
    keyword_only: bool = False
    mutated: bool = False


@dataclass(frozen=True)
class Schema:
    """An operator overload; `name` is like `aten::add.Tensor`, `returns` are types."""

    name: str
    arguments: tuple[Argument, ...]
    returns: tuple[str, ...]

    @property
    def is_mutating(self) -> bool:
        """Whether the operator writes to one of its arguments."""
        return any(argument.mutated for argument in self.arguments)

    def __str__(self) -> str:
        parts: list[str] = []
        keyword_only = False
        for argument in self.arguments:
            if argument.keyword_only and not keyword_only:
                parts.append("*")
                keyword_only = True
            default = "" if argument.default is None else f"={argument.default}"
            parts.append(f"{argument.type} {argument.name}{default}")
        returns = ", ".join(self.returns)
        if len(self.returns) != 1:
            returns = f"({returns})"
        return f"{self.name}({', '.join(parts)}) -> {returns}"


_ALIAS = re.compile(r"\(([a-z](?:\|[a-z])*)?(!?)(?: -> [^)]*)?\)")


def parse_schema(text: str) -> Schema:
    """Parse a schema as PyTorch prints it, e.g. ``aten::mm(Tensor self, Tensor mat2) -> Tensor``.

    Raises ValueError, naming the part, if the text is not a schema.
    """
    name, opened, rest = text.strip().partition("(")
    inside, arrow, returns = rest.rpartition(" -> ")
    if not opened or not arrow or not inside.endswith(")"):
        raise ValueError(f"not an operator schema: {text!r}")
    arguments: list[Argument] = []
    keyword_only = False
    for part in _split(inside[:-1]):
        if part == "*":
            keyword_only = True
            continue
        # `Tensor(a!) self`: the alias annotation says that the argument is written to.
        head, equals, default = part.partition("=")
        annotation = _ALIAS.search(head)
        mutated = annotation is not None and "!" in annotation.group(0)
        kind, space, argument = _ALIAS.sub("", head).rpartition(" ")
        if not space or not argument.isidentifier():
            raise ValueError(f"{name}: cannot read the argument {part!r}")
        arguments.append(
            Argument(argument, kind.strip(), default if equals else None, keyword_only, mutated)
        )
    return Schema(name, tuple(arguments), tuple(_split_returns(returns)))


def _split_returns(text: str) -> list[str]:
    text = _ALIAS.sub("", text.strip())
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    # A returned value may be named, `(Tensor values, Tensor indices)`; its type comes first.
    return [part.split()[0] for part in _split(text)]


def _split(text: str) -> list[str]:
    """Split at the commas outside brackets and strings."""
    parts, depth, start = [], 0, 0
    quoted = escaped = False
    for index, char in enumerate(text):
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


@cache
def _lines() -> dict[str, str]:
    """The snapshot's lines by operator name; schemas are parsed lazily."""
    lines = REGISTRY.read_text(encoding="utf-8").splitlines()
    return {line.partition("(")[0]: line for line in lines if line and not line.startswith("#")}


@cache
def schema(operator: str) -> Schema:
    """The schema of an overload, e.g. ``schema("aten::add.Tensor")``; KeyError if there is none."""
    return parse_schema(_lines()[operator])


@cache
def aliases(operator: str) -> tuple[tuple[int, ...], ...]:
    """For each return of an overload, the positions of the arguments whose storage it may share.

    These are PyTorch's alias annotations: `Tensor(a) self` and a return `Tensor(a)`. KeyError if
    there is no such overload.
    """
    inside, _, returned = _lines()[operator].partition("(")[2].rpartition(" -> ")
    parts = [part.partition("=")[0] for part in _split(inside.strip()[:-1]) if part != "*"]
    arguments = [_alias_sets(part) for part in parts]
    text = returned.strip()
    parts = _split(text[1:-1] if text.startswith("(") else text)
    return tuple(
        tuple(place for place, names in enumerate(arguments) if names & _alias_sets(part))
        for part in parts
    )


def _alias_sets(part: str) -> set[str]:
    """The alias sets of an argument or return: `a` of `Tensor(a!)`."""
    annotation = _ALIAS.search(part)
    return set((annotation.group(1) or "").split("|")) - {""} if annotation is not None else set()


def add_schema(text: str) -> Schema:
    """Register the schema of a custom operator in this process; returns it.

    Raises ValueError if the text is not a schema.
    """
    added = parse_schema(text)
    _lines()[added.name] = text
    schema.cache_clear()
    aliases.cache_clear()
    return added


def operators() -> list[str]:
    """The names of all overloads in the snapshot, sorted."""
    return sorted(_lines())
