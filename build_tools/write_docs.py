"""Write `docs/passes.md` from the docstrings of the passes; with `--check`, fail if it is stale."""

from __future__ import annotations

import inspect
import re
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

from torch_refine.build_tools.functions.simplified_examples import simplified_examples
from torch_refine.passes.registry import PASSES
from torch_refine.passes.simplify_shape_calculations import SimplifyShapeCalculations
from torch_refine.pipelines.elements import pipeline_text
from torch_refine.pipelines.registry import PIPELINES

DOCUMENT = Path(__file__).parent.parent / "docs" / "passes.md"

_INTRODUCTION = """\
# Passes and pipelines

Written by `make docs` from the passes themselves; a test runs the examples. Each is a flag of
`torch-refine-opt`, and a name in `--pass-pipeline`. Options are given as
`--flag="option=value"`, or as `flag{option=value}` in a pipeline. `torch-refine-opt --help` lists
upstream's passes too.
"""
_EXAMPLE = re.compile(
    r"Before(, with `(?P<options>[^`]*)`)?:\n\n```mlir\n(?P<before>.*?)```\n\n"
    r"After:\n\n```mlir\n(?P<after>.*?)```",
    re.DOTALL,
)
# A comma between passes, not one between options or of a nested pipeline.
_BETWEEN = re.compile(r",(?![^({]*[)}])")
_COLUMNS = 98


def example_of(owner: type[Any]) -> tuple[str, str]:
    """The IR before and after in a pass's docstring; a line `// ...` matches any lines."""
    match = _example(owner)
    return match["before"], match["after"]


def example_options(owner: type[Any]) -> str:
    """The options of the example; its paths are relative to the repository."""
    return _example(owner)["options"] or ""


def _example(owner: type[Any]) -> re.Match[str]:
    match = _EXAMPLE.search(inspect.getdoc(owner) or "")
    assert match is not None, f"{owner.name} has no example"
    return match


def _options(owner: type[Any]) -> list[str]:
    rows = [
        f"| `{each.name.replace('_', '-')}` | `{each.default}` | {each.metadata.get('help', '')} |"
        for each in fields(owner)
    ]
    return ["| option | default | |", "| --- | --- | --- |", *rows, ""] if rows else []


def wrapped(pipeline: str) -> str:
    """A pipeline's text in lines of at most 100 columns, broken between passes.

    `--pass-pipeline` takes either form: it skips white space around names.
    """
    head, _, rest = pipeline.partition("(")
    lines = [""]
    for element in _BETWEEN.split(rest[:-1]):
        if lines[-1] and len(lines[-1]) + len(element) + 2 > _COLUMNS:
            lines.append("")
        lines[-1] += f"{element},"
    inside = "\n".join(f"  {line}" for line in lines).removesuffix(",")
    return f"{head}(\n{inside}\n)"


def document() -> str:
    """The text of the document."""
    lines = [_INTRODUCTION, "## Passes", ""]
    for name, owner in PASSES.items():
        text = inspect.getdoc(owner) or ""
        lines += [f"### `{name}`", "", text, "", *_options(owner)]
        if owner is SimplifyShapeCalculations:
            lines.append(simplified_examples())
    lines += ["## Pipelines", ""]
    for name, pipeline in PIPELINES.items():
        text = inspect.getdoc(pipeline) or ""
        elements = wrapped(pipeline_text(pipeline().elements()))
        lines += [f"### `{name}`", "", text, "", f"```\n{elements}\n```", "", *_options(pipeline)]
    return "\n".join(lines).rstrip() + "\n"


def main(arguments: list[str]) -> int:
    """Write or check the document; returns the exit code."""
    text = document()
    fresh = DOCUMENT.exists() and DOCUMENT.read_text(encoding="utf-8") == text
    if "--check" in arguments:
        if not fresh:
            print(f"{DOCUMENT.name} is stale: run `make docs`", file=sys.stderr)
        return int(not fresh)
    DOCUMENT.write_text(text, encoding="utf-8")
    print(f"docs/{DOCUMENT.name}: {'unchanged' if fresh else 'written'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
