"""Fold transposes into elementwise consumers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import (
    GENERIC,
    before_transpose,
    defining_op,
    maps,
    num_inputs,
    operation_of,
    set_maps,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.transposing import reads_transposed

_TRANSPOSE = "linalg.transpose"
_EXTRACT = "tensor.extract"


@dataclass
class FoldTransposes(Pass):
    """Fold transposes into elementwise consumers.

    A short elementwise op that is the only user of a transpose reads its operand instead. The
    schedule for transposes then computes it in blocks, and the transposed tensor needs no buffer.
    `tensor.extract` ops of a transpose read its operand, too.

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
            for place in range(num_inputs(each)):
                if _fold(each, place):
                    state.count(self.name, "transposes")
        for each in [each for each in walk(op) if each.name == _TRANSPOSE]:
            if len(each.results) and _extract_from_operand(each):
                state.count(self.name, "transposes of which elements are extracted")


def _fold(op: ir.Operation, place: int) -> bool:
    """Read an operand untransposed, if the op can be computed in blocks then."""
    transposed = op.operands[place]
    producer = defining_op(transposed)
    if producer is None or producer.name != _TRANSPOSE or sum(1 for _ in transposed.uses) != 1:
        return False
    before = maps(op)
    op.operands[place] = producer.operands[0]
    moved = before_transpose(before[place], producer)
    set_maps(op, [*before[:place], moved, *before[place + 1 :]])
    if not reads_transposed(op):
        op.operands[place] = transposed
        set_maps(op, before)
        return False
    producer.erase()
    return True


def _extract_from_operand(transpose: ir.Operation) -> bool:
    """Extract from the operand of a transpose, if all its users are `tensor.extract`."""
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
