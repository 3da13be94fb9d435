"""Why an operator with library functions does not determine a part of a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch_refine.abstract_interpreter.adapting import arguments_of
from torch_refine.abstract_interpreter.conditions.conditions import (
    And,
    Condition,
    NonNegative,
    Not,
    Or,
    Zero,
)
from torch_refine.abstract_interpreter.conditions.printing import condition_text
from torch_refine.abstract_interpreter.conditions.simplifying import simplified
from torch_refine.abstract_interpreter.conditions.substituting import substituted
from torch_refine.abstract_interpreter.inference import Inferred
from torch_refine.abstract_interpreter.lattice import LatticeValue, Sequence, Tensor
from torch_refine.abstract_interpreter.numbers.expressions import (
    Atom,
    Expression,
    Number,
    Symbol,
    of_atom,
    single_atom,
    symbols_in,
)
from torch_refine.abstract_interpreter.operands import NotAdaptable
from torch_refine.abstract_interpreter.running.errors import GivenUp, Raised
from torch_refine.abstract_interpreter.running.library_lines import LibraryPlace, place_of
from torch_refine.abstract_interpreter.running.origins import Origin, TracingEvaluator
from torch_refine.abstract_interpreter.values import ListObject
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.names import Kind, library_symbol, name_of, operator_name
from torch_refine.pipelines.explanation.analysis import Analysis
from torch_refine.pipelines.explanation.parts import Part
from torch_refine.pipelines.explanation.trials import Unknown, Verdict, needed_unknowns


@dataclass(frozen=True)
class Decision:
    """The line of an operator's function that leaves a part unknown, and its undecided condition.

    `symbols` are those of the condition.
    """

    library: LibraryPlace | None = None
    condition: Condition | None = None

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The symbols of the condition."""
        return tuple(dict.fromkeys(_condition_symbols(self.condition)))


