"""Elements, vectors and slices of tensors, at the current insertion point and location."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir
from torch_refine.passes.lowering.building import Number, index_type, made, value_of
from torch_refine.passes.lowering.kernels.indexing import maker_of, memory_behind
from torch_refine.passes.lowering.kernels.slices import Slice


def size_of(value: ir.Value, type: ir.RankedTensorType, place: int) -> Number:
    """A size of a tensor of a type."""
    if type.shape[place] >= 0:
        return int(type.shape[place])
    memory = memory_behind(value)
    source = maker_of(memory)
    if source is not None and source.name == "tensor.empty":
        return source.operands[sum(size < 0 for size in type.shape[:place])]
    return made("tensor.dim", index_type(), [memory, value_of(place)])


def extract(tensor: ir.Value, indices: list[Number]) -> ir.Value:
    """An element of a tensor; what is no tensor is one itself."""
    if not isinstance(tensor.type, ir.RankedTensorType):
        return tensor
    element = ir.RankedTensorType(tensor.type).element_type
    return made("tensor.extract", element, [tensor, *map(value_of, indices)])


def insert(number: ir.Value, tensor: ir.Value, indices: list[Number]) -> ir.Value:
    """A tensor with another element at some indices."""
    return made("tensor.insert", tensor.type, [number, tensor, *map(value_of, indices)])


def read(tensor: ir.Value, indices: list[Number], lanes: int, is_whole: bool) -> ir.Value:
    """A vector of elements that are contiguous; without `is_whole`, of those that exist."""
    type = ir.RankedTensorType(tensor.type)
    vector = ir.VectorType.get([lanes], type.element_type)
    poison = ir.Attribute.parse("#ub.poison")
    padding = made("ub.poison", type.element_type, [], {"value": poison})
    return made(
        "vector.transfer_read",
        vector,
        [tensor, *map(value_of, indices), padding],
        _transfer(type.rank, is_whole, [1, type.rank, 1, 0]),
    )


def write(value: ir.Value, memory: ir.Value, indices: list[Number], is_whole: bool) -> ir.Value:
    """A tensor with a vector written to it, `is_whole` as in `read`."""
    type = ir.RankedTensorType(memory.type)
    return made(
        "vector.transfer_write",
        type,
        [value, memory, *map(value_of, indices)],
        _transfer(type.rank, is_whole, [1, 1, type.rank, 0]),
    )


def _transfer(rank: int, is_whole: bool, segments: list[int]) -> dict[str, ir.Attribute]:
    """The attributes of a read or write of elements next to each other."""
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
    """An `scf.forall` over threads, and its body, whose arguments are the thread and the memory."""
    made = ir.Operation.create(
        "scf.forall",
        results=[memory.type],
        operands=[memory],
        regions=1,
        attributes={
            "staticLowerBound": ir.DenseI64ArrayAttr.get([0]),
            "staticUpperBound": ir.DenseI64ArrayAttr.get([threads]),
            "staticStep": ir.DenseI64ArrayAttr.get([1]),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0, 0, 1]),
        },
    )
    places = [ir.Location.current] * 2
    return made, ir.Block.create_at_start(made.regions[0], [index_type(), memory.type], places)


def insert_in_parallel(
    part: ir.Value, whole: ir.Value, offsets: list[Number], sizes: list[Number]
) -> None:
    """End the body of an `scf.forall`."""
    end = ir.Operation.create("scf.forall.in_parallel", regions=1)
    with ir.InsertionPoint(ir.Block.create_at_start(end.regions[0], [], [])):
        Slice(offsets, sizes, [1] * len(sizes)).insert_in_parallel(part, whole)
