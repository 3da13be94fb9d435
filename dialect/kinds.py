"""Types of the torch dialect as text without the leading `!torch.`: `list<optional<int>>`."""

from __future__ import annotations

import re

_PARAMETER = re.compile(r"(?:^|, )%arg\d+: ")


def element_kind(kind: str) -> str:
    """`int` for `list<int>`, `list<int>` for `optional<list<int>>`; the kind itself otherwise."""
    for container in ("list<", "optional<"):
        if kind.startswith(container):
            return kind[len(container) : -1]
    return kind


def split_kinds(kind: str) -> list[str]:
    """The element types of a tuple type: `list<int>` and `int` for `tuple<list<int>, int>`."""
    return _split(kind[len("tuple<") : -1])


def signature_kinds(text: str) -> tuple[list[str], list[str]]:
    """The types of the parameters and results of a printed function, from its first line."""
    head = text.partition("{\n")[0]
    inside, _, results = head.partition("(")[2].rpartition(")")
    if "->" in inside:
        # Several results are in parentheses themselves.
        inside, _, results = inside.partition(") -> (")
    parameters = [part for part in _PARAMETER.split(inside) if part]
    results = results.replace("->", "").strip()
    return [p.removeprefix("!torch.") for p in parameters], [
        r.removeprefix("!torch.") for r in _split(results)
    ]


def _split(text: str) -> list[str]:
    """Split at the commas outside angle brackets."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        depth += (char == "<") - (char == ">")
        if char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return [part for part in [*parts, text[start:].strip()] if part]
