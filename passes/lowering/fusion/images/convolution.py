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
    filled,
    is_zero,
    sizes_of,
    transposed,
)
from torch_refine.passes.lowering.fusion.images.order import type_of
from torch_refine.passes.lowering.kernels.contractions.packing import (
    contraction_op,
    panels_of,
    unpacked,
)
from torch_refine.passes.lowering.kernels.contractions.schedule import Schedule, schedule_of
from torch_refine.passes.lowering.kernels.contractions.tiles import fits, tile_of, unrolling
from torch_refine.passes.lowering.kernels.targets.record import CpuTarget, target_of
from torch_refine.passes.program import symbol_name

GROUPED = "grouped_convolution"
"""The name of the function for a grouped convolution."""
MARK = "torch_refine.grouped_convolution"
"""Marks the call of that function."""
DEPTHWISE_LAST = "linalg.depthwise_conv_2d_nhwc_hwc"
# Channels last of 3-D images, and its inverse.
_VOLUME, _VOLUME_BACK = (0, 2, 3, 4, 1), (0, 4, 1, 2, 3)
_BITS = 32
_MOST_UNROLLED = 8


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


def tiled(op: ir.Operation) -> ir.Value | None:
    """A channels-last convolution as a contraction; None if not supported.

    Supported are floats, accumulators initialized to zero, static channels and windows.
    """
    image, weights, memory = op.operands
    if any(str(type_of(each).element_type) != "f32" for each in op.operands) or not is_zero(memory):
        return None
    _, rows, columns, channels = type_of(memory).shape
    if columns == 0 or channels <= 0 or not type_of(weights).has_static_shape:
        return None
    schedule = schedule_of(op) or _schedule(rows, columns, channels, target_of(op))
    packed = panels_of(op, weights, (3, 0, 1, 2, 3), schedule.columns)
    element = type_of(memory).element_type
    shape = [*type_of(memory).shape[:3], type_of(packed).shape[0], schedule.columns]
    wide = _tensor(shape, element)
    sums = filled(op, constant(op, 0, element), empty(op, wide, sizes_of(op, memory)))
    steps, spreads = window_of(op)
    loops = "(n, h, w, p, i, j, c, v)"
    row = f"h * {steps[0]} + i * {spreads[0]}"
    column = f"w * {steps[1]} + j * {spreads[1]}"
    texts = [
        f"{loops} -> (n, {row}, {column}, c)",
        f"{loops} -> (p, i, j, c, v)",
        f"{loops} -> (n, h, w, p, v)",
    ]
    kinds = [*["parallel"] * 4, *["reduction"] * 3, "parallel"]
    made = contraction_op(op, [image, packed, sums], texts, kinds, schedule)
    return unpacked(op, made, memory, schedule.columns)


def depthwise(op: ir.Operation) -> ir.Value | None:
    """A depthwise convolution as a contraction; None if not supported.

    Vectors go along the channels where these are last, else along the columns of the image, whose
    stride must be 1 then.
    """
    image, weights, memory = op.operands
    if any(str(type_of(each).element_type) != "f32" for each in op.operands) or not is_zero(memory):
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
        tile = tile_of(across, along, _BITS, target_of(op), depthwise=True)
        # All columns of the window are unrolled.
        schedule = Schedule(*tile, unroll=min(_MOST_UNROLLED, line))
    kinds = ["reduction" if each in "(i,j)" else "parallel" for each in loops[1:-1].split(", ")]
    texts = [f"{loops} -> {each}" for each in (places, read, kept)]
    return contraction_op(op, [image, weights, memory], texts, kinds, schedule)


