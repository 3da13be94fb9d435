"""Memrefs that passes on loops make or measure."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import Number, create_value, finish, for_loop, index_value
from torch_refine.dialect.structured_ops import operation_of

# Loops and conditions, in which an allocation on the stack would be repeated.
_REPEATED = ("scf.for", "scf.if", "scf.while")


def sizes_of(memory: ir.Value) -> list[Number]:
    """The sizes of a memref."""
    sizes: list[Number] = []
    for dim, size in enumerate(ir.MemRefType(memory.type).shape):
        if size < 0:
            size = create_value("memref.dim", ir.IndexType.get(), [memory, index_value(dim)])
        sizes.append(size)
    return sizes


def stack_memory(type: ir.Type, count: int) -> ir.Value:
    """Some numbers on the stack; the insertion point is not in a loop."""
    alignment = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64)
    memory = ir.MemRefType.get([count], type)
    segments = ir.DenseI32ArrayAttr.get([0, 0])
    attributes = {"alignment": alignment, "operandSegmentSizes": segments}
    return create_value("memref.alloca", memory, [], attributes)


def frame_of(op: ir.Operation) -> ir.Block:
    """The block that a function or a thread begins with, in which an op is."""
    block = op.block
    while operation_of(block.owner).name in _REPEATED:
        block = operation_of(block.owner).block
    return block


@contextmanager
def each_column(count: Number) -> Iterator[ir.Value]:
    """A loop from 0, whose body is the insertion point, and its index."""
    _, body = for_loop(0, count, 1)
    with ir.InsertionPoint(body):
        yield body.arguments[0]
    finish(body)
