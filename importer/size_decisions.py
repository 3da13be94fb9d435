"""Decisions of a trace about sizes that have no guard.

`torch.export` assumes that every dynamic size is neither 0 nor 1, whatever its declared bounds:
`x.size(0) == 1` is false, without a guard. If the model branches on such a condition, its program
is only right for sizes that agree. Such decisions of PyTorch within an operator, such as the
strides of its result, do not matter. This module loads PyTorch.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import sympy  # type: ignore[import-untyped]
import torch
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch_refine.importer.frames import Frame

_TORCH = re.compile(r"[/\\]site-packages[/\\]torch[/\\]")
# Python code of PyTorch that models are composed of. Decompositions are excluded: both of their
# branches compute the same operator.
_CHOOSING = re.compile(r"[/\\]torch[/\\](nn[/\\]|functional\.py$)")
_RELATIONS = {
    "__eq__": (sympy.Eq, sympy.Ne),
    "__ne__": (sympy.Ne, sympy.Eq),
    "__lt__": (sympy.Lt, sympy.Ge),
    "__le__": (sympy.Le, sympy.Gt),
    "__gt__": (sympy.Gt, sympy.Le),
    "__ge__": (sympy.Ge, sympy.Lt),
}


@dataclass(frozen=True)
class Decision:
    """A sympy condition that the trace assumed, and the line that evaluated it."""

    condition: Any
    line: Frame | None


_DECISIONS: WeakKeyDictionary[ShapeEnv, dict[str, Decision]] = WeakKeyDictionary()


def decisions_of(environment: ShapeEnv) -> list[Decision]:
    """The recorded assumptions of a trace that do not hold for all sizes."""
    return [
        each
        for each in _DECISIONS.get(environment, {}).values()
        if _of_any_sizes(each.condition) is not sympy.true
    ]


def _of_any_sizes(condition: Any) -> Any:
    """A condition over symbols of which only non-negativity is known."""
    symbols = {
        each: sympy.Symbol(str(each), integer=True, nonnegative=True)
        for each in condition.free_symbols
    }
    made = condition.xreplace(symbols)
    # Evaluate expressions that were built unevaluated.
    return made.func(*made.args) if made.is_Relational else made


@contextmanager
def recorded_decisions(line_of_the_model: Callable[[], Frame | None]) -> Iterator[None]:
    """A context in which conditions that PyTorch decides without a guard are recorded."""
    # Operators query the nodes behind these classes; Python code queries the classes.
    replaced = {torch.SymInt: tuple(_RELATIONS), torch.SymBool: ("__bool__",)}
    originals = {
        (owner, name): getattr(owner, name) for owner, names in replaced.items() for name in names
    }

    def note(environment: ShapeEnv, condition: Any) -> None:
        decided = _DECISIONS.setdefault(environment, {})
        if str(condition) not in decided and _is_choosing():
            decided[str(condition)] = Decision(condition, line_of_the_model())

    def related(name: str) -> Any:
        compare, (holds, fails) = originals[torch.SymInt, name], _RELATIONS[name]

        def compared(self: torch.SymInt, other: Any) -> Any:
            found = compare(self, other)
            known = found if isinstance(found, bool) else found.node.expr
            # Sympy decides these by itself, as symbols of sizes are positive.
            if known in (True, False) and isinstance(other, (int, torch.SymInt)):
                relation = holds if known else fails
                sides = [
                    each.node.expr if isinstance(each, torch.SymInt) else sympy.Integer(each)
                    for each in (self, other)
                ]
                note(self.node.shape_env, relation(*sides, evaluate=False))
            return found

        return compared

    def decided(self: torch.SymBool) -> bool:
        environment, condition = self.node.shape_env, self.node.expr
        count = len(environment.guards) + environment.num_deferred_runtime_asserts
        found: bool = originals[torch.SymBool, "__bool__"](self)
        is_guarded = count < len(environment.guards) + environment.num_deferred_runtime_asserts
        if not is_guarded and condition.free_symbols:
            note(environment, condition if found else sympy.Not(condition))
        return found

    for name in _RELATIONS:
        setattr(torch.SymInt, name, related(name))
    torch.SymBool.__bool__ = decided  # type: ignore[method-assign]
    try:
        yield
    finally:
        for (owner, name), original in originals.items():
            setattr(owner, name, original)


def _is_choosing() -> bool:
    """Whether the model, or code that chooses operators for it, evaluates the condition."""
    frame = sys._getframe(3)
    file = frame.f_code.co_filename
    return _TORCH.search(file) is None or _CHOOSING.search(file) is not None
