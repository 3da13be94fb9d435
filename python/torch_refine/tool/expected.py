"""`--verify-diagnostics`: compare diagnostics with the expectations in comments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from torch_refine.dialect.diagnostics import Diagnostic
from torch_refine.tool.sources import InputError, Source

# A count is a list of as many expectations.
_MAX_DIGITS = 7

_EXPECTED = re.compile(
    r"expected-(?P<severity>error|warning|note|remark)(?P<regex>-re)?"
    r"(?: *@ *(?P<at>[+-]\d+|above|below|unknown))?(?: +(?P<count>\d+))?"
    r" *\{\{(?P<text>.*?)\}\} *$"
)


@dataclass
class Expectation:
    """An expected diagnostic: line, severity, and a text or pattern in its message."""

    severity: str
    line: int | None
    text: str
    is_regex: bool
    written: int

    def matches(self, diagnostic: Diagnostic) -> bool:
        """Whether a diagnostic is the expected one."""
        if diagnostic.severity != self.severity or diagnostic.line != self.line:
            return False
        if not self.is_regex:
            return self.text in diagnostic.message
        parts = re.split(r"\{\{(.*?)\}\}", self.text)
        pattern = "".join(re.escape(p) if i % 2 == 0 else p for i, p in enumerate(parts))
        return re.search(pattern, diagnostic.message) is not None


def _expected_in(line: str) -> re.Match[str] | None:
    # Without the end, the regex would search for it from every start.
    return _EXPECTED.search(line) if line.rstrip(" ").endswith("}}") else None


def expectations(source: Source) -> list[Expectation]:
    """The expectations in a source's comments, in order; raises InputError for too large
    numbers.
    """
    found: list[Expectation] = []
    matches = [_expected_in(line) for line in source.lines]
    above = _nearest_others(matches)
    below = [len(matches) - 1 - place for place in reversed(_nearest_others(matches[::-1]))]
    for index, match in enumerate(matches):
        if match is None:
            continue
        number = source.lines_before + index + 1
        if max(len(match["at"] or ""), len(match["count"] or "")) > _MAX_DIGITS:
            raise InputError(f"{source.name}:{number}: the number of an expectation is too large")
        target: int | None = number
        at = match["at"]
        if at == "unknown":
            target = None
        elif at in ("above", "below"):
            # Consecutive expectations refer to the same line.
            target = source.lines_before + (below if at == "below" else above)[index] + 1
        elif at is not None:
            target = number + int(at)
        for _ in range(int(match["count"] or 1)):
            found.append(
                Expectation(match["severity"], target, match["text"], bool(match["regex"]), number)
            )
    return found


def _nearest_others(matches: list[re.Match[str] | None]) -> list[int]:
    """For each line the nearest preceding one without expectations; -1 if there is none."""
    nearest = -1
    found = []
    for index, match in enumerate(matches):
        found.append(nearest)
        if match is None:
            nearest = index
    return found


def _flat(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    for each in diagnostics:
        yield each
        yield from _flat(each.notes)


def verify(
    source: Source, reported: Iterable[Diagnostic], only_expected: bool = False
) -> list[str]:
    """The differences between a source's diagnostics and its expectations, one line each.

    Notes need not be expected, nor anything with `only_expected`, but expectations must be met.
    """
    expected = expectations(source)
    pending: dict[tuple[str, int | None], list[Expectation]] = {}
    for each in expected:
        pending.setdefault((each.severity, each.line), []).append(each)
    problems: list[str] = []
    for diagnostic in _flat(reported):
        here = pending.get((diagnostic.severity, diagnostic.line), [])
        match = next((each for each in here if each.matches(diagnostic)), None)
        if match is not None:
            here.remove(match)
        elif diagnostic.severity != "note" and not only_expected:
            line = diagnostic.line or 0
            problems.append(
                f"{source.name}:{line}: error: unexpected {diagnostic.severity}: "
                f"{diagnostic.message}"
            )
    left = {id(each) for here in pending.values() for each in here}
    for each in (each for each in expected if id(each) in left):
        problems.append(
            f"{source.name}:{each.written}: error: expected {each.severity} "
            f'"{each.text}" was not produced'
        )
    return problems
