"""What a sweep found, as text and as data."""

from __future__ import annotations

from collections import Counter

from rich.console import Console
from torch_refine.build_tools.numerics.store import Result

FAULTS = ("wrong", "raised", "crashed", "hung")
_SHOWN = 60


def show(found: list[Result], console: Console) -> None:
    """Print the totals, and the calls that were wrong."""
    counts = Counter(each.outcome.kind for each in found)
    operators = {each.operator for each in found}
    lowered = {each.operator for each in found if each.outcome.kind in ("right", "closer")}
    console.print(f"{len(found)} calls of {len(operators)} overloads: {dict(counts)}")
    console.print(f"{len(lowered)} overloads are right at least once")
    seen: Counter[tuple[str, str]] = Counter()
    for each in found:
        kind = each.outcome.kind
        if kind in FAULTS:
            seen[kind, each.operator] += 1
            if seen[kind, each.operator] == 1 and len(seen) < _SHOWN:
                message = each.outcome.message.replace("\n", " | ")[:300]
                console.print(f"{kind}: {each.shown}: {message}", markup=False)


def write(found: list[Result]) -> None:
    """Write the counts by overload."""
    raise NotImplementedError
