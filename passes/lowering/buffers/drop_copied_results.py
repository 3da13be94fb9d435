"""Drop results that copy an argument the function already wrote to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import constant_int_value, create_op
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.program import is_private, redeclare, symbol_name

_COPY = "memref.copy"
# Ops that may follow the copies at the end of a function.
_HARMLESS = ("arith.constant", "memref.alloc", "memref.dim", _COPY)


@dataclass
class DropCopiedResults(Pass):
    """Drop results that copy an argument the function already wrote to.

    A kernel that writes its result into a slice of a larger buffer takes that slice with its
    strides. Function results are contiguous, though, so bufferization copies the slice for the
    caller, which has it already. The kernel then returns nothing instead, and the caller reads the
    slice; `drop-equivalent-buffer-results` does the same for contiguous arguments. For it, what is
    an argument whose dimensions were collapsed, and expanded to its own sizes, is the argument.

    Before:

    ```mlir
    func.func private @k(%arg0: memref<4xf32, strided<[1], offset: ?>>, %arg1: f32) -> \
memref<4xf32> {
      linalg.fill ins(%arg1 : f32) outs(%arg0 : memref<4xf32, strided<[1], offset: ?>>)
      %alloc = memref.alloc() : memref<4xf32>
      memref.copy %arg0, %alloc : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
      return %alloc : memref<4xf32>
    }
    func.func @main(%arg0: memref<4xf32, strided<[1], offset: ?>>, %arg1: f32, %arg2: \
memref<4xf32>) {
      %0 = call @k(%arg0, %arg1) : (memref<4xf32, strided<[1], offset: ?>>, f32) -> memref<4xf32>
      memref.copy %0, %arg2 : memref<4xf32> to memref<4xf32>
      return
    }
    ```

    After:

    ```mlir
    func.func private @k(%arg0: memref<4xf32, strided<[1], offset: ?>>, %arg1: f32) {
      linalg.fill ins(%arg1 : f32) outs(%arg0 : memref<4xf32, strided<[1], offset: ?>>)
      return
    }
    func.func @main(%arg0: memref<4xf32, strided<[1], offset: ?>>, %arg1: f32, %arg2: \
memref<4xf32>) {
      call @k(%arg0, %arg1) : (memref<4xf32, strided<[1], offset: ?>>, f32) -> ()
      memref.copy %arg0, %arg2 : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
      return
    }
    ```
    """

    name: ClassVar[str] = "drop-copied-results"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the private functions of a module and their calls."""
        callers: dict[str, list[ir.Operation]] = {}
        for each in walk(op):
            if each.name == "func.call":
                callee = str(ir.FlatSymbolRefAttr(each.attributes["callee"]).value)
                callers.setdefault(callee, []).append(each)
        for function in operations(op.regions[0].blocks[0]):
            if function.name != "func.func" or not is_private(function):
                continue
            restored = _restore_arguments(function)
            if restored:
                state.count(self.name, "arguments restored", restored)
            calls = callers.get(symbol_name(function) or "", [])
            dropped = _copied_arguments(function)
            if dropped and all(_are_copied(call, dropped) for call in calls):
                _drop(function, dropped)
                for call in calls:
                    _call_without(call, dropped)
                state.count(self.name, "results", len(dropped))


def _restore_arguments(function: ir.Operation) -> int:
    """Return arguments instead of what they are after their dimensions were collapsed; how many."""
    count = 0
    for returned in walk(function):
        if returned.name != "func.return":
            continue
        for place, value in enumerate(returned.operands):
            source = _unexpanded(value)
            if source is not None:
                returned.operands[place] = source
                count += 1
    return count


def _unexpanded(value: ir.Value) -> ir.Value | None:
    """The memref that an expansion of its collapsed form is, with the same sizes."""
    expanded = defining_op(value)
    if expanded is None or expanded.name != "memref.expand_shape":
        return None
    collapsed = defining_op(expanded.operands[0])
    if collapsed is None or collapsed.name != "memref.collapse_shape":
        return None
    source = collapsed.operands[0]
    type = ir.MemRefType(source.type)
    unknown = [index for index in range(type.rank) if type.is_dynamic_dim(index)]
    sizes = list(expanded.operands)[1:]
    is_same = source.type == value.type and all(
        _is_size_of(size, source, index) for size, index in zip(sizes, unknown, strict=True)
    )
    return source if is_same else None


def _is_size_of(size: ir.Value, memref: ir.Value, index: int) -> bool:
    op = defining_op(size)
    if op is None or op.name != "memref.dim" or op.operands[0] != memref:
        return False
    return constant_int_value(op.operands[1]) == index


def _copied_arguments(function: ir.Operation) -> dict[int, int]:
    """Maps results of a function that are copies of strided arguments to these arguments."""
    blocks = list(function.regions[0].blocks)
    if len(blocks) != 1:
        return {}
    last = list(operations(blocks[0]))
    returned = last.pop()
    copies: dict[ir.Value, ir.Value] = {}
    while last and last[-1].name in _HARMLESS:
        op = last.pop()
        if op.name == _COPY:
            copies[op.operands[1]] = op.operands[0]
    found = {}
    for place, value in enumerate(returned.operands):
        source = copies.get(value)
        producer = defining_op(value)
        if source is None or producer is None or producer.name != "memref.alloc":
            continue
        is_argument = isinstance(source.owner, ir.Block) and source.owner == blocks[0]
        strided = isinstance(ir.MemRefType(source.type).layout, ir.StridedLayoutAttr)
        if is_argument and strided and sum(1 for _ in value.uses) == 2:
            found[place] = ir.BlockArgument(source).arg_number
    return found


def _are_copied(call: ir.Operation, results: dict[int, int]) -> bool:
    """Whether a caller only copies some results."""
    uses = [use for place in results for use in call.results[place].uses]
    return all(operation_of(use.owner).name == _COPY and use.operand_number == 0 for use in uses)


def _drop(function: ir.Operation, dropped: dict[int, int]) -> None:
    """Remove some results from a function."""
    returned = list(operations(function.regions[0].blocks[0]))[-1]
    copies = [returned.operands[place] for place in dropped]
    kept = [value for place, value in enumerate(returned.operands) if place not in dropped]
    with ir.InsertionPoint(returned), returned.location:
        less = create_op("func.return", kept)
    returned.erase()
    for value in copies:
        for use in list(value.uses):
            operation_of(use.owner).erase()
        operation_of(value.owner).erase()
    redeclare(function, less)


def _call_without(call: ir.Operation, dropped: dict[int, int]) -> None:
    """Call a function without some results, and read the arguments instead."""
    kept = [result for place, result in enumerate(call.results) if place not in dropped]
    with ir.InsertionPoint(call), call.location:
        less = create_op(
            "func.call",
            list(call.operands),
            {"callee": call.attributes["callee"]},
            results=[result.type for result in kept],
        )
    for place, argument in dropped.items():
        call.results[place].replace_all_uses_with(call.operands[argument])
    for old, new in zip(kept, less.results, strict=True):
        old.replace_all_uses_with(new)
    call.erase()
