"""What a run found, printed: counts by column, and problems grouped by their reason."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from rich.console import Console
from torch_refine.build_tools.zoo.columns import FAULTS, KINDS, RUNS
from torch_refine.build_tools.zoo.store import Result

_SHOWN = 8
# Numbers and names of values differ between architectures.
_FOLDER = re.compile(r"\S*/(site-packages|torch_refine)/")
_NUMBER = re.compile(r"\b\d[\d.e+-]*\b|%\w+|s\d+")


def show(found: Sequence[Result], console: Console) -> None:
    """Print the counts, the groups of problems, and the operators that PyTorch runs."""
    for column, counts in by_column(found).items():
        said = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind])
        console.print(f"{column}: {said}", highlight=False)
    for kind in (*FAULTS, "unexportable"):
        for reason, names in grouped(each for each in found if each.outcome.kind == kind).items():
            console.print(f"\n{kind}, {len(names)}: {reason}", markup=False, highlight=False)
            shown = ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
            console.print(f"  {shown}", markup=False, highlight=False)
    for (name, reason), names in fallbacks(found).items():
        shown = ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
        console.print(
            f"\nin PyTorch, {len(names)}: {name}: {reason}\n  {shown}",
            markup=False,
            highlight=False,
        )


def by_column(found: Iterable[Result]) -> dict[str, Counter[str]]:
    """The kinds of outcomes by column, counted."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for each in found:
        counts[each.column][each.outcome.kind] += 1
    return dict(counts)


def grouped(found: Iterable[Result]) -> dict[str, list[str]]:
    """The architectures and columns by the reason of their outcome, frequent ones first."""
    groups: dict[str, list[str]] = defaultdict(list)
    for each in found:
        lines = each.outcome.message.splitlines() or [""]
        groups[_reason(lines[0])].append(f"{each.architecture} ({each.column})")
    return dict(sorted(groups.items(), key=lambda item: -len(item[1])))


def fallbacks(found: Iterable[Result]) -> dict[tuple[str, str], list[str]]:
    """The architectures by operator that PyTorch runs and reason, frequent ones first."""
    groups: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for each in found:
        for name, _, reason, _ in each.outcome.fallbacks if each.outcome.kind in RUNS else ():
            groups[name, _reason(reason)][each.architecture] = None
    return {
        key: list(names) for key, names in sorted(groups.items(), key=lambda item: -len(item[1]))
    }


def _reason(message: str) -> str:
    """A message without what differs between architectures and machines."""
    return _NUMBER.sub("#", _FOLDER.sub("", message))[:200]
