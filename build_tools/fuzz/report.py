"""The results of a sweep, as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from torch_refine.build_tools.fuzz.store import Result

_REASONS = 80


def show(found: Sequence[Result], operators: Sequence[str], console: Console) -> None:
    """Print the totals, and refusals by reason."""
    for kind in ("calls", "programs"):
        some = [each for each in found if each.key.startswith(f"{kind} ")]
        counts: Counter[str] = Counter()
        for each in some:
            counts.update(each.counts)
        seconds = sum(each.seconds for each in some)
        rate = counts.total() / seconds if seconds else 0.0
        shown = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
        console.print(f"{counts.total()} {kind}: {shown}; {rate:.1f} a second of processor time")
    right: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for each in found:
        right.update(each.operators)
        refused.update(each.refused)
    reached = [name for name in operators if right[name]]
    console.print(f"{len(reached)} of {len(operators)} overloads were right at least once")
    for reason, count in refused.most_common(_REASONS):
        console.print(f"refused {count}: {reason[:200]}", markup=False)
    faults = [fault for each in found for fault in each.faults]
    for kind, count in Counter(fault.kind for fault in faults).most_common():
        console.print(f"{count} {kind}")
