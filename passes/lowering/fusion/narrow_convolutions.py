"""Fold the sign extension of 8-bit operands into convolutions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import defining_op, only_op, operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.fusion.images.building import (
    built,
    constant,
    empty,
    filled,
    is_zero,
    sizes_of,
)
from torch_refine.passes.lowering.fusion.images.convolution import window_of
from torch_refine.passes.lowering.fusion.images.order import type_of
from torch_refine.passes.lowering.kernels.contractions.narrowing import (
    only_truncates,
    truncated,
)

_CONVOLUTION = "linalg.conv_2d_nchw_fchw"


@dataclass
class NarrowConvolutions(Pass):
    """Fold the sign extension of 8-bit operands into convolutions.

    The conversion of `aten.convolution` requires operands of the result's type, so a convolution of
    quantized values has 32-bit operands, and sums of 64 bits, which are truncated. It takes the
    8-bit values, which `pack-convolutions` multiplies in groups of channels where the target has
    dot products of bytes, and has sums of 32 bits, which wrap around.

    Before:

    ```mlir
    #map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
    func.func @f(%arg0: tensor<1x4x6x6xi8>, %arg1: tensor<8x4x3x3xi8>, %arg2: \
tensor<1x8x4x4xi32>) -> tensor<1x8x4x4xi32> {
      %0 = tensor.empty() : tensor<1x4x6x6xi32>
      %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", \
"parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x4x6x6xi8>) outs(%0 : \
tensor<1x4x6x6xi32>) {
      ^bb0(%in: i8, %out: i32):
        %5 = arith.extsi %in : i8 to i32
        linalg.yield %5 : i32
      } -> tensor<1x4x6x6xi32>
      %2 = tensor.empty() : tensor<8x4x3x3xi32>
      %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", \
"parallel", "parallel", "parallel"]} ins(%arg1 : tensor<8x4x3x3xi8>) outs(%2 : \
tensor<8x4x3x3xi32>) {
      ^bb0(%in: i8, %out: i32):
        %5 = arith.extsi %in : i8 to i32
        linalg.yield %5 : i32
      } -> tensor<8x4x3x3xi32>
      %4 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : \
tensor<2xi64>} ins(%1, %3 : tensor<1x4x6x6xi32>, tensor<8x4x3x3xi32>) outs(%arg2 : \
tensor<1x8x4x4xi32>) -> tensor<1x8x4x4xi32>
      return %4 : tensor<1x8x4x4xi32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<1x4x6x6xi8>, %arg1: tensor<8x4x3x3xi8>, %arg2: \
tensor<1x8x4x4xi32>) -> tensor<1x8x4x4xi32> {
      %0 = tensor.empty() : tensor<1x4x6x6xi32>
      %1 = tensor.empty() : tensor<8x4x3x3xi32>
      %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> \
: tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x4x6x6xi8>, tensor<8x4x3x3xi8>) outs(%arg2 : \
tensor<1x8x4x4xi32>) -> tensor<1x8x4x4xi32>
      return %2 : tensor<1x8x4x4xi32>
    }
    ```
    """

    name: ClassVar[str] = "narrow-convolutions"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Narrow the convolutions of a module."""
        for each in [inner for inner in walk(op) if inner.name == _CONVOLUTION]:
            image, weights, memory = each.operands
            sources = [_before_extension(image), _before_extension(weights)]
            users = [operation_of(use.owner) for use in each.results[0].uses]
            is_wide = str(type_of(memory).element_type) == "i64"
            is_known = is_zero(memory) and all(map(only_truncates, users))
            if sources[0] is None or sources[1] is None or (is_wide and not is_known):
                continue
            if is_wide:
                memory = _zeros(each, memory)
            strides, dilations = window_of(each)
            text = f"""{each.name} {{
                dilations = dense<{dilations}> : tensor<2xi64>,
                strides = dense<{strides}> : tensor<2xi64>
              }} ins(%a0, %a1 : {sources[0].type}, {sources[1].type}) outs(%a2 : {memory.type})
              -> {memory.type}"""
            result = built(each, text, [sources[0], sources[1], memory], memory.type)
            if is_wide:
                for user in users:
                    user.results[0].replace_all_uses_with(truncated(user, result))
                    user.erase()
            else:
                each.results[0].replace_all_uses_with(result)
            extensions = [defining_op(image), defining_op(weights)]
            each.erase()
            for extension in extensions:
                if extension is not None and not any(True for _ in extension.results[0].uses):
                    extension.erase()
            state.count(self.name, "convolutions")


def _zeros(op: ir.Operation, memory: ir.Value) -> ir.Value:
    """Zeros of 32 bits in the shape of an accumulator."""
    with op.context, ir.Location.unknown():
        number = ir.IntegerType.get_signless(32)
        type = ir.RankedTensorType.get(type_of(memory).shape, number)
    return filled(op, constant(op, 0, number), empty(op, type, sizes_of(op, memory)))


def _before_extension(value: ir.Value) -> ir.Value | None:
    """The 8-bit source of a value that is sign-extended to 32 bits, or None."""
    op = defining_op(value)
    inner = None if op is None else only_op(op)
    if op is None or inner is None or inner.name != "arith.extsi":
        return None
    narrow, wide = type_of(op.operands[0]).element_type, type_of(value).element_type
    return op.operands[0] if (str(narrow), str(wide)) == ("i8", "i32") else None
