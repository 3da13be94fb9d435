"""Load and store vectors of `i1` as bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import attributes_of, ir, walk
from torch_refine.dialect.ir_builder import create_op, create_value
from torch_refine.passes.base import Pass, RunState

_READS = ("vector.transfer_read", "vector.load", "vector.maskedload", "vector.gather")
_WRITES = ("vector.transfer_write", "vector.store", "vector.maskedstore")


@dataclass
class WidenBoolVectors(Pass):
    """Load and store vectors of `i1` as bytes.

    A bool in memory is a byte, in MLIR as in PyTorch; but a vector of `i1` is loaded and stored as
    packed bits. Here the memref is accessed as one of bytes.

    Before:

    ```mlir
    func.func @f(%arg0: memref<16xi1>, %arg1: index) -> vector<16xi1> {
      %0 = vector.load %arg0[%arg1] : memref<16xi1>, vector<16xi1>
      return %0 : vector<16xi1>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<16xi1>, %arg1: index) -> vector<16xi1> {
      %0 = builtin.unrealized_conversion_cast %arg0 : memref<16xi1> to memref<16xi8>
      %1 = vector.load %0[%arg1] : memref<16xi8>, vector<16xi8>
      %2 = arith.trunci %1 : vector<16xi8> to vector<16xi1>
      return %2 : vector<16xi1>
    }
    ```
    """

    name: ClassVar[str] = "widen-bool-vectors"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Widen in a module, or in one function."""
        for each in list(walk(op)):
            if each.name in _READS and _holds_bools(each.operands[0]):
                _read_bytes(each)
                state.count(self.name, "reads of bytes")
            elif each.name in _WRITES and _holds_bools(_written(each)):
                _write_bytes(each)
                state.count(self.name, "writes of bytes")


def _written(op: ir.Operation) -> ir.Value:
    """The memref that an op writes to."""
    if op.name == "vector.maskedstore":
        return op.operands[0]
    return op.operands[1]


def _holds_bools(value: ir.Value) -> bool:
    type = value.type
    return isinstance(type, ir.MemRefType) and str(type.element_type) == "i1"


def _as_bytes(memory: ir.Value) -> ir.Value:
    type = ir.MemRefType(memory.type)
    byte = ir.IntegerType.get_signless(8)
    wide = ir.MemRefType.get(type.shape, byte, type.layout, type.memory_space)
    return create_value("builtin.unrealized_conversion_cast", wide, [memory])


def _widened(value: ir.Value) -> ir.Value:
    """Extend a bool, or a vector of bools, to bytes."""
    byte = ir.IntegerType.get_signless(8)
    type = value.type
    is_vector = isinstance(type, ir.VectorType)
    wide = ir.VectorType.get(type.shape, byte) if is_vector else byte
    return create_value("arith.extui", wide, [value])


def _read_bytes(op: ir.Operation) -> None:
    memory, *others = op.operands
    result = ir.VectorType(op.result.type)
    with ir.InsertionPoint(op), op.location:
        wide = ir.VectorType.get(result.shape, ir.IntegerType.get_signless(8))
        operands = [_as_bytes(memory), *others]
        # The padding value becomes a byte; a mask stays a vector of bools.
        if op.name in ("vector.maskedload", "vector.gather"):
            operands[-1] = _widened(operands[-1])
        elif op.name == "vector.transfer_read":
            padding = len(operands) - (2 if _has_mask(op) else 1)
            operands[padding] = _widened(operands[padding])
        bytes = create_value(op.name, wide, operands, attributes_of(op))
        bits = create_value("arith.trunci", result, [bytes])
    op.result.replace_all_uses_with(bits)
    op.erase()


def _has_mask(op: ir.Operation) -> bool:
    segments = ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"])
    return bool(segments[len(segments) - 1])


def _write_bytes(op: ir.Operation) -> None:
    with ir.InsertionPoint(op), op.location:
        memory = _as_bytes(_written(op))
        operands = list(op.operands)
        if op.name == "vector.maskedstore":
            operands[0], operands[-1] = memory, _widened(operands[-1])
        else:
            operands[0], operands[1] = _widened(operands[0]), memory
        create_op(op.name, operands, attributes_of(op), results=[each.type for each in op.results])
    op.erase()
