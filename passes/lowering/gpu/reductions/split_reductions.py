"""Split reductions with few results into two."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_op, create_value
from torch_refine.dialect.structured_ops import GENERIC, dims_of, iterators, maps
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.gpu.reductions.combining import (
    combine,
    combiner_of,
    neutral_element,
)
from torch_refine.passes.lowering.kernels.groups import PARTIAL
from torch_refine.passes.lowering.kernels.outlining import walk_outside_kernels

# As many threads, and blocks, as keep a GPU busy.
_THREADS, _BLOCKS = 1 << 17, 128
# A thread reduces at least so many elements of a column, a block of a row.
_COLUMN, _ROW = 16, 1024
_LONG_COLUMN, _LONG_ROW = 128, 8192


@dataclass
class SplitReductions(Pass):
    """Split reductions with few results into two.

    A thread computes an element of the sums of columns, and a block the sum of a row. Where these
    are too few for a GPU, the first reduction computes partial results, of as many parts as are
    needed, and the second one reduces these. Parts have the same size, a divisor of the dimension's
    static size. The order of accumulation differs.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<4096x64xf32>, %arg1: tensor<64xf32>) -> tensor<64xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, \
affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} \
ins(%arg0 : tensor<4096x64xf32>) outs(%arg1 : tensor<64xf32>) {
      ^bb0(%in: f32, %out: f32):
        %1 = arith.addf %in, %out : f32
        linalg.yield %1 : f32
      } -> tensor<64xf32>
      return %0 : tensor<64xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
    #map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
    #map2 = affine_map<(d0, d1) -> (d0, d1)>
    #map3 = affine_map<(d0, d1) -> (d1)>
    func.func @f(%arg0: tensor<4096x64xf32>, %arg1: tensor<64xf32>) -> tensor<64xf32> {
      %0 = tensor.empty() : tensor<256x64xf32>
      %cst = arith.constant 0.000000e+00 : f32
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<256x64xf32>) -> tensor<256x64xf32>
      %expanded = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [256, 16, 64] : \
tensor<4096x64xf32> into tensor<256x16x64xf32>
      %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", \
"reduction", "parallel"]} ins(%expanded : tensor<256x16x64xf32>) outs(%1 : tensor<256x64xf32>) \
attrs =  {torch_refine.partial} {
      ^bb0(%in: f32, %out: f32):
        %7 = arith.addf %in, %out : f32
        linalg.yield %7 : f32
      } -> tensor<256x64xf32>
      %3 = tensor.empty() : tensor<16x64xf32>
      %cst_0 = arith.constant 0.000000e+00 : f32
      %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<16x64xf32>) -> tensor<16x64xf32>
      %expanded_1 = tensor.expand_shape %2 [[0, 1], [2]] output_shape [16, 16, 64] : \
