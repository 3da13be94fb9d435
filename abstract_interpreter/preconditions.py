"""The preconditions of an operator: the conditions on its operands without which it raises.

They are those of its shape and dtype functions that are not proven for the operands' lattice
values: the steps of the functions' traces that raise, each with the conditions of the branches that
lead to it. Values that merge two branches are expressed by the branch condition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from torch_refine.abstract_interpreter.adapting import arguments_of
from torch_refine.abstract_interpreter.conditions.conditions import (
    Condition,
    Opaque,
    both,
    choose,
    invert,
)
from torch_refine.abstract_interpreter.conditions.simplifying import simplified
from torch_refine.abstract_interpreter.conditions.substituting import substituted
from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.lattice import LatticeValue
from torch_refine.abstract_interpreter.numbers.expressions import (
    Atom,
    Expression,
    Number,
    Symbol,
    of_atom,
    single_atom,
    substitute,
    symbols_in,
)
from torch_refine.abstract_interpreter.operands import NotAdaptable
from torch_refine.abstract_interpreter.outcomes import (
    Applied,
    Branched,
    Joined,
    Looped,
    Raising,
    Snapshot,
    Trace,
    atom_of,
    atoms_in,
)
from torch_refine.abstract_interpreter.running.errors import GivenUp, Raised
from torch_refine.abstract_interpreter.running.evaluator import KNOWN, Evaluator
from torch_refine.abstract_interpreter.running.folding import show
from torch_refine.abstract_interpreter.running.recording import Recorder, UnrecordedError
from torch_refine.abstract_interpreter.values import Message, is_condition
from torch_refine.dialect.names import KINDS, library_symbol

_FORMAT = "torch.aten.format"

MessageParts: TypeAlias = tuple[str | Expression, ...]


@dataclass(frozen=True)
class Precondition:
    """An operator raises unless `condition` holds; `message` is text, with numbers in between."""

    condition: Condition
    message: MessageParts


@dataclass(frozen=True)
class Preconditions:
    """The preconditions of an operator, in the order in which its functions check them.

    `complete` tells whether there are no others: one that depends on more than ints, such as the
    elements of a list of unknown length, has no closed form.
    """

    found: tuple[Precondition, ...]
    complete: bool


class PreconditionFinder:
    """Finds the preconditions of operators, once for operands that differ only in symbols."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self._memo: dict[Any, Preconditions] = {}

    def find(self, operator: str, operands: tuple[LatticeValue, ...]) -> Preconditions:
        """The preconditions of an operator that are not proven for these operands."""
        exactly = (operator, operands, self.inference.device)
        known = self._memo.get(exactly)
        if known is None:
            known = self._memo[exactly] = self._renumbered(operator, operands)
        return known

    def _renumbered(self, operator: str, operands: tuple[LatticeValue, ...]) -> Preconditions:
        """The preconditions found for operands with other symbols, if there are any."""
        names, canonical = self.inference.renumbered(operands)
        key = (operator, canonical, self.inference.device)
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = self._run(operator, canonical)
        if not found.found:
            return found
        back: dict[Atom, Number] = {
            atom: of_atom(original)
            for original, number in names.items()
            if (atom := single_atom(number)) is not None
        }
        return Preconditions(tuple(_renamed(each, back) for each in found.found), found.complete)

    def _run(self, operator: str, operands: tuple[LatticeValue, ...]) -> Preconditions:
        known = {symbol for operand in operands for symbol in operand.symbols}
        found: dict[Precondition, None] = {}
        complete = True
        for kind in KINDS:
            program = self.inference.programs.find(library_symbol(kind, operator))
            if program is None:
                continue
            recorder = Recorder(KNOWN.__contains__)
            evaluator = Evaluator(self.inference.programs.find, self.inference.device, recorder)
            try:
                evaluator.run(program, arguments_of(operands, program.parameters))
            except Raised:
                # Refinement reports an operator that always raises.
                continue
            except (NotAdaptable, GivenUp, UnrecordedError, RecursionError):
                complete = False
                continue
            flattened = _Flattened(known)
            flattened.trace(recorder.trace, True)
            found.update(dict.fromkeys(flattened.found))
            complete = complete and flattened.complete
        return Preconditions(tuple(found), complete)


