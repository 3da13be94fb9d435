"""Lists of passes, for `--help` and `--list-passes`."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from torch_refine.passes.registry import PASSES
from torch_refine.pipelines.parsing import upstream_passes
from torch_refine.pipelines.registry import PIPELINES


def summary(owner: type[Any]) -> str:
    """The first line of a pass's or pipeline's docstring."""
    return (inspect.getdoc(owner) or "").partition("\n")[0]


def _ours(title: str, owners: Iterable[type[Any]], with_options: bool) -> list[str]:
    lines = [f"{title}:"]
    for owner in owners:
        lines.append(f"  --{owner.name:<44} {summary(owner)}")
        for each in fields(owner) if with_options else ():
            option = f"{each.name.replace('_', '-')}={each.default!s}"
            lines.append(f"      {option:<42} {each.metadata.get('help', '')}")
    return [*lines, ""]


def describe_passes(with_options: bool) -> str:
    """Every pass and pipeline with its summary, and optionally its options."""
    lines = _ours("passes", PASSES.values(), with_options)
    lines += _ours("pipelines", PIPELINES.values(), with_options)
    lines.append("passes of upstream MLIR and of the wheel:")
    for name, entry in upstream_passes().items():
        lines.append(f"  --{name:<44} {entry['summary']}".rstrip())
        if with_options and entry["options"]:
            lines.append(f"      {' '.join(f'{option}=' for option in entry['options'])}")
    return "\n".join(lines) + "\n"
