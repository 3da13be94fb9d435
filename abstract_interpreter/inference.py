"""Inferring what an operator gives: its shape and its dtype function are run on facts, and what
they gave is remembered.

Symbols are renumbered before a call is looked up, so that the layers of a model, whose dynamic
sizes go by other names, are inferred once.
"""

from __future__ import annotations

from collections.abc import Sequence as Several
from dataclasses import dataclass
from typing import Any

from torch_refine.abstract_interpreter.adapting import Results, argument
from torch_refine.abstract_interpreter.conditions.assumptions import Assumptions
from torch_refine.abstract_interpreter.facts import Fact, Facts
from torch_refine.abstract_interpreter.numbers.expressions import (
    Atom,
    Number,
    Symbol,
    fresh,
    of_atom,
)
from torch_refine.abstract_interpreter.operands import NotAdaptable
from torch_refine.abstract_interpreter.running.errors import GivenUp, Raised
from torch_refine.abstract_interpreter.running.evaluator import Evaluator
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.abstract_interpreter.values import ListObject, Value
from torch_refine.dialect.names import KINDS, Kind, library_symbol


@dataclass(frozen=True)
class Inferred:
    """What is known of an operator's results.

    `raised` is the function's message, and `kind` which function it was, if the operator raises
    whatever its unknown operands are; `remarks` say what kept a function from saying anything.
    """

    results: tuple[Fact, ...]
    raised: str | None = None
    kind: Kind | None = None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Ran:
    """What one function gave: a value for each result, on a path; no values if it said nothing."""

    values: tuple[Value, ...] | None
    assumptions: Assumptions
    remark: str | None = None


