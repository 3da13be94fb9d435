"""Operands that are padded to whole tiles."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    both,
    create_op,
    create_value,
    finish,
    if_then,
    index_type,
    index_value,
    less_than,
)
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    iterators,
    maps,
    num_inputs,
    operation_of,
)

TILE = "torch_refine.tile"
"""On the op that loads a tile of an operand."""


def lower_pads_to_bounds_checks(kernel: ir.Operation) -> bool:
    """Turn every `tensor.pad` into a generic with bounds checks; False if one is not supported.

    It selects between the element and the padding value, so it can be tiled like any other.
    """
    pads = [op for op in walk(kernel) if op.name == "tensor.pad"]
    if not all(map(_is_high_padding, pads)):
        return False
    for op in pads:
        _load(op)
    return True


def mark_tiles(kernel: ir.Operation) -> None:
    """Mark the loads of tiles in the loops of a kernel again, of which unit dimensions were
    dropped."""
    for op in walk(kernel):
        if op.name != GENERIC or num_inputs(op) or op.parent.operation.name != "scf.for":
            continue
        if any(each.name == "scf.if" for each in walk(op)):
            op.attributes[TILE] = ir.UnitAttr.get(op.context)


def _is_high_padding(op: ir.Operation) -> bool:
    """Whether a pad has static sizes and low padding of zero."""
    before = ir.DenseI64ArrayAttr(op.attributes["static_low"])
    static = ir.RankedTensorType(op.result.type).has_static_shape
    return static and all(each == 0 for each in before)


def _is_input(value: ir.Value) -> bool:
    """Whether a value is only read; initial values are loaded once, not per tile."""
    return all(use.operand_number < num_inputs(operation_of(use.owner)) for use in value.uses)


def _load(op: ir.Operation) -> None:
    context = op.context
    source = op.operands[0]
    type = ir.RankedTensorType(op.result.type)
    filling = list(operations(op.regions[0].blocks[0]))[-1].operands[0]
    parallel = ", ".join(["#linalg.iterator_type<parallel>"] * type.rank)
    with ir.InsertionPoint(op), op.location:
        sizes = [_size(source, dim) for dim in range(type.rank)]
        empty = create_value("tensor.empty", type, [])
        identity = ir.AffineMap.get_identity(type.rank, context)
        generic = create_op(
            "linalg.generic",
            [empty],
            {
                "indexing_maps": ir.ArrayAttr.get([ir.AffineMapAttr.get(identity)], context),
                "iterator_types": ir.Attribute.parse(f"[{parallel}]", context),
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 1], context),
            },
            results=[type],
            regions=1,
        )
        if _is_input(op.result):
            generic.attributes[TILE] = ir.UnitAttr.get(context)
        block = ir.Block.create_at_start(generic.regions[0], [type.element_type], [op.location])
    with ir.InsertionPoint(block), op.location:
        number = ir.IntegerType.get_signless(64, context)
        indices = [
            create_value("linalg.index", index_type(), [], {"dim": ir.IntegerAttr.get(number, dim)})
            for dim in range(type.rank)
        ]
        is_there: ir.Value | None = None
        for index, size in zip(indices, sizes, strict=True):
            inside = less_than(index, size)
            is_there = inside if is_there is None else both(is_there, inside)
        assert is_there is not None, "a pad must have a dimension"
        chosen = if_then(is_there, [type.element_type])
        with ir.InsertionPoint(chosen.regions[0].blocks[0]):
            read = _element(source, list(indices))
        finish(chosen.regions[0].blocks[0], [read])
        finish(chosen.regions[1].blocks[0], [filling])
        create_op("linalg.yield", [chosen.result])
    op.result.replace_all_uses_with(generic.result)
    op.erase()


def _size(source: ir.Value, dim: int) -> Number:
    size = ir.RankedTensorType(source.type).shape[dim]
    if size >= 0:
        return int(size)
    return create_value("tensor.dim", index_type(), [source, index_value(dim)])


def rearranges(op: ir.Operation) -> bool:
    """Whether an op permutes the elements of its only input, or extends them."""
    if op.name == "linalg.transpose":
        return True
    if op.name != GENERIC or len(op.operands) != 2 or len(op.results) != 1:
        return False
    block = op.regions[0].blocks[0]
    *inner, last = operations(block)
    source = block.arguments[0]
    if len(inner) == 1 and inner[0].name == "arith.extf" and inner[0].operands[0] == source:
        source = inner[0].result
    elif inner:
        return False
    in_order = dims_of(maps(op)[-1]) == list(range(len(iterators(op))))
    return in_order and last.operands[0] == source and set(iterators(op)) == {"parallel"}


def _element(source: ir.Value, indices: list[ir.Value]) -> ir.Value:
    """An element of a tensor, read from the source of slices and rearrangements."""
    producer = defining_op(source)
    if producer is not None and producer.name == "tensor.extract_slice":
        static = list(ir.DenseI64ArrayAttr(producer.attributes["static_offsets"]))
        strides = list(ir.DenseI64ArrayAttr(producer.attributes["static_strides"]))
        if len(static) == len(indices) and all(each == 1 for each in strides):
            return _element(producer.operands[0], _source_indices(producer, static, indices))
    element = ir.RankedTensorType(source.type).element_type
    if producer is not None and producer.name == "linalg.transpose":
        permutation = list(ir.DenseI64ArrayAttr(producer.attributes["permutation"]))
        places = [indices[permutation.index(dim)] for dim in range(len(indices))]
        return _element(producer.operands[0], places)
    if producer is not None and rearranges(producer):
        places = [_applied(result, indices) for result in maps(producer)[0].results]
        found = _element(producer.operands[0], places)
        if found.type == element:
            return found
        return create_value("arith.extf", element, [found])
    return create_value("tensor.extract", element, [source, *indices])


def _applied(result: ir.AffineExpr, indices: list[ir.Value]) -> ir.Value:
    map = ir.AffineMap.get(len(indices), 0, [result], indices[0].type.context)
    return create_value("affine.apply", index_type(), indices, {"map": ir.AffineMapAttr.get(map)})


def _source_indices(op: ir.Operation, static: list[int], indices: list[ir.Value]) -> list[ir.Value]:
    """The indices into a slice as indices into its source."""
    dynamic = iter(list(op.operands)[1:])
    unknown = ir.ShapedType.get_dynamic_size()
    offsets: list[Number] = [next(dynamic) if each == unknown else each for each in static]
    return [index_value(add(offset, index)) for offset, index in zip(offsets, indices, strict=True)]
