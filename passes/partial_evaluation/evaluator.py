"""Runs a calculation over what is known, and writes out what is not.

Known values are computed as they come; an `If` on a known condition runs one side, a loop of known
length is unrolled, calls are entered, and lists are followed through their changes. What depends
on something unknown is written as new IR by `Residual`; what is known after both sides of an
unknown `If` is what they agree on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from torch_refine.abstract_interpreter.running import folding
from torch_refine.abstract_interpreter.running.decoder import Block, Instruction, Program
from torch_refine.abstract_interpreter.running.errors import (
    CALL_LIMIT,
    ROUND_LIMIT,
    STEP_LIMIT,
    GivenUp,
    Raised,
)
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.kinds import element_kind
from torch_refine.passes.partial_evaluation import (
    cast_operations,
    list_operations,
    tensor_operations,
)
from torch_refine.passes.partial_evaluation.cast_operations import plain_or_unknown
from torch_refine.passes.partial_evaluation.merge import Merge, Outcome
from torch_refine.passes.partial_evaluation.residual import Residual
from torch_refine.passes.partial_evaluation.values import (
    ListObject,
    TupleValue,
    Unknown,
    Value,
    freeze,
    is_known,
    lists_in,
    plain,
    same_value,
)


@dataclass(eq=False)
class Scope:
    """A region that is being written and that may or may not run.

    `before` holds, for each list changed inside, its elements on entry.
    """

    op: ir.Operation
    before: dict[ListObject, list[Any] | None] = field(default_factory=dict)


class Memo:
    """Results of library functions for arguments that are known, shared by all calculations."""

    def __init__(self) -> None:
        self.results: dict[Any, list[Value]] = {}
        self.hits = 0
        self.misses = 0


class Evaluator:
    """Runs one calculation.

    `functions` finds the program of a callee, None when there is none; `device` is the type of the
    device that the program was exported for, where it is known.
    """

    def __init__(
        self,
        functions: Callable[[str], Program | None],
        residual: Residual,
        memo: Memo,
        device: str | None = None,
    ) -> None:
        self.functions = functions
        self.residual = residual
        self.memo = memo
        self.device = device
        self.scopes: list[Scope] = []
        self.steps = 0
        self.calls = 0
        # Lists that exist in the IR, where another name may change them.
        self.written: list[ListObject] = []
        # Counts what keeps a call from being remembered: IR written, lists changed.
        self.effects = 0

    # Programs, blocks, calls.

    def run(self, program: Program, captured: Callable[[ir.Value], Value]) -> list[Value]:
        """Run a calculation region; `captured` tells what is known of a value from outside.

        Raises Raised when it always raises, GivenUp when it is too much.
        """
        frame: list[Any] = [None] * program.slots
        for slot, constant in program.constants:
            frame[slot] = constant
        for slot, ssa in program.captured:
            frame[slot] = captured(ssa)
        return self.run_block(program.block, frame)

    def run_block(self, block: Block, frame: list[Any]) -> list[Value]:
        """Run a block's instructions; returns what its terminator yields."""
        for instruction in block.instructions:
            self.steps += 1
            if self.steps > STEP_LIMIT:
                raise GivenUp(f"it takes more than {STEP_LIMIT} steps")
            handler = _HANDLERS.get(instruction.name)
            if handler is not None:
                handler(self, instruction, frame)
            else:
                self.run_plain(instruction, frame)
        return [frame[slot] for slot in block.yields]

    def run_plain(self, instruction: Instruction, frame: list[Any]) -> None:
        """An operation without control flow or effect: compute it, or write it out."""
        arguments = [frame[slot] for slot in instruction.operands]
        fold = folding.FOLDS.get(instruction.name)
        if fold is None:
            self.write_unknown_op(instruction, frame, arguments)
            return
        if all(map(is_known, arguments)):
            try:
                result = fold(*map(plain, arguments))
            except folding.RAISING as error:
                raise Raised(f"{instruction.name}: {error}") from None
            except folding.Overflow:
                result = NotImplemented
            if result is not NotImplemented:
                frame[instruction.results[0]] = result
                return
        self.write_op(instruction, frame, arguments)

    def write_op(
        self, instruction: Instruction, frame: list[Any], arguments: list[Value]
    ) -> ir.Operation:
        """Write an operation that reads its operands; nothing is known of its results."""
        op = instruction.op
        for argument in arguments:
            self.share(argument)
        operands = [
            self.residual.value(argument, self.residual.kind(operand))
            for argument, operand in zip(arguments, op.operands, strict=True)
        ]
        written = self.residual.clone(op, operands)
        self.effects += 1
        for slot, result in zip(instruction.results, written.results, strict=True):
            frame[slot] = self.opaque(result, len(self.scopes))
        return written

    def share(self, value: Value) -> None:
        """Give the lists that can be reached through a value an identity in the IR.

        A list that an op only reads may be written out as a copy; what it holds may come out of
        the op again under another name, so that must be the same object.
        """
        reached = lists_in(value)
        for inner in reached[1:] if isinstance(value, ListObject) else reached:
            self.write_list(inner)

    def opaque(self, ssa: ir.Value, depth: int) -> Value:
        """An SSA value of which nothing is known, in a region `depth` regions deep."""
        value = self.residual.opaque(ssa)
        for made in lists_in(value):
            made.depth = depth
        return value

    def write_unknown_op(
        self, instruction: Instruction, frame: list[Any], arguments: list[Value]
    ) -> None:
        """An operation that may do anything to the lists that it is given."""
        if instruction.blocks:
            raise GivenUp(f"{instruction.name} has regions")
        for argument in arguments:
            for changed in lists_in(argument):
                self.write_list(changed)
                self.record(changed)
                changed.items = None
        self.write_op(instruction, frame, arguments)

    def call(self, instruction: Instruction, frame: list[Any]) -> None:
        """Enter a callee, or remember what it gave for the same arguments."""
        arguments = [frame[slot] for slot in instruction.operands]
        program = self.functions(instruction.callee or "")
        if program is None:
            self.write_unknown_op(instruction, frame, arguments)
            return
        if self.calls >= CALL_LIMIT:
            raise GivenUp(f"@{instruction.callee} calls itself, or calls are nested too deeply")
        key = None
        if all(map(is_known, arguments)):
            key = (instruction.callee, tuple(map(freeze, arguments)))
            remembered = self.memo.results.get(key)
            if remembered is not None:
                self.memo.hits += 1
                for slot, result in zip(instruction.results, remembered, strict=True):
                    frame[slot] = self.fresh(result)
                return
            self.memo.misses += 1
        inner: list[Any] = [None] * program.slots
        for slot, constant in program.constants:
            inner[slot] = constant
        for slot, argument in zip(program.block.parameters, arguments, strict=True):
            inner[slot] = argument
        effects = self.effects
        self.calls += 1
        try:
            results = self.run_block(program.block, inner)
        finally:
            self.calls -= 1
        for slot, result in zip(instruction.results, results, strict=True):
            frame[slot] = result
        if key is not None and effects == self.effects and all(map(is_known, results)):
            given = {id(changed) for argument in arguments for changed in lists_in(argument)}
            if not any(id(item) in given for result in results for item in lists_in(result)):
                self.memo.results[key] = [self.fresh(result) for result in results]

    def fresh(self, value: Value) -> Value:
        """A copy of a known value that shares no list with it."""
        if isinstance(value, ListObject):
            items = [self.fresh(item) for item in value.items or ()]
            return ListObject(value.kind, items, depth=len(self.scopes))
        if isinstance(value, TupleValue):
            return TupleValue(value.kind, tuple(self.fresh(item) for item in value.items))
        return value

    def raise_exception(self, instruction: Instruction, frame: list[Any]) -> None:
        """The end of this path; inside a region that may not run, it is written out."""
        message = frame[instruction.operands[0]]
        if self.scopes:
            self.write_op(instruction, frame, [frame[slot] for slot in instruction.operands])
        raise Raised(message if isinstance(message, str) else _text(message))

    # Changes of lists.

    def new_list(self, kind: str, items: list[Any]) -> ListObject:
        """A list that this region makes."""
        return ListObject(kind, list(items), depth=len(self.scopes))

    def change(
        self,
        instruction: Instruction,
        frame: list[Any],
        arguments: list[Any],
        apply: Callable[[list[Any]], Any] | None,
    ) -> None:
        """Change a list, here and, if it exists there, in the IR.

        `apply` is None when what the change does is not known.
        """
        value = arguments[0]
        if value.given:
            raise GivenUp("it changes a list that belongs to the program")
        if value.depth < len(self.scopes) or apply is None:
            self.write_list(value)
        self.record(value)
        self.effects += 1
        if value.ssa is not None:
            residual = self.residual
            operands = [
                residual.value(argument, residual.kind(operand))
                for argument, operand in zip(arguments, instruction.op.operands, strict=True)
            ]
            residual.clone(instruction.op, operands)
            # Another name of the same list sees the change, and which names are is not known.
            for other in self.written:
                if other is not value and (other.uncertain or value.uncertain):
                    self.record(other)
                    other.items = None
        if value.items is not None:
            # The old elements are kept by whoever recorded them.
            value.items = list(value.items)
            if apply is None:
                value.items = None
            else:
                apply(value.items)
        if instruction.results:
            frame[instruction.results[0]] = value

    def record(self, value: ListObject) -> None:
        """Note a list's elements in every open scope that it is older than, before a change."""
        self.effects += 1
        for scope in self.scopes[value.depth :]:
            scope.before.setdefault(value, value.items)

    def write_list(self, value: ListObject) -> None:
        """Give a list an identity in the IR: it is built where it was last only known here."""
        if value.ssa is None:
            self.share(value)
            before = None
            if value.depth < len(self.scopes):
                before = self.scopes[value.depth].op
            value.ssa = self.residual.copy_of_list(value, before)
            self.effects += 1
        if not any(value is other for other in self.written):
            self.written.append(value)

    # Control flow.

    def if_(self, instruction: Instruction, frame: list[Any]) -> None:
        """One side on a known condition; both, or the one that does not raise, on others."""
        condition = frame[instruction.operands[0]]
        then, otherwise = instruction.blocks
        if type(condition) is bool:
            values = self.run_block(then if condition else otherwise, frame)
        elif then.raises and otherwise.raises:
            values = self.run_block(then, frame)
        elif then.raises:
            values = self.run_guarded(condition, then, otherwise, True, frame)
        elif otherwise.raises:
            values = self.run_guarded(condition, otherwise, then, False, frame)
        else:
            values = self.run_both(instruction, condition, frame)
        for slot, value in zip(instruction.results, values, strict=True):
            frame[slot] = value

    def run_guarded(
        self, condition: Unknown, raising: Block, other: Block, when: bool, frame: list[Any]
    ) -> list[Value]:
        """An `If` of which one side raises: past it, the other side has run."""
        op = self.residual.emit("torch.prim.If", [], [condition.ssa], regions=2)
        self.effects += 1
        sides = op.regions if when else list(reversed(list(op.regions)))
        self.run_in_region(op, sides[0], raising, frame)
        self.end_block(sides[0].blocks[0], "torch.prim.If.yield", [])
        self.end_block(sides[1].blocks.append(), "torch.prim.If.yield", [])
        return self.run_block(other, frame)

    def end_block(self, block: ir.Block, name: str, operands: list[ir.Value]) -> None:
        """Write a block's terminator."""
        outer, self.residual.block = self.residual.block, block
        self.residual.emit(name, [], operands)
        self.residual.block = outer

    def run_in_region(
        self, op: ir.Operation, region: ir.Region, block: Block, frame: list[Any]
    ) -> Outcome:
        """Run a block into a region that may not run; the lists are as before afterwards."""
        scope = Scope(op)
        target = region.blocks[0] if len(region.blocks) else region.blocks.append()
        outer, self.residual.block = self.residual.block, target
        self.scopes.append(scope)
        values: list[Value] = []
        raised = None
        try:
            values = self.run_block(block, frame)
        except Raised as error:
            raised = error
        finally:
            self.scopes.pop()
            self.residual.block = outer
        changed = {value: value.items for value in scope.before}
        for value, items in scope.before.items():
            value.items = items
        return Outcome(values, changed, target, raised)

    def run_both(
        self, instruction: Instruction, condition: Unknown, frame: list[Any]
    ) -> list[Value]:
        """An `If` on an unknown condition: both sides are written, and joined."""
        then, otherwise = instruction.blocks
        draft = self.residual.emit("torch.prim.If", [], [condition.ssa], regions=2)
        self.effects += 1
        one = self.run_in_region(draft, draft.regions[0], then, frame)
        other = self.run_in_region(draft, draft.regions[1], otherwise, frame)
        if one.raised and other.raised:
            raise one.raised
        if one.raised or other.raised:
            # That a side raises was not to be seen before it ran; now it is.
            draft.erase()
            if one.raised:
                return self.run_guarded(condition, then, otherwise, True, frame)
            return self.run_guarded(condition, otherwise, then, False, frame)
        merge = Merge(self, draft, one, other)
        kinds = [self.residual.kind(result) for result in instruction.op.results]
        values = [
            merge.value(left, right, kind)
            for left, right, kind in zip(one.values, other.values, kinds, strict=True)
        ]
        op = merge.finish(condition.ssa)
        results = [merge.resolve(value, op) for value in values]
        self.join_lists(one, other)
        return results

    def join_lists(self, one: Outcome, other: Outcome) -> None:
        """Lists that a side changed have, afterwards, the elements that both sides agree on."""
        for value in {**one.changed, **other.changed}:
            left = one.changed.get(value, value.items)
            right = other.changed.get(value, value.items)
            self.record(value)
            if left is None or right is None or len(left) != len(right):
                value.items = None
                continue
            value.items = [
                a if same_value(a, b) else self.element(value, index)
                for index, (a, b) in enumerate(zip(left, right, strict=True))
            ]

    def element(self, value: ListObject, index: int) -> Value:
        """An element of a list that is written, read from the IR."""
        assert value.ssa is not None
        operands = [value.ssa, self.residual.constant(index)]
        kind = element_kind(value.kind)
        op = self.residual.emit("torch.aten.__getitem__.t", [kind], operands)
        return self.opaque(op.result, len(self.scopes))

    def loop(self, instruction: Instruction, frame: list[Any]) -> None:
        """Unroll a loop of known length; write one of unknown length."""
        limit, condition, *carried = (frame[slot] for slot in instruction.operands)
        (body,) = instruction.blocks
        index = 0
        while type(condition) is bool and type(limit) is int:
            if not condition or index >= limit:
                for slot, value in zip(instruction.results, carried, strict=True):
                    frame[slot] = value
                return
            for slot, value in zip(body.parameters, [index, *carried], strict=True):
                frame[slot] = value
            condition, *carried = self.run_block(body, frame)
            self.steps += 1
            if self.steps > STEP_LIMIT:
                raise GivenUp(f"a loop runs more than {STEP_LIMIT} steps")
            index += 1
        if index:
            raise GivenUp("whether a loop goes on is known for its first turns only")
        self.write_loop(instruction, [limit, condition, *carried], frame)

    def write_loop(self, instruction: Instruction, operands: list[Value], frame: list[Any]) -> None:
        """A loop of unknown length: what it changes is unknown, in it and after it."""
        for value in operands[2:]:
            for carried in lists_in(value):
                if not carried.given:
                    self.write_list(carried)
                    self.record(carried)
                    carried.items = None
        for _ in range(ROUND_LIMIT):
            written = len(self.written)
            op, outcome = self.write_body(instruction, operands, frame)
            if outcome.raised is not None:
                op.erase()
                raise GivenUp("a loop of unknown length raises in every turn")
            if all(value.items is None for value in outcome.changed):
                break
            # Later turns start from what earlier ones changed, so none of it is known.
            op.erase()
            del self.written[written:]
            for value in outcome.changed:
                self.record(value)
                value.items = None
        else:
            raise GivenUp("what a loop changes does not settle")
        for slot, result in zip(instruction.results, op.results, strict=True):
            frame[slot] = self.opaque(result, len(self.scopes))
            self.written += lists_in(frame[slot])

    def write_body(
        self, instruction: Instruction, operands: list[Value], frame: list[Any]
    ) -> tuple[ir.Operation, Outcome]:
        """Write a loop of unknown length and run its body once, for any turn."""
        residual = self.residual
        source = instruction.op
        op = residual.emit(
            source.name,
            [residual.kind(result) for result in source.results],
            [
                residual.value(value, residual.kind(operand))
                for value, operand in zip(operands, source.operands, strict=True)
            ],
            regions=1,
        )
        self.effects += 1
        (body,) = instruction.blocks
        arguments = list(source.regions[0].blocks[0].arguments)
        types = [argument.type for argument in arguments]
        block = op.regions[0].blocks.append(*types, arg_locs=[residual.location] * len(types))
        outer, residual.block = residual.block, block
        for slot, argument in zip(body.parameters, block.arguments, strict=True):
            frame[slot] = self.opaque(argument, len(self.scopes) + 1)
            self.written += lists_in(frame[slot])
        residual.block = outer
        outcome = self.run_in_region(op, op.regions[0], body, frame)
        if outcome.raised is None:
            kinds = ["bool", *map(residual.kind, arguments[1:])]
            residual.block = block
            yielded = [
                residual.value(value, kind)
                for value, kind in zip(outcome.values, kinds, strict=True)
            ]
            residual.emit("torch.prim.Loop.condition", [], yielded)
            residual.block = outer
        return op, outcome


def _text(message: Value) -> str:
    shown = plain_or_unknown(message)
    return shown if isinstance(shown, str) else "it raises"


_HANDLERS: dict[str, Callable[[Evaluator, Instruction, list[Any]], None]] = {
    "func.call": Evaluator.call,
    "torch.prim.If": Evaluator.if_,
    "torch.prim.Loop": Evaluator.loop,
    "torch.prim.RaiseException": Evaluator.raise_exception,
    **list_operations.HANDLERS,
    **tensor_operations.HANDLERS,
    **cast_operations.HANDLERS,
}
