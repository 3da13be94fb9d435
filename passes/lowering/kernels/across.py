"""Kernels that read in another direction than they write."""

from __future__ import annotations

from collections.abc import Iterator

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.lowering.kernels.indexing import (
    GENERIC,
    dims_of,
    is_structured,
    iterators,
    maps,
    number_of_inputs,
)

# A block of 16 x 16 is computed without a loop, so what is computed must be short.
_MOST_OPS = 8
_SIMPLE = ("arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.negf", "arith.cmpf",
           "arith.select", "arith.constant", "linalg.yield")  # fmt: skip
_BITS = 32
# Fewer numbers are read as fast one by one.
_LEAST = 16


def is_across(kernel: ir.Operation) -> bool:
    """Whether a kernel is one op that reads along another loop than it writes."""
    ops = [op for op in operations(kernel.regions[0].blocks[0]) if is_structured(op)]
    return len(ops) == 1 and reads_across(ops[0])


def reads_across(op: ir.Operation) -> bool:
    """Whether a short elementwise op on tensors reads along another loop than it writes."""
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
    found = set(across(op))
    sizes = types[-1].shape
    return len(found) == 1 and all(
        not 0 <= sizes[loop] < _LEAST for loop in (*found, len(loops) - 1)
    )


def across(op: ir.Operation) -> Iterator[int]:
    """The loops along which inputs are read that have the last loop's numbers apart."""
    last = len(iterators(op)) - 1
    for map in maps(op)[: number_of_inputs(op)]:
        dims = dims_of(map)
        if dims and dims[-1] != last and last in dims:
            yield dims[-1]
