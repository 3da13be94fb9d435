"""The end states of the sides of an `If`, and of the iterations of a loop."""

from __future__ import annotations

from collections import Counter
from typing import Any

from torch_refine.abstract_interpreter.conditions.path_condition import PathCondition
from torch_refine.abstract_interpreter.outcomes import Trace
from torch_refine.abstract_interpreter.running.errors import Raised
from torch_refine.abstract_interpreter.values import ListObject, Value, lists_in


class Trail:
    """The contents, on entry to a side, of the lists that it mutated.

    Only those older than `since`; younger ones are local to the side.
    """

    def __init__(self, since: int) -> None:
        self.since = since
        self.before: dict[int, tuple[ListObject, tuple[Any, ...]]] = {}


class Side:
    """The end state of one side of an `If`, or of one iteration of a loop.

    `changed` holds the final contents of the lists that it mutated.
    """

    def __init__(self, assumptions: PathCondition) -> None:
        self.assumptions = assumptions
        self.values: list[Value] = []
        self.raised: Raised | None = None
        self.trace = Trace()
        self.changed: dict[int, tuple[ListObject, tuple[Any, ...]]] = {}

    def names(self) -> Counter[int]:
        """The number of references to each list from the side's results and mutated lists."""
        held = [*self.values]
        for _, (items, _, _, found, _) in self.changed.values():
            held += [*(items or ()), *found.values()]
        return Counter(inner.serial for value in held for inner in lists_in(value))