class Inference:
    """Infers operators; `device` is the type of the device that the program runs on, if known.

    `hits` and `misses` count lookups of what was inferred before.
    """

    def __init__(self, programs: Programs, facts: Facts, device: str | None = None) -> None:
        self.programs = programs
        self.facts = facts
        self.device = device
        self.hits = 0
        self.misses = 0
        self._memo: dict[Any, Inferred] = {}
        self._canonical: dict[tuple[int, int, int], Symbol] = {}

    def has_function(self, operator: str) -> bool:
        """Whether the library has a function of any kind for an operator."""
        return any(library_symbol(kind, operator) in self.programs for kind in KINDS)

    def infer(self, operator: str, operands: tuple[Fact, ...], kinds: tuple[str, ...]) -> Inferred:
        """What an operator gives, named as in a schema or in IR; `kinds` are its results' types.

        Sizes that are not known are new symbols in every call.
        """
        names, canonical = self.renumbered(operands)
        key = (operator, canonical, kinds, self.device)
        found = self._memo.get(key)
        if found is None:
            self.misses += 1
            found = self._memo[key] = self._run(operator, canonical, kinds)
        else:
            self.hits += 1
        if not any(result.symbols for result in found.results):
            return found
        results = self.restored(found.results, names)
        return Inferred(results, found.raised, found.kind, found.remarks)

    def renumbered(self, operands: tuple[Fact, ...]) -> tuple[dict[Atom, Number], tuple[Fact, ...]]:
        """Operands with their symbols renumbered in the order of their first use, and the names.

        Calls that only differ in the names of unknown sizes are the same then.
        """
        names: dict[Atom, Number] = {}
        for operand in operands:
            for symbol in operand.symbols:
                if symbol not in names:
                    key = (len(names), symbol.low, symbol.high)
                    if key not in self._canonical:
                        self._canonical[key] = Symbol(symbol.low, symbol.high)
                    names[symbol] = of_atom(self._canonical[key])
        if not names:
            return names, operands
        return names, tuple(self.facts.renamed(operand, names) for operand in operands)

    def restored(self, results: tuple[Fact, ...], names: dict[Atom, Number]) -> tuple[Fact, ...]:
        """Results for renumbered operands, with the names of the operands that were given.

        Symbols that are not an operand's become new ones.
        """
        back: dict[Atom, Number] = {
            renumbered: of_atom(original) for original, renumbered in _pairs(names)
        }
        for result in results:
            for symbol in result.symbols:
                if symbol not in back:
                    back[symbol] = fresh(symbol.low, symbol.high)
        return tuple(self.facts.renamed(result, back) for result in results)

    def _run(self, operator: str, operands: tuple[Fact, ...], kinds: tuple[str, ...]) -> Inferred:
        """Run both functions of an operator; they say something of its tensors only."""
        ran: dict[Kind, _Ran | None] = {}
        tensors = [index for index, kind in enumerate(kinds) if "tensor" in kind]
        for kind in KINDS:
            try:
                ran[kind] = self._call(kind, operator, operands, len(tensors))
            except Raised as error:
                unknowns = tuple(map(self.facts.anything, kinds))
                return Inferred(unknowns, str(error), kind)
        known = {symbol for operand in operands for symbol in operand.symbols}
        results = tuple(
            self._result(tensors.index(index), kind, ran["shape"], ran["dtype"], known)
            if index in tensors
            else self.facts.anything(kind)
            for index, kind in enumerate(kinds)
        )
        remarks = tuple(each.remark for each in ran.values() if each and each.remark)
        return Inferred(results, remarks=remarks)

    def _call(self, kind: Kind, operator: str, operands: Several[Fact], count: int) -> _Ran | None:
        """Run one function, None when there is none that fits; raises Raised."""
        program = self.programs.find(library_symbol(kind, operator))
        if program is None or len(program.parameters) != len(operands):
            return None
        try:
            arguments = [
                argument(fact, parameter)
                for fact, parameter in zip(operands, program.parameters, strict=True)
            ]
        except NotAdaptable:
            return None
        evaluator = Evaluator(self.programs.find, self.device)
        try:
            values = evaluator.run(program, arguments)
        except GivenUp as error:
            remark = f"the {kind} of {operator} stays: {error}"
            return _Ran(None, evaluator.assumptions, remark)
        except RecursionError:
            remark = f"the {kind} of {operator} stays: its function is nested too deeply"
            return _Ran(None, evaluator.assumptions, remark)
        if len(values) == 1 and isinstance(values[0], tuple):
            values = list(values[0])
        if len(values) != count:
            return None
        return _Ran(tuple(values), evaluator.assumptions)

    def _result(
        self, index: int, kind: str, shape: _Ran | None, dtype: _Ran | None, known: set[Symbol]
    ) -> Fact:
        """The fact of one result."""
        results = Results(self.facts, known)
        sizes: Any = None if shape is None or shape.values is None else shape.values[index]
        number: Any = None if dtype is None or dtype.values is None else dtype.values[index]
        if not kind.startswith("list<"):
            return self._tensor(results, sizes, number, shape, dtype)
        if not isinstance(sizes, ListObject) or sizes.items is None:
            # Only the shapes tell how many tensors there are.
            element = sizes.element(0) if isinstance(sizes, ListObject) else None
            each = self._tensor(results, element, _common_dtype(number), shape, dtype)
            return self.facts.sequence(kind, None, each)
        return self.facts.sequence(
            kind,
            tuple(
                self._tensor(results, _item(sizes, n), _dtype_item(number, n), shape, dtype)
                for n in range(len(sizes.items))
            ),
        )

    def _tensor(
        self, results: Results, sizes: Any, dtype: Any, shape: _Ran | None, other: _Ran | None
    ) -> Fact:
        found = None if shape is None else results.sizes(sizes, shape.assumptions)
        number = None if other is None else results.dtype(dtype, other.assumptions)
        return self.facts.tensor(found, number)


def _item(value: Any, index: int) -> Any:
    """An element of a list of facts about tensors."""
    if not isinstance(value, ListObject):
        return None
    return value.element(index) if value.items is None else value.items[index]


def _dtype_item(value: Any, index: int) -> Any:
    """The dtype of a tensor in a list; a lone dtype stands for all of them."""
    if isinstance(value, ListObject) and value.items is not None:
        if not value.items:
            return None
        return value.items[min(index, len(value.items) - 1)]
    return _item(value, index)


def _common_dtype(value: Any) -> Any:
    """The dtype of every tensor of a list, None where they may differ."""
    if not isinstance(value, ListObject) or not value.items:
        return None
    first = value.items[0]
    return first if all(item is first or item == first for item in value.items) else None


def _pairs(names: dict[Atom, Number]) -> list[tuple[Atom, Atom]]:
    """The renamed symbols, each with the one that took its place."""
    pairs = []
    for original, number in names.items():
        assert not isinstance(number, int)
        pairs.append((original, number.terms[0][0][0]))
    return pairs
