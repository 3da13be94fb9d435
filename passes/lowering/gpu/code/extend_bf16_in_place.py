"""Extend bfloat16 elements of loaded vectors by the bits of their words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import constant, create_op, create_value
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.base import Pass, RunState

_LOW, _HIGH = 16, -(1 << 16)


@dataclass
class ExtendBf16InPlace(Pass):
    """Extend bfloat16 elements of loaded vectors by the bits of their words.

    An f32 has the bits of a bfloat16 in its upper half. Two elements are in one 32-bit word of the
    loaded vector: the first is shifted up, and the second keeps its place, one instruction each.
    LLVM would move the second to a 16-bit register first.

    Before:

    ```mlir
    func.func @f(%arg0: memref<2xbf16>, %arg1: index) -> f32 {
      %0 = vector.load %arg0[%arg1] : memref<2xbf16>, vector<2xbf16>
      %1 = vector.extract %0[1] : bf16 from vector<2xbf16>
      %2 = arith.extf %1 : bf16 to f32
      return %2 : f32
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<2xbf16>, %arg1: index) -> f32 {
      %0 = vector.load %arg0[%arg1] : memref<2xbf16>, vector<2xbf16>
      %1 = vector.bitcast %0 : vector<2xbf16> to vector<1xi32>
      %2 = vector.extract %1[0] : i32 from vector<1xi32>
      %c-65536_i32 = arith.constant -65536 : i32
      %3 = arith.andi %2, %c-65536_i32 : i32
      %4 = arith.bitcast %3 : i32 to f32
      return %4 : f32
    }
    ```
    """

    name: ClassVar[str] = "extend-bf16-in-place"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Replace in a module, or in one function."""
        words: dict[ir.Value, ir.Value] = {}
        for each in [each for each in walk(op) if each.name == "arith.extf"]:
            extract = defining_op(each.operands[0])
            if extract is None or extract.name != "vector.extract" or len(extract.operands) != 1:
                continue
            load = defining_op(extract.operands[0])
            if load is None or load.name != "vector.load" or not _is_in_words(load.result.type):
                continue
            if str(each.result.type) != "f32":
                continue
            if load.result not in words:
                words[load.result] = _words(load)
            (place,) = list(ir.DenseI64ArrayAttr(extract.attributes["static_position"]))
            with ir.InsertionPoint(each), each.location:
                value = _extended(words[load.result], place)
            each.result.replace_all_uses_with(value)
            each.erase()
            if not list(extract.result.uses):
                extract.erase()
            state.count(self.name, "elements")


def _is_in_words(type: ir.Type) -> bool:
    vector = ir.VectorType(type)
    return str(vector.element_type) == "bf16" and vector.rank == 1 and not vector.shape[0] % 2


def _words(load: ir.Operation) -> ir.Value:
    """The vector as 32-bit words, after its load."""
    (length,) = ir.VectorType(load.result.type).shape
    with ir.InsertionPoint(load), load.location:
        type = ir.VectorType.get([length // 2], ir.IntegerType.get_signless(32))
        words = create_op("vector.bitcast", [load.result], results=[type])
    load.move_before(words)
    return words.result


def _extended(words: ir.Value, place: int) -> ir.Value:
    """An element as f32."""
    word = ir.VectorType(words.type).element_type
    position = {"static_position": ir.DenseI64ArrayAttr.get([place // 2])}
    pair = create_value("vector.extract", word, [words], position)
    if place % 2:
        bits = create_value("arith.andi", word, [pair, constant(word, _HIGH)])
    else:
        bits = create_value("arith.shli", word, [pair, constant(word, _LOW)])
    return create_value("arith.bitcast", ir.F32Type.get(), [bits])
