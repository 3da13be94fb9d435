"""Infer operators: run their shape and dtype functions on lattice values, and cache the results.

Symbols are renumbered before the lookup, so that the layers of a model, whose dynamic sizes have
different symbols, are inferred once.
"""

from __future__ import annotations

from collections.abc import Sequence as Several
from dataclasses import dataclass
from typing import Any

from torch_refine.abstract_interpreter.adapting import Results, arguments_of
from torch_refine.abstract_interpreter.conditions.conditions import Condition
from torch_refine.abstract_interpreter.conditions.learning import learned
from torch_refine.abstract_interpreter.conditions.path_condition import NOTHING, PathCondition
from torch_refine.abstract_interpreter.conditions.substituting import substituted
from torch_refine.abstract_interpreter.lattice import Lattice, LatticeValue
from torch_refine.abstract_interpreter.numbers.expressions import (
    Atom,
    Number,
    Symbol,
    fresh,
    of_atom,
    symbols_in,
)
from torch_refine.abstract_interpreter.operands import (
    Misfit,
    NotAdaptable,
    check_results,
)
from torch_refine.abstract_interpreter.running.errors import GivenUp, Raised
from torch_refine.abstract_interpreter.running.evaluator import Evaluator
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.abstract_interpreter.values import ListObject, Value
from torch_refine.dialect.names import KINDS, Kind, library_symbol, operator_name


@dataclass(frozen=True)
class Inferred:
    """The lattice values of an operator's results.

    If the operator raises for all values of unknown operands, `raised` is the function's message,
    and `kind` the kind of the function; `remarks` tell why a function inferred nothing,
    and `misfits` why the operator does not fit a function. `learned` are conditions on the operands
    that hold for every run of the operator that does not raise.
    """

    results: tuple[LatticeValue, ...]
    raised: str | None = None
    kind: Kind | None = None
    remarks: tuple[str, ...] = ()
    misfits: tuple[Misfit, ...] = ()
    learned: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class _Ran:
    """The results of one function, and its path condition; no values if it inferred nothing."""

    values: tuple[Value, ...] | None
    assumptions: PathCondition
    remark: str | None = None
    misfit: Misfit | None = None


