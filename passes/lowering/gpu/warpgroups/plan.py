"""Which contractions warpgroups multiply, and in which tiles."""

from __future__ import annotations

import math
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    iterators,
    maps,
    num_inputs,
)
from torch_refine.passes.lowering.gpu.operands import contraction_of, structured_ops
from torch_refine.passes.lowering.gpu.warps import suits_tensor_cores

WARPGROUPS = "torch_refine.warpgroups"
"""On a contraction that `contractions-to-warpgroups` lowers, with its epilogue."""

WIDTH = 8
"""The 16-bit elements that one asynchronous copy moves: 16 bytes."""
DEPTH = 64
"""The elements of the summed dimension in one stage: 128 bytes, the widest swizzle."""
GROUP_ROWS = 64
"""The rows that a warpgroup computes."""

MULTIPROCESSORS = 132
"""Of an H100 or H200 (SXM). Others run the same blocks in another number of rounds."""
_SHARED_BYTES = 227 * 1024
"""What a block can have on sm_90."""
_MOST_STAGES = 8
# Warpgroups and columns of a tile, and the share of the peak that such a tile reaches: smaller
# ones read more of shared memory for each product.
_TILES = {(2, 256): 1.0, (2, 128): 0.85, (1, 128): 0.65, (1, 64): 0.5}
# Smaller contractions do not fill the tiles.
_LEAST_ROWS = 32


