"""Write new values of arguments in place, and log what they overwrite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import create_op
from torch_refine.dialect.structured_ops import defining_op, is_structured, num_inputs, operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.abi import UPDATED, UPDATES, WRITTEN
from torch_refine.passes.lowering.buffers.undo_logs import (
    SCATTER,
    commit_logs,
    declare_logs,
    element_width,
    log_elements,
)
from torch_refine.passes.program import functions_by_name, redeclare

_COPY = "memref.copy"
# Views of the whole memory, or a part.
_VIEWS = ("memref.subview", "memref.expand_shape", "memref.collapse_shape", "memref.cast")
# Ops that only read their first operand.
_READ_FIRST = ("memref.load", "memref.dim", "vector.transfer_read", "vector.load", "vector.gather")


@dataclass
class UpdateInPlace(Pass):
    """Write new values of arguments in place, and log what they overwrite.

    A model that writes to a few rows of an input, such as a cache, has the new value as a result,
    which is computed from a copy, and copied back when the call has succeeded. Where the result is
    a copy of the argument with a scatter or a copy into a part, and nothing reads the old value
    later, the argument itself is written, and the result dropped. The previous elements are logged
    first (`torch_refine_log`), so that a call that fails can be undone. A result that is an
    argument is dropped, too: its kernel wrote to that (`carry-in-place`), for which `log-updates`
    makes logs.

    Before:

    ```mlir
    func.func @main(%arg0: memref<8xf32>, %arg1: memref<2xf32>) -> memref<8xf32> \
attributes {torch_refine.updates = array<i64: 0, 0>} {
      %alloc = memref.alloc() : memref<8xf32>
      memref.copy %arg0, %alloc : memref<8xf32> to memref<8xf32>
      %subview = memref.subview %alloc[3] [2] [1] : memref<8xf32> to \
memref<2xf32, strided<[1], offset: 3>>
      memref.copy %arg1, %subview : memref<2xf32> to memref<2xf32, strided<[1], offset: 3>>
      return %alloc : memref<8xf32>
    }
    ```

    After:

    ```mlir
    module attributes {torch_refine.updated = array<i64: 0>} {
      llvm.func @torch_refine_log(i64, i64) -> i64
      llvm.func @torch_refine_commit()
      func.func @main(%arg0: memref<8xf32>, %arg1: memref<2xf32>) {
        %subview = memref.subview %arg0[3] [2] [1] : memref<8xf32> to \
memref<2xf32, strided<[1], offset: 3>>
        // ...
        memref.copy %arg1, %subview : memref<2xf32> to memref<2xf32, strided<[1], offset: 3>>
        llvm.call @torch_refine_commit() : () -> ()
        return
      }
    }
    ```
    """

    name: ClassVar[str] = "update-in-place"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the functions of a module that say which results update arguments."""
        functions = functions_by_name(op)
        for function in functions.values():
            if UPDATES in function.attributes:
                pairs = list(ir.DenseI64ArrayAttr(function.attributes[UPDATES]))
                found = _updates(function, pairs, functions)
                whole = _rewritten(function, pairs)
                # The results have other numbers afterwards.
                del function.attributes[UPDATES]
                if found or whole:
                    dropped = sorted([*(each.result for each in found), *whole])
                    _rewrite(function, found, dropped)
                    declare_logs(op)
                    op.attributes[UPDATED] = ir.DenseI64ArrayAttr.get(dropped, op.context)
                    state.count(self.name, "arguments", len(dropped))


def updated_results(module: ir.Operation) -> list[int]:
    """The results of `main` that were dropped, because they are in arguments."""
    if UPDATED not in module.attributes:
        return []
    return list(ir.DenseI64ArrayAttr(module.attributes[UPDATED]))


def _rewritten(function: ir.Operation, pairs: list[int]) -> list[int]:
    """The results that are arguments, of which they are the new values (`carry-in-place`)."""
    if WRITTEN not in function.attributes:
        return []
    block = function.regions[0].blocks[0]
    returned = list(operations(block))[-1]
    written = list(ir.DenseI64ArrayAttr(function.attributes[WRITTEN]))
    return [
        result
        for result, place in zip(pairs[::2], pairs[1::2], strict=True)
        if place in written and returned.operands[result] == block.arguments[place]
    ]


@dataclass(frozen=True)
class _Update:
    """A result, the argument that it updates, its copy, and the ops that write to that."""

    result: int
    argument: ir.Value
    copy: ir.Operation
    writes: list[ir.Operation]


