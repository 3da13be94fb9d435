"""Read a transposed operand where it lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.across import reads_across
from torch_refine.passes.lowering.kernels.indexing import (
    GENERIC,
    before_transpose,
    maker_of,
    maps,
    number_of_inputs,
    operation_of,
    set_maps,
)

_TRANSPOSE = "linalg.transpose"
_EXTRACT = "tensor.extract"


@dataclass
class FoldTransposes(Pass):
    """Read a transposed operand where it lies.

    A short elementwise op that is the only one to use a transpose reads its operand instead. The
    schedule for transposes then computes it block by block, and what is transposed is never in
    memory. What only takes single elements of a transpose, by indices of its own, takes them of its
    operand, too.

    Before:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0, d1)>
    func.func @f(%arg0: tensor<64x32xf32>, %arg1: tensor<32x64xf32>, %arg2: tensor<32x64xf32>) \
-> tensor<32x64xf32> {
      %transposed = linalg.transpose ins(%arg0 : tensor<64x32xf32>) outs(%arg2 : \
tensor<32x64xf32>) permutation = [1, 0]
      %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", \
"parallel"]} ins(%transposed, %arg1 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%arg2 : \
tensor<32x64xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.addf %in, %in_0 : f32
        linalg.yield %1 : f32
      } -> tensor<32x64xf32>
      return %0 : tensor<32x64xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1) -> (d1, d0)>
    #map1 = affine_map<(d0, d1) -> (d0, d1)>
    func.func @f(%arg0: tensor<64x32xf32>, %arg1: tensor<32x64xf32>, %arg2: tensor<32x64xf32>) \
-> tensor<32x64xf32> {
      %0 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", \
"parallel"]} ins(%arg0, %arg1 : tensor<64x32xf32>, tensor<32x64xf32>) outs(%arg2 : \
tensor<32x64xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.addf %in, %in_0 : f32
        linalg.yield %1 : f32
      } -> tensor<32x64xf32>
      return %0 : tensor<32x64xf32>
    }
    ```
    """

    name: ClassVar[str] = "fold-transposes"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == GENERIC]:
            for place in range(number_of_inputs(each)):
                if _fold(each, place):
                    state.count(self.name, "transposes")
        for each in [each for each in walk(op) if each.name == _TRANSPOSE]:
            if len(each.results) and _extract_before(each):
                state.count(self.name, "transposes of which elements are taken")


def _fold(op: ir.Operation, place: int) -> bool:
    """Read an operand where it lies, if that leaves the op one that is computed in blocks."""
    transposed = op.operands[place]
    maker = maker_of(transposed)
    if maker is None or maker.name != _TRANSPOSE or sum(1 for _ in transposed.uses) != 1:
        return False
    before = maps(op)
    op.operands[place] = maker.operands[0]
    moved = before_transpose(before[place], maker)
    set_maps(op, [*before[:place], moved, *before[place + 1 :]])
    if not reads_across(op):
        op.operands[place] = transposed
        set_maps(op, before)
        return False
    maker.erase()
    return True


def _extract_before(transpose: ir.Operation) -> bool:
    """Take elements of what is transposed, if nothing but elements of it are taken."""
    users = [operation_of(use.owner) for use in transpose.results[0].uses]
    if not users or any(each.name != _EXTRACT for each in users):
        return False
    permutation = list(ir.DenseI64ArrayAttr(transpose.attributes["permutation"]))
    for user in users:
        _, *indices = user.operands
        user.operands[0] = transpose.operands[0]
        for index, dim in zip(indices, permutation, strict=True):
            user.operands[1 + dim] = index
    transpose.erase()
    return True
