"""The general options: those of mlir-opt under the same names, and a few of our own."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Any, NoReturn

_DESCRIPTION = """\
Runs passes over MLIR modules, as mlir-opt does. Passes and pipelines are flags, run in the order
given: --torch-refinement-pipeline, --cse, --inline="max-iterations=2"; or one --pass-pipeline.
"""
SPLIT_MARKER = "// -----"
"""The default separator of the parts of an input and output."""
# LLVM's tools show different lists for each of them; this one shows all.
_HELP = ("--help-list", "--help-hidden", "--help-list-hidden")


class UsageError(Exception):
    """The command line is invalid."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


class _Help(argparse.RawDescriptionHelpFormatter):
    def _format_action_invocation(self, action: argparse.Action) -> str:
        if action.const is True:
            return ", ".join(action.option_strings)
        return super()._format_action_invocation(action)


def parser() -> argparse.ArgumentParser:
    """The parser of the general options; remaining arguments are passes."""
    parser = _Parser(
        prog="torch-refine-opt",
        description=_DESCRIPTION,
        usage="%(prog)s [options] [passes] [input]",
        allow_abbrev=False,
        add_help=False,
        formatter_class=_Help,
    )
    _add_general(parser.add_argument_group("general options"))
    _add_pipeline(parser.add_argument_group("passes"))
    _add_diagnostics(parser.add_argument_group("diagnostics (on standard error)"))
    _add_printing(parser.add_argument_group("printing"))
    _add_between(parser.add_argument_group("printing between passes (to standard error)"))
    _add_accepted(parser.add_argument_group("accepted for compatibility, without an effect"))
    return parser


def _add_general(group: argparse._ArgumentGroup) -> None:
    group.add_argument("input", nargs="?", default="-", help="input file; - is standard input")
    _value(group, "-o", "FILE", "output file", dest="output", default="-")
    _flag(group, "--help", "show this help and exit", "-h", *_HELP)
    _flag(group, "--version", "show versions and exit")
    _flag(group, "--list-passes", "list all passes and exit")
    _flag(group, "--show-dialects", "list the registered dialects and exit")
    group.add_argument(
        "--split-input-file",
        nargs="?",
        const=SPLIT_MARKER,
        metavar="MARKER",
        help=f"process each part between markers (default '{SPLIT_MARKER}') by itself",
    )
    _value(
        group,
        "--output-split-marker",
        "MARKER",
        f"separator of the parts in the output (default '{SPLIT_MARKER}')",
        default=SPLIT_MARKER,
    )
    _flag(group, "--allow-unregistered-dialect", "allow operations of unregistered dialects")
    _flag(group, "--no-implicit-module", "parse one top-level operation, adding no module")
    _value(group, "--irdl-file", "FILE", "register the dialects that this IRDL file defines")
    _flag(group, "--emit-bytecode", "write MLIR bytecode")
    _value(group, "--emit-bytecode-version", "N", "write this version of the bytecode", type=int)
    _flag(
        group,
        "--verify-roundtrip",
        "after parsing, check that the module survives text and bytecode",
    )
    _value(
        group,
        "--pass-seconds",
        "N",
        "processor time limit per upstream pass: 8 plus 60 per MB of input; 0 is unlimited",
        type=_seconds,
    )


def _add_pipeline(group: argparse._ArgumentGroup) -> None:
    _value(group, "--pass-pipeline", "TEXT", "a pipeline: 'builtin.module(func.func(cse))'")
    _value(
        group,
        "--symbolic-inputs",
        "TEXT",
        "first name sizes of arguments: 'main:0=[batch,seq%%8];main:1=[batch]'; equal names are "
        "equal sizes",
        action="append",
        default=[],
    )
    _flag(group, "--dump-pass-pipeline", "print the pipeline that will be run")
    _flag(group, "--verify-each", "verify after each pass (=false turns it off)", default=True)
    _flag(group, "--run-reproducer", "run the pipeline that the input's reproducer names, first")
    _value(
        group,
        "--mlir-generate-reproducer",
        "FILE",
        "write a reproducer: the parsed module with the pipeline",
    )
    _value(
        group,
        "--mlir-pass-pipeline-crash-reproducer",
        "FILE",
        "write a reproducer, and keep it if a pass fails or crashes",
    )
    _flag(
        group,
        "--mlir-pass-pipeline-local-reproducer",
        "write it for the failing pass and the IR before it only",
    )
    _flag(group, "--mlir-timing", "print the time of each pass")
    _choice(group, "--mlir-timing-display", ("tree", "list"), "in the order run, or slowest first")
    _choice(group, "--mlir-output-format", ("text", "json"), "how times are printed")
    _flag(group, "--mlir-pass-statistics", "print the statistics of the passes")
    _choice(
        group,
        "--mlir-pass-statistics-display",
        ("pipeline", "list"),
        "in the order run, or by name",
    )


