"""Liveness of the steps of a trace: those with effects, those that raise, and their operands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from torch_refine.abstract_interpreter.outcomes import (
    Applied,
    Atom,
    Branched,
    Carried,
    Changed,
    Joined,
    Looped,
    Made,
    Raising,
    Snapshot,
    Step,
    Trace,
    atom_of,
    atoms_in,
)
from torch_refine.abstract_interpreter.values import ListObject

# The atoms defined by the open traces, each trace with the position of the current step.
Known: TypeAlias = tuple[tuple[Mapping[Atom, int], int], ...]


@dataclass
class Kept:
    """The live values of a step: for a branch or loop, which of them.

    `escaping` are values of one side of a branch that are used after it.
    """

    joined: list[Joined] = field(default_factory=list)
    carried: list[Carried] = field(default_factory=list)
    escaping: list[Atom] = field(default_factory=list)


class Demand:
    """The demand for some results of a trace.

    `given` are the atoms defined outside. `kept` holds the live parts of each step, and `objects`
    the lists that must exist as objects, with every mutation they see.
    """

    def __init__(self, trace: Trace, results: Iterable[Any], given: Iterable[Atom]) -> None:
        self.kept: dict[Step, Kept] = {}
        self.objects: set[ListObject] = set()
        self._defined: dict[Trace, dict[Atom, int]] = {}
        results = list(results)
        known: Known = ((dict.fromkeys(given, -1), 0),)
        before = -1
        while before != len(self.objects):
            before = len(self.objects)
            self.kept.clear()
            wanted: set[Atom] = set()
            for value in results:
                self._want(wanted, value)
            self._mark(trace, wanted, known)

    def _want(self, wanted: set[Atom], value: Any) -> None:
        """Demand a value."""
        if isinstance(value, Snapshot | tuple):
            for item in value.items if isinstance(value, Snapshot) else value:
                self._want(wanted, item)
            return
        for atom in atoms_in(value):
            if isinstance(atom, ListObject):
                self.objects.add(atom)
            wanted.add(atom)

    def _mark(self, trace: Trace, wanted: set[Atom], outside: Known) -> None:
        """Mark the live steps of a trace, last to first; `wanted` is live at its end."""
        places = self.defined(trace)
        if trace.raised is not None:
            self._want(wanted, trace.raised)
        for place in range(len(trace.steps) - 1, -1, -1):
            step = trace.steps[place]
            if isinstance(step, Applied):
                if step.kept or any(atom_of(result) in wanted for result in step.results):
                    self._keep(step, step.results, step.operands, wanted)
            elif isinstance(step, Made):
                if step.value in self.objects:
                    self._keep(step, [step.value], step.items, wanted)
            elif isinstance(step, Changed):
                if step.value in self.objects:
                    self._keep(step, step.results, step.operands, wanted)
                    wanted.add(step.value)
            elif isinstance(step, Raising):
                self.kept[step] = Kept()
                asked: set[Atom] = set()
                self._mark(step.trace, asked, (*outside, (places, place)))
                wanted |= asked
                self._want(wanted, step.condition)
            elif isinstance(step, Branched):
                self._mark_branches(step, wanted, (*outside, (places, place)))
            else:
                self._mark_loop(step, wanted, (*outside, (places, place)))

    def _keep(self, step: Step, results: list[Any], operands: list[Any], wanted: set[Atom]) -> None:
        self.kept[step] = Kept()
        for result in results:
            atom = result if isinstance(result, ListObject) else atom_of(result)
            if atom is not None:
                wanted.discard(atom)
        for operand in operands:
            self._want(wanted, operand)

    def _mark_branches(self, step: Branched, wanted: set[Atom], known: Known) -> None:
        inside = {**self.defined(step.then), **self.defined(step.otherwise)}
        joined = [each for each in step.joined if _key(each.value) in wanted]
        values = {_key(each.value) for each in joined}
        escaping = [
            atom
            for atom in inside
            if atom in wanted and atom not in values and not _is_known(atom, known)
        ]
        wanted -= values
        wanted -= set(escaping)
        sides = []
        for side, operands in (
            (step.then, [each.then for each in joined]),
            (step.otherwise, [each.otherwise for each in joined]),
        ):
            own = self.defined(side)
            asked: set[Atom] = {atom for atom in escaping if atom in own}
            for operand in operands:
                self._want(asked, operand)
            before = len(self.kept)
            self._mark(side, asked, known)
            sides.append(len(self.kept) > before)
            wanted |= asked
        if joined or escaping or any(sides):
            self.kept[step] = Kept(joined, escaping=escaping)
            self._want(wanted, step.condition)

    def _mark_loop(self, step: Looped, wanted: set[Atom], known: Known) -> None:
        kept = dict(self.kept)
        own = [*atoms_in(step.index), *(_key(each.value) for each in step.carried)]
        known = (*known, (dict.fromkeys(own, -1), 0))
        carried = [each for each in step.carried if _key(each.value) in wanted]
        self._mark(step.body, set(), known)
        if not carried and len(self.kept) == len(kept):
            return
        while True:
            self.kept = dict(kept)
            inner: set[Atom] = set()
            for value in (step.again, *(each.later for each in carried)):
                self._want(inner, value)
            self._mark(step.body, inner, known)
            asked = wanted | inner
            found = [each for each in step.carried if _key(each.value) in asked]
            if len(found) == len(carried):
                break
            carried = found
        held = {_key(each.value) for each in carried}
        wanted -= held
        wanted |= inner - held - set(atoms_in(step.index))
        for value in (step.limit, step.condition, *(each.first for each in carried)):
            self._want(wanted, value)
        self.kept[step] = Kept(carried=carried)

    def defined(self, trace: Trace) -> dict[Atom, int]:
        """The atoms that the steps of a trace define, with the position of the first step."""
        found = self._defined.get(trace)
        if found is None:
            found = self._defined[trace] = {}
            for place, step in enumerate(trace.steps):
                for atom in self._of_step(step):
                    found.setdefault(atom, place)
        return found

    def _of_step(self, step: Step) -> Iterable[Atom]:
        if isinstance(step, Applied | Changed):
            return [atom for result in step.results if (atom := atom_of(result)) is not None]
        if isinstance(step, Made):
            return [step.value]
        if isinstance(step, Branched):
            values = [_key(each.value) for each in step.joined]
            return [*values, *self.defined(step.then), *self.defined(step.otherwise)]
        return [_key(each.value) for each in step.carried] if isinstance(step, Looped) else []


def _is_known(atom: Atom, known: Known) -> bool:
    """Whether an atom is defined before the current positions."""
    return any(places.get(atom, place) < place for places, place in known)


def _key(value: Any) -> Atom:
    """The atom of a joined or loop-carried value."""
    atom = value if isinstance(value, ListObject) else atom_of(value)
    assert atom is not None
    return atom
