"""Copy strided memory that is cast to contiguous memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.building import index_type, value_of

_UNKNOWN = ir.ShapedType.get_dynamic_size()
_CAST, _ALLOC = "memref.cast", "memref.alloc"


@dataclass
class CopyStridedCasts(Pass):
    """Copy strided memory that is cast to contiguous memory.

    Bufferization passes an operand with strides to a function that wants it contiguous. Where sizes
    are known it copies; where they are not, the strides of contiguous memory are not known either,
    and it takes the two layouts for compatible: the callee would read the wrong elements. Where it
    allocates memory for a function that takes any strides, the memory is contiguous.

    Before:

    ```mlir
    func.func @f(%arg0: memref<?x4xf32, strided<[?, 1], offset: ?>>) -> memref<?x4xf32> {
      %cast = memref.cast %arg0 : memref<?x4xf32, strided<[?, 1], offset: ?>> to memref<?x4xf32>
      return %cast : memref<?x4xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<?x4xf32, strided<[?, 1], offset: ?>>) -> memref<?x4xf32> {
      %c0 = arith.constant 0 : index
      %dim = memref.dim %arg0, %c0 : memref<?x4xf32, strided<[?, 1], offset: ?>>
      %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?x4xf32>
      memref.copy %arg0, %alloc : memref<?x4xf32, strided<[?, 1], offset: ?>> to memref<?x4xf32>
      return %alloc : memref<?x4xf32>
    }
    ```
    """

    name: ClassVar[str] = "copy-strided-casts"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == _CAST]:
            source, result = each.operands[0], each.results[0]
            if not _is_strided(source.type) or not _is_contiguous(result.type):
                continue
            with ir.InsertionPoint(each), each.location:
                result.replace_all_uses_with(_copy(source, result.type))
            each.operation.erase()
            state.count(self.name, "copies")
        for each in [each for each in walk(op) if each.name == _ALLOC]:
            if _is_strided(each.results[0].type):
                _allocate_contiguous(each)


def _is_strided(type: ir.Type) -> bool:
    return isinstance(type, ir.MemRefType) and isinstance(type.layout, ir.StridedLayoutAttr)


def _is_contiguous(type: ir.Type) -> bool:
    return isinstance(type, ir.MemRefType) and not _is_strided(type)


def _allocate_contiguous(alloc: ir.Operation) -> None:
    """Allocate contiguous memory, and let it be taken for memory of any strides."""
    type = ir.MemRefType(alloc.results[0].type)
    sizes = list(alloc.operands)[: list(type.shape).count(_UNKNOWN)]
    with ir.InsertionPoint(alloc), alloc.location:
        contiguous = ir.MemRefType.get(type.shape, type.element_type)
        made = ir.Operation.create(_CAST, results=[type], operands=[_allocate(contiguous, sizes)])
    alloc.results[0].replace_all_uses_with(made.result)
    alloc.erase()


def _allocate(type: ir.Type, sizes: list[ir.Value]) -> ir.Value:
    number = ir.IntegerType.get_signless(64)
    return ir.Operation.create(
        _ALLOC,
        results=[type],
        operands=sizes,
        attributes={
            "alignment": ir.IntegerAttr.get(number, 64),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(sizes), 0]),
        },
    ).result


def _copy(source: ir.Value, type: ir.Type) -> ir.Value:
    shape = ir.MemRefType(type).shape
    sizes = [
        ir.Operation.create(
            "memref.dim", results=[index_type()], operands=[source, value_of(dim)]
        ).result
        for dim, size in enumerate(shape)
        if size == _UNKNOWN
    ]
    copied = _allocate(type, sizes)
    ir.Operation.create("memref.copy", operands=[source, copied])
    return copied
