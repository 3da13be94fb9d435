"""Convert 1x1 convolutions with channels first to matmuls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.fusion.images.building import (
    added,
    built,
    collapsed,
    constant,
    empty,
    expanded,
    filled,
    is_zero,
    sizes_of,
)
from torch_refine.passes.lowering.fusion.images.convolution import (
    is_matmul,
    is_tiled_convolution,
)
from torch_refine.passes.lowering.fusion.images.order import type_of

_CONVOLUTION = "linalg.conv_2d_nchw_fchw"


@dataclass
class PointwiseConvolutionsToMatmul(Pass):
    """Convert 1x1 convolutions with channels first to matmuls.

    The weights are multiplied by the image, whose lines become one dimension. This is for large
    images, and for those that `channels-last` leaves, between ops that need channels first: no
    transpose is needed.

    Before:

    ```mlir
    func.func @main(%arg0: tensor<2x3x20x20xf32>, %arg1: tensor<8x3x1x1xf32>, %arg2: \
tensor<2x8x20x20xf32>) -> tensor<2x8x20x20xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = linalg.fill ins(%cst : f32) outs(%arg2 : tensor<2x8x20x20xf32>) -> tensor<2x8x20x20xf32>
      %1 = linalg.conv_2d_nchw_fchw ins(%arg0, %arg1 : tensor<2x3x20x20xf32>, \
tensor<8x3x1x1xf32>) outs(%0 : tensor<2x8x20x20xf32>) -> tensor<2x8x20x20xf32>
      return %1 : tensor<2x8x20x20xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
    #map1 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
    #map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
    func.func @main(%arg0: tensor<2x3x20x20xf32>, %arg1: tensor<8x3x1x1xf32>, %arg2: \
tensor<2x8x20x20xf32>) -> tensor<2x8x20x20xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = linalg.fill ins(%cst : f32) outs(%arg2 : tensor<2x8x20x20xf32>) -> tensor<2x8x20x20xf32>
      %collapsed = tensor.collapse_shape %arg1 [[0], [1, 2, 3]] : tensor<8x3x1x1xf32> into \
tensor<8x3xf32>
      %collapsed_0 = tensor.collapse_shape %arg0 [[0], [1], [2, 3]] : tensor<2x3x20x20xf32> into \
tensor<2x3x400xf32>
      %1 = tensor.empty() : tensor<2x8x20x20xf32>
      %collapsed_1 = tensor.collapse_shape %1 [[0], [1], [2, 3]] : tensor<2x8x20x20xf32> into \
tensor<2x8x400xf32>
      %cst_2 = arith.constant 0.000000e+00 : f32
      %2 = linalg.fill ins(%cst_2 : f32) outs(%collapsed_1 : tensor<2x8x400xf32>) -> \
tensor<2x8x400xf32>
      %3 = linalg.contract indexing_maps = [#map, #map1, #map2] ins(%collapsed, %collapsed_0 : \
tensor<8x3xf32>, tensor<2x3x400xf32>) outs(%2 : tensor<2x8x400xf32>) -> tensor<2x8x400xf32>
      %expanded = tensor.expand_shape %3 [[0], [1], [2, 3]] output_shape [2, 8, 20, 20] : \
tensor<2x8x400xf32> into tensor<2x8x20x20xf32>
      return %expanded : tensor<2x8x20x20xf32>
    }
    ```
    """

    name: ClassVar[str] = "pointwise-convolutions-to-matmul"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module", "func.func")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Convert in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == _CONVOLUTION]:
            if is_matmul(each) and is_tiled_convolution(each):
                each.results[0].replace_all_uses_with(_matmul(each))
                each.erase()
                state.count(self.name, "convolutions")


def _matmul(op: ir.Operation) -> ir.Value:
    """The result of a 1x1 convolution, by a matmul per image."""
    image, weights, memory = op.operands
    element = type_of(memory).element_type
    is_single = type_of(image).shape[0] == 1
    groups = [[0, 1], [2, 3]] if is_single else [[0], [1], [2, 3]]
    left = collapsed(op, weights, [[0], [1, 2, 3]])
    right = collapsed(op, image, groups)
    flat = collapsed(op, empty(op, type_of(memory), sizes_of(op, memory)), groups)
    sums = filled(op, constant(op, 0, element), flat)
    if is_single:
        text = "linalg.matmul"
    else:
        domain = "affine_map<(b, m, v, k) -> "
        maps = ", ".join(f"{domain}({each})>" for each in ("m, k", "b, k, v", "b, m, v"))
        text = f"linalg.contract indexing_maps = [{maps}]"
    text += f" ins(%a0, %a1 : {left.type}, {right.type}) outs(%a2 : {sums.type}) -> {sums.type}"
    product = built(op, text, [left, right, sums], type_of(sums))
    result = expanded(op, product, groups, memory)
    return result if is_zero(memory) else added(op, result, memory)
