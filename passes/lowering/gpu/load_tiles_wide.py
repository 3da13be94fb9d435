"""Vectorize loads of tiles into shared memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    add,
    create_op,
    create_value,
    finish,
    if_then,
    index_value,
    multiply,
    parallel_loop,
)
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.gpu.loops import PARALLEL, Bounds
from torch_refine.passes.lowering.gpu.padding import TILE
from torch_refine.passes.lowering.gpu.tile_rows import VIEW, transposed, view

# The widest load of a GPU in bits.
_BITS = 128
_LESS_THAN = 2
# Elements between the columns of a tile, which begin at multiples of 16 bytes.
_GAP = 4
_WIDEN = "arith.extf"
_READ = "vector.transfer_read"


@dataclass
class LoadTilesWide(Pass):
    """Vectorize loads of tiles into shared memory.

    Scalar loads of tiles with padding (`schedule-gpu-kernels`) become 128-bit loads where elements
    are contiguous: if all bounds, and all offsets of the last index, are multiples of the vector
    length, then all elements of a load are in bounds or none is. Row strides must be such
    multiples, too, so that every load is aligned. If elements are extended after the load, as many
    narrow ones are loaded as fill 128 bits. A tile of which threads read different rows gets a gap
    between rows, against conflicts on the banks of shared memory, and is stored element by element.

    Before:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0, d1)>
    func.func @f(%arg0: memref<30x32xf32>, %arg1: memref<64x16xf32>, %arg2: f32) {
      %c30 = arith.constant 30 : index
      linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} \
