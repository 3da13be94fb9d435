"""The results of a conformance run, as tables for a terminal and as the manifest of coverage."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import Any

from rich.console import Console
from rich.table import Table
from torch_refine.build_tools.conformance.calls import NAMESPACES
from torch_refine.build_tools.conformance.entry import EntryResult, Tally

_SHOWN = 25


def totals(results: list[EntryResult]) -> EntryResult:
    """The results of all entries, merged."""
    total = EntryResult("all")
    for result in results:
        for mine, other in (
            (total.programs, result.programs),
            (total.hidden, result.hidden),
            (total.calls, result.calls),
        ):
            mine.merge(other)
        total.not_exported += result.not_exported
        total.rejections += result.rejections
        total.tried += result.tried
        total.exact += result.exact
    return total


def show(total: EntryResult, console: Console) -> None:
    """Print the counts, and inexact results grouped by cause."""
    table = Table(title="OpInfo samples")
    for heading in ("checked", "tried", "exact", "incomplete", "contradiction"):
        table.add_column(heading, justify="left" if heading == "checked" else "right")
    for title, tally in (("programs, types erased", total.programs), ("single calls", total.calls)):
        counts = tally.outcomes
        tried = sum(counts.values())
        table.add_row(
            title,
            f"{tried:,}",
            f"{counts['exact']:,} ({share(counts['exact'], tried)})",
            f"{counts['incomplete']:,}",
            f"[{'red' if counts['contradiction'] else 'green'}]{counts['contradiction']:,}[/]",
        )
    console.print(table)
    hidden = total.hidden.outcomes
    console.print(
        f"With one or two input sizes hidden: {hidden['right']:,} right, "
        f"{hidden['rank or dtype lost']:,} where a rank or dtype is lost, "
        f"{hidden['contradiction']:,} contradictions."
    )
    _show_causes("Programs that are not exact", total.programs, console)
    _show_causes("With sizes hidden", total.hidden, console)
    _show_causes("Calls that are not exact", total.calls, console)
    _show_rejections(total, console)
    _show_not_exported(total.not_exported, console)


def share(part: int, whole: int) -> str:
    """A percentage that is 100 % only for all."""
    if part == whole:
        return "100 %"
    return f"{min(99.99, 100 * part / max(whole, 1)):.2f} %"


def _show_causes(title: str, tally: Tally, console: Console) -> None:
    if not tally.causes:
        return
    table = Table(title=title, title_justify="left")
    for heading in ("", "outcome", "cause", "such as"):
        table.add_column(heading, overflow="fold")
    for (outcome, cause), count in _worst_first(tally.causes):
        table.add_row(str(count), outcome, cause[:300], tally.examples[outcome, cause][:300])
    console.print(table)


def _worst_first(causes: Counter[tuple[str, str]]) -> list[tuple[tuple[str, str], int]]:
    ranked = sorted(causes.items(), key=lambda each: (each[0][0] != "contradiction", -each[1]))
    wrong = [each for each in ranked if each[0][0] == "contradiction"]
    return wrong + ranked[len(wrong) : len(wrong) + _SHOWN]


def _show_rejections(total: EntryResult, console: Console) -> None:
    counts = Counter(each.outcome for each in total.rejections)
    console.print(f"Samples that PyTorch rejects: {sum(counts.values()):,}")
    for outcome, count in counts.most_common():
        console.print(f"  {count:5} {outcome}", highlight=False)
    for each in total.rejections:
        if each.outcome == "not rejected":
            console.print(f"        {each.name} ({each.operator}): {each.message}", markup=False)


def _show_not_exported(reasons: Counter[str], console: Console) -> None:
    if not reasons:
        return
    grouped: Counter[str] = Counter()
    for reason, count in reasons.items():
        grouped[_without_particulars(reason)] += count
    console.print(f"Samples without a program: {sum(grouped.values()):,}")
    for reason, count in grouped.most_common(_SHOWN):
        console.print(f"  {count:5} {reason[:160]}", markup=False, highlight=False)


def _without_particulars(reason: str) -> str:
    """A reason without names and numbers that are specific to a sample."""
    reason = re.sub(r" at [^ ]+:\d+", "", reason)
    return re.sub(r"\d+", "N", re.sub(r"\([^)]*\)", "()", reason))[:110]


def manifest(results: list[EntryResult], versions: dict[str, str]) -> dict[str, Any]:
    """The counts by operator, in the shipped form, and the entries that call it most."""
    total = totals(results)
    entries: dict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        for operator, tried in result.tried.items():
            entries[operator][result.name] = tried
    operators = {
        operator: {
            "tried": tried,
            "exact": total.exact[operator],
            "entries": [name for name, _ in entries[operator].most_common(2)],
        }
        for operator, tried in sorted(total.tried.items())
        if operator.startswith(NAMESPACES)
    }
    return {"versions": versions, "operators": operators}