class Inference:
    """Infers operators; `device` is the type of the device that the program runs on, if known.

    `given` is assumed of the operands' symbols. If it `learns`, it tells what runs without errors
    imply of their operands. `hits` and `misses` count cache lookups.
    """

    def __init__(
        self,
        programs: Programs,
        lattice: Lattice,
        device: str | None = None,
        learns: bool = False,
        given: PathCondition = NOTHING,
    ) -> None:
        self.programs = programs
        self.lattice = lattice
        self.device = device
        self.learns = learns
        self.given = given
        self.hits = 0
        self.misses = 0
        self._memo: dict[Any, Inferred] = {}
        self._canonical: dict[tuple[int, int, int], Symbol] = {}

    def has_function(self, operator: str) -> bool:
        """Whether the library has a shape or dtype function for an operator."""
        return any(library_symbol(kind, operator) in self.programs for kind in KINDS)

    def infer(
        self, operator: str, operands: tuple[LatticeValue, ...], kinds: tuple[str, ...]
    ) -> Inferred:
        """Infer an operator, named as in a schema or in IR; `kinds` are its results' types.

        Unknown sizes are fresh symbols for every call.
        """
        if self.given is not NOTHING:
            return self._run(operator, operands, kinds)
        names, canonical = self.renumbered(operands)
        key = (operator, canonical, kinds, self.device)
        found = self._memo.get(key)
        if found is None:
            self.misses += 1
            found = self._memo[key] = self._run(operator, canonical, kinds)
        else:
            self.hits += 1
        if not found.learned and not any(result.symbols for result in found.results):
            return found
        results, facts = found.results, found.learned
        if any(result.symbols for result in results):
            results = self.restored(results, names)
        if facts:
            back: dict[Atom, Number] = {new: of_atom(old) for old, new in _pairs(names)}
            facts = tuple(substituted(condition, back) for condition in facts)
        return Inferred(results, found.raised, found.kind, found.remarks, found.misfits, facts)

    def renumbered(
        self, operands: tuple[LatticeValue, ...]
    ) -> tuple[dict[Atom, Number], tuple[LatticeValue, ...]]:
        """Operands with their symbols renumbered in order of first use, and the renaming.

        Calls that differ only in symbols share a cache entry.
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
        return names, tuple(self.lattice.renamed(operand, names) for operand in operands)

    def restored(
        self, results: tuple[LatticeValue, ...], names: dict[Atom, Number]
    ) -> tuple[LatticeValue, ...]:
        """Rename the results for renumbered operands to the symbols of the actual operands.

        Symbols that no operand has are replaced by fresh ones.
        """
        back: dict[Atom, Number] = {
            renumbered: of_atom(original) for original, renumbered in _pairs(names)
        }
        for result in results:
            for symbol in result.symbols:
                if symbol not in back:
                    back[symbol] = fresh(symbol.low, symbol.high)
        return tuple(self.lattice.renamed(result, back) for result in results)

    def _run(
        self, operator: str, operands: tuple[LatticeValue, ...], kinds: tuple[str, ...]
    ) -> Inferred:
        """Run both functions of an operator; they describe its tensor results only."""
        ran: dict[Kind, _Ran | None] = {}
        tensors = [index for index, kind in enumerate(kinds) if "tensor" in kind]
        for kind in KINDS:
            try:
                ran[kind] = self._call(kind, operator, operands, len(tensors))
            except Raised as error:
                unknowns = tuple(map(self.lattice.anything, kinds))
                return Inferred(unknowns, str(error), kind)
        known = {symbol for operand in operands for symbol in operand.symbols}
        for number in self.given.bindings.values():
            known.update(symbols_in(number))
        results = tuple(
            self._result(tensors.index(index), kind, ran["shape"], ran["dtype"], known)
            if index in tensors
            else self.lattice.anything(kind)
            for index, kind in enumerate(kinds)
        )
        remarks = tuple(each.remark for each in ran.values() if each and each.remark)
        misfits = tuple(each.misfit for each in ran.values() if each and each.misfit)
        facts = tuple(
            condition
            for each in ran.values()
            if self.learns and each is not None and each.values is not None
            for condition in learned(each.assumptions, known)
        )
        return Inferred(results, remarks=remarks, misfits=misfits, learned=facts)

    def _call(
        self, kind: Kind, operator: str, operands: Several[LatticeValue], count: int
    ) -> _Ran | None:
        """Run one function, None when there is none that fits; raises Raised."""
        symbol = library_symbol(kind, operator)
        program = self.programs.find(symbol)
        if program is None:
            return None
        try:
            arguments = arguments_of(operands, program.parameters)
        except NotAdaptable as error:
            return self._misfit(symbol, kind, operator, str(error))
        evaluator = Evaluator(self.programs.find, self.device)
        evaluator.assumptions = self.given
        try:
            values = evaluator.run(program, arguments)
        except GivenUp as error:
            remark = f"cannot infer the {kind} of {operator}: {error}"
            return _Ran(None, evaluator.assumptions, remark)
        except RecursionError:
            remark = f"cannot infer the {kind} of {operator}: its function is nested too deeply"
            return _Ran(None, evaluator.assumptions, remark)
        if len(values) == 1 and isinstance(values[0], tuple):
            values = list(values[0])
        try:
            check_results(len(values), count)
        except NotAdaptable as error:
            return self._misfit(symbol, kind, operator, str(error))
        return _Ran(tuple(values), evaluator.assumptions)

    def _misfit(self, symbol: str, kind: Kind, operator: str, reason: str) -> _Ran:
        """What a function that an operator does not fit gave: nothing."""
        assumptions = Evaluator(self.programs.find, self.device).assumptions
        found = Misfit(operator_name(operator), kind, reason, self.programs.is_extra(symbol))
        return _Ran(None, assumptions, misfit=found)

    def _result(
        self, index: int, kind: str, shape: _Ran | None, dtype: _Ran | None, known: set[Symbol]
    ) -> LatticeValue:
        """The lattice value of one result."""
        results = Results(self.lattice, known)
        sizes: Any = None if shape is None or shape.values is None else shape.values[index]
        number: Any = None if dtype is None or dtype.values is None else dtype.values[index]
        if not kind.startswith("list<"):
            return self._tensor(results, sizes, number, shape, dtype)
        if not isinstance(sizes, ListObject) or sizes.items is None:
            # Only the shapes determine the number of tensors.
            element = sizes.element(0) if isinstance(sizes, ListObject) else None
            each = self._tensor(results, element, _common_dtype(number), shape, dtype)
            return self.lattice.sequence(kind, None, each)
        return self.lattice.sequence(
            kind,
            tuple(
                self._tensor(results, _item(sizes, n), _dtype_item(number, n), shape, dtype)
                for n in range(len(sizes.items))
            ),
        )

    def _tensor(
        self, results: Results, sizes: Any, dtype: Any, shape: _Ran | None, other: _Ran | None
    ) -> LatticeValue:
        found = None if shape is None else results.sizes(sizes, shape.assumptions)
        number = None if other is None else results.dtype(dtype, other.assumptions)
        return self.lattice.tensor(found, number)


def _item(value: Any, index: int) -> Any:
    """An element of a list with one entry per tensor."""
    if not isinstance(value, ListObject):
        return None
    return value.element(index) if value.items is None else value.items[index]


def _dtype_item(value: Any, index: int) -> Any:
    """The dtype of a tensor in a list; a single dtype holds for all of them."""
    if isinstance(value, ListObject) and value.items is not None:
        if not value.items:
            return None
        return value.items[min(index, len(value.items) - 1)]
    return _item(value, index)


def _common_dtype(value: Any) -> Any:
    """The common dtype of a list of tensors, None if they may differ."""
    if not isinstance(value, ListObject) or not value.items:
        return None
    first = value.items[0]
    return first if all(item is first or item == first for item in value.items) else None


def _pairs(names: dict[Atom, Number]) -> list[tuple[Atom, Atom]]:
    """The pairs of a symbol and its replacement."""
    pairs = []
    for original, number in names.items():
        assert not isinstance(number, int)
        pairs.append((original, number.terms[0][0][0]))
    return pairs