outs(%arg1 : memref<64x16xf32>) attrs =  {torch_refine.tile} {
      ^bb0(%out: f32):
        %0 = linalg.index 0 : index
        %1 = linalg.index 1 : index
        %2 = arith.cmpi slt, %0, %c30 : index
        %3 = scf.if %2 -> (f32) {
          %4 = memref.load %arg0[%0, %1] : memref<30x32xf32>
          scf.yield %4 : f32
        } else {
          scf.yield %arg2 : f32
        }
        linalg.yield %3 : f32
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<30x32xf32>, %arg1: memref<64x16xf32>, %arg2: f32) {
      %c30 = arith.constant 30 : index
      %c0 = arith.constant 0 : index
      %c0_0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %c4 = arith.constant 4 : index
      %c1 = arith.constant 1 : index
      %c1_1 = arith.constant 1 : index
      scf.parallel (%arg3, %arg4) = (%c0, %c0_0) to (%c64, %c4) step (%c1, %c1_1) {
        %c4_2 = arith.constant 4 : index
        %0 = arith.muli %arg4, %c4_2 : index
        %1 = arith.cmpi slt, %arg3, %c30 : index
        %2 = scf.if %1 -> (vector<4xf32>) {
          %3 = vector.load %arg0[%arg3, %0] : memref<30x32xf32>, vector<4xf32>
          scf.yield %3 : vector<4xf32>
        } else {
          %3 = vector.broadcast %arg2 : f32 to vector<4xf32>
          scf.yield %3 : vector<4xf32>
        }
        vector.store %2, %arg1[%arg3, %0] : memref<64x16xf32>, vector<4xf32>
        scf.reduce
      }
      return
    }
    ```
    """

    name: ClassVar[str] = "load-tiles-wide"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Vectorize the loads of tiles in a module."""
        for each in [each for each in walk(op) if TILE in each.attributes]:
            wide = _Wide(each)
            with each.location:
                if wide.is_possible():
                    wide.write()
                    state.count(self.name, "vectorized tile loads")
                else:
                    _transpose(each.operands[-1])


class _Wide:
    """The loop that loads a tile; `width` is the vector length."""

    def __init__(self, op: ir.Operation) -> None:
        self.op = op
        self.tile = op.operands[-1]
        self.body = op.regions[0].blocks[0]
        self.element = ir.ShapedType(self.tile.type).element_type
        self.width = _BITS // getattr(self.element, "width", _BITS)
        # Indices with unit stride in the tile's last one, from a multiple of the width.
        self.along: set[ir.Value] = set()
        # Loaded elements; vectors after the rewrite.
        self.loaded: set[ir.Value] = set()

    def is_possible(self) -> bool:
        """Whether the elements of each load are contiguous, and all or none in bounds."""
        if not isinstance(self.tile.type, ir.MemRefType) or len(self.op.operands) != 1:
            return False
        type = ir.MemRefType(self.tile.type)
        if self.width < 2 or not type.has_static_shape or type.shape[-1] % self.width:
            return False
        if not self._has_aligned_rows(self.tile):
            return False
        if any(True for _ in self.body.arguments[0].uses):
            return False
        *ops, last = operations(self.body)
        return self._follow(ops) and last.operands[0] in self.loaded

    def _has_aligned_rows(self, memory: ir.Value) -> bool:
        strides, offset = ir.MemRefType(memory.type).get_strides_and_offset()
        # A dynamic one is negative.
        return strides[-1] == 1 and all(
            each >= 0 and not each % self.width for each in (offset, *strides[:-1])
        )

    def _follow(self, ops: list[ir.Operation]) -> bool:
        return all(self._takes(op) for op in ops)

    def _takes(self, op: ir.Operation) -> bool:
        """Whether an op is uniform over the elements of a load, or can be vectorized."""
        if op.name == "linalg.index":
            rank = ir.MemRefType(self.tile.type).rank
            if ir.IntegerAttr(op.attributes["dim"]).value == rank - 1:
                self.along.add(op.result)
            return True
        if op.name == "scf.if":
            return self._chooses(op)
        if op.name == "memref.load":
            memory, *indices = op.operands
            *others, last = indices
            self.loaded.add(op.result)
            return (
                last in self.along
                and not any(each in self.along for each in others)
                and self._has_aligned_rows(memory)
            )
        if op.name == _WIDEN:
            self.loaded.add(op.result)
            return op.operands[0] in self.loaded
        if not any(operand in self.along for operand in op.operands):
            return not any(operand in self.loaded for operand in op.operands)
        if op.name == "arith.cmpi":
            # A bounds check: the first element of a load decides.
            index, end = op.operands
            less = ir.IntegerAttr(op.attributes["predicate"]).value == _LESS_THAN
            return less and index in self.along and is_multiple(end, self.width)
        others = [operand for operand in op.operands if operand not in self.along]
        if _is_sum(op):
            self.along.add(op.result)
            return len(others) == 1 and is_multiple(others[0], self.width)
        if op.name == "affine.apply":
            self.along.add(op.result)
            return self._moves_along(op)
        return False

    def _moves_along(self, op: ir.Operation) -> bool:
        """Whether an affine expression adds multiples of the width to an index of the elements."""
        map = ir.AffineMapAttr(op.attributes["map"]).value
        found = 0
        for term in _terms(map.results[0]):
            leaves = _leaves(term, op)
            operand = _operand(term, op)
            if operand is not None and operand in self.along:
                found += 1
            elif not _is_multiple(term, op, self.width) or not self.along.isdisjoint(leaves):
                return False
        return found == 1

    def _chooses(self, op: ir.Operation) -> bool:
        """A select between loaded elements and a splat."""
        if len(op.results) != 1:
            return False
        there, filled = ([*operations(region.blocks[0])] for region in op.regions)
        if not self._follow(there[:-1]) or len(filled) != 1:
            return False
        self.loaded.add(op.results[0])
        return there[-1].operands[0] in self.loaded and filled[0].operands[0] not in self.loaded

    def write(self) -> None:
        """Replace the loop over elements by one over vector loads."""
        shape = list(ir.MemRefType(self.tile.type).shape)
        shape[-1] //= self.width
        with ir.InsertionPoint(self.op):
            body = parallel_loop(shape)
        with ir.InsertionPoint(body):
            *first, last = body.arguments
            self.indices = [*first, index_value(multiply(last, self.width))]
        self.vector = ir.VectorType.get([self.width], self.element)
        *ops, last = operations(self.body)
        wide = self._vectorize_ops(ops, body)
        with ir.InsertionPoint(body):
            stored = wide[last.operands[0]]
            if _transpose(self.tile):
                self._store_elements(stored)
            else:
                create_op("vector.store", [stored, self.tile, *self.indices])
            create_op("scf.reduce")
        self.op.erase()

    def _store_elements(self, stored: ir.Value) -> None:
        """Store a vector element by element, as rows are not aligned."""
        tile = self.op.operands[-1]
        *first, last = self.indices
        for lane in range(self.width):
            position = {"static_position": ir.DenseI64ArrayAttr.get([lane])}
            element = create_value(
                "vector.extract", ir.VectorType(stored.type).element_type, [stored], position
            )
            create_op("memref.store", [element, tile, *first, index_value(add(last, lane))])

    def _vectorize_ops(self, ops: list[ir.Operation], block: ir.Block) -> dict[ir.Value, ir.Value]:
        """Move ops to the end of a block, vectorizing loads; returns the vector of each scalar."""
        wide: dict[ir.Value, ir.Value] = {}
        for op in ops:
            if op.name == "linalg.index":
                dim = ir.IntegerAttr(op.attributes["dim"]).value
                op.result.replace_all_uses_with(self.indices[dim])
            elif op.name == "memref.load":
                wide[op.result] = self._vectorized("vector.load", op, list(op.operands), block)
            elif op.name == _WIDEN:
                wide[op.result] = self._vectorized(_WIDEN, op, [wide[op.operands[0]]], block)
            elif op.name == "scf.if":
                wide[op.results[0]] = self._vectorized_select(op, block)
            else:
                op.detach_from_parent()
                block.append(op)
        return wide

    def _vectorized(
        self, name: str, op: ir.Operation, operands: list[ir.Value], block: ir.Block
    ) -> ir.Value:
        """The vector form of an op's result."""
        type = ir.VectorType.get([self.width], op.result.type)
        with ir.InsertionPoint(block):
            return create_value(name, type, operands)

    def _vectorized_select(self, op: ir.Operation, block: ir.Block) -> ir.Value:
        with ir.InsertionPoint(block):
            made = if_then(op.operands[0], [self.vector])
        there, filled = (region.blocks[0] for region in op.regions)
        new_there, new_filled = (region.blocks[0] for region in made.regions)
        *ops, last = operations(there)
        wide = self._vectorize_ops(ops, new_there)
        finish(new_there, [wide[last.operands[0]]])
        number = next(iter(operations(filled))).operands[0]
        with ir.InsertionPoint(new_filled):
            spread = create_value("vector.broadcast", self.vector, [number])
        finish(new_filled, [spread])
        return made.result


def _transpose(tile: ir.Value) -> bool:
    """Make the columns of a tile contiguous, if each thread reads several rows.

    It reads 16 bytes of a column at a time then. Adjacent threads would otherwise read the same
    bank: a row has a multiple of 16 elements.
    """
    memory = defining_op(tile)
    seen = None
    if memory is not None and memory.name == VIEW:
        # Leading unit dimensions are dropped where the tile is written.
        seen, memory = memory, defining_op(memory.operands[0])
    if memory is None or memory.name != "memref.alloca":
        return False
    type = ir.MemRefType(memory.result.type)
    if any(size != 1 for size in type.shape[:-2]) or ir.MemRefType(tile.type).rank != 2:
        return False
    users = [operation_of(use.owner) for use in memory.result.uses]
    readers = [user for user in users if user.name == _READ]
    if not readers or len(readers) + 1 != len(users) or not all(map(_is_by_rows, readers)):
        return False
    turned = transposed(memory, _GAP)
    if seen is not None:
        with ir.InsertionPoint(seen), seen.location:
            tile.replace_all_uses_with(view(turned, type.shape, ir.MemRefType(tile.type).shape))
        seen.erase()
    memory.result.replace_all_uses_with(turned)
    memory.erase()
    return True


def _is_by_rows(read: ir.Operation) -> bool:
    """Whether a transfer reads elements of several rows."""
    if "permutation_map" not in read.attributes:
        return False
    map = ir.AffineMapAttr(read.attributes["permutation_map"]).value
    row = map.n_dims - 2
    return any(isinstance(each, ir.AffineDimExpr) and each.position == row for each in map.results)


def is_multiple(value: ir.Value, width: int) -> bool:
    """Whether an index is provably a multiple of a constant."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return _has_multiple_bounds(value, owner, width)
    op = operation_of(owner)
    if op.name == "arith.constant":
        return int(ir.IntegerAttr(op.attributes["value"]).value) % width == 0
    if op.name == "arith.muli":
        return any(is_multiple(each, width) for each in op.operands)
    if _is_sum(op):
        return all(is_multiple(each, width) for each in op.operands)
    if op.name == "affine.apply":
        return _is_multiple(ir.AffineMapAttr(op.attributes["map"]).value.results[0], op, width)
    return False


def _is_multiple(expression: ir.AffineExpr, op: ir.Operation, width: int) -> bool:
    """Whether an expression of the operands of an `affine.apply` is a multiple of a constant."""
    if isinstance(expression, ir.AffineConstantExpr):
        return bool(expression.value % width == 0)
    operand = _operand(expression, op)
    if operand is not None:
        return is_multiple(operand, width)
    if isinstance(expression, ir.AffineMulExpr):
        sides = (expression.lhs, expression.rhs)
        return any(_is_multiple(side, op, width) for side in sides)
    if isinstance(expression, ir.AffineAddExpr):
        return all(_is_multiple(side, op, width) for side in (expression.lhs, expression.rhs))
    return False


def _operand(expression: ir.AffineExpr, op: ir.Operation) -> ir.Value | None:
    """The operand of an `affine.apply` that is a dimension or a symbol of its map."""
    if isinstance(expression, ir.AffineDimExpr):
        return op.operands[expression.position]
    if isinstance(expression, ir.AffineSymbolExpr):
        return op.operands[
            ir.AffineMapAttr(op.attributes["map"]).value.n_dims + expression.position
        ]
    return None


def _leaves(expression: ir.AffineExpr, op: ir.Operation) -> list[ir.Value]:
    """The operands that an expression uses."""
    operand = _operand(expression, op)
    if operand is not None:
        return [operand]
    if isinstance(expression, ir.AffineBinaryExpr):
        return [*_leaves(expression.lhs, op), *_leaves(expression.rhs, op)]
    return []


def _has_multiple_bounds(index: ir.Value, block: ir.Block, width: int) -> bool:
    """Whether the bounds and step of a loop are multiples."""
    loop = operation_of(block.owner)
    if loop.name == "scf.for":
        bounds = [loop.operands[0], loop.operands[2]]
        return index == block.arguments[0] and all(is_multiple(each, width) for each in bounds)
    if loop.name not in PARALLEL:
        return False
    found = Bounds(loop)
    place = list(block.arguments).index(index)
    numbers = (found.starts[place], found.steps[place])
    return all(
        each % width == 0 if isinstance(each, int) else is_multiple(each, width) for each in numbers
    )


def _terms(expression: ir.AffineExpr) -> list[ir.AffineExpr]:
    """The terms of a sum."""
    if isinstance(expression, ir.AffineAddExpr):
        return [*_terms(expression.lhs), *_terms(expression.rhs)]
    return [expression]


def _is_sum(op: ir.Operation) -> bool:
    """Whether an op adds two indices."""
    if op.name == "arith.addi":
        return True
    if op.name != "affine.apply" or len(op.operands) != 2:
        return False
    map = ir.AffineMapAttr(op.attributes["map"]).value
    expression = map.results[0]
    if not isinstance(expression, ir.AffineAddExpr):
        return False
    sides = {type(expression.lhs), type(expression.rhs)}
    leaves = {ir.AffineDimExpr, ir.AffineSymbolExpr}
    return sides <= leaves and expression.lhs != expression.rhs
