"""Lower convolutions to img2col and a contraction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.fusion.images.building import built, collapsed, empty, expanded
from torch_refine.passes.lowering.fusion.images.order import type_of
from torch_refine.passes.lowering.kernels.groups import PRODUCT

# The dimensions before those of an image: batch and channels, or with groups between.
_LEADING = {
    "linalg.conv_2d_nchw_fchw": 2,
    "linalg.conv_2d_ngchw_gfchw": 3,
    "linalg.conv_3d_ncdhw_fcdhw": 2,
}
# Of fewer filters, most of a tile of a matmul would be padding.
_FEWEST_FILTERS = 8


@dataclass
class ConvolutionsToImg2col(Pass):
    """Lower convolutions to img2col and a contraction.

    Convolutions of static sizes become a matmul of the weights and an im2col matrix, whose elements
    are read from the image: it is never materialized as a whole. Groups are batches of it. Those of
    few filters each, such as depthwise ones, do not change.

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
        for each in [each for each in walk(op) if _is_unfolded(each)]:
            _unfold(each)
            state.count(self.name, "convolutions unfolded")


def _is_unfolded(op: ir.Operation) -> bool:
    leading = _LEADING.get(op.name)
    if leading is None:
        return False
    image, weights, result = (ir.RankedTensorType(operand.type) for operand in op.operands)
    if not all(type.has_static_shape for type in (image, weights, result)):
        return False
    if image.element_type != weights.element_type or not _multiplication(
        image.element_type, result.element_type
    ):
        return False
    if op.name == "linalg.conv_2d_nchw_fchw":
        return True
    return int(weights.shape[leading - 2]) >= _FEWEST_FILTERS


def _multiplication(element: ir.Type, total: ir.Type) -> str | None:
    """The body of a matmul of `%x` and `%y`, added to `%total`; None if there is none."""
    if isinstance(element, ir.FloatType) and isinstance(total, ir.FloatType):
        if element.width > total.width or (element.width == total.width and element != total):
            return None
        kind, extension = "f", "arith.extf"
    elif isinstance(element, ir.IntegerType) and isinstance(total, ir.IntegerType):
        if element.width > total.width:
            return None
        kind, extension = "i", "arith.extsi"
    else:
        return None
    names = ["%x", "%y"]
    lines = []
    if element != total:
        lines = [f"{name}w = {extension} {name} : {element} to {total}" for name in names]
        names = [f"{name}w" for name in names]
    lines += [
        f"%product = arith.mul{kind} {', '.join(names)} : {total}",
        f"%sum = arith.add{kind} %product, %total : {total}",
        f"linalg.yield %sum : {total}",
    ]
    return "\n".join(lines)


def _unfold(op: ir.Operation) -> None:
    """Replace a convolution; results are laid out as its own."""
    leading = _LEADING[op.name]
    _, weights, total = op.operands
    # Channels and window; the weights have no batch.
    window = list(range(leading - 1, type_of(weights).rank))
    filters = [*([place] for place in range(leading - 1)), window]
    matrix = collapsed(op, weights, filters)
    positions = [*([place] for place in range(leading)), list(range(leading, type_of(total).rank))]
    sums = collapsed(op, total, positions)
    columns = _img2col(op, type_of(matrix).shape[-1], type_of(sums).shape[-1])
    product = _product(op, matrix, columns, sums)
    result = expanded(op, product, positions, total)
    op.results[0].replace_all_uses_with(result)
    op.erase()


def _img2col(op: ir.Operation, depth: int, count: int) -> ir.Value:
    """The im2col matrices: for each image and group, elements of a window by positions of it."""
    leading = _LEADING[op.name]
    image, weights, total = op.operands
    type = type_of(image)
    window = list(type_of(weights).shape)[leading:]
    positions = list(type_of(total).shape)[leading:]
    strides = list(ir.DenseIntElementsAttr(op.attributes["strides"]))
    dilations = list(ir.DenseIntElementsAttr(op.attributes["dilations"]))
    outer = [f"d{place}" for place in range(leading - 1)]
    row, column = f"d{leading - 1}", f"d{leading}"
    inner = f"({row} mod {math.prod(window)})"
    read = [*outer, f"{row} floordiv {math.prod(window)}"]
    for place, (stride, dilation) in enumerate(zip(strides, dilations, strict=True)):
        at = _digit(column, positions, place)
        within = _digit(inner, window, place)
        read.append(f"{at} * {stride} + {within} * {dilation}")
    sizes = [*list(type.shape)[: leading - 1], depth, count]
    with op.context, ir.Location.unknown():
        made = ir.RankedTensorType.get(sizes, type.element_type)
    loops = ", ".join([*outer, row, column])
    kinds = ", ".join(['"parallel"'] * len(sizes))
    text = f"""linalg.generic {{
      indexing_maps = [affine_map<({loops}) -> ({", ".join(read)})>,
        affine_map<({loops}) -> ({loops})>], iterator_types = [{kinds}]}}
      ins(%a0 : {type}) outs(%a1 : {made}) {{
      ^bb0(%x: {type.element_type}, %out: {type.element_type}):
        linalg.yield %x : {type.element_type}
      }} -> {made}"""
    return built(op, text, [image, empty(op, made)], made)


def _digit(number: str, sizes: Sequence[int], place: int) -> str:
    """A dimension's index of a linear index."""
    digit = f"({number} floordiv {math.prod(sizes[place + 1 :])})"
    return digit if place == 0 else f"({digit} mod {sizes[place]})"


def _product(op: ir.Operation, matrix: ir.Value, columns: ir.Value, sums: ir.Value) -> ir.Value:
    """The matmul, of which groups and images are batches."""
    one, other, type = type_of(matrix), type_of(columns), type_of(sums)
    body = _multiplication(one.element_type, type.element_type)
    batches = [f"d{place}" for place in range(type.rank - 2)]
    row, column, depth = (f"d{type.rank - 2 + place}" for place in range(3))
    loops = ", ".join([*batches, row, column, depth])
    reads = [[*batches[1:], row, depth], [*batches, depth, column], [*batches, row, column]]
    maps = ", ".join(f"affine_map<({loops}) -> ({', '.join(each)})>" for each in reads)
    kinds = ", ".join([*['"parallel"'] * type.rank, '"reduction"'])
    text = f"""linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
      ins(%a0, %a1 : {one}, {other}) outs(%a2 : {type}) attrs = {{{PRODUCT}}} {{
      ^bb0(%x: {one.element_type}, %y: {other.element_type}, %total: {type.element_type}):
        {body}
      }} -> {type}"""
    return built(op, text, [matrix, columns, sums], type)
