"""Write `docs/coverage.md`: what the library covers, and how well that was checked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import torch_refine.abstract_interp_lib as _lib
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.build_tools.variants import variants
from torch_refine.dialect.names import library_symbol
from torch_refine.dialect.schemas import operators, schema
from torch_refine.operator_coverage import MANIFEST, OperatorCoverage, coverage, lowered

LEFT_OUT = Path(_lib.__file__).with_name("left_out.json")
DOCUMENT = Path(__file__).parents[1] / "docs" / "coverage.md"
NAMESPACES = ("aten", "prims", "quantized")

_HEAD = """\
# Coverage

Which operators of PyTorch {torch} the library has functions for, and how often PyTorch's own
samples of its operators (OpInfo) ran them. Written by `make docs` from the library, from
`abstract_interp_lib/left_out.json` and from `abstract_interp_lib/coverage.json`, which
`make conformance` writes. In Python, `torch_refine.coverage("aten::conv2d")` tells the same.

Counted are the overloads that return tensors, in the namespaces `aten`, `prims` and `quantized`.
In-place and `out=` variants have functions that are derived from those of the operator that they
are variants of.
"""

_FUNCTIONS = """\
## Functions

*sampled* overloads are those that a sample runs, *results* what their calls returned, *exact* those
results whose shape and dtype were inferred in full. The others were inferred in part, none wrongly.
"""

_LOWERING = """\
## Lowering

`make numerics` makes a program of each of some calls that PyTorch's samples make of an overload, in
nine dtypes, with empty, zero-dim and strided tensors and with non-finite values. It compiles the
program for the CPU, runs it, and compares the results with eager mode, by the default tolerances of
`torch.testing`. `abstract_interp_lib/lowered.json` keeps the counts. A call has one of three
outcomes:

- *equal*: it compiles, and gives what eager mode gives;
- *refused*: it does not compile, and a message says why; nothing runs;
- *different*: it compiles and gives something else, or fails. This would be a defect.

Not among the calls are those that cannot be compared: those of {incomparable} overloads, which draw
random numbers or return memory that nothing wrote, and single calls that eager mode rejects or
answers differently each time. *tried* overloads have a call, *lowered* ones an equal call.
"""

_NOT_LOWERED = """\
## What has no lowering, and why

The overloads of which no call compiles, by what most of their calls are refused for.
"""

_TABLE = """\
## Every operator

