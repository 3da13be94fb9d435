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

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.element_types import dtype_of_element
from torch_refine.dialect.kinds import element_kind, split_kinds
from torch_refine.passes.abstract_interpreter import folding
from torch_refine.passes.abstract_interpreter.decoder import Block, Instruction, Program
from torch_refine.passes.abstract_interpreter.residual import Residual, narrower
from torch_refine.passes.abstract_interpreter.values import (
    ListObject,
    TensorValue,
    TupleValue,
    Unknown,
    Value,
    freeze,
    is_known,
    is_scalar,
    kind_of,
    plain,
)

# What one calculation may cost: instructions run, calls inside calls. Past it, nothing is inferred.
STEP_LIMIT = 200_000
CALL_LIMIT = 40


class Raised(Exception):
    """The calculation raises whenever it runs; the argument is its message."""


class GivenUp(Exception):
    """The calculation cannot be simplified; the argument says why. It stays as it is."""


@dataclass(eq=False)
class Scope:
    """A region that is being written and that may or may not run.

    `before` holds, for each list changed inside, its elements on entry.
    """

    op: ir.Operation
    before: dict[ListObject, list[Any] | None] = field(default_factory=dict)


@dataclass
class Outcome:
    """How a side of an `If` ended: what it yields, and the lists that it changed."""

    values: list[Value]
    changed: dict[ListObject, list[Any] | None]
    block: ir.Block
    raised: Raised | None


class Memo:
    """Results of library functions for arguments that are known, shared by all calculations."""

    def __init__(self) -> None:
        self.results: dict[Any, list[Value]] = {}
        self.hits = 0
        self.misses = 0


