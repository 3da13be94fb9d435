"""What is found wrong with a function and where, and how a list of it is printed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from torch_refine.abstract_interp_lib.declaration import Invocation

Severity = Literal["error", "warning", "note"]
# Of problems that are alike, so many are printed; the others are counted.
_SHOWN = 3


@dataclass(frozen=True)
class Problem:
    """What is wrong with one function, in words.

    `where` is `file:line`. Problems with the same `alike`, a phrase in the plural such as "calls
    whose dtype differs", and the same `source` are printed as a few of them and a count; `source`
    is the declaration, which may be of several operators, or else the operator. `excerpt` is the
    source line, marked. `case` is the call that shows the problem.
    """

    operator: str
    where: str
    message: str
    severity: Severity = "error"
    alike: str = ""
    source: str = ""
    excerpt: str = ""
    case: Invocation | None = field(default=None, compare=False)

    def __str__(self) -> str:
        named = f"{self.operator}: " if self.operator else ""
        return f"{self.where}: {self.severity}: {named}{self.message}{self.excerpt}"


def printed(problems: Iterable[Problem]) -> Iterator[str]:
    """The lines to print for a list of problems: each once, of those that are alike the first."""
    groups: dict[tuple[str, str], list[Problem]] = defaultdict(list)
    for problem in dict.fromkeys(problems):
        # A problem that is like no other is a group of its own.
        key = (problem.source or problem.operator, problem.alike or str(problem))
        groups[key].append(problem)
    for (_, alike), several in groups.items():
        yield from map(str, several[:_SHOWN])
        rest = several[_SHOWN:]
        if rest:
            operators = {problem.operator for problem in several}
            named = f"{rest[0].operator}: " if len(operators) == 1 else ""
            yield f"{rest[0].where}: note: {named}{len(rest)} more {alike}"
