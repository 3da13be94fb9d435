"""Convolutions in tiles: how many columns at a time, and how operands lie for that."""

from __future__ import annotations

from collections.abc import Sequence

from torch_refine.dialect.bindings import ir
from torch_refine.passes.lowering.building import (
    Number,
    add,
    at_least_zero,
    divide,
    divide_up,
    index_type,
    made,
    multiply,
    subtract,
    value_of,
)
from torch_refine.passes.lowering.images.building import (
    built,
    constant,
    empty,
    filled,
    is_zero,
    sizes_of,
)
from torch_refine.passes.lowering.images.order import type_of

TILED = "torch_refine.image_product"
"""On the generic of a convolution in tiles."""
WIDENED = "torch_refine.widened"
"""On a convolution whose columns, of which nobody knows how many there are, fill tiles."""

_MOST_COLUMNS = 14
# What a tile costs beside its columns, in columns: the loop around it, its loads and stores.
_OVERHEAD = 1.5
# Of rows of any length: most images are a multiple of it wide.
_ANY_COLUMNS = 8
_CHANNELS = 32
_FEW_CHANNELS = 16


def columns_of_tile(columns: int) -> int:
    """How many columns of a row of the result to compute at a time."""
    if columns < 0:
        return _ANY_COLUMNS
    sizes = range(1, min(columns, _MOST_COLUMNS) + 1)
    return min(sizes, key=lambda size: -(-columns // size) * (size + _OVERHEAD))


def widened(
    before: ir.Operation, image: ir.Value, weights: ir.Value, memory: ir.Value
) -> tuple[ir.Value, ir.Value, Number | None]:
    """The operands of a convolution whose last tile of columns is filled up; channels are last.

    And how many columns of its result are wanted, None for all.
    """
    known = type_of(memory).shape[2]
    if known == 0 or (known > 0 and type_of(image).shape[2] < 0):
        return image, memory, None
    if not type_of(weights).has_static_shape:
        # It will not be computed in tiles.
        return image, memory, None
    tile = columns_of_tile(known)
    if known > 0 and known % tile == 0:
        return image, memory, None
    steps, spreads = window_of(before)
    element = type_of(image).element_type
    zero = constant(before, 0, element)
    with ir.InsertionPoint(before), ir.Location.unknown(before.context):
        columns, given = (_size(each, 2) for each in (memory, image))
        wanted = multiply(divide_up(columns, tile), tile)
        reach = (type_of(weights).shape[1] - 1) * spreads[1] + 1
        needed = add(multiply(subtract(wanted, 1), steps[1]), reach)
        missing = at_least_zero(subtract(needed, given))
    if missing != 0:
        padded = _resized(type_of(image), 2, add(given, missing) if known > 0 else None)
        amount, values = (missing, []) if isinstance(missing, int) else ("%a2", [missing])
        text = f"""tensor.pad %a0 low[0, 0, 0, 0] high[0, 0, {amount}, 0] {{
          ^bb0(%i: index, %j: index, %k: index, %l: index):
            tensor.yield %a1 : {element}
          }} : {image.type} to {padded}"""
        image = built(before, text, [image, zero, *values], padded)
    type = _resized(type_of(memory), 2, wanted)
    sizes = _unknown_sizes(before, memory, 2, wanted)
    return image, filled(before, zero, empty(before, type, sizes)), columns


def _size(image: ir.Value, place: int) -> Number:
    """A size of an image."""
    known = type_of(image).shape[place]
    if known >= 0:
        return int(known)
    return made("tensor.dim", index_type(), [image, value_of(place)])


def _unknown_sizes(
    before: ir.Operation, image: ir.Value, place: int, size: Number
) -> list[ir.Value]:
    """The sizes that a type does not know, of an image of which one size is another."""
    unknown = iter(sizes_of(before, image))
    found = []
    for at, known in enumerate(type_of(image).shape):
        given = next(unknown) if known < 0 else None
        if at == place:
            found += [] if isinstance(size, int) else [size]
        elif given is not None:
            found.append(given)
    return found


def narrowed(before: ir.Operation, image: ir.Value, place: int, size: Number) -> ir.Value:
    """The beginning of a dimension of an image."""
    type = _resized(type_of(image), place, size)
    unknown = _unknown_sizes(before, image, place, size)
    names = iter(range(1, len(unknown) + 1))
    sizes = ", ".join(f"%a{next(names)}" if size < 0 else str(size) for size in type.shape)
    text = f"tensor.extract_slice %a0[0, 0, 0, 0] [{sizes}] [1, 1, 1, 1] : {image.type} to {type}"
    return built(before, text, [image, *unknown], type)


def window_of(op: ir.Operation) -> tuple[list[int], list[int]]:
    """The strides and the dilations of a convolution or a pooling, for rows and columns."""
    strides, dilations = (
        list(ir.DenseIntElementsAttr(op.attributes[name])) if name in op.attributes else [1, 1]
        for name in ("strides", "dilations")
    )
    return strides, dilations


def tiled(op: ir.Operation) -> ir.Value | None:
    """The result of a convolution with channels last, computed in tiles; None where none fits.

    That is for floats, where it adds to zeros, and where channels are known. Columns that are not
    known must have been filled up.
    """
    image, weights, memory = op.operands
    if any(str(type_of(each).element_type) != "f32" for each in op.operands) or not is_zero(memory):
        return None
    batch, rows, columns, channels = type_of(memory).shape
    if columns == 0 or channels <= 0 or not type_of(weights).has_static_shape:
        return None
    tile = columns_of_tile(columns)
    if columns % tile != 0 if columns > 0 else WIDENED not in op.attributes:
        return None
    width = _FEW_CHANNELS if channels <= _FEW_CHANNELS else _CHANNELS
    panels = -(-channels // width)
    high, wide, summed, _ = type_of(weights).shape
    element = type_of(memory).element_type
    zero = constant(op, 0, element)
    packed_type = _tensor([panels, high, wide, summed, width], element)
    packed = built(
        op,
        f"linalg.pack %a0 padding_value(%a2 : {element}) outer_dims_perm = [3, 0, 1, 2] "
        f"inner_dims_pos = [3] inner_tiles = [{width}] into %a1 : {weights.type} -> {packed_type}",
        [weights, empty(op, packed_type), zero],
        packed_type,
    )
    with ir.InsertionPoint(op), ir.Location.unknown(op.context):
        tiles = divide(_size(memory, 2), tile)
    type = _tensor([batch, rows, tiles, tile, panels, width], element)
    sums = filled(op, zero, empty(op, type, _unknown_sizes(op, memory, 2, tiles)))
    steps, spreads = window_of(op)
    loops = "(n, f, h, w, i, j, c, t, l)"
    row = f"h * {steps[0]} + i * {spreads[0]}"
    column = f"w * {tile * steps[1]} + t * {steps[1]} + j * {spreads[1]}"
    parallel, reduction = '"parallel"', '"reduction"'
    text = f"""linalg.generic {{
        indexing_maps = [affine_map<{loops} -> (n, {row}, {column}, c)>,
                         affine_map<{loops} -> (f, i, j, c, l)>,
                         affine_map<{loops} -> (n, h, w, t, f, l)>],
        iterator_types = [{", ".join([parallel] * 4 + [reduction] * 3 + [parallel] * 2)}]
      }} ins(%a0, %a1 : {image.type}, {packed_type}) outs(%a2 : {type}) attrs = {{{TILED}}} {{
      ^bb0(%x: {element}, %y: {element}, %sum: {element}):
        %product = arith.mulf %x, %y : {element}
        %new = arith.addf %sum, %product : {element}
        linalg.yield %new : {element}
      }} -> {type}"""
    result = built(op, text, [image, packed, sums], type)
    together = _tensor([batch, rows, columns, panels * width], element)
    groups = "[[0], [1], [2, 3], [4, 5]]"
    result = built(
        op, f"tensor.collapse_shape %a0 {groups} : {type} into {together}", [result], together
    )
    return result if panels * width == channels else narrowed(op, result, 3, channels)


def _resized(type: ir.RankedTensorType, place: int, size: Number | None) -> ir.RankedTensorType:
    sizes: list[Number | None] = list(type.shape)
    sizes[place] = size
    return _tensor(sizes, type.element_type)


def _tensor(sizes: Sequence[Number | None], element: ir.Type) -> ir.RankedTensorType:
    """A type, whose sizes that are no ints are not known."""
    unknown = ir.ShapedType.get_dynamic_size()
    with element.context, ir.Location.unknown():
        shape = [size if isinstance(size, int) else unknown for size in sizes]
        return ir.RankedTensorType.get(shape, element)
