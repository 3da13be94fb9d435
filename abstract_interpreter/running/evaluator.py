"""Run library functions on abstract values.

Operations on known values are folded. An `If` on an unknown condition runs both sides, each
assuming its outcome; an infeasible side, or one that raises, is dropped, and the others are joined.
A loop of known trip count is unrolled, one of unknown trip count is iterated to a fixed point.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Protocol, TypeAlias

from torch_refine.abstract_interpreter.conditions import conditions
from torch_refine.abstract_interpreter.conditions.conditions import SymbolicCondition
from torch_refine.abstract_interpreter.conditions.joining import Join
from torch_refine.abstract_interpreter.conditions.path_condition import PathCondition
from torch_refine.abstract_interpreter.conditions.path_condition import join as join_assumptions
from torch_refine.abstract_interpreter.lists import operations as list_operations
from torch_refine.abstract_interpreter.numbers import operations as number_operations
from torch_refine.abstract_interpreter.numbers.expressions import (
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
from torch_refine.abstract_interpreter.running.path_state import IMPOSSIBLE, PathState
from torch_refine.abstract_interpreter.running.recording import Recorder
from torch_refine.abstract_interpreter.running.sides import Side, Trail
from torch_refine.abstract_interpreter.values import (
    ListObject,
    Unknown,
    Value,
    is_known,
    plain,
    shown,
    unknown,
)

OPERATIONS: dict[str, Callable[[PathState, list[Any]], Any]] = {
    **number_operations.OPERATIONS,
    **list_operations.OPERATIONS,
    **other_operations.OPERATIONS,
}


# Operations folded if all operands are known, except those that preserve a list's identity.
_FOLDS = {
    name: fold for name, fold in folding.FOLDS.items() if name not in other_operations.OPERATIONS
}


# Operations without effects, other than on their list operands.
KNOWN = OPERATIONS.keys() | folding.FOLDS.keys()

_CONDITIONS = (bool, *conditions.SYMBOLIC_CONDITIONS)


Handler: TypeAlias = "Callable[[Any, Instruction, list[Any]], None]"


class Handlers(Protocol):
    """Finds the handler of an instruction by its name."""

    def get(self, name: str, /) -> Handler | None:
        """The handler, None for an operation that is applied to its operands."""


class Evaluator(PathState):
    """Runs one function; `functions` finds the program of a callee, None if there is none."""

    # The handlers of instructions by name; None for an operation on ints, lists and such.
    handlers: Handlers

    def __init__(
        self,
        functions: Callable[[str], Program | None],
        device: str | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        super().__init__(device, recorder)
        self.functions = functions
        self.calls = 0

    # Programs, blocks, calls.

    def run(
        self, program: Program, arguments: list[Any], captured: Iterable[Any] = ()
    ) -> list[Value]:
        """Run a function, or a calculation with `captured` values.

        Raises Raised if it always raises, GivenUp if it exceeds the budget.
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
        handlers = self.handlers
        for instruction in block.instructions:
            self.steps += 1
            if self.steps > STEP_LIMIT:
                self.give_up(f"it takes more than {STEP_LIMIT} steps")
            name = instruction.name
            handler = handlers.get(name)
            if handler is not None:
                handler(self, instruction, frame)
            else:
                operands = [frame[slot] for slot in instruction.operands]
                kind = instruction.kinds[0] if instruction.results else "none"
                if self.recorder is None:
                    result = self.apply(name, operands, kind)
                else:
                    result = self.apply_recorded(self.recorder, instruction, operands, kind)
                if instruction.results:
                    frame[instruction.results[0]] = result
        return [frame[slot] for slot in block.yields]

    def apply(self, name: str, operands: list[Any], kind: str) -> Value:
        """The only result of an operation without control flow; `kind` is its type."""
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

    def apply_recorded(
        self, recorder: Recorder, instruction: Instruction, operands: list[Any], kind: str
    ) -> Value:
        """Apply an operation, and record it."""
        if instruction.blocks:
            self.give_up(f"{instruction.name} has regions")
        before = list(map(snapshot, operands))
        mark = next_serial()
        result = self.apply(instruction.name, operands, kind)
        recorder.applied(instruction, operands, before, mark, result)
        return result

    def call(self, instruction: Instruction, frame: list[Any]) -> None:
        """Call a function."""
        arguments = [frame[slot] for slot in instruction.operands]
        program = self.functions(instruction.callee or "")
        if program is None:
            before = list(map(snapshot, arguments))
            self.forget(arguments)
            values = list(map(unknown, instruction.kinds))
            if self.recorder is not None:
                self.recorder.effect(instruction, before, values)
        else:
            values = self.nested(f"@{instruction.callee}", partial(self.run, program, arguments))
        for slot, value in zip(instruction.results, values, strict=True):
            frame[slot] = value

    def nested(self, name: str, run: Callable[[], list[Value]]) -> list[Value]:
        """Run a callee."""
        if self.calls >= CALL_LIMIT:
            self.give_up(f"{name} is recursive, or calls are nested too deeply")
        self.calls += 1
        try:
            return run()
        finally:
            self.calls -= 1

    def raise_exception(self, instruction: Instruction, frame: list[Any]) -> None:
        """End this path by raising."""
        if self.recorder is not None:
            self.recorder.raised(frame[instruction.operands[0]])
        message = shown(frame[instruction.operands[0]], self.assumptions)
        raise Raised(message if isinstance(message, str) else "?")

    # List mutations, and sides that may not run.

    def run_side(self, block: Block, frame: list[Any], assumptions: PathCondition) -> Side:
        """Run a block that may not run; lists and path condition are restored afterwards."""
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
        """Continue with the end state of a side."""
        self.assumptions = side.assumptions
        for value, after in side.changed.values():
            self.about_to_change(value)
            value.restore(after)
        return side.values

    # Control flow.

    def if_(self, instruction: Instruction, frame: list[Any]) -> None:
        """Run the side that is taken if known, else both."""
        condition = frame[instruction.operands[0]]
        then, otherwise = instruction.blocks
        if not isinstance(condition, _CONDITIONS):
            condition = conditions.Opaque()
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
        self, instruction: Instruction, condition: SymbolicCondition, frame: list[Any]
    ) -> list[Value]:
        """Run both sides of an `If`, each assuming its outcome, and join the feasible ones."""
        then, otherwise = instruction.blocks
        one, other = self.assumptions.assume(condition), self.assumptions.assume(condition, False)
        if one is None and other is None:
            raise Raised(IMPOSSIBLE)
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
        self,
        block: Block,
        frame: list[Any],
        path: PathCondition,
        condition: SymbolicCondition,
        when: bool,
    ) -> None:
        """Record how a side raises, if there is a recorder."""
        if self.recorder is not None:
            with contextlib.suppress(GivenUp):
                side = self.run_side(block, frame, path)
                self.recorder.raises(condition, when, side.trace)
                return
            self.recorder.raises(condition, when, Trace([], "it raises"))

    def join_changes(self, join: Join, left: Side, right: Side) -> None:
        """Join the contents of the lists that the sides mutated."""
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
        """Unroll a loop of known trip count; iterate one of unknown trip count to a fixed point."""
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
                run = partial(self.run_side, body, frame)
                carried = Loop(self, instruction, frame, run).settle(index, operands)
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

    # Operations on frames.

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
        """A value under the type that the calculation asserts."""
        value = frame[instruction.operands[0]]
        result = frame[instruction.results[0]] = other_operations.cast(value, instruction.kinds[0])
        if self.recorder is not None and isinstance(value, Unknown) and result is not value:
            self.recorder.defined(instruction, [value], result)

    def uninitialized(self, instruction: Instruction, frame: list[Any]) -> None:
        """A value that is never read."""
        result = frame[instruction.results[0]] = unknown(instruction.kinds[0])
        if self.recorder is not None:
            self.recorder.defined(instruction, [], result)


HANDLERS: dict[str, Handler] = {
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

Evaluator.handlers = HANDLERS
