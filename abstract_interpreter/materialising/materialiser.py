"""Materialise the steps of an outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch_refine.abstract_interpreter.materialising.arithmetic import Arithmetic
from torch_refine.abstract_interpreter.materialising.demand import Demand, Kept
from torch_refine.abstract_interpreter.materialising.writer import Unwritable, Writer
from torch_refine.abstract_interpreter.numbers.expressions import Expression, Symbol, subtract
from torch_refine.abstract_interpreter.outcomes import (
    Applied,
    Atom,
    Branched,
    Changed,
    Looped,
    Made,
    Operation,
    Raising,
    Reference,
    Snapshot,
    Step,
    Trace,
    atom_of,
    kind_of_atom,
    kind_of_snapshot,
)
from torch_refine.abstract_interpreter.values import (
    SCALARS,
    ListObject,
    Maybe,
    is_condition,
)
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.kinds import element_kind, split_kinds

_RAISE = "torch.prim.RaiseException"
_IF_YIELD = "torch.prim.If.yield"


class Materialiser:
    """Writes a trace and its results.

    `given` are the values of atoms defined outside; `origin` finds the value of a symbol that no
    step defines, None if there is none.
    """

    def __init__(
        self,
        writer: Writer,
        given: Mapping[Any, ir.Value],
        origin: Callable[[Symbol], ir.Value | None],
    ) -> None:
        self.writer = writer
        self.given = given
        self.origin = origin
        self.arithmetic = Arithmetic(writer, self.atom)
        self.demand: Demand

    def write(
        self, trace: Trace, results: Sequence[Any], kind: str, demand: Demand | None = None
    ) -> list[ir.Value]:
        """Write the steps that results need and those that raise; returns the results, cast to a
        type.

        `demand` is that of the trace, if it is known. Raises Unwritable.
        """
        self.demand = Demand(trace, results, self.given) if demand is None else demand
        self.steps(trace)
        return [self.value(result, kind) for result in results]

    # Values.

    def atom(self, atom: Atom) -> ir.Value:
        """The value of an atom."""
        found = self.writer.find(atom)
        if found is not None:
            return found
        found = self.given.get(atom)
        if found is None and isinstance(atom, Symbol):
            found = self.origin(atom)
            if found is not None:
                self.writer.scopes[0].names[atom] = found
        if found is None:
            raise Unwritable(f"{atom!r} has no value here")
        return found

    def value(self, value: Any, kind: str = "") -> ir.Value:
        """A value of any kind, cast to a type."""
        return self.writer.cast(self._value(value, kind), kind)

    def _value(self, value: Any, kind: str) -> ir.Value:
        if type(value) in SCALARS:
            return self.writer.constant(value)
        if isinstance(value, Expression):
            return self.arithmetic.number(value)
        if is_condition(value):
            return self.arithmetic.condition(value)
        if isinstance(value, Reference):
            return self.atom(value.list)
        if isinstance(value, Snapshot):
            found = self.given.get(value.list)
            if found is not None:
                return found
            element = element_kind(value.kind)
            items = [self.value(item, element) for item in value.items]
            return self.writer.emit("torch.prim.ListConstruct", [value.kind], items).result
        if isinstance(value, tuple):
            whole = kind if kind.startswith("tuple<") else kind_of_snapshot(value)
            kinds = split_kinds(whole)
            items = [self.value(item, each) for item, each in zip(value, kinds, strict=True)]
            return self.writer.emit("torch.prim.TupleConstruct", [whole], items).result
        return self.atom(value)

    # Steps.

    def steps(self, trace: Trace) -> None:
        """Write the live steps of a trace."""
        for step in trace.steps:
            kept = self.demand.kept.get(step)
            if kept is not None:
                self.step(step, kept)

    def step(self, step: Step, kept: Kept) -> None:
        """Write one step."""
        if isinstance(step, Applied):
            self.applied(step)
        elif isinstance(step, Made):
            items = [self.value(item, element_kind(step.value.kind)) for item in step.items]
            made = self.writer.emit("torch.prim.ListConstruct", [step.value.kind], items)
            self.name(step.value, made.result)
        elif isinstance(step, Changed):
            operands = [Reference(step.value), *step.operands]
            op = self.operation(step.operation, operands)
            for value in step.results:
                self.name(value, op.results[0])
        elif isinstance(step, Raising):
            self.raising(step)
        elif isinstance(step, Branched):
            self.branched(step, kept)
        else:
            self.looped(step, kept)

    def name(self, value: Any, ssa: ir.Value) -> None:
        """Map an atom to its SSA value in the innermost block."""
        atom = value if isinstance(value, ListObject) else atom_of(value)
        if atom is not None:
            self.writer.scopes[-1].names[atom] = ssa

    def applied(self, step: Applied) -> None:
        """An operation, unless its result has a value already."""
        atoms = [atom for each in step.results if (atom := atom_of(each)) is not None]
        if not step.kept and all(self.writer.find(atom) is not None for atom in atoms):
            return
        op = self.operation(step.operation, step.operands)
        for value, result in zip(step.results, op.results, strict=True):
            self.name(value, result)

    def operation(self, operation: Operation, operands: list[Any]) -> ir.Operation:
        """Create an op for an operation."""
        # A program in prepared form does not tell them.
        kinds = operation.operands or [""] * len(operands)
        values = [self.value(v, k) for v, k in zip(operands, kinds, strict=True)]
        return self.writer.emit(operation.name, operation.results, values, operation.attributes)

    def raising(self, step: Raising) -> None:
        """A precondition: an `If` with one side that raises."""
        condition = self.arithmetic.condition(step.condition)
        op = self.writer.emit("torch.prim.If", [], [condition], regions=2)
        for region, holds in zip(op.regions, (True, False), strict=True):
            self.writer.open(op, region.blocks.append())
            if holds == step.when:
                # Computations that only the message needs are not hoisted to other paths.
                outermost = self.arithmetic.outermost
                self.arithmetic.outermost = len(self.writer.scopes) - 1
                self.steps(step.trace)
                message = self.value(step.trace.raised, "str")
                self.writer.emit(_RAISE, [], [message, self.writer.constant(None)])
                self.arithmetic.outermost = outermost
            self.writer.close(_IF_YIELD, [])

    def branched(self, step: Branched, kept: Kept) -> None:
        """A branch, whose results are the live values of its sides."""
        condition = self.arithmetic.condition(step.condition)
        escaping = [atom for atom in kept.escaping if self.writer.find(atom) is None]
        kinds = [_joined_kind(each.value, each.kind) for each in kept.joined]
        kinds += [kind_of_atom(atom) for atom in escaping]
        op = self.writer.emit("torch.prim.If", kinds, [condition], regions=2)
        sides = (
            (step.then, [each.then for each in kept.joined]),
            (step.otherwise, [each.otherwise for each in kept.joined]),
        )
        for region, (trace, values) in zip(op.regions, sides, strict=True):
            self.writer.open(op, region.blocks.append())
            self.steps(trace)
            yielded = [self.value(v, kind) for v, kind in zip(values, kinds, strict=False)]
            for atom, kind in zip(escaping, kinds[len(values) :], strict=True):
                found = self.writer.find(atom)
                if found is None:
                    found = self.writer.emit("torch.prim.Uninitialized", [kind], []).result
                yielded.append(self.writer.cast(found, kind))
            self.writer.close(_IF_YIELD, yielded)
        names = self.writer.scopes[-1].names
        for each, result in zip(kept.joined, op.results, strict=False):
            self.name(each.value, result)
        names.update(zip(escaping, list(op.results)[len(kept.joined) :], strict=True))

    def looped(self, step: Looped, kept: Kept) -> None:
        """A loop, which carries the live values."""
        kinds = [_joined_kind(each.value, each.kind) for each in kept.carried]
        limit = step.limit if not step.first else subtract(step.limit, step.first)
        operands = [self.value(limit, "int"), self.arithmetic.condition(step.condition)]
        operands += [self.value(c.first, k) for c, k in zip(kept.carried, kinds, strict=True)]
        op = self.writer.emit("torch.prim.Loop", kinds, operands, regions=1)
        types = [self.writer.type(kind) for kind in ("int", *kinds)]
        block = op.regions[0].blocks.append(*types, arg_locs=[self.writer.location] * len(types))
        self.writer.open(op, block)
        index, *arguments = block.arguments
        if step.first:
            offset = self.writer.constant(step.first)
            index = self.writer.emit("torch.aten.add.int", ["int"], [index, offset]).result
        self.name(step.index, index)
        for each, argument in zip(kept.carried, arguments, strict=True):
            self.name(each.value, argument)
        self.steps(step.body)
        yielded = [self.arithmetic.condition(step.again)]
        yielded += [self.value(c.later, k) for c, k in zip(kept.carried, kinds, strict=True)]
        self.writer.close("torch.prim.Loop.condition", yielded)
        for each, result in zip(kept.carried, op.results, strict=True):
            self.name(each.value, result)


def _joined_kind(value: Any, kind: str) -> str:
    """The type of a joined value."""
    if isinstance(value, Maybe):
        return kind if kind.startswith("optional<") else kind_of_atom(value)
    return kind_of_atom(value)
