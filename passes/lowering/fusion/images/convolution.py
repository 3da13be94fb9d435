"""Convolutions with channels last, as contractions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import create_value
from torch_refine.passes.lowering.fusion.images.building import (
    added,
    built,
    constant,
    empty,
    expanded_to,
    filled,
    is_zero,
    sizes_of,
    transposed,
)
from torch_refine.passes.lowering.fusion.images.order import type_of
from torch_refine.passes.lowering.kernels.contractions.amx import has_tiles, image_schedule
from torch_refine.passes.lowering.kernels.contractions.dot_products import dot_product_for
from torch_refine.passes.lowering.kernels.contractions.packing import (
    contraction_op,
    extended_for,
    panels_of,
    unpacked,
)
from torch_refine.passes.lowering.kernels.contractions.schedule import Schedule, schedule_of
from torch_refine.passes.lowering.kernels.contractions.tiles import (
    Window,
    depthwise_tile,
    fits,
    line_tile,
    tile_of,
    unrolling,
)
from torch_refine.passes.lowering.kernels.targets.record import target_of
from torch_refine.passes.program import symbol_name

GROUPED = "grouped_convolution"
"""The name of the function for a grouped convolution."""
MARK = "torch_refine.grouped_convolution"
"""Marks the call of that function."""
DEPTHWISE_LAST = "linalg.depthwise_conv_2d_nhwc_hwc"
# Channels last of 3-D images, and its inverse.
_VOLUME, _VOLUME_BACK = (0, 2, 3, 4, 1), (0, 4, 1, 2, 3)
# The element types of operands and sums.
_TYPES = {("f32", "f32"), ("f64", "f64"), ("bf16", "f32"), ("f16", "f32"),
          ("i8", "i32")}  # fmt: skip
_MOST_UNROLLED = 8
# A 1x1 convolution of fewer pixels takes its channels last.
_LEAST_PIXELS = 256
_WIDE = ("f32", "f64")
# Names of the loops over which `_summed` sums: of the window, channels, and those of a group.
_SUMMED = ("a", "i", "j", "c", "e")


def window_of(op: ir.Operation, rank: int = 2) -> tuple[list[int], list[int]]:
    """The strides and the dilations of a convolution or a pooling, by dimensions of the window."""
    strides, dilations = (
        _numbers(op.attributes[name]) if name in op.attributes else [1] * rank
        for name in ("strides", "dilations")
    )
    return strides, dilations


def _numbers(attribute: ir.Attribute) -> list[int]:
    is_array = isinstance(attribute, ir.DenseI64ArrayAttr)
    return list(attribute if is_array else ir.DenseIntElementsAttr(attribute))


def is_tiled_convolution(op: ir.Operation) -> bool:
    """Whether contractions have the element types: 16-bit floats are accumulated in f32, 8-bit
    integers in 32 bits."""
    image, weights, sums = (str(type_of(each).element_type) for each in op.operands)
    return image == weights and (image, sums) in _TYPES


def is_matmul(op: ir.Operation) -> bool:
    """Whether a convolution with channels first is best a matmul of the weights and the image.

    It is for 1x1 windows and large images: then transposes to channels last and back take longer
    than packing the image at each call. Weights of small images are packed once instead; 16-bit
    floats have pairs of channels if these are last.
    """
    image, weights, _ = op.operands
    *_, height, width = type_of(weights).shape
    if (height, width) != (1, 1) or window_of(op)[0] != [1, 1]:
        return False
    sizes = type_of(image).shape[2:]
    is_large = min(sizes) < 0 or sizes[0] * sizes[1] >= _LEAST_PIXELS
    return is_large and str(type_of(image).element_type) in _WIDE


def channel_group(op: ir.Operation, channels: int) -> int:
    """How many channels the target multiplies at once, which `channels` is a multiple of; or 1."""
    image, _, sums = (str(type_of(each).element_type) for each in op.operands)
    dot = dot_product_for(image, sums, target_of(op))
    return dot.group if dot is not None and channels > 0 and channels % dot.group == 0 else 1


def _multiplied(op: ir.Operation, value: ir.Value, group: int) -> ir.Value:
    """An operand in the element type that the target multiplies groups of."""
    image, _, sums = (str(type_of(each).element_type) for each in op.operands)
    dot = dot_product_for(image, sums, target_of(op))
    return value if dot is None or group == 1 else extended_for(op, value, dot)


def channel_places(op: ir.Operation) -> tuple[int, int] | None:
    """The dimensions of the image and of the weights over whose channels a convolution sums.

    None for other ops, and for depthwise convolutions.
    """
    if MARK in op.attributes:
        return 3, 2
    return {"linalg.conv_2d_nhwc_hwcf": (3, 2), "linalg.conv_3d_ncdhw_fcdhw": (1, 1)}.get(op.name)


def tiled(op: ir.Operation) -> ir.Value | None:
    """A channels-last convolution as a contraction; None if not supported.

    Supported are floats and 8-bit integers, accumulators initialized to zero, static channels and
    windows.
    """
    image, weights, memory = op.operands
    if not is_tiled_convolution(op) or not is_zero(memory):
        return None
    _, rows, columns, channels = type_of(memory).shape
    if columns == 0 or channels <= 0 or not type_of(weights).has_static_shape:
        return None
    schedule = schedule_of(op) or _schedule(op, rows, columns, channels, type_of(weights).shape[2])
    group = channel_group(op, type_of(weights).shape[2])
    image, weights = _multiplied(op, image, group), _multiplied(op, weights, group)
    packed = panels_of(op, weights, (3, 0, 1, 2, 3), schedule.columns, group)
    element = type_of(memory).element_type
    shape = [*type_of(memory).shape[:3], type_of(packed).shape[0], schedule.columns]
    wide = _tensor(shape, element)
    sums = filled(op, constant(op, 0, element), empty(op, wide, sizes_of(op, memory)))
    steps, spreads = window_of(op)
    loops = ["n", "h", "w", "p", "i", "j", "c", "v"]
    row = f"h * {steps[0]} + i * {spreads[0]}"
    column = f"w * {steps[1]} + j * {spreads[1]}"
    reads = (f"n, {row}, {column}, c", "p, i, j, c, v", "n, h, w, p, v")
    made = _summed(op, [image, packed, sums], loops, reads, schedule, group)
    return unpacked(op, made, memory, schedule.columns)


def depthwise(op: ir.Operation) -> ir.Value | None:
    """A depthwise convolution as a contraction; None if not supported.

    Vectors go along the channels where these are last, else along the columns of the image, whose
    stride must be 1 then.
    """
    image, weights, memory = op.operands
    if not is_tiled_convolution(op) or not is_zero(memory):
        return None
    if not type_of(weights).has_static_shape:
        return None
    steps, spreads = window_of(op)
    rows, columns = f"h * {steps[0]} + i * {spreads[0]}", f"w * {steps[1]} + j * {spreads[1]}"
    sizes = type_of(memory).shape
    window = type_of(weights).shape
    if op.name == DEPTHWISE_LAST:
        loops, across, along, line = "(n, h, w, i, j, c)", sizes[2], sizes[3], window[1]
        places, read, kept = f"(n, {rows}, {columns}, c)", "(i, j, c)", "(n, h, w, c)"
    elif steps[1] == 1:
        loops, across, along, line = "(n, c, h, w, i, j)", sizes[2], sizes[3], window[2]
        places, read, kept = f"(n, c, {rows}, {columns})", "(c, i, j)", "(n, c, h, w)"
    else:
        return None
    schedule = schedule_of(op)
    if schedule is None:
        bits = type_of(memory).element_type.width
        target = target_of(op)
        if op.name == DEPTHWISE_LAST:
            tile, lanes = depthwise_tile(across, along, bits, target), 0
        else:
            lines = Window(window[2], line, steps[0], spreads[0])
            tile, lanes = line_tile(across, along, bits, target, lines)
            lanes = 0 if lanes == target.lanes(bits) else lanes
        # All columns of the window are unrolled.
        schedule = Schedule(*tile, unroll=min(_MOST_UNROLLED, line), lanes=lanes)
    kinds = ["reduction" if each in "(i,j)" else "parallel" for each in loops[1:-1].split(", ")]
    texts = [f"{loops} -> {each}" for each in (places, read, kept)]
    return contraction_op(op, [image, weights, memory], texts, kinds, schedule)


def grouped(op: ir.Operation) -> ir.Value:
    """A channels-last grouped convolution (`grouped_call`) as a contraction."""
    image, weights, memory = op.operands
    groups, channels, summed, *_ = type_of(weights).shape
    batch, rows, columns, _ = type_of(memory).shape
    element = type_of(memory).element_type
    schedule = _schedule(op, rows, columns, channels, summed)
    group = channel_group(op, summed)
    packed = panels_of(op, weights, (0, 1, 3, 4, 2, 1), schedule.columns, group)
    split = [[0], [1], [2], [3, 4]]
    images = _tensor([*type_of(image).shape[:3], groups, summed], type_of(image).element_type)
    image = _split(op, image, images, split)
    panels = type_of(packed).shape[1]
    unknown = sizes_of(op, memory)
    wide = _tensor([batch, rows, columns, groups, panels, schedule.columns], element)
    zeros = filled(op, constant(op, 0, element), empty(op, wide, unknown))
    narrow = _tensor([batch, rows, columns, groups, channels], element)
    steps, spreads = window_of(op)
    loops = ["n", "h", "w", "g", "p", "i", "j", "c", "v"]
    row, column = f"h * {steps[0]} + i * {spreads[0]}", f"w * {steps[1]} + j * {spreads[1]}"
    reads = (f"n, {row}, {column}, g, c", "g, p, i, j, c, v", "n, h, w, g, p, v")
    sums = _summed(op, [image, packed, zeros], loops, reads, schedule, group)
    made = unpacked(op, sums, empty(op, narrow, unknown), schedule.columns)
    text = f"tensor.collapse_shape %a0 {split} : {made.type} into {memory.type}"
    return built(op, text, [made], type_of(memory))


def grouped_call(
    op: ir.Operation, image: ir.Value, weights: ir.Value, memory: ir.Value
) -> ir.Value:
    """A grouped convolution, channels last, into the zero-filled `memory`.

    The weights are `[groups, channels, summed channels, rows, columns]`, with static sizes. MLIR
    has no op for images whose groups are not split, so it is a function call, which
    `pack-convolutions` replaces.
    """
    types = [image.type, weights.type, memory.type]
    module = op.parent
    while module.name != "builtin.module":
        module = module.parent.operation
    body = module.regions[0].blocks[0]
    taken = {symbol_name(each) for each in operations(body)}
    name = next(f"{GROUPED}_{n}" for n in count() if f"{GROUPED}_{n}" not in taken)
    arguments = ", ".join(f"%a{index}: {type}" for index, type in enumerate(types))
    text = (
        f"func.func private @{name}({arguments}) -> {memory.type} attributes {{no_inline}} "
        f"{{\nreturn %a2 : {memory.type}\n}}"
    )
    parsed = ir.Module.parse(text, op.context)
    next(operations(parsed.body)).clone(ir.InsertionPoint(body))
    strides, dilations = (
        ir.DenseI64ArrayAttr.get(list(each), op.context) for each in window_of(op)
    )
    with ir.InsertionPoint(op), op.location:
        return create_value(
            "func.call",
            memory.type,
            [image, weights, memory],
            {
                "callee": ir.FlatSymbolRefAttr.get(name, op.context),
                MARK: ir.UnitAttr.get(op.context),
                "strides": strides,
                "dilations": dilations,
            },
        )


def volumetric(op: ir.Operation) -> ir.Value | None:
    """A 3-D convolution, channels first, as a contraction; None if not supported."""
    image, weights, memory = op.operands
    if not is_tiled_convolution(op):
        return None
    sizes = type_of(memory).shape
    if sizes[1] <= 0 or not type_of(weights).has_static_shape:
        return None
    element = type_of(memory).element_type
    schedule = _schedule(op, sizes[3], sizes[4], sizes[1], type_of(weights).shape[1])
    group = channel_group(op, type_of(weights).shape[1])
    packed = panels_of(op, weights, (0, 2, 3, 4, 1, 0), schedule.columns, group)
    image = transposed(op, image, _VOLUME)
    like = transposed(op, memory, _VOLUME)
    panels = type_of(packed).shape[0]
    wide = _tensor([*type_of(like).shape[:4], panels, schedule.columns], element)
    zeros = filled(op, constant(op, 0, element), empty(op, wide, sizes_of(op, like)))
    steps, spreads = window_of(op, 3)
    loops = ["n", "d", "h", "w", "p", "a", "i", "j", "c", "v"]
    places = ", ".join(
        f"{out} * {step} + {inside} * {spread}"
        for out, inside, step, spread in zip("dhw", "aij", steps, spreads, strict=True)
    )
    reads = (f"n, {places}, c", "p, a, i, j, c, v", "n, d, h, w, p, v")
    sums = _summed(op, [image, packed, zeros], loops, reads, schedule, group)
    made = unpacked(op, sums, like, schedule.columns)
    result = transposed(op, made, _VOLUME_BACK)
    return result if is_zero(memory) else added(op, result, memory)


def _split(
    op: ir.Operation, value: ir.Value, type: ir.RankedTensorType, groups: list[list[int]]
) -> ir.Value:
    return expanded_to(op, value, groups, type, sizes_of(op, value))


def _summed(
    op: ir.Operation,
    operands: Sequence[ir.Value],
    loops: Sequence[str],
    reads: tuple[str, str, str],
    schedule: Schedule,
    group: int,
) -> ir.Value:
    """The contraction of an image and packed weights, over the loops `c` and of the window.

    With a `group` above 1, `c` is a loop over groups of channels, and `e` over those of a group.
    """
    image, packed, sums = reads
    if group > 1:
        loops = [*loops, "e"]
        image, packed = f"{image} * {group} + e", f"{packed}, e"
    texts = [f"({', '.join(loops)}) -> ({each})" for each in (image, packed, sums)]
    kinds = ["reduction" if each in _SUMMED else "parallel" for each in loops]
    return contraction_op(op, operands, texts, kinds, schedule)


def _schedule(op: ir.Operation, rows: int, columns: int, channels: int, summed: int) -> Schedule:
    """The schedule of a convolution: a tile is a part of a row of the image, or a few rows."""
    bits, target = type_of(op.operands[2]).element_type.width, target_of(op)
    image = str(type_of(op.operands[0]).element_type)
    if summed > 1 and channel_group(op, summed) > 1 and has_tiles(image, target):
        found = image_schedule(rows, columns, channels)
        if found is not None:
            return found
    tile = tile_of(columns, channels, bits, target)
    lines = 1
    if 0 < columns <= tile.rows and rows > 0:
        vectors = tile.columns // target.lanes(bits)
        while lines < rows and fits((lines + 1) * columns, vectors, target):
            lines += 1
    return Schedule(tile.rows, tile.columns, lines, unrolling(tile, bits, target))


def _tensor(sizes: Sequence[int], element: ir.Type) -> ir.RankedTensorType:
    with element.context, ir.Location.unknown():
        return ir.RankedTensorType.get(sizes, element)
