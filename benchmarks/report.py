"""The document of the measurements; its sentences are generated from the figures."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from measure import DIRECT, FAKE, OPT, PARSE, PEER, PEER_OPT, Figure, Limits, Result, Way
from programs import PACKAGES
from tables import errors, growth, shown, significant, tables

PLOT = "benchmarks.png"


def spread(figures: Iterable[Figure | None], unit: str = "") -> str:
    """The minimum and the maximum of some figures as text; with bounds, if a figure is one."""
    found = [figure for figure in figures if figure is not None]
    if not found:
        return "an unknown number of"
    values, bounds = [figure.value for figure in found], {figure.bound for figure in found}
    least, greatest = significant(min(values)) + unit, significant(max(values)) + unit
    if least == greatest and bounds == {""}:
        return least
    at_most = "at most " if "<" in bounds else ""
    at_least = "at least " if ">" in bounds else ""
    return f"{at_most}{least} to {at_least}{greatest}"


def summary(results: list[Result]) -> list[str]:
    """A summary in three sentences, generated from the figures."""
    sizes = [result.program.operations for result in results]
    grown = growth(results, DIRECT)
    scaling = (
        f"; the time per op on the largest encoder is {shown(grown, 'x')} that on the smallest"
        if grown is not None
        else ""
    )
    return [
        f"The types of {len(results)} programs ({min(sizes):,} to {max(sizes):,} ops) are erased; "
        "this page compares the time to infer them again with the time to parse the same file.",
        "The direct pass takes "
        f"{spread((each.time_ratio(DIRECT, PARSE) for each in results), 'x')} the time to parse, "
        f"{spread(each.nanoseconds_per_operation(DIRECT) for each in results)} ns per op{scaling}; "
        f"it infers {_all_complete(results, DIRECT)} types completely.",
        "torch-mlir's own passes take "
        f"{spread((each.time_ratio(PEER, DIRECT) for each in results), 'x')} the time of the "
        f"direct pass and infer {_all_complete(results, PEER)} types where they finish; "
        "its whole process takes "
        f"{spread((each.time_ratio(PEER_OPT, OPT) for each in results), 'x')} the time of ours, "
        "PyTorch's FakeTensor propagation "
        f"{spread((each.time_ratio(FAKE, DIRECT) for each in results), 'x')} that of the "
        "direct pass.",
    ]


def _all_complete(results: list[Result], way: Way) -> str:
    """How many types a way infers completely, in all programs that it finishes."""
    found = [result.measured[way.name].complete for result in results]
    complete = sum(each[0] for each in found if each is not None)
    tensors = sum(each[1] for each in found if each is not None)
    return f"{complete:,} of {tensors:,}"


def machine() -> str:
    """The machine and the versions, without a date or a path."""
    packages = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GiB; {platform.system()}, "
        f"Python {sys.version.split()[0]}, {packages}."
    )


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def document(results: list[Result], limits: Limits) -> str:
    """The whole document in Markdown; it refers to the plot beside it."""
    lines = [
        "# Benchmarks",
        "",
        *(f"- {line}" for line in summary(results)),
        "",
        f"![Time of each way by size of the program]({PLOT})",
        "",
        f"Written by `benchmarks/refinement.py` on {machine()}",
        "",
        "`encoder-N` is BERT base with N layers, 768 wide, with 12 heads, on 2 sequences of 128 "
        "tokens; `resnet-N` is ResNet on 2 images of 224x224; both are those of transformers. "
        "`convolutions-N` is a chain of N convolutions; `encoder-NxM` is one module of M such "
        "functions, which torch-mlir and FakeTensor do not run. Shapes are static; operators "
        "are decomposed by torch-mlir's own table, as in its importer. Function arguments and "
        "literals keep their types.",
        "",
        "Every measurement runs in a new process, and the ways alternate: up to "
        f"{limits.repeats} repetitions of each way, none after a way has used "
        f"{limits.budget:g} s on a program. A measurement is aborted after {limits.timeout:g} s; "
        "figures derived from it are bounds, and torch-mlir-opt, which runs the same passes, is "
        "not measured then. *torch-mlir* is the equivalent pipeline of the wheel, in its own pass "
        "manager. *FakeTensor* is `FakeTensorProp` over the exported graph, loaded from "
        "`torch.export.save`. *Simplification alone* is the time of the two passes that simplify "
        "calculations, a part of *reified*. In process, the verifier does not run after a pass.",
        "",
        *(table.for_markdown() for table in tables(results)),
    ]
    lines += [f"- {line}" for line in errors(results)]
    return "\n".join(lines).rstrip("\n") + "\n"
