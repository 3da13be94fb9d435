"""`--verify-diagnostics`: comparing what was reported with what comments expect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from torch_refine.dialect.diagnostics import Diagnostic
from torch_refine.tool.sources import Source

_EXPECTED = re.compile(
    r"expected-(?P<severity>error|warning|note|remark)(?P<regex>-re)?"
    r"(?: *@ *(?P<at>[+-]\d+|above|below|unknown))?(?: +(?P<count>\d+))? *\{\{(?P<text>.*?)\}\} *$"
)


@dataclass
class Expectation:
    """One expected diagnostic: where, how severe, and a text or pattern in its message."""

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


def expectations(source: Source) -> list[Expectation]:
    """The expectations in a source's comments, in order."""
    found: list[Expectation] = []
    lines = source.lines
    for index, line in enumerate(lines):
        match = _EXPECTED.search(line)
        if match is None:
            continue
        number = source.lines_before + index + 1
        target: int | None = number
        at = match["at"]
        if at == "unknown":
            target = None
        elif at in ("above", "below"):
            step = 1 if at == "below" else -1
            place = index + step
            # Several expectations in a row speak of the same line.
            while 0 <= place < len(lines) and _EXPECTED.search(lines[place]):
                place += step
            target = source.lines_before + place + 1
        elif at is not None:
            target = number + int(at)
        for _ in range(int(match["count"] or 1)):
            found.append(
                Expectation(match["severity"], target, match["text"], bool(match["regex"]), number)
            )
    return found


def _flat(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    for each in diagnostics:
        yield each
        yield from _flat(each.notes)


def verify(source: Source, reported: Iterable[Diagnostic]) -> list[str]:
    """What differs between the diagnostics of a source and its expectations, a line each.

    Notes need not be expected, but an expected note must come.
    """
    pending = expectations(source)
    problems: list[str] = []
    for diagnostic in _flat(reported):
        match = next((each for each in pending if each.matches(diagnostic)), None)
        if match is not None:
            pending.remove(match)
        elif diagnostic.severity != "note":
            line = diagnostic.line or 0
            problems.append(
                f"{source.name}:{line}: error: unexpected {diagnostic.severity}: "
                f"{diagnostic.message}"
            )
    for each in pending:
        problems.append(
            f"{source.name}:{each.written}: error: expected {each.severity} "
            f'"{each.text}" was not produced'
        )
    return problems
