"""What a row's computation must look like to be kept in registers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    iterators,
    maps,
    num_inputs,
)
from torch_refine.passes.lowering.gpu.loops import Bounds
from torch_refine.passes.lowering.gpu.reductions.combining import combiner_of, finds_first
from torch_refine.passes.lowering.gpu.shared_accesses import VIEWS, root_of
from torch_refine.passes.lowering.gpu.thread_groups import Distribution, distribute

_ALLOCATION = "memref.alloca"
_PURE = ("arith.", "math.", "linalg.index", "linalg.yield")
_CLONED = ("arith.", "affine.apply", *VIEWS)
# More ops than this would take long to compile, and to load as instructions.
_MOST_OPS = 8192
_MAX_BITS, _BYTE = 64, 8


def fits_registers(members: list[ir.Operation], rows: int) -> bool:
    """Whether the rows that generics on tensors compute together can be kept in registers.

    The outermost `rows` loops are over rows.
    """
    if not all(op.name == GENERIC and _is_row_body(op, rows) for op in members):
        return False
    lengths: set[int] = set()
    element_bytes = [_MAX_BITS // _BYTE]
    for op in members:
        for operand, map in zip(op.operands, maps(op), strict=True):
            if not _is_operand(operand):
                return False
            if not isinstance(operand.type, ir.RankedTensorType):
                continue
            type = ir.RankedTensorType(operand.type)
            element_bytes.append(max(type.element_type.width // _BYTE, 1))
            dims = dims_of(map) or []
            lengths.update(size for dim, size in zip(dims, type.shape, strict=True) if dim == rows)
    if len(lengths) != 1 or min(lengths) <= 1:
        return False
    found = distribute(lengths.pop(), element_bytes, -1)
    # Tiling may duplicate ops.
    return found is not None and _op_count(found, members) * 2 <= _MOST_OPS


def is_whole_reduction(op: ir.Operation) -> bool:
    """Whether a generic on memrefs, outside of any loop, reduces all elements to one."""
    if set(iterators(op)) != {"reduction"} or len(op.results):
        return False
    return op.parent.operation.name == "func.func" and (
        combiner_of(op) is not None or finds_first(op)
    )


def _is_row_body(op: ir.Operation, rows: int = 0) -> bool:
    """Whether a generic maps or reduces along at most one loop of a row, without effects."""
    if any(not each.name.startswith(_PURE) or len(each.regions) for each in walk(op)):
        return False
    kinds = iterators(op)
    if any(dims_of(map) is None for map in maps(op)):
        return False
    if len(kinds) > rows + 1 and not _is_of_numbers(op):
        return False
    return kinds[rows:] != ["reduction"] or combiner_of(op) is not None or finds_first(op)


def _is_of_numbers(op: ir.Operation) -> bool:
    """Whether a generic computes one element from numbers, and from memory of one element."""
    types = [operand.type for operand in op.operands]
    return (
        set(iterators(op)) == {"parallel"}
        and not any(isinstance(type, ir.RankedTensorType) for type in types)
        and all(
            element_count(operand) == 1
            for operand, type in zip(op.operands, types, strict=True)
            if isinstance(type, ir.ShapedType)
        )
    )


def _op_count(distribution: Distribution, generics: list[ir.Operation]) -> int:
    """The number of ops that a thread runs."""
    return distribution.elements * sum(len(list(walk(op))) for op in generics)


@dataclass(frozen=True)
class RowProgram:
    """The body of a loop over blocks that computes a row of static length.

    Buffers of the row have as many elements as the row, or one.
    """

    loop: ir.Operation
    distribution: Distribution

    @property
    def body(self) -> ir.Block:
        """The body of the loop."""
        return self.loop.regions[0].blocks[0]


def row_program(loop: ir.Operation) -> RowProgram | None:
    """The program of a loop over blocks; None if its rows cannot be kept in registers."""
    *ops, _ = operations(loop.regions[0].blocks[0])
    generics = [op for op in ops if op.name == GENERIC]
    if not generics or not all(_is_supported(op) for op in ops):
        return None
    lengths = {size for op in generics if (size := _length(op)) != 1}
    if len(lengths) != 1:
        return None
    (length,) = lengths
    if length is None or not _are_slices_distinct(generics, loop):
        return None
    element_bytes = [
        max(type.element_type.width // _BYTE, 1)
        for op in generics
        for operand in op.operands
        if (type := _type(operand)) is not None
        and element_count(operand) == length
        and not is_inside(operand, loop)
    ]
    rows = Bounds(loop).total() if not loop.operands else -1
    element_bytes = element_bytes or [_MAX_BITS // _BYTE]
    found = distribute(length, element_bytes, rows if isinstance(rows, int) else -1)
    along = [op for op in generics if _length(op) == length]
    if found is None or _op_count(found, along) > _MOST_OPS:
        return None
    return RowProgram(loop, found)


def element_count(memory: ir.Value) -> int:
    """The number of elements of a memref; negative if it is dynamic."""
    type = ir.MemRefType(memory.type)
    return math.prod(type.shape) if type.has_static_shape else -1


def slice_of(memory: ir.Value) -> ir.Value:
    """The slice that a value is a view of all elements of."""
    producer = defining_op(memory)
    while producer is not None and producer.name in VIEWS:
        source = producer.operands[0]
        if element_count(source) != element_count(memory):
            break
        memory = source
        producer = defining_op(memory)
    return memory


def is_inside(memory: ir.Value, loop: ir.Operation) -> bool:
    """Whether memory is allocated in the body of a loop."""
    producer = defining_op(root_of(memory))
    return (
        producer is not None
        and producer.name == _ALLOCATION
        and producer.block == loop.regions[0].blocks[0]
    )


def _is_supported(op: ir.Operation) -> bool:
    if op.name == GENERIC:
        return _is_row_body(op) and all(_is_operand(operand) for operand in op.operands)
    return bool(op.name == _ALLOCATION or op.name.startswith(_CLONED))


def _is_operand(operand: ir.Value) -> bool:
    """Whether an operand is a number, or a tensor or memory of numbers."""
    type = operand.type
    is_shaped = isinstance(type, (ir.RankedTensorType, ir.MemRefType))
    element = ir.ShapedType(type).element_type if is_shaped else type
    return isinstance(element, (ir.IntegerType, ir.FloatType)) and element.width <= _MAX_BITS


def _type(operand: ir.Value) -> ir.MemRefType | None:
    return ir.MemRefType(operand.type) if isinstance(operand.type, ir.MemRefType) else None


def _length(op: ir.Operation) -> int | None:
    """The trip count of a generic; None if operands have other sizes, or it is dynamic."""
    length = 1
    for operand, map in zip(op.operands, maps(op), strict=True):
        if _type(operand) is None:
            continue
        count = element_count(operand)
        if count < 0:
            return None
        if len(map.results):
            if length not in (1, count):
                return None
            length = count
        elif count != 1:
            return None
    return length


def _are_slices_distinct(generics: list[ir.Operation], loop: ir.Operation) -> bool:
    """Whether no written buffer is also accessed through another slice of it."""
    slices: dict[ir.Value, set[ir.Value]] = {}
    written = set()
    for op in generics:
        for index, operand in enumerate(op.operands):
            if _type(operand) is None:
                continue
            slices.setdefault(root_of(operand), set()).add(slice_of(operand))
            if index >= num_inputs(op):
                written.add(root_of(operand))
    return all(
        len(slices[root]) == 1 and (not is_inside(root, loop) or slices[root] == {root})
        for root in written
    )
