"""The parameters of GPU schedules for a kernel."""

from __future__ import annotations

import math

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import (
    GENERIC,
    dims_of,
    iterators,
    maps,
)
from torch_refine.passes.lowering.gpu.loops import THREADS
from torch_refine.passes.lowering.gpu.operands import contraction_of, structured_ops
from torch_refine.passes.lowering.gpu.row_program import fits_registers
from torch_refine.passes.lowering.gpu.warps import suits_tensor_cores, warp_grid
from torch_refine.passes.lowering.kernels.outlining import ROWS

ROOT = "torch_refine.root"

_TILE, _SMALL_TILE, _DEPTH = 64, 16, 16
# A thread with twice as many rows reads less shared memory for a multiplication. The tile of sums,
# which is in shared memory for an epilogue, fits there if these are at most this wide.
_TALL_TILE, _TALL_BITS = 128, 32
# About one for each of the 132 multiprocessors of an H100. Fewer leave some of them idle, so tiles
# are smaller then.
_FEWEST_BLOCKS = 128
_DEEPEST = 64
# `mma.sync` takes 16 elements of the reduction dimension; deeper tiles have fewer, longer loads.
_DEEP = 32
# A block has at most 48 KiB of shared memory; reductions across threads need some of it, too.
_SHARED_BYTES = 40960
# A thread loads 16 bytes at a time, and buffers are aligned to 32 (`runtime/cuda/gpu.py`).
_LOAD_BITS, _ALIGNED_BITS = 128, 256
_NARROWEST = 16
_LEAST_WIDTH = 2
# For shorter rows that do not fit into registers a thread is faster than a block.
_LONG_ROW = 64


