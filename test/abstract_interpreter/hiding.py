"""Calls with partially hidden arguments.

A call is hidden in two steps: the view `less` contains no information that `more` lacks, and both
hold for the call.
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

# An int is known, has a symbol shared by equal ints, or has its own symbol, with
# close bounds or none. Any other value is known or unknown.
KNOWN, SHARED, BOUNDED, OWN, UNKNOWN = True, "shared", "bounded", "own", False
_NUMBER_LEVELS = [
    (KNOWN, SHARED), (KNOWN, BOUNDED), (KNOWN, OWN), (SHARED, SHARED), (SHARED, OWN),
    (BOUNDED, BOUNDED), (BOUNDED, OWN), (OWN, OWN),
]  # fmt: skip
_LEVELS = [(KNOWN, KNOWN), (KNOWN, UNKNOWN), (UNKNOWN, UNKNOWN)]


class View:
    """A partially hidden call: a lattice value for each argument.

    `numbers` has the expression of each int, by position, and `valuation` the values of its
    symbols.
    """

    def __init__(self, call, lattice_values, level_of, knows_device=True):
        self._made_of = (call, lattice_values, level_of, knows_device)
        self._lattice_values = lattice_values
        self._level_of = level_of
        self._symbols = {}
        self.knows_device = knows_device
        self.numbers = {}
        self.valuation = {}
        self.lattice_values = tuple(
            self._lattice_value((place,), value, kind)
            for place, (value, kind) in enumerate(zip(call.values, call.kinds, strict=True))
        )

    def _lattice_value(self, place, value, kind):
        if isinstance(value, Tensor):
            return self._tensor(place, value)
        if is_int(value):
            return self._lattice_values.integer(self._number(place, value, INT_MIN))
        if not self._level_of(place):
            return self._lattice_values.anything(f"optional<{kind}>" if value is None else kind)
        if isinstance(value, tuple):
            element = kind[len("list<") : -1]
            items = (
                self._lattice_value((*place, index), item, element)
                for index, item in enumerate(value)
            )
            return self._lattice_values.sequence(kind, tuple(items))
        if isinstance(value, torch.device):
            return self._lattice_values.anything("Device")
        return self._lattice_values.scalar(value)

    def _tensor(self, place, value):
        sizes = None
        if self._level_of((*place, "sizes")):
            axes = enumerate(value.sizes)
            sizes = tuple(self._number((*place, axis), size, 0) for axis, size in axes)
        dtype = value.dtype if self._level_of((*place, "dtype")) else None
        return self._lattice_values.tensor(sizes, dtype)

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
        """The symbols of this view as expressions of a view with more information."""
        return {
            single_atom(number): other.numbers[place]
            for place, number in self.numbers.items()
            if isinstance(number, Expression)
        }


def exact(call, lattice_values):
    """The view in which everything is known."""
    return View(call, lattice_values, lambda place: KNOWN)


@strategies.composite
def views(draw, call, lattice_values):
    """Two views of a call: one with less information, one with more."""
    much = draw(strategies.sampled_from([0, 2, 6]))
    numbers = strategies.sampled_from(_NUMBER_LEVELS + [(KNOWN, KNOWN)] * (2 * much))
    wholes = strategies.sampled_from(_LEVELS + [(KNOWN, KNOWN)] * (4 + 2 * much))
    levels = {place: draw(wholes if value is None else numbers)
              for place, value in _places(call.values)}  # fmt: skip
    _settle(levels, dict(_places(call.values)))
    device = draw(strategies.sampled_from(_LEVELS))
    more, less = (
        View(call, lattice_values, lambda place, index=index: levels[place][index], device[index])
        for index in (0, 1)
    )
    return less, more


def _places(values, place=()):
    """The positions of what may be hidden: ints with their values, anything else with None."""
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
    """Ints that share a symbol in `less` share one, or are known, in `more`."""
    groups = {}
    for place, value in places.items():
        if value is not None and levels[place][1] == SHARED:
            groups.setdefault(value, []).append(place)
    for group in groups.values():
        if any(levels[place][0] == KNOWN for place in group):
            levels.update((place, (KNOWN, SHARED)) for place in group)