class OperatorQueries:
    """Asks the functions of operators; equal questions are asked once."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self._verdicts: dict[Any, tuple[Verdict, dict[Any, Symbol]]] = {}
        self._decisions: dict[Any, Decision] = {}

    def inferred(self, op: ir.Operation) -> Inferred:
        """The inference of an operator again, with its remarks."""
        return self.analysis.inference.infer(
            operator_name(name_of(op)), self.analysis.facts(op), self._kinds(op)
        )

    def has_function(self, op: ir.Operation, kind: Kind) -> bool:
        """Whether the library has a function of one kind for an operator."""
        return library_symbol(kind, name_of(op)) in self.analysis.programs

    def verdict(self, op: ir.Operation, number: int, part: Part) -> Verdict:
        """Which unknowns of an operator's operands leave a part of a result unknown."""
        inference = self.analysis.inference
        names, operands = inference.renumbered(self.analysis.facts(op))
        operator, kinds = operator_name(name_of(op)), self._kinds(op)
        key = (operator, operands, kinds, number, part)
        found = self._verdicts.get(key)
        if found is None:
            verdict = needed_unknowns(inference, operator, operands, kinds, number, part)
            found = self._verdicts[key] = verdict, {}
        back: dict[Any, Any] = {single_atom(new): old for old, new in names.items()}
        needed: tuple[Unknown, ...] = tuple(
            back.get(each, each) if isinstance(each, Symbol) else each for each in found[0].needed
        )
        return Verdict(needed, found[0].decided, found[0].ran)

    def decision(self, op: ir.Operation, number: int, part: Part) -> Decision:
        """The instruction of the operator's function that made a part of a result unknown."""
        kind: Kind = "dtype" if part.kind == "dtype" else "shape"
        names, operands = self.analysis.inference.renumbered(self.analysis.facts(op))
        key = (name_of(op), operands, self.analysis.device(op.results[0]), number, part)
        found = self._decisions.get(key)
        if found is None:
            found = self._decisions[key] = self._decide(op, kind, operands, number, part)
        if found.condition is None or isinstance(found.condition, bool):
            return found
        back: dict[Atom, Number] = {
            atom: of_atom(old)
            for old, new in names.items()
            if (atom := single_atom(new)) is not None
        }
        return Decision(found.library, substituted(found.condition, back))

    def _decide(
        self,
        op: ir.Operation,
        kind: Kind,
        facts: tuple[LatticeValue, ...],
        number: int,
        part: Part,
    ) -> Decision:
        programs = self.analysis.programs
        symbol = library_symbol(kind, name_of(op))
        program = programs.find(symbol)
        if program is None:
            return Decision()
        evaluator = TracingEvaluator(symbol, programs.find, self.analysis.device(op.results[0]))
        try:
            values = evaluator.run(program, arguments_of(facts, program.parameters))
        except (NotAdaptable, GivenUp, Raised, RecursionError):
            return Decision()
        if len(values) == 1 and isinstance(values[0], tuple):
            values = list(values[0])
        tensors = [n for n, result in enumerate(op.results) if "tensor" in str(result.type)]
        if number not in tensors or tensors.index(number) >= len(values):
            return Decision()
        origin = self._origin(evaluator, values[tensors.index(number)], part)
        if origin is None:
            return Decision()
        place = None
        if not programs.is_extra(origin.symbol):
            place = place_of(origin.symbol, origin.program, origin.instruction)
        return Decision(place, None if origin.condition is None else simplified(origin.condition))

    def _origin(self, evaluator: TracingEvaluator, value: Any, part: Part) -> Origin | None:
        """The newest instruction that made an atom of a part."""
        if part.item is not None and isinstance(value, ListObject) and part.kind != "dtype":
            value = (
                value.items[part.item]
                if value.items is not None and part.item < len(value.items)
                else value
            )
        if isinstance(value, ListObject):
            if value.items is None:
                found = evaluator.origin(value)
                return found or self._of_number(evaluator, value.length)
            if part.kind == "size" and part.dim < len(value.items):
                value = value.items[part.dim]
        return self._of_number(evaluator, value)

    def _of_number(self, evaluator: TracingEvaluator, value: Any) -> Origin | None:
        if not isinstance(value, Expression):
            return None
        resolved = evaluator.assumptions.resolve(value)
        atoms: list[Atom] = [] if isinstance(resolved, int) else list(symbols_in(resolved))
        found = [
            origin
            for atom in reversed(atoms)
            if isinstance(atom, Symbol) and (origin := evaluator.origin(atom)) is not None
        ]
        return found[0] if found else None

    def _kinds(self, op: ir.Operation) -> tuple[str, ...]:
        return tuple(self.analysis.declared.kind(result.type) for result in op.results)


def text_of(condition: Condition | None, facts: dict[Symbol, str], name: Any) -> str | None:
    """A condition as text; None if it is about more than sizes that have names."""
    if condition is None or isinstance(condition, bool):
        return None
    try:
        text = condition_text(condition, lambda symbol: facts.get(symbol) or name(symbol))
    except ValueError:
        return None
    return None if "?" in text else text


def operand_names(analysis: Analysis, op: ir.Operation) -> dict[Symbol, str]:
    """Names for the symbols of an operator's operands: declared ones, or sizes of operands."""
    names: dict[Symbol, str] = {}
    for operand, fact in zip(op.operands, analysis.facts(op), strict=True):
        for found in fact.items or () if isinstance(fact, Sequence) else (fact,):
            if isinstance(found, Tensor):
                for dim, size in enumerate(found.sizes or ()):
                    atom = single_atom(size)
                    if isinstance(atom, Symbol):
                        declared = analysis.symbols.get(atom)
                        name = f"{analysis.plain_name(operand)}.size({dim})"
                        names.setdefault(atom, declared or name)
        for symbol in fact.symbols:
            declared = analysis.symbols.get(symbol)
            names.setdefault(symbol, declared or analysis.plain_name(operand))
    return names


def _condition_symbols(condition: Condition | None) -> list[Symbol]:
    if isinstance(condition, Zero | NonNegative):
        return list(symbols_in(condition.expression))
    if isinstance(condition, Not):
        return _condition_symbols(condition.operand)
    if isinstance(condition, And | Or):
        return _condition_symbols(condition.left) + _condition_symbols(condition.right)
    return []
