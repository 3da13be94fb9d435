"""Lower contractions of 16-bit floats to `nvgpu.mma.sync`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    create_op,
    create_value,
    divide,
    index_value,
    multiply,
    parallel_loop,
    remainder,
)
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    maps,
    operation_of,
)
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.gpu.loops import THREADS
from torch_refine.passes.lowering.gpu.tile_rows import VIEW, apart, view
from torch_refine.passes.lowering.gpu.warps import COLUMNS, DEPTH, GROUP, ROWS, WARP, warp_grid

WARPS = "torch_refine.warps"
"""On a contraction of two tiles, by `schedules/gpu/product_warps.mlir`."""
SUMS = "torch_refine.sums"
"""On transfers of a thread's accumulator, which a loop accesses by these only."""

# 16-bit elements of padding between the rows of a tile, which avoid conflicts between threads of a
# warp on the 32 banks of shared memory.
_GAP = 8


@dataclass
class ContractionsToMmaSync(Pass):
    """Lower contractions of 16-bit floats to `nvgpu.mma.sync`.

    A contraction of two tiles becomes a loop over the 256 threads of a block. Each has its
    fragments of the operands and of the accumulator, in the layout of `mma.sync`: see `warps.py`. A
    thread's accumulator is one vector, read and written by one transfer, so that
    `keep-accumulators-in-registers` can keep it. Rows of the tiles are padded to avoid bank
    conflicts. Upstream's `convert-vector-to-gpu{use-nvgpu}` refuses bf16, and takes one warp's
    vectors of full tiles, which `nvgpu-optimize-shared-memory` then permutes instead of padding.

    Before:

    ```mlir
    #map = affine_map<(d0, d1, d2) -> (d0, d2)>
    #map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
    #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
    func.func @f(%arg0: memref<64x16xf16>, %arg1: memref<16x16xf16>, %arg2: memref<64x16xf32>) {
      linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", \
"parallel", "reduction"]} ins(%arg0, %arg1 : memref<64x16xf16>, memref<16x16xf16>) outs(%arg2 : \
memref<64x16xf32>) attrs =  {torch_refine.warps} {
      ^bb0(%in: f16, %in_0: f16, %out: f32):
        %0 = arith.extf %in : f16 to f32
        %1 = arith.extf %in_0 : f16 to f32
        %2 = arith.mulf %0, %1 : f32
        %3 = arith.addf %out, %2 : f32
        linalg.yield %3 : f32
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<64x16xf16>, %arg1: memref<16x16xf16>, %arg2: memref<64x16xf32>) {
      %c0 = arith.constant 0 : index
      %c256 = arith.constant 256 : index
      %c1 = arith.constant 1 : index
      scf.parallel (%arg3) = (%c0) to (%c256) step (%c1) {
        %c32 = arith.constant 32 : index
        %0 = arith.remui %arg3, %c32 : index
        %c32_0 = arith.constant 32 : index
        %1 = arith.divui %arg3, %c32_0 : index
        %c4 = arith.constant 4 : index
        %2 = arith.divui %0, %c4 : index
        %c4_1 = arith.constant 4 : index
        %3 = arith.remui %0, %c4_1 : index
        %c2 = arith.constant 2 : index
        %4 = arith.divui %1, %c2 : index
        %c2_2 = arith.constant 2 : index
        %5 = arith.remui %1, %c2_2 : index
        %expand_shape = memref.expand_shape %arg2 [[0, 1, 2, 3], [4, 5, 6, 7]] output_shape [4, \
1, 2, 8, 2, 1, 4, 2] : memref<64x16xf32> into memref<4x1x2x8x2x1x4x2xf32>
        %c0_3 = arith.constant 0 : index
        %6 = ub.poison : f32
        %7 = vector.transfer_read %expand_shape[%4, %c0_3, %c0_3, %2, %5, %c0_3, %3, %c0_3], %6 \
{in_bounds = [true, true, true, true, true, true, true], torch_refine.sums} : \
memref<4x1x2x8x2x1x4x2xf32>, vector<1x2x1x1x1x1x2xf32>
        %8 = vector.shape_cast %7 : vector<1x2x1x1x1x1x2xf32> to vector<1x2x1x2xf32>
        %c16 = arith.constant 16 : index
        %9 = arith.muli %4, %c16 : index
        %10 = arith.addi %9, %2 : index
        %c2_4 = arith.constant 2 : index
        %11 = arith.muli %3, %c2_4 : index
        %12 = vector.load %arg0[%10, %11] : memref<64x16xf16>, vector<2xf16>
        %c8 = arith.constant 8 : index
        %13 = arith.addi %10, %c8 : index
        %c2_5 = arith.constant 2 : index
        %14 = arith.muli %3, %c2_5 : index
        %15 = vector.load %arg0[%13, %14] : memref<64x16xf16>, vector<2xf16>
        %c2_6 = arith.constant 2 : index
        %16 = arith.muli %3, %c2_6 : index
        %c8_7 = arith.constant 8 : index
        %17 = arith.addi %16, %c8_7 : index
        %18 = vector.load %arg0[%10, %17] : memref<64x16xf16>, vector<2xf16>
        %c8_8 = arith.constant 8 : index
        %19 = arith.addi %10, %c8_8 : index
        %c2_9 = arith.constant 2 : index
        %20 = arith.muli %3, %c2_9 : index
        %c8_10 = arith.constant 8 : index
        %21 = arith.addi %20, %c8_10 : index
        %22 = vector.load %arg0[%19, %21] : memref<64x16xf16>, vector<2xf16>
        %23 = ub.poison : vector<4x2xf16>
        %24 = vector.insert %12, %23 [0] : vector<2xf16> into vector<4x2xf16>
        %25 = vector.insert %15, %24 [1] : vector<2xf16> into vector<4x2xf16>
        %26 = vector.insert %18, %25 [2] : vector<2xf16> into vector<4x2xf16>
        %27 = vector.insert %22, %26 [3] : vector<2xf16> into vector<4x2xf16>
        %c8_11 = arith.constant 8 : index
        %28 = arith.muli %5, %c8_11 : index
        %29 = arith.addi %28, %2 : index
        %c2_12 = arith.constant 2 : index
        %30 = arith.muli %3, %c2_12 : index
        %31 = memref.load %arg1[%30, %29] : memref<16x16xf16>
        %c1_13 = arith.constant 1 : index
        %32 = arith.addi %30, %c1_13 : index
        %33 = memref.load %arg1[%32, %29] : memref<16x16xf16>
        %34 = vector.from_elements %31, %33 : vector<2xf16>
        %c2_14 = arith.constant 2 : index
        %35 = arith.muli %3, %c2_14 : index
        %c8_15 = arith.constant 8 : index
        %36 = arith.addi %35, %c8_15 : index
        %37 = memref.load %arg1[%36, %29] : memref<16x16xf16>
        %c1_16 = arith.constant 1 : index
        %38 = arith.addi %36, %c1_16 : index
        %39 = memref.load %arg1[%38, %29] : memref<16x16xf16>
        %40 = vector.from_elements %37, %39 : vector<2xf16>
        %41 = ub.poison : vector<2x2xf16>
        %42 = vector.insert %34, %41 [0] : vector<2xf16> into vector<2x2xf16>
        %43 = vector.insert %40, %42 [1] : vector<2xf16> into vector<2x2xf16>
        %44 = vector.extract %8[0, 0, 0] : vector<2xf32> from vector<1x2x1x2xf32>
        %45 = vector.extract %8[0, 1, 0] : vector<2xf32> from vector<1x2x1x2xf32>
        %46 = ub.poison : vector<2x2xf32>
        %47 = vector.insert %44, %46 [0] : vector<2xf32> into vector<2x2xf32>
        %48 = vector.insert %45, %47 [1] : vector<2xf32> into vector<2x2xf32>
        %49 = nvgpu.mma.sync(%27, %43, %48) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, \
vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %50 = vector.extract %49[0] : vector<2xf32> from vector<2x2xf32>
        %51 = vector.insert %50, %8 [0, 0, 0] : vector<2xf32> into vector<1x2x1x2xf32>
        %52 = vector.extract %49[1] : vector<2xf32> from vector<2x2xf32>
        %53 = vector.insert %52, %51 [0, 1, 0] : vector<2xf32> into vector<1x2x1x2xf32>
        %54 = vector.shape_cast %53 : vector<1x2x1x2xf32> to vector<1x2x1x1x1x1x2xf32>
        vector.transfer_write %54, %expand_shape[%4, %c0_3, %c0_3, %2, %5, %c0_3, %3, %c0_3] \
{in_bounds = [true, true, true, true, true, true, true], torch_refine.sums} : \
vector<1x2x1x1x1x1x2xf32>, memref<4x1x2x8x2x1x4x2xf32>
        scf.reduce
      }
      return
    }
    ```
    """

    name: ClassVar[str] = "contractions-to-mma-sync"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Lower the contractions of tiles that a schedule marked in a module."""
        for product in [each for each in walk(op) if WARPS in each.attributes]:
            with product.location:
                for operand in list(product.operands)[:2]:
                    _pad_rows(operand)
                _Product(product, state).multiply()
            state.count(self.name, "contractions of tiles")


class _Product:
    """A contraction of two tiles, by all threads of a block."""

    def __init__(self, op: ir.Operation, state: RunState) -> None:
        self.op = op
        self.left, self.right, self.sums = op.operands
        left, right, sums = (dims_of(map) for map in maps(op))
        if left is None or right is None or sums is None:
            state.diagnostics.error(
                op.location, "a contraction of tiles has unexpected indexing maps"
            )
            raise PassFailure
        rows, columns = ir.MemRefType(self.sums.type).shape
        grid = warp_grid(rows, columns)
        assert grid is not None, "the tiles must be divisible among the warps"
        self.across = grid[1]
        self.down_tiles = rows // grid[0] // ROWS
        self.across_tiles = columns // grid[1] // COLUMNS
        # Whether the reduction dimension is an operand's last one.
        self.left_is_along = left[0] == sums[0]
        self.right_is_along = right[0] == sums[1]
        self.depth = ir.MemRefType(self.left.type).shape[1 if self.left_is_along else 0]

    def multiply(self) -> None:
        """Replace the contraction by a parallel loop over threads."""
        with ir.InsertionPoint(self.op):
            body = parallel_loop([THREADS])
        with ir.InsertionPoint(body):
            self._thread(body.arguments[0])
            create_op("scf.reduce")
        self.op.erase()

    def _thread(self, thread: ir.Value) -> None:
        lane, warp = remainder(thread, WARP), divide(thread, WARP)
        self.group, self.place = divide(lane, GROUP), remainder(lane, GROUP)
        self.warp_row, self.warp_column = divide(warp, self.across), remainder(warp, self.across)
        memory, indices, type = self._accumulator()
        rank = len(indices)
        padding = _poison(type.element_type)
        reading = _accumulator_transfer(type, rank, [1, rank, 1, 0])
        sums = create_value("vector.transfer_read", type, [memory, *indices, padding], reading)
        flat = ir.VectorType.get([self.down_tiles, 2, self.across_tiles, 2], ir.F32Type.get())
        sums = create_value("vector.shape_cast", flat, [sums])
        for depth in range(0, self.depth, DEPTH):
            lefts = [self._left(down, depth) for down in range(self.down_tiles)]
            rights = [self._right(across, depth) for across in range(self.across_tiles)]
            for down, left in enumerate(lefts):
                for across, right in enumerate(rights):
                    sums = _add_product(left, right, sums, down, across)
        whole = create_value("vector.shape_cast", type, [sums])
        writing = _accumulator_transfer(type, rank, [1, 1, rank, 0])
        create_op("vector.transfer_write", [whole, memory, *indices], writing)

    def _accumulator(self) -> tuple[ir.Value, list[ir.Value], ir.VectorType]:
        """The accumulator of a thread: a memref by warps, tiles, halves and groups, twice."""
        down, across = self.down_tiles, self.across_tiles
        type = ir.MemRefType(self.sums.type)
        rows, columns = type.shape
        shape = [rows // (down * ROWS), down, 2, ROWS // 2]
        shape += [columns // (across * COLUMNS), across, GROUP, 2]
        memory = _expanded(self.sums, shape, [[0, 1, 2, 3], [4, 5, 6, 7]])
        zero = index_value(0)
        indices = [self.warp_row, zero, zero, self.group]
        indices += [self.warp_column, zero, self.place, zero]
        vector = ir.VectorType.get([down, 2, 1, 1, across, 1, 2], type.element_type)
        return memory, [index_value(each) for each in indices], vector

    def _left(self, down: int, depth: int) -> ir.Value:
        """A thread's fragment of 16 x 16 elements of the left operand."""
        first = multiply(add(multiply(self.warp_row, self.down_tiles), down), ROWS)
        row = add(first, self.group)
        pairs = [
            self._pair(self.left, self.left_is_along, add(row, lower), depth + further)
            for further in (0, 2 * GROUP)
            for lower in (0, ROWS // 2)
        ]
        return _gathered(pairs)

    def _right(self, across: int, depth: int) -> ir.Value:
        """A thread's fragment of 16 x 8 elements of the right operand."""
        first = multiply(add(multiply(self.warp_column, self.across_tiles), across), COLUMNS)
        column = add(first, self.group)
        pairs = [
            self._pair(self.right, self.right_is_along, column, depth + further)
            for further in (0, 2 * GROUP)
        ]
        return _gathered(pairs)

    def _pair(self, memory: ir.Value, is_along: bool, place: Number, depth: int) -> ir.Value:
        """Two adjacent elements of the reduction dimension."""
        element = ir.MemRefType(memory.type).element_type
        pair = ir.VectorType.get([2], element)
        first = add(multiply(self.place, 2), depth)
        if is_along:
            return create_value(
                "vector.load", pair, [memory, index_value(place), index_value(first)]
            )
        numbers = [
            create_value(
                "memref.load", element, [memory, index_value(add(first, i)), index_value(place)]
            )
            for i in range(2)
        ]
        return create_value("vector.from_elements", pair, numbers)


def _add_product(
    left: ir.Value, right: ir.Value, sums: ir.Value, down: int, across: int
) -> ir.Value:
    """Accumulate the result of one `mma.sync`."""
    pair = ir.VectorType.get([2], ir.F32Type.get())
    own = _gathered([_extracted(sums, pair, [down, half, across]) for half in range(2)])
    shape = ir.ArrayAttr.get(
        [
            ir.IntegerAttr.get(ir.IntegerType.get_signless(64), size)
            for size in (ROWS, COLUMNS, DEPTH)
        ]
    )
    own = create_value("nvgpu.mma.sync", own.type, [left, right, own], {"mmaShape": shape})
    for half in range(2):
        sums = _inserted(_extracted(own, pair, [half]), sums, [down, half, across])
    return sums


def _gathered(pairs: list[ir.Value]) -> ir.Value:
    """Stack vectors into one of higher rank."""
    inner = ir.VectorType(pairs[0].type)
    type = ir.VectorType.get([len(pairs), *inner.shape], inner.element_type)
    value = _poison(type)
    for place, pair in enumerate(pairs):
        value = _inserted(pair, value, [place])
    return value


def _poison(type: ir.Type) -> ir.Value:
    return create_value("ub.poison", type, [], {"value": ir.Attribute.parse("#ub.poison")})


def _extracted(vector: ir.Value, type: ir.Type, place: list[int]) -> ir.Value:
    position = {"static_position": ir.DenseI64ArrayAttr.get(place)}
    return create_value("vector.extract", type, [vector], position)


def _inserted(value: ir.Value, vector: ir.Value, place: list[int]) -> ir.Value:
    position = {"static_position": ir.DenseI64ArrayAttr.get(place)}
    return create_value("vector.insert", vector.type, [value, vector], position)


def _accumulator_transfer(
    type: ir.VectorType, rank: int, segments: list[int]
) -> dict[str, ir.Attribute]:
    """The attributes of a transfer of a thread's accumulator: trailing dimensions, in bounds."""
    inner = [ir.AffineDimExpr.get(dim) for dim in range(rank - type.rank, rank)]
    return {
        "permutation_map": ir.AffineMapAttr.get(ir.AffineMap.get(rank, 0, inner)),
        "in_bounds": ir.ArrayAttr.get([ir.BoolAttr.get(True)] * type.rank),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get(segments),
        SUMS: ir.UnitAttr.get(),
    }


def _expanded(memory: ir.Value, shape: list[int], groups: list[list[int]]) -> ir.Value:
    """Expand the dimensions of a memref."""
    type = ir.MemRefType(memory.type)
    strides, offset = type.get_strides_and_offset()
    inner: list[int] = []
    for group, stride in zip(reversed(groups), reversed(strides), strict=True):
        for dim in reversed(group):
            inner.insert(0, stride)
            stride *= shape[dim]
    plain = type.layout == ir.AffineMapAttr.get(ir.AffineMap.get_identity(type.rank))
    layout = None if plain else ir.StridedLayoutAttr.get(offset, inner)
    number = ir.IntegerType.get_signless(64)
    reassociation = [
        ir.ArrayAttr.get([ir.IntegerAttr.get(number, dim) for dim in group]) for group in groups
    ]
    return create_value(
        "memref.expand_shape",
        ir.MemRefType.get(shape, type.element_type, layout, type.memory_space),
        [memory],
        {
            "reassociation": ir.ArrayAttr.get(reassociation),
            "static_output_shape": ir.DenseI64ArrayAttr.get(shape),
        },
    )


def _pad_rows(operand: ir.Value) -> None:
    """Pad the rows of a tile, if only contractions and its fill use it."""
    part = defining_op(operand)
    tile = defining_op(part.operands[0]) if part is not None and part.name == VIEW else part
    if tile is None or tile.name != "memref.alloca":
        return
    users = [operation_of(use.owner) for use in tile.result.uses]
    views = [user for user in users if user.name == VIEW and len(user.operands) == 1]
    if any(user.name != GENERIC for user in users if user not in views):
        return
    type = ir.MemRefType(tile.result.type)
    # A view may only drop dimensions of size 1.
    shapes = [list(ir.MemRefType(each.result.type).shape) for each in views]
    if any(math.prod(shape) != math.prod(type.shape) for shape in shapes):
        return
    spread = apart(tile, _GAP)
    for each in views:
        with ir.InsertionPoint(each), each.location:
            again = view(spread, type.shape, ir.MemRefType(each.result.type).shape)
        each.result.replace_all_uses_with(again)
        each.erase()
    tile.result.replace_all_uses_with(spread)
    tile.erase()
