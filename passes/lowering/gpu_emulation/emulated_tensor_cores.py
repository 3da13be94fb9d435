"""Emulate the tensor cores of a warp with loops."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    create_op,
    create_value,
    divide,
    finish,
    for_loop,
    index_value,
    multiply,
    remainder,
    subtract,
)
from torch_refine.passes.lowering.gpu.warps import DEPTH, GROUP, WARP

MULTIPLY = "nvgpu.mma.sync"


def multiply_fragments(thread: ir.Value, memory: list[ir.Value], type: ir.VectorType) -> ir.Value:
    """The four sums of one thread: a 16 x 16 by 16 x 8 matmul of the fragments of its warp.

    `memory` has the fragments of both operands and of the accumulator for each thread of the block,
    as the PTX ISA lays them out ("Matrix Fragments for mma.m16n8k16").
    """
    sums = [_sum(thread, half, side, memory) for half in range(2) for side in range(2)]
    return create_value("vector.from_elements", type, sums)


def _sum(thread: ir.Value, half: int, side: int, memory: list[ir.Value]) -> ir.Value:
    """The sum in a row's lower or upper half, and on one side of a pair."""
    left, right, own = memory
    lane = remainder(thread, WARP)
    first = subtract(thread, lane)
    row = divide(lane, GROUP)
    column = add(multiply(remainder(lane, GROUP), 2), side)
    start = _loaded(own, [thread, half, side])
    loop, body = for_loop(0, DEPTH, 1, [start])
    with ir.InsertionPoint(body):
        at, sum = body.arguments
        place = divide(remainder(at, DEPTH // 2), 2)
        upper, which = divide(at, DEPTH // 2), remainder(at, 2)
        from_left = add(first, add(multiply(row, GROUP), place))
        from_right = add(first, add(multiply(column, GROUP), place))
        a = _loaded(left, [from_left, add(multiply(upper, 2), half), which])
        b = _loaded(right, [from_right, upper, which])
        wide = [create_value("arith.extf", start.type, [number]) for number in (a, b)]
        product = create_value("arith.mulf", start.type, wide)
        finish(body, [create_value("arith.addf", start.type, [sum, product])])
    return loop.result


def store_fragment(vector: ir.Value, memory: ir.Value, thread: ir.Value) -> None:
    """Store the fragment of a thread where the other threads find it."""
    type = ir.VectorType(vector.type)
    rows, columns = type.shape
    for row in range(rows):
        for column in range(columns):
            position = {"static_position": ir.DenseI64ArrayAttr.get([row, column])}
            number = create_value("vector.extract", type.element_type, [vector], position)
            where = [thread, index_value(row), index_value(column)]
            create_op("memref.store", [number, memory, *where])


def _loaded(memory: ir.Value, indices: list[Number]) -> ir.Value:
    type = ir.MemRefType(memory.type).element_type
    return create_value("memref.load", type, [memory, *(index_value(each) for each in indices)])