def contraction_parameters(kernel: ir.Operation, tensor_cores: bool) -> dict[str, str] | None:
    """The tile sizes of a contraction with the loops rows, columns and reduction, after any
    others."""
    product = contraction_of(kernel)
    kinds = iterators(product)
    types = [ir.RankedTensorType(operand.type) for operand in product.operands]
    if kinds != ["parallel"] * (len(kinds) - 1) + ["reduction"] or len(kinds) < 3:
        return None
    if not all(_is_number(type.element_type) for type in types) or len(types) != 3:
        return None
    sizes = _loop_sizes(product)
    if sizes is None or sizes[-1] < 0:
        return None
    on_warps = tensor_cores and suits_tensor_cores(product)
    is_tall = not on_warps and all(type.element_type.width <= _TALL_BITS for type in types)
    rows, columns = _tiles(sizes, on_warps, _TALL_TILE if is_tall else _TILE)
    leading = len(kinds) - 3
    place = [f"#gpu.block<linear_dim_{dim}>" for dim in reversed(range(leading + 2))]
    in_warps = on_warps and warp_grid(rows, columns) is not None
    if in_warps:
        depth = _DEEP if sizes[-1] > _DEPTH else _DEPTH
    else:
        depth = _depth(rows + columns, sizes[-1])
    return {
        "SCHEDULE": "product_warps" if in_warps else "product_threads",
        "LEADING": "1, " * leading,
        "NOUGHTS": "0, " * leading,
        "ROWS": str(rows),
        "COLUMNS": str(columns),
        "DEPTH": str(depth),
        "OWN_ROWS": str(rows // _SMALL_TILE),
        "OWN_COLUMNS": str(columns // _SMALL_TILE),
        "BLOCKS": ", ".join(place),
        "DIMENSIONS": ", ".join(str(leading + dim) for dim in range(3)),
        "ZEROS": ", ".join(_zero(type.element_type) for type in types),
    }


assert _SMALL_TILE * _SMALL_TILE == THREADS, "each thread of a block must have one part of a tile"


def tile_of(size: int, most: int = _TILE) -> int:
    """The tile size of a dimension; a small one is not padded to a large tile."""
    tile = _SMALL_TILE
    while tile < most and not 0 <= size <= tile:
        tile *= 2
    return tile


def _tiles(sizes: list[int], on_warps: bool, tallest: int) -> tuple[int, int]:
    """The tile sizes of rows and columns: halved until there are enough blocks.

    With `on_warps`, they remain large enough for the warps of a block.
    """
    rows, columns = (tile_of(size) for size in sizes[-3:-1])
    if any(size < 0 for size in sizes):
        return rows, columns
    rows = tile_of(sizes[-3], tallest)
    *leading, height, width = sizes[:-1]
    while math.prod(leading) * -(-height // rows) * -(-width // columns) < _FEWEST_BLOCKS:
        # The longer side, as square tiles are read least.
        halved = (rows // 2, columns) if rows > columns else (rows, columns // 2)
        fits_warps = warp_grid(*halved) is not None or warp_grid(rows, columns) is None
        if min(halved) < _SMALL_TILE or (on_warps and not fits_warps):
            break
        rows, columns = halved
    return rows, columns


def _depth(edges: int, size: int) -> int:
    """The depth of tiles whose rows and columns add up to `edges`, for a reduction over `size`.

    Each thread loads as many elements of small tiles before a barrier as of large ones.
    """
    depth = _DEPTH
    while 2 * depth <= min(_DEEPEST, size) and 2 * depth * edges <= 2 * _TILE * _DEPTH:
        depth *= 2
    return depth


def _is_number(type: ir.Type) -> bool:
    return isinstance(type, (ir.IntegerType, ir.FloatType)) and type.width <= 64


def _zero(type: ir.Type) -> str:
    return f"0 : {type}" if isinstance(type, ir.IntegerType) else f"0.0 : {type}"


def _loop_sizes(op: ir.Operation) -> list[int] | None:
    """The trip counts of a generic, negative if dynamic."""
    sizes = [-1] * len(iterators(op))
    for operand, map in zip(op.operands, maps(op), strict=True):
        dims = dims_of(map)
        if dims is None:
            return None
        for dim, size in zip(dims, ir.RankedTensorType(operand.type).shape, strict=True):
            sizes[dim] = max(sizes[dim], size)
    return sizes


def rows_parameters(kernel: ir.Operation) -> dict[str, str] | None:
    """The tile sizes of row reductions, if a row fits into registers, or its intermediates into
    shared memory."""
    members = [op for op in structured_ops(kernel) if op.name != "linalg.fill"]
    root = members[-1]
    if any(op.name != GENERIC for op in members):
        return None
    kinds = iterators(root)
    if ROWS in kernel.attributes:
        rows = ir.IntegerAttr(kernel.attributes[ROWS]).value
        del kernel.attributes[ROWS]
    else:
        rows = kinds.count("parallel")
        sizes = _loop_sizes(root)
        if not 0 < rows < len(kinds) or sizes is None or "parallel" in kinds[rows:]:
            return None
        is_short = 0 <= math.prod(sizes[rows:]) < _LONG_ROW
        if (is_short or len(root.results) != 1) and not fits_registers(members, rows):
            return None
    if not fits_registers(members, rows) and not _fit_in_shared_memory(members[:-1], rows):
        return None
    root.attributes[ROOT] = ir.UnitAttr.get(kernel.context)
    return {
        "TILES": ", ".join(["1"] * rows + ["0"] * (len(kinds) - rows)),
        "BLOCKS": ", ".join(f"#gpu.block<linear_dim_{dim}>" for dim in reversed(range(rows))),
    }


def _fit_in_shared_memory(members: list[ir.Operation], rows: int) -> bool:
    total = 0
    for op in members:
        type = ir.RankedTensorType(op.results[0].type)
        # The intermediate of a member for one row: a reduction's result may have rank 0.
        inner = list(type.shape)[rows:]
        if any(size < 0 for size in inner) or not _is_number(type.element_type):
            return False
        total += math.prod(inner) * max(type.element_type.width // 8, 1)
    return total <= _SHARED_BYTES


def elementwise_parameters(kernel: ir.Operation) -> dict[str, str] | None:
    """The vector length of an elementwise kernel, if all operands are contiguous."""
    ops = structured_ops(kernel)
    if len(ops) != 1 or ops[0].name != GENERIC or len(ops[0].results) != 1:
        return None
    (op,) = ops
    rank = len(iterators(op))
    if set(iterators(op)) != {"parallel"} or dims_of(maps(op)[-1]) != list(range(rank)):
        return None
    if not all(_is_along(map, rank - 1) for map in maps(op)):
        return None
    types = [ir.RankedTensorType(operand.type).element_type for operand in op.operands]
    if not all(_is_number(type) and type.width >= _NARROWEST for type in types):
        return None
    length = ir.RankedTensorType(op.results[0].type).shape[-1]
    width = _vector_length(length, [type.width for type in types])
    if width < _LEAST_WIDTH:
        return None
    if any(each.name in ("linalg.index", "tensor.extract") or each.regions for each in walk(op)):
        return None
    op.attributes[ROOT] = ir.UnitAttr.get(kernel.context)
    return {"ONES": "1, " * (rank - 1), "WIDTH": str(width)}


def _vector_length(length: int, bits: list[int]) -> int:
    """How many elements of the last dimension a thread computes: as many as it loads at a time."""
    if length <= 0:
        return 1
    return math.gcd(length, min(_LOAD_BITS // min(bits), _ALIGNED_BITS // max(bits)))


def _is_along(map: ir.AffineMap, last: int) -> bool:
    """Whether an operand is contiguous along the last loop, or broadcast along it."""
    dims = dims_of(map)
    return dims is not None and last not in dims[:-1]
