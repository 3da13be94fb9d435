"""Record a call's allocations, so that they are freed if it fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import create_op
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.abi import ALLOCATE, COMMIT, FREE, LOG, STATUS
from torch_refine.passes.program import symbol_name

# The address of the status is the second of the three words of a scalar memref descriptor.
_ADDRESS = -2
# Functions that get the address of the status, too, under another name.
_LOGS = {LOG: "!llvm.func<i64 (ptr, i64, i64)>", COMMIT: "!llvm.func<void (ptr)>"}
_TRACKED = "_tracked"


@dataclass
class TrackAllocations(Pass):
    """Record a call's allocations, so that they are freed if it fails.

    A function that returns on a failed assertion frees nothing. Each allocation is recorded in a
    list after the status of the call (`lower-asserts`), until it is freed; the caller frees the
    remaining ones. Those that a successful call leaves are its results. Logs of overwritten
    elements (`update-in-place`) are such allocations, too.

    Runs on functions of the llvm dialect.

    Before:

    ```mlir
    llvm.func @malloc(i64) -> !llvm.ptr
    llvm.func @free(!llvm.ptr)
    llvm.func @f(%arg0: i64, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: i64) \
attributes {torch_refine.status} {
      %0 = llvm.call @malloc(%arg0) : (i64) -> !llvm.ptr
      llvm.call @free(%0) : (!llvm.ptr) -> ()
      llvm.return
    }
    ```

    After:

    ```mlir
    llvm.func @malloc(i64) -> !llvm.ptr
    llvm.func @free(!llvm.ptr)
    llvm.func @torch_refine_allocate_tracked(!llvm.ptr, i64) -> (!llvm.ptr {llvm.noalias})
    llvm.func @torch_refine_free_tracked(!llvm.ptr)
    llvm.func @f(%arg0: i64, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: i64) \
attributes {torch_refine.status} {
      %0 = llvm.call @torch_refine_allocate_tracked(%arg2, %arg0) : (!llvm.ptr, i64) -> !llvm.ptr
      llvm.call @torch_refine_free_tracked(%0) : (!llvm.ptr) -> ()
      llvm.return
    }
    ```
    """

    name: ClassVar[str] = "track-allocations"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Track the allocations of a module."""
        functions = [
            each for each in operations(op.regions[0].blocks[0]) if each.name == "llvm.func"
        ]
        found = 0
        for function in functions:
            for call in [each for each in walk(function) if each.name == "llvm.call"]:
                found += _track(call, function)
        if not found:
            return
        first = next(each for each in functions if len(each.regions[0].blocks))
        with ir.InsertionPoint(first), ir.Location.unknown(op.context):
            _declare(ALLOCATE, "!llvm.func<ptr (ptr, i64)>", "[{llvm.noalias}]")
            _declare(FREE, "!llvm.func<void (ptr)>")
            for function in [each for each in functions if symbol_name(each) in _LOGS]:
                name = symbol_name(function) or ""
                function.erase()
                _declare(f"{name}{_TRACKED}", _LOGS[name])
        state.count(self.name, "allocations and releases", found)


def _track(call: ir.Operation, function: ir.Operation) -> int:
    if "callee" not in call.attributes:
        return 0
    name = ir.FlatSymbolRefAttr(call.attributes["callee"]).value
    if name == "free":
        call.attributes["callee"] = ir.FlatSymbolRefAttr.get(FREE, call.context)
        return 1
    if name != "malloc" and name not in _LOGS:
        return 0
    assert STATUS in function.attributes, f"{symbol_name(function)} allocates without a check"
    status = function.regions[0].blocks[0].arguments[_ADDRESS]
    with ir.InsertionPoint(call), call.location:
        operands = [status, *call.operands]
        attributes = {
            "callee": ir.FlatSymbolRefAttr.get(f"{name}{_TRACKED}" if name in _LOGS else ALLOCATE),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(operands), 0]),
            "op_bundle_sizes": ir.DenseI32ArrayAttr.get([]),
        }
        new = create_op("llvm.call", operands, attributes, [each.type for each in call.results])
    for old, made in zip(call.results, new.results, strict=True):
        old.replace_all_uses_with(made)
    call.erase()
    return 1


def _declare(name: str, type: str, results: str | None = None) -> None:
    attributes = {
        "sym_name": ir.StringAttr.get(name),
        "function_type": ir.TypeAttr.get(ir.Type.parse(type)),
        "linkage": ir.Attribute.parse("#llvm.linkage<external>"),
    }
    if results is not None:
        attributes["res_attrs"] = ir.Attribute.parse(results)
    create_op("llvm.func", attributes=attributes, regions=1)
