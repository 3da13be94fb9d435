"""What a warp multiplies on tensor cores, and which of the numbers each of its threads has.

`mma.sync` takes 16 x 16 numbers of 16 bits and 16 x 8 others, and adds their product to 16 x 8
numbers of 32 bits. Which thread has which of them is in the PTX ISA, "Matrix Fragments for
mma.m16n8k16". In short: a thread has pairs, its group of four threads says which row (of the right
operand: which column), and its place in the group says which pair.
"""

from __future__ import annotations

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.lowering.gpu.loops import THREADS

WARP = 32
ROWS, COLUMNS, DEPTH = 16, 8, 16
"""The sizes of one `mma.sync`."""
GROUP = 4
"""Threads that have a row together."""
_WARPS = THREADS // WARP


def warp_grid(rows: int, columns: int) -> tuple[int, int] | None:
    """How the warps of a block share a tile: over so many rows and columns of warps.

    None if they cannot. Of several ways, the one in which a warp reads least.
    """
    found = [
        (rows // down + columns // across, (down, across))
        for down in range(1, _WARPS + 1)
        for across in (_WARPS // down,)
        if down * across == _WARPS and not rows % (down * ROWS) and not columns % (across * COLUMNS)
    ]
    return min(found)[1] if found else None


def suits_tensor_cores(product: ir.Operation) -> bool:
    """Whether a generic adds products of 16-bit floats in 32 bits, and does nothing else."""
    left, right, total = (ir.ShapedType(operand.type).element_type for operand in product.operands)
    body = sorted(op.name for op in operations(product.regions[0].blocks[0]))
    return (
        isinstance(left, (ir.F16Type, ir.BF16Type))
        and left == right
        and isinstance(total, ir.F32Type)
        and body == ["arith.addf", "arith.extf", "arith.extf", "arith.mulf", "linalg.yield"]
    )
