"""Collect the guards of a function: the preconditions of its operators that are not proven.

Operators are visited in program order. What the function declares of its arguments, and each guard,
is assumed for those after it, so that guards which follow from others are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from torch_refine.abstract_interpreter.conditions.conditions import (
    Condition,
    both,
    choose,
    either,
    equal,
    invert,
)
from torch_refine.abstract_interpreter.conditions.conditions import at_least as at_least_condition
from torch_refine.abstract_interpreter.conditions.parsing import parse_condition
from torch_refine.abstract_interpreter.conditions.path_condition import NOTHING, PathCondition
from torch_refine.abstract_interpreter.conditions.simplifying import simplified
from torch_refine.abstract_interpreter.lattice import LatticeValue, Scalar, Tensor, number_of
from torch_refine.abstract_interpreter.numbers.expressions import (
    Expression,
    Number,
    Symbol,
    symbols_in,
)
from torch_refine.abstract_interpreter.outcomes import atoms_in
from torch_refine.abstract_interpreter.preconditions import MessageParts, PreconditionFinder
from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.guards import attached_guards
from torch_refine.dialect.names import name_of, operator_name
from torch_refine.passes.error_guards.origins import Origin, Origins

# Guards of an entry are compared with each other; beyond this number, only with earlier ones.
_COMPARED = 64
# A condition with more symbols than this is not asserted.
_SYMBOL_LIMIT = 32

ASSERT = "torch.runtime.assert"
_IF = "torch.prim.If"


@dataclass
class Guard:
    """A condition to assert before `op`, or at the function's entry if `hoisted`."""

    op: ir.Operation
    condition: Condition
    message: MessageParts
    origins: dict[Symbol, Origin]
    hoisted: bool


@dataclass
class Contract:
    """The guards of a function, in program order.

    `impossible` are operators whose preconditions contradict earlier ones; `unexpressed` those with
    preconditions that depend on more than ints; `implied` counts the guards that others imply.
    """

    guards: list[Guard] = field(default_factory=list)
    impossible: list[tuple[ir.Operation, MessageParts, dict[Symbol, Origin]]] = field(
        default_factory=list
    )
    unexpressed: list[ir.Operation] = field(default_factory=list)
    implied: int = 0