class Evaluator:
    """Runs one calculation; `functions` finds the program of a callee, None when there is none."""

    def __init__(
        self,
        functions: Callable[[str], Program | None],
        residual: Residual,
        memo: Memo,
    ) -> None:
        self.functions = functions
        self.residual = residual
        self.memo = memo
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
        operands = [
            self.residual.value(argument, self.residual.kind(operand))
            for argument, operand in zip(arguments, op.operands, strict=True)
        ]
        written = self.residual.clone(op, operands)
        self.effects += 1
        for slot, result in zip(instruction.results, written.results, strict=True):
            frame[slot] = self.residual.opaque(result)
        return written

    def write_unknown_op(
        self, instruction: Instruction, frame: list[Any], arguments: list[Value]
    ) -> None:
        """An operation that may do anything to the lists that it is given."""
        if instruction.blocks:
            raise GivenUp(f"{instruction.name} has regions")
        for argument in arguments:
            for changed in _lists_in(argument):
                self.write_list(changed)
                self.record(changed)
                changed.items = None
        self.write_op(instruction, frame, arguments)

    def call(self, instruction: Instruction, frame: list[Any]) -> None:
        """Enter a callee, or remember what it gave for the same arguments."""
        arguments = [frame[slot] for slot in instruction.operands]
        program = self.functions(instruction.callee or "")
        if program is None or self.calls >= CALL_LIMIT:
            self.write_unknown_op(instruction, frame, arguments)
            return
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
        results = self.run_block(program.block, inner)
        self.calls -= 1
        for slot, result in zip(instruction.results, results, strict=True):
            frame[slot] = result
        if key is not None and effects == self.effects and all(map(is_known, results)):
            given = {id(changed) for argument in arguments for changed in _lists_in(argument)}
            if not any(id(item) in given for result in results for item in _lists_in(result)):
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
        raise Raised(message if isinstance(message, str) else _partial(message))

    # Lists and tuples.

    def list_construct(self, instruction: Instruction, frame: list[Any]) -> None:
        kind = self.residual.kind(instruction.op.result)
        items = [frame[slot] for slot in instruction.operands]
        frame[instruction.results[0]] = ListObject(kind, items, depth=len(self.scopes))

    def tuple_construct(self, instruction: Instruction, frame: list[Any]) -> None:
        kind = self.residual.kind(instruction.op.result)
        items = tuple(frame[slot] for slot in instruction.operands)
        frame[instruction.results[0]] = TupleValue(kind, items)

    def tuple_index(self, instruction: Instruction, frame: list[Any]) -> None:
        value, index = (frame[slot] for slot in instruction.operands)
        if isinstance(value, TupleValue) and type(index) is int:
            frame[instruction.results[0]] = value.items[index]
        else:
            self.write_op(instruction, frame, [value, index])

    def unpack(self, instruction: Instruction, frame: list[Any]) -> None:
        value = frame[instruction.operands[0]]
        if isinstance(value, TupleValue | ListObject) and value.items is not None:
            if len(value.items) != len(instruction.results):
                raise Raised(f"{len(value.items)} values to unpack into {len(instruction.results)}")
            for slot, item in zip(instruction.results, value.items, strict=True):
                frame[slot] = item
        else:
            self.write_op(instruction, frame, [value])

    def length(self, instruction: Instruction, frame: list[Any]) -> None:
        value = frame[instruction.operands[0]]
        if isinstance(value, ListObject) and value.items is not None:
            frame[instruction.results[0]] = len(value.items)
        elif isinstance(value, str):
            frame[instruction.results[0]] = len(value)
        else:
            self.write_op(instruction, frame, [value])

    def get_item(self, instruction: Instruction, frame: list[Any]) -> None:
        value, index = (frame[slot] for slot in instruction.operands)
        if isinstance(value, ListObject) and value.items is not None and type(index) is int:
            frame[instruction.results[0]] = value.items[self.position(value, index)]
        else:
            self.write_op(instruction, frame, [value, index])

    def position(self, value: ListObject, index: int) -> int:
        length = len(value.items or ())
        if not -length <= index < length:
            raise Raised(f"list index {index} is out of range for a list of {length}")
        return index

    def slice(self, instruction: Instruction, frame: list[Any]) -> None:
        value, *bounds = (frame[slot] for slot in instruction.operands)
        known = isinstance(value, ListObject) and value.items is not None
        if known and all(bound is None or type(bound) is int for bound in bounds):
            low, high, step = bounds
            if step is None or step > 0:
                items = value.items[slice(low, high, step)]
                frame[instruction.results[0]] = self.new_list(value.kind, items)
                return
        self.write_op(instruction, frame, [value, *bounds])

    def new_list(self, kind: str, items: list[Any]) -> ListObject:
        return ListObject(kind, list(items), depth=len(self.scopes))

    def copy_list(self, instruction: Instruction, frame: list[Any]) -> None:
        value = frame[instruction.operands[0]]
        if isinstance(value, ListObject) and value.items is not None:
            frame[instruction.results[0]] = self.new_list(value.kind, value.items)
        else:
            self.write_op(instruction, frame, [value])

    def concatenate(self, instruction: Instruction, frame: list[Any]) -> None:
        left, right = (frame[slot] for slot in instruction.operands)
        if left.items is not None and right.items is not None:
            frame[instruction.results[0]] = self.new_list(left.kind, left.items + right.items)
        else:
            self.write_op(instruction, frame, [left, right])

    def repeat_list(self, instruction: Instruction, frame: list[Any]) -> None:
        arguments = [frame[slot] for slot in instruction.operands]
        value, count = sorted(arguments, key=lambda entry: not isinstance(entry, ListObject))
        if value.items is not None and type(count) is int and count * len(value.items) < STEP_LIMIT:
            frame[instruction.results[0]] = self.new_list(value.kind, value.items * count)
        else:
            self.write_op(instruction, frame, arguments)

    def append(self, instruction: Instruction, frame: list[Any]) -> None:
        value, item = (frame[slot] for slot in instruction.operands)
        self.change(instruction, frame, [value, item], lambda items: items.append(item))

    def extend(self, instruction: Instruction, frame: list[Any]) -> None:
        value, more = (frame[slot] for slot in instruction.operands)
        added = more.items
        self.change(
            instruction,
            frame,
            [value, more],
            None if added is None else lambda items: items.extend(list(added)),
        )

    def insert(self, instruction: Instruction, frame: list[Any]) -> None:
        value, index, item = (frame[slot] for slot in instruction.operands)
        known = type(index) is int
        apply = (lambda items: items.insert(index, item)) if known else None
        self.change(instruction, frame, [value, index, item], apply)

    def set_item(self, instruction: Instruction, frame: list[Any]) -> None:
        value, index, item = (frame[slot] for slot in instruction.operands)
        apply = None
        if type(index) is int:
            if value.items is not None:
                self.position(value, index)
            apply = lambda items: items.__setitem__(index, item)  # noqa: E731
        self.change(instruction, frame, [value, index, item], apply)

    def pop(self, instruction: Instruction, frame: list[Any]) -> None:
        value, *rest = (frame[slot] for slot in instruction.operands)
        index = rest[0] if rest else -1
        if value.items is None or type(index) is not int or value.ssa is not None:
            self.write_unknown_op(instruction, frame, [value, *rest])
            return
        self.position(value, index)
        popped = value.items[index]
        self.change(instruction, frame, [value, *rest], lambda items: items.pop(index))
        frame[instruction.results[0]] = popped

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
            before = None
            if value.depth < len(self.scopes):
                before = self.scopes[value.depth].op
            value.ssa = self.residual.copy_of_list(value, before)
            self.effects += 1
        if not any(value is other for other in self.written):
            self.written.append(value)

    # Facts about tensors and dtypes.

    def size(self, instruction: Instruction, frame: list[Any]) -> None:
        tensor = frame[instruction.operands[0]]
        type = self.residual.types.tensor(tensor.ssa.type)
        if type is None or type.sizes is None:
            self.write_op(instruction, frame, [tensor])
            return
        items = [
            self.residual.size(tensor.ssa, dim) if size is None else size
            for dim, size in enumerate(type.sizes)
        ]
        frame[instruction.results[0]] = self.new_list("list<int>", items)

    def size_of_dim(self, instruction: Instruction, frame: list[Any]) -> None:
        tensor, dim = (frame[slot] for slot in instruction.operands)
        size = known_size(self.residual.types.tensor(tensor.ssa.type), dim)
        if size is not None:
            frame[instruction.results[0]] = size
        else:
            self.write_op(instruction, frame, [tensor, dim])

    def rank(self, instruction: Instruction, frame: list[Any]) -> None:
        tensor = frame[instruction.operands[0]]
        type = self.residual.types.tensor(tensor.ssa.type)
        if type is None or type.sizes is None:
            self.write_op(instruction, frame, [tensor])
        else:
            frame[instruction.results[0]] = len(type.sizes)

    def dtype(self, instruction: Instruction, frame: list[Any]) -> None:
        tensor = frame[instruction.operands[0]]
        type = None
        if isinstance(tensor, TensorValue):
            type = self.residual.types.tensor(tensor.ssa.type)
        number = None if type is None or type.element is None else dtype_of_element(type.element)
        if number is None:
            self.write_op(instruction, frame, [tensor])
        else:
            frame[instruction.results[0]] = number

    def number_to_tensor(self, instruction: Instruction, frame: list[Any]) -> None:
        """`NumToTensor` is how existing libraries ask for the dtype of a number."""
        (number,) = (frame[slot] for slot in instruction.operands)
        self.write_op(instruction, frame, [number])
        kind = folding.dtype_of_kind(kind_of(number))
        if kind is not NotImplemented:
            frame[instruction.results[0]] = _NumberTensor(frame[instruction.results[0]], kind)

    def dtype_of(self, instruction: Instruction, frame: list[Any]) -> None:
        tensor = frame[instruction.operands[0]]
        if isinstance(tensor, _NumberTensor):
            frame[instruction.results[0]] = tensor.dtype
        else:
            self.dtype(instruction, frame)

    def dtype_of_number(self, instruction: Instruction, frame: list[Any]) -> None:
        (number,) = (frame[slot] for slot in instruction.operands)
        dtype = folding.dtype_of_kind(kind_of(number))
        if dtype is NotImplemented:
            self.write_op(instruction, frame, [number])
        else:
            frame[instruction.results[0]] = dtype

    def promote(self, instruction: Instruction, frame: list[Any]) -> None:
        ranks, dtypes = (frame[slot] for slot in instruction.operands)
        result = NotImplemented
        if ranks.items is not None and dtypes.items is not None:
            if len(ranks.items) != len(dtypes.items):
                raise Raised("torch.promote_dtypes: as many ranks as dtypes are needed")
            tensors_only = all(_is_rank(rank) for rank in ranks.items)
            if tensors_only or all(map(is_scalar, ranks.items)):
                known_ranks = [r if is_scalar(r) else NotImplemented for r in ranks.items]
                known_dtypes = [d if is_scalar(d) else NotImplemented for d in dtypes.items]
                result = folding.promote(known_ranks, known_dtypes)
        if result is NotImplemented:
            self.write_op(instruction, frame, [ranks, dtypes])
        else:
            frame[instruction.results[0]] = result

    # Casts and tests of types.

    def derefine(self, instruction: Instruction, frame: list[Any]) -> None:
        """A cast to a wider type hides nothing here: the narrow type is kept."""
        frame[instruction.results[0]] = frame[instruction.operands[0]]

    def unchecked_cast(self, instruction: Instruction, frame: list[Any]) -> None:
        value = frame[instruction.operands[0]]
        kind = self.residual.kind(instruction.op.result)
        if isinstance(value, Unknown) and value.kind != kind and value.kind not in ("int", "float"):
            self.write_op(instruction, frame, [value])
        else:
            frame[instruction.results[0]] = value

    def is_none(self, instruction: Instruction, frame: list[Any]) -> None:
        left, right = (frame[slot] for slot in instruction.operands)
        same = _same(left, right)
        if same is None:
            self.write_op(instruction, frame, [left, right])
        else:
            frame[instruction.results[0]] = same == (instruction.name == "torch.aten.__is__")

    def isinstance(self, instruction: Instruction, frame: list[Any]) -> None:
        value, types = (frame[slot] for slot in instruction.operands)
        kind = kind_of(value)
        if kind in ("int", "float", "str"):
            frame[instruction.results[0]] = kind in types.split("|")
        else:
            self.write_op(instruction, frame, [value, types])

    def format(self, instruction: Instruction, frame: list[Any]) -> None:
        """A message: known parts are filled in, and it is kept for whoever reports it."""
        arguments = [frame[slot] for slot in instruction.operands]
        if all(map(is_known, arguments)):
            frame[instruction.results[0]] = folding.format_message(*map(plain, arguments))
        else:
            self.write_op(instruction, frame, arguments)
            written = frame[instruction.results[0]]
            parts = [_plain_or_unknown(argument) for argument in arguments]
            frame[instruction.results[0]] = _Message(
                written.ssa, written.kind, folding.format_message(*parts)
            )

    def uninitialized(self, instruction: Instruction, frame: list[Any]) -> None:
        """A value that no path reads."""
        self.write_op(instruction, frame, [])

    # Control flow.

    def if_(self, instruction: Instruction, frame: list[Any]) -> None:
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
        merge = _Merge(self, draft, one, other)
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
        return self.residual.opaque(op.result)

    def loop(self, instruction: Instruction, frame: list[Any]) -> None:
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
            for carried in _lists_in(value):
                if not carried.given:
                    self.write_list(carried)
                    self.record(carried)
                    carried.items = None
        known = -1
        while True:
            op, outcome = self.write_body(instruction, operands, frame)
            if outcome.raised is not None:
                op.erase()
                raise GivenUp("a loop of unknown length raises in every turn")
            if not outcome.changed or known == len(outcome.changed):
                break
            # Later turns start from what earlier ones changed, so none of it is known.
            known = len(outcome.changed)
            op.erase()
            for value in outcome.changed:
                self.record(value)
                value.items = None
        for slot, result in zip(instruction.results, op.results, strict=True):
            frame[slot] = self.residual.opaque(result)
            for value in _lists_in(frame[slot]):
                self.written.append(value)

    def write_body(
        self, instruction: Instruction, operands: list[Value], frame: list[Any]
    ) -> tuple[ir.Operation, Outcome]:
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
            frame[slot] = residual.opaque(argument)
            for value in _lists_in(frame[slot]):
                self.written.append(value)
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


