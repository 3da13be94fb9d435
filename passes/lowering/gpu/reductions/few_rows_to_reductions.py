"""Compute matmuls of few rows as sums along the rows or columns of the other operand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import defining_op, dims_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.fusion.images.building import (
    built,
    collapsed,
    constant,
    empty,
    filled,
    groups_of,
    is_zero,
)
from torch_refine.passes.lowering.fusion.images.order import type_of

# As many reads of the weights from the second cache take as long as a matmul.
_MOST_ROWS = 8
# Fewer elements of a column are not worth a split of the reduction.
_LONG_COLUMN = 128
_RANKS = {"linalg.matmul": 2, "linalg.batch_matmul": 3}
_FLOATS = (ir.F16Type, ir.BF16Type, ir.F32Type, ir.F64Type)


@dataclass
class FewRowsToReductions(Pass):
    """Compute matmuls of few rows as sums along the rows or columns of the other operand.

    A linear layer of few rows, such as one token, is as fast as its weights are read. Tiles of a
    matmul would be almost empty, and too few to read memory at its speed; a reduction has a group
    of threads for each row of the weights, and each row of the input. If the weights are not
    transposed, a thread sums a part of a column. Of several rows, all but the first find the
    weights in the second cache.

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
    #map = affine_map<(d0, d1, d2) -> (d1, d2)>
    #map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
    #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
    func.func @f(%arg0: tensor<1x64xf32>, %arg1: tensor<8x64xf32>, %arg2: tensor<64x8xf32>, \
%arg3: tensor<1x8xf32>) -> tensor<1x8xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = linalg.fill ins(%cst : f32) outs(%arg3 : tensor<1x8xf32>) -> tensor<1x8xf32>
      %transposed = linalg.transpose ins(%arg1 : tensor<8x64xf32>) outs(%arg2 : \
tensor<64x8xf32>) permutation = [1, 0]
      %cst_0 = arith.constant 0.000000e+00 : f32
      %1 = tensor.empty() : tensor<1x8xf32>
      %2 = linalg.fill ins(%cst_0 : f32) outs(%1 : tensor<1x8xf32>) -> tensor<1x8xf32>
      %3 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", \
"parallel", "reduction"]} ins(%arg1, %arg0 : tensor<8x64xf32>, tensor<1x64xf32>) outs(%2 : \
tensor<1x8xf32>) {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %4 = arith.mulf %in, %in_1 : f32
        %5 = arith.addf %out, %4 : f32
        linalg.yield %5 : f32
      } -> tensor<1x8xf32>
      return %3 : tensor<1x8xf32>
    }
    ```
    """

    name: ClassVar[str] = "few-rows-to-reductions"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in the functions of a module."""
        for each in [each for each in walk(op) if each.name in _RANKS]:
            if _has_few_rows(each):
                source = _untransposed(each.operands[1])
                if source is None and type_of(each.operands[1]).shape[-2] < _LONG_COLUMN:
                    continue
                each.results[0].replace_all_uses_with(_reduced(each, source))
                each.erase()
                state.count(self.name, "matmuls")


def _has_few_rows(matmul: ir.Operation) -> bool:
    """Whether a matmul of floats in static shapes has few rows, and its sums begin with zero."""
    left, right, start = matmul.operands
    types = [type_of(each) for each in (left, right, start)]
    if not all(type.has_static_shape and min(type.shape) > 0 for type in types):
        return False
    kinds = [type.element_type for type in types]
    return (
        types[2].shape[-2] <= _MOST_ROWS
        and _is_plain(matmul)
        and kinds[0] == kinds[1]
        and all(isinstance(kind, _FLOATS) for kind in kinds)
        and is_zero(start)
    )


def _is_plain(matmul: ir.Operation) -> bool:
    """Whether operands are neither transposed nor broadcast by the maps."""
    batch = list(range(_RANKS[matmul.name] - 2))
    row, column, depth = (len(batch) + place for place in range(3))
    found = [dims_of(ir.AffineMapAttr(each).value) for each in matmul.attributes["indexing_maps"]]
    return found == [[*batch, row, depth], [*batch, depth, column], [*batch, row, column]]


def _untransposed(right: ir.Value) -> ir.Value | None:
    """What is transposed to the right operand, perhaps with merged batches; None if nothing is."""
    producer = defining_op(right)
    groups = None
    if producer is not None and producer.name == "tensor.collapse_shape":
        groups = groups_of(producer)
        if any(len(group) > 1 for group in groups[-2:]):
            return None
        producer = defining_op(producer.operands[0])
    if producer is None or producer.name != "linalg.transpose":
        return None
    order = list(ir.DenseI64ArrayAttr(producer.attributes["permutation"]))
    *batch, last, before_last = order
    if [*batch, before_last, last] != list(range(len(order))):
        return None
    source = producer.operands[0]
    return source if groups is None else collapsed(producer, source, groups)


def _reduced(matmul: ir.Operation, source: ir.Value | None) -> ir.Value:
    """The result as a reduction of the left operand and the right one, or its transpose."""
    left, right, start = matmul.operands
    narrow, sums = type_of(left).element_type, type_of(start)
    wide = sums.element_type
    zero = filled(matmul, constant(matmul, 0.0, wide), empty(matmul, sums))
    batch = [f"d{place}" for place in range(sums.rank - 2)]
    # Adjacent threads read adjacent elements: of a row that they reduce, or of their columns.
    row, *rest = (f"d{sums.rank - 2 + place}" for place in range(3))
    column, depth = rest if source is not None else rest[::-1]
    read = [*batch, column, depth] if source is not None else [*batch, depth, column]
    dims = f"({', '.join([*batch, row, *rest])})"
    maps = ", ".join(
        f"affine_map<{dims} -> ({', '.join(each)})>"
        for each in (read, [*batch, row, depth], [*batch, row, column])
    )
    kinds = ", ".join(
        '"reduction"' if each == depth else '"parallel"' for each in [*batch, row, *rest]
    )
    widened = (
        ""
        if narrow == wide
        else f"""
        %w = arith.extf %x : {narrow} to {wide}
        %v = arith.extf %y : {narrow} to {wide}"""
    )
    factors = "%x, %y" if narrow == wide else "%w, %v"
    weights = right if source is None else source
    text = f"""linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
        ins(%a0, %a1 : {weights.type}, {left.type}) outs(%a2 : {sums}) {{
    ^bb0(%x: {narrow}, %y: {narrow}, %sum: {wide}):{widened}
        %p = arith.mulf {factors} : {wide}
        %s = arith.addf %sum, %p : {wide}
        linalg.yield %s : {wide}
    }} -> {sums}"""
    return built(matmul, text, [weights, left, zero], sums)
