"""Sink `expand_shape` of a contraction's result below elementwise consumers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    is_contraction,
    iterators,
    maps,
    reassociation_of,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.merging import (
    EXPAND,
    MergedLoops,
    are_adjacent,
    is_elementwise,
)


@dataclass
class SinkExpandShapes(Pass):
    """Sink `expand_shape` of a contraction's result below elementwise consumers.

    A linear layer collapses the batch into rows of one matmul, and then expands the result.
    Elementwise consumers are computed on the collapsed shape instead, and become part of the same
    kernel: dimensions that are adjacent in all operands, or absent, are collapsed.

    Before:

    ```mlir
    #map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
    #map1 = affine_map<(d0, d1, d2) -> (d2)>
    func.func @f(%arg0: tensor<8x3xf32>, %arg1: tensor<3x5xf32>, %arg2: tensor<8x5xf32>, %arg3: \
tensor<5xf32>, %arg4: tensor<4x2x5xf32>) -> tensor<4x2x5xf32> {
      %0 = linalg.matmul ins(%arg0, %arg1 : tensor<8x3xf32>, tensor<3x5xf32>) outs(%arg2 : \
tensor<8x5xf32>) -> tensor<8x5xf32>
      %expanded = tensor.expand_shape %0 [[0, 1], [2]] output_shape [4, 2, 5] : tensor<8x5xf32> \
into tensor<4x2x5xf32>
      %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", \
"parallel", "parallel"]} ins(%expanded, %arg3 : tensor<4x2x5xf32>, tensor<5xf32>) outs(%arg4 : \
tensor<4x2x5xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %2 = arith.addf %in, %in_0 : f32
        linalg.yield %2 : f32
      } -> tensor<4x2x5xf32>
      return %1 : tensor<4x2x5xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0, d1)>
    #map1 = affine_map<(d0, d1) -> (d1)>
    func.func @f(%arg0: tensor<8x3xf32>, %arg1: tensor<3x5xf32>, %arg2: tensor<8x5xf32>, %arg3: \
tensor<5xf32>, %arg4: tensor<4x2x5xf32>) -> tensor<4x2x5xf32> {
      %0 = linalg.matmul ins(%arg0, %arg1 : tensor<8x3xf32>, tensor<3x5xf32>) outs(%arg2 : \
tensor<8x5xf32>) -> tensor<8x5xf32>
      %expanded = tensor.expand_shape %0 [[0, 1], [2]] output_shape [4, 2, 5] : tensor<8x5xf32> \
into tensor<4x2x5xf32>
      %collapsed = tensor.collapse_shape %arg4 [[0, 1], [2]] : tensor<4x2x5xf32> into \
tensor<8x5xf32>
      %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", \
"parallel"]} ins(%0, %arg3 : tensor<8x5xf32>, tensor<5xf32>) outs(%collapsed : tensor<8x5xf32>) {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %2 = arith.addf %in, %in_1 : f32
        linalg.yield %2 : f32
      } -> tensor<8x5xf32>
      %expanded_0 = tensor.expand_shape %1 [[0, 1], [2]] output_shape [4, 2, 5] : \
tensor<8x5xf32> into tensor<4x2x5xf32>
      return %expanded_0 : tensor<4x2x5xf32>
    }
    ```
    """

    name: ClassVar[str] = "sink-expand-shapes"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        # Contractions and values computed of them, in the shape of the contraction.
        rows: set[ir.Value] = set()
        for each in list(walk(op)):
            if is_contraction(each):
                rows.update(each.results)
            elif each.name == GENERIC and is_elementwise(each):
                merged = _collapsible(each, rows)
                if merged is not None:
                    rows.add(merged.write())
                    state.count(self.name, "loops")
                elif any(operand in rows for operand in each.operands):
                    rows.update(each.results)


def _collapsible(op: ir.Operation, rows: set[ir.Value]) -> MergedLoops | None:
    """The loops to collapse, if an operand expands a value in `rows`."""
    own = [dims_of(map) for map in maps(op)]
    known = [dims for dims in own if dims is not None]
    if len(known) != len(own) or known[-1] != list(range(len(iterators(op)))):
        return None
    for operand, dims in zip(op.operands, known, strict=True):
        producer = defining_op(operand)
        if producer is None or producer.name != EXPAND or producer.operands[0] not in rows:
            continue
        together = [[dims[dim] for dim in group] for group in reassociation_of(producer)]
        if dims == known[-1] and all(are_adjacent(group, known) for group in together):
            return MergedLoops(op, together)
    return None
