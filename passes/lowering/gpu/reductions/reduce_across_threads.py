"""Distribute reductions over the threads of a block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    at_least_one,
    create_op,
    create_value,
    delinearize,
    equal,
    finish,
    for_loop,
    if_then,
    index_value,
    multiply,
)
from torch_refine.dialect.structured_ops import (
    GENERIC,
    dims_of,
    iterators,
    maps,
    num_inputs,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.gpu.loops import (
    THREADS,
    finish_mapped_loop,
    mapped_loop,
    maps_to,
)
from torch_refine.passes.lowering.gpu.reductions.combining import (
    combine,
    combiner_of,
    extents_of,
    inline_body,
    neutral_element,
)

# The types that shuffles of `gpu.all_reduce` support.
_TYPES = ("f32", "f64", "i32", "i64")
_BOOL, _OF_BITS = "i1", ("arith.andi", "arith.ori", "arith.xori")


@dataclass
class ReduceAcrossThreads(Pass):
    """Distribute reductions over the threads of a block.

    In a loop that is marked for blocks, each thread reduces every 256th element, then
    `gpu.all_reduce` combines the partial results, which upstream lowers to shuffles in a warp and
    shared memory across warps. The order of accumulation differs from that of the loop. Upstream's
    `tile_reduction_using_forall` leaves 256 partial results in memory, which one thread reduces.

    Before:

    ```mlir
    func.func @f(%arg0: memref<4x1023xf32>, %arg1: memref<4xf32>) {
      scf.forall (%arg2) in (4) {
        %0 = memref.subview %arg0[%arg2, 0] [1, 1023] [1, 1] : memref<4x1023xf32> \
to memref<1023xf32, strided<[1], offset: ?>>
        %1 = memref.subview %arg1[%arg2] [1] [1] : memref<4xf32> \
to memref<f32, strided<[], offset: ?>>
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], \
iterator_types = ["reduction"]} ins(%0 : memref<1023xf32, strided<[1], offset: ?>>) \
outs(%1 : memref<f32, strided<[], offset: ?>>) {
        ^bb0(%in: f32, %out: f32):
          %2 = arith.addf %in, %out : f32
          linalg.yield %2 : f32
        }
      } {mapping = [#gpu.block<linear_dim_0>]}
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<4x1023xf32>, %arg1: memref<4xf32>) {
      scf.forall (%arg2) in (4) {
        %subview = memref.subview %arg0[%arg2, 0] [1, 1023] [1, 1] : memref<4x1023xf32> to \
memref<1023xf32, strided<[1], offset: ?>>
        %subview_0 = memref.subview %arg1[%arg2] [1] [1] : memref<4xf32> to memref<f32, \
strided<[], offset: ?>>
        scf.forall (%arg3) in (256) {
          %cst = arith.constant 0.000000e+00 : f32
          %c1023 = arith.constant 1023 : index
          %c256 = arith.constant 256 : index
          %0 = scf.for %arg4 = %arg3 to %c1023 step %c256 iter_args(%arg5 = %cst) -> (f32) {
            %3 = memref.load %subview[%arg4] : memref<1023xf32, strided<[1], offset: ?>>
            %4 = arith.addf %3, %arg5 : f32
            scf.yield %4 : f32
          }
          %1 = gpu.all_reduce  %0 uniform {
          ^bb0(%arg4: f32, %arg5: f32):
            %3 = arith.addf %arg4, %arg5 : f32
            gpu.yield %3 : f32
          } : (f32) -> f32
          %c0 = arith.constant 0 : index
          %2 = arith.cmpi eq, %arg3, %c0 : index
          scf.if %2 {
            %3 = memref.load %subview_0[] : memref<f32, strided<[], offset: ?>>
            %4 = arith.addf %3, %1 : f32
            memref.store %4, %subview_0[] : memref<f32, strided<[], offset: ?>>
          }
        } {mapping = [#gpu.thread<linear_dim_0>]}
      } {mapping = [#gpu.block<linear_dim_0>]}
      return
    }
    ```
    """

    name: ClassVar[str] = "reduce-across-threads"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the reductions of blocks in a module, or in one function."""
        for loop in [each for each in walk(op) if each.name == "scf.forall"]:
            if not maps_to(loop, "block"):
                continue
            for each in [each for each in walk(loop) if each.name == GENERIC]:
                combiner = _combiner(each)
                if combiner is not None and not _is_inside_threads(each, loop):
                    _distribute(each, combiner)
                    state.count(self.name, "reductions")


