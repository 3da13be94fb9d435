"""Split contractions with few tiles along their reduction dimension."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import (
    add,
    create_value,
    index_type,
    index_value,
    multiply,
)
from torch_refine.dialect.structured_ops import (
    GENERIC,
    before_transpose,
    defining_op,
    dims_of,
    is_contraction,
    iterators,
    maps,
    num_inputs,
    operation_of,
    set_maps,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.fusion.images.building import (
    built,
    constant,
    empty,
    filled,
    groups_of,
    is_zero,
)
from torch_refine.passes.lowering.fusion.images.order import type_of
from torch_refine.passes.lowering.gpu.padding import rearranges
from torch_refine.passes.lowering.gpu.tiling import tile_of
from torch_refine.passes.lowering.kernels.groups import PRODUCT
from torch_refine.passes.lowering.kernels.outlining import walk_outside_kernels

# Three blocks for each of the 132 multiprocessors of an H100 hide each other's latencies.
_BLOCKS = 396
# Shorter parts take less time than their partial sums.
_SHORTEST = 64
# Parts are whole tiles.
_DEPTH = 16


@dataclass
class SplitContractions(Pass):
    """Split contractions with few tiles along their reduction dimension.

    A block of threads computes a tile of the result. Where these are too few for a GPU, the
    contraction computes partial sums, of as many parts as are needed, and a reduction adds them.
    Parts have the same size, a multiple of 16. The order of accumulation differs. Contractions of
    16-bit floats are split if they are convolutions: others are those of warpgroups.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<64x128xf32>, %arg1: tensor<128x64xf32>, %arg2: tensor<64x64xf32>) \
