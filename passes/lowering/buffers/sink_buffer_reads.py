"""Sink `to_buffer` ops to their uses, and mark those that only read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_op
from torch_refine.dialect.structured_ops import num_inputs, operation_of
from torch_refine.passes.base import Pass, RunState, option

# They read their first operand: a cast is to the address of a tile.
_READ = ("memref.copy", "memref.prefetch", "builtin.unrealized_conversion_cast")
_TO_BUFFER = "bufferization.to_buffer"
_ALLOC, _ALIGNMENT = "memref.alloc", "alignment"


@dataclass
class SinkBufferReads(Pass):
    """Sink `to_buffer` ops to their uses, and mark those that only read.

    `tm-tensor-bufferize` places `to_buffer` where the tensor is computed, far above the scatter or
    sort that reads it. Upstream's analysis takes that as the point of the read, but an op in
    between may write to the same buffer. With an alignment, the buffers that were allocated get it,
    as those of upstream's bufferization do: vectors of others may be in two cache lines.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<2xf32>) -> tensor<2xf32> {
      %0 = bufferization.to_buffer %arg0 : tensor<2xf32> to memref<2xf32>
      %cst = arith.constant 1.000000e+00 : f32
      %1 = linalg.fill ins(%cst : f32) outs(%arg0 : tensor<2xf32>) -> tensor<2xf32>
      %alloc = memref.alloc() : memref<2xf32>
      memref.copy %0, %alloc : memref<2xf32> to memref<2xf32>
      return %1 : tensor<2xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<2xf32>) -> tensor<2xf32> {
      %cst = arith.constant 1.000000e+00 : f32
      %0 = linalg.fill ins(%cst : f32) outs(%arg0 : tensor<2xf32>) -> tensor<2xf32>
      %alloc = memref.alloc() : memref<2xf32>
      %1 = bufferization.to_buffer %arg0 read_only : tensor<2xf32> to memref<2xf32>
      memref.copy %1, %alloc : memref<2xf32> to memref<2xf32>
      return %0 : tensor<2xf32>
    }
    ```
    """

    name: ClassVar[str] = "sink-buffer-reads"

    alignment: int = option(0, "of buffers that are allocated, in bytes; 0 leaves them")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Sink them in a module, or in one function."""
        number = ir.IntegerType.get_signless(64, op.context)
        for each in [each for each in walk(op) if each.name == _ALLOC]:
            if self.alignment and _ALIGNMENT not in each.attributes:
                each.attributes[_ALIGNMENT] = ir.IntegerAttr.get(number, self.alignment)
        for each in [each for each in walk(op) if each.name == _TO_BUFFER]:
            [memory] = each.results
            for use in list(memory.uses):
                user, number = operation_of(use.owner), use.operand_number
                with ir.InsertionPoint(user), each.location:
                    own = create_op(
                        _TO_BUFFER,
                        list(each.operands),
                        {"read_only": ir.UnitAttr.get(op.context)}
                        if _is_read(user, number)
                        else {},
                        results=[memory.type],
                    )
                user.operands[number] = own.result
                state.count(self.name, "reads sunk")
            each.erase()


def _is_read(user: ir.Operation, number: int) -> bool:
    """Whether an op only reads one of its operands."""
    if user.name in _READ:
        return number == 0
    return user.name.startswith("tm_tensor.") and number < num_inputs(user)
