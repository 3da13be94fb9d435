"""Load several numbers of a tile at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.building import finish, if_then, multiply, parallel_loop, value_of
from torch_refine.passes.lowering.gpu.loops import PARALLEL, Bounds
from torch_refine.passes.lowering.gpu.padding import TILE
from torch_refine.passes.lowering.kernels.indexing import operation_of

# What one load of a GPU takes at most.
_BITS = 128
_LESS_THAN = 2
_WIDEN = "arith.extf"


@dataclass
class LoadTilesWide(Pass):
    """Load several numbers of a tile at once.

    What loads a tile number by number (`schedule-gpu-kernels`), filling in what is not there,
    loads 128 bits at a time where the numbers lie side by side: if all that it compares with, and
    all that it adds to its last index, are multiples of so many numbers, then they are all there or
    none is. Rows in memory must be such multiples, too, so that every load is aligned. Of numbers
    that are widened as they are loaded, as many are loaded as fill 128 bits then.

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
        """Widen what loads the tiles of a module."""
        for each in [each for each in walk(op) if TILE in each.attributes]:
            wide = _Wide(each)
            if wide.is_possible():
                with each.location:
                    wide.write()
                state.count(self.name, "tiles loaded wide")


class _Wide:
    """What loads a tile; `width` numbers at once."""

    def __init__(self, op: ir.Operation) -> None:
        self.op = op
        self.tile = op.operands[-1]
        self.body = op.regions[0].blocks[0]
        self.element = ir.ShapedType(self.tile.type).element_type
        self.width = _BITS // getattr(self.element, "width", _BITS)
        # Indices that grow by one with the tile's last one, from a multiple of the width.
        self.along: set[ir.Value] = set()
        # Numbers that are loaded; vectors, once it is done.
        self.loaded: set[ir.Value] = set()

    def is_possible(self) -> bool:
        """Whether the numbers of each load lie side by side, and are there all or none."""
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
        # One that is not known is negative.
        return strides[-1] == 1 and all(
            each >= 0 and not each % self.width for each in (offset, *strides[:-1])
        )

    def _follow(self, ops: list[ir.Operation]) -> bool:
        return all(self._takes(op) for op in ops)

    def _takes(self, op: ir.Operation) -> bool:
        """Whether an op gives the same for all numbers of a load, or what a wide load wants."""
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
            # Whether it is before an end: of a load, the first number decides.
            index, end = op.operands
            less = ir.IntegerAttr(op.attributes["predicate"]).value == _LESS_THAN
            return less and index in self.along and is_multiple(end, self.width)
        if _is_sum(op):
            others = [operand for operand in op.operands if operand not in self.along]
            self.along.add(op.result)
            return len(others) == 1 and is_multiple(others[0], self.width)
        return False

    def _chooses(self, op: ir.Operation) -> bool:
        """A condition between what is loaded, and the same number again and again."""
        if len(op.results) != 1:
            return False
        there, filled = ([*operations(region.blocks[0])] for region in op.regions)
        if not self._follow(there[:-1]) or len(filled) != 1:
            return False
        self.loaded.add(op.results[0])
        return there[-1].operands[0] in self.loaded and filled[0].operands[0] not in self.loaded

    def write(self) -> None:
        """Put a loop over loads in the place of the loop over numbers."""
        shape = list(ir.MemRefType(self.tile.type).shape)
        shape[-1] //= self.width
        with ir.InsertionPoint(self.op):
            body = parallel_loop(shape)
        with ir.InsertionPoint(body):
            *first, last = body.arguments
            self.indices = [*first, value_of(multiply(last, self.width))]
        self.vector = ir.VectorType.get([self.width], self.element)
        *ops, last = operations(self.body)
        wide = self._moved(ops, body)
        with ir.InsertionPoint(body):
            stored = wide[last.operands[0]]
            ir.Operation.create("vector.store", operands=[stored, self.tile, *self.indices])
            ir.Operation.create("scf.reduce")
        self.op.erase()

    def _moved(self, ops: list[ir.Operation], block: ir.Block) -> dict[ir.Value, ir.Value]:
        """Move ops to the end of a block, widening what loads; gives the vectors for numbers."""
        wide: dict[ir.Value, ir.Value] = {}
        for op in ops:
            if op.name == "linalg.index":
                dim = ir.IntegerAttr(op.attributes["dim"]).value
                op.result.replace_all_uses_with(self.indices[dim])
            elif op.name == "memref.load":
                wide[op.result] = self._made("vector.load", op, list(op.operands), block)
            elif op.name == _WIDEN:
                wide[op.result] = self._made(_WIDEN, op, [wide[op.operands[0]]], block)
            elif op.name == "scf.if":
                wide[op.results[0]] = self._chosen(op, block)
            else:
                op.detach_from_parent()
                block.append(op)
        return wide

    def _made(
        self, name: str, op: ir.Operation, operands: list[ir.Value], block: ir.Block
    ) -> ir.Value:
        """As many of an op's results as are loaded at once."""
        type = ir.VectorType.get([self.width], op.result.type)
        with ir.InsertionPoint(block):
            return ir.Operation.create(name, results=[type], operands=operands).result

    def _chosen(self, op: ir.Operation, block: ir.Block) -> ir.Value:
        with ir.InsertionPoint(block):
            made = if_then(op.operands[0], [self.vector])
        there, filled = (region.blocks[0] for region in op.regions)
        new_there, new_filled = (region.blocks[0] for region in made.regions)
        *ops, last = operations(there)
        wide = self._moved(ops, new_there)
        finish(new_there, [wide[last.operands[0]]])
        number = next(iter(operations(filled))).operands[0]
        with ir.InsertionPoint(new_filled):
            spread = ir.Operation.create(
                "vector.broadcast", results=[self.vector], operands=[number]
            ).result
        finish(new_filled, [spread])
        return made.result


def is_multiple(value: ir.Value, width: int) -> bool:
    """Whether an index is known to be a multiple of a number."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return _counts_in_multiples(value, owner, width)
    op = operation_of(owner)
    if op.name == "arith.constant":
        return int(ir.IntegerAttr(op.attributes["value"]).value) % width == 0
    if op.name == "arith.muli":
        return any(is_multiple(each, width) for each in op.operands)
    if _is_sum(op):
        return all(is_multiple(each, width) for each in op.operands)
    if op.name == "affine.apply":
        map = ir.AffineMapAttr(op.attributes["map"]).value
        return _is_multiple(map.results[0], list(op.operands)[: map.n_dims], width)
    return False


def _is_multiple(expression: ir.AffineExpr, dims: list[ir.Value], width: int) -> bool:
    if isinstance(expression, ir.AffineConstantExpr):
        return bool(expression.value % width == 0)
    if isinstance(expression, ir.AffineDimExpr):
        return is_multiple(dims[expression.position], width)
    if isinstance(expression, ir.AffineMulExpr):
        sides = (expression.lhs, expression.rhs)
        return any(_is_multiple(side, dims, width) for side in sides)
    return False


def _counts_in_multiples(index: ir.Value, block: ir.Block, width: int) -> bool:
    """Whether a loop goes from a multiple to the next one or a later one."""
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
