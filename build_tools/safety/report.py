"""The results of the safety sweep, and known faults."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table
from torch_refine.build_tools.safety.store import Result

_EXCEPTIONS = Path(__file__).with_name("exceptions.json")
_VERDICTS = (
    *("raises", "equal", "refuses", "unfit"),
    *("answers", "differs", "raised", "overruns", "leaks", "died", "hung"),
)
_SHOWN = 60


def exceptions() -> dict[str, str]:
    """Known faults, as `operator: kind`, each with the reason."""
    known: dict[str, str] = json.loads(_EXCEPTIONS.read_text(encoding="utf-8"))
    return known


def faults_of(found: list[Result]) -> list[str]:
    """New faults, one line each."""
    known = exceptions()
    return [
        f"{each.verdict}: {result.shown} ({result.way}), {each.kind}: {each.what}: "
        + each.message.replace("\n", " | ")[:200]
        for result in found
        for each in result.faults
        if f"{result.operator}: {each.kind}" not in known
    ]


def show(found: list[Result], console: Console) -> None:
    """Print the counts, and the first fault of each operator and kind."""
    table = Table(title="bad calls")
    table.add_column("kind")
    for verdict in _VERDICTS:
        table.add_column(verdict, justify="right")
    kinds = sorted({kind for each in found for kind in each.counts})
    for kind in kinds:
        sums: Counter[str] = Counter()
        for each in found:
            sums.update(each.counts.get(kind, {}))
        table.add_row(kind, *(str(sums[verdict]) for verdict in _VERDICTS))
    console.print(table)
    programs = [each for each in found if each.way in ("numbers", "dynamic", "static")]
    refused = sum(bool(each.refused) for each in programs)
    calls = sum(sum(each.values()) for result in found for each in result.counts.values())
    operators = {each.operator for each in found}
    console.print(
        f"{calls} bad calls, of {len(operators)} operators or entries; "
        f"{len(programs) - refused} programs, {refused} refused"
    )
    seen: set[tuple[str, str]] = set()
    known = exceptions()
    for result in found:
        for fault in result.faults:
            place = (result.operator, fault.kind)
            if place not in seen and ": ".join(place) not in known and len(seen) < _SHOWN:
                seen.add(place)
                message = fault.message.replace("\n", " | ")[:200]
                console.print(
                    f"{fault.verdict}: {result.shown} ({result.way}), {fault.kind}: {fault.what}: "
                    + message,
                    markup=False,
                )
