"""Assign a function's buffers offsets in one allocation."""

from __future__ import annotations

import math
from bisect import insort
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.structured_ops import operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.abi import WORKSPACES
from torch_refine.passes.program import redeclare, returns_of, symbol_name

_ALIGNMENT = 64
# Larger buffers are allocated separately, which fails. Sums of smaller ones do not overflow.
_MOST_BYTES = 1 << 48
# Of a constant to a GPU, where it stays.
_CONSTANT = "gpu.memcpy"
_VIEWS = (
    "memref.expand_shape",
    "memref.collapse_shape",
    "memref.subview",
    "memref.cast",
    "memref.reinterpret_cast",
)
# Terminators pass their operands on.
_HANDED_ON = ("scf.yield", "scf.condition", "func.return", "cf.br", "cf.cond_br")


@dataclass
class PlanMemory(Pass):
    """Assign a function's buffers offsets in one allocation.

    Buffers of static size that a public function allocates and frees become views of its last
    argument, a workspace that the caller keeps between calls: no call waits for the allocator.
    Buffers with disjoint live ranges share offsets. Results, and buffers of dynamic size, are still
    allocated. Upstream's `static-memory-planner-analysis` refuses functions that return buffers.

    Before:

    ```mlir
    func.func @main(%arg0: memref<4xf32>) {
      %alloc = memref.alloc() : memref<4xf32>
      memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32>
      memref.copy %alloc, %arg0 : memref<4xf32> to memref<4xf32>
      memref.dealloc %alloc : memref<4xf32>
      return
    }
    ```

    After:

    ```mlir
    func.func @main(%arg0: memref<4xf32>, %arg1: memref<64xi8>) {
      %c0 = arith.constant 0 : index
      %view = memref.view %arg1[%c0][] : memref<64xi8> to memref<4xf32>
      memref.copy %arg0, %view : memref<4xf32> to memref<4xf32>
      memref.copy %view, %arg0 : memref<4xf32> to memref<4xf32>
      return
    }
    ```
    """

    name: ClassVar[str] = "plan-memory"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Plan for the public functions of a module."""
        if WORKSPACES in op.attributes:
            # Already planned.
            return
        found: dict[str, ir.Attribute] = {}
        number = ir.IntegerType.get_signless(64, op.context)
        for function in operations(op.regions[0].blocks[0]):
            is_public = function.name == "func.func" and "sym_visibility" not in function.attributes
            if is_public and len(function.regions[0].blocks) == 1:
                buffers = _buffers(function.regions[0].blocks[0])
                state.count(self.name, "buffers placed", len(buffers))
                if buffers:
                    total = _place(function, buffers)
                    found[str(symbol_name(function))] = ir.IntegerAttr.get(number, total)
        op.attributes[WORKSPACES] = ir.DictAttr.get(found, op.context)


@dataclass(frozen=True)
class _Buffer:
    """An allocation and its live range, as the numbers of its first and last op."""

    alloc: ir.Operation
    dealloc: ir.Operation
    size: int
    first: int
    last: int


def _buffers(block: ir.Block) -> list[_Buffer]:
    numbers = {op: number for number, op in enumerate(operations(block))}
    return [found for op in numbers if (found := _buffer(op, numbers)) is not None]


def _place(function: ir.Operation, buffers: list[_Buffer]) -> int:
    """Replace buffers by views of a new argument; returns its size in bytes."""
    block = function.regions[0].blocks[0]
    offsets, total = _places(buffers)
    context = function.context
    with context, ir.Location.unknown(context):
        byte = ir.IntegerType.get_signless(8, context)
        memory = block.add_argument(ir.MemRefType.get([total], byte), ir.Location.unknown())
    index = ir.IndexType.get(context)
    for buffer, offset in zip(buffers, offsets, strict=True):
        with ir.InsertionPoint(buffer.alloc), buffer.alloc.location:
            number = create_value(
                "arith.constant", index, [], {"value": ir.IntegerAttr.get(index, offset)}
            )
            view = create_value("memref.view", buffer.alloc.result.type, [memory, number])
        buffer.dealloc.erase()
        buffer.alloc.result.replace_all_uses_with(view)
        buffer.alloc.erase()
    redeclare(function, returns_of(function)[0])
    return total


def workspaces_of(module: ir.Operation) -> dict[str, int]:
    """The workspace size of functions in bytes, by name."""
    if WORKSPACES not in module.attributes:
        return {}
    found = ir.DictAttr(module.attributes[WORKSPACES])
    return {each.name: ir.IntegerAttr(each.attr).value for each in found}


def _places(buffers: list[_Buffer]) -> tuple[list[int], int]:
    """The offset of each buffer, and the size of the workspace.

    In order of allocation, each buffer gets the smallest gap that fits (best fit).
    """
    offsets: list[int] = []
    taken: list[tuple[int, int, int]] = []
    total = 0
    for buffer in buffers:
        taken = [each for each in taken if each[2] >= buffer.first]
        best: tuple[int, int] | None = None
        start = 0
        for offset, end, _ in taken:
            gap = offset - start
            if gap >= buffer.size and (best is None or gap < best[0]):
                best = (gap, start)
            start = max(start, end)
        offset = start if best is None else best[1]
        offsets.append(offset)
        insort(taken, (offset, offset + buffer.size, buffer.last))
        total = max(total, offset + buffer.size)
    return offsets, total


def _buffer(op: ir.Operation, numbers: dict[ir.Operation, int]) -> _Buffer | None:
    """The live range of a buffer that can be placed; None for any other op."""
    if op.name != "memref.alloc" or len(op.operands):
        return None
    type = ir.MemRefType(op.result.type)
    width = getattr(type.element_type, "width", None)
    identity = ir.AffineMap.get_identity(type.rank, op.context)
    if not type.has_static_shape or width is None or type.affine_map != identity:
        return None
    dealloc: ir.Operation | None = None
    last = numbers[op]
    pending = [op.result]
    while pending:
        value = pending.pop()
        for use in value.uses:
            user = operation_of(use.owner)
            if user.name == "memref.dealloc" and value == op.result and dealloc is None:
                dealloc = user
                continue
            if user.name in _VIEWS:
                pending.append(user.results[0])
            elif user.name in (*_HANDED_ON, _CONSTANT) or any(
                isinstance(result.type, ir.MemRefType) for result in user.results
            ):
                return None
            outermost = user
            while outermost not in numbers:
                outermost = operation_of(outermost.parent)
            last = max(last, numbers[outermost])
    if dealloc is None or dealloc not in numbers:
        return None
    size = math.prod(type.shape) * max(width // 8, 1)
    if size > _MOST_BYTES:
        return None
    return _Buffer(op, dealloc, -(-size // _ALIGNMENT) * _ALIGNMENT, numbers[op], last)
