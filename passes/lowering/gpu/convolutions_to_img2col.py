"""Lower convolutions to img2col and a contraction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.schedules import Schedules

_UNFOLDED = "torch_refine.unfolded"


@dataclass
class ConvolutionsToImg2col(Pass):
    """Lower convolutions to img2col and a contraction.

    `linalg.conv_2d_nchw_fchw` of static sizes, without dilation, becomes a matmul of the weights
    and an im2col matrix, by the schedule `gpu/unfold.mlir`. Others do not change.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<1x1x4x4xf32>, %arg1: tensor<2x1x3x3xf32>, %arg2: \
tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
      %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : \
vector<2xi64>} ins(%arg0, %arg1 : tensor<1x1x4x4xf32>, tensor<2x1x3x3xf32>) outs(%arg2 : \
tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
      return %0 : tensor<1x2x2x2xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1, d2) -> (d0, d1 floordiv 9, d2 floordiv 2 + (d1 mod 9) floordiv 3, \
d2 mod 2 + d1 mod 3)>
    #map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
    #map2 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
    #map3 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
    #map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
    func.func @f(%arg0: tensor<1x1x4x4xf32>, %arg1: tensor<2x1x3x3xf32>, %arg2: \
tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
      %collapsed = tensor.collapse_shape %arg1 [[0], [1, 2, 3]] : tensor<2x1x3x3xf32> into \
tensor<2x9xf32>
      %collapsed_0 = tensor.collapse_shape %arg2 [[0], [1], [2, 3]] : tensor<1x2x2x2xf32> into \
tensor<1x2x4xf32>
      %0 = tensor.empty() : tensor<1x9x4xf32>
      %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", \
"parallel", "parallel"]} ins(%arg0 : tensor<1x1x4x4xf32>) outs(%0 : tensor<1x9x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x9x4xf32>
      %2 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", \
"parallel", "parallel", "reduction"]} ins(%collapsed, %1 : tensor<2x9xf32>, tensor<1x9x4xf32>) \
outs(%collapsed_0 : tensor<1x2x4xf32>) attrs =  {torch_refine.product} {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %3 = arith.mulf %in, %in_1 : f32
        %4 = arith.addf %3, %out : f32
        linalg.yield %4 : f32
      } -> tensor<1x2x4xf32>
      %expanded = tensor.expand_shape %2 [[0], [1], [2, 3]] output_shape [1, 2, 2, 2] : \
tensor<1x2x4xf32> into tensor<1x2x2x2xf32>
      return %expanded : tensor<1x2x2x2xf32>
    }
    ```
    """

    name: ClassVar[str] = "convolutions-to-img2col"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the functions of a module."""
        schedules = Schedules(self.name, state)
        for function in list(operations(op.regions[0].blocks[0])):
            chosen = [each for each in walk(function) if _is_unfolded(each)]
            for each in chosen:
                each.attributes[_UNFOLDED] = ir.UnitAttr.get(op.context)
            if chosen and schedules.apply("gpu/unfold", function):
                state.count(self.name, "convolutions unfolded", len(chosen))


def _is_unfolded(op: ir.Operation) -> bool:
    if op.name != "linalg.conv_2d_nchw_fchw":
        return False
    dilations = list(ir.DenseIntElementsAttr(op.attributes["dilations"]))
    types = [ir.RankedTensorType(operand.type) for operand in op.operands]
    return all(each == 1 for each in dilations) and all(type.has_static_shape for type in types)
