"""Parse pipelines: `builtin.module(func.func(cse),torch-refinement-pipeline{...})`.

Names of this package's passes come first; every other name is a pass of upstream MLIR or of the
wheel, which checks its options itself. The wheel's own type inference is not offered: here its
names are this package's passes.
"""

from __future__ import annotations

import difflib
import json
import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from torch_refine.dialect.bindings import PassManager, ir
from torch_refine.passes.base import Pass
from torch_refine.passes.registry import PASSES, RENAMED
from torch_refine.pipelines.elements import Element, OurPass, UpstreamPass
from torch_refine.pipelines.pipeline import Pipeline
from torch_refine.pipelines.registry import PIPELINES

_UPSTREAM = Path(__file__).with_name("upstream_passes.json")
_RESTRICTED = re.compile(r"restricted to '([^']+)' on a PassManager intended to run on '([^']+)'")

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_MOST_DIGITS = 18
_MOST_SHOWN = 40

# Pipelines of the wheel that run its own type inference.
NOT_OFFERED = {
    "torch-simplification-pipeline",
    "torch-lower-to-backend-contract",
    "torch-function-to-torch-backend-pipeline",
    "torch-onnx-to-torch-backend-pipeline",
    "torchdynamo-export-to-torch-backend-pipeline",
    "torchscript-module-to-torch-backend-pipeline",
}


class PipelineError(Exception):
    """A pipeline cannot be parsed; the message says where and why."""


class UnknownPassError(PipelineError):
    """A pipeline has an unknown pass."""


@dataclass
class Node:
    """A name in a pipeline's text: a pass with options, or an anchor with nested nodes."""

    name: str
    options: str = ""
    inner: list[Node] | None = None


@cache
def upstream_passes() -> dict[str, dict[str, Any]]:
    """The passes that the wheel registers, by name, with summary and options."""
    loaded: dict[str, dict[str, Any]] = json.loads(_UPSTREAM.read_text(encoding="utf-8"))
    return {
        name: entry
        for name, entry in loaded.items()
        if name not in PASSES and name not in PIPELINES and name not in NOT_OFFERED
    }


def pass_names() -> list[str]:
    """The names of all passes and pipelines: this package's, upstream's and the wheel's."""
    return [*PASSES, *PIPELINES, *upstream_passes()]


def nearest(name: str) -> str:
    """A hint at similar names, or an empty text."""
    close = difflib.get_close_matches(name, pass_names(), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(close)}?" if close else ""


_NAME = re.compile(r"\s*([\w.\-]+)\s*")


def parse_nodes(text: str) -> list[Node]:
    """Split a pipeline's text into names, options and nesting; raises PipelineError."""
    nodes, position = _nodes(text, 0)
    if position != len(text):
        raise PipelineError(f"unexpected {text[position]!r} at {position + 1} in {text!r}")
    return nodes


def _nodes(text: str, position: int) -> tuple[list[Node], int]:
    nodes: list[Node] = []
    while True:
        match = _NAME.match(text, position)
        if match is None:
            raise PipelineError(f"expected a pass name at {position + 1} in {text!r}")
        node = Node(match[1])
        position = match.end()
        if text[position : position + 1] == "{":
            end = _closing(text, position)
            node.options = text[position + 1 : end - 1].strip()
            position = end
        if text[position : position + 1] == "(":
            node.inner, position = _nodes(text, position + 1)
            if text[position : position + 1] != ")":
                raise PipelineError(f"expected ')' at {position + 1} in {text!r}")
            position += 1
        nodes.append(node)
        while text[position : position + 1].isspace():
            position += 1
        if text[position : position + 1] != ",":
            return nodes, position
        position += 1


def _closing(text: str, position: int) -> int:
    """The position after the brace that closes the one at `position`."""
    depth = 0
    for index in range(position, len(text)):
        depth += {"{": 1, "}": -1}.get(text[index], 0)
        if depth == 0:
            return index + 1
    raise PipelineError(f"the brace at {position + 1} in {text!r} is not closed")


def parse_options(owner: type[Pass] | type[Pipeline], text: str) -> Any:
    """An instance of a pass or pipeline with its options read from `name=value name=value`."""
    known = {each.name.replace("_", "-"): each for each in fields(owner)}
    values: dict[str, Any] = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        if owner.free_option and name not in known and _IDENTIFIER.fullmatch(name):
            given = values.setdefault(owner.free_option, "")
            values[owner.free_option] = f"{given},{part}".removeprefix(",")
            continue
        if name not in known:
            offered = f"its options are {', '.join(known)}" if known else "it has no options"
            raise PipelineError(f"{owner.name} has no option {name!r}; {offered}")
        option = known[name]
        converted = _convert(owner.name, name, value if equals else None, option.default)
        choices = option.metadata.get("choices")
        if choices and converted not in choices:
            raise PipelineError(
                f"{owner.name}: {name} is {' or '.join(map(str, choices))}, not {value!r}"
            )
        values[option.name] = converted
    return owner(**values)


