"""Convert a batched matmul whose right operand is broadcast to one matmul."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import (
    defining_op,
    dims_of,
    maps,
    repeated_dims,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.fusion.images.building import (
    built,
    collapsed,
    expanded,
    transposed,
)

_PRODUCT = "linalg.batch_matmul"
_DEFAULT = [[0, 1, 3], [0, 3, 2], [0, 1, 2]]
# The batch and row dimensions that become rows.
_ROWS = [[0, 1], [2]]


@dataclass
class BatchMatmulToMatmul(Pass):
    """Convert a batched matmul whose right operand is broadcast to one matmul.

    PyTorch computes the matmul of a non-contiguous tensor and a matrix as a batch, and broadcasts
    the matrix. The rows of all batches are rows of one matrix, so no broadcast is needed.

    Before:

    ```mlir
    #map = affine_map<(d0, d1, d2) -> (d1, d2)>
    #map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
    func.func @f(%arg0: tensor<4x2x3xf32>, %arg1: tensor<3x5xf32>, %arg2: tensor<4x2x5xf32>) -> \
tensor<4x2x5xf32> {
      %0 = tensor.empty() : tensor<4x3x5xf32>
      %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", \
"parallel", "parallel"]} ins(%arg1 : tensor<3x5xf32>) outs(%0 : tensor<4x3x5xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<4x3x5xf32>
      %2 = linalg.batch_matmul ins(%arg0, %1 : tensor<4x2x3xf32>, tensor<4x3x5xf32>) outs(%arg2 \
: tensor<4x2x5xf32>) -> tensor<4x2x5xf32>
      return %2 : tensor<4x2x5xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<4x2x3xf32>, %arg1: tensor<3x5xf32>, %arg2: tensor<4x2x5xf32>) -> \
tensor<4x2x5xf32> {
      %0 = tensor.empty() : tensor<4x3x5xf32>
      %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<4x2x3xf32> into \
tensor<8x3xf32>
      %collapsed_0 = tensor.collapse_shape %arg2 [[0, 1], [2]] : tensor<4x2x5xf32> into \
tensor<8x5xf32>
      %1 = linalg.matmul ins(%collapsed, %arg1 : tensor<8x3xf32>, tensor<3x5xf32>) \
outs(%collapsed_0 : tensor<8x5xf32>) -> tensor<8x5xf32>
      %expanded = tensor.expand_shape %1 [[0, 1], [2]] output_shape [4, 2, 5] : tensor<8x5xf32> \
into tensor<4x2x5xf32>
      return %expanded : tensor<4x2x5xf32>
    }
    ```
    """

    name: ClassVar[str] = "batch-matmul-to-matmul"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for product in [each for each in walk(op) if each.name == _PRODUCT]:
            if [dims_of(map) for map in maps(product)] != _DEFAULT:
                continue
            producer = defining_op(product.operands[1])
            matrix = None if producer is None else _broadcast_matrix(producer)
            if matrix is not None:
                _merge(product, matrix)
                if producer is not None and not any(True for _ in producer.results[0].uses):
                    producer.erase()
                state.count(self.name, "products")


def _broadcast_matrix(op: ir.Operation) -> ir.Value | None:
    """The matrix that an op broadcasts over the batch."""
    order = repeated_dims(op)
    if order == [1, 2]:
        return op.operands[0]
    return transposed(op, op.operands[0], (1, 0)) if order == [2, 1] else None


def _merge(op: ir.Operation, matrix: ir.Value) -> None:
    left, _, memory = op.operands
    rows, sums = (collapsed(op, each, _ROWS) for each in (left, memory))
    text = (
        f"linalg.matmul ins(%a0, %a1 : {rows.type}, {matrix.type}) "
        f"outs(%a2 : {sums.type}) -> {sums.type}"
    )
    product = built(op, text, [rows, matrix, sums], sums.type)
    op.results[0].replace_all_uses_with(expanded(op, product, _ROWS, memory))
    op.erase()
