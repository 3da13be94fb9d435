"""What a run without errors tells of its operands."""

from __future__ import annotations

import math
from collections.abc import Iterable, Set

from torch_refine.abstract_interpreter.conditions.conditions import (
    Condition,
    NonNegative,
    Zero,
    at_least,
    equal,
    invert,
)
from torch_refine.abstract_interpreter.conditions.path_condition import NOTHING, PathCondition
from torch_refine.abstract_interpreter.numbers.expressions import (
    Number,
    Symbol,
    of_atom,
    symbols_in,
)

# More conditions than this are not kept of a run, or of a function.
_MOST_OF_A_RUN = 16
_MOST = 256


def learned(path: PathCondition, known: Set[Symbol]) -> tuple[Condition, ...]:
    """The conditions on `known` symbols that hold at the end of a path."""
    if not known or path is NOTHING:
        return ()
    found: dict[Condition, None] = {}
    for atom, number in path.bindings.items():
        if isinstance(atom, Symbol) and atom in known and _is_over(number, known):
            found[equal(of_atom(atom), number)] = None
    for atom, within in path.ranges.items():
        if not isinstance(atom, Symbol) or atom not in known:
            continue
        symbol = of_atom(atom)
        if within.low > atom.low and not math.isinf(within.low):
            found[at_least(symbol, int(within.low))] = None
        if within.high < atom.high and not math.isinf(within.high):
            found[at_least(int(within.high), symbol)] = None
    for truth, value in path.truths.items():
        if isinstance(truth, Zero | NonNegative) and _is_over(truth.expression, known):
            found[truth if value else invert(truth)] = None
    return tuple(each for each in found if not isinstance(each, bool))[:_MOST_OF_A_RUN]


def _is_over(number: Number, known: Set[Symbol]) -> bool:
    return all(symbol in known for symbol in symbols_in(number))


class Learned:
    """The conditions that hold for all runs of a function without errors.

    `path` is their path condition; a contradiction, as of a program that always raises, is ignored.
    """

    def __init__(self) -> None:
        self.path = NOTHING
        self._seen: set[Condition] = set()

    def add(self, conditions: Iterable[Condition]) -> None:
        """Add conditions."""
        for condition in conditions:
            if condition in self._seen or len(self._seen) >= _MOST:
                continue
            self._seen.add(condition)
            after = self.path.assume(condition)
            if after is not None:
                self.path = after
