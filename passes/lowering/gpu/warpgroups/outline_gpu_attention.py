"""Outline attention of 16-bit floats into kernels for warpgroups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.structured_ops import defining_op, in_order, is_contraction
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.gpu.warpgroups.attention_pattern import (
    WarpgroupAttention,
    attention_at,
    score_of,
)
from torch_refine.passes.lowering.kernels.groups import Group
from torch_refine.passes.lowering.kernels.layouts import clear_layouts
from torch_refine.passes.lowering.kernels.outlining import (
    KERNEL,
    SCHEDULED,
    Outliner,
    sink_cheap_producers,
)
from torch_refine.passes.program import structured_blocks, symbol_name

ATTENTION = "torch_refine.attention"
"""On a kernel: how `attention-to-warpgroups` computes it."""
MASK = "torch_refine.mask"
"""On the elementwise op on scores: the position of the score among its operands."""
MASK_SCALE = "torch_refine.mask_scale"
"""On the same op: what it multiplies the score by first."""

_KIND = "attention"


@dataclass
class OutlineGpuAttention(Pass):
    """Outline attention of 16-bit floats into kernels for warpgroups.

    Scores, their softmax and the sums of values become one function. An attribute says which
    arguments are queries, keys, values and the result, which loop each of their dimensions follows,
    by what scores are scaled, and which keys a mask hides that is a diagonal.

    Before:

    ```mlir
    #map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
    #map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
    #map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
    #map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
    #map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
    #map5 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
    func.func @main(%arg0: tensor<6x70x64xf16>, %arg1: tensor<6x150x64xf16>, %arg2: \
tensor<6x150x64xf16>) -> tensor<6x70x64xf16> {
      %cst = arith.constant 0.000000e+00 : f32
      %cst_0 = arith.constant 0xFF800000 : f32
      %0 = tensor.empty() : tensor<6x70x150xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<6x70x150xf32>) -> tensor<6x70x150xf32>
      %2 = linalg.contract indexing_maps = [#map, #map1, #map2] ins(%arg0, %arg1 : \
tensor<6x70x64xf16>, tensor<6x150x64xf16>) outs(%1 : tensor<6x70x150xf32>) -> tensor<6x70x150xf32>
      %3 = tensor.empty() : tensor<6x70xf32>
      %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<6x70xf32>) -> tensor<6x70xf32>
      %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", \
"parallel", "reduction"]} ins(%2 : tensor<6x70x150xf32>) outs(%4 : tensor<6x70xf32>) {
      ^bb0(%in: f32, %out: f32):
        %15 = arith.maximumf %in, %out : f32
        linalg.yield %15 : f32
      } -> tensor<6x70xf32>
      %6 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", \
"parallel", "parallel"]} ins(%2, %5 : tensor<6x70x150xf32>, tensor<6x70xf32>) outs(%0 : \
tensor<6x70x150xf32>) {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %15 = arith.subf %in, %in_1 : f32
        %16 = math.exp %15 : f32
        linalg.yield %16 : f32
      } -> tensor<6x70x150xf32>
      %7 = linalg.fill ins(%cst : f32) outs(%3 : tensor<6x70xf32>) -> tensor<6x70xf32>
      %8 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", \
"parallel", "reduction"]} ins(%6 : tensor<6x70x150xf32>) outs(%7 : tensor<6x70xf32>) {
      ^bb0(%in: f32, %out: f32):
        %15 = arith.addf %in, %out : f32
        linalg.yield %15 : f32
      } -> tensor<6x70xf32>
      %9 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", \
"parallel", "parallel"]} ins(%6, %8 : tensor<6x70x150xf32>, tensor<6x70xf32>) outs(%0 : \
tensor<6x70x150xf32>) {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %15 = arith.divf %in, %in_1 : f32
        linalg.yield %15 : f32
      } -> tensor<6x70x150xf32>
      %10 = tensor.empty() : tensor<6x70x64xf32>
      %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<6x70x64xf32>) -> tensor<6x70x64xf32>
      %12 = linalg.contract indexing_maps = [#map, #map5, #map2] ins(%9, %arg2 : \
tensor<6x70x150xf32>, tensor<6x150x64xf16>) outs(%11 : tensor<6x70x64xf32>) -> tensor<6x70x64xf32>
      %13 = tensor.empty() : tensor<6x70x64xf16>
      %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", \
"parallel", "parallel"]} ins(%12 : tensor<6x70x64xf32>) outs(%13 : tensor<6x70x64xf16>) {
      ^bb0(%in: f32, %out: f16):
        %15 = arith.truncf %in : f32 to f16
        linalg.yield %15 : f16
      } -> tensor<6x70x64xf16>
      return %14 : tensor<6x70x64xf16>
    }
    ```

    After:

    ```mlir
    // ...
    func.func @main(%arg0: tensor<6x70x64xf16>, %arg1: tensor<6x150x64xf16>, %arg2: \
tensor<6x150x64xf16>) -> tensor<6x70x64xf16> {
      // ...
      %8 = call @attention_0(%arg0, %arg1, %arg2, %7) : (tensor<6x70x64xf16>, \
tensor<6x150x64xf16>, tensor<6x150x64xf16>, tensor<6x70x64xf16>) -> tensor<6x70x64xf16>
      return %8 : tensor<6x70x64xf16>
    }
    func.func private @attention_0(%arg0: tensor<6x70x64xf16>, %arg1: tensor<6x150x64xf16>, \
%arg2: tensor<6x150x64xf16>, %arg3: tensor<6x70x64xf16>) -> tensor<6x70x64xf16> attributes \
{torch_refine.attention = {arguments = array<i64: 0, 1, 2, 3>, is_safe = false, loops = \
[array<i64: 0, -1, -3>, array<i64: 0, -2, -3>, array<i64: 0, -2, -3>, array<i64: 0, -1, -3>], \
scale = 1.000000e+00 : f64, value_scale = 1.000000e+00 : f64}, torch_refine.kernel = "scheduled"} \
{
      // ...
      %2 = linalg.contract indexing_maps = [#map, #map1, #map2] ins(%arg0, %arg1 : \
tensor<6x70x64xf16>, tensor<6x150x64xf16>) outs(%1 : tensor<6x70x150xf32>) -> tensor<6x70x150xf32>
      // ...
      %12 = linalg.contract indexing_maps = [#map, #map5, #map2] ins(%9, %arg2 : \
tensor<6x70x150xf32>, tensor<6x150x64xf16>) outs(%11 : tensor<6x70x64xf32>) -> tensor<6x70x64xf32>
      // ...
    }
    ```
    """

    name: ClassVar[str] = "outline-gpu-attention"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Outline the attention of all functions of a module except kernels."""
        body = op.regions[0].blocks[0]
        outliner = Outliner(body, aligned=True)
        for function in list(operations(body)):
            if KERNEL in function.attributes or not len(function.regions[0].blocks):
                continue
            for block in list(structured_blocks(function)):
                sink_cheap_producers(block)
                # Those that use others come first: what they contain is left to them.
                left = [each for each in operations(block) if is_contraction(each)]
                while left:
                    attention = attention_at(left.pop())
                    if attention is not None:
                        left = [each for each in left if each not in attention.members]
                        _outline(attention, outliner, body)
                        state.count(self.name, "kernels")


