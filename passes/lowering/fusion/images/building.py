"""Builders of ops on images."""

from __future__ import annotations

import math
from collections.abc import Sequence

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.structured_ops import defining_op, tied_init
from torch_refine.passes.lowering.fusion.images.order import last, moved_type, type_of


def constant(before: ir.Operation, value: float, element: ir.Type) -> ir.Value:
    """A constant of a type."""
    is_integer = isinstance(element, (ir.IndexType, ir.IntegerType))
    with ir.InsertionPoint(before), ir.Location.unknown(before.context):
        number = (
            ir.IntegerAttr.get(element, int(value))
            if is_integer
            else ir.FloatAttr.get(element, float(value))
        )
        return create_value("arith.constant", element, [], {"value": number})


def empty(
    before: ir.Operation, type: ir.RankedTensorType, sizes: Sequence[ir.Value] = ()
) -> ir.Value:
    """An empty tensor with the given dynamic sizes."""
    with ir.InsertionPoint(before), ir.Location.unknown(before.context):
        return create_value("tensor.empty", type, list(sizes))


def sizes_of(before: ir.Operation, value: ir.Value) -> list[ir.Value]:
    """The dynamic sizes of a tensor."""
    index = ir.IndexType.get(before.context)
    value = tied_init(value)
    found = []
    for place in range(type_of(value).rank):
        if type_of(value).is_dynamic_dim(place):
            number = constant(before, place, index)
            with ir.InsertionPoint(before), ir.Location.unknown(before.context):
                found.append(create_value("tensor.dim", index, [value, number]))
    return found


def built(before: ir.Operation, text: str, inputs: Sequence[ir.Value], type: ir.Type) -> ir.Value:
    """The result of an op that is written as text, with the operands `%a0` and so on."""
    arguments = ", ".join(f"%a{index}: {value.type}" for index, value in enumerate(inputs))
    function = f"func.func @f({arguments}) -> {type} {{\n%r = {text}\nreturn %r : {type}\n}}"
    module = ir.Module.parse(function, before.context)
    (parsed,) = operations(module.body)
    made = next(operations(parsed.regions[0].blocks[0]))
    with ir.InsertionPoint(before):
        copy = made.clone()
    for each in [copy, *walk(copy)]:
        for index, operand in enumerate(each.operands):
            if isinstance(operand.owner, ir.Block) and operand.owner == parsed.regions[0].blocks[0]:
                each.operands[index] = inputs[ir.BlockArgument(operand).arg_number]
    return copy.results[0]


def filled(before: ir.Operation, number: ir.Value, memory: ir.Value) -> ir.Value:
    """Fill a tensor with one value."""
    type = memory.type
    text = f"linalg.fill ins(%a0 : {number.type}) outs(%a1 : {type}) -> {type}"
    return built(before, text, [number, memory], type)


def groups_of(reshape: ir.Operation) -> list[list[int]]:
    """The dimensions that a reshape merges into each, or splits each into."""
    return [
        [ir.IntegerAttr(each).value for each in ir.ArrayAttr(group)]
        for group in ir.ArrayAttr(reshape.attributes["reassociation"])
    ]


def added(before: ir.Operation, one: ir.Value, other: ir.Value) -> ir.Value:
    """The sum of two tensors of a type, as a generic that can be fused.

    Broadcasts and transposes of the second operand are folded into its indexing map.
    """
    type = type_of(one)
    loops = [f"d{place}" for place in range(type.rank)]
    other, read = _source_of_views(other, loops)
    domain = f"({', '.join(loops)})"
    own = f"affine_map<{domain} -> {domain}>"
    kinds = ", ".join(['"parallel"'] * type.rank)
    element = type.element_type
    is_float = isinstance(element, ir.FloatType)
    memory = empty(before, type, sizes_of(before, one))
    text = f"""linalg.generic {{
        indexing_maps = [{own}, affine_map<{domain} -> ({", ".join(read)})>, {own}],
        iterator_types = [{kinds}]
      }} ins(%a0, %a1 : {type}, {other.type}) outs(%a2 : {type}) {{
      ^bb0(%x: {element}, %y: {element}, %out: {element}):
        %sum = arith.add{"f" if is_float else "i"} %x, %y : {element}
        linalg.yield %sum : {element}
      }} -> {type}"""
    return built(before, text, [one, other, memory], type)


