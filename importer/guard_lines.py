"""The source lines of guards and assertions, recorded while PyTorch traces a model.

PyTorch records the innermost frame outside of its symbolic arithmetic. That is a line of PyTorch if
an operator added the guard; for assertions about values it records none. This module loads PyTorch.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import torch
from torch._guards import SLoc
from torch.fx import Graph, Node
from torch.fx import traceback as fx_traceback
from torch.fx.experimental.symbolic_shapes import ShapeEnv, uninteresting_files
from torch_refine.importer import size_decisions
from torch_refine.importer.frames import Frame, frames_in_text, written_by_the_user

# PyTorch's message for a failed assertion about values.
_ASSERTION = re.compile(r"Runtime assertion failed for expression (.*) on node ")
# The lines of assertions by condition, per trace.
_ASSERTED: WeakKeyDictionary[ShapeEnv, dict[str, Frame]] = WeakKeyDictionary()
_MODULES = re.compile(r"[/\\]torch[/\\]nn[/\\]")
_OWN_FILES = (__file__, size_decisions.__file__)
_OWN_FOLDER = str(Path(__file__).parent)


@contextmanager
def recorded_lines() -> Iterator[None]:
    """A context in which PyTorch records the line of the model with each guard."""
    # There is no hook, so the methods are patched while PyTorch traces.
    locate, defer = ShapeEnv._get_sloc, ShapeEnv.guard_or_defer_runtime_assert

    def located(self: ShapeEnv, framework_loc: str | None = None) -> SLoc:
        found: SLoc = locate(self, framework_loc)
        line = _line_of_the_model()
        return found if line is None else replace(found, maybe_user_loc=str(line))

    def deferred(self: ShapeEnv, *arguments: Any, **keywords: Any) -> bool:
        count = self.num_deferred_runtime_asserts
        found = bool(defer(self, *arguments, **keywords))
        line = _line_of_the_model() if self.num_deferred_runtime_asserts > count else None
        if line is not None:
            lines = _ASSERTED.setdefault(self, {})
            for each in chain.from_iterable(self.deferred_runtime_asserts.values()):
                lines.setdefault(str(each.expr), line)
        return found

    # Otherwise the innermost frame would be in one of these files.
    uninteresting_files().update(_OWN_FILES)
    changed: Any = ShapeEnv
    changed._get_sloc, changed.guard_or_defer_runtime_assert = located, deferred
    try:
        with size_decisions.recorded_decisions(_line_of_the_model):
            yield
    finally:
        changed._get_sloc, changed.guard_or_defer_runtime_assert = locate, defer


def locate_assertions(graph: Graph) -> None:
    """Record the model's lines on the nodes that assert conditions on values."""
    for node in graph.nodes:
        if node.target is not torch.ops.aten._assert_scalar.default:
            continue
        value = node.args[0].meta.get("val") if isinstance(node.args[0], Node) else None
        said = _ASSERTION.match(str(node.args[1]))
        if said is None or not isinstance(value, torch.SymBool):
            continue
        lines = _ASSERTED.get(value.node.shape_env, {})
        line = lines.get(said[1]) or lines.get(_swapped(said[1]))
        if line is not None:
            node.meta["stack_trace"] = f'File "{line.file}", line {line.line}'


def _swapped(relation: str) -> str:
    """A comparison with its sides exchanged: PyTorch uses both `u0 >= 0` and `0 <= u0`."""
    for sign, other in ((" >= ", " <= "), (" > ", " < "), (" <= ", " >= "), (" < ", " > ")):
        one, found, another = relation.partition(sign)
        if found:
            return f"{another}{other}{one}"
    return relation


def _line_of_the_model() -> Frame | None:
    """The innermost line of the model being executed, or of the current node."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename in _OWN_FILES and frame.f_back is not None:
        frame = frame.f_back
    lines: list[Frame] = []
    while frame is not None and not frame.f_code.co_filename.startswith(_OWN_FOLDER):
        lines.append(Frame(frame.f_code.co_filename, frame.f_lineno))
        assert frame.f_back is not None, "whoever traces calls this module"
        frame = frame.f_back
    # A model composed only of PyTorch modules has no line of its own.
    found = written_by_the_user(lines) or [line for line in lines if _MODULES.search(line.file)]
    if found:
        return found[0]
    meta = fx_traceback.get_current_meta() if fx_traceback.has_preserved_node_meta() else {}
    traced = written_by_the_user(frames_in_text(meta.get("stack_trace") or ""))
    return traced[-1] if traced else None
