"""What the tensor cores of a warp compute, as loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch_refine.dialect.bindings import ir
from torch_refine.passes.lowering.building import (
    Number,
    add,
    divide,
    finish,
    for_loop,
    made,
    multiply,
    remainder,
    subtract,
    value_of,
)
from torch_refine.passes.lowering.gpu.warps import DEPTH, GROUP, WARP

if TYPE_CHECKING:
    from torch_refine.passes.lowering.gpu.emulation import Emulation

MULTIPLY = "nvgpu.mma.sync"


def multiply_together(emulation: Emulation, op: ir.Operation) -> None:
    """All threads of a block multiply 16 x 16 by 16 x 8 numbers with those of their warp.

    Every thread leaves its numbers where the others find them. Then each computes its four sums,
    from the numbers that the PTX ISA ("Matrix Fragments for mma.m16n8k16") says others have.
    """
    threads = emulation.threads
    memory = [_memory_of(emulation, operand.type) for operand in op.operands]
    result = emulation.memory(threads, op.result.type)
    with emulation.each_thread() as (scope, thread):
        for operand, place in zip(op.operands, memory, strict=True):
            _scatter(scope.value(operand), place, thread)
    with emulation.each_thread() as (_, thread):
        sums = [_sum(thread, half, side, memory) for half in range(2) for side in range(2)]
        type = ir.VectorType(op.result.type)
        vector = made("vector.from_elements", type, sums)
        ir.Operation.create("memref.store", operands=[vector, result, thread])
    emulation.kept[op.result] = result


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
        wide = [made("arith.extf", start.type, [number]) for number in (a, b)]
        product = made("arith.mulf", start.type, wide)
        finish(body, [made("arith.addf", start.type, [sum, product])])
    return loop.result


def _memory_of(emulation: Emulation, type: ir.Type) -> ir.Value:
    """Memory for the numbers that all threads have of an operand."""
    vector = ir.VectorType(type)
    with ir.InsertionPoint(emulation.loop):
        return made(
            "memref.alloca",
            ir.MemRefType.get([emulation.threads, *vector.shape], vector.element_type),
            [],
            {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0])},
        )


def _scatter(vector: ir.Value, memory: ir.Value, thread: ir.Value) -> None:
    type = ir.VectorType(vector.type)
    rows, columns = type.shape
    for row in range(rows):
        for column in range(columns):
            position = {"static_position": ir.DenseI64ArrayAttr.get([row, column])}
            number = made("vector.extract", type.element_type, [vector], position)
            where = [thread, value_of(row), value_of(column)]
            ir.Operation.create("memref.store", operands=[number, memory, *where])


def _loaded(memory: ir.Value, indices: list[Number]) -> ir.Value:
    type = ir.MemRefType(memory.type).element_type
    return made("memref.load", type, [memory, *(value_of(each) for each in indices)])
