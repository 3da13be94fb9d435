"""Calls of which more or less is known.

What is known of a call is taken away in two steps: the view `less` knows nothing that `more` does
not know, and both hold for the call.
"""

import torch
from hypothesis import strategies
from torch_refine.abstract_interpreter.numbers.expressions import (
    INT_MAX,
    INT_MIN,
    Expression,
    Symbol,
    of_atom,
    single_atom,
)

from .operator_calls import Tensor, is_int

# An int is known; or has the name of all shared ones that are equal; or a name of its own, between
# close bounds or without any. Anything else is known or not.
KNOWN, SHARED, BOUNDED, OWN, UNKNOWN = True, "shared", "bounded", "own", False
_NUMBER_LEVELS = [
    (KNOWN, SHARED), (KNOWN, BOUNDED), (KNOWN, OWN), (SHARED, SHARED), (SHARED, OWN),
    (BOUNDED, BOUNDED), (BOUNDED, OWN), (OWN, OWN),
]  # fmt: skip
_LEVELS = [(KNOWN, KNOWN), (KNOWN, UNKNOWN), (UNKNOWN, UNKNOWN)]


class View:
    """What is known of a call: a fact for each argument.

    `numbers` has what each int is, by place, and `valuation` the ints that its symbols are.
    """

    def __init__(self, call, facts, level_of, knows_device=True):
        self._made_of = (call, facts, level_of, knows_device)
        self._facts = facts
        self._level_of = level_of
        self._symbols = {}
        self.knows_device = knows_device
        self.numbers = {}
        self.valuation = {}
        self.facts = tuple(
            self._fact((place,), value, kind)
            for place, (value, kind) in enumerate(zip(call.values, call.kinds, strict=True))
        )

    def _fact(self, place, value, kind):
        if isinstance(value, Tensor):
            return self._tensor(place, value)
        if is_int(value):
            return self._facts.integer(self._number(place, value, INT_MIN))
        if not self._level_of(place):
            return self._facts.anything(f"optional<{kind}>" if value is None else kind)
        if isinstance(value, tuple):
            element = kind[len("list<") : -1]
            items = (self._fact((*place, index), item, element) for index, item in enumerate(value))
            return self._facts.sequence(kind, tuple(items))
        if isinstance(value, torch.device):
            return self._facts.anything("Device")
        return self._facts.scalar(value)

    def _tensor(self, place, value):
        sizes = None
        if self._level_of((*place, "sizes")):
            axes = enumerate(value.sizes)
            sizes = tuple(self._number((*place, axis), size, 0) for axis, size in axes)
        dtype = value.dtype if self._level_of((*place, "dtype")) else None
        return self._facts.tensor(sizes, dtype)

    def _number(self, place, value, low):
        level = self._level_of(place)
        if level == KNOWN:
            found = value
        elif level == SHARED:
            found = self._symbol(("shared", value), value, 0 if value >= 0 else INT_MIN, INT_MAX)
        elif level == BOUNDED:
            found = self._symbol(place, value, max(low, value - 1), value + 2)
        else:
            found = self._symbol(place, value, low, INT_MAX)
        self.numbers[place] = found
        return found

    def _symbol(self, name, value, low, high):
        if name not in self._symbols:
            self._symbols[name] = Symbol(low, min(high, INT_MAX))
            self.valuation[self._symbols[name]] = value
        return of_atom(self._symbols[name])

    def again(self):
        """The same view with other symbols."""
        return View(*self._made_of)

    def names_in(self, other):
        """The symbols of this view as the numbers that they are in one that knows more."""
        return {
            single_atom(number): other.numbers[place]
            for place, number in self.numbers.items()
            if isinstance(number, Expression)
        }


def exact(call, facts):
    """The view that knows everything."""
    return View(call, facts, lambda place: KNOWN)


@strategies.composite
def views(draw, call, facts):
    """Two views of a call: one that knows less, one that knows more."""
    much = draw(strategies.sampled_from([0, 2, 6]))
    numbers = strategies.sampled_from(_NUMBER_LEVELS + [(KNOWN, KNOWN)] * (2 * much))
    wholes = strategies.sampled_from(_LEVELS + [(KNOWN, KNOWN)] * (4 + 2 * much))
    levels = {place: draw(wholes if value is None else numbers)
              for place, value in _places(call.values)}  # fmt: skip
    _settle(levels, dict(_places(call.values)))
    device = draw(strategies.sampled_from(_LEVELS))
    more, less = (
        View(call, facts, lambda place, index=index: levels[place][index], device[index])
        for index in (0, 1)
    )
    return less, more


def _places(values, place=()):
    """The places of what may be hidden: ints with their values, anything else with None."""
    for index, value in enumerate(values):
        here = (*place, index)
        if isinstance(value, Tensor):
            yield from (((*here, "sizes"), None), ((*here, "dtype"), None))
            yield from (((*here, axis), size) for axis, size in enumerate(value.sizes))
        elif is_int(value):
            yield here, value
        else:
            yield here, None
            if isinstance(value, tuple):
                yield from _places(value, here)


def _settle(levels, places):
    """What has one name where less is known has one name, or is known, where more is."""
    groups = {}
    for place, value in places.items():
        if value is not None and levels[place][1] == SHARED:
            groups.setdefault(value, []).append(place)
    for group in groups.values():
        if any(levels[place][0] == KNOWN for place in group):
            levels.update((place, (KNOWN, SHARED)) for place in group)
