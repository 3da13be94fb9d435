"""Which ops contradict each other, if refinement rejects a program.

Refinement reports the op at which a contradiction appears, which need not be the wrong one. Of the
ops and declared types that this op depends on, those that are not needed for the contradiction are
left out one by one: without any of the rest, the program would be accepted.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from contextlib import closing
from pathlib import Path

from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.lattice import Lattice
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.diagnostics import location_text
from torch_refine.dialect.library import LibraryError
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import PassFailure, RunState
from torch_refine.passes.program import modules, program_functions
from torch_refine.passes.refine_types import RefineTypes, deep_recursion
from torch_refine.passes.type_refinement.sweep import Sweep
from torch_refine.pipelines.explanation.model import Conflict

# What a search may cost, for all contradictions of a module.
_MOST_RUNS = 200
_MOST_SECONDS = 8.0
_MOST_CONFLICTS = 4


class _Listening(Sweep):
    """A sweep that notes which ops it reports, and takes nothing from the ops `without`."""

    def __init__(
        self, module: ir.Operation, inference: Inference, without: Collection[ir.Operation]
    ) -> None:
        super().__init__(module, inference, RunState(), RefineTypes.name, strict=True)
        self.reported: list[tuple[ir.Operation, str]] = []
        self.without = without

    def report(self, op: ir.Operation, message: str) -> None:
        """An op that always fails."""
        if self.writing:
            self.reported.append((op, message))
        super().report(op, message)

    def visit_function(self, op: ir.Operation, name: str) -> None:
        """An operator with functions."""
        if op in self.without:
            self.visit_unknown(op, name)
        else:
            super().visit_function(op, name)

    def block(self, block: ir.Block) -> None:
        """Visit a block; all of it, as nothing is changed in the program that is kept."""
        super().block(block)


class _Search:
    """Runs refinement on copies of a module, with some ops and declared types left out."""

    def __init__(self, module: ir.Operation, programs: Programs, text: str) -> None:
        self.module = module
        self.programs = programs
        self.text = text
        self.runs = 0
        self._end = time.monotonic() + _MOST_SECONDS
        self.ops = [op for function in program_functions(module) for op in walk(function)]
        self.numbers = {op: number for number, op in enumerate(self.ops)}

    @property
    def spent(self) -> bool:
        """Whether the budget is spent."""
        return self.runs >= _MOST_RUNS or time.monotonic() > self._end

    def reported(
        self, without: Collection[ir.Operation] = (), erased: Collection[ir.Value] = ()
    ) -> dict[int, str]:
        """The numbers of the ops that refinement reports, with the messages."""
        self.runs += 1
        copied = self.module.clone().operation
        ops = [op for function in program_functions(copied) for op in walk(function)]
        types = Types(copied.context)
        for value in erased:
            _erase(_copy_of(value, self, ops, copied), types)
        left_out = {ops[self.numbers[op]] for op in without}
        numbers = {op: number for number, op in enumerate(ops)}
        found: dict[int, str] = {}
        inference = Inference(self.programs, Lattice())
        try:
            with deep_recursion(copied, RefineTypes.name, RunState()):
                for each in modules(copied):
                    with closing(_Listening(each, inference, left_out)) as sweep:
                        sweep.refine()
                        for op, message in sweep.reported:
                            if op in numbers:
                                found.setdefault(numbers[op], message)
        except PassFailure:
            return found
        return found


def conflicts(
    module: ir.Operation, extra_library: Iterable[Path] = (), text: str = ""
) -> list[Conflict]:
    """The contradictions of a module, each with the fewest ops that have it; a few of them.

    `module` is left unchanged. Empty if refinement accepts it.
    """
    try:
        programs = Programs(extra_library)
    except LibraryError:
        return []
    search = _Search(module, programs, text)
    found = search.reported()
    return [
        _smallest(search, number, message)
        for number, message in list(found.items())[:_MOST_CONFLICTS]
    ]


def _smallest(search: _Search, number: int, message: str) -> Conflict:
    op = search.ops[number]
    members: list[ir.Operation | ir.Value] = _slice(op)
    needed = list(members)
    # First several at once: most ops of a long slice have nothing to do with it.
    size = max(len(needed) // 2, 1)
    while not search.spent:
        position = 0
        while position < len(needed) and not search.spent:
            fewer = needed[:position] + needed[position + size :]
            if _still(search, number, [each for each in members if each not in fewer]):
                needed = fewer
            else:
                position += size
        if size == 1:
            break
        size = max(size // 2, 1)
    place = location_text(op.location, search.text)
    shown = [_member(search, each) for each in _in_order(search, needed)]
    return Conflict(message, place, (*shown, _member(search, op)), not search.spent)


def _still(search: _Search, number: int, left_out: list[ir.Operation | ir.Value]) -> bool:
    """Whether an op is still reported with others left out."""
    operations = [each for each in left_out if isinstance(each, ir.Operation)]
    values = [each for each in left_out if isinstance(each, ir.Value)]
    return number in search.reported(operations, values)


def _slice(op: ir.Operation) -> list[ir.Operation | ir.Value]:
    """What an op depends on: operators before it, and values whose types are declared."""
    seen: dict[ir.Value, None] = {}
    pending = list(op.operands)
    for region in op.regions:
        for block in region:
            for inner in block.operations:
                pending += list(inner.operation.operands)
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen[value] = None
        owner = value.owner
        if not isinstance(owner, ir.Block):
            pending += list(owner.operation.operands)
    found: dict[ir.Operation | ir.Value, None] = {}
    types = Types(op.context)
    for value in (*op.results, *seen):
        owner = value.owner
        type = types.tensor(value.type)
        if type is not None and type != type.erased() and not _is_literal(owner):
            found[value] = None
        if not isinstance(owner, ir.Block) and owner.operation != op and type is not None:
            found[owner.operation] = None
    return list(found)


def _is_literal(owner: ir.Operation | ir.Block) -> bool:
    return not isinstance(owner, ir.Block) and owner.operation.name == "torch.vtensor.literal"


def _erase(value: ir.Value, types: Types) -> None:
    type = types.tensor(value.type)
    if type is not None:
        value.set_type(types.parse(TensorType(type.value_semantics)))


def _copy_of(
    value: ir.Value, search: _Search, ops: list[ir.Operation], copied: ir.Operation
) -> ir.Value:
    """A value of the module in a copy of it."""
    owner = value.owner
    if not isinstance(owner, ir.Block):
        return ops[search.numbers[owner.operation]].results[ir.OpResult(value).result_number]
    outer = owner.owner.operation
    if outer in search.numbers:
        copy = ops[search.numbers[outer]]
    else:
        functions = zip(program_functions(search.module), program_functions(copied), strict=True)
        copy = next(other for one, other in functions if one == outer)
    for one, other in zip(outer.regions, copy.regions, strict=True):
        for block, its in zip(one.blocks, other.blocks, strict=True):
            if block == owner:
                argument: ir.Value = its.arguments[ir.BlockArgument(value).arg_number]
                return argument
    raise AssertionError("a block argument without a block")


def _in_order(
    search: _Search, members: list[ir.Operation | ir.Value]
) -> list[ir.Operation | ir.Value]:
    def key(member: ir.Operation | ir.Value) -> int:
        owner = member.owner if isinstance(member, ir.Value) else member
        return -1 if isinstance(owner, ir.Block) else search.numbers[owner.operation]

    return sorted(members, key=key)


def _member(search: _Search, member: ir.Operation | ir.Value) -> tuple[str, str | None]:
    state = ir.AsmState(search.module)
    if isinstance(member, ir.Operation):
        names = ", ".join(result.get_name(state) for result in member.results)
        text = f"{names} = {name_of(member)}" if names else name_of(member)
        return text, location_text(member.location, search.text)
    owner = member.owner
    location = member.location if isinstance(owner, ir.Block) else owner.operation.location
    what = "argument" if isinstance(owner, ir.Block) else "the result"
    text = f"{what} {member.get_name(state)}, declared {member.type}"
    return text, location_text(location, search.text)