-> tensor<64x64xf32> {
      %0 = linalg.matmul ins(%arg0, %arg1 : tensor<64x128xf32>, tensor<128x64xf32>) \
outs(%arg2 : tensor<64x64xf32>) -> tensor<64x64xf32>
      return %0 : tensor<64x64xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1, d2) -> (d1, d0 * 64 + d2)>
    #map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
    #map2 = affine_map<(d0, d1, d2) -> (d0 * 64 + d1, d2)>
    #map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
    #map4 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
    #map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
    #map6 = affine_map<(d0, d1) -> (d0, d1)>
    func.func @f(%arg0: tensor<64x128xf32>, %arg1: tensor<128x64xf32>, %arg2: \
tensor<64x64xf32>) -> tensor<64x64xf32> {
      %0 = tensor.empty() : tensor<2x64x64xf32>
      %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", \
"parallel", "parallel"]} ins(%arg0 : tensor<64x128xf32>) outs(%0 : tensor<2x64x64xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x64x64xf32>
      %2 = tensor.empty() : tensor<2x64x64xf32>
      %3 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", \
"parallel", "parallel"]} ins(%arg1 : tensor<128x64xf32>) outs(%2 : tensor<2x64x64xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x64x64xf32>
      %cst = arith.constant 0.000000e+00 : f32
      %4 = tensor.empty() : tensor<2x64x64xf32>
      %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
      %6 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", \
"parallel", "parallel", "reduction"]} ins(%1, %3 : tensor<2x64x64xf32>, tensor<2x64x64xf32>) \
outs(%5 : tensor<2x64x64xf32>) attrs =  {torch_refine.product} {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %10 = arith.mulf %in, %in_0 : f32
        %11 = arith.addf %10, %out : f32
        linalg.yield %11 : f32
      } -> tensor<2x64x64xf32>
      %7 = tensor.empty() : tensor<f32>
      %8 = tensor.empty() : tensor<64x64xf32>
      %9 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", \
"parallel"]} ins(%arg2 : tensor<64x64xf32>) outs(%8 : tensor<64x64xf32>) {
      ^bb0(%in: f32, %out: f32):
        %10 = linalg.index 0 : index
        %11 = linalg.index 1 : index
        %c0 = arith.constant 0 : index
        %extracted = tensor.extract %6[%c0, %10, %11] : tensor<2x64x64xf32>
        %c1 = arith.constant 1 : index
        %extracted_0 = tensor.extract %6[%c1, %10, %11] : tensor<2x64x64xf32>
        %12 = arith.addf %extracted, %extracted_0 : f32
        %13 = arith.addf %in, %12 : f32
        linalg.yield %13 : f32
      } -> tensor<64x64xf32>
      return %9 : tensor<64x64xf32>
    }
    ```
    """

    name: ClassVar[str] = "split-contractions"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Split the contractions of a module, except those of kernels, which are scheduled."""
        for each in [
            each
            for each in walk_outside_kernels(op)
            if is_contraction(each) or PRODUCT in each.attributes
        ]:
            parts = _parts(each)
            if parts > 1:
                _add(each, _partial(each, parts), parts)
                _erase(each)
                state.count(self.name, "contractions")


def _erase(op: ir.Operation) -> None:
    """Erase an op, and what transposes or gathers its operands if nothing else uses it."""
    producers = {producer for operand in op.operands if (producer := defining_op(operand))}
    op.erase()
    for producer in producers:
        is_used = any(True for result in producer.results for _ in result.uses)
        if not is_used and rearranges(producer):
            _erase(producer)


def _parts(op: ir.Operation) -> int:
    """How many parts a contraction has; 1 if it has enough tiles, or is no plain one in f32."""
    types = [type_of(each) for each in op.operands]
    if not all(type.has_static_shape and min(type.shape, default=1) > 0 for type in types):
        return 1
    kinds = [str(type.element_type) for type in types]
    is_half = kinds in (["f16", "f16", "f32"], ["bf16", "bf16", "f32"])
    if kinds != ["f32"] * 3 and not (is_half and op.name == GENERIC):
        return 1
    if all(map(_is_extended, list(op.operands)[:2])):
        # Tensor cores take what is extended.
        return 1
    dims = [dims_of(map) for map in maps(op)]
    if len(dims) != 3 or any(each is None for each in dims):
        return 1
    left, right, out = (each or [] for each in dims)
    depth = len(out)
    # Loops are batches, rows, columns and the reduction.
    if out != list(range(depth)) or depth < 2 or depth not in left or depth not in right:
        return 1
    sizes = {dim: size for map, type in zip(dims, types, strict=True)
             for dim, size in zip(map or [], type.shape, strict=True)}  # fmt: skip
    *batches, rows, columns = (sizes[dim] for dim in out)
    tiles = math.prod(batches) * math.prod(-(-size // tile_of(size)) for size in (rows, columns))
    most = min(_BLOCKS // tiles, sizes[depth] // _SHORTEST)
    size = sizes[depth]
    return next((each for each in range(most, 1, -1) if size % (each * _DEPTH) == 0), 1)


def _is_extended(operand: ir.Value) -> bool:
    """Whether 16-bit floats are extended to an operand, which may be transposed."""
    producer = defining_op(operand)
    if producer is not None and producer.name == "linalg.transpose":
        producer = defining_op(producer.operands[0])
    return (
        producer is not None
        and rearranges(producer)
        and type_of(producer.operands[0]).element_type != type_of(operand).element_type
    )


def _partial(op: ir.Operation, parts: int) -> ir.Value:
    """The partial results of a contraction."""
    start = op.operands[-1]
    sums = type_of(start)
    depth = sums.rank
    count = depth + 2
    operands, indexing = [], []
    for operand, map in zip(list(op.operands)[: num_inputs(op)], maps(op), strict=False):
        given, results = _in_parts(op, operand, map, parts, count)
        operands.append(given)
        indexing.append(results)
    element = sums.element_type
    with op.context, ir.Location.unknown():
        partial = ir.RankedTensorType.get([parts, *sums.shape], element)
    zero = filled(op, constant(op, 0.0, element), empty(op, partial))
    loops = ", ".join(f"d{place}" for place in range(count))
    written = [", ".join(each) for each in (*indexing, [f"d{place}" for place in range(depth + 1)])]
    all_maps = ", ".join(f"affine_map<({loops}) -> ({each})>" for each in written)
    kinds = ", ".join(['"parallel"'] * (depth + 1) + ['"reduction"'])
    narrow = type_of(operands[0]).element_type
    widened = (
        ""
        if narrow == element
        else f"""
        %w = arith.extf %x : {narrow} to {element}
        %v = arith.extf %y : {narrow} to {element}"""
    )
    factors = "%x, %y" if narrow == element else "%w, %v"
    text = f"""linalg.generic {{indexing_maps = [{all_maps}], iterator_types = [{kinds}]}}
        ins(%a0, %a1 : {operands[0].type}, {operands[1].type}) outs(%a2 : {partial})
        attrs = {{{PRODUCT}}} {{
    ^bb0(%x: {narrow}, %y: {narrow}, %sum: {element}):{widened}
        %p = arith.mulf {factors} : {element}
        %s = arith.addf %p, %sum : {element}
        linalg.yield %s : {element}
    }} -> {partial}"""
    return built(op, text, [*operands, zero], partial)


def _add(op: ir.Operation, partial: ir.Value, parts: int) -> None:
    """Replace the result of a contraction by the sum of partial results.

    The sum is computed by the elementwise user, if there is one. Each element loads its partial
    results: those of adjacent elements are adjacent.
    """
    result, start = op.results[0], op.operands[-1]
    rank = type_of(result).rank
    groups = [[place] for place in range(rank)]
    view, user = None, _only_user(result)
    if user is not None and user.name == "tensor.expand_shape":
        view, groups = user, groups_of(user)
        user = _only_user(view.results[0])
    read = view.results[0] if view is not None else result
    if user is None or not _is_elementwise(user, read):
        user = _copy_of(op)
        groups = [[place] for place in range(rank)]
        view, read = None, user.operands[0]
    place = list(user.operands).index(read)
    source, loops = _start(op, start, groups, view)
    if view is None and user.operands[place] != result:
        # A copy, which must come after its operands.
        user.move_before(op)
    with ir.InsertionPoint.at_block_begin(user.regions[0].blocks[0]), op.location:
        argument = user.regions[0].blocks[0].arguments[place]
        uses = [(operation_of(use.owner), use.operand_number) for use in argument.uses]
        indices = _indices(groups, type_of(result if view is None else read).shape)
        terms = [_extracted(partial, part, indices) for part in range(parts)]
        if not is_zero(start):
            terms.append(argument)
        # Pairs, as then fewer additions wait for each other.
        while len(terms) > 1:
            terms = [*terms[2:], create_value("arith.addf", argument.type, terms[:2])]
    (sum,) = terms
    for owner, number in uses:
        owner.operands[number] = sum
    indexing = maps(user)
    count = len(iterators(user))
    dims = [ir.AffineDimExpr.get(dim, op.context) for dim in loops]
    indexing[place] = ir.AffineMap.get(count, 0, dims, op.context)
    user.operands[place] = source
    set_maps(user, indexing)
    if view is not None:
        view.erase()
    result.replace_all_uses_with(user.results[0])


def _only_user(value: ir.Value) -> ir.Operation | None:
    uses = list(value.uses)
    return operation_of(uses[0].owner) if len(uses) == 1 else None


def _is_elementwise(user: ir.Operation, read: ir.Value) -> bool:
    """Whether an op maps the elements of a value in their order, and reads it once."""
    if user.name != GENERIC or set(iterators(user)) != {"parallel"}:
        return False
    place = list(user.operands).index(read)
    identity = list(range(len(iterators(user))))
    return place < num_inputs(user) and dims_of(maps(user)[place]) == identity


def _copy_of(op: ir.Operation) -> ir.Operation:
    """An elementwise op that copies a number, in the type of a contraction's result."""
    type = type_of(op.results[0])
    element = type.element_type
    domain = f"({', '.join(f'd{place}' for place in range(type.rank))})"
    kinds = ", ".join(['"parallel"'] * type.rank)
    number = _number(op, element)
    text = f"""linalg.generic {{
        indexing_maps = [affine_map<{domain} -> ()>, affine_map<{domain} -> {domain}>],
        iterator_types = [{kinds}]
      }} ins(%a0 : {number.type}) outs(%a1 : {type}) {{
      ^bb0(%x: {element}, %out: {element}):
        linalg.yield %x : {element}
      }} -> {type}"""
    inputs = [number, empty(op, type)]
    return operation_of(built(op, text, inputs, type).owner)


def _start(
    op: ir.Operation, start: ir.Value, groups: list[list[int]], view: ir.Operation | None
) -> tuple[ir.Value, list[int]]:
    """What sums begin with, without a broadcast, and the loops by which it is read; what is not
    used, if they begin with zero."""
    if is_zero(start):
        return _number(op, type_of(start).element_type), []
    producer = defining_op(start)
    merged = [[place] for place in range(type_of(start).rank)]
    if producer is not None and producer.name == "tensor.collapse_shape":
        merged = groups_of(producer)
        producer = defining_op(producer.operands[0])
    if producer is not None and producer.name == "linalg.broadcast":
        repeated = set(ir.DenseI64ArrayAttr(producer.attributes["dimensions"]))
        kept = [[dim for dim in group if dim not in repeated] for group in merged]
        if all(len(each) <= (len(group) == len(into) == 1)
               for each, group, into in zip(kept, merged, groups, strict=True)):  # fmt: skip
            return producer.operands[0], [
                into[0] for each, into in zip(kept, groups, strict=True) if each
            ]
    if view is None:
        return start, [dim for group in groups for dim in group]
    type = type_of(view.results[0])
    shape = list(type.shape)
    text = f"tensor.expand_shape %a0 {groups} output_shape {shape} : {start.type} into {type}"
    return built(op, text, [start], type), list(range(type.rank))


def _number(op: ir.Operation, element: ir.Type) -> ir.Value:
    """A tensor of one unknown number."""
    with op.context, ir.Location.unknown():
        return empty(op, ir.RankedTensorType.get([], element))


def _indices(groups: list[list[int]], shape: list[int]) -> list[ir.Value]:
    """The indices of the current element, of which groups of loops are one."""
    found = []
    for group in groups:
        index = None
        for dim in group:
            attributes = {"dim": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), dim)}
            inner = create_value("linalg.index", index_type(), [], attributes)
            index = inner if index is None else index_value(add(multiply(index, shape[dim]), inner))
        found.append(index)
    return found


def _extracted(partial: ir.Value, part: int, indices: list[ir.Value]) -> ir.Value:
    type = type_of(partial).element_type
    return create_value("tensor.extract", type, [partial, index_value(part), *indices])


def _in_parts(
    op: ir.Operation, operand: ir.Value, map: ir.AffineMap, parts: int, count: int
) -> tuple[ir.Value, list[str]]:
    """An operand with a dimension of parts first, as it is read from memory; and its loops.

    A gather is fused into the loads of tiles, as those of windows of images are.
    """
    depth = count - 2
    producer = defining_op(operand)
    if producer is not None and producer.name == "linalg.transpose":
        map = before_transpose(map, producer)
        operand = producer.operands[0]
        producer = defining_op(operand)
    dims = dims_of(map) or []
    place = dims.index(depth)
    type = type_of(operand)
    size = type.shape[place] // parts
    shape = [parts, *type.shape[:place], size, *type.shape[place + 1 :]]
    loops = [ir.AffineDimExpr.get(dim, op.context) for dim in range(len(shape))]
    read = loops[1:]
    read[place] = loops[0] * size + read[place]
    source, element = operand, type.element_type
    if producer is not None and producer.name == GENERIC and rearranges(producer):
        whole = ir.AffineMap.get(len(shape), 0, read, op.context)
        read = [result.compose(whole) for result in maps(producer)[0].results]
        source = producer.operands[0]
    with op.context, ir.Location.unknown():
        wanted = ir.RankedTensorType.get(shape, element)
    narrow = type_of(source).element_type
    widened = "" if narrow == element else f"%w = arith.extf %x : {narrow} to {element}"
    domain = f"({', '.join(str(loop) for loop in loops)})"
    kinds = ", ".join(['"parallel"'] * len(shape))
    text = f"""linalg.generic {{
        indexing_maps = [affine_map<{domain} -> ({", ".join(str(each) for each in read)})>,
                         affine_map<{domain} -> {domain}>],
        iterator_types = [{kinds}]
      }} ins(%a0 : {source.type}) outs(%a1 : {wanted}) {{
      ^bb0(%x: {narrow}, %out: {element}):
        {widened}
        linalg.yield {"%w" if widened else "%x"} : {element}
      }} -> {wanted}"""
    gathered = built(op, text, [source, empty(op, wanted)], wanted)
    return gathered, ["d0", *(f"d{dim + 1}" for dim in dims)]
