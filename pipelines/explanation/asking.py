"""Which value a question is about: `%12`, `main:%12`, `model.py:42` or `aten.view`."""

from __future__ import annotations

import difflib
import re

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.diagnostics import diagnostic
from torch_refine.dialect.names import name_of
from torch_refine.passes.program import symbol_name
from torch_refine.pipelines.explanation.analysis import Analysis

_VALUE = re.compile(r"(?:@?(?P<function>[\w.$\-]+):)?(?P<value>%[\w.$\-#]+)")
_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::\d+)?|line (?P<alone>\d+)")
_NEAR = 3


class NoSuchValueError(LookupError):
    """No value of the module fits a question; the message has near matches."""


def find_values(analysis: Analysis, question: str | ir.Value) -> list[ir.Value]:
    """The values that a question is about, those of incomplete type first.

    Raises NoSuchValueError.
    """
    if isinstance(question, ir.Value):
        if question in set(analysis.values):
            return [ir.Value(question)]
        raise NoSuchValueError("the value is none of the module's")
    text = question.strip()
    match = _VALUE.fullmatch(text)
    if match is not None:
        return _named(analysis, text, match["function"], match["value"])
    found = _of_operator(analysis, text) or _at_place(analysis, text)
    if not found:
        raise NoSuchValueError(
            f"no value, operator or source line {text!r}{_hint(_known_texts(analysis), text)}"
        )
    return sorted(found, key=analysis.is_known)


def _named(analysis: Analysis, text: str, function: str | None, name: str) -> list[ir.Value]:
    names = {
        value: (symbol_name(analysis.function_of(value)) or "?", analysis.plain_name(value))
        for value in analysis.values
    }
    functions = {each for each, _ in names.values()}
    if function is not None and function not in functions:
        raise NoSuchValueError(f"no function {function!r}{_hint(sorted(functions), function)}")
    found = [
        value for value, (own, each) in names.items() if each == name and function in (None, own)
    ]
    if len(found) > 1:
        # Several results of one op have one name, with `#0` behind it.
        several = {names[value][0] for value in found}
        if len(several) > 1:
            shown = ", ".join(f"{each}:{name}" for each in sorted(several))
            raise NoSuchValueError(f"{len(several)} functions have a value {name}: {shown}")
    if not found:
        results = [v for v, (own, each) in names.items()
                   if each.startswith(f"{name}#") and function in (None, own)]  # fmt: skip
        if results:
            return results
        near = sorted({each for own, each in names.values() if function in (None, own)})
        raise NoSuchValueError(f"no value {text!r}{_hint(near, name)}")
    return found


def _of_operator(analysis: Analysis, text: str) -> list[ir.Value]:
    wanted = text.removeprefix("torch.").replace("::", ".", 1)
    return [
        value
        for value in analysis.values
        if not isinstance(value.owner, ir.Block)
        and name_of(value.owner.operation).removeprefix("torch.") == wanted
    ]


def _at_place(analysis: Analysis, text: str) -> list[ir.Value]:
    match = _PLACE.fullmatch(text)
    if match is None:
        return []
    line, found = int(match["line"] or match["alone"]), []
    for value in analysis.values:
        owner = value.owner
        location = value.location if isinstance(owner, ir.Block) else owner.operation.location
        place = diagnostic("note", location, "")
        file = analysis.text if place.file == "-" else place.file
        wanted = match["file"]
        if place.line == line and (
            wanted is None or file == wanted or (file or "").endswith(f"/{wanted}")
        ):
            found.append(value)
    return found


def _known_texts(analysis: Analysis) -> list[str]:
    texts = set()
    for value in analysis.values:
        if not isinstance(value.owner, ir.Block):
            texts.add(name_of(value.owner.operation).removeprefix("torch."))
        place = analysis.place(value)
        if place is not None:
            texts.add(place.rpartition(":")[0].rpartition("/")[2] or place)
    return sorted(texts)


def _hint(known: list[str], text: str) -> str:
    near = difflib.get_close_matches(text, known, n=_NEAR, cutoff=0.4)
    return f"; did you mean {', '.join(near)}?" if near else ""
