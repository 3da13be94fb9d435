"""The results of a sweep, as text and as data."""

from __future__ import annotations

import importlib.metadata
import json
import re
from collections import Counter
from typing import Any

from rich.console import Console
from torch_refine.build_tools.numerics.judging import Outcome
from torch_refine.build_tools.numerics.store import Result
from torch_refine.operator_coverage import LOWERED

FAULTS = ("wrong", "raised", "crashed", "hung")
_SHOWN = 60
_NO_LOWERING = re.compile(r"error: torch\.(\w+)\.(\S+) has no lowering to linalg")
_NOT_LOWERED = re.compile(r"error: torch\.(\w+)\.(\S+) is not lowered: (.*)")
_ILLEGAL = re.compile(r"failed to legalize operation 'torch\.(\w+)\.([^']+)'")
_PLACE = re.compile(r" \(at /[^)]*\)")
_ORIGIN = re.compile(r"note: lowered from torch\.(\w+)\.([^\s,]+)")
_STEP = re.compile(r"cannot (\w+) ")


def show(found: list[Result], console: Console) -> None:
    """Print the totals, and the calls that were wrong."""
    counts = Counter(each.outcome.kind for each in found)
    operators = {each.operator for each in found}
    lowered = {each.operator for each in found if each.outcome.kind in ("right", "closer")}
    console.print(f"{len(found)} calls of {len(operators)} overloads: {dict(counts)}")
    console.print(f"{len(lowered)} overloads are right at least once")
    refused = [each.outcome for each in found if each.outcome.kind == "refused"]
    named = sum(each.names_operator for each in refused)
    placed = sum(each.names_place for each in refused)
    console.print(f"of {len(refused)} refusals {named} name an operator, {placed} a source line")
    seen: Counter[tuple[str, str]] = Counter()
    for each in found:
        kind = each.outcome.kind
        if kind in FAULTS:
            seen[kind, each.operator] += 1
            if seen[kind, each.operator] == 1 and len(seen) < _SHOWN:
                message = each.outcome.message.replace("\n", " | ")[:300]
                console.print(f"{kind}: {each.shown}: {message}", markup=False)


def reason_of(outcome: Outcome) -> str:
    """The reason of a refusal, without details that are specific to the call."""
    message = outcome.message
    if found := _NOT_LOWERED.search(message):
        return f"{found[1]}::{found[2]} {found[3]}"
    if found := _NO_LOWERING.search(message) or _ILLEGAL.search(message):
        return f"no conversion of {found[1]}::{found[2]}"
    if found := _STEP.match(message):
        return f"PyTorch cannot {found[1]} it"
    if found := _ORIGIN.search(message):
        return f"no conversion of {found[1]}::{found[2]}"
    # PyTorch's message contains a path in this folder.
    return _PLACE.sub("", message.partition("\n")[0])


def manifest(found: list[Result]) -> dict[str, Any]:
    """The counts by overload, for `lowered.json`.

    `tried` counts calls that could be compared, `equal` those that equal eager mode, `closer` those
    of them with the outcome `closer`, `refused` the reasons of those that do not compile, `entry`
    is the entry of OpInfo with an equal call.
    """
    operators: dict[str, dict[str, Any]] = {}
    incomparable: dict[str, str] = {}
    for each in sorted(found, key=lambda each: each.operator):
        kind = each.outcome.kind
        if kind == "unfit":
            incomparable.setdefault(each.operator, each.outcome.message.partition("\n")[0])
            continue
        entry = operators.setdefault(
            each.operator,
            {"tried": 0, "equal": 0, "closer": 0, "refused": {}, "dtypes": [], "entry": ""},
        )
        entry["tried"] += 1
        if kind in ("right", "closer"):
            entry["equal"] += 1
            entry["closer"] += kind == "closer"
            entry["entry"] = entry["entry"] or each.entry
            if each.dtype not in entry["dtypes"]:
                entry["dtypes"].append(each.dtype)
        elif kind == "refused":
            reason = reason_of(each.outcome)
            entry["refused"][reason] = entry["refused"].get(reason, 0) + 1
    for entry in operators.values():
        entry["dtypes"].sort()
    versions = {
        name: importlib.metadata.version(name).partition("+")[0]
        for name in ("torch-refine", "torch", "torch-mlir")
    }
    return {
        "versions": versions,
        "operators": operators,
        "incomparable": {name: why for name, why in incomparable.items() if name not in operators},
    }


def write(found: list[Result], keep_others: bool = False) -> None:
    """Write the counts by overload; those of overloads without results are kept, or dropped."""
    counts = manifest(found)
    if keep_others:
        known = json.loads(LOWERED.read_text(encoding="utf-8"))
        tried = {each.operator for each in found}
        for part in ("operators", "incomparable"):
            kept = {name: told for name, told in known[part].items() if name not in tried}
            counts[part] = dict(sorted({**kept, **counts[part]}.items()))
    LOWERED.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