@dataclass(eq=False, slots=True)
class _Message(Unknown):
    """A message of which parts are unknown; `text` has question marks in their place."""

    text: str = ""


@dataclass(eq=False, slots=True)
class _NumberTensor:
    """A number made a tensor, to ask for its dtype."""

    tensor: Any
    dtype: int

    @property
    def ssa(self) -> ir.Value:
        """The tensor's SSA value."""
        return self.tensor.ssa  # type: ignore[no-any-return]


@dataclass(frozen=True)
class _Phi:
    """The place of a result of an `If` that is still being written."""

    index: int
    items: tuple[Any, ...] | None = None
    list_kind: str | None = None
    given: bool = False


class _Merge:
    """Joins the values that the two sides of an unknown `If` yield."""

    def __init__(
        self, evaluator: Evaluator, draft: ir.Operation, one: Outcome, other: Outcome
    ) -> None:
        self.evaluator = evaluator
        self.draft = draft
        self.sides = (one, other)
        self.kinds: list[str] = []
        self.operands: tuple[list[ir.Value], list[ir.Value]] = ([], [])
        self.lists: dict[tuple[int, int], Any] = {}

    def value(self, left: Value, right: Value, kind: str) -> Any:
        """The join of two values of the type `kind`, with `_Phi` for what differs."""
        if same_value(left, right):
            return left
        if isinstance(left, TupleValue) and isinstance(right, TupleValue):
            kinds = split_kinds(kind if kind.startswith("tuple<") else left.kind)
            pairs = zip(left.items, right.items, kinds, strict=True)
            return TupleValue(left.kind, tuple(self.value(a, b, k) for a, b, k in pairs))
        if isinstance(left, ListObject) and isinstance(right, ListObject):
            key = (id(left), id(right))
            if key not in self.lists:
                self.lists[key] = self.list(left, right)
            return self.lists[key]
        return self.phi(left, right, narrower(left, right, kind))

    def phi(self, left: Value, right: Value, kind: str) -> _Phi:
        """A result of the `If` that is `left` or `right`."""
        residual = self.evaluator.residual
        outer = residual.block
        for side, value, operands in zip(self.sides, (left, right), self.operands, strict=True):
            residual.block = side.block
            operands.append(residual.value(value, kind))
        residual.block = outer
        self.kinds.append(kind)
        return _Phi(len(self.kinds) - 1)

    def list(self, left: ListObject, right: ListObject) -> Any:
        """The join of two lists.

        Lists that only their side knows become one new list. Otherwise the result is an older
        list under a second name, so it must be the same object in the IR, too.
        """
        depth = len(self.evaluator.scopes)
        items = None
        if left.items is not None and right.items is not None and len(left.items) == len(right.items):
            element = element_kind(left.kind)
            pairs = list(zip(left.items, right.items, strict=True))
            if all(not isinstance(entry, ListObject) for pair in pairs for entry in pair):
                items = tuple(self.value(a, b, element) for a, b in pairs)
        own = all(
            value.depth > depth and value.ssa is None and not value.uncertain and not value.given
            for value in (left, right)
        )
        if own and items is not None:
            return _Phi(-1, items, left.kind)
        for value in (left, right):
            if not value.given and value.depth <= depth:
                self.evaluator.write_list(value)
        phi = self.phi(left, right, left.kind)
        return _Phi(phi.index, items, left.kind, left.given or right.given)

    def finish(self, condition: ir.Value) -> ir.Operation:
        """Write the `If` with all its results, in place of the draft."""
        residual = self.evaluator.residual
        for side, operands in zip(self.sides, self.operands, strict=True):
            self.evaluator.end_block(side.block, "torch.prim.If.yield", operands)
        op = residual.emit("torch.prim.If", self.kinds, [condition], regions=2)
        for side, region in zip(self.sides, op.regions, strict=True):
            side.block.append_to(region)
        self.draft.erase()
        return op

    def resolve(self, value: Any, op: ir.Operation) -> Value:
        """Put the results of the written `If` in place of every `_Phi`."""
        evaluator = self.evaluator
        if isinstance(value, TupleValue):
            return TupleValue(value.kind, tuple(self.resolve(item, op) for item in value.items))
        if not isinstance(value, _Phi):
            return value  # type: ignore[no-any-return]
        if value.list_kind is None:
            return evaluator.residual.opaque(op.results[value.index])
        items = None
        if value.items is not None:
            items = [self.resolve(item, op) for item in value.items]
        depth = len(evaluator.scopes)
        if value.index < 0:
            return ListObject(value.list_kind, items, depth=depth)
        joined = ListObject(
            value.list_kind, items, op.results[value.index], True, value.given, depth
        )
        evaluator.written.append(joined)
        return joined