def _is_inside_threads(op: ir.Operation, loop: ir.Operation) -> bool:
    parent = op.parent.operation
    while parent != loop:
        if parent.name in ("scf.forall", "scf.parallel"):
            return True
        parent = parent.parent.operation
    return False


def _combiner(op: ir.Operation) -> ir.Operation | None:
    """The combining op, if all loops of a generic are reductions to one element."""
    if set(iterators(op)) != {"reduction"} or num_inputs(op) != len(op.operands) - 1:
        return None
    if any(dims_of(map) is None for map in maps(op)):
        return None
    if any(each.name == "linalg.index" for each in walk(op)):
        return None
    combiner = combiner_of(op)
    if combiner is None:
        return None
    type = str(combiner.result.type)
    return combiner if type in _TYPES or (type == _BOOL and combiner.name in _OF_BITS) else None


def _distribute(op: ir.Operation, combiner: ir.Operation) -> None:
    context = op.context
    with ir.InsertionPoint(op), op.location:
        body = mapped_loop(THREADS, "thread")
    with ir.InsertionPoint(body), op.location:
        thread = body.arguments[0]
        extents = extents_of(op)
        total: Number = 1
        for extent in extents:
            total = multiply(total, extent)
        type = combiner.result.type
        loop, loop_body = for_loop(thread, total, THREADS, [neutral_element(combiner)])
        with ir.InsertionPoint(loop_body):
            indices = delinearize(loop_body.arguments[0], [at_least_one(each) for each in extents])
            numbers = [_read(op, place, indices) for place in range(num_inputs(op))]
            own = inline_body(op, [*numbers, loop_body.arguments[1]])[combiner.result]
        finish(loop_body, [own])
        # Threads exchange words.
        is_bool = str(type) == _BOOL
        wide = ir.IntegerType.get_signless(32, context) if is_bool else type
        reduced = create_op(
            "gpu.all_reduce",
            [create_value("arith.extui", wide, [loop.result]) if is_bool else loop.result],
            {"uniform": ir.UnitAttr.get(context)},
            results=[wide],
            regions=1,
        )
        both = ir.Block.create_at_start(reduced.regions[0], [wide, wide], [op.location] * 2)
        with ir.InsertionPoint(both):
            a, b = both.arguments
            combined = (
                create_value(combiner.name, wide, [a, b]) if is_bool else combine(combiner, a, b)
            )
            create_op("gpu.yield", [combined])
        first = if_then(equal(thread, 0)).regions[0].blocks[0]
        with ir.InsertionPoint(first):
            place = len(op.operands) - 1
            all = (
                create_value("arith.trunci", type, [reduced.result]) if is_bool else reduced.result
            )
            value = combine(combiner, _read(op, place, indices=[]), all)
            _write(op, value)
        finish(first)
    finish_mapped_loop(body)
    op.erase()


def _read(op: ir.Operation, place: int, indices: list[Number]) -> ir.Value:
    """An element of an operand in the iteration of these indices."""
    dims = dims_of(maps(op)[place])
    assert dims is not None, "checked before"
    operand = op.operands[place]
    return create_value(
        "memref.load",
        ir.MemRefType(operand.type).element_type,
        [operand, *(index_value(add(indices[dim], 0)) for dim in dims)],
    )


def _write(op: ir.Operation, value: ir.Value) -> None:
    create_op("memref.store", [value, op.operands[len(op.operands) - 1]])
