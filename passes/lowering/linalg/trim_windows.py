"""Crop inputs of pooling to what their windows read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect import structured_ops as indexing
from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.passes.base import Pass, RunState


@dataclass
class TrimWindows(Pass):
    """Crop inputs of pooling to what their windows read.

    Windows with a stride need not reach the end of an input. If there is a single window,
    upstream's `linalg-fold-unit-extent-dims` drops the loop over windows, and the trip count of the
    loop inside the window would become the whole size of the input.

    Before:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0 * 3 + d1)>
    #map1 = affine_map<(d0, d1) -> (d1)>
    #map2 = affine_map<(d0, d1) -> (d0)>
    func.func @f(%arg0: tensor<5xf32>, %arg1: tensor<3xf32>, %arg2: tensor<1xf32>) -> tensor<1xf32> {
      %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%arg0, %arg1 : tensor<5xf32>, tensor<3xf32>) outs(%arg2 : tensor<1xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.maximumf %in, %out : f32
        linalg.yield %1 : f32
      } -> tensor<1xf32>
      return %0 : tensor<1xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0 * 3 + d1)>
    #map1 = affine_map<(d0, d1) -> (d1)>
    #map2 = affine_map<(d0, d1) -> (d0)>
    func.func @f(%arg0: tensor<5xf32>, %arg1: tensor<3xf32>, %arg2: tensor<1xf32>) -> tensor<1xf32> {
      %extracted_slice = tensor.extract_slice %arg0[0] [3] [1] : tensor<5xf32> to tensor<3xf32>
      %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%extracted_slice, %arg1 : tensor<3xf32>, tensor<3xf32>) outs(%arg2 : tensor<1xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.maximumf %in, %out : f32
        linalg.yield %1 : f32
      } -> tensor<1xf32>
      return %0 : tensor<1xf32>
    }
    ```
    """  # noqa: E501

    name: ClassVar[str] = "trim-windows"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Crop the inputs of pooling in a module, or in one function."""
        for each in list(walk(op)):
            if each.name == "linalg.generic":
                state.count(self.name, "inputs trimmed", _trim(each))


def _trim(op: ir.Operation) -> int:
    """Crop the inputs of an op; returns how many."""
    maps = indexing.maps(op)
    ranges = _ranges(op, maps)
    trimmed = 0
    for number, map in enumerate(maps[: len(maps) - len(op.results)]):
        operand = op.operands[number]
        if not isinstance(operand.type, ir.RankedTensorType):
            continue
        sizes = list(operand.type.shape)
        read = [_reach(expression, ranges) for expression in map.results]
        # An input of dynamic size is cropped, too: the number of windows is static.
        needed = [
            size if some is None else some + 1 if size < 0 else min(size, some + 1)
            for size, some in zip(sizes, read, strict=True)
        ]
        if needed != sizes:
            op.operands[number] = _slice(op, operand, needed)
            trimmed += 1
    return trimmed


def _ranges(op: ir.Operation, maps: list[ir.AffineMap]) -> dict[int, int]:
    """The trip count of each loop that is a dimension of some operand by itself."""
    found: dict[int, int] = {}
    for operand, map in zip(op.operands, maps, strict=True):
        if isinstance(operand.type, ir.RankedTensorType):
            for size, expression in zip(operand.type.shape, map.results, strict=True):
                if isinstance(expression, ir.AffineDimExpr) and size >= 0:
                    position = expression.position
                    found[position] = min(size, found.get(position, size))
    return found


def _reach(expression: ir.AffineExpr, ranges: dict[int, int]) -> int | None:
    """The greatest value of a linear combination of loops; None for a single loop or others."""
    if not isinstance(expression, ir.AffineAddExpr):
        return None
    left, right = _greatest(expression.lhs, ranges), _greatest(expression.rhs, ranges)
    return None if left is None or right is None else left + right


def _greatest(expression: ir.AffineExpr, ranges: dict[int, int]) -> int | None:
    if isinstance(expression, ir.AffineDimExpr):
        count = ranges.get(expression.position)
        return count - 1 if count else None
    if isinstance(expression, ir.AffineAddExpr):
        return _reach(expression, ranges)
    if isinstance(expression, ir.AffineMulExpr) and isinstance(
        expression.rhs, ir.AffineConstantExpr
    ):
        part = _greatest(expression.lhs, ranges)
        factor: int = expression.rhs.value
        return None if part is None or factor < 0 else part * factor
    return None


def _slice(op: ir.Operation, value: ir.Value, sizes: list[int]) -> ir.Value:
    """The front slice of a tensor, before an op; negative sizes are whole dimensions."""
    type = ir.RankedTensorType(value.type)
    context = op.context
    zeros, ones = [0] * len(sizes), [1] * len(sizes)
    with ir.InsertionPoint(op), op.location:
        unknown = [_size(value, dim) for dim, size in enumerate(sizes) if size < 0]
        segments = [1, 0, len(unknown), 0]
        return create_value(
            "tensor.extract_slice",
            ir.RankedTensorType.get(sizes, type.element_type),
            [value, *unknown],
            {
                "static_offsets": ir.DenseI64ArrayAttr.get(zeros, context),
                "static_sizes": ir.DenseI64ArrayAttr.get(sizes, context),
                "static_strides": ir.DenseI64ArrayAttr.get(ones, context),
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get(segments, context),
            },
        )


def _size(value: ir.Value, dim: int) -> ir.Value:
    index = ir.IndexType.get(value.context)
    number = ir.IntegerAttr.get(index, dim)
    constant = create_value("arith.constant", index, [], {"value": number})
    return create_value("tensor.dim", index, [value, constant])