def grouped(op: ir.Operation) -> ir.Value:
    """A channels-last grouped convolution (`grouped_call`) as a contraction."""
    image, weights, memory = op.operands
    groups, channels, summed, *_ = type_of(weights).shape
    batch, rows, columns, _ = type_of(memory).shape
    element = type_of(memory).element_type
    schedule = _schedule(rows, columns, channels, target_of(op))
    packed = panels_of(op, weights, (0, 1, 3, 4, 2, 1), schedule.columns)
    split = [[0], [1], [2], [3, 4]]
    # Half-precision floats are accumulated in f32.
    images = _tensor([*type_of(image).shape[:3], groups, summed], type_of(image).element_type)
    image = _split(op, image, images, split)
    panels = type_of(packed).shape[1]
    unknown = sizes_of(op, memory)
    wide = _tensor([batch, rows, columns, groups, panels, schedule.columns], element)
    zeros = filled(op, constant(op, 0, element), empty(op, wide, unknown))
    narrow = _tensor([batch, rows, columns, groups, channels], element)
    steps, spreads = window_of(op)
    loops = "(n, h, w, g, p, i, j, c, v)"
    row, column = f"h * {steps[0]} + i * {spreads[0]}", f"w * {steps[1]} + j * {spreads[1]}"
    texts = [
        f"{loops} -> (n, {row}, {column}, g, c)",
        f"{loops} -> (g, p, i, j, c, v)",
        f"{loops} -> (n, h, w, g, p, v)",
    ]
    kinds = [*["parallel"] * 5, *["reduction"] * 3, "parallel"]
    sums = contraction_op(op, [image, packed, zeros], texts, kinds, schedule)
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
    if any(str(type_of(each).element_type) != "f32" for each in op.operands):
        return None
    sizes = type_of(memory).shape
    if sizes[1] <= 0 or not type_of(weights).has_static_shape:
        return None
    element = type_of(memory).element_type
    schedule = _schedule(sizes[3], sizes[4], sizes[1], target_of(op))
    packed = panels_of(op, weights, (0, 2, 3, 4, 1, 0), schedule.columns)
    image = transposed(op, image, _VOLUME)
    like = transposed(op, memory, _VOLUME)
    panels = type_of(packed).shape[0]
    wide = _tensor([*type_of(like).shape[:4], panels, schedule.columns], element)
    zeros = filled(op, constant(op, 0, element), empty(op, wide, sizes_of(op, like)))
    steps, spreads = window_of(op, 3)
    loops = "(n, d, h, w, p, a, i, j, c, v)"
    places = ", ".join(
        f"{out} * {step} + {inside} * {spread}"
        for out, inside, step, spread in zip("dhw", "aij", steps, spreads, strict=True)
    )
    texts = [
        f"{loops} -> (n, {places}, c)",
        f"{loops} -> (p, a, i, j, c, v)",
        f"{loops} -> (n, d, h, w, p, v)",
    ]
    kinds = [*["parallel"] * 5, *["reduction"] * 4, "parallel"]
    sums = contraction_op(op, [image, packed, zeros], texts, kinds, schedule)
    made = unpacked(op, sums, like, schedule.columns)
    result = transposed(op, made, _VOLUME_BACK)
    return result if is_zero(memory) else added(op, result, memory)


def _split(
    op: ir.Operation, value: ir.Value, type: ir.RankedTensorType, groups: list[list[int]]
) -> ir.Value:
    unknown = sizes_of(op, value)
    places = iter(range(1, 1 + len(unknown)))
    sizes = [f"%a{next(places)}" if size < 0 else str(size) for size in type.shape]
    text = (
        f"tensor.expand_shape %a0 {groups} output_shape [{', '.join(sizes)}] : "
        f"{value.type} into {type}"
    )
    return built(op, text, [value, *unknown], type)


def _schedule(rows: int, columns: int, channels: int, target: CpuTarget) -> Schedule:
    """The schedule of a convolution: a tile is a part of a row of the image, or a few rows."""
    tile = tile_of(columns, channels, _BITS, target)
    lines = 1
    if 0 < columns <= tile.rows and rows > 0:
        vectors = tile.columns // target.lanes(_BITS)
        while lines < rows and fits((lines + 1) * columns, vectors, target):
            lines += 1
    return Schedule(tile.rows, tile.columns, lines, unrolling(tile, _BITS, target))


def _tensor(sizes: Sequence[int], element: ir.Type) -> ir.RankedTensorType:
    with element.context, ir.Location.unknown():
        return ir.RankedTensorType.get(sizes, element)
