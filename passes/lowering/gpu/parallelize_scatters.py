"""Scatter elements in parallel, with atomic updates where they are combined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    create_op,
    create_value,
    index_type,
    index_value,
    move_body,
    parallel_loop,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.buffers.memory import sizes_of

_SCATTER = "tm_tensor.scatter"
# The kinds of `memref.atomic_rmw` with an instruction of NVIDIA's chips, or a loop by LLVM.
_KINDS = {
    "arith.addf": 0,
    "arith.addi": 1,
    "arith.maximumf": 4,
    "arith.maxsi": 6,
    "arith.maxui": 7,
    "arith.minimumf": 8,
    "arith.minsi": 10,
    "arith.minui": 11,
}


@dataclass
class ParallelizeScatters(Pass):
    """Scatter elements in parallel, with atomic updates where they are combined.

    Upstream's loops scatter one update after the other, in a single thread of a GPU. Here each
    element of the updates is an iteration of a parallel loop. Which of several updates of an
    element is the last one, and in which order sums are computed, is not determined, as in PyTorch
    on a GPU. Bools and complex numbers have no atomic updates: they are left, unless no element is
    written twice or updates only overwrite.

    Before:

    ```mlir
    func.func @f(%arg0: memref<5x3xf32>, %arg1: memref<5x1xi64>, %arg2: memref<9x3xf32>) {
      tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%arg0, %arg1 : \
memref<5x3xf32>, memref<5x1xi64>) outs(%arg2 : memref<9x3xf32>) {
      ^bb0(%arg3: f32, %arg4: f32):
        %0 = arith.addf %arg4, %arg3 : f32
        tm_tensor.yield %0 : f32
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<5x3xf32>, %arg1: memref<5x1xi64>, %arg2: memref<9x3xf32>) {
      %c0 = arith.constant 0 : index
      %c0_0 = arith.constant 0 : index
      %c5 = arith.constant 5 : index
      %c3 = arith.constant 3 : index
      %c1 = arith.constant 1 : index
      %c1_1 = arith.constant 1 : index
      scf.parallel (%arg3, %arg4) = (%c0, %c0_0) to (%c5, %c3) step (%c1, %c1_1) {
        %c0_2 = arith.constant 0 : index
        %0 = memref.load %arg1[%arg3, %c0_2] : memref<5x1xi64>
        %1 = arith.index_cast %0 : i64 to index
        %2 = memref.load %arg0[%arg3, %arg4] : memref<5x3xf32>
        %3 = memref.atomic_rmw addf %2, %arg2[%1, %arg4] : (f32, memref<9x3xf32>) -> f32
        scf.reduce 
      }
      return
    }
    ```
    """

    name: ClassVar[str] = "parallelize-scatters"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == _SCATTER]:
            if _is_parallel(each):
                with each.location:
                    _parallelize(each)
                state.count(self.name, "scatters")


def _is_parallel(op: ir.Operation) -> bool:
    """Whether an op is on memrefs, and its elements can be written in any order."""
    if len(op.results) or not all(isinstance(each.type, ir.MemRefType) for each in op.operands):
        return False
    return _is_unordered(op) or _is_atomic(ir.MemRefType(op.operands[2].type).element_type)


def _is_unordered(op: ir.Operation) -> bool:
    """Whether no element is written twice, or what is there is not read."""
    reads = len(list(op.regions[0].blocks[0].arguments[1].uses))
    return bool(ir.BoolAttr(op.attributes["unique_indices"]).value) or not reads


def _is_atomic(type: ir.Type) -> bool:
    if isinstance(type, ir.IntegerType):
        return bool(type.width >= 8)
    return isinstance(type, (ir.F16Type, ir.BF16Type, ir.F32Type, ir.F64Type))


def _parallelize(op: ir.Operation) -> None:
    updates, indices, out = op.operands
    with ir.InsertionPoint(op):
        body = parallel_loop(sizes_of(updates))
    block = op.regions[0].blocks[0]
    with ir.InsertionPoint(body):
        places = _places(op, indices, list(body.arguments), ir.MemRefType(out.type).rank)
        new = _load(updates, list(body.arguments))
        block.arguments[0].replace_all_uses_with(new)
        if _is_unordered(op):
            _write(block, out, places)
        else:
            _update(block, new, out, places)
        create_op("scf.reduce")
    op.erase()


def _places(
    op: ir.Operation, indices: ir.Value, counts: list[ir.Value], rank: int
) -> list[ir.Value]:
    """The indices of an element: those of the slice that it is in, and its own in the slice."""
    window: list[Number] = [*counts[1:]]
    found: list[Number] = [*[0] * (rank - len(window)), *window]
    for column, dim in enumerate(ir.DenseI64ArrayAttr(op.attributes["dimension_map"])):
        start = _load(indices, [counts[0], index_value(column)])
        found[dim] = add(create_value("arith.index_cast", index_type(), [start]), found[dim])
    return [index_value(each) for each in found]


def _write(block: ir.Block, out: ir.Value, places: list[ir.Value]) -> None:
    """Write an element that no other iteration writes, or that nothing reads."""
    old = block.arguments[1]
    if len(list(old.uses)):
        old.replace_all_uses_with(_load(out, places))
    for each in list(operations(block))[:-1]:
        each.detach_from_parent()
        ir.InsertionPoint.current.insert(each)
    create_op("memref.store", [_yielded(block), out, *places])


def _update(block: ir.Block, new: ir.Value, out: ir.Value, places: list[ir.Value]) -> None:
    """Update an element that other iterations update, too."""
    old = block.arguments[1]
    body = list(operations(block))[:-1]
    if len(body) == 1 and body[0].name in _KINDS and set(body[0].operands) == {new, old}:
        kind = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _KINDS[body[0].name])
        create_value("memref.atomic_rmw", new.type, [new, out, *places], {"kind": kind})
        return
    update = create_op("memref.generic_atomic_rmw", [out, *places], {}, [new.type], regions=1)
    inner = ir.Block.create_at_start(update.regions[0], [new.type], [ir.Location.current])
    old.replace_all_uses_with(inner.arguments[0])
    found = _yielded(block)
    move_body(block, inner)
    with ir.InsertionPoint(inner):
        create_op("memref.atomic_yield", [found])


def _yielded(block: ir.Block) -> ir.Value:
    return list(operations(block))[-1].operands[0]


def _load(memory: ir.Value, places: list[ir.Value]) -> ir.Value:
    type = ir.MemRefType(memory.type).element_type
    return create_value("memref.load", type, [memory, *places])