def _source_of_views(value: ir.Value, loops: list[str]) -> tuple[ir.Value, list[str]]:
    """The source of broadcasts and transposes, and the loops by which it is read."""
    producer = defining_op(value)
    while producer is not None and producer.name in ("linalg.broadcast", "linalg.transpose"):
        if producer.name == "linalg.broadcast":
            repeated = set(ir.DenseI64ArrayAttr(producer.attributes["dimensions"]))
            loops = [loop for place, loop in enumerate(loops) if place not in repeated]
        else:
            order_of = list(ir.DenseI64ArrayAttr(producer.attributes["permutation"]))
            loops = [loops[order_of.index(place)] for place in range(len(loops))]
        value = producer.operands[0]
        producer = defining_op(value)
    return value, loops


def transposed(before: ir.Operation, value: ir.Value, order: Sequence[int]) -> ir.Value:
    """Transpose a tensor."""
    type = moved_type(type_of(value), order)
    unknown = iter(sizes_of(before, value))
    sizes = {place: next(unknown) for place, size in enumerate(type_of(value).shape) if size < 0}
    memory = empty(before, type, [sizes[place] for place in order if place in sizes])
    text = (
        f"linalg.transpose ins(%a0 : {value.type}) outs(%a1 : {type}) permutation = {list(order)}"
    )
    return built(before, text, [value, memory], type)


def channels_last_destination(before: ir.Operation, value: ir.Value) -> ir.Value | None:
    """Recreate a destination with channels last; None if it is not a splat."""
    producer = defining_op(value)
    if producer is None:
        return None
    if producer.name == "tensor.empty":
        type = type_of(value)
        given = iter(producer.operands)
        sizes = [next(given) if size < 0 else None for size in type.shape]
        wanted = [size for size in last(sizes) if size is not None]
        return empty(before, moved_type(type), wanted)
    if producer.name == "linalg.fill":
        memory = channels_last_destination(before, producer.operands[1])
        return None if memory is None else filled(before, producer.operands[0], memory)
    return None


def is_zero(value: ir.Value) -> bool:
    """Whether a tensor is a splat of zero."""
    producer = defining_op(value)
    if producer is None or producer.name != "linalg.fill":
        return False
    number = defining_op(producer.operands[0])
    if number is None or number.name != "arith.constant":
        return False
    attribute = number.attributes["value"]
    return isinstance(attribute, (ir.FloatAttr, ir.IntegerAttr)) and bool(attribute.value == 0)


def expanded(
    before: ir.Operation, value: ir.Value, groups: Sequence[Sequence[int]], like: ir.Value
) -> ir.Value:
    """Expand a tensor to the shape of another, by the reassociation `groups`."""
    return expanded_to(before, value, groups, type_of(like), sizes_of(before, like))


def expanded_to(
    before: ir.Operation,
    value: ir.Value,
    groups: Sequence[Sequence[int]],
    type: ir.RankedTensorType,
    unknown: Sequence[ir.Value],
) -> ir.Value:
    """Expand a tensor to a type, whose dynamic sizes are `unknown`."""
    places = iter(range(1, 1 + len(unknown)))
    sizes = [f"%a{next(places)}" if size < 0 else str(size) for size in type.shape]
    text = (
        f"tensor.expand_shape %a0 {[list(group) for group in groups]} "
        f"output_shape [{', '.join(sizes)}] : {value.type} into {type}"
    )
    return built(before, text, [value, *unknown], type)


def collapsed(before: ir.Operation, value: ir.Value, groups: Sequence[Sequence[int]]) -> ir.Value:
    """Collapse the dimensions of a tensor by the reassociation `groups`."""
    type = type_of(value)
    unknown = ir.ShapedType.get_dynamic_size()
    shape = []
    for group in groups:
        sizes = [type.shape[dim] for dim in group]
        shape.append(unknown if min(sizes) < 0 else math.prod(sizes))
    with ir.Location.unknown(before.context):
        merged = ir.RankedTensorType.get(shape, type.element_type)
    text = f"tensor.collapse_shape %a0 {[list(group) for group in groups]} : {type} into {merged}"
    return built(before, text, [value], merged)


def extended(before: ir.Operation, value: ir.Value, wide: ir.Type) -> ir.Value:
    """A tensor of floats with its elements extended to a type, which they may have."""
    type = type_of(value)
    if type.element_type == wide:
        return value
    with before.context, ir.Location.unknown():
        result = ir.RankedTensorType.get(type.shape, wide)
    loops = ", ".join(f"d{place}" for place in range(type.rank))
    same = f"affine_map<({loops}) -> ({loops})>"
    kinds = ", ".join(['"parallel"'] * type.rank)
    text = f"""linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = [{kinds}]}}
      ins(%a0 : {type}) outs(%a1 : {result}) {{
      ^bb0(%x: {type.element_type}, %out: {wide}):
        %y = arith.extf %x : {type.element_type} to {wide}
        linalg.yield %y : {wide}
      }} -> {result}"""
    return built(before, text, [value, empty(before, result, sizes_of(before, value))], result)
