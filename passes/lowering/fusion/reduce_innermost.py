"""Interchange loops so that reductions are innermost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import (
    GENERIC,
    dims_of,
    iterators,
    maps,
    set_maps,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.merging import uses_indices


@dataclass
class ReduceInnermost(Pass):
    """Interchange loops so that reductions are innermost.

    A reduction over the first and the last dimensions, such as the mean of a channel over a batch
    of images, would iterate over all results repeatedly. With parallel loops outermost, each result
    is completed at once, and its users can be fused into the kernel. A reduction whose innermost
    loop is parallel stays as it is: it adds rows to a row, and a vector holds several results.

    Before:

    ```mlir
    #map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
    #map1 = affine_map<(d0, d1, d2) -> (d1)>
    func.func @f(%arg0: tensor<4x3x50xf32>, %arg1: tensor<3xf32>) -> tensor<3xf32> {
      %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", \
"parallel", "reduction"]} ins(%arg0 : tensor<4x3x50xf32>) outs(%arg1 : tensor<3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %1 = arith.addf %in, %out : f32
        linalg.yield %1 : f32
      } -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
    #map1 = affine_map<(d0, d1, d2) -> (d0)>
    func.func @f(%arg0: tensor<4x3x50xf32>, %arg1: tensor<3xf32>) -> tensor<3xf32> {
      %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", \
"reduction", "reduction"]} ins(%arg0 : tensor<4x3x50xf32>) outs(%arg1 : tensor<3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %1 = arith.addf %in, %out : f32
        linalg.yield %1 : f32
      } -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }
    ```
    """

    name: ClassVar[str] = "reduce-innermost"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Interchange the loops of reductions in a module, or in one function."""
        for each in list(walk(op)):
            if each.name == GENERIC and _reorder(each):
                state.count(self.name, "reductions")


def _reorder(op: ir.Operation) -> bool:
    """Move parallel loops outermost, if the innermost loop is a reduction; whether this changed the
    op."""
    kinds = iterators(op)
    order = sorted(range(len(kinds)), key=lambda loop: kinds[loop] == "reduction")
    if not kinds or kinds[-1] != "reduction" or order == list(range(len(kinds))):
        return False
    read = [dims_of(map) for map in maps(op)]
    known = [dims for dims in read if dims is not None]
    if len(known) != len(read) or uses_indices(op):
        return False
    context = op.context
    moved = [[ir.AffineExpr.get_dim(order.index(dim), context) for dim in dims] for dims in known]
    set_maps(op, [ir.AffineMap.get(len(kinds), 0, dims, context) for dims in moved])
    listed = ", ".join(f"#linalg.iterator_type<{kinds[loop]}>" for loop in order)
    op.attributes["iterator_types"] = ir.Attribute.parse(f"[{listed}]", context)
    return True
