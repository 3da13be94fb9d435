"""Copy strided memrefs where a cast makes them contiguous."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    create_op,
    create_value,
    index_type,
    index_value,
    multiply,
)
from torch_refine.passes.base import Pass, RunState

_UNKNOWN = ir.ShapedType.get_dynamic_size()
_ANY_STRIDE = ir.ShapedType.get_dynamic_stride_or_offset()
_CAST, _ALLOC = "memref.cast", "memref.alloc"


@dataclass
class CopyStridedCasts(Pass):
    """Copy strided memrefs where a cast makes them contiguous.

    Bufferization passes a strided operand to a function that requires a contiguous one. For static
    sizes it copies; for dynamic ones, the strides of a contiguous memref are dynamic, too, and it
    treats the two layouts as compatible: the callee would read the wrong elements. Buffers that it
    allocates for callees with dynamic strides are allocated contiguous, those for callees with
    static strides with these.

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
                _allocate_strided(each)


def _is_strided(type: ir.Type) -> bool:
    return isinstance(type, ir.MemRefType) and isinstance(type.layout, ir.StridedLayoutAttr)


def _is_contiguous(type: ir.Type) -> bool:
    return isinstance(type, ir.MemRefType) and not _is_strided(type)


def _allocate_strided(alloc: ir.Operation) -> None:
    """Allocate a contiguous memref, and cast it to the strided type.

    Where the type has static strides that are not those of a contiguous one, the memory that they
    span is allocated: a callee relies on them.
    """
    type = ir.MemRefType(alloc.results[0].type)
    unknown = iter(list(alloc.operands)[: list(type.shape).count(_UNKNOWN)])
    sizes: list[Number] = [next(unknown) if size == _UNKNOWN else size for size in type.shape]
    said = list(ir.StridedLayoutAttr(type.layout).strides)
    with ir.InsertionPoint(alloc), alloc.location:
        strides, are_dense = _strides(sizes, said)
        if are_dense:
            contiguous = ir.MemRefType.get(type.shape, type.element_type)
            given = [size for size in sizes if not isinstance(size, int)]
            made = create_op(_CAST, [_allocate(contiguous, given)], results=[type]).result
        else:
            made = _spanning(type, sizes, strides)
    alloc.results[0].replace_all_uses_with(made)
    alloc.erase()


def _strides(sizes: list[Number], said: list[int]) -> tuple[list[Number], bool]:
    """The strides of an allocation, dynamic ones chosen; and whether they are row-major."""
    found: list[Number] = []
    dense: Number = 1
    are_dense = True
    for size, stride in zip(reversed(sizes), reversed(said), strict=True):
        chosen: Number = dense if stride == _ANY_STRIDE else stride
        are_dense = are_dense and (chosen is dense or chosen == dense)
        found.insert(0, chosen)
        dense = multiply(chosen, size)
    return found, are_dense


def _spanning(type: ir.MemRefType, sizes: list[Number], strides: list[Number]) -> ir.Value:
    """A memref of given sizes and strides in memory of its own."""
    # More than the last element needs, and no less than nothing if a size is zero.
    length: Number = 0
    for size, stride in zip(sizes, strides, strict=True):
        length = add(length, multiply(size, stride))
    is_known = isinstance(length, int)
    flat = ir.MemRefType.get([length if is_known else _UNKNOWN], type.element_type)
    memory = _allocate(flat, [] if is_known else [index_value(length)])
    offset = ir.StridedLayoutAttr(type.layout).offset
    offsets: list[Number] = [0] if offset == 0 else [index_value(0)]
    said = list(ir.StridedLayoutAttr(type.layout).strides)
    # What the type leaves open is an operand, though its value may be known.
    steps: list[Number] = [
        index_value(stride) if each == _ANY_STRIDE else stride
        for stride, each in zip(strides, said, strict=True)
    ]
    operands, attributes, counts = [memory], {}, [1]
    for name, numbers in (("offsets", offsets), ("sizes", sizes), ("strides", steps)):
        dynamic = [each for each in numbers if not isinstance(each, int)]
        static = [each if isinstance(each, int) else _UNKNOWN for each in numbers]
        operands += dynamic
        counts.append(len(dynamic))
        attributes[f"static_{name}"] = ir.DenseI64ArrayAttr.get(static)
    attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get(counts)
    return create_value("memref.reinterpret_cast", type, operands, attributes)


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