def _outline(attention: WarpgroupAttention, outliner: Outliner, body: ir.Block) -> None:
    context = attention.root.context
    number = ir.IntegerType.get_signless(64, context)
    if attention.mask is not None:
        place = list(attention.mask.operands).index(attention.scores.results[0])
        attention.mask.attributes[MASK] = ir.IntegerAttr.get(number, place)
        _, factor = score_of(attention.mask, place)
        attention.mask.attributes[MASK_SCALE] = ir.FloatAttr.get(
            ir.F64Type.get(context), factor, ir.Location.unknown(context)
        )
    sources = (attention.query, attention.key, attention.value)
    marks: dict[str, ir.Attribute] = {
        "loops": ir.ArrayAttr.get(
            [
                ir.DenseI64ArrayAttr.get(loops, context)
                for loops in (*(each.loops for each in sources), attention.result_loops)
            ],
            context,
        ),
        "scale": ir.FloatAttr.get(
            ir.F64Type.get(context), attention.scale, ir.Location.unknown(context)
        ),
        "value_scale": ir.FloatAttr.get(
            ir.F64Type.get(context), attention.value.scale, ir.Location.unknown(context)
        ),
        "is_safe": ir.BoolAttr.get(attention.is_safe, context),
    }
    if attention.diagonal is not None:
        marks["diagonal"] = ir.IntegerAttr.get(number, attention.diagonal)
    values = [*(each.value for each in sources), _target(attention.root)]
    group = Group(attention.root, _KIND, in_order(attention.members))
    call = outliner.outline(group)
    operands = list(call.operands)
    places = [operands.index(each) for each in values]
    marks["arguments"] = ir.DenseI64ArrayAttr.get(places, context)
    callee = ir.FlatSymbolRefAttr(call.attributes["callee"]).value
    (function,) = (each for each in operations(body) if symbol_name(each) == callee)
    function.attributes[KERNEL] = ir.StringAttr.get(SCHEDULED, context)
    function.attributes[ATTENTION] = ir.DictAttr.get(marks, context)
    clear_layouts(function)


def _target(root: ir.Operation) -> ir.Value:
    """The tensor that receives the result: the call takes it, perhaps before other arguments."""
    target = list(root.operands)[-1]
    fill = defining_op(target)
    return fill.operands[1] if fill is not None and fill.name == "linalg.fill" else target