class Collector:
    """Collects the guards of one function; `fact` returns the lattice value of a value."""

    def __init__(
        self, finder: PreconditionFinder, fact: Callable[[ir.Value], LatticeValue], hoist: bool
    ) -> None:
        self.finder = finder
        self.fact = fact
        self.hoist = hoist
        self.origins = Origins()
        self.contract = Contract()
        self.facts: PathCondition = NOTHING
        # By name in IR; empty for an op without functions.
        self._operators: dict[str, str] = {}
        # In the order in which they were added.
        self._asserted: dict[Condition, None] = {}

    def collect(self, function: ir.Operation) -> Contract:
        """The contract of a function with a body."""
        blocks = list(function.regions[0].blocks)
        for index, argument in enumerate(blocks[0].arguments):
            self.origins.add_argument(argument, index, self.fact(argument))
        for condition, _ in self.stated(function):
            self._learn(condition)
        self._block(blocks[0], True)
        for block in blocks[1:]:
            # What holds after the entry block holds in all others.
            self._nested([block], None, ())
        if self.hoist:
            self._drop_implied()
        return self.contract

    def stated(self, function: ir.Operation) -> Iterable[tuple[Condition, str]]:
        """The guards that are attached to a function, with their messages.

        One that is no condition on ints is left out.
        """
        arguments = list(function.regions[0].blocks[0].arguments)

        def find(text: str) -> Number | None:
            name, _, dim = text.removesuffix(")").partition(".size(")
            place = name.removeprefix("arg")
            if not place.isdecimal() or int(place) >= len(arguments):
                return None
            fact = self.fact(arguments[int(place)])
            if not dim:
                return number_of(fact)
            sizes = fact.sizes if isinstance(fact, Tensor) else None
            known = sizes is not None and dim.isdecimal() and int(dim) < len(sizes)
            return sizes[int(dim)] if sizes is not None and known else None

        for text, message in attached_guards(function):
            try:
                yield parse_condition(text, find), message
            except ValueError:
                continue

    def _learn(self, condition: Condition) -> None:
        after = self.facts.assume(condition)
        self.facts = self.facts if after is None else after

    # Ops.

    def _block(self, block: ir.Block, path: Condition | None) -> None:
        """Visit a block that runs if `path` holds on entry; None if that is unknown."""
        for op in operations(block):
            if op.name == ASSERT:
                asserted = self.condition(op.operands[0])
                if asserted is not None:
                    self._learn(asserted)
                    self._asserted[asserted] = None
            elif len(op.results):
                self._operator(op, path)
            self._regions(op, path)
            for result in op.results:
                self.origins.add_result(result, self.fact(result))

    def _regions(self, op: ir.Operation, path: Condition | None) -> None:
        if op.name == _IF:
            taken = self.condition(op.operands[0])
            for region, truth in zip(op.regions, (True, False), strict=True):
                side = None if taken is None else taken if truth else invert(taken)
                inside = None if path is None or side is None else both(path, side)
                self._nested(list(region.blocks), inside, () if side is None else (side,))
            return
        for region in op.regions:
            self._nested(list(region.blocks), None, ())

    def _nested(
        self, blocks: list[ir.Block], path: Condition | None, conditions: Iterable[Condition]
    ) -> None:
        """Visit blocks whose facts, and values, are not known after them."""
        for block in blocks:
            facts, before = self.facts, len(self._asserted)
            for condition in conditions:
                self._learn(condition)
            with self.origins.region():
                for argument in block.arguments:
                    self.origins.add_result(argument, self.fact(argument))
                self._block(block, path)
            self.facts = facts
            while len(self._asserted) > before:
                self._asserted.popitem()

    def _operator(self, op: ir.Operation, path: Condition | None) -> None:
        """Add the guards of an operator."""
        name = name_of(op)
        operator = self._operators.get(name)
        if operator is None:
            has_function = self.finder.inference.has_function(name)
            operator = self._operators[name] = operator_name(name) if has_function else ""
        if not operator:
            return
        preconditions = self.finder.find(operator, tuple(map(self.fact, op.operands)))
        if not preconditions.complete:
            self.contract.unexpressed.append(op)
        for each in preconditions.found:
            self._add(op, each.condition, each.message, path)

    def _add(
        self, op: ir.Operation, condition: Condition, message: MessageParts, path: Condition | None
    ) -> None:
        condition = simplified(condition, self.facts)
        at_entry = condition if path is None else either(invert(path), condition)
        if condition is True or condition in self._asserted or at_entry in self._asserted:
            self.contract.implied += condition is not True
            return
        used = dict.fromkeys((*_symbols(condition), *_symbols_of(message)))
        origins = {symbol: found for symbol in used if (found := self.origins.find(symbol))}
        if condition is False and path is True:
            self.contract.impossible.append((op, message, origins))
            return
        needed = set(_symbols(condition))
        if not needed <= origins.keys() or len(needed) > _SYMBOL_LIMIT:
            self.contract.unexpressed.append(op)
            return
        self._asserted[condition] = None
        self._learn(condition)
        hoisted = self.hoist and path is not None
        for symbol in _symbols(at_entry) if hoisted else ():
            found = self.origins.find(symbol)
            if found is None or found.argument is None:
                hoisted = False
            else:
                origins[symbol] = found
        if hoisted:
            # The message, too, can only name what is known at entry.
            origins = {
                symbol: found for symbol, found in origins.items() if found.argument is not None
            }
        guard = Guard(op, at_entry if hoisted else condition, message, origins, hoisted)
        self.contract.guards.append(guard)

    # Conditions of branches.

    def condition(self, value: ir.Value) -> Condition | None:
        """The condition that a bool of the program stands for, None if it is not one on ints."""
        fact = self.fact(value)
        if isinstance(fact, Scalar) and isinstance(fact.value, bool):
            return fact.value
        if isinstance(value.owner, ir.Block):
            return None
        op = value.owner.operation
        if op.name == "torch.aten.__not__":
            inner = self.condition(op.operands[0])
            return None if inner is None else invert(inner)
        if op.name == _IF:
            taken, *sides = map(self.condition, (op.operands[0], *_yielded(op)))
            if taken is None or isinstance(taken, bool) or len(sides) != 2:
                return None
            one, other = sides
            return None if one is None or other is None else choose(taken, one, other)
        if op.name in _COMBINATIONS:
            one, other = map(self.condition, op.operands)
            return None if one is None or other is None else _COMBINATIONS[op.name](one, other)
        if op.name not in _COMPARISONS:
            return None
        numbers = [number_of(self.fact(operand)) for operand in op.operands]
        if numbers[0] is None or numbers[1] is None:
            return None
        return _COMPARISONS[op.name](numbers[0], numbers[1])

    # Guards at entry that later ones imply.

    def _drop_implied(self) -> None:
        """Drop hoisted guards that those of other operators imply."""
        hoisted = [guard for guard in self.contract.guards if guard.hoisted]
        if len(hoisted) > _COMPARED:
            return
        for guard in list(hoisted):
            known: PathCondition | None = NOTHING
            for other in hoisted:
                if other is not guard and other.op != guard.op and known is not None:
                    known = known.assume(other.condition)
            if known is not None and known.evaluate(guard.condition):
                hoisted.remove(guard)
                self.contract.guards.remove(guard)
                self.contract.implied += 1


_COMPARISONS: dict[str, Callable[[Number, Number], Condition]] = {
    "torch.aten.eq.int": equal,
    "torch.aten.ne.int": lambda a, b: invert(equal(a, b)),
    "torch.aten.ge.int": at_least_condition,
    "torch.aten.le.int": lambda a, b: at_least_condition(b, a),
    "torch.aten.gt.int": lambda a, b: invert(at_least_condition(b, a)),
    "torch.aten.lt.int": lambda a, b: invert(at_least_condition(a, b)),
}
_COMBINATIONS: dict[str, Callable[[Condition, Condition], Condition]] = {
    "torch.aten.__and__.bool": both,
    "torch.aten.__or__.bool": either,
}


def _yielded(op: ir.Operation) -> Iterable[ir.Value]:
    """The values that the regions of a `torch.prim.If` with one result yield."""
    ends = [list(region.blocks[0].operations)[-1].operation for region in op.regions]
    return [end.operands[0] for end in ends if len(end.operands) == 1]


def _symbols(condition: Condition) -> Iterable[Symbol]:
    return (atom for atom in atoms_in(condition) if isinstance(atom, Symbol))


def _symbols_of(message: MessageParts) -> Iterable[Symbol]:
    for part in message:
        if isinstance(part, Expression):
            yield from symbols_in(part)
