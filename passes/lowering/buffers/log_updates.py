"""Log arguments that a function overwrites, if it may fail later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.abi import COMMIT, WRITTEN
from torch_refine.passes.lowering.buffers.undo_logs import commit_logs, declare_logs, log_whole
from torch_refine.passes.lowering.buffers.update_in_place import accesses
from torch_refine.passes.program import functions_by_name

# Ops that may fail, or call something that may; those of other dialects become such.
_FAILING = ("cf.assert", "memref.alloc", "llvm.call")
_BECOME_FAILING = ("bufferization.", "tm_tensor.")


@dataclass
class LogUpdates(Pass):
    """Log arguments that a function overwrites, if it may fail later.

    The kernels that compute new values of arguments (`torch_refine.written`) write to them. If an
    assertion or an allocation follows, each of them is copied to a log before the first is written,
    so that a call that fails can be undone. Allocations of static size are moved to the begin.

    Before:

    ```mlir
    func.func @main(%arg0: memref<8xf32>, %arg1: i1, %arg2: f32) \
attributes {torch_refine.written = array<i64: 0>} {
      linalg.fill ins(%arg2 : f32) outs(%arg0 : memref<8xf32>)
      cf.assert %arg1, "it is false"
      return
    }
    ```

    After:

    ```mlir
    module {
      llvm.func @torch_refine_log(i64, i64) -> i64
      llvm.func @torch_refine_commit()
      func.func @main(%arg0: memref<8xf32>, %arg1: i1, %arg2: f32) {
        %c32 = arith.constant 32 : index
        %0 = arith.index_cast %c32 : index to i64
        %c1_i64 = arith.constant 1 : i64
        %1 = llvm.call @torch_refine_log(%c1_i64, %0) : (i64, i64) -> i64
        %c0_i64 = arith.constant 0 : i64
        %2 = arith.cmpi ne, %1, %c0_i64 : i64
        cf.assert %2, "cannot allocate {bytes} bytes"
        // ...
        "llvm.intr.memcpy"(%10, %12, %0) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
        linalg.fill ins(%arg2 : f32) outs(%arg0 : memref<8xf32>)
        cf.assert %arg1, "it is false"
        llvm.call @torch_refine_commit() : () -> ()
        return
      }
    }
    ```
    """

    name: ClassVar[str] = "log-updates"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Insert logs in the functions of a module that write to arguments."""
        functions = functions_by_name(op)
        for function in functions.values():
            if WRITTEN in function.attributes:
                count = _log(function, functions)
                if count:
                    declare_logs(op)
                    commit_logs(function)
                    state.count(self.name, "arguments logged", count)
                del function.attributes[WRITTEN]


def _log(function: ir.Operation, functions: dict[str, ir.Operation]) -> int:
    block = function.regions[0].blocks[0]
    places = {op: place for place, op in enumerate(operations(block))}
    written = [
        block.arguments[place]
        for place in ir.DenseI64ArrayAttr(function.attributes[WRITTEN])
        if any(not is_read for _, is_read in accesses(block.arguments[place], functions))
    ]
    if not written:
        return 0
    writes = [
        places[_outermost(op, places)]
        for argument in written
        for op, is_read in accesses(argument, functions)
        if not is_read
    ]
    first = list(places)[min(writes)]
    for op, place in places.items():
        if place > min(writes) and op.name == "memref.alloc" and not len(op.operands):
            op.move_before(first)
    if not any(
        _may_fail(each)
        for op, place in places.items()
        if place >= min(writes) and not _is_moved(op)
        for each in _all_in(op, functions)
    ):
        return 0
    with ir.InsertionPoint(first), first.location:
        for argument in written:
            log_whole(argument)
    return len(written)


def _may_fail(op: ir.Operation) -> bool:
    if op.name == "llvm.call" and "callee" in op.attributes:
        return bool(ir.FlatSymbolRefAttr(op.attributes["callee"]).value != COMMIT)
    return op.name in _FAILING or op.name.startswith(_BECOME_FAILING)


def _is_moved(op: ir.Operation) -> bool:
    return op.name == "memref.alloc" and not len(op.operands)


def _outermost(op: ir.Operation, places: dict[ir.Operation, int]) -> ir.Operation:
    """The op of a block that contains an op."""
    while op not in places:
        parent = op.parent
        assert parent is not None, "it is in the block"
        op = parent.operation
    return op


def _all_in(op: ir.Operation, functions: dict[str, ir.Operation]) -> Iterator[ir.Operation]:
    """An op, those in its regions, and those of the functions that it calls."""
    for each in (op, *walk(op)):
        yield each
        if each.name == "func.call":
            callee = functions[ir.FlatSymbolRefAttr(each.attributes["callee"]).value]
            for inner in _body_of(callee):
                yield from _all_in(inner, functions)


def _body_of(function: ir.Operation) -> Iterator[ir.Operation]:
    """The ops of a function's blocks, without those in their regions."""
    for block in function.regions[0]:
        yield from operations(block)