def _lists_in(value: Value) -> list[ListObject]:
    """The lists in a value, at any depth."""
    if isinstance(value, ListObject):
        return [value, *(inner for item in value.items or () for inner in _lists_in(item))]
    if isinstance(value, TupleValue):
        return [inner for item in value.items for inner in _lists_in(item)]
    return []


def same_value(left: Value, right: Value) -> bool:
    """Whether two values are certainly the same one, as objects where they have identity."""
    if left is right:
        return True
    if is_scalar(left) and is_scalar(right):
        return freeze(left) == freeze(right)
    if isinstance(left, Unknown | TensorValue) and isinstance(right, Unknown | TensorValue):
        return left.ssa == right.ssa
    if isinstance(left, TupleValue) and isinstance(right, TupleValue):
        return len(left.items) == len(right.items) and all(
            map(same_value, left.items, right.items)
        )
    return False


def _same(left: Value, right: Value) -> bool | None:
    """Whether `left is right`, which programs ask of None only; None when that is not known."""
    if left is None and right is None:
        return True
    if left is not None and right is not None:
        return None
    value = right if left is None else left
    if isinstance(value, Unknown) and value.kind.startswith(("optional<", "any", "union<")):
        return None
    return False


def _is_rank(value: Value) -> bool:
    """Whether an entry of `promote_dtypes`' ranks is certainly a tensor's, known or not."""
    return value is not None and (is_scalar(value) or kind_of(value) == "int")


