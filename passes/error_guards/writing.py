"""Write guards as assertions: conditions on sizes and scalars, with messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from torch_refine.abstract_interpreter.conditions.printing import condition_text
from torch_refine.abstract_interpreter.materialising.arithmetic import Arithmetic
from torch_refine.abstract_interpreter.materialising.writer import Constants, Writer
from torch_refine.abstract_interpreter.numbers.expressions import Symbol, symbols_in
from torch_refine.abstract_interpreter.numbers.printing import expression_text
from torch_refine.abstract_interpreter.outcomes import Atom
from torch_refine.abstract_interpreter.preconditions import MessageParts
from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.diagnostics import location_text
from torch_refine.dialect.guard_messages import GuardMessage
from torch_refine.dialect.guards import Guard as AttachedGuard
from torch_refine.dialect.guards import attach_guards
from torch_refine.dialect.names import name_of, operator_name
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.error_guards.collecting import ASSERT, Guard
from torch_refine.passes.error_guards.origins import Origin

# Longer conditions are asserted at their operators.
_MOST_CHARACTERS = 4_000


def attach(function: ir.Operation, guards: list[Guard]) -> list[Guard]:
    """Attach the hoisted guards of a function to it, as conditions in text; returns the others."""
    others, attached = [], []
    for guard in guards:
        text = _as_text(guard) if guard.hoisted else None
        if text is None or len(text.condition) > _MOST_CHARACTERS:
            others.append(replace(guard, hoisted=False))
        else:
            attached.append(text)
    attach_guards(function, attached)
    return others


def write_guards(function: ir.Operation, guards: list[Guard], types: Types) -> None:
    """Write guards of a function as assertions."""
    if not guards:
        return
    entry = function.regions[0].blocks[0]
    constants = Constants(types, entry, function.location)
    first = next(op for op in operations(entry) if not op.name.startswith("torch.constant."))
    before: dict[ir.Operation, _GuardWriter] = {}
    for guard in guards:
        place = first if guard.hoisted else guard.op
        if place not in before:
            before[place] = _GuardWriter(types, place, constants)
        before[place].write(guard)


def message_text(operator: str, message: MessageParts, origins: Mapping[Symbol, Origin]) -> str:
    """A message as text in which sizes are named: `aten::mm: got [x.size(0), 3]`."""

    def name(symbol: Symbol) -> str:
        origin = origins.get(symbol)
        return "?" if origin is None else origin.solved(origin.text)

    parts = [each if isinstance(each, str) else expression_text(each, name) for each in message]
    return "".join([*_start(operator, message), *parts])


def _start(operator: str, message: MessageParts) -> list[str]:
    """The operator in front of a message that does not name it."""
    first = message[0] if message else ""
    return [] if isinstance(first, str) and first.startswith(f"{operator}:") else [f"{operator}: "]


class _GuardWriter:
    """Writes guards before one op; equal parts of their conditions are computed once."""

    def __init__(self, types: Types, place: ir.Operation, constants: Constants) -> None:
        block = place.block
        self.writer = Writer(types, block, place.location, constants)
        self.writer.scopes[0].before = place
        self.arithmetic = Arithmetic(self.writer, self._atom)
        self._origins: dict[Symbol, Origin] = {}
        self._ints: dict[tuple[ir.Value, int | None], ir.Value] = {}

    def write(self, guard: Guard) -> None:
        """Write one guard."""
        self._origins.update(guard.origins)
        self.writer.location = guard.op.location
        condition = self.arithmetic.condition(guard.condition)
        operator = operator_name(name_of(guard.op))
        text = message_text(operator, guard.message, guard.origins)
        message = ir.StringAttr.get(text, self.writer.types.context)
        self.writer.emit(ASSERT, [], [condition], {"message": message})

    def _atom(self, atom: Atom) -> ir.Value:
        """The value of a symbol."""
        assert isinstance(atom, Symbol)
        found = self.writer.find(atom)
        if found is None:
            origin = self._origins[atom]
            found = self._int(origin)
            if origin.constant:
                operands = [found, self.writer.constant(origin.constant)]
                found = self.writer.emit("torch.aten.sub.int", ["int"], operands).result
            if origin.factor != 1:
                operands = [found, self.writer.constant(origin.factor)]
                found = self.writer.emit("torch.aten.floordiv.int", ["int"], operands).result
            self.writer.scopes[0].names[atom] = found
        return found

    def _int(self, origin: Origin) -> ir.Value:
        if origin.dim is None:
            return origin.value
        key = (origin.value, origin.dim)
        found = self._ints.get(key)
        if found is None:
            operands = [origin.value, self.writer.constant(origin.dim)]
            found = self.writer.emit("torch.aten.size.int", ["int"], operands).result
            self._ints[key] = found
        return found


def _as_text(guard: Guard) -> AttachedGuard:
    """A guard on arguments, with a message that reports their sizes."""
    origins = guard.origins

    def plain(symbol: Symbol) -> str:
        return origins[symbol].solved(origins[symbol].plain)

    def shown(symbol: Symbol) -> str:
        return origins[symbol].solved(origins[symbol].text)

    parts: list[str | tuple[str]] = [*_start(operator_name(name_of(guard.op)), guard.message)]
    for part in guard.message:
        if isinstance(part, str):
            parts.append(part)
        elif all(symbol in origins for symbol in symbols_in(part)):
            parts.append((expression_text(part, plain),))
        else:
            parts.append("?")
    places = tuple(dict.fromkeys(each.place for each in origins.values()))
    line = location_text(guard.op.location)
    source = None if line is None else line.rpartition(":")[0] or line
    message = GuardMessage(condition_text(guard.condition, shown), places, source, tuple(parts))
    return AttachedGuard(condition_text(guard.condition, plain), message)
