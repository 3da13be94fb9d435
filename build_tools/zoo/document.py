"""Write `docs/zoo.md`, its plot, and `docs/zoo.jsonl` from the results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

from torch_refine.build_tools.zoo.columns import FAULTS, KINDS, RUNS
from torch_refine.build_tools.zoo.report import by_column, fallbacks, grouped
from torch_refine.build_tools.zoo.store import Result, write_documented

DOCUMENT = Path(__file__).parents[2] / "docs" / "zoo.md"
PLOT = DOCUMENT.with_suffix(".png")
_COMPARED = ("static", "dynamic", "bfloat16", "dynamo")
# The work, in milliseconds of eager mode with one thread, from which ratios are averaged.
_WORK = 10.0
_WAYS = ("ours", "eager", "inductor")
_SHOWN = 6
_INTRODUCTION = """\
# The zoo: architectures with random weights

`make zoo` builds architectures of transformers with reduced configurations, and of timm and
torchvision with small images, all with random weights; compiles each with
`fallback="pytorch"`, compares it with eager mode, and times it beside eager mode and inductor.
This page is written from the results by `python -m torch_refine.build_tools.zoo --document`;
[build_tools](rooms/build_tools.md) says how it works.

*whole*: one compiled program. *parts*: PyTorch runs some operators between compiled parts.
*unexportable*: `torch.export` fails, or `torch.compile` with any backend in the column *dynamo*,
before this compiler sees the program. *refused*, *raised*, *wrong*, *crashed*, *hung* (or slower
than the limit of time) are faults. Architectures that eager mode does not run with the inputs that
are generated from their configurations are *unfit*, and not counted.
"""


def write(found: Sequence[Result]) -> None:
    """Write the document with the results beside it, and the plot if times were measured."""
    rows: dict[str, dict[str, Result]] = defaultdict(dict)
    for each in found:
        rows[each.architecture][each.column] = each
    fit = {
        name: columns
        for name, columns in sorted(rows.items())
        if any(each.outcome.kind != "unfit" for each in columns.values())
    }
    timed = {
        name: columns["time"].outcome.data
        for name, columns in fit.items()
        if "time" in columns and columns["time"].outcome.kind in RUNS
    }
    if timed:
        plot(timed, PLOT)
    kept = [each for each in found if each.outcome.kind != "unfit"]
    lines = [
        *_summary(found, len(fit)),
        *_generations(kept),
        *_times(timed),
        *_reasons(kept),
        *_table(fit),
    ]
    DOCUMENT.write_text(_INTRODUCTION + "\n" + "\n".join(lines) + "\n", encoding="utf-8")
    write_documented(found, DOCUMENT.with_suffix(".jsonl"))


def _summary(found: Sequence[Result], fit: int) -> Iterator[str]:
    versions = ", ".join(sorted({each.versions for each in found}))
    yield f"{fit} architectures, {versions}."
    yield ""
    kinds = [kind for kind in KINDS if kind != "unfit"]
    yield f"| column | {' | '.join(kinds)} |"
    yield "| --- |" + " ---: |" * len(kinds)
    for column, counts in by_column(found).items():
        yield f"| {column} | {' | '.join(str(counts[kind]) for kind in kinds)} |"
    yield ""
    shares = [
        each.outcome.data["compiled share"]
        for each in found
        if each.column in _COMPARED[:3]
        and each.outcome.kind in RUNS
        and each.outcome.data.get("compiled share") is not None
    ]
    if shares:
        few = sum(share < 0.95 for share in shares)
        yield (
            f"Share of time in compiled code: {sum(shares) / len(shares):.1%} on average; "
            f"below 95 % in {few} of {len(shares)} programs."
        )
        yield ""
    dynamo = [each.outcome.data for each in found if each.column == "dynamo" and each.outcome.data]
    if dynamo:
        graphs, breaks, again = (
            sum(data[name] for data in dynamo) for name in ("graphs", "breaks", "recompilations")
        )
        eager = sum(len(data["eager graphs"]) for data in dynamo)
        yield (
            f'`torch.compile(backend="torch_refine")` over {len(dynamo)} architectures: '
            f"{graphs} graphs in the first call, {breaks} breaks, {again} more graphs for two "
            f"other batches, {eager} graphs run eagerly."
        )
        yield ""


def _generations(found: Sequence[Result]) -> Iterator[str]:
    """The graphs of models that generate tokens."""
    eager = [
        each.architecture
        for each in found
        if each.column == "generate" and each.outcome.data.get("eager graphs")
    ]
    for cache in ("dynamic", "static"):
        counted = [
            [
                each.outcome.data[f"{cache}: {what}"]
                for what in ("graphs", "recompilations", "breaks")
            ]
            for each in found
            if each.column == "generate" and f"{cache}: graphs" in each.outcome.data
        ]
        if counted:
            graphs, again, breaks = (median(values) for values in zip(*counted, strict=True))
            most = max(values[0] for values in counted)
            yield (
                f"`generate` with a {cache} cache, over {len(counted)} language models, ten "
                f"tokens: {graphs:g} graphs (median; at most {most}), {again:g} more for a prompt "
                f"of another length, {breaks:g} breaks; the tokens are eager mode's."
            )
            yield ""
    if eager:
        yield f"In these, some graphs run eagerly: {_some(eager)}."
        yield ""


def _times(timed: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    if not timed:
        return
    yield "## Times"
    yield ""
    yield f"![our time divided by inductor's]({PLOT.name})"
    yield ""
    for threads in ("1", "2"):
        every = [data[threads] for data in timed.values() if threads in data]
        large = [each for each in every if each["eager"] >= _WORK]
        for what, some in (("all", every), (f"those with {_WORK:g} ms of work", large)):
            ratios = [each["ours"] / each["inductor"] for each in some if "inductor" in each]
            if ratios:
                yield (
                    f"- threads: {threads}; {what} ({len(ratios)}): our time is "
                    f"{geometric_mean(ratios):.2f} of inductor's (geometric mean)"
                )
    first = [data["1"] for data in timed.values() if "inductor cold" in data.get("1", {})]
    if first:
        cold, warm = (
            geometric_mean([each[f"our {when}"] / each[f"inductor {when}"] for each in first])
            for when in ("cold", "warm")
        )
        yield f"- compiling: {cold:.2f} of inductor's time cold, {warm:.2f} warm (geometric means)"
        said = ", ".join(
            f"{name} {median(each[name] for each in first):.1f} s"
            for name in ("our cold", "our warm", "inductor cold", "inductor warm")
        )
        yield f"- compiling, median: {said}"
    for what, limit, our, their in (
        ("slower than 1.3 of inductor's time", 1.3, "ours", "inductor"),
        ("compiled cold in over half of inductor's time", 0.5, "our cold", "inductor cold"),
    ):
        over = [
            name
            for name, data in timed.items()
            if their in data.get("1", {}) and data["1"][our] > limit * data["1"][their]
        ]
        yield f"- {what}, one thread: {len(over)}{': ' * bool(over)}{', '.join(over)}"
    processors = dict.fromkeys(data.get("processor", "an unknown one") for data in timed.values())
    yield f"- processor: {'; '.join(processors)}"
    yield ""
    yield "Milliseconds of a call, seconds of compiling (one thread):"
    yield ""
    numbers = [n for n in ("1", "2") if any(n in data for data in timed.values())]
    headings = [f"{way}, {n} threads" if n != "1" else way for n in numbers for way in _WAYS]
    headings += ["cold", "warm", "inductor cold", "inductor warm"]
    yield f"| architecture | {' | '.join(headings)} |"
    yield "| --- |" + " ---: |" * len(headings)
    for name, data in timed.items():
        one = data.get("1", {})
        values = [
            *(data.get(n, {}).get(way) for n in numbers for way in _WAYS),
            *(one.get(way) for way in ("our cold", "our warm", "inductor cold", "inductor warm")),
        ]
        yield f"| {name} | {' | '.join('' if v is None else f'{v:.3g}' for v in values)} |"
    yield ""


def _reasons(found: Sequence[Result]) -> Iterator[str]:
    """What PyTorch runs, and faults, by reason."""
    groups = fallbacks(found)
    if groups:
        yield "## What runs in PyTorch"
        yield ""
        yield "| operator | why | architectures |"
        yield "| --- | --- | --- |"
        for (name, reason), names in groups.items():
            yield f"| {_cell(name)} | {_cell(reason)} | {_some(names)} |"
        yield ""
    for kind in (*FAULTS, "unexportable"):
        of_kind = grouped(each for each in found if each.outcome.kind == kind)
        if of_kind:
            yield f"## {kind.capitalize()}"
            yield ""
            for reason, names in of_kind.items():
                yield f"- {_cell(reason) or 'no message'}: {_some(names)}"
            yield ""


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _cell(text: str) -> str:
    escaped = text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
    return " ".join(escaped.split())


def _table(rows: Mapping[str, Mapping[str, Result]]) -> Iterator[str]:
    yield "## All architectures"
    yield ""
    yield (
        "Operators are those of the static program; those in PyTorch, the share of time in "
        "compiled code, and the greatest error relative to the greatest element of a result are "
        "of it, too."
    )
    yield ""
    yield f"| architecture | {' | '.join(_COMPARED)} | operators | in PyTorch | share | error |"
    yield "| --- |" + " --- |" * len(_COMPARED) + " ---: |" * 4
    for name, columns in rows.items():
        kinds = [columns[each].outcome.kind if each in columns else "" for each in _COMPARED]
        data = columns["static"].outcome.data if "static" in columns else {}
        share = data.get("compiled share")
        figures = [
            str(data.get("operators", 0) + data.get("in pytorch", 0)) if data else "",
            str(data.get("in pytorch", "")),
            "" if share is None else f"{share:.0%}",
            f"{data['error']:.0e}" if "error" in data else "",
        ]
        yield f"| {name} | {' | '.join([*kinds, *figures])} |"


def plot(timed: Mapping[str, Mapping[str, Any]], path: Path) -> None:
    """Draw our time divided by inductor's, a mark per architecture, sorted."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    ratios = sorted(
        (data["1"]["ours"] / data["1"]["inductor"], name)
        for name, data in timed.items()
        if "inductor" in data.get("1", {})
    )
    figure, axes = pyplot.subplots(figsize=(8, 0.17 * len(ratios) + 1.2))
    for place, (ratio, _) in enumerate(ratios):
        color = "#2a7f62" if ratio <= 1 else "#c8553d"
        axes.barh(place, ratio - 1.0, 0.8, left=1.0, color=color)
    axes.set_yticks(range(len(ratios)), [name for _, name in ratios], fontsize=6)
    axes.axvline(1.0, color="grey", linewidth=0.8)
    axes.set_xscale("log", base=2)
    ticks = [2.0**power for power in range(-4, 4)]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_ylim(-0.6, len(ratios) - 0.4)
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)
    axes.set_xlabel("our time / inductor's, one thread, logarithmic (left of 1 is faster)")
    figure.tight_layout()
    # Without the version of matplotlib, so that the same figures give the same file.
    figure.savefig(path, dpi=110, metadata={"Software": None})
    pyplot.close(figure)
