"""Compute matmuls of one row as sums along the rows of the other operand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.fusion.images.building import (
    built,
    collapsed,
    constant,
    empty,
    expanded,
    filled,
    is_zero,
)
from torch_refine.passes.lowering.fusion.images.order import type_of

_FLOATS = (ir.F16Type, ir.BF16Type, ir.F32Type, ir.F64Type)


@dataclass
class SingleRowsToReductions(Pass):
    """Compute matmuls of one row as sums along the rows of the other operand.

    A linear layer of one row, such as one token, reads each weight once. Tiles of a matmul would be
    almost empty, and too few to read memory at its speed; a reduction has a group of threads for
    each row of the weights.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<1x64xf32>, %arg1: tensor<8x64xf32>, %arg2: tensor<64x8xf32>, \
%arg3: tensor<1x8xf32>) -> tensor<1x8xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = linalg.fill ins(%cst : f32) outs(%arg3 : tensor<1x8xf32>) -> tensor<1x8xf32>
      %transposed = linalg.transpose ins(%arg1 : tensor<8x64xf32>) outs(%arg2 : \
tensor<64x8xf32>) permutation = [1, 0]
      %1 = linalg.matmul ins(%arg0, %transposed : tensor<1x64xf32>, tensor<64x8xf32>) outs(%0 : \
tensor<1x8xf32>) -> tensor<1x8xf32>
      return %1 : tensor<1x8xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0, d1)>
    #map1 = affine_map<(d0, d1) -> (d1)>
    #map2 = affine_map<(d0, d1) -> (d0)>
    func.func @f(%arg0: tensor<1x64xf32>, %arg1: tensor<8x64xf32>, %arg2: tensor<64x8xf32>, \
%arg3: tensor<1x8xf32>) -> tensor<1x8xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = linalg.fill ins(%cst : f32) outs(%arg3 : tensor<1x8xf32>) -> tensor<1x8xf32>
      %transposed = linalg.transpose ins(%arg1 : tensor<8x64xf32>) outs(%arg2 : \
tensor<64x8xf32>) permutation = [1, 0]
      %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<1x64xf32> into \
tensor<64xf32>
      %cst_0 = arith.constant 0.000000e+00 : f32
      %1 = tensor.empty() : tensor<8xf32>
      %2 = linalg.fill ins(%cst_0 : f32) outs(%1 : tensor<8xf32>) -> tensor<8xf32>
      %3 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = \
["parallel", "reduction"]} ins(%arg1, %collapsed : tensor<8x64xf32>, tensor<64xf32>) \
outs(%2 : tensor<8xf32>) {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %4 = arith.mulf %in, %in_1 : f32
        %5 = arith.addf %out, %4 : f32
        linalg.yield %5 : f32
      } -> tensor<8xf32>
      %expanded = tensor.expand_shape %3 [[0, 1]] output_shape [1, 8] : tensor<8xf32> into \
tensor<1x8xf32>
      return %expanded : tensor<1x8xf32>
    }
    ```
    """

    name: ClassVar[str] = "single-rows-to-reductions"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in the functions of a module."""
        for each in [each for each in walk(op) if each.name == "linalg.matmul"]:
            weights = _weights(each)
            if weights is not None:
                each.results[0].replace_all_uses_with(_reduced(each, weights))
                each.erase()
                state.count(self.name, "matmuls")


def _weights(matmul: ir.Operation) -> ir.Value | None:
    """The transposed right operand of a matmul of one row, from zero; None for any other."""
    left, right, start = matmul.operands
    transpose = defining_op(right)
    types = [type_of(each) for each in (left, right, start)]
    if not all(type.has_static_shape for type in types) or types[2].shape[0] != 1:
        return None
    if len(matmul.attributes["indexing_maps"]) != 3 or not _is_plain(matmul):
        return None
    if transpose is None or transpose.name != "linalg.transpose":
        return None
    if not is_zero(start):
        return None
    kinds = [type.element_type for type in types]
    if kinds[0] != kinds[1] or not all(isinstance(kind, _FLOATS) for kind in kinds):
        return None
    return transpose.operands[0]


def _is_plain(matmul: ir.Operation) -> bool:
    """Whether operands are neither transposed nor broadcast by the maps."""
    maps = [ir.AffineMapAttr(each).value for each in matmul.attributes["indexing_maps"]]
    dims = [[result.position for result in map.results if _is_dim(result)] for map in maps]
    return dims == [[0, 2], [2, 1], [0, 1]]


def _is_dim(result: ir.AffineExpr) -> bool:
    return isinstance(result, ir.AffineDimExpr)


def _reduced(matmul: ir.Operation, weights: ir.Value) -> ir.Value:
    """The result as an expanded reduction."""
    left, _, start = matmul.operands
    narrow, wide = type_of(left).element_type, type_of(start).element_type
    rows, depth = type_of(weights).shape
    with matmul.context, ir.Location.unknown():
        row = ir.RankedTensorType.get([depth], narrow)
        sums = ir.RankedTensorType.get([rows], wide)
    flat = collapsed(matmul, left, [[0, 1]])
    zero = filled(matmul, constant(matmul, 0.0, wide), empty(matmul, sums))
    widened = (
        ""
        if narrow == wide
        else f"""
        %w = arith.extf %x : {narrow} to {wide}
        %v = arith.extf %y : {narrow} to {wide}"""
    )
    factors = "%x, %y" if narrow == wide else "%w, %v"
    text = f"""linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
        affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>],
        iterator_types = ["parallel", "reduction"]}}
        ins(%a0, %a1 : {weights.type}, {row}) outs(%a2 : {sums}) {{
    ^bb0(%x: {narrow}, %y: {narrow}, %sum: {wide}):{widened}
        %p = arith.mulf {factors} : {wide}
        %s = arith.addf %sum, %p : {wide}
        linalg.yield %s : {wide}
    }} -> {sums}"""
    total = built(matmul, text, [weights, flat, zero], sums)
    return expanded(matmul, total, [[0, 1]], matmul.results[0])
