"""Cut convolutions into tiles that are always full."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.images.convolution import tiled

_CONVOLUTION = "linalg.conv_2d_nhwc_hwcf"


@dataclass
class PackConvolutions(Pass):
    """Cut convolutions into tiles that are always full.

    A tile of the result is some columns of a row by some channels, so small that its sums stay in
    registers. The weights are packed accordingly, zeros filling the last channels. Convolutions
    must have their channels last, as `channels-last` leaves them, and add to zeros.

    Before:

    ```mlir
    func.func @main(%arg0: tensor<1x6x6x3xf32>, %arg1: tensor<3x3x3x8xf32>) -> \
tensor<1x4x4x8xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = tensor.empty() : tensor<1x4x4x8xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
      %2 = linalg.conv_2d_nhwc_hwcf ins(%arg0, %arg1 : tensor<1x6x6x3xf32>, tensor<3x3x3x8xf32>) \
outs(%1 : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
      return %2 : tensor<1x4x4x8xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d2 + d4, d3 * 4 + d7 + d5, d6)>
    #map1 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d1, d4, d5, d6, d8)>
    #map2 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d2, d3, d7, d1, d8)>
    func.func @main(%arg0: tensor<1x6x6x3xf32>, %arg1: tensor<3x3x3x8xf32>) -> \
tensor<1x4x4x8xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = tensor.empty() : tensor<1x4x4x8xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
      %cst_0 = arith.constant 0.000000e+00 : f32
      %2 = tensor.empty() : tensor<1x3x3x3x16xf32>
      %pack = linalg.pack %arg1 padding_value(%cst_0 : f32) outer_dims_perm = [3, 0, 1, 2] \
inner_dims_pos = [3] inner_tiles = [16] into %2 : tensor<3x3x3x8xf32> -> tensor<1x3x3x3x16xf32>
      %3 = tensor.empty() : tensor<1x4x1x4x1x16xf32>
      %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<1x4x1x4x1x16xf32>) -> \
tensor<1x4x1x4x1x16xf32>
      %5 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", \
"parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "parallel", \
"parallel"]} ins(%arg0, %pack : tensor<1x6x6x3xf32>, tensor<1x3x3x3x16xf32>) outs(%4 : \
tensor<1x4x1x4x1x16xf32>) attrs =  {torch_refine.image_product} {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %6 = arith.mulf %in, %in_1 : f32
        %7 = arith.addf %out, %6 : f32
        linalg.yield %7 : f32
      } -> tensor<1x4x1x4x1x16xf32>
      %collapsed = tensor.collapse_shape %5 [[0], [1], [2, 3], [4, 5]] : \
tensor<1x4x1x4x1x16xf32> into tensor<1x4x4x16xf32>
      %extracted_slice = tensor.extract_slice %collapsed[0, 0, 0, 0] [1, 4, 4, 8] [1, 1, 1, 1] : \
tensor<1x4x4x16xf32> to tensor<1x4x4x8xf32>
      return %extracted_slice : tensor<1x4x4x8xf32>
    }
    ```
    """

    name: ClassVar[str] = "pack-convolutions"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Cut the convolutions of a module."""
        for each in [inner for inner in walk(op) if inner.name == _CONVOLUTION]:
            result = tiled(each)
            if result is not None:
                each.results[0].replace_all_uses_with(result)
                each.erase()
                state.count(self.name, "convolutions packed")
