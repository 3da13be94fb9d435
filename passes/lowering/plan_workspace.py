"""Give a function's buffers their places in one piece of memory."""

from __future__ import annotations

import math
from bisect import insort
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.indexing import operation_of
from torch_refine.passes.program import redeclare, returns_of, symbol_name

WORKSPACES = "torch_refine.workspaces"
"""On the module: the bytes that the last argument of a function must have, by its name."""

_ALIGNMENT = 64
# Larger buffers are allocated by themselves, which fails. The sum of smaller ones can be counted.
_MOST_BYTES = 1 << 48
_VIEWS = (
    "memref.expand_shape",
    "memref.collapse_shape",
    "memref.subview",
    "memref.cast",
    "memref.reinterpret_cast",
)
# What ends a block hands on what it is given.
_HANDED_ON = ("scf.yield", "scf.condition", "func.return", "cf.br", "cf.cond_br")


@dataclass
class PlanWorkspace(Pass):
    """Give a function's buffers their places in one piece of memory.

    Buffers of known sizes that a public function allocates and frees become views of its last
    argument, which the caller keeps from call to call: no call waits for memory from the system.
    Buffers that are not used at the same time share places. What the function returns, and what
    has a size that is not known, is allocated as before.

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

    name: ClassVar[str] = "plan-workspace"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Plan for the public functions of a module."""
        if WORKSPACES in op.attributes:
            # It ran before.
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
    """What an op allocates, and the ops between which it is used, by their numbers."""

    alloc: ir.Operation
    dealloc: ir.Operation
    size: int
    first: int
    last: int


def _buffers(block: ir.Block) -> list[_Buffer]:
    numbers = {op: number for number, op in enumerate(operations(block))}
    return [found for op in numbers if (found := _buffer(op, numbers)) is not None]


def _place(function: ir.Operation, buffers: list[_Buffer]) -> int:
    """Let buffers be views of a new argument; the bytes that it must have."""
    block = function.regions[0].blocks[0]
    offsets, total = _places(buffers)
    context = function.context
    with context, ir.Location.unknown(context):
        byte = ir.IntegerType.get_signless(8, context)
        memory = block.add_argument(ir.MemRefType.get([total], byte), ir.Location.unknown())
    index = ir.IndexType.get(context)
    for buffer, offset in zip(buffers, offsets, strict=True):
        with ir.InsertionPoint(buffer.alloc), buffer.alloc.location:
            number = ir.Operation.create(
                "arith.constant",
                results=[index],
                attributes={"value": ir.IntegerAttr.get(index, offset)},
            ).result
            view = ir.Operation.create(
                "memref.view", results=[buffer.alloc.result.type], operands=[memory, number]
            ).result
        buffer.dealloc.erase()
        buffer.alloc.result.replace_all_uses_with(view)
        buffer.alloc.erase()
    redeclare(function, returns_of(function)[0])
    return total


def workspaces_of(module: ir.Operation) -> dict[str, int]:
    """The bytes that functions want as their last argument, by their names."""
    if WORKSPACES not in module.attributes:
        return {}
    found = ir.DictAttr(module.attributes[WORKSPACES])
    return {each.name: ir.IntegerAttr(each.attr).value for each in found}


def _places(buffers: list[_Buffer]) -> tuple[list[int], int]:
    """Where each buffer starts, and how much memory that takes.

    In the order in which they are allocated, each gets the smallest gap that holds it.
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
    """What is known of a buffer that can be placed; None for any other op."""
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
            elif user.name in _HANDED_ON or any(
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
