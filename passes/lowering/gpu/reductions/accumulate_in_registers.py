"""Lower reductions to loops that accumulate in registers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    create_op,
    create_value,
    finish,
    for_loop,
    index_type,
    index_value,
    parallel_loop,
)
from torch_refine.dialect.structured_ops import GENERIC, dims_of, iterators, maps, num_inputs
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.gpu.loops import PARALLEL
from torch_refine.passes.lowering.gpu.reductions.combining import extents_of, inline_body


@dataclass
class AccumulateInRegisters(Pass):
    """Lower reductions to loops that accumulate in registers.

    A reduction outside of parallel loops becomes a parallel loop over the dimensions of its result,
    in their order, around sequential loops that carry the results. Adjacent threads compute
    adjacent elements: the sums of the columns of a matrix are read row by row, and channels of
    convolutions and windows as they are stored. Upstream's conversion keeps the order of the loops,
    so that a parallel loop inside of a sequential one would run in a single thread, and accumulates
    in memory.

    Before:

    ```mlir
    func.func @f(%arg0: memref<9x5xf32>, %arg1: memref<5xf32>) {
      linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, \
affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} \
ins(%arg0 : memref<9x5xf32>) outs(%arg1 : memref<5xf32>) {
      ^bb0(%in: f32, %out: f32):
        %0 = arith.addf %in, %out : f32
        linalg.yield %0 : f32
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<9x5xf32>, %arg1: memref<5xf32>) {
      %c0 = arith.constant 0 : index
      %c5 = arith.constant 5 : index
      %c1 = arith.constant 1 : index
      scf.parallel (%arg2) = (%c0) to (%c5) step (%c1) {
        %0 = memref.load %arg1[%arg2] : memref<5xf32>
        %c0_0 = arith.constant 0 : index
        %c9 = arith.constant 9 : index
        %c1_1 = arith.constant 1 : index
        %1 = scf.for %arg3 = %c0_0 to %c9 step %c1_1 iter_args(%arg4 = %0) -> (f32) {
          %2 = memref.load %arg0[%arg3, %arg2] : memref<9x5xf32>
          %3 = arith.addf %2, %arg4 : f32
          scf.yield %3 : f32
        }
        memref.store %1, %arg1[%arg2] : memref<5xf32>
        scf.reduce
      }
      return
    }
    ```
    """

    name: ClassVar[str] = "accumulate-in-registers"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Lower the reductions in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == GENERIC]:
            if _is_lowered(each):
                with each.location:
                    _lower(each)
                state.count(self.name, "reductions")


def _is_lowered(op: ir.Operation) -> bool:
    """Whether a generic on memrefs outside of parallel loops has reductions and parallel loops."""
    kinds = set(iterators(op))
    if kinds != {"parallel", "reduction"} or len(op.results):
        return False
    outs = maps(op)[num_inputs(op) :]
    if any(dims_of(map) is None for map in outs):
        return False
    parent = op.parent.operation
    while parent.name != "func.func":
        if parent.name in PARALLEL or parent.parent is None:
            return False
        parent = parent.parent.operation
    return True


def _lower(op: ir.Operation) -> None:
    kinds = iterators(op)
    outs = list(range(num_inputs(op), len(op.operands)))
    parallel = dims_of(maps(op)[outs[0]])
    assert parallel is not None, "checked before"
    with ir.InsertionPoint(op):
        extents = extents_of(op)
        body = parallel_loop([extents[dim] for dim in parallel])
        indices = dict(zip(parallel, body.arguments, strict=True))
        blocks = [body]
        loops = []
        with ir.InsertionPoint(body):
            carried = [_read(op, place, indices) for place in outs]
        for dim in (dim for dim, kind in enumerate(kinds) if kind == "reduction"):
            with ir.InsertionPoint(blocks[-1]):
                loop, inner = for_loop(0, extents[dim], 1, carried)
            indices[dim] = inner.arguments[0]
            carried = list(inner.arguments)[1:]
            loops.append(loop)
            blocks.append(inner)
    last = list(operations(op.regions[0].blocks[0]))[-1]
    with ir.InsertionPoint(blocks[-1]):
        arguments = [_read(op, place, indices) for place in range(num_inputs(op))]
        where = [index_value(indices[dim]) for dim in range(len(kinds))]
        copies = inline_body(op, [*arguments, *carried], where)
    finish(blocks[-1], [copies.get(value, value) for value in last.operands])
    for block, loop in zip(reversed(blocks[1:-1]), reversed(loops[1:]), strict=True):
        finish(block, list(loop.results))
    with ir.InsertionPoint(body):
        for place, result in zip(outs, loops[0].results, strict=True):
            create_op("memref.store", [result, op.operands[place], *_place(op, place, indices)])
        create_op("scf.reduce")
    op.erase()


def _place(op: ir.Operation, place: int, indices: dict[int, ir.Value]) -> list[ir.Value]:
    found = []
    loops = [indices[dim] for dim in sorted(indices)]
    for result in maps(op)[place].results:
        if isinstance(result, ir.AffineDimExpr):
            found.append(indices[result.position])
            continue
        map = ir.AffineMap.get(len(loops), 0, [result])
        attributes = {"map": ir.AffineMapAttr.get(map)}
        found.append(create_value("affine.apply", index_type(), loops, attributes))
    return found


def _read(op: ir.Operation, place: int, indices: dict[int, ir.Value]) -> ir.Value:
    """The element of an operand in the iteration of these indices."""
    operand = op.operands[place]
    if not isinstance(operand.type, ir.MemRefType):
        return operand
    type = ir.MemRefType(operand.type).element_type
    return create_value("memref.load", type, [operand, *_place(op, place, indices)])
