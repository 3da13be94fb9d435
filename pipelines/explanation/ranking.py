"""The causes of a module, by how many values are unknown because of each."""

from __future__ import annotations

from collections import Counter, defaultdict

from torch_refine.dialect.bindings import ir
from torch_refine.passes.casts import CAST
from torch_refine.pipelines.explanation.causes import CauseFinder
from torch_refine.pipelines.explanation.model import Cause, RankedCause
from torch_refine.pipelines.explanation.parts import state_of, unknown_parts

# Beyond this number of unknown values, the rest is not analysed.
MOST_VALUES = 20_000

Key = tuple[str, str]


def key_of(cause: Cause) -> Key:
    """What is counted as one cause."""
    return cause.kind, cause.subject


class Ranking:
    """The unknown values of a module, each with the set of its causes (`CauseFinder.roots`).

    `first` is the first cause of each key, `places` the number of its values; `skipped` values
    were not analysed.
    """

    def __init__(self, finder: CauseFinder) -> None:
        self.values: dict[ir.Value, int] = {}
        self.skipped = 0
        analysis = finder.analysis
        for value in analysis.values:
            tensor = analysis.tensor(value)
            if tensor is None or analysis.is_known(value) or _is_erasing_cast(value):
                continue
            if len(self.values) >= MOST_VALUES:
                self.skipped += 1
                continue
            fact, found = analysis.fact(value), 0
            for part in unknown_parts(tensor):
                if not analysis.is_declared(state_of(fact, part)):
                    found |= finder.roots(value, part)
            self.values[value] = found
        self.first: dict[Key, Cause] = {}
        self.places: dict[Key, set[str]] = defaultdict(set)
        self._bits: dict[Key, int] = defaultdict(int)
        for index, cause in enumerate(finder.found):
            key = key_of(cause)
            self.first.setdefault(key, cause)
            self.places[key].add(cause.value)
            self._bits[key] |= 1 << index
        self._keys: dict[int, frozenset[Key]] = {}

    def keys_of(self, value: ir.Value) -> frozenset[Key]:
        """The keys of a value's causes."""
        roots = self.values[value]
        found = self._keys.get(roots)
        if found is None:
            found = self._keys[roots] = frozenset(
                key for key, bits in self._bits.items() if bits & roots
            )
        return found

    def causes(self) -> tuple[RankedCause, ...]:
        """Causes of one kind and subject as one, those of the most values first."""
        counts = Counter(key for value in self.values for key in self.keys_of(value))
        return tuple(
            RankedCause(self.first[key], count, len(self.places[key]))
            for key, count in counts.most_common()
        )


def _is_erasing_cast(value: ir.Value) -> bool:
    owner = value.owner
    return not isinstance(owner, ir.Block) and owner.operation.name == CAST