def known_size(type: Any, dim: Value) -> int | None:
    """The size of a dimension that a tensor type tells, None when it does not."""
    if type is None or type.sizes is None or not isinstance(dim, int) or isinstance(dim, bool):
        return None
    if not -len(type.sizes) <= dim < len(type.sizes):
        return None
    return type.sizes[dim]  # type: ignore[no-any-return]


def _plain_or_unknown(value: Value) -> Any:
    """A value for a message, with NotImplemented for what is not known."""
    if isinstance(value, _Message):
        return value.text
    if isinstance(value, ListObject | TupleValue):
        if value.items is None:
            return NotImplemented
        return [_plain_or_unknown(item) for item in value.items]
    return value if is_scalar(value) else NotImplemented


def _partial(message: Value) -> str:
    shown = _plain_or_unknown(message)
    return shown if isinstance(shown, str) else "it raises"


_HANDLERS: dict[str, Callable[[Evaluator, Instruction, list[Any]], None]] = {
    "func.call": Evaluator.call,
    "torch.prim.If": Evaluator.if_,
    "torch.prim.Loop": Evaluator.loop,
    "torch.prim.RaiseException": Evaluator.raise_exception,
    "torch.prim.Uninitialized": Evaluator.uninitialized,
    "torch.prim.ListConstruct": Evaluator.list_construct,
    "torch.prim.TupleConstruct": Evaluator.tuple_construct,
    "torch.prim.TupleIndex": Evaluator.tuple_index,
    "torch.prim.TupleUnpack": Evaluator.unpack,
    "torch.prim.ListUnpack": Evaluator.unpack,
    "torch.aten.len.t": Evaluator.length,
    "torch.aten.len.str": Evaluator.length,
    "torch.aten.__getitem__.t": Evaluator.get_item,
    "torch.aten.slice.t": Evaluator.slice,
    "torch.aten.list.t": Evaluator.copy_list,
    "torch.aten.copy.t": Evaluator.copy_list,
    "torch.aten.add.t": Evaluator.concatenate,
    "torch.aten.mul.left_t": Evaluator.repeat_list,
    "torch.aten.mul.right_": Evaluator.repeat_list,
    "torch.aten.append.t": Evaluator.append,
    "torch.aten.extend.t": Evaluator.extend,
    "torch.aten.insert.t": Evaluator.insert,
    "torch.aten._set_item.t": Evaluator.set_item,
    "torch.aten.pop.t": Evaluator.pop,
    "torch.aten.size": Evaluator.size,
    "torch.aten.size.int": Evaluator.size_of_dim,
    "torch.aten.dim": Evaluator.rank,
    "torch.prim.dtype": Evaluator.dtype_of,
    "torch.prim.NumToTensor.Scalar": Evaluator.number_to_tensor,
    "torch_refine.dtype_of_number": Evaluator.dtype_of_number,
    "torch_refine.isinstance": Evaluator.isinstance,
    "torch.promote_dtypes": Evaluator.promote,
    "torch.derefine": Evaluator.derefine,
    "torch.prim.unchecked_cast": Evaluator.unchecked_cast,
    "torch.aten.__is__": Evaluator.is_none,
    "torch.aten.__isnot__": Evaluator.is_none,
    "torch.aten.format": Evaluator.format,
}
