"""The command line: general options by argparse, passes as flags in order."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from torch_refine.tool.general_options import UsageError, parser


@dataclass(frozen=True)
class PassFlag:
    """A pass or pipeline given as a flag, with the text of its options."""

    name: str
    options: str

    def __str__(self) -> str:
        return f"{self.name}{{{self.options}}}" if self.options else self.name


def parse(arguments: list[str]) -> tuple[argparse.Namespace, list[PassFlag]]:
    """The general options and the passes of a command line; raises UsageError."""
    general = parser()
    known = {string: action for action in general._actions for string in action.option_strings}
    mine: list[str] = []
    passes: list[PassFlag] = []
    words = iter(arguments)
    for word in words:
        if not word.startswith("-") or word == "-":
            mine.append(word)
            continue
        if not word.startswith("--") and len(word) > 2 and word[2] != "=":
            # LLVM's command lines accept one dash or two.
            word = f"-{word}"
        name, equals, value = word.partition("=")
        if name not in known:
            _refuse_unsupported(name)
            passes.append(PassFlag(name.lstrip("-"), _unquote(value) if equals else ""))
        elif equals:
            mine.append(word)
        elif known[name].nargs == "?":
            # An optional value must be attached with `=`.
            mine.append(f"{known[name].option_strings[0]}={known[name].const}")
        elif name.startswith("--"):
            mine.append(f"{name}={next(words, '')}")
        else:
            mine += [name, next(words, "")]
    options = general.parse_args(mine)
    if options.pass_pipeline is not None and passes:
        raise UsageError("give either --pass-pipeline or passes as flags, not both")
    return options, passes


def _refuse_unsupported(name: str) -> None:
    """Raise UsageError for an option of mlir-opt that this tool does not have."""
    from torch_refine.tool.unsupported_options import UNSUPPORTED

    if name in UNSUPPORTED:
        raise UsageError(f"{name} is not supported by this tool: {UNSUPPORTED[name]}")


def nearest_option(flag: str) -> str | None:
    """The closest option to a flag; None if a pass is closer, or nothing is close."""
    import difflib

    from torch_refine.pipelines.parsing import pass_names

    options = [
        string.lstrip("-") for action in parser()._actions for string in action.option_strings
    ]
    close = difflib.get_close_matches(flag, [*options, *pass_names()], n=1, cutoff=0.6)
    if close and close[0] in options:
        return f"--{close[0]}"
    if flag.startswith("mlir-"):
        # No pass has that name.
        close = difflib.get_close_matches(flag, options, n=1, cutoff=0.0)
        return f"--{close[0]}"
    return None


def _unquote(text: str) -> str:
    """Options may be in braces or quotes, as in a pipeline."""
    for left, right in (('"', '"'), ("'", "'"), ("{", "}")):
        if len(text) > 1 and text.startswith(left) and text.endswith(right):
            return text[1:-1]
    return text


def help_text() -> str:
    """The whole help: general options, our passes and pipelines, upstream's passes."""
    from torch_refine.tool.listing import describe_passes

    return f"{parser().format_help()}\n{describe_passes(with_options=True)}"
