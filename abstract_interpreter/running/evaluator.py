"""Runs a library function over values that are only partly known.

Known values are computed as they come. An `If` on an unknown condition takes both sides, each
assuming its outcome; a side that cannot be, or that raises, is dropped, and what is left is joined.
A loop of known length is unrolled, one of unknown length is run until nothing changes any more.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NoReturn

from torch_refine.abstract_interpreter.conditions import formulas
from torch_refine.abstract_interpreter.conditions.assumptions import NOTHING, Assumptions
from torch_refine.abstract_interpreter.conditions.assumptions import join as join_assumptions
from torch_refine.abstract_interpreter.conditions.formulas import Condition, Formula
from torch_refine.abstract_interpreter.conditions.joining import Join
from torch_refine.abstract_interpreter.lists import operations as list_operations
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers import operations as number_operations
from torch_refine.abstract_interpreter.numbers.expressions import (
    Expression,
    Number,
    next_serial,
)
from torch_refine.abstract_interpreter.outcomes import Trace, snapshot
from torch_refine.abstract_interpreter.running import folding
from torch_refine.abstract_interpreter.running import operations as other_operations
from torch_refine.abstract_interpreter.running.decoder import Block, Instruction, Program
from torch_refine.abstract_interpreter.running.errors import (
    CALL_LIMIT,
    STEP_LIMIT,
    GivenUp,
    Raised,
)
from torch_refine.abstract_interpreter.running.loops import Loop
from torch_refine.abstract_interpreter.values import (
    ListObject,
    Unknown,
    Value,
    is_known,
    is_number,
    lists_in,
    plain,
    shown,
    unknown,
)

if TYPE_CHECKING:
    from torch_refine.abstract_interpreter.running.recording import Recorder

_IMPOSSIBLE = "no values that are possible here lead on"

OPERATIONS: dict[str, Callable[[Evaluator, list[Any]], Any]] = {
    **number_operations.OPERATIONS,
    **list_operations.OPERATIONS,
    **other_operations.OPERATIONS,
}


# What is computed as soon as all operands are known; what keeps a list's identity is left out.
_FOLDS = {
    name: fold for name, fold in folding.FOLDS.items() if name not in other_operations.OPERATIONS
}


# The operations without effect, but for those on a list that they are given.
KNOWN = OPERATIONS.keys() | folding.FOLDS.keys()

_CONDITIONS = (bool, *formulas.FORMULAS)


class Trail:
    """The contents, on entry to a side, of the lists that it changed; of those that are older than
    `since`, as no other path knows the ones that it made.
    """

    def __init__(self, since: int) -> None:
        self.since = since
        self.before: dict[int, tuple[ListObject, tuple[Any, ...]]] = {}


class Side:
    """How one side of an `If`, or one turn of a loop, ended.

    `changed` holds the contents, at its end, of the lists that it changed.
    """

    def __init__(self, assumptions: Assumptions) -> None:
        self.assumptions = assumptions
        self.values: list[Value] = []
        self.raised: Raised | None = None
        self.trace = Trace()
        self.changed: dict[int, tuple[ListObject, tuple[Any, ...]]] = {}

    def names(self) -> Counter[int]:
        """How often each list can be reached from what the side gives and from what it changed."""
        held = [*self.values]
        for _, (items, _, _, found, _) in self.changed.values():
            held += [*(items or ()), *found.values()]
        return Counter(inner.serial for value in held for inner in lists_in(value))


class Evaluator:
    """Runs one function.

    `functions` finds the program of a callee, None when there is none; `device` is the type of the
    device that the program was exported for, where it is known. A `recorder` is told what happens,
    for those who want more than the values.
    """

    def __init__(
        self,
        functions: Callable[[str], Program | None],
        device: str | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        self.functions = functions
        self.device = device
        self.unknown_device = formulas.Opaque()
        self.assumptions = NOTHING
        self.steps = 0
        self.calls = 0
        self.trails: list[Trail] = []
        self.recorder = recorder

    # Programs, blocks, calls.

    def run(
        self, program: Program, arguments: list[Any], captured: Iterable[Any] = ()
    ) -> list[Value]:
        """Run a function, or a calculation that reads `captured` values from outside.

        Raises Raised when it raises whatever the unknown values are, GivenUp when it is too much.
        """
        frame: list[Any] = [None] * program.slots
        for slot, constant in program.constants:
            frame[slot] = constant
        for slot, argument in zip(program.block.parameters, arguments, strict=True):
            frame[slot] = argument
        if program.captured:
            for (slot, _), value in zip(program.captured, captured, strict=True):
                frame[slot] = value
        return self.run_block(program.block, frame)

    def run_block(self, block: Block, frame: list[Any]) -> list[Value]:
        """Run a block's instructions; returns what its terminator yields."""
        for instruction in block.instructions:
            self.steps += 1
            if self.steps > STEP_LIMIT:
                self.give_up(f"it takes more than {STEP_LIMIT} steps")
            name = instruction.name
            handler = _HANDLERS.get(name)
            if handler is not None:
                handler(self, instruction, frame)
            else:
                operands = [frame[slot] for slot in instruction.operands]
                kind = instruction.kinds[0] if instruction.results else "none"
                if self.recorder is None:
                    result = self.apply(name, operands, kind)
                else:
                    result = self.recorder.apply(self, instruction, operands, kind)
                if instruction.results:
                    frame[instruction.results[0]] = result
        return [frame[slot] for slot in block.yields]

    def apply(self, name: str, operands: list[Any], kind: str) -> Value:
        """The one result of an operation without control flow; `kind` is its type."""
        fold = _FOLDS.get(name)
        result: Any = NotImplemented
        if fold is not None and all(map(is_known, operands)):
            try:
                result = fold(*map(plain, operands))
            except folding.RAISING as error:
                raise Raised(f"{name}: {error}") from None
            except folding.Overflow:
                return unknown(kind)
        if result is NotImplemented:
            operation = OPERATIONS.get(name)
            if operation is not None:
                result = operation(self, operands)
            elif fold is None:
                self.forget(operands)
        return unknown(kind) if result is NotImplemented else result

    def forget(self, operands: list[Any]) -> None:
        """An operation that may do anything to the lists that it is given."""
        for operand in operands:
            for changed in lists_in(operand):
                self.about_to_change(changed)
                changed.forget()
                changed.frozen = True

    def call(self, instruction: Instruction, frame: list[Any]) -> None:
        """Enter a callee."""
        arguments = [frame[slot] for slot in instruction.operands]
        program = self.functions(instruction.callee or "")
        if program is None:
            before = list(map(snapshot, arguments))
            self.forget(arguments)
            values = list(map(unknown, instruction.kinds))
            if self.recorder is not None:
                self.recorder.effect(instruction, before, values)
        else:
            if self.calls >= CALL_LIMIT:
                self.give_up(f"@{instruction.callee} calls itself, or calls are nested too deeply")
            self.calls += 1
            try:
                values = self.run(program, arguments)
            finally:
                self.calls -= 1
        for slot, value in zip(instruction.results, values, strict=True):
            frame[slot] = value

    def raise_exception(self, instruction: Instruction, frame: list[Any]) -> None:
        """The end of this path."""
        if self.recorder is not None:
            self.recorder.raised(frame[instruction.operands[0]])
        message = shown(frame[instruction.operands[0]], self.assumptions)
        raise Raised(message if isinstance(message, str) else "?")

    def give_up(self, reason: str) -> NoReturn:
        """Nothing is inferred of this function."""
        raise GivenUp(reason)

    # What holds on this path.

    def condition(self, condition: Condition) -> Condition:
        """A condition, or the bool that it is on this path."""
        known = self.assumptions.evaluate(condition)
        return condition if known is None else known

    def negation(self, condition: Condition) -> Condition:
        """That a condition does not hold, or the bool that this is on this path."""
        return self.condition(formulas.invert(condition))

    def require(self, condition: Condition, message: str) -> None:
        """Go on only where a condition holds; elsewhere the operation raises."""
        narrowed = self.assumptions.assume(condition)
        if narrowed is None:
            raise Raised(message)
        if self.recorder is not None and narrowed is not self.assumptions:
            self.recorder.required(condition, message)
        self.assumptions = narrowed

    def assume_otherwise(self, condition: Condition, side: Side) -> None:
        """Go on only where a condition does not hold; elsewhere the run ends like a side."""
        narrowed = self.assumptions.assume(condition, False)
        if narrowed is None:
            raise side.raised or Raised(_IMPOSSIBLE)
        if self.recorder is not None:
            self.recorder.raises(condition, True, side.trace)
        self.assumptions = narrowed

    def named(self, number: Number) -> Number:
        """A number, as a new symbol with its bounds if it would be too large to carry along."""
        if not expressions.too_large(number):
            return number
        found = self.assumptions.range_of(number)
        low, high = max(found.low, expressions.INT_MIN), min(found.high, expressions.INT_MAX)
        return expressions.fresh(int(low), int(high))

    def known_int(self, value: Any) -> Any:
        """A value, if it is an int that is known on this path, or None; NotImplemented else."""
        if isinstance(value, Expression):
            value = self.assumptions.resolve(value)
        return value if value is None or isinstance(value, int) else NotImplemented

    def total(self, left: Number, right: Number) -> Number:
        """The sum of two lengths."""
        return self.named(expressions.add(left, right))

    def is_size(self, value: Any) -> bool:
        """Whether a value is an int that is zero or more."""
        if not is_number(value):
            return False
        return self.assumptions.range_of(self.assumptions.resolve(value)).low >= 0

    def only_sizes(self, value: ListObject) -> bool:
        """Whether the elements of a list are ints that are zero or more."""
        if value.items is None:
            return value.nonnegative
        return all(map(self.is_size, value.items))

    # Changes of lists, and sides that may not be taken.

    def about_to_change(self, value: ListObject) -> None:
        """Note a list's contents for every side that is open."""
        if value.frozen:
            self.give_up("it changes a list that may have another name")
        for trail in self.trails:
            if value.serial < trail.since and value.serial not in trail.before:
                trail.before[value.serial] = (value, value.state())

    def run_side(self, block: Block, frame: list[Any], assumptions: Assumptions) -> Side:
        """Run a block that may not run; lists and assumptions are as before afterwards."""
        outer, self.assumptions = self.assumptions, assumptions
        trail = Trail(next_serial())
        self.trails.append(trail)
        side = Side(assumptions)
        outer_trace = None if self.recorder is None else self.recorder.open(side.trace)
        try:
            side.values = self.run_block(block, frame)
        except Raised as error:
            side.raised = error
            if side.trace.raised is None:
                side.trace.raised = str(error)
        finally:
            if self.recorder is not None:
                self.recorder.close(outer_trace)
            self.trails.pop()
            side.assumptions, self.assumptions = self.assumptions, outer
            for serial, (value, before) in trail.before.items():
                side.changed[serial] = (value, value.state())
                value.restore(before)
        return side

    def take(self, side: Side) -> list[Value]:
        """Go on as this side ended."""
        self.assumptions = side.assumptions
        for value, after in side.changed.values():
            self.about_to_change(value)
            value.restore(after)
        return side.values

    # Control flow.

    def if_(self, instruction: Instruction, frame: list[Any]) -> None:
        """One side where it is known which; both elsewhere."""
        condition = frame[instruction.operands[0]]
        then, otherwise = instruction.blocks
        if not isinstance(condition, _CONDITIONS):
            condition = formulas.Opaque()
        known = condition
        if not isinstance(condition, bool):
            known = self.assumptions.evaluate(condition)
        if known is not None:
            values = self.run_block(then if known else otherwise, frame)
        else:
            values = self.run_both(instruction, condition, frame)
        for slot, value in zip(instruction.results, values, strict=True):
            frame[slot] = value

    def run_both(
        self, instruction: Instruction, condition: Formula, frame: list[Any]
    ) -> list[Value]:
        """Both sides of an `If`, each assuming its outcome; those that are possible are joined."""
        then, otherwise = instruction.blocks
        one, other = self.assumptions.assume(condition), self.assumptions.assume(condition, False)
        if one is None and other is None:
            raise Raised(_IMPOSSIBLE)
        if one is None or (then.raises and other is not None and not otherwise.raises):
            assert other is not None
            if one is not None:
                self.record_raising(then, frame, one, condition, True)
            self.assumptions = other
            return self.run_block(otherwise, frame)
        if other is None or (otherwise.raises and not then.raises):
            if other is not None:
                self.record_raising(otherwise, frame, other, condition, False)
            self.assumptions = one
            return self.run_block(then, frame)
        since = next_serial()
        left = self.run_side(then, frame, one)
        right = self.run_side(otherwise, frame, other)
        if left.raised is not None or right.raised is not None:
            if self.recorder is not None:
                self.recorder.one_raises(condition, left, right)
            if left.raised is not None and right.raised is not None:
                raise left.raised
            return self.take(right if left.raised is not None else left)
        names = left.names(), right.names()
        join = Join(left.assumptions, right.assumptions, condition, since, *names)
        values = [
            join.values(a, b, kind)
            for a, b, kind in zip(left.values, right.values, instruction.kinds, strict=True)
        ]
        self.join_changes(join, left, right)
        joined = join_assumptions(left.assumptions, right.assumptions)
        assert joined is not None
        self.assumptions = join.assumptions(joined)
        if self.recorder is not None:
            self.recorder.branched(condition, left, right, join)
        return values

    def record_raising(
        self, block: Block, frame: list[Any], path: Assumptions, condition: Formula, when: bool
    ) -> None:
        """Note how a side that only raises does so, if anybody wants to know."""
        if self.recorder is not None:
            with contextlib.suppress(GivenUp):
                side = self.run_side(block, frame, path)
                self.recorder.raises(condition, when, side.trace)
                return
            self.recorder.raises(condition, when, Trace([], "it raises"))

    def join_changes(self, join: Join, left: Side, right: Side) -> None:
        """Lists that a side changed hold, afterwards, what both sides left in them."""
        for serial, (value, _) in {**left.changed, **right.changed}.items():
            states = [
                side.changed[serial][1] if serial in side.changed else value.state()
                for side in (left, right)
            ]
            contents = [ListObject(value.kind, []) for _ in states]
            for content, state in zip(contents, states, strict=True):
                content.restore(state)
            self.about_to_change(value)
            value.items = []
            join.contents(value, *contents)

    def loop(self, instruction: Instruction, frame: list[Any]) -> None:
        """Unroll a loop of known length; run one of unknown length until nothing changes."""
        limit, condition, *carried = (frame[slot] for slot in instruction.operands)
        (body,) = instruction.blocks
        index = 0
        while True:
            known = condition
            if condition is not True or type(limit) is not int:
                limit, known = self.known_int(limit), self.assumptions.evaluate(condition)
            if known is False or (isinstance(limit, int) and index >= limit):
                break
            if known is None or not isinstance(limit, int):
                operands = [frame[instruction.operands[0]], condition, *carried]
                carried = Loop(self, instruction, frame).settle(index, operands)
                break
            for slot, value in zip(body.parameters, [index, *carried], strict=True):
                frame[slot] = value
            condition, *carried = self.run_block(body, frame)
            self.steps += 1
            if self.steps > STEP_LIMIT:
                self.give_up(f"a loop runs more than {STEP_LIMIT} steps")
            index += 1
        for slot, value in zip(instruction.results, carried, strict=True):
            frame[slot] = value

    # Operations that need more than their operands.

    def list_construct(self, instruction: Instruction, frame: list[Any]) -> None:
        """A new list."""
        items = [frame[slot] for slot in instruction.operands]
        made = frame[instruction.results[0]] = ListObject(instruction.kinds[0], items)
        if self.recorder is not None:
            self.recorder.made(made)

    def unpack(self, instruction: Instruction, frame: list[Any]) -> None:
        """The elements of a list or tuple."""
        value = frame[instruction.operands[0]]
        items = list_operations.unpack(self, value, instruction.kinds)
        if self.recorder is not None:
            self.recorder.unpacked(instruction, value, items)
        for slot, item in zip(instruction.results, items, strict=True):
            frame[slot] = item

    def unchecked_cast(self, instruction: Instruction, frame: list[Any]) -> None:
        """A value as the calculation found it to be."""
        value = frame[instruction.operands[0]]
        result = frame[instruction.results[0]] = other_operations.cast(value, instruction.kinds[0])
        if self.recorder is not None and isinstance(value, Unknown) and result is not value:
            self.recorder.defined(instruction, [value], result)

    def uninitialized(self, instruction: Instruction, frame: list[Any]) -> None:
        """A value that no path reads."""
        result = frame[instruction.results[0]] = unknown(instruction.kinds[0])
        if self.recorder is not None:
            self.recorder.defined(instruction, [], result)


_HANDLERS: dict[str, Callable[[Evaluator, Instruction, list[Any]], None]] = {
    "torch.prim.If": Evaluator.if_,
    "torch.prim.Loop": Evaluator.loop,
    "func.call": Evaluator.call,
    "torch.prim.RaiseException": Evaluator.raise_exception,
    "torch.prim.ListConstruct": Evaluator.list_construct,
    "torch.prim.ListUnpack": Evaluator.unpack,
    "torch.prim.TupleUnpack": Evaluator.unpack,
    "torch.prim.unchecked_cast": Evaluator.unchecked_cast,
    "torch.prim.Uninitialized": Evaluator.uninitialized,
}