@dataclass(frozen=True)
class Operand:
    """How an operand is read: the positions of its dimensions.

    `row` is the one in steps of which threads copy, and the last dimension is contiguous.
    `is_along` says whether the last one is the summed dimension. `batch` are pairs of a position
    and the loop that it follows.
    """

    row: int
    last: int
    is_along: bool
    batch: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Plan:
    """The tiles of a contraction, and its operands."""

    left: Operand
    right: Operand
    groups: int
    columns: int

    @property
    def rows(self) -> int:
        """The rows of a tile."""
        return GROUP_ROWS * self.groups

    @property
    def stage_bytes(self) -> int:
        """The shared memory of one stage: parts of both operands."""
        return (self.rows + self.columns) * DEPTH * 2

    @property
    def stages(self) -> int:
        """The number of stages that fit beside the staging of results."""
        free = _SHARED_BYTES - self.groups * STAGING_BYTES - _EXTRA_BYTES
        return min(free // self.stage_bytes, _MOST_STAGES)

    @property
    def shared_bytes(self) -> int:
        """The shared memory of a block, whose start may have to be aligned."""
        return self.stages * self.stage_bytes + self.groups * STAGING_BYTES + _EXTRA_BYTES


PART_COLUMNS = 32
"""The columns of results that a warpgroup stages at once."""
PART_STRIDE = 40
"""The f32 elements between staged rows: fragments are then stored without bank conflicts."""
STAGING_BYTES = GROUP_ROWS * PART_STRIDE * 4
# Alignment of the stages, and barriers.
_EXTRA_BYTES = 1024 + 16 * _MOST_STAGES


def plan_of_kernel(kernel: ir.Operation) -> Plan | None:
    """The plan of a kernel of tensors, None if warpgroups cannot compute it.

    It consists of a contraction of arguments, from zero, and perhaps an elementwise epilogue.
    """
    product = contraction_of(kernel)
    plan = plan_of(product)
    others = [op for op in structured_ops(kernel) if op.name != "linalg.fill" and op != product]
    if plan is None or len(others) > 1:
        return None
    if not all(isinstance(each.owner, ir.Block) for each in list(product.operands)[:2]):
        return None
    start = defining_op(product.operands[2])
    if start is None or start.name != "linalg.fill" or not _is_zero(start.operands[0]):
        return None
    if not others:
        return plan
    (epilogue,) = others
    return plan if _suits_epilogue(epilogue, product.results[0]) else None


def _suits_epilogue(op: ir.Operation, total: ir.Value) -> bool:
    """Whether an op is elementwise on the results of a contraction, and can be vectorized."""
    rank = len(iterators(op))
    if op.name != GENERIC or set(iterators(op)) != {"parallel"} or len(op.results) != 1:
        return False
    for place, operand in enumerate(list(op.operands)[: num_inputs(op)]):
        dims = dims_of(maps(op)[place])
        is_total = operand == total
        if dims is None or (is_total and dims != list(range(rank))):
            return False
        if not is_total and (not isinstance(operand.owner, ir.Block) or rank - 1 in dims[:-1]):
            return False
        if not _is_float_of(operand, (16, 32)):
            return False
    body = op.regions[0].blocks[0]
    if list(body.arguments)[-1].uses and any(True for _ in list(body.arguments)[-1].uses):
        return False
    inside = [each for each in walk(op) if each != op]
    return (
        dims_of(maps(op)[-1]) == list(range(rank))
        and _is_float_of(op.results[0], (16, 32))
        and all(each.name == "linalg.yield" or _is_elementwise(each) for each in inside)
    )


def _is_float_of(value: ir.Value, widths: tuple[int, ...]) -> bool:
    type = ir.RankedTensorType(value.type).element_type
    return isinstance(type, (ir.F16Type, ir.BF16Type, ir.F32Type)) and type.width in widths


def _is_elementwise(op: ir.Operation) -> bool:
    return op.name.startswith(("arith.", "math.")) and not op.regions and len(op.results) == 1


def _is_zero(value: ir.Value) -> bool:
    op = defining_op(value)
    if op is None or op.name != "arith.constant":
        return False
    return bool(ir.FloatAttr(op.attributes["value"]).value == 0)


def plan_of(product: ir.Operation) -> Plan | None:
    """The plan of a contraction of tensors or of memory, None if there is none."""
    kinds = iterators(product)
    if product.name != GENERIC or len(product.operands) != 3 or len(kinds) < 3:
        return None
    if kinds != ["parallel"] * (len(kinds) - 1) + ["reduction"]:
        return None
    if not suits_tensor_cores(product):
        return None
    dims = [dims_of(map) for map in maps(product)]
    summed = len(kinds) - 1
    if any(each is None for each in dims) or dims[2] != list(range(summed)):
        return None
    row, column = summed - 2, summed - 1
    left = _operand(dims[0] or [], row, column, summed)
    right = _operand(dims[1] or [], column, row, summed)
    if left is None or right is None:
        return None
    shapes = [list(ir.ShapedType(operand.type).shape) for operand in product.operands]
    rows, columns = shapes[2][-2:]
    depth = shapes[0][left.last] if left.is_along else shapes[0][left.row]
    lasts = (shapes[0][left.last], shapes[1][right.last], columns)
    if depth < DEPTH or any(each <= 0 or each % WIDTH for each in lasts):
        return None
    if 0 <= rows < _LEAST_ROWS or columns < _LEAST_ROWS:
        return None
    groups, across = _tile(math.prod(abs(each) for each in shapes[2][:-2]), rows, columns)
    return Plan(left, right, groups, across)


def _operand(dims: list[int], own: int, other: int, summed: int) -> Operand | None:
    """How an operand with these loops is read; `own` is its loop that the other one lacks."""
    if other in dims or own not in dims or summed not in dims or len(set(dims)) != len(dims):
        return None
    last = len(dims) - 1
    if dims[last] not in (own, summed):
        return None
    is_along = dims[last] == summed
    row = dims.index(own if is_along else summed)
    batch = tuple((at, dim) for at, dim in enumerate(dims) if at not in (row, last))
    return Operand(row, last, is_along, batch)


def _tile(batch: int, rows: int, columns: int) -> tuple[int, int]:
    """The tile with the least estimated time; rows may be dynamic, and are then many."""
    rows = 4096 if rows < 0 else rows

    def time(tile: tuple[int, int]) -> float:
        height, width = GROUP_ROWS * tile[0], tile[1]
        tiles = batch * -(-rows // height) * -(-columns // width)
        return -(-tiles // MULTIPROCESSORS) * height * width / _TILES[tile]

    return min(_TILES, key=time)
