"""Write `docs/coverage.md` and `docs/coverage/`: the library's coverage, and how it is checked.

The first page has the totals, the gaps, and a line per family. A page per area has a table per
family, and one page lists the operators of every gap.
"""

from __future__ import annotations

import json
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from pathlib import Path

import torch_refine.abstract_interp_lib as _lib
from torch_refine.abstract_interp_lib import families as _families
from torch_refine.abstract_interp_lib.declaration import is_shipped
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.build_tools.check_functions import load_families
from torch_refine.dialect.names import library_symbol
from torch_refine.dialect.schemas import operators, schema
from torch_refine.importer.functions.variants import variants
from torch_refine.operator_coverage import MANIFEST, OperatorCoverage, coverage, lowered

LEFT_OUT = Path(_lib.__file__).with_name("left_out.json")
DOCUMENTS = Path(__file__).parents[1] / "docs"
DOCUMENT = DOCUMENTS / "coverage.md"
NAMESPACES = ("aten", "prims", "quantized")
Overloads = dict[str, OperatorCoverage]

_HEAD = """\
# Coverage

The operators of PyTorch {torch} for which the library has functions, and how many calls of them in
PyTorch's own samples (OpInfo) were checked. Written by `make docs` from the library, from
`abstract_interp_lib/left_out.json` and from `abstract_interp_lib/exported/coverage.json`, which
`make conformance` writes. `torch_refine.coverage("aten::conv2d")` returns the same counts.

The tables count overloads that return tensors, in the namespaces `aten`, `prims` and `quantized`.
The functions of in-place and `out=` variants are derived from those of their base.
"""

_FUNCTIONS = """\
## Functions

*sampled* counts overloads that a sample calls, *results* the results of these calls, *exact* those
whose shape and dtype were inferred completely. The others were inferred partially, none wrongly.
"""

_LOWERING = """\
## Lowering

`make numerics` selects some calls of each overload in PyTorch's samples, in nine dtypes, with
empty, zero-dim and strided tensors and with non-finite values. It compiles each as a program for
the CPU, runs it, and compares the results with eager mode, within the default tolerances of
`torch.testing`. `abstract_interp_lib/exported/lowered.json` stores the counts. A call has one of
three outcomes:

- *equal*: it compiles, and its results equal eager mode's;
- *refused*: it does not compile, and a message says why; nothing runs;
- *different*: it compiles, and its results differ, or it fails. This would be a defect.

Calls that cannot be compared are not counted: those of {incomparable} overloads, which draw random
numbers or return uninitialised memory, and single calls that eager mode rejects or for which it is
not deterministic. *tried* counts overloads with a call, *lowered* those with an equal call.
"""

_GAPS = """\
## Gaps

### Without functions

[The list of these overloads](coverage/gaps.md#without-functions).
"""

_NOT_LOWERED = """\
### Without a lowering

The overloads of which no call compiles, by the most frequent reason of their refusals; rare reasons
are combined. [The list of these overloads](coverage/gaps.md#without-a-lowering).
"""

_FAMILIES = """\
## Families

An operator's functions are in the file of its family, below `abstract_interp_lib/families/`. Each
name links to the table of its operators.
"""

_AREA = """\
# Coverage: {title}

{summary}

Written by `make docs`; [the totals](../coverage.md) explain the counts.

*exact* counts the results of the operator in PyTorch's samples, in programs and in calls of the CPU
kernels, whose shape and dtype were inferred completely. The others were inferred partially, mostly
because of data-dependent sizes. A dash means that no sample calls the operator: its functions are
checked by their own cases, which `make check-functions` runs. *equal* counts the programs of
`make numerics` that compile and equal eager mode; the others are refused with a message. A dash
means that no call of the operator was compared.
"""

_GAPS_PAGE = """\
# Gaps

Operators without functions or without a lowering, by reason; see [the totals](../coverage.md).
Written by `make docs`.

## Without functions

{functions}
## Without a lowering

The overloads of which no call compiles, by the most frequent reason of their refusals.

{lowerings}"""

# Reasons of fewer overloads than these are combined on the first page.
_MANY = 3


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
    """The operators without functions, with the reasons; variants have that of their base."""
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


def documents() -> dict[Path, str]:
    """The text of every page."""
    versions = json.loads(MANIFEST.read_text(encoding="utf-8"))["versions"]
    found = {name: coverage(name) for name in tensor_operators()}
    areas = _areas(found)
    missing, unlowered = _left_out(found), _not_lowered(found)
    first = [
        _HEAD.format(torch=versions["torch"]),
        _FUNCTIONS + "\n" + _functions(found),
        _LOWERING.format(incomparable=_incomparable(found)) + "\n" + _lowering(found),
        _GAPS + "\n" + _reasons(missing, 1),
        _NOT_LOWERED + "\n" + _reasons(unlowered, _MANY),
        _FAMILIES + "\n" + "\n".join(_lines(area, members) for area, members in areas.items()),
    ]
    pages = {DOCUMENT: "\n".join(first)}
    pages[DOCUMENTS / "coverage" / "gaps.md"] = _GAPS_PAGE.format(
        functions=_listed(missing), lowerings=_listed(unlowered)
    )
    for area, members in areas.items():
        pages[DOCUMENTS / "coverage" / f"{area}.md"] = _area_page(area, members)
    return pages


