"""The command line: general options by argparse, passes as flags in the order given."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import NoReturn

_DESCRIPTION = """\
Runs passes over MLIR modules, as mlir-opt does. Passes and pipelines are flags, run in the order
given: --torch-refinement-pipeline, --cse, --inline="max-iterations=2"; or one --pass-pipeline.
"""


class UsageError(Exception):
    """The command line cannot be understood."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


@dataclass(frozen=True)
class PassFlag:
    """A pass or pipeline that was given as a flag, with the text of its options."""

    name: str
    options: str


def parser() -> argparse.ArgumentParser:
    """The parser of the general options; what it leaves are passes."""
    parser = _Parser(
        prog="torch-refine-opt",
        description=_DESCRIPTION,
        allow_abbrev=False,
        add_help=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    general = parser.add_argument_group("general options")
    general.add_argument("input", nargs="?", default="-", help="input file; - is standard input")
    general.add_argument("-o", dest="output", default="-", metavar="FILE", help="output file")
    general.add_argument("--help", "-h", action="store_true", help="show this help and exit")
    general.add_argument("--version", action="store_true", help="show versions and exit")
    general.add_argument("--list-passes", action="store_true", help="list all passes and exit")
    general.add_argument(
        "--pass-pipeline", metavar="TEXT", help="a pipeline: 'builtin.module(func.func(cse))'"
    )
    general.add_argument(
        "--dump-pass-pipeline", action="store_true", help="print the pipeline that will be run"
    )
    general.add_argument(
        "--split-input-file",
        nargs="?",
        const="// -----",
        metavar="MARKER",
        help="process each part between markers (default '// -----') by itself",
    )
    general.add_argument(
        "--verify-diagnostics",
        action="store_true",
        help="check diagnostics against expected-error@... {{...}} comments",
    )
    _flag(general, "--verify-each", True, "verify after each pass (=false turns it off)")
    general.add_argument(
        "--allow-unregistered-dialect",
        action="store_true",
        help="allow operations of dialects that are not registered",
    )
    general.add_argument("--emit-bytecode", action="store_true", help="write MLIR bytecode")
    general.add_argument(
        "--pass-seconds",
        type=_seconds,
        metavar="N",
        help="processor time for each pass of upstream: 8 and 60 for each MB of input; 0 is any",
    )
    general.add_argument(
        "--mlir-disable-threading",
        action="store_true",
        help="accepted for compatibility: passes always run on one thread",
    )
    general.add_argument(
        "--report-unrefined",
        action="store_true",
        help="say on standard error which operators' types are incomplete, and why",
    )
    printing = parser.add_argument_group("printing")
    printing.add_argument(
        "--mlir-print-op-generic", action="store_true", help="print the generic form"
    )
    printing.add_argument("--mlir-print-debuginfo", action="store_true", help="print locations")
    printing.add_argument(
        "--mlir-pretty-debuginfo", action="store_true", help="print locations prettily"
    )
    printing.add_argument(
        "--mlir-print-local-scope", action="store_true", help="print without aliases"
    )
    printing.add_argument(
        "--mlir-elide-elementsattrs-if-larger",
        type=int,
        metavar="N",
        help="elide dense attributes with more elements",
    )
    printing.add_argument(
        "--mlir-elide-resource-strings-if-larger",
        type=int,
        metavar="N",
        help="elide resources with more characters",
    )
    around = parser.add_argument_group("printing between passes (to standard error)")
    for when in ("before", "after"):
        around.add_argument(
            f"--mlir-print-ir-{when}",
            action="append",
            default=[],
            metavar="PASS,...",
            help=f"print the IR {when} these passes",
        )
        around.add_argument(
            f"--mlir-print-ir-{when}-all", action="store_true", help=f"print it {when} every pass"
        )
    around.add_argument(
        "--mlir-print-ir-after-change",
        action="store_true",
        help="after a pass, print only if the IR changed",
    )
    around.add_argument(
        "--mlir-print-ir-after-failure",
        action="store_true",
        help="after a pass, print only if it failed",
    )
    around.add_argument(
        "--mlir-print-ir-module-scope",
        action="store_true",
        help="accepted for compatibility: the whole module is always printed",
    )
    around.add_argument("--mlir-timing", action="store_true", help="print the time of each pass")
    around.add_argument(
        "--mlir-pass-statistics", action="store_true", help="print what the passes counted"
    )
    return parser


def _flag(group: argparse._ArgumentGroup, name: str, default: bool, help: str) -> None:
    """A flag that also takes `=true` and `=false`, as LLVM's command lines have them."""
    group.add_argument(name, nargs="?", const=True, default=default, type=_boolean, help=help)


def _boolean(text: str) -> bool:
    if text.lower() in ("1", "true"):
        return True
    if text.lower() in ("0", "false"):
        return False
    raise argparse.ArgumentTypeError(f"{text!r} is neither true nor false")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} is no time in seconds")
    return seconds


def parse(arguments: list[str]) -> tuple[argparse.Namespace, list[PassFlag]]:
    """The general options and the passes of a command line; raises UsageError."""
    general = parser()
    known = {string for action in general._actions for string in action.option_strings}
    mine: list[str] = []
    passes: list[PassFlag] = []
    # Options whose value is the next word; `--name=value` always stands for itself.
    takes_value = {
        string
        for action in general._actions
        for string in action.option_strings
        if action.nargs is None and not isinstance(action, argparse._StoreTrueAction)
    }
    words = iter(arguments)
    for word in words:
        if not word.startswith("-") or word == "-":
            mine.append(word)
            continue
        if word.startswith("-") and not word.startswith("--") and len(word) > 2 and word[2] != "=":
            # LLVM's command lines take one dash or two.
            word = f"-{word}"
        name, equals, value = word.partition("=")
        if name not in known:
            passes.append(PassFlag(name.lstrip("-"), _unquote(value) if equals else ""))
        elif name in takes_value and not equals:
            mine.append(f"{name}={next(words, '')}" if name.startswith("--") else name)
            if not name.startswith("--"):
                mine.append(next(words, ""))
        else:
            if (name.startswith("--verify-each") and not equals) or name == "--split-input-file":
                # An optional value is only ever attached with `=`.
                word = word if equals else f"{name}={'true' if 'verify' in name else '// -----'}"
            mine.append(word)
    options = general.parse_args(mine)
    if options.pass_pipeline is not None and passes:
        raise UsageError("give either --pass-pipeline or passes as flags, not both")
    return options, passes


def _unquote(text: str) -> str:
    """Options may stand in braces or quotes, as in a pipeline."""
    for left, right in (('"', '"'), ("'", "'"), ("{", "}")):
        if len(text) > 1 and text.startswith(left) and text.endswith(right):
            return text[1:-1]
    return text


def help_text() -> str:
    """The whole help: general options, our passes and pipelines, upstream's passes."""
    from torch_refine.tool.listing import describe_passes

    return f"{parser().format_help()}\n{describe_passes(with_options=True)}"
