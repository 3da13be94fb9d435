"""The layout of `mma.sync` fragments over the threads of a warp.

`mma.sync` multiplies 16 x 16 by 16 x 8 elements of 16 bits, and accumulates into 16 x 8 elements of
32 bits. The fragment of each thread is specified in the PTX ISA, "Matrix Fragments for
mma.m16n8k16". In short: a thread has pairs of elements, its group of four threads selects the row
(of the right operand: the column), and its position in the group the pair.
"""

from __future__ import annotations

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.lowering.gpu.loops import THREADS

WARP = 32
ROWS, COLUMNS, DEPTH = 16, 8, 16
"""The sizes of one `mma.sync`."""
GROUP = 4
"""The number of threads that share a row."""
_WARPS = THREADS // WARP


def warp_grid(rows: int, columns: int) -> tuple[int, int] | None:
    """The arrangement of a block's warps over a tile: rows and columns of warps.

    None if there is none. Of several, the one in which a warp reads least.
    """
    found = [
        (rows // down + columns // across, (down, across))
        for down in range(1, _WARPS + 1)
        for across in (_WARPS // down,)
        if down * across == _WARPS and not rows % (down * ROWS) and not columns % (across * COLUMNS)
    ]
    return min(found)[1] if found else None


def suits_tensor_cores(product: ir.Operation) -> bool:
    """Whether a generic is a contraction of 16-bit floats with f32 accumulation."""
    left, right, total = (ir.ShapedType(operand.type).element_type for operand in product.operands)
    body = sorted(op.name for op in operations(product.regions[0].blocks[0]))
    return (
        isinstance(left, (ir.F16Type, ir.BF16Type))
        and left == right
        and isinstance(total, ir.F32Type)
        and body == ["arith.addf", "arith.extf", "arith.extf", "arith.mulf", "linalg.yield"]
    )
