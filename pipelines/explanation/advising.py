"""The advisor: the smallest set of facts that completes a module, each verified by refining."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from torch_refine.dialect.bindings import ir
from torch_refine.pipelines.declared_sizes import module_values
from torch_refine.pipelines.explanation.analysis import Analysis
from torch_refine.pipelines.explanation.causes import CauseFinder
from torch_refine.pipelines.explanation.model import Advice, Proposal
from torch_refine.pipelines.explanation.ranking import Key, Ranking
from torch_refine.pipelines.explanation.remedies import OF_OPERAND, Remedy, remedies

# What the search may cost.
MOST_REFINEMENTS = 32
MOST_SECONDS = 10.0
# The numbers that are tried for static sizes; two must give the same types.
_NUMBERS = (8, 12, 64, 2, 1)
_ENOUGH = 2
# The kinds of causes that no fact about a value removes.
_HOPELESS = {
    "alias",
    "budget",
    "cast",
    "control-flow",
    "list",
    "not-refined",
    "operation",
    "raises",
}


@dataclass(frozen=True)
class Stated:
    """A remedy as it is stated: the index of its variant, and the number."""

    remedy: Remedy
    variant: int = 0
    number: int = 0

    def tried(self, numbers: tuple[int, ...]) -> str:
        """What was stated for a trial, in words."""
        variant = self.remedy.variants[self.variant]
        sizes = " and ".join(map(str, numbers)) if self.remedy.is_number else ""
        if variant and sizes and variant != OF_OPERAND:
            return f"{variant} of {sizes}"
        return variant or sizes


class _SpentError(Exception):
    """The budget is spent."""


class Advisor:
    """Searches greedily: the remedy of the causes that leave the most values unknown, first."""

    def __init__(self, finder: CauseFinder, ranking: Ranking) -> None:
        self.finder = finder
        self.ranking = ranking
        self.analysis = finder.analysis
        self.refinements = 0
        self._end = time.monotonic() + MOST_SECONDS
        self._unknown = list(ranking.values)
        # The values that the facts chosen so far leave unknown.
        self._now = frozenset(self._unknown)
        self._remedies: dict[Key, list[Remedy]] = {}
        self._tried: dict[tuple[object, ...], frozenset[ir.Value] | None] = {}

    def advise(self) -> Advice:
        """Find the proposals."""
        unknown = self._now
        if not unknown:
            return Advice((), 0, 0, 0)
        notes: list[str] = []
        chosen: list[Stated] = []
        gains: list[tuple[int, tuple[int, ...]]] = []
        if not self.analysis.is_valid:
            return Advice((), len(unknown), len(unknown), 0, ("the program is invalid",))
        try:
            self._choose(chosen, gains)
            self._drop(chosen, gains, self._now)
        except _SpentError:
            notes.append(f"the search stopped after {self.refinements} refinements")
        left = self._now
        hopeless = _HOPELESS & {
            kind for value in self._unknown for kind, _ in self.ranking.keys_of(value)
        }
        if left and hopeless:
            notes.append(f"no fact was tried for causes of the kind {', '.join(sorted(hopeless))}")
        proposals = tuple(
            Proposal(each.remedy.text, gain, each.tried(numbers), each.remedy.how)
            for each, (gain, numbers) in zip(chosen, gains, strict=True)
        )
        return Advice(proposals, len(unknown), len(left), self.refinements, tuple(notes))

    def _choose(self, chosen: list[Stated], gains: list[tuple[int, tuple[int, ...]]]) -> None:
        """Add remedies as long as one resolves more values."""
        covered: set[Key] = set()
        refused: set[Key] = set()
        while self._now:
            key = self._best(self._now, covered, refused)
            if key is None:
                return
            found = self._first_that_helps(chosen, key, self._now)
            if found is None:
                refused.add(key)
                continue
            stated, now, numbers = found
            covered.add(key)
            chosen.append(stated)
            gains.append((len(self._now) - len(now), numbers))
            self._now = now

    def _best(self, left: frozenset[ir.Value], covered: set[Key], refused: set[Key]) -> Key | None:
        """The cause whose removal resolves the most values, or else has a part in the most."""
        alone: dict[Key, int] = {}
        shared: dict[Key, int] = {}
        for value in self._unknown:
            if value not in left:
                continue
            keys = self.ranking.keys_of(value) - covered
            for key in keys - refused:
                shared[key] = shared.get(key, 0) + 1
                if len(keys) == 1:
                    alone[key] = alone.get(key, 0) + 1
        return max(shared, key=lambda key: (alone.get(key, 0), shared[key]), default=None)

    def _first_that_helps(
        self, chosen: list[Stated], key: Key, left: frozenset[ir.Value]
    ) -> tuple[Stated, frozenset[ir.Value], tuple[int, ...]] | None:
        """The remedy of a cause that resolves the most, verified with two numbers."""
        cause = self.ranking.first[key]
        best: tuple[Stated, frozenset[ir.Value], tuple[int, ...]] | None = None
        # Kept, as trials are told apart by the identity of remedies.
        found_remedies = self._remedies.setdefault(key, remedies(self.finder, cause))
        for remedy in found_remedies:
            for variant in range(len(remedy.variants)):
                stated = Stated(remedy, variant)
                found = self._verified(chosen, stated, left)
                if found is not None and (best is None or len(found[0]) < len(best[1])):
                    best = replace(stated, number=found[1][0]), *found
                if found is not None:
                    break
            if best is not None and self._completes(best[1], key):
                return best
        return best

    def _completes(self, now: frozenset[ir.Value], key: Key) -> bool:
        """Whether no value is left that only this cause leaves unknown."""
        return not any(self.ranking.keys_of(value) == {key} for value in now)

    def _verified(
        self, chosen: list[Stated], stated: Stated, left: frozenset[ir.Value]
    ) -> tuple[frozenset[ir.Value], tuple[int, ...]] | None:
        """The values that are left with two numbers, None unless fewer are, and the numbers."""
        results: list[frozenset[ir.Value]] = []
        numbers: list[int] = []
        for number in _NUMBERS:
            found = self._left([*chosen, replace(stated, number=number)])
            if found is None:
                continue
            results.append(found)
            numbers.append(number)
            if len(found) >= len(left):
                return None
            if len(results) == _ENOUGH or not stated.remedy.is_number:
                break
        if not results:
            return None
        worst = frozenset().union(*results)
        return (worst, tuple(numbers)) if len(worst) < len(left) else None

    def _left(self, stated: list[Stated]) -> frozenset[ir.Value] | None:
        """The values that are unknown if facts are stated; None if the program is then invalid."""
        key = tuple((id(each.remedy), each.variant, each.number) for each in stated)
        if key in self._tried:
            return self._tried[key]
        if self.refinements >= MOST_REFINEMENTS or time.monotonic() > self._end:
            raise _SpentError
        self.refinements += 1
        copied = self.analysis.module.clone().operation
        copies = dict(zip(self.analysis.values, module_values(copied), strict=True))
        for each in stated:
            each.remedy.apply(copies, each.number, each.variant)
        trial = Analysis(copied, self.analysis.programs)
        found: frozenset[ir.Value] | None = None
        if trial.is_valid:
            found = frozenset(
                value for value in self._unknown if not trial.is_inferred(copies[value])
            )
        self._tried[key] = found
        return found

    def _drop(
        self,
        chosen: list[Stated],
        gains: list[tuple[int, tuple[int, ...]]],
        left: frozenset[ir.Value],
    ) -> None:
        """Leave out remedies that the others make superfluous."""
        for index in range(len(chosen) - 2, -1, -1):
            fewer = [*chosen[:index], *chosen[index + 1 :]]
            found = self._left(fewer)
            if found is not None and found <= left:
                gained = gains[index][0]
                del chosen[index], gains[index]
                gains[-1] = (gains[-1][0] + gained, gains[-1][1])
