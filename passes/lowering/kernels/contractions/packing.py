"""Contractions of matmuls: their schedule, and packed right operands."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import divide_up, index_value
from torch_refine.dialect.structured_ops import (
    before_transpose,
    defining_op,
    maps,
    reassociation_of,
    repeated_dims,
)
from torch_refine.passes.lowering.fusion.images.building import (
    added,
    built,
    collapsed,
    constant,
    empty,
    filled,
    is_zero,
    sizes_of,
)
from torch_refine.passes.lowering.fusion.images.order import type_of
from torch_refine.passes.lowering.kernels.blocked_packing import has_squares
from torch_refine.passes.lowering.kernels.blocked_transposes import BITS
from torch_refine.passes.lowering.kernels.contractions.amx import has_tiles, tile_schedule
from torch_refine.passes.lowering.kernels.contractions.chain import CONTRACTION
from torch_refine.passes.lowering.kernels.contractions.dot_products import (
    DotProduct,
    dot_product_for,
)
from torch_refine.passes.lowering.kernels.contractions.schedule import Schedule, schedule_of
from torch_refine.passes.lowering.kernels.contractions.tiles import tile_of, unrolling
from torch_refine.passes.lowering.kernels.targets.record import CpuTarget, target_of

# With fewer multiplications scalar loops are as fast; with one column, whose products are summed
# along a vector, they are up to the second.
_LEAST_WORK = 16
_LEAST_WORK_OF_A_COLUMN = 4096
# The assumption for a dynamic size.
_LARGE = 1024
# The least number of rows for which a right operand is packed at each call.
_LEAST_ROWS = 24
# The most rows whose products with the rows of a transposed right operand are summed directly.
_FEW_ROWS = 4
# The least number of columns for which a left operand is packed.
_LEAST_COLUMNS = 192
_PAIRS = {("f32", "f32"), ("f64", "f64"), ("bf16", "f32"), ("f16", "f32"),
          ("i8", "i32"), ("i16", "i32"), ("i32", "i32"), ("i64", "i64")}  # fmt: skip


def contraction(op: ir.Operation, is_kept: bool) -> ir.Value | None:
    """The tiled equivalent of a matmul; None if tiling does not pay.

    `is_kept` means that the right operand is the same in all calls.
    """
    left, left_map = _source_of(op, op.operands[0], maps(op)[0])
    right, right_map = _source_of(op, op.operands[1], maps(op)[1])
    memory = op.operands[2]
    result = type_of(memory)
    elements = {str(type_of(left).element_type), str(type_of(right).element_type)}
    if len(elements) != 1 or (min(elements), str(result.element_type)) not in _PAIRS:
        return None
    if "cast" in op.attributes and "unsigned" in str(op.attributes["cast"]):
        return None
    loops = maps(op)[2].n_dims
    out = [each.position for each in maps(op)[2].results]
    (summed,) = set(range(loops)) - set(out)
    row, column = out[-2:]
    sizes = dict(zip(out, result.shape, strict=True))
    sizes[summed] = type_of(left).shape[_place(left_map, summed)]
    work = math.prod(_LARGE if sizes[each] < 0 else sizes[each] for each in (row, column, summed))
    if work < (_LEAST_WORK_OF_A_COLUMN if sizes[column] == 1 else _LEAST_WORK):
        return None
    target = target_of(op)
    bits = result.element_type.width
    schedule = schedule_of(op) or schedule_for(
        sizes[row], sizes[column], sizes[summed], bits, target
    )
    is_contiguous = _is_last(right_map, column)
    rows = _LARGE if sizes[row] < 0 else sizes[row]
    narrow, wide = min(elements), str(result.element_type)
    dot = dot_product_for(narrow, wide, target) if _is_last(left_map, summed) else None
    tiled = None
    if dot is not None and schedule_of(op) is None and has_tiles(narrow, target):
        size = max(1, sizes[summed]) * type_of(left).element_type.width // 8
        tiled = tile_schedule(sizes[row], sizes[column], size, target)
    # Groups are always packed.
    is_panel = (
        tiled is None
        and sizes[column] == schedule.columns
        and _dims(right_map)[-2:] == [summed, column]
    )
    is_packed = is_kept or (rows >= _LEAST_ROWS and not is_panel) or not is_contiguous
    sums = _zeros(op, memory)
    lanes = target.lanes(bits)
    if (
        not is_kept
        and 0 <= sizes[row] <= _FEW_ROWS
        and narrow == wide
        and wide in ("f32", "f64")
        and not 0 <= sizes[summed] < lanes
        and all(_is_last(map, summed) for map in (left_map, right_map))
    ):
        columns = schedule.columns if schedule_of(op) else lanes
        schedule = replace(schedule, columns=columns, unroll=1, block=0, pack=False)
        made = _in_place(op, (left, left_map), (right, right_map), sums, schedule)
        return made if is_zero(memory) else added(op, made, memory)
    if is_packed and dot is not None and sizes[summed] > 1:
        schedule = tiled or schedule
        left = _in_groups(op, extended_for(op, left, dot), dot.group)
        sides = ((left, left_map), (extended_for(op, right, dot), right_map))
        grouped = _with_panels(op, *sides, sums, schedule, dot.group)
        return grouped if is_zero(memory) else added(op, grouped, memory)
    made = (_with_panels if is_packed else _in_place)(
        op, (left, left_map), (right, right_map), sums, schedule
    )
    return made if is_zero(memory) else added(op, made, memory)


def schedule_for(rows: int, columns: int, depth: int, bits: int, target: CpuTarget) -> Schedule:
    """The schedule of a matmul of given sizes; negative ones are dynamic."""
    tile = tile_of(rows, columns, bits, target)
    size = bits // 8
    deep = _LARGE if depth < 0 else depth
    # Half of the second cache is for the left operand, the rest for a panel and for results.
    block = target.l2_bytes // 2 // max(1, deep * size)
    block = max(1, block // tile.rows) * tile.rows
    return Schedule(
        tile.rows,
        tile.columns,
        unroll=unrolling(tile, bits, target),
        block=block,
        pack=(rows < 0 or rows > tile.rows) and not 0 <= columns < _LEAST_COLUMNS,
    )


def panels_of(
    op: ir.Operation,
    value: ir.Value,
    order: Sequence[int],
    width: int,
    group: int = 1,
) -> ir.Value:
    """Pack a value into panels of its dimension `order[-1]`, with the others permuted.

    `order` names the panel dimension at its new position, too: `[..., last, others, last]`. With a
    `group` above 1, as many elements of the innermost of the others, `order[-2]`, are interleaved:
    they are another last dimension of the result.
    """
    value, order = _before_transpose(op, value, order, width if group == 1 else 0)
    type = type_of(value)
    *outer, column = order
    inner = {column: width, outer[-1]: group} if group > 1 else {column: width}
    shape = []
    for place in outer:
        known = type.shape[place]
        shape.append(-(-known // inner.get(place, 1)) if known >= 0 else known)
    with op.context, ir.Location.unknown():
        packed = ir.RankedTensorType.get([*shape, *inner.values()], type.element_type)
    unknown = [place for place, size in enumerate(type.shape) if size < 0]
    missing = dict(zip(unknown, sizes_of(op, value), strict=True))
    sizes = [
        _divided_up(op, missing[place], inner[place]) if place in inner else missing[place]
        for place in outer
        if place in missing
    ]
    zero = constant(op, 0, type.element_type)
    text = (
        f"linalg.pack %a0 padding_value(%a2 : {type.element_type}) "
        f"outer_dims_perm = {outer} inner_dims_pos = {list(inner)} "
        f"inner_tiles = {list(inner.values())} into %a1 : {type} -> {packed}"
    )
    return built(op, text, [value, empty(op, packed, sizes), zero], packed)


def _before_transpose(
    op: ir.Operation, value: ir.Value, order: Sequence[int], width: int
) -> tuple[ir.Value, Sequence[int]]:
    """The operand of a transpose and the order of its dimensions, if both are done in one pass."""
    producer = defining_op(value)
    if producer is None or producer.name != "linalg.transpose" or not width:
        return value, order
    permutation = list(ir.DenseI64ArrayAttr(producer.attributes["permutation"]))
    found = [permutation[place] for place in order]
    source = producer.operands[0]
    lanes = target_of(op).lanes(BITS)
    if not has_squares(type_of(source), found[-1], width, lanes):
        return value, order
    return source, found


def unpacked(op: ir.Operation, value: ir.Value, like: ir.Value, width: int) -> ir.Value:
    """Unpack a result whose last two dimensions are panels and their columns, to the type of
    `like`."""
    type = type_of(like)
    memory = empty(op, type, sizes_of(op, like))
    text = (
        f"linalg.unpack %a0 inner_dims_pos = [{type.rank - 1}] inner_tiles = [{width}] "
        f"into %a1 : {value.type} -> {type}"
    )
    return built(op, text, [value, memory], type)


def contraction_op(
    op: ir.Operation,
    operands: Sequence[ir.Value],
    texts: Sequence[str],
    kinds: Sequence[str],
    schedule: Schedule,
) -> ir.Value:
    """The generic of a contraction: indexing maps as texts, and iterator types."""
    left, right, sums = operands
    narrow, wide = type_of(left).element_type, type_of(sums).element_type
    kind, widen = ("f", "extf") if isinstance(wide, (ir.F32Type, ir.F64Type)) else ("i", "extsi")
    names = ["%x", "%y"]
    widening = ""
    if narrow != wide:
        widening = "".join(
            f"{name}w = arith.{widen} {name} : {narrow} to {wide}\n" for name in names
        )
        names = [f"{name}w" for name in names]
    found = ", ".join(f"affine_map<{text}>" for text in texts)
    iterators = ", ".join(f'"{kind}"' for kind in kinds)
    text = f"""linalg.generic {{
        indexing_maps = [{found}], iterator_types = [{iterators}]
      }} ins(%a0, %a1 : {left.type}, {right.type}) outs(%a2 : {sums.type})
      attrs = {{{CONTRACTION} = {schedule.attribute(op.context)}}} {{
      ^bb0(%x: {narrow}, %y: {narrow}, %sum: {wide}):
        {widening}
        %product = arith.mul{kind} {names[0]}, {names[1]} : {wide}
        %new = arith.add{kind} %sum, %product : {wide}
        linalg.yield %new : {wide}
      }} -> {sums.type}"""
    return built(op, text, list(operands), sums.type)


Operand = tuple[ir.Value, ir.AffineMap]


def _with_panels(
    op: ir.Operation,
    left: Operand,
    right: Operand,
    sums: ir.Value,
    schedule: Schedule,
    group: int = 1,
) -> ir.Value:
    out = [each.position for each in maps(op)[2].results]
    batch, (row, column) = out[:-2], out[-2:]
    (summed,) = set(range(maps(op)[2].n_dims)) - set(out)
    # An operand that is repeated along a loop does not depend on it.
    own = [loop for loop in batch if loop in _dims(right[1])]
    places = [_place(right[1], loop) for loop in (*own, column, summed, column)]
    width = schedule.columns
    packed = panels_of(op, right[0], places, width, group)
    names = {loop: f"b{loop}" for loop in batch} | {row: "m", summed: "k"}
    outer = [names[loop] for loop in batch]
    loops, lane = [*outer, "m", "p", "k", "v"], "v"
    if group > 1:
        loops, lane = [*loops, "g"], "v, g"
        names[summed] = f"k * {group} + g"
    domain = f"({', '.join(loops)})"
    reads = ", ".join(names[each.position] for each in left[1].results)
    type = type_of(sums)
    shape = [*type.shape[:-1], type_of(packed).shape[len(own)], width]
    with op.context, ir.Location.unknown():
        wide = ir.RankedTensorType.get(shape, type.element_type)
    missing = sizes_of(op, sums)
    if type.shape[-1] < 0:
        missing[-1] = _divided_up(op, missing[-1], width)
    zeros = filled(op, constant(op, 0, type.element_type), empty(op, wide, missing))
    made = contraction_op(
        op,
        [left[0], packed, zeros],
        [
            f"{domain} -> ({reads})",
            f"{domain} -> ({', '.join([*(names[loop] for loop in own), 'p', 'k', lane])})",
            f"{domain} -> ({', '.join([*outer, 'm', 'p', 'v'])})",
        ],
        ["reduction" if each in ("k", "g") else "parallel" for each in loops],
        schedule,
    )
    return unpacked(op, made, sums, width)


def _in_groups(op: ir.Operation, value: ir.Value, group: int) -> ir.Value:
    """A left operand whose last dimension, of static size, is padded to whole groups by zeros."""
    type = type_of(value)
    *outer, depth = type.shape
    if depth % group == 0:
        return value
    with op.context, ir.Location.unknown():
        padded = ir.RankedTensorType.get([*outer, -(-depth // group), group], type.element_type)
    zero = constant(op, 0, type.element_type)
    text = (
        f"linalg.pack %a0 padding_value(%a2 : {type.element_type}) inner_dims_pos = "
        f"[{len(outer)}] inner_tiles = [{group}] into %a1 : {type} -> {padded}"
    )
    packed = built(op, text, [value, empty(op, padded, sizes_of(op, value)), zero], padded)
    groups = [*([place] for place in range(len(outer))), [len(outer), len(outer) + 1]]
    return collapsed(op, packed, groups)


def extended_for(op: ir.Operation, value: ir.Value, dot: DotProduct) -> ir.Value:
    """Sign-extend 8-bit integers to 16 bits if the instruction takes these."""
    type = type_of(value)
    if str(type.element_type) == dot.element:
        return value
    with op.context, ir.Location.unknown():
        element = ir.IntegerType.get_signless(16)
        wide = ir.RankedTensorType.get(type.shape, element)
    loops = ", ".join(f"d{dim}" for dim in range(type.rank))
    same = f"affine_map<({loops}) -> ({loops})>"
    kinds = ", ".join(['"parallel"'] * type.rank)
    text = f"""linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = [{kinds}]}}
      ins(%a0 : {type}) outs(%a1 : {wide}) {{
      ^bb0(%x: i8, %out: i16):
        %y = arith.extsi %x : i8 to i16
        linalg.yield %y : i16
      }} -> {wide}"""
    return built(op, text, [value, empty(op, wide, sizes_of(op, value))], wide)


def _in_place(
    op: ir.Operation, left: Operand, right: Operand, sums: ir.Value, schedule: Schedule
) -> ir.Value:
    out = [each.position for each in maps(op)[2].results]
    batch, (row, column) = out[:-2], out[-2:]
    (summed,) = set(range(maps(op)[2].n_dims)) - set(out)
    names = {loop: f"b{loop}" for loop in batch} | {row: "m", column: "v", summed: "k"}
    outer = [names[loop] for loop in batch]
    loops = f"({', '.join([*outer, 'm', 'k', 'v'])})"
    texts = [
        f"{loops} -> ({', '.join(names[each.position] for each in map.results)})"
        for map in (left[1], right[1], maps(op)[2])
    ]
    kinds = [*["parallel"] * len(outer), "parallel", "reduction", "parallel"]
    return contraction_op(op, [left[0], right[0], sums], texts, kinds, schedule)


def _zeros(op: ir.Operation, memory: ir.Value) -> ir.Value:
    if is_zero(memory):
        return memory
    type = type_of(memory)
    return filled(op, constant(op, 0, type.element_type), empty(op, type, sizes_of(op, memory)))


def _source_of(op: ir.Operation, value: ir.Value, map: ir.AffineMap) -> Operand:
    """Fold the transposes and repetitions of an operand into its map, and reshapes of them."""
    while True:
        producer = defining_op(value)
        if producer is not None and producer.name == "linalg.transpose":
            value, map = producer.operands[0], before_transpose(map, producer)
            continue
        found = None
        if producer is not None:
            found = _before_repetition(op, producer, map) or _before_collapsed_transpose(
                op, producer, map
            )
        if found is None:
            return value, map
        value, map = found


def _before_repetition(
    op: ir.Operation, producer: ir.Operation, map: ir.AffineMap
) -> Operand | None:
    """What an op repeats along dimensions of the batch; None for any other op.

    Its result may be collapsed by dimensions of size 1.
    """
    generic = producer
    if producer.name == "tensor.collapse_shape":
        found = defining_op(producer.operands[0])
        if found is None:
            return None
        generic = found
    dims = repeated_dims(generic)
    if dims is None:
        return None
    shape = type_of(generic.results[0]).shape
    groups = [[dim] for dim in range(len(shape))]
    if generic != producer:
        groups = reassociation_of(producer)
    wide = [[dim for dim in group if shape[dim] != 1] for group in groups]
    if any(len(group) > 1 for group in wide):
        return None
    # The loop of each dimension that is not of size 1.
    loops = {group[0]: map.results[at] for at, group in enumerate(wide) if group}
    kept = [place for place, dim in enumerate(dims) if dim in loops]
    own = ir.AffineMap.get(map.n_dims, 0, [loops[dims[at]] for at in kept], op.context)
    if not {*_dims(map)} - {*_dims(own)} <= {*_dims(maps(op)[2])[:-2]}:
        return None
    value = generic.operands[0]
    if len(kept) < len(dims):
        starts = [0, *kept[1:], len(dims)]
        value = collapsed(op, value, [list(range(*ends)) for ends in itertools.pairwise(starts)])
    return value, own


def _before_collapsed_transpose(
    op: ir.Operation, collapse: ir.Operation, map: ir.AffineMap
) -> Operand | None:
    """The operand of a transpose whose result is collapsed, collapsed itself; None for others.

    The dimensions that are collapsed must be in the same order before the transpose.
    """
    if collapse.name != "tensor.collapse_shape":
        return None
    transpose = defining_op(collapse.operands[0])
    if transpose is None or transpose.name != "linalg.transpose":
        return None
    permutation = list(ir.DenseI64ArrayAttr(transpose.attributes["permutation"]))
    groups = [[permutation[dim] for dim in group] for group in reassociation_of(collapse)]
    if any(group != list(range(group[0], group[0] + len(group))) for group in groups):
        return None
    order = sorted(range(len(groups)), key=lambda place: groups[place][0])
    value = collapsed(op, transpose.operands[0], [groups[place] for place in order])
    results = [map.results[place] for place in order]
    return value, ir.AffineMap.get(map.n_dims, 0, results, op.context)


def _dims(map: ir.AffineMap) -> list[int]:
    return [each.position for each in map.results]


def _place(map: ir.AffineMap, loop: int) -> int:
    return _dims(map).index(loop)


def _is_last(map: ir.AffineMap, loop: int) -> bool:
    return _dims(map)[-1:] == [loop]


def _divided_up(op: ir.Operation, size: ir.Value, by: int) -> ir.Value:
    with ir.InsertionPoint(op), ir.Location.unknown(op.context):
        return index_value(divide_up(size, by))