def family_of() -> dict[str, tuple[str, str]]:
    """Area and family of each operator that has functions; variants are in that of their base."""
    found: dict[str, tuple[str, str]] = {}
    for (_, operator), declaration in load_families().items():
        if declaration.source is not None and is_shipped(declaration.source):
            path = Path(declaration.source[0])
            found[operator] = path.parent.name, path.stem
    for variant in variants():
        if variant.base in found:
            found.setdefault(variant.operator, found[variant.base])
    return found


def _areas(found: Overloads) -> dict[str, dict[str, Overloads]]:
    """The overloads of each family of each area, all in the order of their names."""
    belongs = family_of()
    areas: dict[str, dict[str, Overloads]] = defaultdict(lambda: defaultdict(dict))
    for name, place in sorted((name, belongs[name]) for name in found if name in belongs):
        area, family = place
        areas[area][family][name] = found[name]
    return {area: dict(sorted(areas[area].items())) for area in sorted(areas)}


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _summary(*names: str) -> str:
    """The first line of the docstring of an area or a family."""
    module = import_module(".".join([_families.__name__, *names]))
    return (module.__doc__ or "").partition("\n")[0]


def _share(part: int, whole: int) -> str:
    """A count out of another, a dash if that is zero."""
    return f"{part:,} of {whole:,}" if whole else "-"


def _lines(area: str, members: dict[str, Overloads]) -> str:
    """A line for each family of an area."""
    lines = [
        f"### {_title(area)}\n",
        "| family | overloads | with functions | exact results | lowered overloads |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for family, overloads in members.items():
        all_of = overloads.values()
        tried = [each for each in all_of if each.calls]
        cells = (
            f"[{family}](coverage/{area}.md#{family})",
            f"{len(overloads)}",
            f"{sum(each.shape and each.dtype for each in all_of)}",
            _share(sum(each.exact for each in all_of), sum(each.tried for each in all_of)),
            _share(sum(each.lowered for each in tried), len(tried)),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _area_page(area: str, members: dict[str, Overloads]) -> str:
    """A page with a table for each family of an area."""
    sections = [_AREA.format(title=_title(area).lower(), summary=_summary(area))]
    for family, overloads in members.items():
        summary = _summary(area, family)
        sections.append(f"## {family}\n\n{summary}\n\n{_operators(overloads)}")
    return "\n".join(sections)


def _is_in(namespace: str, operator: str) -> bool:
    return operator.startswith(f"{namespace}::")


def _functions(found: Overloads) -> str:
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


def _lowering(found: Overloads) -> str:
    """The totals of compiled calls, by group of overloads; groups without a call are omitted."""
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


def _groups(found: Overloads) -> Iterator[tuple[str, list[OperatorCoverage]]]:
    """The groups of the totals, each with its overloads."""
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


def _incomparable(found: Overloads) -> int:
    return sum(bool(each.incomparable) for each in found.values())


def _left_out(found: Overloads) -> dict[str, list[str]]:
    """The overloads without both functions, by reason."""
    reasons = left_out()
    names: dict[str, list[str]] = defaultdict(list)
    for name, each in found.items():
        if not (each.shape and each.dtype):
            names[reasons[name]].append(name)
    return names


def _not_lowered(found: Overloads) -> dict[str, list[str]]:
    """The overloads of which no call compiles, by the reason of most of their calls."""
    data = lowered()
    names: dict[str, list[str]] = defaultdict(list)
    for name in found:
        entry = data["operators"].get(name)
        if entry is not None and not entry["equal"]:
            reason = max(entry["refused"], key=lambda each: entry["refused"][each])
            names[reason].append(name)
    for name, reason in data["incomparable"].items():
        if name in found:
            names[f"not compared: it {reason}"].append(name)
    return names


def _by_size(names: dict[str, list[str]]) -> list[tuple[str, list[str]]]:
    """Reasons with their overloads, the most frequent first."""
    return sorted(names.items(), key=lambda each: (-len(each[1]), each[0]))


def _reasons(names: dict[str, list[str]], least: int) -> str:
    """The number of overloads of each reason; those of fewer than `least` together."""
    lines = ["| reason | overloads |", "| --- | ---: |"]
    for reason, group in _by_size(names):
        if len(group) >= least:
            lines.append(f"| {reason.replace('|', '/')} | {len(group)} |")
    others = [group for group in names.values() if len(group) < least]
    if others:
        lines.append(f"| {len(others)} other reasons | {sum(map(len, others))} |")
    return "\n".join(lines) + "\n"


def _listed(names: dict[str, list[str]]) -> str:
    """Each reason with the names of its overloads, as paragraphs that wrap."""
    text = ""
    for reason, group in _by_size(names):
        shown = textwrap.fill(
            f"- {reason} ({len(group)}): " + ", ".join(f"`{name}`" for name in group),
            width=100,
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        text += shown + "\n"
    return text


def _operators(found: Overloads) -> str:
    """A line for each overload of a family."""
    lines = ["| operator | functions | exact | equal |", "| --- | :-: | ---: | ---: |"]
    for name, each in found.items():
        has = [kind for kind in ("shape", "dtype") if getattr(each, kind)]
        functions = "both" if len(has) == 2 else has[0] if has else "none"
        counts = f"{_share(each.exact, each.tried)} | {_share(each.equal, each.calls)}"
        lines.append(f"| `{name}` | {functions} | {counts} |")
    return "\n".join(lines) + "\n"


def write() -> None:
    """Write every page, and delete stale ones."""
    pages = documents()
    for path in (DOCUMENTS / "coverage").glob("*.md"):
        if path not in pages:
            path.unlink()
    for path, text in pages.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"wrote {DOCUMENT.name} and {len(pages) - 1} pages in coverage/")


if __name__ == "__main__":
    write()
