"""Find kernel arguments that no other argument aliases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.abi import NOALIAS
from torch_refine.passes.program import symbol_name

_VIEWS = (
    "memref.expand_shape",
    "memref.collapse_shape",
    "memref.subview",
    "memref.cast",
    "memref.reinterpret_cast",
)
_ALLOCATIONS = ("memref.alloc", "memref.alloca", "memref.get_global")


@dataclass
class MarkNoalias(Pass):
    """Find kernel arguments that no other argument aliases.

    Such an argument is a buffer that the caller allocated, or that `plan-memory` placed, in every
    call of a private function, and no other argument is the same buffer or one of unknown origin.
    The positions of their pointers, once memrefs are descriptors, are an attribute of the function,
    which `attach-noalias` turns into attributes of its arguments. LLVM vectorizes loops without
    comparing addresses then, or at all, where it could not compute them.

    Before:

    ```mlir
    func.func private @kernel(%arg0: memref<4xf32>, %arg1: memref<4xf32>) {
      memref.copy %arg0, %arg1 : memref<4xf32> to memref<4xf32>
      return
    }
    func.func @main(%arg0: memref<4xf32>) -> memref<4xf32> {
      %alloc = memref.alloc() : memref<4xf32>
      call @kernel(%arg0, %alloc) : (memref<4xf32>, memref<4xf32>) -> ()
      return %alloc : memref<4xf32>
    }
    ```

    After:

    ```mlir
    func.func private @kernel(%arg0: memref<4xf32>, %arg1: memref<4xf32>) attributes \
{torch_refine.noalias = array<i64: 5, 6>} {
      memref.copy %arg0, %arg1 : memref<4xf32> to memref<4xf32>
      return
    }
    func.func @main(%arg0: memref<4xf32>) -> memref<4xf32> {
      %alloc = memref.alloc() : memref<4xf32>
      call @kernel(%arg0, %alloc) : (memref<4xf32>, memref<4xf32>) -> ()
      return %alloc : memref<4xf32>
    }
    ```
    """

    name: ClassVar[str] = "mark-noalias"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Mark the functions of a module."""
        calls: dict[str, list[ir.Operation]] = {}
        for each in walk(op):
            if each.name == "func.call":
                callee = ir.FlatSymbolRefAttr(each.attributes["callee"]).value
                calls.setdefault(callee, []).append(each)
        for function in operations(op.regions[0].blocks[0]):
            if function.name != "func.func" or "sym_visibility" not in function.attributes:
                continue
            found = calls.get(str(symbol_name(function)), [])
            places = set.intersection(*map(_unaliased, found)) if found else set()
            if places and len(function.regions[0].blocks):
                pointers = _pointers(function.regions[0].blocks[0], places)
                function.attributes[NOALIAS] = ir.DenseI64ArrayAttr.get(pointers, op.context)
                state.count(self.name, "arguments", len(places))


def _unaliased(call: ir.Operation) -> set[int]:
    """The operands of a call that are buffers of their own."""
    roots = {
        place: _root(value)
        for place, value in enumerate(call.operands)
        if isinstance(value.type, ir.MemRefType)
    }
    if any(root is None for root in roots.values()):
        return set()
    found = list(roots.values())
    return {
        place
        for place, root in roots.items()
        if root is not None and defining_op(root) is not None and found.count(root) == 1
    }


def _root(value: ir.Value) -> ir.Value | None:
    """The allocation or the function argument that a memref is a view of; None if unknown."""
    while True:
        op = defining_op(value)
        if op is None:
            return value if _is_argument(value) else None
        if op.name in _ALLOCATIONS:
            return value
        # Buffers that are placed in a workspace are disjoint while both are in use.
        if op.name == "memref.view" and defining_op(op.operands[0]) is None:
            return value if _root(op.operands[0]) is not None else None
        if op.name not in _VIEWS and op.name != "memref.view":
            return None
        value = op.operands[0]


def _is_argument(value: ir.Value) -> bool:
    """Whether a block argument is one of a function."""
    function = operation_of(value.owner.owner)
    return function.name == "func.func" and bool(function.regions[0].blocks[0] == value.owner)


def _pointers(block: ir.Block, places: set[int]) -> list[int]:
    """The positions of the pointers of arguments, among the parts of all arguments."""
    found: list[int] = []
    position = 0
    for place, argument in enumerate(block.arguments):
        if place in places:
            found += [position, position + 1]
        is_memref = isinstance(argument.type, ir.MemRefType)
        # Two pointers, an offset, the sizes, the strides.
        position += 3 + 2 * ir.MemRefType(argument.type).rank if is_memref else 1
    return found
