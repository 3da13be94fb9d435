"""Copy strided memrefs where a cast makes them contiguous."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_op, create_value, index_type, index_value
from torch_refine.passes.base import Pass, RunState

_UNKNOWN = ir.ShapedType.get_dynamic_size()
_CAST, _ALLOC = "memref.cast", "memref.alloc"


@dataclass
class CopyStridedCasts(Pass):
    """Copy strided memrefs where a cast makes them contiguous.

    Bufferization passes a strided operand to a function that requires a contiguous one. For static
    sizes it copies; for dynamic ones, the strides of a contiguous memref are dynamic, too, and it
    treats the two layouts as compatible: the callee would read the wrong elements. Buffers that it
    allocates for callees with dynamic strides are allocated contiguous.

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
    """Allocate a contiguous memref, and cast it to the strided type."""
    type = ir.MemRefType(alloc.results[0].type)
    sizes = list(alloc.operands)[: list(type.shape).count(_UNKNOWN)]
    with ir.InsertionPoint(alloc), alloc.location:
        contiguous = ir.MemRefType.get(type.shape, type.element_type)
        made = create_op(_CAST, [_allocate(contiguous, sizes)], results=[type])
    alloc.results[0].replace_all_uses_with(made.result)
    alloc.erase()


def _allocate(type: ir.Type, sizes: list[ir.Value]) -> ir.Value:
    number = ir.IntegerType.get_signless(64)
    return create_value(
        _ALLOC,
        type,
        sizes,
        {
            "alignment": ir.IntegerAttr.get(number, 64),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(sizes), 0]),
        },
    )


def _copy(source: ir.Value, type: ir.Type) -> ir.Value:
    shape = ir.MemRefType(type).shape
    sizes = [
        create_value("memref.dim", index_type(), [source, index_value(dim)])
        for dim, size in enumerate(shape)
        if size == _UNKNOWN
    ]
    copied = _allocate(type, sizes)
    create_op("memref.copy", [source, copied])
    return copied
