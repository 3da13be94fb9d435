"""Erase buffers that are never read, and read the source of a copy of a copy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.buffers.update_in_place import base

_ALLOC, _COPY = "memref.alloc", "memref.copy"
# Ops that write to no memory.
_HARMLESS = (
    _ALLOC,
    "memref.cast",
    "memref.collapse_shape",
    "memref.dim",
    "memref.expand_shape",
    "memref.subview",
)
# Ops between two copies that are looked at.
_MOST_BETWEEN = 256


@dataclass
class SimplifyCopies(Pass):
    """Erase buffers that are never read, and read the source of a copy of a copy.

    Ops that are bufferized before others, such as `tm_tensor.scatter`, copy what they write to,
    and the bufferization of the others copies it again, where it cannot see that the first copy
    suffices.

    Before:

    ```mlir
    func.func @f(%arg0: memref<4xf32>) -> memref<4xf32> {
      %alloc = memref.alloc() : memref<4xf32>
      memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32>
      %alloc_0 = memref.alloc() : memref<4xf32>
      memref.copy %alloc, %alloc_0 : memref<4xf32> to memref<4xf32>
      return %alloc_0 : memref<4xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<4xf32>) -> memref<4xf32> {
      %alloc = memref.alloc() : memref<4xf32>
      memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32>
      return %alloc : memref<4xf32>
    }
    ```
    """

    name: ClassVar[str] = "simplify-copies"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        allocations = [each for each in walk(op) if each.name == _ALLOC]
        blocks: dict[ir.Block, _Ops] = {}
        for each in allocations:
            _read_source(each, blocks)
        # What an erased buffer was copied from may be unread then.
        for each in reversed(allocations):
            users = [(operation_of(use.owner), use.operand_number) for use in each.result.uses]
            if all(user.name == _COPY and place == 1 for user, place in users):
                for user, _ in users:
                    user.erase()
                each.erase()
                state.count(self.name, "buffers erased")


class _Ops:
    """The ops of a block."""

    def __init__(self, block: ir.Block) -> None:
        self._ops = list(operations(block))
        self._places = {op: place for place, op in enumerate(self._ops)}

    def between(self, first: ir.Operation, second: ir.Operation) -> list[ir.Operation] | None:
        """The ops between two; None if there are many, or the first one is not in front."""
        start, end = self._places[first] + 1, self._places[second]
        return self._ops[start:end] if start <= end <= start + _MOST_BETWEEN else None

    def copy_from(self, copy: ir.Operation, source: ir.Value) -> None:
        """Change what a copy reads; the hash of an op depends on its operands."""
        place = self._places.pop(copy)
        copy.operands[0] = source
        self._places[copy] = place


def _read_source(allocation: ir.Operation, blocks: dict[ir.Block, _Ops]) -> None:
    """Let the only copy of a copy, which is used for nothing else, copy its source.

    Nothing between the two may write to memory. `blocks` has the ops of blocks seen before.
    """
    users = [operation_of(use.owner) for use in allocation.result.uses]
    if len(users) != 2 or any(user.name != _COPY for user in users):
        return
    second, first = sorted(users, key=lambda user: user.operands[1] == allocation.result)
    source = first.operands[0]
    if (
        second.operands[0] != allocation.result
        or first.operands[1] != allocation.result
        or first.block != second.block
        or base(second.operands[1]) == base(source)
    ):
        return
    if first.block not in blocks:
        blocks[first.block] = _Ops(first.block)
    between = blocks[first.block].between(first, second)
    if between is not None and all(_is_harmless(op, base(source)) for op in between):
        blocks[first.block].copy_from(second, source)


def _is_harmless(op: ir.Operation, memory: ir.Value) -> bool:
    """Whether an op is known not to write to a memory."""
    if op.name == _COPY:
        target = base(op.operands[1])
        made = defining_op(target)
        return target != memory and made is not None and made.name == _ALLOC
    return op.name in _HARMLESS or op.name.startswith("arith.")
