"""Scatter in parallel where no element is written twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    create_op,
    create_value,
    index_type,
    index_value,
    parallel_loop,
)
from torch_refine.passes.base import Pass, RunState

_SCATTER = "tm_tensor.scatter"


@dataclass
class ParallelizeScatters(Pass):
    """Scatter in parallel where no element is written twice.

    Upstream's loops scatter one update after the other, in a single thread of a GPU. An op whose
    indices are unique, and which only writes its updates, becomes a parallel loop over them.

    Before:

    ```mlir
    func.func @f(%arg0: memref<5x1xf32>, %arg1: memref<5x1xi64>, %arg2: memref<9xf32>) {
      tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%arg0, %arg1 : \
memref<5x1xf32>, memref<5x1xi64>) outs(%arg2 : memref<9xf32>) {
      ^bb0(%arg3: f32, %arg4: f32):
        tm_tensor.yield %arg3 : f32
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<5x1xf32>, %arg1: memref<5x1xi64>, %arg2: memref<9xf32>) {
      %c0 = arith.constant 0 : index
      %c5 = arith.constant 5 : index
      %c1 = arith.constant 1 : index
      scf.parallel (%arg3) = (%c0) to (%c5) step (%c1) {
        %subview = memref.subview %arg0[%arg3, 0] [1, 1] [1, 1] : memref<5x1xf32> to \
memref<1x1xf32, strided<[1, 1], offset: ?>>
        %subview_0 = memref.subview %arg1[%arg3, 0] [1, 1] [1, 1] : memref<5x1xi64> to \
memref<1x1xi64, strided<[1, 1], offset: ?>>
        tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%subview, \
%subview_0 : memref<1x1xf32, strided<[1, 1], offset: ?>>, memref<1x1xi64, strided<[1, 1], \
offset: ?>>) outs(%arg2 : memref<9xf32>) {
        ^bb0(%arg4: f32, %arg5: f32):
          tm_tensor.yield %arg4 : f32
        }
        scf.reduce
      }
      return
    }
    ```
    """

    name: ClassVar[str] = "parallelize-scatters"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == _SCATTER]:
            if _is_parallel(each):
                with each.location:
                    _parallelize(each)
                state.count(self.name, "scatters")


def _is_parallel(op: ir.Operation) -> bool:
    """Whether an op on memrefs writes its updates, to indices that are said to be unique."""
    block = op.regions[0].blocks[0]
    *body, last = operations(block)
    return (
        not len(op.results)
        and not body
        and last.operands[0] == block.arguments[0]
        and bool(ir.BoolAttr(op.attributes["unique_indices"]).value)
        and all(isinstance(operand.type, ir.MemRefType) for operand in op.operands)
    )


def _parallelize(op: ir.Operation) -> None:
    updates, indices, out = op.operands
    size = ir.MemRefType(updates.type).shape[0]
    with ir.InsertionPoint(op):
        count = (
            size
            if size >= 0
            else create_value("memref.dim", index_type(), [updates, index_value(0)])
        )
        body = parallel_loop([count])
    with ir.InsertionPoint(body):
        parts = [_part(operand, body.arguments[0]) for operand in (updates, indices)]
        create_op("scf.reduce")
    op.move_before(list(operations(body))[-1])
    for place, part in enumerate(parts):
        op.operands[place] = part
    assert op.operands[2] == out, "results are whole"


def _part(memory: ir.Value, number: ir.Value) -> ir.Value:
    """One update, or its indices, as memory of one."""
    type = ir.MemRefType(memory.type)
    strides, _ = type.get_strides_and_offset()
    dynamic = ir.ShapedType.get_dynamic_size()
    offset = ir.ShapedType.get_dynamic_stride_or_offset()
    rest = list(type.shape)[1:]
    sizes = [create_value("memref.dim", index_type(), [memory, index_value(place + 1)])
             for place, size in enumerate(rest) if size == dynamic]  # fmt: skip
    return create_value(
        "memref.subview",
        ir.MemRefType.get([1, *rest], type.element_type, ir.StridedLayoutAttr.get(offset, strides)),
        [memory, number, *sizes],
        {
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1, len(sizes), 0]),
            "static_offsets": ir.DenseI64ArrayAttr.get([dynamic, *[0] * len(rest)]),
            "static_sizes": ir.DenseI64ArrayAttr.get([1, *rest]),
            "static_strides": ir.DenseI64ArrayAttr.get([1] * type.rank),
        },
    )
