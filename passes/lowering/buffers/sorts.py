"""Sorts in memory, for the passes that lower them."""

from __future__ import annotations

import math
from collections.abc import Callable

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import (
    Number,
    constant_int_value,
    create_op,
    create_value,
    parallel_loop,
)
from torch_refine.dialect.structured_ops import defining_op, operation_of

SORT = "tm_tensor.sort"
PERMUTATION = "torch_refine.permutation"
"""On a load: it reads the places of the elements of a row, each once, as a sort computed them."""
# So many first elements of a sorted row are selected by insertion.
_MOST_SELECTED = 64
# Nanoseconds of each element that is moved by an insertion, of the block in which it is found, and
# of each element that is sorted by its digits.
_INSERTED, _LOOKED_AT, _SORTED = 2, 48, 9
# What a memory that only the sort and its readers use comes from.
_MADE_BY = ("memref.alloc", "memref.view")


class Sort:
    """A sort along a dimension: buffers of the same sizes, permuted by one comparator."""

    def __init__(self, op: ir.Operation) -> None:
        self.op = op
        self.memory = list(op.operands)
        self.along = int(ir.IntegerAttr(op.attributes["dimension"]).value)
        self.comparison: ir.Block = op.regions[0].blocks[0]
        self.others: list[ir.Value] = []

    def each_row(self, sizes: list[Number], write: Callable[[], None]) -> None:
        """Emit a loop over the other dimensions, if there are any, with a body for each row."""
        self.others = []
        if not sizes:
            write()
            return
        body = parallel_loop(sizes)
        self.others = list(body.arguments)
        with ir.InsertionPoint(body):
            write()
            create_op("scf.reduce")

    def at(self, place: ir.Value) -> list[ir.Value]:
        """The indices of an element of the row."""
        return [*self.others[: self.along], place, *self.others[self.along :]]

    def read_first(self) -> int | None:
        """How many first elements of each row are read after the sort, if few are; else None."""
        places = {each: place for place, each in enumerate(operations(self.op.block))}
        most = 0
        for memory in self.memory:
            made = defining_op(memory)
            if made is None or made.name not in _MADE_BY:
                return None
            for use in memory.uses:
                user = operation_of(use.owner)
                if user not in places:
                    return None
                if places[user] <= places[self.op] or user.name == "memref.dealloc":
                    continue
                first = _first_of_view(user, self.along)
                if first is None:
                    return None
                most = max(most, first)
        size = memref_type(self.memory[0]).shape[self.along]
        return most if 0 < most <= _MOST_SELECTED and _is_selection_faster(most, size) else None


def _is_selection_faster(first: int, size: int) -> bool:
    """Whether selecting elements of a row takes less time than sorting it; it does if the size is
    dynamic.

    In a random row each element comes before the last of those found so far less often than the one
    before it, and is inserted then; blocks without such elements are only compared.
    """
    if size < 0:
        return True
    if 2 * first > size:
        return False
    inserted = first * (1 + math.log(size / first))
    return inserted * (_INSERTED * first + _LOOKED_AT) <= _SORTED * size


def _first_of_view(op: ir.Operation, along: int) -> int | None:
    """How many first elements of a dimension a view has, if that is known."""
    if op.name != "memref.subview":
        return None
    offsets, sizes, strides = (
        list(ir.DenseI64ArrayAttr(op.attributes[f"static_{name}"]))
        for name in ("offsets", "sizes", "strides")
    )
    is_start = offsets[along] == 0
    if offsets[along] == ir.ShapedType.get_dynamic_size():
        place = 1 + offsets[:along].count(offsets[along])
        is_start = _is_at_most_zero(op.operands[place])
    return int(sizes[along]) if is_start and strides[along] == 1 and sizes[along] >= 0 else None


def _is_at_most_zero(value: ir.Value) -> bool:
    """Whether a number is at most 0; as the offset of a view, it is 0."""
    made = defining_op(value)
    if made is not None and made.name == "arith.index_cast":
        made = defining_op(made.operands[0])
    if made is None or made.name != "arith.minsi":
        return False
    numbers = [constant_int_value(each) for each in made.operands]
    return any(each is not None and each <= 0 for each in numbers)


def memref_type(memory: ir.Value) -> ir.MemRefType:
    """The type of a memref."""
    return ir.MemRefType(memory.type)


def load(memory: ir.Value, indices: list[ir.Value]) -> ir.Value:
    """Load an element."""
    return create_value("memref.load", memref_type(memory).element_type, [memory, *indices])


def load_place(memory: ir.Value, indices: list[ir.Value]) -> ir.Value:
    """Load a place that a sort computed."""
    place = load(memory, indices)
    place.owner.attributes[PERMUTATION] = ir.UnitAttr.get()
    return place


def store(number: ir.Value, memory: ir.Value, indices: list[ir.Value]) -> None:
    """Store an element."""
    create_op("memref.store", [number, memory, *indices])


def allocate(type: ir.Type, sizes: list[Number]) -> ir.Value:
    """Allocate memory for elements of a type."""
    unknown = [size for size in sizes if not isinstance(size, int)]
    dynamic = ir.ShapedType.get_dynamic_size()
    shape = [size if isinstance(size, int) else dynamic for size in sizes]
    segments = ir.DenseI32ArrayAttr.get([len(unknown), 0])
    memory = ir.MemRefType.get(shape, type)
    return create_value("memref.alloc", memory, unknown, {"operandSegmentSizes": segments})
