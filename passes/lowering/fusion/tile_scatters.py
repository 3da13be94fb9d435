"""Compute what scatters write in tiles that stay in the first cache."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    create_op,
    create_value,
    divide,
    finish,
    for_loop,
    index_type,
    index_value,
    multiply,
)
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    iterators,
    maps,
    reassociation_of,
    tied_init,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.slices import Slice
from torch_refine.passes.lowering.kernels.targets.record import TargetError, target_of

_SCATTER, _COLLAPSE, _EXPAND = "tm_tensor.scatter", "tensor.collapse_shape", "tensor.expand_shape"
# The part of the first cache that the updates of a tile and their indices take: what is read to
# compute them, and what they are added to, takes more.
_PART = 12


@dataclass
class TileScatters(Pass):
    """Compute what scatters write in tiles that stay in the first cache.

    Updates and their indices, if elementwise ops compute them, are computed for some rows at a
    time, in a loop that scatters them: elsewhere, they would be written to memory as a whole, and
    read again. Rows are those of the first dimension. Scatters to an argument are left, as they may
    update it in place; and so are those whose updates and indices fit into the first cache.

    Before:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0, d1)>
    module attributes {torch_refine.cpu = {architecture = "x86-64", crossing_load = 6 : i64, \
features = ["avx2"], fma_latency = 4 : i64, fma_ports = 2 : i64, l1_bytes = 32768 : i64, l2_bytes \
= 524288 : i64, l3_bytes = 0 : i64, line_bytes = 64 : i64, load_ports = 2 : i64, name = \
"haswell", vector_bits = 256 : i64, vector_registers = 16 : i64}} {
      func.func @f(%arg0: tensor<400x64xf32>, %arg1: tensor<400x1xi64>, %arg2: tensor<9x64xf32>) \
-> tensor<9x64xf32> {
        %0 = tensor.empty() : tensor<400x64xf32>
        %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", \
"parallel"]} ins(%arg0 : tensor<400x64xf32>) outs(%0 : tensor<400x64xf32>) {
        ^bb0(%in: f32, %out: f32):
          %4 = math.absf %in : f32
          linalg.yield %4 : f32
        } -> tensor<400x64xf32>
        %cst = arith.constant 0.000000e+00 : f32
        %2 = linalg.fill ins(%cst : f32) outs(%arg2 : tensor<9x64xf32>) -> tensor<9x64xf32>
        %3 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%1, \
%arg1 : tensor<400x64xf32>, tensor<400x1xi64>) outs(%2 : tensor<9x64xf32>) {
        ^bb0(%arg3: f32, %arg4: f32):
          %4 = arith.addf %arg4, %arg3 : f32
          tm_tensor.yield %4 : f32
        } -> tensor<9x64xf32>
        return %3 : tensor<9x64xf32>
      }
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0, d1)>
    module attributes {torch_refine.cpu = {architecture = "x86-64", crossing_load = 6 : i64, \
features = ["avx2"], fma_latency = 4 : i64, fma_ports = 2 : i64, l1_bytes = 32768 : i64, l2_bytes \
= 524288 : i64, l3_bytes = 0 : i64, line_bytes = 64 : i64, load_ports = 2 : i64, name = \
"haswell", vector_bits = 256 : i64, vector_registers = 16 : i64}} {
      func.func @f(%arg0: tensor<400x64xf32>, %arg1: tensor<400x1xi64>, %arg2: tensor<9x64xf32>) \
-> tensor<9x64xf32> {
        %0 = tensor.empty() : tensor<400x64xf32>
        %cst = arith.constant 0.000000e+00 : f32
        %1 = linalg.fill ins(%cst : f32) outs(%arg2 : tensor<9x64xf32>) -> tensor<9x64xf32>
        %alloc = memref.alloc() : memref<9x64xf32>
        %2 = bufferization.to_buffer %1 read_only : tensor<9x64xf32> to memref<9x64xf32>
        memref.copy %2, %alloc : memref<9x64xf32> to memref<9x64xf32>
        %c0 = arith.constant 0 : index
        %c400 = arith.constant 400 : index
        %c10 = arith.constant 10 : index
        scf.for %arg3 = %c0 to %c400 step %c10 {
          %4 = tensor.empty() : tensor<10x64xf32>
          %extracted_slice = tensor.extract_slice %arg0[%arg3, 0] [10, 64] [1, 1] : \
tensor<400x64xf32> to tensor<10x64xf32>
          %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", \
"parallel"]} ins(%extracted_slice : tensor<10x64xf32>) outs(%4 : tensor<10x64xf32>) {
          ^bb0(%in: f32, %out: f32):
            %8 = math.absf %in : f32
            linalg.yield %8 : f32
          } -> tensor<10x64xf32>
          %extracted_slice_0 = tensor.extract_slice %arg1[%arg3, 0] [10, 1] [1, 1] : \
tensor<400x1xi64> to tensor<10x1xi64>
          %6 = bufferization.to_buffer %5 read_only : tensor<10x64xf32> to memref<10x64xf32>
          %7 = bufferization.to_buffer %extracted_slice_0 read_only : tensor<10x1xi64> to \
memref<10x1xi64>
          tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%6, %7 : \
memref<10x64xf32>, memref<10x1xi64>) outs(%alloc : memref<9x64xf32>) {
          ^bb0(%arg4: f32, %arg5: f32):
            %8 = arith.addf %arg5, %arg4 : f32
            tm_tensor.yield %8 : f32
          }
        }
        %3 = bufferization.to_tensor %alloc restrict : memref<9x64xf32> to tensor<9x64xf32>
        return %3 : tensor<9x64xf32>
      }
    }
    ```
    """

    name: ClassVar[str] = "tile-scatters"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Tile the scatters of a module, or of one function."""
        for each in [each for each in walk(op) if each.name == _SCATTER]:
            tiles = _tiles_of(each)
            if tiles is not None:
                with each.location, ir.InsertionPoint(each):
                    _tile(each, *tiles)
                state.count(self.name, "scatters")


def _tiles_of(op: ir.Operation) -> tuple[int, int] | None:
    """How many rows a tile has, and how many updates a row; None if nothing is to be tiled."""
    updates, indices, out = op.operands
    if not len(op.results) or isinstance(out.owner, ir.Block):
        return None
    repeats = {_updates_per_row(updates), _updates_per_row(indices)} - {1}
    if len(repeats) > 1 or None in repeats:
        return None
    (repeat,) = repeats or {1}
    assert repeat is not None, "the number of updates is known"
    sizes = {each: repeat * _bytes_per_update(each) for each in (updates, indices)}
    row = sum(sizes.values())
    computed = sum(size for each, size in sizes.items() if _computes(_source(each, repeat)))
    # Else, there is more to read than to be saved.
    if 2 * computed < row:
        return None
    try:
        cache = target_of(op).l1_bytes
    except TargetError:
        return None
    rows = _type(_whole(op, repeat)).shape[0]
    if rows >= 0 and rows * row <= cache:
        return None
    return max(cache // _PART // max(row, 1), 1), repeat


def _type(value: ir.Value) -> ir.RankedTensorType:
    return ir.RankedTensorType(value.type)


def _updates_per_row(value: ir.Value) -> int | None:
    """The elements of the first dimension that come from a row of what was collapsed to it."""
    producer = defining_op(value)
    if producer is None or producer.name != _COLLAPSE:
        return 1
    merged = reassociation_of(producer)[0][1:]
    sizes = [_type(producer.operands[0]).shape[dim] for dim in merged]
    return None if any(size < 1 for size in sizes) else math.prod(sizes)


def _source(value: ir.Value, repeat: int) -> ir.Value:
    """The tensor with a row for each so many updates, or the updates themselves."""
    producer = defining_op(value)
    is_collapsed = producer is not None and producer.name == _COLLAPSE
    if is_collapsed and repeat != 1:
        assert producer is not None
        return producer.operands[0]
    return value


def _whole(op: ir.Operation, repeat: int) -> ir.Value:
    """A tensor with all rows: one that is collapsed, or the updates."""
    sources = [_source(each, repeat) for each in list(op.operands)[:2]]
    return sources[1] if sources[0] == op.operands[0] and repeat != 1 else sources[0]


def _bytes_per_update(value: ir.Value) -> int:
    """The bytes of an update, or of its indices; an unknown size counts as a vector's."""
    type = _type(value)
    sizes = [size if size >= 0 else 16 for size in list(type.shape)[1:]]
    return math.prod(sizes) * max(_bits(type.element_type) // 8, 1)


def _bits(type: ir.Type) -> int:
    if isinstance(type, ir.ComplexType):
        return 2 * _bits(type.element_type)
    return int(type.width) if isinstance(type, (ir.IntegerType, ir.FloatType)) else 64


def _computes(value: ir.Value) -> bool:
    """Whether an elementwise op with no other use computes a tensor, perhaps before a reshape."""
    producer = defining_op(value)
    if producer is not None and _keeps_rows(producer):
        return _is_single(value) and _computes(producer.operands[0])
    return producer is not None and _is_single(value) and _is_elementwise(producer)


def _is_single(value: ir.Value) -> bool:
    return len(list(value.uses)) == 1


def _keeps_rows(op: ir.Operation) -> bool:
    """Whether an op inserts dimensions of size 1 after the first one."""
    if op.name != _EXPAND:
        return False
    sizes, groups = _type(op.results[0]).shape, reassociation_of(op)
    return bool(groups) and all(sizes[dim] == 1 for dim in groups[0][1:])


def _is_elementwise(op: ir.Operation) -> bool:
    """Whether an op is a generic whose rows can be computed apart from others."""
    if op.name != GENERIC or len(op.results) != 1 or set(iterators(op)) != {"parallel"}:
        return False
    *inputs, out = maps(op)
    body = op.regions[0].blocks[0]
    if dims_of(out) != list(range(out.n_dims)) or len(list(body.arguments[-1].uses)):
        return False
    return all(_reads_apart(map) for map in inputs)


def _reads_apart(map: ir.AffineMap) -> bool:
    """Whether an operand is read at plain dimensions and constants, at the first one once."""
    plain = [each for each in map.results if isinstance(each, ir.AffineDimExpr)]
    others = [each for each in map.results if not isinstance(each, ir.AffineDimExpr)]
    rows = sum(ir.AffineDimExpr(each).position == 0 for each in plain)
    return rows <= 1 and all(isinstance(each, ir.AffineConstantExpr) for each in others)


def _tile(op: ir.Operation, rows: int, repeat: int) -> None:
    """Scatter tiles into a buffer, as the bufferization of scatters copies what it writes to."""
    *inputs, out = op.operands
    buffer = _copied(out)
    count = _size(_whole(op, repeat), 0)
    whole = multiply(divide(count, rows), rows)
    # The rest is scattered row by row, so that all sizes are known.
    for start, end, step in ((0, whole, rows), (whole, count, 1)):
        if start == end:
            continue
        _, body = for_loop(start, end, step)
        with ir.InsertionPoint(body):
            parts = [_tile_of(each, body.arguments[0], step, repeat) for each in inputs]
            scatter = op.clone()
            attributes = {name: scatter.attributes[name] for name in scatter.attributes}
            tile = create_op(_SCATTER, [*map(_buffer_of, parts), buffer], attributes, regions=1)
            scatter.regions[0].blocks[0].append_to(tile.regions[0])
            scatter.erase()
        finish(body)
    result = create_value(
        "bufferization.to_tensor", out.type, [buffer], {"restrict": ir.UnitAttr.get()}
    )
    op.results[0].replace_all_uses_with(result)
    op.erase()
    # Assertions would keep what the tiles compute.
    for each in inputs:
        _erase_unused(each)


def _erase_unused(value: ir.Value) -> None:
    """Erase what the tiles compute, and reshapes of it."""
    while not list(value.uses):
        producer = defining_op(value)
        is_known = producer is not None and producer.name in (GENERIC, _COLLAPSE, _EXPAND)
        if producer is None or not is_known or len(producer.results) > 1:
            return
        value = producer.operands[0]
        producer.erase()


def _copied(tensor: ir.Value) -> ir.Value:
    """A buffer with a copy of a tensor."""
    sizes = [_size(tensor, dim) for dim in range(_type(tensor).rank)]
    dynamic = [each for each in sizes if not isinstance(each, int)]
    segments = ir.DenseI32ArrayAttr.get([len(dynamic), 0])
    buffer = create_value(
        "memref.alloc", _memory(tensor), dynamic, {"operandSegmentSizes": segments}
    )
    create_op("memref.copy", [_buffer_of(tensor), buffer])
    return buffer


def _memory(tensor: ir.Value) -> ir.Type:
    return ir.MemRefType.get(_type(tensor).shape, _type(tensor).element_type)


def _buffer_of(tensor: ir.Value) -> ir.Value:
    """The buffer of a tensor that is only read."""
    attributes = {"read_only": ir.UnitAttr.get()}
    return create_value("bufferization.to_buffer", _memory(tensor), [tensor], attributes)


def _tile_of(value: ir.Value, row: ir.Value, rows: int, repeat: int) -> ir.Value:
    """The updates, or their indices, of some rows."""
    source = _source(value, repeat)
    if source == value:
        return _rows_of(value, multiply(row, repeat), rows * repeat)
    tile = _rows_of(source, row, rows)
    collapse = defining_op(value)
    assert collapse is not None
    shape = [rows * repeat, *list(_type(value).shape)[1:]]
    type = ir.RankedTensorType.get(shape, _type(value).element_type)
    attributes = {"reassociation": collapse.attributes["reassociation"]}
    return create_value(_COLLAPSE, type, [tile], attributes)


def _rows_of(value: ir.Value, start: Number, rows: int) -> ir.Value:
    """Some rows of a tensor, computed here if they are only used here."""
    producer = defining_op(value)
    if producer is None or not _computes(value):
        return _slice(value, 0, start, rows)
    shape = [rows, *list(_type(value).shape)[1:]]
    type = ir.RankedTensorType.get(shape, _type(value).element_type)
    if producer.name == _EXPAND:
        tile = _rows_of(producer.operands[0], start, rows)
        attributes = {name: producer.attributes[name] for name in producer.attributes}
        static = [rows, *list(ir.DenseI64ArrayAttr(attributes["static_output_shape"]))[1:]]
        attributes["static_output_shape"] = ir.DenseI64ArrayAttr.get(static)
        is_dynamic = _type(value).is_dynamic_dim(0)
        sizes = list(producer.operands)[1 + is_dynamic :]
        return create_value(_EXPAND, type, [tile, *sizes], attributes)
    sizes = [_size(value, dim) for dim in range(1, len(shape))]
    empty = create_value(
        "tensor.empty", type, [each for each in sizes if not isinstance(each, int)]
    )
    inputs = [
        _operand_of(operand, map, start, rows)
        for operand, map in zip(producer.operands, maps(producer)[:-1], strict=False)
    ]
    copy = producer.clone()
    # The type of a result cannot be changed.
    attributes = {name: copy.attributes[name] for name in copy.attributes}
    tile = create_op(GENERIC, [*inputs, empty], attributes, [type], regions=1)
    copy.regions[0].blocks[0].append_to(tile.regions[0])
    copy.erase()
    for each in list(walk(tile)):
        if each.name == "linalg.index" and ir.IntegerAttr(each.attributes["dim"]).value == 0:
            _shift(each, start)
    return tile.results[0]


def _operand_of(operand: ir.Value, map: ir.AffineMap, start: Number, rows: int) -> ir.Value:
    """What an op reads to compute some rows."""
    for place, each in enumerate(map.results):
        if isinstance(each, ir.AffineDimExpr) and each.position == 0:
            return _slice(operand, place, start, rows)
    return operand


def _shift(index: ir.Operation, start: Number) -> None:
    """Let an index of a tile be that of the whole."""
    uses = [(use.owner, use.operand_number) for use in index.results[0].uses]
    after = next(op for op in operations(index.block) if index.is_before_in_block(op))
    with ir.InsertionPoint(after):
        whole = index_value(add(index.results[0], start))
    for owner, number in uses:
        owner.operands[number] = whole


def _slice(value: ir.Value, place: int, start: Number, rows: int) -> ir.Value:
    sizes = [_size(value, dim) for dim in range(_type(value).rank)]
    sizes[place] = rows
    offsets: list[Number] = [0] * len(sizes)
    offsets[place] = start
    return Slice(offsets, sizes, [1] * len(sizes)).extract(value)


def _size(value: ir.Value, dim: int) -> Number:
    if not _type(value).is_dynamic_dim(dim):
        return int(_type(value).shape[dim])
    return create_value("tensor.dim", index_type(), [tied_init(value), index_value(dim)])
