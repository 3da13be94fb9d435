"""Compute on the rows of a product as it gives them, whatever they are seen as later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.indexing import (
    GENERIC,
    dims_of,
    groups_of,
    is_contraction,
    iterators,
    maker_of,
    maps,
)
from torch_refine.passes.lowering.kernels.merging import (
    EXPAND,
    MergedLoops,
    are_kept,
    is_elementwise,
)


@dataclass
class MergeDimensions(Pass):
    """Compute on the rows of a product as it gives them, whatever they are seen as later.

    A linear layer multiplies the rows of all of a batch as one matrix, and then the result is seen
    as a batch again. What is computed number by number of that can be computed of the matrix, and
    be part of the same kernel: dimensions that all operands have, or none has, are merged.

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

    name: ClassVar[str] = "merge-dimensions"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        # Products, and what was made of them, in the shape that products give.
        rows: set[ir.Value] = set()
        for each in list(walk(op)):
            if is_contraction(each):
                rows.update(each.results)
            elif each.name == GENERIC and is_elementwise(each):
                merged = _as_rows(each, rows)
                if merged is not None:
                    rows.add(merged.write())
                    state.count(self.name, "loops")
                elif any(operand in rows for operand in each.operands):
                    rows.update(each.results)


def _as_rows(op: ir.Operation, rows: set[ir.Value]) -> MergedLoops | None:
    """What may be merged, if an operand is something in `rows` that is seen otherwise."""
    own = [dims_of(map) for map in maps(op)]
    known = [dims for dims in own if dims is not None]
    if len(known) != len(own) or known[-1] != list(range(len(iterators(op)))):
        return None
    for operand, dims in zip(op.operands, known, strict=True):
        maker = maker_of(operand)
        if maker is None or maker.name != EXPAND or maker.operands[0] not in rows:
            continue
        together = [[dims[dim] for dim in group] for group in groups_of(maker)]
        if dims == known[-1] and all(are_kept(group, known) for group in together):
            return MergedLoops(op, together)
    return None
