"""Gaps between the rows of tiles in shared memory, which has 32 banks of four bytes.

Threads that read different banks at a time, or the same word, do not wait for each other.
"""

from __future__ import annotations

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import create_value

VIEW = "memref.subview"


def apart(tile: ir.Operation, gap: int) -> ir.Value:
    """A tile like that which an op allocates, with more elements from row to row."""
    type = ir.MemRefType(tile.result.type)
    wide = ir.MemRefType.get([*type.shape[:-1], type.shape[-1] + gap], type.element_type)
    with ir.InsertionPoint(tile), tile.location:
        sizes = {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0])}
        memory = create_value("memref.alloca", wide, [], sizes)
        return view(memory, type.shape, type.shape)


def transposed(tile: ir.Operation, gap: int) -> ir.Value:
    """A tile like that which an op allocates, whose columns are contiguous.

    There are more elements from column to column, by the gap.
    """
    type = ir.MemRefType(tile.result.type)
    *leading, rows, columns = type.shape
    wide = ir.MemRefType.get([*leading, columns, rows + gap], type.element_type)
    strides, _ = wide.get_strides_and_offset()
    layout = ir.StridedLayoutAttr.get(0, [*strides[:-2], 1, rows + gap])
    places = list(range(type.rank))
    swap = ir.AffineMap.get_permutation([*places[:-2], places[-1], places[-2]], tile.context)
    with ir.InsertionPoint(tile), tile.location:
        sizes = {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0])}
        memory = create_value("memref.alloca", wide, [], sizes)
        turned = create_value(
            "memref.transpose",
            ir.MemRefType.get([*leading, rows + gap, columns], type.element_type, layout),
            [memory],
            {"permutation": ir.AffineMapAttr.get(swap)},
        )
        return view(turned, type.shape, type.shape)


def view(memory: ir.Value, sizes: list[int], shape: list[int]) -> ir.Value:
    """The first elements of each row of a memref; leading unit dimensions may be dropped."""
    type = ir.MemRefType(memory.type)
    strides, _ = type.get_strides_and_offset()
    layout = ir.StridedLayoutAttr.get(0, strides[len(strides) - len(shape) :])
    return create_value(
        VIEW,
        ir.MemRefType.get(shape, type.element_type, layout),
        [memory],
        {
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 0, 0, 0]),
            "static_offsets": ir.DenseI64ArrayAttr.get([0] * len(sizes)),
            "static_sizes": ir.DenseI64ArrayAttr.get(sizes),
            "static_strides": ir.DenseI64ArrayAttr.get([1] * len(sizes)),
        },
    )