def _convert(owner: str, name: str, value: str | None, default: Any) -> Any:
    """Convert an option's text to the type of its default."""
    if isinstance(default, bool):
        if value in (None, "true", "1", "false", "0"):
            return value in (None, "true", "1")
        raise PipelineError(f"{owner}: {name} takes true or false, not {value!r}")
    if value is None or value == "":
        raise PipelineError(f"{owner}: {name} needs a value")
    if isinstance(default, int):
        if not (value.isascii() and value.isdecimal() and len(value) <= _MOST_DIGITS):
            raise PipelineError(f"{owner}: {name} takes an integer, not {_shortened(value)!r}")
        return int(value)
    return value


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def resolve(nodes: Iterable[Node], anchors: tuple[str, ...], context: ir.Context) -> list[Element]:
    """The elements of parsed names, inside the given anchors."""
    elements: list[Element] = []
    for node in nodes:
        if node.inner is not None:
            elements += resolve(node.inner, (*anchors, node.name), context)
        else:
            elements += _resolve_leaf(node, anchors, context)
    return elements


def _resolve_leaf(node: Node, anchors: tuple[str, ...], context: ir.Context) -> list[Element]:
    if node.name in RENAMED:
        name = RENAMED[node.name]
        message = f"{node.name} was renamed to {name}; the next release drops the old name"
        warnings.warn(message, FutureWarning, stacklevel=2)
        node = Node(name, node.options)
    if node.name in PIPELINES:
        if anchors != ("builtin.module",):
            raise PipelineError(f"{node.name} runs on builtin.module, not on {anchors[-1]}")
        return list(parse_options(PIPELINES[node.name], node.options).elements())
    if node.name in PASSES:
        instance = parse_options(PASSES[node.name], node.options)
        if anchors[-1] not in instance.anchors:
            on = " or ".join(instance.anchors)
            raise PipelineError(f"{node.name} runs on {on}, not on {anchors[-1]}")
        return [OurPass(instance, anchors)]
    if node.name in NOT_OFFERED:
        is_onnx = node.name.startswith("torch-onnx")
        ours = "torch-onnx-to-torch-pipeline" if is_onnx else "torch-refinement-pipeline"
        raise PipelineError(
            f"{node.name} runs another type inference and is not offered here; use {ours}"
        )
    text = f"{node.name}{{{node.options}}}" if node.options else node.name
    return [check_upstream(UpstreamPass(text, anchors), context)]


def check_upstream(element: UpstreamPass, context: ir.Context) -> UpstreamPass:
    """Check that MLIR accepts a pass; one for an inner op is nested into that op.

    Raises PipelineError with MLIR's reason, and with similar names for an unknown one.
    """
    try:
        make_pass_manager(element, context)
    except ValueError as error:
        message = str(error).strip()
        if "does not refer to a registered pass" in message:
            hint = nearest(element.name)
            raise UnknownPassError(f"there is no pass {element.name!r}{hint}") from None
        restricted = _RESTRICTED.search(message)
        if restricted is not None and restricted[1] not in element.anchors:
            nested = UpstreamPass(element.text, (*element.anchors, restricted[1]))
            return check_upstream(nested, context)
        raise PipelineError(f"{element.name}: {' '.join(message.split())}") from None
    return element


def make_pass_manager(element: UpstreamPass, context: ir.Context) -> PassManager:
    """A pass manager that runs one pass of upstream MLIR; ValueError when MLIR rejects it."""
    with context:
        return PassManager.parse(f"{element.anchors[0]}({element})")


def parse_pipeline(
    text: str, context: ir.Context, anchor: str = "builtin.module"
) -> tuple[Element, ...]:
    """The elements of `builtin.module(...)`, or of another op's pipeline; raises PipelineError."""
    nodes = parse_nodes(text)
    if len(nodes) != 1 or nodes[0].inner is None:
        raise PipelineError(f"expected a pipeline like '{anchor}(...)', not {text!r}")
    if nodes[0].name not in (anchor, "any"):
        raise PipelineError(f"a pipeline starts with {anchor}, not with {nodes[0].name}")
    return tuple(resolve(nodes[0].inner, (anchor,), context))


def parse_flag(
    flag: str, options: str, context: ir.Context, anchor: str = "builtin.module"
) -> tuple[Element, ...]:
    """The elements of a pass or pipeline given as a flag, `--cse` or `--name="option=value"`."""
    return tuple(resolve([Node(flag, options.strip())], (anchor,), context))
