"""Operands that are filled up to whole tiles."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.lowering.building import (
    Number,
    add,
    both,
    finish,
    if_then,
    index_type,
    less_than,
    value_of,
)
from torch_refine.passes.lowering.kernels.indexing import (
    GENERIC,
    dims_of,
    iterators,
    maker_of,
    maps,
    number_of_inputs,
    operation_of,
)

TILE = "torch_refine.tile"
"""On what loads a tile of an operand."""


def load_guarded(kernel: ir.Operation) -> bool:
    """Make every `tensor.pad` a generic that looks at its indices; False if one is not that simple.

    It reads what is there and fills in what is not, so it can be cut into tiles like any other.
    """
    pads = [op for op in walk(kernel) if op.name == "tensor.pad"]
    if not all(map(_fills_the_end, pads)):
        return False
    for op in pads:
        _load(op)
    return True


def _fills_the_end(op: ir.Operation) -> bool:
    """Whether a pad has a known size and adds nothing in front."""
    before = ir.DenseI64ArrayAttr(op.attributes["static_low"])
    static = ir.RankedTensorType(op.result.type).has_static_shape
    return static and all(each == 0 for each in before)


def _is_input(value: ir.Value) -> bool:
    """Whether a value is only read; what sums start from is loaded once, not tile by tile."""
    return all(use.operand_number < number_of_inputs(operation_of(use.owner)) for use in value.uses)


def _load(op: ir.Operation) -> None:
    context = op.context
    source = op.operands[0]
    type = ir.RankedTensorType(op.result.type)
    filling = list(operations(op.regions[0].blocks[0]))[-1].operands[0]
    parallel = ", ".join(["#linalg.iterator_type<parallel>"] * type.rank)
    with ir.InsertionPoint(op), op.location:
        sizes = [_size(source, dim) for dim in range(type.rank)]
        empty = ir.Operation.create("tensor.empty", results=[type]).result
        identity = ir.AffineMap.get_identity(type.rank, context)
        generic = ir.Operation.create(
            "linalg.generic",
            results=[type],
            operands=[empty],
            regions=1,
            attributes={
                "indexing_maps": ir.ArrayAttr.get([ir.AffineMapAttr.get(identity)], context),
                "iterator_types": ir.Attribute.parse(f"[{parallel}]", context),
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 1], context),
            },
        )
        if _is_input(op.result):
            generic.attributes[TILE] = ir.UnitAttr.get(context)
        block = ir.Block.create_at_start(generic.regions[0], [type.element_type], [op.location])
    with ir.InsertionPoint(block), op.location:
        number = ir.IntegerType.get_signless(64, context)
        indices = [
            ir.Operation.create(
                "linalg.index",
                results=[index_type()],
                attributes={"dim": ir.IntegerAttr.get(number, dim)},
            ).result
            for dim in range(type.rank)
        ]
        is_there: ir.Value | None = None
        for index, size in zip(indices, sizes, strict=True):
            inside = less_than(index, size)
            is_there = inside if is_there is None else both(is_there, inside)
        assert is_there is not None, "a pad has a dimension"
        chosen = if_then(is_there, [type.element_type])
        with ir.InsertionPoint(chosen.regions[0].blocks[0]):
            read = _element(source, list(indices))
        finish(chosen.regions[0].blocks[0], [read])
        finish(chosen.regions[1].blocks[0], [filling])
        ir.Operation.create("linalg.yield", operands=[chosen.result])
    op.result.replace_all_uses_with(generic.result)
    op.erase()


def _size(source: ir.Value, dim: int) -> Number:
    size = ir.RankedTensorType(source.type).shape[dim]
    if size >= 0:
        return int(size)
    return ir.Operation.create(
        "tensor.dim", results=[index_type()], operands=[source, value_of(dim)]
    ).result


def rearranges(op: ir.Operation) -> bool:
    """Whether an op gives the numbers of its only input in other places, or in a wider type."""
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
    """A number of a tensor, read where it comes from: through slices and rearrangements."""
    maker = maker_of(source)
    if maker is not None and maker.name == "tensor.extract_slice":
        static = list(ir.DenseI64ArrayAttr(maker.attributes["static_offsets"]))
        strides = list(ir.DenseI64ArrayAttr(maker.attributes["static_strides"]))
        if len(static) == len(indices) and all(each == 1 for each in strides):
            return _element(maker.operands[0], _moved(maker, static, indices))
    element = ir.RankedTensorType(source.type).element_type
    if maker is not None and maker.name == "linalg.transpose":
        permutation = list(ir.DenseI64ArrayAttr(maker.attributes["permutation"]))
        places = [indices[permutation.index(dim)] for dim in range(len(indices))]
        return _element(maker.operands[0], places)
    if maker is not None and rearranges(maker):
        places = [_applied(result, indices) for result in maps(maker)[0].results]
        found = _element(maker.operands[0], places)
        if found.type == element:
            return found
        return ir.Operation.create("arith.extf", results=[element], operands=[found]).result
    return ir.Operation.create(
        "tensor.extract", results=[element], operands=[source, *indices]
    ).result


def _applied(result: ir.AffineExpr, indices: list[ir.Value]) -> ir.Value:
    map = ir.AffineMap.get(len(indices), 0, [result], indices[0].type.context)
    return ir.Operation.create(
        "affine.apply",
        results=[index_type()],
        operands=indices,
        attributes={"map": ir.AffineMapAttr.get(map)},
    ).result


def _moved(op: ir.Operation, static: list[int], indices: list[ir.Value]) -> list[ir.Value]:
    """The indices of a slice as those of what it is a slice of."""
    dynamic = iter(list(op.operands)[1:])
    unknown = ir.ShapedType.get_dynamic_size()
    offsets: list[Number] = [next(dynamic) if each == unknown else each for each in static]
    return [value_of(add(offset, index)) for offset, index in zip(offsets, indices, strict=True)]
