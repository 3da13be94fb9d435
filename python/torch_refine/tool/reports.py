"""Timing and statistics reports in mlir-opt's format."""

from __future__ import annotations

import json
from collections import Counter

_RULE = "===" + "-" * 73 + "==="


def timing_report(seconds: dict[str, float], by_time: bool = False, as_json: bool = False) -> str:
    """Times by name as a table in MLIR's format, or as JSON, with a total."""
    total = sum(seconds.values())
    steps = sorted(seconds.items(), key=lambda step: -step[1] if by_time else 0.0)
    rows = [
        (name, spent, 100 * spent / total if total else 0.0)
        for name, spent in [*steps, ("Total", total)]
    ]
    if as_json:
        entries = [
            {"wall": {"duration": round(spent, 4), "percentage": round(share, 1)}, "name": name}
            for name, spent, share in rows
        ]
        return "[\n" + ",\n".join(map(json.dumps, entries)) + "\n]"
    lines = [
        _RULE,
        f"{'... Execution time report ...':^79}".rstrip(),
        _RULE,
        f"  Total Execution Time: {total:.4f} seconds",
        "",
        "  ----Wall Time----  ----Name----",
    ]
    lines += [f"  {spent:8.4f} ({share:5.1f}%)  {name}" for name, spent, share in rows]
    return "\n".join(lines)


def statistics_report(statistics: dict[str, Counter[str]], by_name: bool = False) -> str:
    """The statistics of each pass as a table in MLIR's format."""
    lines = [_RULE, f"{'... Pass statistics report ...':^79}".rstrip(), _RULE]
    for name in sorted(statistics) if by_name else statistics:
        lines.append(name)
        lines += [f"  (S) {count:>8} {what}" for what, count in sorted(statistics[name].items())]
    return "\n".join(lines)
