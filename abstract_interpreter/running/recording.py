"""Record the trace of a run: the steps that no closed form expresses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch_refine.abstract_interpreter.conditions.conditions import (
    Condition,
    Opaque,
    SymbolicCondition,
    either,
    invert,
)
from torch_refine.abstract_interpreter.conditions.joining import Join
from torch_refine.abstract_interpreter.numbers.expressions import Expression, Symbol
from torch_refine.abstract_interpreter.outcomes import (
    Applied,
    Atom,
    Branched,
    Carried,
    Changed,
    Joined,
    Looped,
    Made,
    Operation,
    Raising,
    Reference,
    Snapshot,
    Step,
    Trace,
    atom_of,
    atoms_in,
    kind_of_atom,
    snapshot,
)
from torch_refine.abstract_interpreter.running.decoder import Instruction
from torch_refine.abstract_interpreter.running.sides import Side
from torch_refine.abstract_interpreter.values import ListObject, Maybe, Unknown, lists_in
from torch_refine.dialect.bindings import attributes_of
from torch_refine.dialect.kinds import element_kind

# Operations that mutate their first operand, a list.
_CHANGES = frozenset(
    f"torch.aten.{name}.t" for name in ("append", "extend", "insert", "_set_item", "pop")
)
_GET_ITEM = "torch.aten.__getitem__.t"
_IS = "torch.aten.__is__"
_LENGTH = "torch.aten.len.t"
_CAST = "torch.prim.unchecked_cast"
# Operations whose equal queries have the same result, even if the first one is unknown.
_NAMED_ONCE = frozenset(
    (
        _GET_ITEM,
        "torch.aten.dim",
        "torch.aten.len.Tensor",
        "torch.aten.numel",
        "torch.aten.sym_numel",
        "torch.prim.dtype",
        "torch_refine.runs_on_cpu",
    )
)
_QUESTIONS_OF_NONE = frozenset((_IS, "torch.aten.__isnot__"))


class Recorder:
    """Records the trace of one run; `known` tells whether an operation is free of effects."""

    def __init__(self, known: Callable[[str], bool]) -> None:
        self.known = known
        self.trace = Trace()

    # Operations.

    def applied(
        self,
        instruction: Instruction,
        operands: list[Any],
        before: list[Any],
        mark: int,
        result: Any,
    ) -> None:
        """Record an operation; `before` are its operands, `mark` the newest serial before it."""
        name = instruction.name
        if not self.known(name):
            self.effect(instruction, before, [result] if instruction.results else [])
        elif name in _CHANGES:
            self.changed(instruction, operands[0], before, result, mark)
        elif isinstance(result, ListObject) and result.items is not None:
            if result.serial > mark:
                self.made(result)
        elif name in _QUESTIONS_OF_NONE:
            if isinstance(_unnegated(result), Opaque) and len(operands) == 2:
                (value,) = (each for each in operands if each is not None)
                self.asked_for_none(value, _unnegated(result))
        elif name in _NAMED_ONCE or _newest(result) > mark:
            self.defined(instruction, before, result)

    def defined(self, instruction: Instruction, operands: list[Any], result: Any) -> None:
        """An operation returns an atom."""
        if atom_of(result) is not None:
            self.add(_operation(instruction), operands, result)

    def add(self, operation: Operation, operands: list[Any], result: Any) -> None:
        """Record an operation, and the parts of its result."""
        self.trace.steps.append(Applied(operation, operands, [result]))
        self.parts(result)

    def parts(self, value: Any) -> None:
        """The length of a list, and the value of an optional."""
        self.trace.steps += parts(value)

    def asked_for_none(self, value: Any, absent: Opaque) -> None:
        """Whether a value is None is an opaque condition."""
        operation = Operation(_IS, ["", "none"], ["bool"])
        self.trace.steps.append(Applied(operation, [value, None], [absent]))

    def effect(self, instruction: Instruction, operands: list[Any], results: list[Any]) -> None:
        """An operation with unknown effects."""
        held = [_with_identity(operand) for operand in operands]
        self.trace.steps.append(Applied(_operation(instruction), held, results, kept=True))
        for operand in operands:
            for changed in _lists_in(operand):
                self.parts(changed)
        for result in results:
            self.parts(result)

    def made(self, value: ListObject) -> None:
        """The creation of a list."""
        self.trace.steps.append(Made(value, list(map(_with_identity, value.items or ()))))

    def changed(
        self, instruction: Instruction, value: ListObject, before: list[Any], result: Any, mark: int
    ) -> None:
        """An operation mutates a list."""
        results = [] if result is value or atom_of(result) is None else [result]
        operands = [_with_identity(operand) for operand in before[1:]]
        self.trace.steps.append(Changed(_operation(instruction), value, operands, results))
        for index, item in enumerate(value.items or ()):
            atom = atom_of(item)
            if atom is not None and _serial(atom) > mark:
                read = Operation(_GET_ITEM, [value.kind, "int"], [element_kind(value.kind)])
                self.add(read, [Reference(value), index], item)

    def unpacked(self, instruction: Instruction, value: Any, items: list[Any]) -> None:
        """The elements of a list of unknown length, or of an unknown tuple, become atoms."""
        if isinstance(value, tuple) or (isinstance(value, ListObject) and value.items is not None):
            return
        self.trace.steps.append(Applied(_operation(instruction), [value], items))
        for item in items:
            self.parts(item)

    # Paths.

    def open(self, trace: Trace) -> Trace:
        """Switch to another trace; returns the previous one."""
        outer, self.trace = self.trace, trace
        return outer

    def close(self, outer: Trace | None) -> None:
        """Switch back to the trace that `open` returned."""
        assert outer is not None
        self.trace = outer

    def raised(self, message: Any) -> None:
        """This path ends by raising."""
        self.trace.raised = message

    def required(self, condition: Condition, message: str) -> None:
        """A precondition of an operation."""
        self.raises(condition, False, Trace([], message))

    def raises(self, condition: Condition, when: bool, trace: Trace) -> None:
        """If a condition equals `when`, the run continues in a trace that raises."""
        self.trace.steps.append(Raising(condition, when, trace))

    def one_raises(self, condition: SymbolicCondition, then: Side, otherwise: Side) -> None:
        """One side of an `If` raises; after it, the run has taken the other."""
        if then.raised is not None:
            self.raises(condition, True, then.trace)
            rest = otherwise.trace
        else:
            self.raises(condition, False, otherwise.trace)
            rest = then.trace
        self.trace.steps += rest.steps
        self.trace.raised = rest.raised

    def branched(
        self, condition: SymbolicCondition, then: Side, otherwise: Side, join: Join
    ) -> None:
        """Both sides of an `If` continue."""
        for taken, other, side in ((then, otherwise, condition), (otherwise, then, None)):
            # One side does nothing, the other only raises: one condition expresses both.
            steps = other.trace.steps
            if taken.trace.steps or join.made or len(steps) != 1:
                continue
            (raising,) = steps
            if isinstance(raising, Raising):
                passed = invert(raising.condition) if raising.when else raising.condition
                passes = either(invert(condition) if side is None else condition, passed)
                self.raises(passes, False, raising.trace)
                return
        joined = [Joined(*each) for each in join.made]
        self.trace.steps.append(Branched(condition, then.trace, otherwise.trace, joined))
        for each in joined:
            if isinstance(each.value, ListObject):
                self.parts(each.value)
        for value in join.lists_made.values():
            if value.items is not None:
                self.made(value)

    def looped(
        self,
        bounds: tuple[Any, int, Expression],
        before: tuple[Condition, list[Any]],
        values: list[Any],
        side: Side,
        kinds: list[str],
    ) -> None:
        """A loop of unknown trip count; `side` is any iteration."""
        limit, first, index = bounds
        condition, entry = before
        again, *later = map(snapshot, side.values)
        carried: list[Carried] = []
        for each in zip(values, entry, later, kinds, strict=True):
            _carry(carried, *each)
        held = [each.value for each in carried] + [value for value, _ in side.changed.values()]
        side.trace.steps[:0] = [part for value in held for part in parts(value)]
        self.trace.steps.append(Looped(limit, first, condition, index, side.trace, again, carried))
        for value in held:
            self.parts(value)


def _with_identity(value: Any) -> Any:
    """An operand that is kept or mutated: lists are recorded as objects."""
    if isinstance(value, Snapshot):
        return Reference(value.list)
    if isinstance(value, ListObject):
        return Reference(value)
    return tuple(map(_with_identity, value)) if isinstance(value, tuple) else value


def _lists_in(value: Any) -> list[ListObject]:
    if isinstance(value, Snapshot):
        return lists_in(value.list)
    return lists_in(value)


def _operation(instruction: Instruction) -> Operation:
    # The op may be erased with its calculation; a program in prepared form has none.
    op = instruction.op
    if op is None:
        return Operation(instruction.name, [], instruction.kinds)
    kinds = [str(operand.type).removeprefix("!torch.") for operand in op.operands]
    return Operation(op.name, kinds, instruction.kinds, attributes_of(op))


def parts(value: Any) -> list[Step]:
    """The steps that define the length of a list, and the value of an optional."""
    if isinstance(value, ListObject):
        length = value.length
        if value.items is not None or atom_of(length) is None:
            return []
        operation = Operation(_LENGTH, [value.kind], ["int"])
        return [Applied(operation, [Reference(value)], [length])]
    if not isinstance(value, Maybe):
        return []
    found: list[Step] = []
    if isinstance(value.absent, Opaque):
        operation = Operation(_IS, ["", "none"], ["bool"])
        found.append(Applied(operation, [value, None], [value.absent]))
    if atom_of(value.value) is not None:
        kind = kind_of_atom(value.value)
        found.append(Applied(Operation(_CAST, [""], [kind]), [value], [value.value]))
        found += parts(value.value)
    return found


def _carry(carried: list[Carried], value: Any, first: Any, later: Any, kind: str) -> None:
    """Collect loop-carried values: the parts of a value that an iteration changes."""
    if value is first or (type(value) is type(first) and _closed(value) and value == first):
        return
    if isinstance(first, Snapshot) and first.list is value and value.items is not None:
        return
    if atom_of(value) is not None:
        carried.append(Carried(value, first, later, kind))
        return
    items = value.items if isinstance(value, ListObject) else value
    ours = [getattr(each, "items", each) for each in (first, later)]
    if not isinstance(items, list | tuple) or not all(
        isinstance(each, tuple) and len(each) == len(items) for each in ours
    ):
        raise UnrecordedError
    for item, one, other in zip(items, *ours, strict=True):
        kind = kind_of_atom(item) if atom_of(item) is not None else ""
        _carry(carried, item, one, other, kind)


class UnrecordedError(Exception):
    """An event cannot be expressed by steps."""


def _closed(value: Any) -> bool:
    return not isinstance(value, ListObject | Unknown | Maybe)


def _unnegated(condition: Any) -> Any:
    return getattr(condition, "operand", condition)


def _serial(atom: Atom) -> int:
    if isinstance(atom, Symbol):
        return int(atom.key[1])
    return -1 if isinstance(atom, Maybe) else atom.serial


def _newest(value: Any) -> int:
    """The serial number of the youngest atom in a value."""
    found = [_serial(atom) for atom in atoms_in(value)]
    if isinstance(value, Maybe):
        found += [_newest(value.absent), _newest(value.value)]
    return max(found, default=-1)
