"""Gather by several index tensors of dynamic sizes."""

from __future__ import annotations

from collections.abc import Sequence

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    assert_that,
    create_op,
    create_value,
    equal,
    index_type,
    index_value,
    less_than,
)
from torch_refine.dialect.tensor_type import Sizes, Types
from torch_refine.passes.lowering.torch.data_dependent.positions import list_of

INDEXING = ("torch.aten.index.Tensor", "torch.aten.index.Tensor_hacked_twin")
_INTEGERS = ("si64", "si32", "si16", "si8")


def gathers(op: ir.Operation, types: Types) -> bool:
    """Whether an op gathers by several index tensors, some with dynamic sizes.

    The wheel converts those of static sizes, and single ones. They index the leading dimensions.
    """
    if op.name not in INDEXING:
        return False
    given = list_of(op.operands[1])
    if given is None or len(given) < 2:
        return False
    tensors = [None if each is None else types.tensor(each.type) for each in given]
    value = types.tensor(op.operands[0].type)
    if value is None or not value.has_rank_and_element or str(value.element).startswith("!"):
        return False
    return all(
        each is not None and each.sizes is not None and each.element in _INTEGERS
        for each in tensors
    ) and any(None in (each.sizes or ()) for each in tensors if each is not None)


def gather(op: ir.Operation, types: Types) -> None:
    """Replace an op by a loop over its result; negative indices count from the end."""
    value, *indices = (
        _as_builtin(each, types) for each in [op.operands[0], *(list_of(op.operands[1]) or [])]
    )
    shapes = [tuple(_sizes(each)) for each in indices]
    rank = max(map(len, shapes))
    picked = [_broadcast_size(indices, shapes, rank, dim) for dim in range(rank)]
    kept = [_size(value, dim) for dim in range(len(indices), len(_sizes(value)))]
    sizes = [*picked, *kept]
    element = ir.RankedTensorType(value.type).element_type
    type = _type(sizes, element)
    memory = create_value(
        "tensor.empty", type, [each for each in sizes if not isinstance(each, int)]
    )
    loop, body = _loop(type, indices, [_map(shape, rank, len(sizes)) for shape in shapes], memory)
    with ir.InsertionPoint(body):
        places = [
            _nonnegative(index, _size(value, dim))
            for dim, index in enumerate(list(body.arguments)[:-1])
        ]
        places += [_loop_index(dim) for dim in range(rank, len(sizes))]
        number = create_value("tensor.extract", element, [value, *places])
        create_op("linalg.yield", [number])
    result = types.tensor(op.results[0].type)
    assert result is not None and result.sizes is not None, "ranks must be known"
    found = loop.result
    for dim, known in enumerate(result.sizes):
        if known is not None and not isinstance(sizes[dim], int):
            assert_that(equal(sizes[dim], known), "a result has another size than was inferred")
    wanted = _type([index_value(0) if size is None else size for size in result.sizes], element)
    if found.type != wanted:
        found = create_value("tensor.cast", wanted, [found])
    cast = create_value("torch_c.from_builtin_tensor", op.results[0].type, [found])
    op.results[0].replace_all_uses_with(cast)
    op.erase()


def _as_builtin(value: ir.Value | None, types: Types) -> ir.Value:
    assert value is not None, "the indices must be a list"
    type = types.tensor(value.type)
    assert type is not None and type.sizes is not None, "ranks must be known"
    element = str(type.element)
    element = element[1:] if element.startswith(("si", "ui")) else element
    unknown = ir.ShapedType.get_dynamic_size()
    shape = [unknown if size is None else size for size in type.sizes]
    builtin = ir.RankedTensorType.get(shape, ir.Type.parse(element))
    return create_value("torch_c.to_builtin_tensor", builtin, [value])


def _sizes(value: ir.Value) -> Sizes:
    unknown = ir.ShapedType.get_dynamic_size()
    shape = list(ir.RankedTensorType(value.type).shape)
    return tuple(None if size == unknown else size for size in shape)


def _size(value: ir.Value, dim: int) -> Number:
    known = _sizes(value)[dim]
    return (
        create_value("tensor.dim", index_type(), [value, index_value(dim)])
        if known is None
        else known
    )


def _broadcast_size(
    indices: Sequence[ir.Value], shapes: Sequence[Sizes], rank: int, dim: int
) -> Number:
    """The broadcast size of all indices: dynamic ones must be equal, unless they are 1."""
    sizes = [
        _size(value, dim - (rank - len(shape)))
        for value, shape in zip(indices, shapes, strict=True)
        if dim >= rank - len(shape) and shape[dim - (rank - len(shape))] != 1
    ]
    # Static ones first.
    sizes.sort(key=lambda size: not isinstance(size, int))
    for other in sizes[1:]:
        assert_that(equal(sizes[0], other), "shapes of indices do not broadcast")
    return sizes[0] if sizes else 1


def _map(shape: Sizes, rank: int, loops: int) -> ir.AffineMap:
    """The indexing map of an index tensor, with broadcast."""
    places = [
        ir.AffineConstantExpr.get(0) if size == 1 else ir.AffineDimExpr.get(dim)
        for dim, size in enumerate(shape, rank - len(shape))
    ]
    return ir.AffineMap.get(loops, 0, places)


def _nonnegative(index: ir.Value, size: Number) -> ir.Value:
    place = create_value("arith.index_cast", index_type(), [index])
    from_back = index_value(add(place, size))
    return create_value("arith.select", index_type(), [less_than(place, 0), from_back, place])


def _loop_index(dim: int) -> ir.Value:
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), dim)
    return create_value("linalg.index", index_type(), [], {"dim": number})


def _type(sizes: Sequence[Number], element: ir.Type) -> ir.RankedTensorType:
    unknown = ir.ShapedType.get_dynamic_size()
    return ir.RankedTensorType.get(
        [size if isinstance(size, int) else unknown for size in sizes], element
    )


def _loop(
    type: ir.RankedTensorType,
    inputs: Sequence[ir.Value],
    maps: Sequence[ir.AffineMap],
    memory: ir.Value,
) -> tuple[ir.Operation, ir.Block]:
    """A loop over all elements of a tensor; its body has no terminator."""
    every = [*maps, ir.AffineMap.get_identity(type.rank)]
    loop = create_op(
        "linalg.generic",
        [*inputs, memory],
        {
            "indexing_maps": ir.ArrayAttr.get([ir.AffineMapAttr.get(each) for each in every]),
            "iterator_types": ir.ArrayAttr.get(
                [ir.Attribute.parse("#linalg.iterator_type<parallel>")] * type.rank
            ),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(inputs), 1]),
        },
        results=[type],
        regions=1,
    )
    elements = [ir.RankedTensorType(each.type).element_type for each in inputs]
    places = [ir.Location.current] * len(every)
    return loop, ir.Block.create_at_start(loop.regions[0], [*elements, type.element_type], places)
