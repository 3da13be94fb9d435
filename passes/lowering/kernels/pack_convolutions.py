"""Convert convolutions to contractions with packed weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.fusion.images.convolution import (
    DEPTHWISE_LAST,
    MARK,
    depthwise,
    grouped,
    tiled,
    volumetric,
)
from torch_refine.passes.lowering.kernels.contractions.schedule import ScheduleError
from torch_refine.passes.lowering.kernels.targets.record import TargetError
from torch_refine.passes.program import symbol_name

_CONTRACTIONS = {
    "linalg.conv_2d_nhwc_hwcf": tiled,
    DEPTHWISE_LAST: depthwise,
    "linalg.depthwise_conv_2d_nchw_chw": depthwise,
    "linalg.conv_3d_ncdhw_fcdhw": volumetric,
}


@dataclass
class PackConvolutions(Pass):
    """Convert convolutions to contractions with packed weights.

    A convolution becomes a `linalg.generic` that carries its schedule, chosen for the module's
    target: a tile of the result is some columns of a line of the image by some channels, with its
    sums in registers. The weights are packed into panels of as many channels, in pairs
    of channels where the target has dot products of bfloat16 pairs, or in groups of channels of
    bytes. This applies to floats and 8-bit integers, to convolutions with channels last, as
    `channels-last` leaves them, depthwise ones with unit stride along columns, and 3-D ones. A
    schedule that the op carries is kept.

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
    #map = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1 + d4, d2 + d5, d6)>
    #map1 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d3, d4, d5, d6, d7)>
    #map2 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2, d3, d7)>
    func.func @main(%arg0: tensor<1x6x6x3xf32>, %arg1: tensor<3x3x3x8xf32>) -> \
tensor<1x4x4x8xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = tensor.empty() : tensor<1x4x4x8xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
      %cst_0 = arith.constant 0.000000e+00 : f32
      %2 = tensor.empty() : tensor<1x3x3x3x8xf32>
      %pack = linalg.pack %arg1 padding_value(%cst_0 : f32) outer_dims_perm = [3, 0, 1, 2] \
inner_dims_pos = [3] inner_tiles = [8] into %2 : tensor<3x3x3x8xf32> -> tensor<1x3x3x3x8xf32>
      %cst_1 = arith.constant 0.000000e+00 : f32
      %3 = tensor.empty() : tensor<1x4x4x1x8xf32>
      %4 = linalg.fill ins(%cst_1 : f32) outs(%3 : tensor<1x4x4x1x8xf32>) -> \
tensor<1x4x4x1x8xf32>
      %5 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", \
"parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "parallel"]} \
ins(%arg0, %pack : tensor<1x6x6x3xf32>, tensor<1x3x3x3x8xf32>) outs(%4 : tensor<1x4x4x1x8xf32>) \
attrs =  {torch_refine.contraction = {block = 0 : i64, columns = 8 : i64, depth = 256 : i64, \
lines = 3 : i64, pack = false, rows = 4 : i64, threads = 1 : i64, unroll = 4 : i64}} {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %7 = arith.mulf %in, %in_2 : f32
        %8 = arith.addf %out, %7 : f32
        linalg.yield %8 : f32
      } -> tensor<1x4x4x1x8xf32>
      %6 = tensor.empty() : tensor<1x4x4x8xf32>
      %unpack = linalg.unpack %5 inner_dims_pos = [3] inner_tiles = [8] into %6 : \
tensor<1x4x4x1x8xf32> -> tensor<1x4x4x8xf32>
      return %unpack : tensor<1x4x4x8xf32>
    }
    ```
    """

    name: ClassVar[str] = "pack-convolutions"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Convert the convolutions of a module to contractions."""
        called = set()
        for each in [inner for inner in walk(op) if inner.name in _CONTRACTIONS or _is_call(inner)]:
            if _is_call(each):
                called.add(ir.FlatSymbolRefAttr(each.attributes["callee"]).value)
                result: ir.Value | None = grouped(each)
            else:
                try:
                    result = _CONTRACTIONS[each.name](each)
                except (ScheduleError, TargetError) as error:
                    state.diagnostics.error(each.location, str(error))
                    raise PassFailure(self.name) from error
            if result is not None:
                each.results[0].replace_all_uses_with(result)
                each.erase()
                state.count(self.name, "convolutions packed")
        for function in list(operations(op.regions[0].blocks[0])):
            if symbol_name(function) in called:
                function.erase()


def _is_call(op: ir.Operation) -> bool:
    """Whether an op is a call that stands for a grouped convolution."""
    return MARK in op.attributes