tensor<256x64xf32> into tensor<16x16x64xf32>
      %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", \
"reduction", "parallel"]} ins(%expanded_1 : tensor<16x16x64xf32>) outs(%4 : tensor<16x64xf32>) \
attrs =  {torch_refine.partial} {
      ^bb0(%in: f32, %out: f32):
        %7 = arith.addf %in, %out : f32
        linalg.yield %7 : f32
      } -> tensor<16x64xf32>
      %6 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction", \
"parallel"]} ins(%5 : tensor<16x64xf32>) outs(%arg1 : tensor<64xf32>) {
      ^bb0(%in: f32, %out: f32):
        %7 = arith.addf %in, %out : f32
        linalg.yield %7 : f32
      } -> tensor<64xf32>
      return %6 : tensor<64xf32>
    }
    ```
    """

    name: ClassVar[str] = "split-reductions"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Split the reductions of a module or one function, except those of kernels."""
        pending = [each for each in walk_outside_kernels(op) if each.name == GENERIC]
        while pending:
            each = pending.pop()
            split = _split_of(each)
            if split is not None:
                with ir.InsertionPoint(each), each.location:
                    pending += split.write()
                each.erase()
                state.count(self.name, "reductions")


def _split_of(op: ir.Operation) -> _Split | None:
    """How a generic on tensors of static shapes is split; None if it has enough results."""
    kinds = iterators(op)
    if "reduction" not in kinds or len(op.results) != 1 or combiner_of(op) is None:
        return None
    sizes = _static_sizes(op)
    if sizes is None or any(each.name == "linalg.index" for each in walk(op)):
        return None
    reduced = [dim for dim, kind in enumerate(kinds) if kind == "reduction"]
    results = math.prod(size for size, kind in zip(sizes, kinds, strict=True) if kind == "parallel")
    dim = reduced[0]
    rest = math.prod(sizes[each] for each in reduced[1:])
    if kinds[-1] == "parallel" and sizes[dim] >= _LONG_COLUMN:
        parts = _divisor(sizes[dim], min(_THREADS // max(results, 1), sizes[dim] // _COLUMN))
    elif kinds[-1] == "reduction" and results < _BLOCKS and sizes[dim] * rest >= _LONG_ROW:
        parts = _divisor(sizes[dim], sizes[dim] * rest // max(_ROW, rest))
    else:
        return None
    return _Split(op, dim, parts, sizes[dim] // parts) if parts > 1 else None


def _static_sizes(op: ir.Operation) -> list[int] | None:
    """The trip counts of a generic; None if one is dynamic or zero, or maps are not simple."""
    sizes = [0] * len(iterators(op))
    for operand, map in zip(op.operands, maps(op), strict=True):
        dims = dims_of(map)
        if dims is None:
            return None
        if not isinstance(operand.type, ir.RankedTensorType):
            continue
        for dim, size in zip(dims, ir.RankedTensorType(operand.type).shape, strict=True):
            sizes[dim] = size
    return sizes if all(size > 0 for size in sizes) else None


def _divisor(size: int, most: int) -> int:
    """The greatest divisor of a size up to a bound."""
    return next((each for each in range(min(size, most), 0, -1) if size % each == 0), 1)


@dataclass(frozen=True)
class _Split:
    """The split of a loop into parts of a size."""

    op: ir.Operation
    dim: int
    parts: int
    size: int

    def write(self) -> list[ir.Operation]:
        """Create both reductions; the second one's result replaces the op's."""
        combiner = combiner_of(self.op)
        assert combiner is not None, "checked before"
        out = self.op.operands[len(self.op.operands) - 1]
        type = ir.RankedTensorType(out.type)
        # The partial results of adjacent columns are adjacent, or those of a row.
        by_column = iterators(self.op)[-1] == "parallel"
        shape = [self.parts, *type.shape] if by_column else [*type.shape, self.parts]
        place = 0 if by_column else type.rank
        empty = create_value("tensor.empty", ir.RankedTensorType.get(shape, type.element_type), [])
        partial = self._partial(_filled(empty, neutral_element(combiner)), by_column)
        kinds = ["parallel"] * len(shape)
        kinds[place] = "reduction"
        loops = [ir.AffineDimExpr.get(dim) for dim in range(len(shape))]
        kept = [loop for dim, loop in enumerate(loops) if dim != place]
        second = _generic([partial.result], out, [loops, kept], kinds)
        types = [combiner.result.type] * 2
        places = [ir.Location.current] * 2
        body = ir.Block.create_at_start(second.regions[0], types, places)
        with ir.InsertionPoint(body):
            create_op("linalg.yield", [combine(combiner, body.arguments[0], body.arguments[1])])
        self.op.results[0].replace_all_uses_with(second.result)
        return [second]

    def _partial(self, out: ir.Value, by_column: bool) -> ir.Operation:
        """The reduction of each part."""
        kinds = iterators(self.op)
        part = 0 if by_column else self.dim
        is_whole = self.size == 1
        if is_whole:
            kinds[part] = "parallel"
        else:
            kinds.insert(part, "parallel")

        def loop(dim: int) -> ir.AffineExpr:
            return ir.AffineDimExpr.get(dim + (not is_whole and dim >= part))

        inputs, indexing = [], []
        for place, map in enumerate(maps(self.op)[:-1]):
            dims = dims_of(map) or []
            operand = self.op.operands[place]
            results = [loop(dim) for dim in dims]
            if self.dim in dims and not is_whole:
                position = dims.index(self.dim)
                operand = self._expanded(operand, position)
                results.insert(position, ir.AffineDimExpr.get(part))
            inputs.append(operand)
            indexing.append(results)
        kept = [loop(dim) for dim in dims_of(maps(self.op)[-1]) or []]
        own = ir.AffineDimExpr.get(part)
        made = _generic(
            inputs, out, [*indexing, [own, *kept] if by_column else [*kept, own]], kinds
        )
        made.attributes[PARTIAL] = ir.UnitAttr.get(self.op.context)
        self.op.regions[0].blocks[0].append_to(made.regions[0])
        return made

    def _expanded(self, operand: ir.Value, position: int) -> ir.Value:
        """An operand with a dimension of parts before that of the elements of each."""
        type = ir.RankedTensorType(operand.type)
        shape = list(type.shape)
        shape[position : position + 1] = [self.parts, self.size]
        number = ir.IntegerType.get_signless(64)
        groups = [
            [at + (at > position)] if at != position else [at, at + 1] for at in range(type.rank)
        ]
        reassociation = ir.ArrayAttr.get(
            [ir.ArrayAttr.get([ir.IntegerAttr.get(number, at) for at in group]) for group in groups]
        )
        return create_value(
            "tensor.expand_shape",
            ir.RankedTensorType.get(shape, type.element_type),
            [operand],
            {
                "reassociation": reassociation,
                "static_output_shape": ir.DenseI64ArrayAttr.get(shape),
            },
        )


def _filled(tensor: ir.Value, value: ir.Value) -> ir.Value:
    made = create_op(
        "linalg.fill",
        [value, tensor],
        {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1])},
        [tensor.type],
        regions=1,
    )
    element = value.type
    body = ir.Block.create_at_start(made.regions[0], [element] * 2, [ir.Location.current] * 2)
    with ir.InsertionPoint(body):
        create_op("linalg.yield", [body.arguments[0]])
    return made.result


def _generic(
    inputs: list[ir.Value], out: ir.Value, indexing: list[list[ir.AffineExpr]], kinds: list[str]
) -> ir.Operation:
    """A generic without a body."""
    all_maps = [ir.AffineMap.get(len(kinds), 0, results) for results in indexing]
    names = ", ".join(f"#linalg.iterator_type<{kind}>" for kind in kinds)
    return create_op(
        GENERIC,
        [*inputs, out],
        {
            "indexing_maps": ir.ArrayAttr.get([ir.AffineMapAttr.get(map) for map in all_maps]),
            "iterator_types": ir.Attribute.parse(f"[{names}]"),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(inputs), 1]),
        },
        [out.type],
        regions=1,
    )
