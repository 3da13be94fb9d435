"""Lay out the operands of products of matrices for the kernel that computes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.indexing import is_contraction
from torch_refine.passes.lowering.schedules import apply_schedule

_PACKED = "torch_refine.packed"
# Below this number of multiplications packing costs more than it brings.
_LEAST_WORK = 4096


@dataclass
class PackProducts(Pass):
    """Lay out the operands of products of matrices for the kernel that computes them.

    `linalg.matmul` and `linalg.batch_matmul` of f32 become a `linalg.generic` over packed operands,
    by the schedule `pack.mlir`. Small ones stay as they are.

    Before:

    ```mlir
    func.func @main(%arg0: tensor<64x100xf32>, %arg1: tensor<100x64xf32>, %arg2: \
tensor<64x64xf32>) -> tensor<64x64xf32> {
      %0 = linalg.matmul ins(%arg0, %arg1 : tensor<64x100xf32>, tensor<100x64xf32>) outs(%arg2 : \
tensor<64x64xf32>) -> tensor<64x64xf32>
      return %0 : tensor<64x64xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3)>
    #map1 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d4)>
    #map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
    func.func @main(%arg0: tensor<64x100xf32>, %arg1: tensor<100x64xf32>, %arg2: \
tensor<64x64xf32>) -> tensor<64x64xf32> {
      %0 = tensor.empty() : tensor<8x100x8xf32>
      %pack = linalg.pack %arg0 inner_dims_pos = [0] inner_tiles = [8] into %0 : \
tensor<64x100xf32> -> tensor<8x100x8xf32>
      %1 = tensor.empty() : tensor<2x100x32xf32>
      %pack_0 = linalg.pack %arg1 outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = \
[32] into %1 : tensor<100x64xf32> -> tensor<2x100x32xf32>
      %2 = tensor.empty() : tensor<8x2x8x32xf32>
      %pack_1 = linalg.pack %arg2 inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %2 : \
tensor<64x64xf32> -> tensor<8x2x8x32xf32>
      %3 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", \
"parallel", "reduction", "parallel", "parallel"]} ins(%pack, %pack_0 : tensor<8x100x8xf32>, \
tensor<2x100x32xf32>) outs(%pack_1 : tensor<8x2x8x32xf32>) attrs =  {torch_refine.product} {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %4 = arith.mulf %in, %in_2 : f32
        %5 = arith.addf %out, %4 : f32
        linalg.yield %5 : f32
      } -> tensor<8x2x8x32xf32>
      %unpack = linalg.unpack %3 inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %arg2 : \
tensor<8x2x8x32xf32> -> tensor<64x64xf32>
      return %unpack : tensor<64x64xf32>
    }
    ```
    """

    name: ClassVar[str] = "pack-products"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Pack in the functions of a module."""
        for function in list(operations(op.regions[0].blocks[0])):
            chosen = [each for each in walk(function) if _is_worth_it(each)]
            for each in chosen:
                each.attributes[_PACKED] = ir.UnitAttr.get(op.context)
            if chosen and apply_schedule("pack", function):
                state.count(self.name, "products packed", len(chosen))


def _is_worth_it(op: ir.Operation) -> bool:
    if not is_contraction(op):
        return False
    left, right = (ir.RankedTensorType(operand.type) for operand in list(op.operands)[:2])
    if str(left.element_type) != "f32" or str(right.element_type) != "f32":
        return False
    work = 1
    for size in [*left.shape[-2:], right.shape[-1]]:
        # A size that is not known is taken for a large one.
        work *= 1024 if size < 0 else size
    return work >= _LEAST_WORK
