"""Lower n-d vectors to vectors of the target's width."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.schedules import Schedules

_READ = "vector.transfer_read"
# Besides the indices: the memory and the padding.
_READ_OPERANDS = 2
_ASSEMBLY = "llvm.inline_asm"
_BLEND = re.compile(r"vblendps \$0, \$1, \$2, 0x([0-9a-f]{2})")


@dataclass
class LowerVectors(Pass):
    """Lower n-d vectors to vectors of the target's width.

    A read that broadcasts each element of a column over a row becomes one load per element, which
    the processor broadcasts for free, and one of a single element a load, whatever the strides.
    Other vectors are lowered by the schedule `vectors.mlir`.

    Before:

    ```mlir
    func.func @f(%arg0: memref<2xf32>, %arg1: index, %arg2: f32) -> vector<2x4xf32> {
      %0 = vector.transfer_read %arg0[%arg1], %arg2 {in_bounds = [true, true], \
permutation_map = affine_map<(d0) -> (d0, 0)>} : memref<2xf32>, vector<2x4xf32>
      return %0 : vector<2x4xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<2xf32>, %arg1: index, %arg2: f32) -> vector<2x4xf32> {
      %c1 = arith.constant 1 : index
      %0 = ub.poison : vector<2x4xf32>
      %1 = memref.load %arg0[%arg1] : memref<2xf32>
      %2 = vector.broadcast %1 : f32 to vector<4xf32>
      %3 = vector.insert %2, %0 [0] : vector<4xf32> into vector<2x4xf32>
      %4 = arith.addi %arg1, %c1 : index
      %5 = memref.load %arg0[%4] : memref<2xf32>
      %6 = vector.broadcast %5 : f32 to vector<4xf32>
      %7 = vector.insert %6, %3 [1] : vector<4xf32> into vector<2x4xf32>
      return %7 : vector<2x4xf32>
    }
    ```
    """

    name: ClassVar[str] = "lower-vectors"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Lower the vectors of a module's functions."""
        for function in list(operations(op.regions[0].blocks[0])):
            found = list(walk(function))
            for each in found:
                if each.name == _READ and _is_broadcast_element(each):
                    _load_one(each)
                    state.count(self.name, "broadcast reads")
                elif each.name == _READ and _is_broadcast_column(each):
                    _load_each(each)
                    state.count(self.name, "broadcast reads")
        if any(each.name.startswith("vector.") for each in walk(op)):
            schedules = Schedules(self.name, state)
            for function in list(operations(op.regions[0].blocks[0])):
                schedules.apply("vectors", function)
            for each in [each for each in walk(op) if each.name == _ASSEMBLY]:
                _blend_by_shuffle(each)


def _blend_by_shuffle(op: ir.Operation) -> None:
    """Replace `vblendps` as inline assembly, of upstream's 8 x 8 transposes, by a shuffle.

    LLVM selects the instruction where the target has it.
    """
    match = _BLEND.fullmatch(ir.StringAttr(op.attributes["asm_string"]).value)
    if match is None:
        return
    chosen, lanes = int(match[1], 16), ir.VectorType(op.result.type).shape[0]
    mask = [lane + lanes * (chosen >> lane & 1) for lane in range(lanes)]
    with ir.InsertionPoint(op), op.location:
        attributes = {"mask": ir.DenseI64ArrayAttr.get(mask)}
        shuffled = create_value("vector.shuffle", op.result.type, list(op.operands), attributes)
    op.result.replace_all_uses_with(shuffled)
    op.erase()


def _is_broadcast_element(op: ir.Operation) -> bool:
    """Whether a read broadcasts one element of a memref, which is in bounds, to a vector."""
    if ir.VectorType(op.result.type).rank != 1 or not isinstance(
        op.operands[0].type, ir.MemRefType
    ):
        return False
    (result,) = ir.AffineMapAttr(op.attributes["permutation_map"]).value.results
    has_mask = len(op.operands) != ir.MemRefType(op.operands[0].type).rank + _READ_OPERANDS
    return str(result) == "0" and not has_mask


def _load_one(op: ir.Operation) -> None:
    memory, *indices, _ = op.operands
    with ir.InsertionPoint(op), op.location:
        element = ir.MemRefType(memory.type).element_type
        number = create_value("memref.load", element, [memory, *indices])
        spread = create_value("vector.broadcast", op.result.type, [number])
    op.result.replace_all_uses_with(spread)
    op.erase()


def _is_broadcast_column(op: ir.Operation) -> bool:
    """Whether a read takes a column from one dimension of a memref, and broadcasts it."""
    type = ir.VectorType(op.result.type)
    if type.rank != 2 or not isinstance(op.operands[0].type, ir.MemRefType):
        return False
    column, row = ir.AffineMapAttr(op.attributes["permutation_map"]).value.results
    return str(row) == "0" and isinstance(column, ir.AffineDimExpr)


def _load_each(op: ir.Operation) -> None:
    context = op.context
    type = ir.VectorType(op.result.type)
    rows, width = type.shape
    memory = op.operands[0]
    rank = ir.MemRefType(memory.type).rank
    indices = list(op.operands)[1 : 1 + rank]
    column = ir.AffineMapAttr(op.attributes["permutation_map"]).value.results[0].position
    index = ir.IndexType.get(context)
    with ir.InsertionPoint(op), op.location:
        row_type = ir.VectorType.get([width], type.element_type)
        poison = ir.Attribute.parse("#ub.poison", context)
        value = create_value("ub.poison", type, [], {"value": poison})
        for row in range(rows):
            offset = create_value(
                "arith.constant", index, [], {"value": ir.IntegerAttr.get(index, row)}
            )
            place = create_value("arith.addi", index, [indices[column], offset])
            number = create_value(
                "memref.load",
                type.element_type,
                [memory, *indices[:column], place, *indices[column + 1 :]],
            )
            spread = create_value("vector.broadcast", row_type, [number])
            value = create_value(
                "vector.insert",
                type,
                [spread, value],
                {"static_position": ir.DenseI64ArrayAttr.get([row], context)},
            )
    op.result.replace_all_uses_with(value)
    op.erase()
