"""Elements, vectors and slices of tensors, at the current insertion point and location."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import Number, create_op, create_value, index_type, index_value
from torch_refine.dialect.structured_ops import defining_op, tied_init
from torch_refine.passes.lowering.kernels.slices import Slice

# The hint of a prefetch into the second cache.
_SECOND_CACHE = 2


def size_of(value: ir.Value, type: ir.RankedTensorType, place: int) -> Number:
    """A dimension of a tensor, an SSA value if it is dynamic."""
    if type.shape[place] >= 0:
        return int(type.shape[place])
    memory = tied_init(value)
    source = defining_op(memory)
    if source is not None and source.name == "tensor.empty":
        return source.operands[sum(size < 0 for size in type.shape[:place])]
    return create_value("tensor.dim", index_type(), [memory, index_value(place)])


def extract(tensor: ir.Value, indices: list[Number]) -> ir.Value:
    """An element of a tensor; scalars are returned as they are."""
    if not isinstance(tensor.type, ir.RankedTensorType):
        return tensor
    element = ir.RankedTensorType(tensor.type).element_type
    return create_value("tensor.extract", element, [tensor, *map(index_value, indices)])


def insert(number: ir.Value, tensor: ir.Value, indices: list[Number]) -> ir.Value:
    """A tensor with one element replaced."""
    return create_value("tensor.insert", tensor.type, [number, tensor, *map(index_value, indices)])


def read(tensor: ir.Value, indices: list[Number], lanes: int, is_whole: bool) -> ir.Value:
    """Read a vector of contiguous elements; unless `is_whole`, those out of bounds are masked."""
    element = ir.RankedTensorType(tensor.type).element_type
    poison = ir.Attribute.parse("#ub.poison")
    padding = create_value("ub.poison", element, [], {"value": poison})
    return _read(tensor, indices, lanes, is_whole, padding)


def read_or_zero(tensor: ir.Value, indices: list[Number], lanes: int) -> ir.Value:
    """Read a vector of contiguous elements, zero where it is out of bounds."""
    element = ir.RankedTensorType(tensor.type).element_type
    number = ir.IntegerAttr if isinstance(element, ir.IntegerType) else ir.FloatAttr
    zero = create_value("arith.constant", element, [], {"value": number.get(element, 0)})
    return _read(tensor, indices, lanes, False, zero)


def _read(
    tensor: ir.Value, indices: list[Number], lanes: int, is_whole: bool, padding: ir.Value
) -> ir.Value:
    type = ir.RankedTensorType(tensor.type)
    vector = ir.VectorType.get([lanes], type.element_type)
    return create_value(
        "vector.transfer_read",
        vector,
        [tensor, *map(index_value, indices), padding],
        _transfer(type.rank, is_whole, [1, type.rank, 1, 0]),
    )


def write(value: ir.Value, memory: ir.Value, indices: list[Number], is_whole: bool) -> ir.Value:
    """Write a vector to a tensor, with `is_whole` as in `read`."""
    type = ir.RankedTensorType(memory.type)
    return create_value(
        "vector.transfer_write",
        type,
        [value, memory, *map(index_value, indices)],
        _transfer(type.rank, is_whole, [1, 1, type.rank, 0]),
    )


def prefetch_line(tensor: ir.Value, indices: list[Number]) -> None:
    """Prefetch the cache line of an element, which need not exist, into the second cache."""
    type = ir.RankedTensorType(tensor.type)
    memory = create_value(
        "bufferization.to_buffer",
        ir.MemRefType.get(type.shape, type.element_type),
        [tensor],
        {"read_only": ir.UnitAttr.get()},
    )
    create_op(
        "memref.prefetch",
        [memory, *map(index_value, indices)],
        {
            "isWrite": ir.BoolAttr.get(False),
            "isDataCache": ir.BoolAttr.get(True),
            "localityHint": ir.IntegerAttr.get(ir.IntegerType.get_signless(32), _SECOND_CACHE),
        },
    )


def _transfer(rank: int, is_whole: bool, segments: list[int]) -> dict[str, ir.Attribute]:
    """The attributes of a read or write of contiguous elements."""
    columns = ir.AffineMap.get(rank, 0, [ir.AffineExpr.get_dim(rank - 1)])
    return {
        "permutation_map": ir.AffineMapAttr.get(columns),
        "in_bounds": ir.ArrayAttr.get([ir.BoolAttr.get(is_whole)]),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get(segments),
    }


def slice_of(tensor: ir.Value, offsets: list[Number], sizes: list[Number]) -> ir.Value:
    """A slice of a tensor."""
    return Slice(offsets, sizes, [1] * len(sizes)).extract(tensor)


def for_threads(threads: int, memory: ir.Value) -> tuple[ir.Operation, ir.Block]:
    """An `scf.forall` over threads, and its body, whose arguments are the thread and the
    destination."""
    made = create_op(
        "scf.forall",
        [memory],
        {
            "staticLowerBound": ir.DenseI64ArrayAttr.get([0]),
            "staticUpperBound": ir.DenseI64ArrayAttr.get([threads]),
            "staticStep": ir.DenseI64ArrayAttr.get([1]),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0, 0, 1]),
        },
        results=[memory.type],
        regions=1,
    )
    places = [ir.Location.current] * 2
    return made, ir.Block.create_at_start(made.regions[0], [index_type(), memory.type], places)


def insert_in_parallel(
    part: ir.Value, whole: ir.Value, offsets: list[Number], sizes: list[Number]
) -> None:
    """End the body of an `scf.forall`."""
    end = create_op("scf.forall.in_parallel", regions=1)
    with ir.InsertionPoint(ir.Block.create_at_start(end.regions[0], [], [])):
        Slice(offsets, sizes, [1] * len(sizes)).insert_in_parallel(part, whole)
