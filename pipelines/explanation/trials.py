"""Which unknown parts of an operator's operands make a part of its result unknown.

The operator is inferred again with the unknown parts replaced by trial values: those that are
needed for the result to be known are its causes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.lattice import (
    Anything,
    BoolOrInt,
    LatticeValue,
    Sequence,
    Tensor,
)
from torch_refine.abstract_interpreter.numbers.expressions import (
    Atom,
    Number,
    Symbol,
)
from torch_refine.pipelines.explanation.parts import Part, is_known, state_of

# An unknown of operands: a symbol, or a part at a path of operand and item indices.
Path = tuple[int, ...]
Unknown = Symbol | tuple[Path, str]

_FLOAT32, _INT64, _BOOL = 6, 4, 11
_RANKS = (2, 4, 3, 1, 5, 0)
_MOST_UNKNOWNS = 32
_SCALARS: dict[str, Any] = {"int": 1, "float": 1.0, "number": 1, "bool": True}


@dataclass(frozen=True)
class Trial:
    """Trial values for sizes, ranks and dtypes."""

    sizes: tuple[int, ...]
    rank: int
    dtype: int

    def size(self, index: int) -> int:
        """The size with an index among all unknown ones."""
        return self.sizes[index % len(self.sizes)]


def _trials(has_rank: bool, has_dtype: bool) -> Iterator[Trial]:
    dtypes = (_FLOAT32, _INT64, _BOOL) if has_dtype else (_FLOAT32,)
    for rank in _RANKS if has_rank else (2,):
        for dtype in dtypes:
            for sizes in ((8,), (8, 12, 20, 28), (1,), (64,), (2,)):
                yield Trial(sizes, rank, dtype)


@dataclass(frozen=True)
class Verdict:
    """`needed` are the unknown parts of operands without which a part of a result stays unknown.

    `decided` tells whether some trial values made it known; if not, and the operator did not always
    raise (`ran`), its result does not follow from what is known of its operands.
    """

    needed: tuple[Unknown, ...]
    decided: bool
    ran: bool


def needed_unknowns(
    inference: Inference,
    operator: str,
    operands: tuple[LatticeValue, ...],
    kinds: tuple[str, ...],
    number: int,
    part: Part,
) -> Verdict:
    """Which unknowns of an operator's operands a part of a result depends on."""
    unknowns = list(dict.fromkeys(_unknowns(operands)))[:_MOST_UNKNOWNS]
    if not unknowns:
        return Verdict((), False, True)
    has_rank = any(not isinstance(each, Symbol) and each[1] == "rank" for each in unknowns)
    has_dtype = any(not isinstance(each, Symbol) and each[1] == "dtype" for each in unknowns)
    ran = False
    for trial in _trials(has_rank, has_dtype):
        outcome = _outcome(inference, operator, operands, kinds, number, part, unknowns, trial)
        ran = ran or outcome is not None
        if outcome:
            needed = list(unknowns)
            for each in unknowns:
                fewer = [other for other in needed if other is not each]
                if _outcome(inference, operator, operands, kinds, number, part, fewer, trial):
                    needed = fewer
            return Verdict(tuple(needed), True, True)
    return Verdict(tuple(unknowns), False, ran)


def _outcome(
    inference: Inference,
    operator: str,
    operands: tuple[LatticeValue, ...],
    kinds: tuple[str, ...],
    number: int,
    part: Part,
    unknowns: list[Unknown],
    trial: Trial,
) -> bool | None:
    """Whether the part is known with these unknowns replaced; None if the operator raises."""
    given = [each for each in unknowns if not isinstance(each, Symbol)]
    sizes: dict[Atom, Number] = {
        each: max(each.low, min(each.high, trial.size(index)))
        for index, each in enumerate(each for each in unknowns if isinstance(each, Symbol))
    }
    replaced = tuple(
        _replaced(inference, operand, (index,), set(given), sizes, trial)
        for index, operand in enumerate(operands)
    )
    found = inference.infer(operator, replaced, kinds)
    if found.raised is not None:
        return None
    return is_known(state_of(found.results[number], part))


def _unknowns(operands: tuple[LatticeValue, ...]) -> Iterator[Unknown]:
    for index, operand in enumerate(operands):
        yield from _unknowns_in(operand, (index,))
    for operand in operands:
        yield from operand.symbols


def _unknowns_in(fact: LatticeValue, path: Path) -> Iterator[Unknown]:
    if isinstance(fact, BoolOrInt):
        yield from _unknowns_in(fact.value, path)
    elif isinstance(fact, Tensor):
        if fact.sizes is None:
            yield path, "rank"
        if fact.dtype is None:
            yield path, "dtype"
    elif isinstance(fact, Sequence):
        if fact.items is None:
            yield path, "value"
        for index, item in enumerate(fact.items or ()):
            yield from _unknowns_in(item, (*path, index))
    elif isinstance(fact, Anything) and _made(fact.kind) is not None:
        yield path, "value"


def _made(kind: str) -> Any:
    if kind.startswith("optional<"):
        return _made(kind.removeprefix("optional<").removesuffix(">"))
    if kind == "list<int>":
        return "list<int>"
    return _SCALARS.get(kind)


def _replaced(
    inference: Inference,
    fact: LatticeValue,
    path: Path,
    given: set[tuple[Path, str]],
    sizes: Mapping[Atom, Number],
    trial: Trial,
) -> LatticeValue:
    """An operand with trial values for some of its unknowns."""
    lattice = inference.lattice
    fact = lattice.renamed(fact, sizes) if sizes else fact
    if isinstance(fact, Tensor):
        known, dtype = fact.sizes, fact.dtype
        if (path, "rank") in given and known is None:
            known = tuple(trial.size(dim) for dim in range(trial.rank))
        if (path, "dtype") in given and dtype is None:
            dtype = trial.dtype
        return lattice.tensor(known, dtype, fact.elements)
    if isinstance(fact, Sequence) and fact.items is not None:
        items = tuple(
            _replaced(inference, item, (*path, index), given, {}, trial)
            for index, item in enumerate(fact.items)
        )
        return lattice.sequence(fact.kind, items)
    if (path, "value") not in given:
        return fact
    if isinstance(fact, Sequence):
        element = fact.element
        if element is None:
            return fact
        return lattice.sequence(fact.kind, (element, element))
    if isinstance(fact, Anything):
        made = _made(fact.kind)
        if made == "list<int>":
            items = tuple(lattice.scalar(trial.size(n)) for n in range(trial.rank))
            return lattice.sequence("list<int>", items)
        return lattice.scalar(made)
    return fact