def _add_diagnostics(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--verify-diagnostics",
        nargs="?",
        const="all",
        type=lambda text: text or "all",
        choices=("all", "only-expected"),
        help="check diagnostics against expected-error@... {{...}} comments, or only that the "
        "expected ones come",
    )
    _choice(
        group,
        "--diagnostics-format",
        ("text", "json"),
        "how diagnostics and remarks are printed: as mlir-opt does, or one JSON object a line",
    )
    _choice(
        group,
        "--mlir-diagnostic-verbosity-level",
        ("remarks", "warnings", "errors"),
        "the lowest severity shown",
    )
    _flag(group, "--mlir-disable-diagnostic-notes", "show no notes")
    _flag(
        group,
        "--mlir-print-op-on-diagnostic",
        "show the operation of a diagnostic in a note (=false turns it off)",
        default=True,
    )
    _flag(
        group,
        "--report-unrefined",
        "say which operators' types are incomplete, and why",
    )
    _value(
        group,
        "--report",
        "FILE",
        "write an HTML page: types before and after the passes, reasons, graph, guards, times",
    )
    group.add_argument(
        "--explain",
        nargs="?",
        const="",
        metavar="VALUE",
        help="why a type is what it is, or is not known: of a value as printed (%%12, main:%%12), "
        "a source line (model.py:42) or an operator (aten.view); without one, the causes in the "
        "module, and what would complete it",
    )
    for kind, shown in (
        ("", "remarks"),
        ("-passed", "passed remarks"),
        ("-missed", "missed remarks"),
    ):
        _value(
            group,
            f"--remarks-filter{kind}",
            "REGEX",
            f"show {shown} of the passes whose whole name matches, such as skipped schedules",
            type=_pattern,
        )


def _add_printing(group: argparse._ArgumentGroup) -> None:
    _flag(group, "--mlir-print-op-generic", "print the generic form")
    _flag(group, "--mlir-print-debuginfo", "print locations")
    _flag(group, "--mlir-pretty-debuginfo", "print locations prettily")
    _flag(group, "--mlir-print-local-scope", "print without aliases")
    _flag(group, "--mlir-print-skip-regions", "print no regions")
    _flag(group, "--mlir-print-value-users", "print the users of each value in comments")
    _flag(group, "--mlir-use-nameloc-as-prefix", "name values after their locations' names")
    _value(
        group,
        "--mlir-elide-elementsattrs-if-larger",
        "N",
        "elide dense attributes with more elements",
        type=int,
    )
    _value(
        group,
        "--mlir-elide-resource-strings-if-larger",
        "N",
        "elide resources with more characters",
        type=int,
    )


def _add_between(group: argparse._ArgumentGroup) -> None:
    for when in ("before", "after"):
        _value(
            group,
            f"--mlir-print-ir-{when}",
            "PASS,...",
            f"print the IR {when} these passes",
            action="append",
            default=[],
        )
        _flag(group, f"--mlir-print-ir-{when}-all", f"print it {when} every pass")
    _flag(group, "--mlir-print-ir-after-change", "after a pass, print only if the IR changed")
    _flag(group, "--mlir-print-ir-after-failure", "after a pass, print only if it failed")
    _value(
        group,
        "--mlir-print-ir-tree-dir",
        "FOLDER",
        "print to files in this folder, numbered in the order printed",
    )


def _add_accepted(group: argparse._ArgumentGroup) -> None:
    _flag(group, "--mlir-disable-threading", "passes always run on one thread")
    _flag(group, "--mlir-print-ir-module-scope", "the whole module is always printed")
    _flag(group, "--mlir-print-assume-verified", "what is printed has been verified")


def _flag(
    group: argparse._ArgumentGroup, name: str, help: str, *others: str, default: bool = False
) -> None:
    """A flag that also accepts `=true` and `=false`, as in LLVM's command lines."""
    group.add_argument(
        name, *others, nargs="?", const=True, default=default, type=_boolean, help=help
    )


def _value(
    group: argparse._ArgumentGroup, name: str, metavar: str, help: str, **options: Any
) -> None:
    """An option with a value, attached with `=` or as the next argument."""
    group.add_argument(name, metavar=metavar, help=help, **options)


def _choice(group: argparse._ArgumentGroup, name: str, among: Sequence[str], help: str) -> None:
    """An option with a fixed set of values; the first is the default."""
    group.add_argument(name, choices=among, default=among[0], help=help)


def _boolean(text: str) -> bool:
    if text.lower() in ("1", "true"):
        return True
    if text.lower() in ("0", "false"):
        return False
    raise argparse.ArgumentTypeError(f"{text!r} is neither true nor false")


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no regular expression: {error}") from None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} is no time in seconds")
    return seconds