*results* counts those of the operator in PyTorch's samples, as a program has them and as PyTorch's
CPU kernels give them, *exact* those whose shape and dtype were inferred in full. Where the two
differ, the rest was inferred in part, mostly because a size depends on values. A dash stands for an
operator that no sample runs: its functions are checked by their own cases, which
`make check-functions` runs. *calls* counts the programs that `make numerics` made, *equal* and
*refused* are their outcomes as above; a dash stands for an operator of which no call was compared.
"""


@cache
def tensor_operators() -> tuple[str, ...]:
    """The overloads that return tensors."""
    return tuple(
        name
        for name in operators()
        if name.partition("::")[0] in NAMESPACES
        and any(returned.startswith("Tensor") for returned in schema(name).returns)
    )


def left_out() -> dict[str, str]:
    """The operators that have no functions, with the reasons; variants have that of their base."""
    reasons = {
        operator: reason
        for reason, names in json.loads(LEFT_OUT.read_text(encoding="utf-8")).items()
        for operator in names
    }
    for variant in variants():
        if variant.base in reasons and variant.operator not in reasons:
            reasons[variant.operator] = reasons[variant.base]
    return reasons


def is_covered(operator: str, programs: Programs) -> bool:
    """Whether an operator has both functions."""
    return all(library_symbol(kind, operator) in programs for kind in ("shape", "dtype"))


def document() -> str:
    """The text of the document."""
    versions = json.loads(MANIFEST.read_text(encoding="utf-8"))["versions"]
    found = {name: coverage(name) for name in tensor_operators()}
    sections = [
        _HEAD.format(torch=versions["torch"]),
        _FUNCTIONS + "\n" + _functions(found),
        _LOWERING.format(incomparable=_incomparable(found)) + "\n" + _lowering(found),
        "## What is left out, and why\n\n" + _left_out(found),
        _NOT_LOWERED + "\n" + _not_lowered(found),
        _TABLE + "\n" + _operators(found),
    ]
    return "\n".join(sections)


def _is_in(namespace: str, operator: str) -> bool:
    return operator.startswith(f"{namespace}::")


def _functions(found: dict[str, OperatorCoverage]) -> str:
    """The totals of shape and dtype functions, by group of overloads."""
    lines = [
        "| overloads | in the registry | with both functions | sampled | results | exact |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for title, chosen in _groups(found):
        covered = sum(each.shape and each.dtype for each in chosen)
        sampled = sum(each.tried > 0 for each in chosen)
        tried, exact = sum(each.tried for each in chosen), sum(each.exact for each in chosen)
        lines.append(_row(title, len(chosen), covered, sampled, tried, exact))
    return "\n".join(lines) + "\n"


def _lowering(found: dict[str, OperatorCoverage]) -> str:
    """The totals of compiled calls, by group of overloads; groups without a call are left out."""
    lines = [
        "| overloads | in the registry | tried | lowered | calls | equal | refused | different |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for title, chosen in _groups(found):
        tried = [each for each in chosen if each.calls]
        if not tried:
            continue
        counts = (
            sum(each.lowered for each in tried),
            sum(each.calls for each in tried),
            sum(each.equal for each in tried),
            sum(each.refused for each in tried),
            sum(each.different for each in tried),
        )
        lines.append(_row(title, len(chosen), len(tried), *counts))
    return "\n".join(lines) + "\n"


def _groups(found: dict[str, OperatorCoverage]) -> Iterator[tuple[str, list[OperatorCoverage]]]:
    """The groups that have totals, each with its overloads."""
    forms = {variant.operator: variant.form for variant in variants()}
    groups: list[tuple[str, Callable[[str], bool]]] = [
        (f"`{namespace}`", partial(_is_in, namespace)) for namespace in NAMESPACES
    ]
    groups += [
        ("in-place variants", lambda name: forms.get(name, "").startswith("in-place")),
        ("`out=` variants", lambda name: forms.get(name) == "out"),
        ("all", lambda name: True),
    ]
    for title, belongs in groups:
        yield title, [each for name, each in found.items() if belongs(name)]


def _row(title: str, *numbers: int) -> str:
    return " | ".join([f"| {title}", *(f"{each:,}" for each in numbers)]) + " |"


def _incomparable(found: dict[str, OperatorCoverage]) -> int:
    return sum(bool(each.incomparable) for each in found.values())


def _left_out(found: dict[str, OperatorCoverage]) -> str:
    reasons = left_out()
    missing = [name for name, each in found.items() if not (each.shape and each.dtype)]
    counts = Counter(reasons[name] for name in missing)
    lines = ["| reason | overloads | which |", "| --- | ---: | --- |"]
    for reason, count in counts.most_common():
        names = ", ".join(f"`{name}`" for name in missing if reasons[name] == reason)
        lines.append(f"| {reason} | {count} | {names} |")
    return "\n".join(lines) + "\n"


def _not_lowered(found: dict[str, OperatorCoverage]) -> str:
    """The overloads of which no call compiles, by the reason of most of their calls."""
    data = lowered()
    names: dict[str, list[str]] = {}
    for name in found:
        entry = data["operators"].get(name)
        if entry is not None and not entry["equal"]:
            reason = max(entry["refused"], key=lambda each: entry["refused"][each])
            names.setdefault(reason, []).append(name)
    for name, reason in data["incomparable"].items():
        if name in found:
            names.setdefault(f"not compared: it {reason}", []).append(name)
    lines = ["| reason | overloads | which |", "| --- | ---: | --- |"]
    for reason, group in sorted(names.items(), key=lambda each: (-len(each[1]), each[0])):
        shown = ", ".join(f"`{name}`" for name in group)
        lines.append(f"| {reason.replace('|', '/')} | {len(group)} | {shown} |")
    return "\n".join(lines) + "\n"


def _operators(found: dict[str, OperatorCoverage]) -> str:
    lines = [
        "| operator | shape | dtype | results | exact | calls | equal | refused |",
        "| --- | :-: | :-: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, each in found.items():
        counts = f"{each.tried:,} | {each.exact:,}" if each.tried else "- | -"
        outcomes = f"{each.calls:,} | {each.equal:,} | {each.refused:,}"
        compared = outcomes if each.calls else "- | - | -"
        shape, dtype = ("yes" if has else "no" for has in (each.shape, each.dtype))
        lines.append(f"| `{name}` | {shape} | {dtype} | {counts} | {compared} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
    print(f"wrote {DOCUMENT.name}")
