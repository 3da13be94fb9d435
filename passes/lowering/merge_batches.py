"""Multiply all matrices of a batch at once where they meet the same matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.images.building import built, collapsed, expanded, transposed
from torch_refine.passes.lowering.kernels.indexing import (
    GENERIC,
    dims_of,
    iterators,
    maker_of,
    maps,
)

_PRODUCT = "linalg.batch_matmul"
_DEFAULT = [[0, 1, 3], [0, 3, 2], [0, 1, 2]]
# The dimensions of a batch that are rows together.
_ROWS = [[0, 1], [2]]


@dataclass
class MergeBatches(Pass):
    """Multiply all matrices of a batch at once where they meet the same matrix.

    PyTorch multiplies a tensor that does not lie row by row with a matrix as a batch, and repeats
    the matrix for each. The rows of all of the batch are rows of one matrix as well, and then
    nothing is repeated.

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

    name: ClassVar[str] = "merge-batches"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for product in [each for each in walk(op) if each.name == _PRODUCT]:
            if [dims_of(map) for map in maps(product)] != _DEFAULT:
                continue
            maker = maker_of(product.operands[1])
            matrix = None if maker is None else _repeated(maker)
            if matrix is not None:
                _merge(product, matrix)
                if maker is not None and not any(True for _ in maker.results[0].uses):
                    maker.erase()
                state.count(self.name, "products")


def _repeated(op: ir.Operation) -> ir.Value | None:
    """The matrix that an op repeats for each of a batch, as it is in each."""
    if op.name != GENERIC or len(op.operands) != 2 or set(iterators(op)) != {"parallel"}:
        return None
    body = op.regions[0].blocks[0]
    (*inner, last) = operations(body)
    if inner or last.operands[0] != body.arguments[0] or dims_of(maps(op)[1]) != [0, 1, 2]:
        return None
    source = op.operands[0]
    order = dims_of(maps(op)[0])
    if order == [1, 2]:
        return source
    return transposed(op, source, (1, 0)) if order == [2, 1] else None


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
