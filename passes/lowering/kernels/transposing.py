"""Kernels that read an operand transposed."""

from __future__ import annotations

from collections.abc import Iterator

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.structured_ops import (
    GENERIC,
    dims_of,
    is_structured,
    iterators,
    maps,
    num_inputs,
)

# A block of 16 x 16 is fully unrolled, so the body must be short.
_MOST_OPS = 8
_SIMPLE = ("arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.negf", "arith.cmpf",
           "arith.select", "arith.constant", "linalg.yield")  # fmt: skip
_BITS = 32
# With fewer elements, scalar loads are as fast.
_LEAST = 16


def is_transposing(kernel: ir.Operation) -> bool:
    """Whether a kernel is one op whose input and output are contiguous along different loops."""
    ops = [op for op in operations(kernel.regions[0].blocks[0]) if is_structured(op)]
    return len(ops) == 1 and reads_transposed(ops[0])


def reads_transposed(op: ir.Operation) -> bool:
    """Whether a short elementwise op on tensors reads an operand transposed."""
    if op.name != GENERIC or len(op.results) != 1:
        return False
    loops = list(range(len(iterators(op))))
    body = list(operations(op.regions[0].blocks[0]))
    if set(iterators(op)) != {"parallel"} or dims_of(maps(op)[-1]) != loops:
        return False
    if len(body) > _MOST_OPS or any(each.name not in _SIMPLE for each in body):
        return False
    if any(dims_of(map) is None for map in maps(op)):
        return False
    types = [ir.RankedTensorType(operand.type) for operand in op.operands]
    if any(str(type.element_type) != f"f{_BITS}" for type in types):
        return False
    found = set(transposed_loops(op))
    sizes = types[-1].shape
    return len(found) == 1 and all(
        not 0 <= sizes[loop] < _LEAST for loop in (*found, len(loops) - 1)
    )


def transposed_loops(op: ir.Operation) -> Iterator[int]:
    """The loops along which inputs are contiguous while the last loop strides over them."""
    last = len(iterators(op)) - 1
    for map in maps(op)[: num_inputs(op)]:
        dims = dims_of(map)
        if dims and dims[-1] != last and last in dims:
            yield dims[-1]