class _Flattened:
    """The preconditions of a trace, as conditions over the `known` symbols."""

    def __init__(self, known: set[Symbol]) -> None:
        self.known = known
        self.found: list[Precondition] = []
        self.complete = True
        self._joined: dict[Any, tuple[Condition, Joined]] = {}

    def trace(self, trace: Trace, path: Condition) -> None:
        """Add the preconditions of a trace that runs if `path` holds."""
        for step in trace.steps:
            if isinstance(step, Raising):
                fails = step.condition if step.when else invert(step.condition)
                self.raising(step.trace, both(path, fails))
            elif isinstance(step, Branched):
                self.trace(step.then, both(path, step.condition))
                self.trace(step.otherwise, both(path, invert(step.condition)))
                for each in step.joined:
                    atom = atom_of(each.value)
                    if atom is not None:
                        self._joined[atom] = (step.condition, each)
            elif isinstance(step, Looped) and _may_raise(step.body):
                self.complete = False

    def raising(self, trace: Trace, path: Condition) -> None:
        """Add that `path`, on which a trace raises, does not hold."""
        self.trace(trace, path)
        condition = self.closed(invert(path))
        if condition is not None:
            condition = simplified(condition)
        if condition is None or condition is False:
            self.complete = False
        elif condition is not True:
            self.found.append(Precondition(condition, self.message(trace)))

    def closed(self, condition: Condition) -> Condition | None:
        """A condition over the known symbols; None if it depends on something else."""
        for atom in reversed(self._joined):
            if any(inner == atom for inner in atoms_in(condition)):
                taken, joined = self._joined[atom]
                sides = [_replaced(condition, atom, s) for s in (joined.then, joined.otherwise)]
                if sides[0] is None or sides[1] is None or isinstance(taken, bool):
                    return None
                condition = choose(taken, sides[0], sides[1])
        if any(atom not in self.known for atom in atoms_in(condition)):
            return None
        return condition

    def message(self, trace: Trace) -> MessageParts:
        """The message with which a trace raises."""
        raised = trace.raised
        if not isinstance(raised, Message):
            return (raised if isinstance(raised, str) else "it raises",)
        for step in trace.steps:
            if not isinstance(step, Applied) or step.results[0] is not raised:
                continue
            template, *values = step.operands
            if step.operation.name == _FORMAT and isinstance(template, str):
                return self._filled(template, values)
        return (raised.text,)

    def _filled(self, template: str, values: list[Any]) -> MessageParts:
        texts = template.split("{}")
        parts: list[str | Expression] = [texts[0]]
        dtypes = "dtype" in template
        for text, value in zip(texts[1:], values, strict=False):
            self._show(value, dtypes, parts)
            parts.append(text)
        return _merged(parts)

    def _show(self, value: Any, dtypes: bool, parts: list[str | Expression]) -> None:
        """Append a value as text and numbers."""
        if isinstance(value, Snapshot | tuple):
            items = value.items if isinstance(value, Snapshot) else value
            brackets = "[]" if isinstance(value, Snapshot) else "()"
            parts.append(brackets[0])
            for index, item in enumerate(items):
                if index:
                    parts.append(", ")
                self._show(item, dtypes, parts)
            parts.append(brackets[1])
        elif isinstance(value, Expression) and not dtypes and self._is_known(value):
            parts.append(value)
        elif value is None or isinstance(value, bool | int | float | str):
            parts.append(show(value, dtypes))
        else:
            parts.append("?")

    def _is_known(self, number: Expression) -> bool:
        return self.known.issuperset(symbols_in(number))


def _may_raise(trace: Trace) -> bool:
    return trace.raised is not None or any(
        isinstance(step, Raising)
        or (isinstance(step, Branched) and (_may_raise(step.then) or _may_raise(step.otherwise)))
        or (isinstance(step, Looped) and _may_raise(step.body))
        for step in trace.steps
    )


def _merged(parts: list[str | Expression]) -> MessageParts:
    """Adjacent texts as one."""
    merged: list[str | Expression] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif part != "":
            merged.append(part)
    return tuple(merged)


def _renamed(precondition: Precondition, values: Mapping[Atom, Number]) -> Precondition:
    parts: list[str | Expression] = []
    for part in precondition.message:
        number = part if isinstance(part, str) else substitute(part, values)
        parts.append(str(number) if isinstance(number, int) else number)
    return Precondition(substituted(precondition.condition, values), _merged(parts))


def _replaced(condition: Condition, atom: Any, value: Any) -> Condition | None:
    """A condition with an atom replaced; None if the value cannot replace it."""
    if isinstance(atom, Symbol):
        if not isinstance(value, int | Expression) or isinstance(value, bool):
            return None
        return substituted(condition, {atom: value})
    if isinstance(atom, Opaque) and is_condition(value):
        return substituted(condition, {}, {atom: value})
    return None