def _updates(
    function: ir.Operation, pairs: list[int], functions: dict[str, ir.Operation]
) -> list[_Update]:
    blocks = list(function.regions[0].blocks)
    if len(blocks) != 1:
        return []
    places = {op: place for place, op in enumerate(operations(blocks[0]))}
    returned = list(places)[-1]
    found = []
    for result, argument in zip(pairs[::2], pairs[1::2], strict=True):
        update = _update(returned, result, blocks[0].arguments[argument], places, functions)
        if update is not None:
            found.append(update)
    return found


def _update(
    returned: ir.Operation,
    result: int,
    argument: ir.Value,
    places: dict[ir.Operation, int],
    functions: dict[str, ir.Operation],
) -> _Update | None:
    value = returned.operands[result]
    made = defining_op(value)
    type = argument.type
    if (
        made is None
        or made.name != "memref.alloc"
        or value.type != type
        or not isinstance(type, ir.MemRefType)
        or element_width(type.element_type) is None
        # Another result of the caller's own would share the memory.
        or [base(each) for each in returned.operands].count(value) != 1
    ):
        return None
    copies, writes = [], []
    for op, is_read in accesses(value, functions):
        if op == returned or is_read:
            continue
        if op.name == _COPY and op.operands[0] == argument and op.operands[1] == value:
            copies.append(op)
        elif op in places and _is_loggable(op, value, argument):
            writes.append(op)
        else:
            return None
    if len(copies) != 1 or copies[0] not in places or not writes:
        return None
    first = min(places[op] for op in writes)
    if places[copies[0]] > first:
        return None
    # Whatever reads the old value does so before it is overwritten.
    for op, is_read in accesses(argument, functions):
        top = _in_block(op, places)
        if op == copies[0] or op.name == "memref.dim":
            continue
        if not is_read or top is None or places[top] > first:
            return None
    return _Update(result, argument, copies[0], writes)


def accesses(
    value: ir.Value, functions: dict[str, ir.Operation]
) -> Iterator[tuple[ir.Operation, bool]]:
    """The ops that access a memory, also through views, and whether they are known to only read."""
    for use in value.uses:
        op, place = operation_of(use.owner), use.operand_number
        if op.name in _VIEWS:
            yield from accesses(op.results[0], functions)
        elif op.name == "func.call":
            callee = functions[ir.FlatSymbolRefAttr(op.attributes["callee"]).value]
            yield op, _only_reads(callee, place, functions)
        else:
            is_input = (is_structured(op) and place < num_inputs(op)) or (
                op.name in (_COPY, *_READ_FIRST) and place == 0
            )
            yield op, is_input


def _only_reads(function: ir.Operation, place: int, functions: dict[str, ir.Operation]) -> bool:
    """Whether a function only reads an argument, and does not return it."""
    blocks = list(function.regions[0].blocks)
    return len(blocks) == 1 and all(
        is_read for _, is_read in accesses(blocks[0].arguments[place], functions)
    )


def _is_loggable(op: ir.Operation, value: ir.Value, argument: ir.Value) -> bool:
    """Whether an op writes some elements of a memory, and reads neither it nor the argument."""
    if op.name == SCATTER:
        target, sources = op.operands[2], list(op.operands)[:2]
        is_whole = target == value
    elif op.name == _COPY:
        target, sources = op.operands[1], [op.operands[0]]
        is_whole = base(target) == value and target != value
    else:
        return False
    return is_whole and all(base(each) not in (value, argument) for each in sources)


def base(value: ir.Value) -> ir.Value:
    """The memory that a value is a view of."""
    made = defining_op(value)
    while made is not None and made.name in _VIEWS:
        value = made.operands[0]
        made = defining_op(value)
    return value


def _in_block(op: ir.Operation, places: dict[ir.Operation, int]) -> ir.Operation | None:
    """The op of a block that contains an op."""
    current: ir.Operation | None = op
    while current is not None and current not in places:
        parent = current.parent
        current = None if parent is None else parent.operation
    return current


def _rewrite(function: ir.Operation, updates: list[_Update], dropped: list[int]) -> None:
    """Write to the arguments, and drop the results."""
    block = function.regions[0].blocks[0]
    for update in updates:
        made = operation_of(update.copy.operands[1].owner)
        update.copy.erase()
        made.result.replace_all_uses_with(update.argument)
        made.erase()
        for op in update.writes:
            with ir.InsertionPoint(op), op.location:
                log_elements(op)
    returned = list(operations(block))[-1]
    kept = [value for place, value in enumerate(returned.operands) if place not in dropped]
    with ir.InsertionPoint(returned), returned.location:
        less = create_op("func.return", kept)
    returned.erase()
    if "res_attrs" in function.attributes:
        del function.attributes["res_attrs"]
    redeclare(function, less)
    if updates:
        commit_logs(function)
