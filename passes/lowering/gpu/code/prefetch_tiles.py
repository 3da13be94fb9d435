"""Load the next tiles of a contraction while the current ones are multiplied."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    add,
    as_fold_result,
    create_value,
    finish,
    for_loop,
    if_then,
    index_value,
    less_than,
)
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.gpu.shared_accesses import VIEWS, accesses_of

_BARRIER = "gpu.barrier"
_LOADS = ("vector.load", "memref.load")
_SHARED = "workgroup"
# Their operands and sums fill the registers that most blocks at a time leave to a thread.
_TENSOR_CORES = "nvgpu.mma.sync"
_MOST_UNROLLED = 8
_LESS_THAN = 2
_COUNTS = ("arith.addi", "arith.muli", "arith.divui", "arith.remui")
_PURE = ("arith.", "affine.apply", "vector.", "ub.", "scf.yield", *VIEWS)


@dataclass
class PrefetchTiles(Pass):
    """Load the next tiles of a contraction while the current ones are multiplied.

    A loop that copies tiles into shared memory, waits, and computes with them would wait for global
    memory in every iteration. Its loads move to the iteration before, behind its barrier; the
    vectors are carried in registers, and those of the first iteration are loaded before the loop.

    Before:

    ```mlir
    func.func @f(%arg0: memref<64xf32>, %arg1: memref<4xf32, #gpu.address_space<workgroup>>, \
%arg2: index, %arg3: f32) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %0 = scf.for %arg4 = %c0 to %c64 step %c1 iter_args(%arg5 = %arg3) -> (f32) {
        %1 = memref.load %arg0[%arg4] : memref<64xf32>
        memref.store %1, %arg1[%c0] : memref<4xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %2 = memref.load %arg1[%arg2] : memref<4xf32, #gpu.address_space<workgroup>>
        %3 = arith.addf %arg5, %2 : f32
        gpu.barrier
        scf.yield %3 : f32
      }
      return %0 : f32
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<64xf32>, %arg1: memref<4xf32, #gpu.address_space<workgroup>>, \
%arg2: index, %arg3: f32) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %0 = arith.cmpi slt, %c0, %c64 : index
      %1 = scf.if %0 -> (f32) {
        %3 = memref.load %arg0[%c0] : memref<64xf32>
        scf.yield %3 : f32
      } else {
        %cst = arith.constant 0.000000e+00 : f32
        scf.yield %cst : f32
      }
      %2:2 = scf.for %arg4 = %c0 to %c64 step %c1 iter_args(%arg5 = %arg3, %arg6 = %1) -> (f32, \
f32) {
        memref.store %arg6, %arg1[%c0] : memref<4xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %3 = arith.addi %arg4, %c1 : index
        %4 = arith.cmpi slt, %3, %c64 : index
        %5 = scf.if %4 -> (f32) {
          %8 = memref.load %arg0[%3] : memref<64xf32>
          scf.yield %8 : f32
        } else {
          %cst = arith.constant 0.000000e+00 : f32
          scf.yield %cst : f32
        }
        %6 = memref.load %arg1[%arg2] : memref<4xf32, #gpu.address_space<workgroup>>
        %7 = arith.addf %arg5, %6 : f32
        gpu.barrier
        scf.yield %7, %5 : f32, f32
      }
      return %2#0 : f32
    }
    ```
    """

    name: ClassVar[str] = "prefetch-tiles"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the loops of a module, or of one function."""
        for loop in [each for each in walk(op) if _waits(each)]:
            ops = list(operations(loop.regions[0].blocks[0]))
            for inner in takewhile(lambda each: each.name != _BARRIER, ops):
                _unroll(inner)
            found = _TileLoop(loop)
            if found.is_possible():
                with loop.location:
                    found.rewrite()
                state.count(self.name, "loops")


class _TileLoop:
    """A loop that loads tiles, waits at a barrier, and computes with them."""

    def __init__(self, loop: ir.Operation) -> None:
        self.loop = loop
        self.body = loop.regions[0].blocks[0]
        self.index = self.body.arguments[0]
        ops = list(operations(self.body))
        places = [place for place, op in enumerate(ops) if op.name == _BARRIER]
        self.before = ops[: places[0]] if places else []
        self.after = ops[places[0] :] if places else []
        # The loads, with conditions around them.
        self.loads = [op for op in self.before if _is_load(op)]
        self.moved = self._slice()

    def _slice(self) -> list[ir.Operation] | None:
        """The ops of an iteration that the loads depend on, in order; None if one has effects."""
        needed: set[ir.Operation] = set()
        pending = list(self.loads)
        while pending:
            op = pending.pop()
            if op in needed:
                continue
            needed.add(op)
            if op not in self.loads and not op.name.startswith(_PURE):
                return None
            for operand in _operands(op):
                if operand in self.body.arguments[1:]:
                    return None
                producer = defining_op(operand)
                if producer is not None and producer.block == self.body:
                    pending.append(producer)
        return [op for op in self.before if op in needed]

    def is_possible(self) -> bool:
        """Whether there are loads, and the loop writes to shared memory only."""
        if not self.loads or self.moved is None:
            return False
        if any(each.name == _TENSOR_CORES for each in walk(self.loop)):
            return False
        ops = [op for op in (*self.before, *self.after) if op.name not in (_BARRIER, "scf.yield")]
        accesses = [accesses_of(op) for op in ops]
        if any(each is None for each in accesses):
            return False
        written = {root for each in accesses if each is not None for root in each.writes}
        return all(_is_shared(root) for root in written)

    def rewrite(self) -> None:
        """Replace the loop."""
        start, end, step, *carried = self.loop.operands
        with ir.InsertionPoint(self.loop):
            first = self._load(start, end)
            made, body = for_loop(start, end, step, [*carried, *first])
        count = len(carried)
        for old, new in zip(self.body.arguments, body.arguments, strict=False):
            old.replace_all_uses_with(new)
        self.index = body.arguments[0]
        moved = [*self.before, *self.after]
        for op in moved:
            op.detach_from_parent()
            body.append(op)
        last = moved[-1]
        with ir.InsertionPoint(self.after[1]):
            following = add(self.index, step)
            vectors = self._load(following, end)
        for load, argument in zip(self.loads, body.arguments[1 + count :], strict=True):
            load.results[0].replace_all_uses_with(argument)
        yielded = [*last.operands, *vectors]
        last.erase()
        finish(body, yielded)
        for result, new in zip(self.loop.results, made.results, strict=False):
            result.replace_all_uses_with(new)
        self.loop.erase()
        for load in self.loads:
            load.erase()

    def _load(self, index: ir.Value, end: ir.Value) -> list[ir.Value]:
        """Copies of the loads for another iteration; their values past the last are not used."""
        known = {self.index: index}
        is_inside = less_than(index, end)
        for op in self.moved or []:
            if op not in self.loads:
                _copy(op, known)
            elif op.name in _LOADS:
                known[op.result] = _load_if(is_inside, op, known)
            else:
                _copy(op, known)
                made = operation_of(known[op.results[0]].owner)
                if _implies(made.operands[0], index, end):
                    continue
                with ir.InsertionPoint(made):
                    made.operands[0] = create_value(
                        "arith.andi", is_inside.type, [made.operands[0], is_inside]
                    )
        return [known[load.results[0]] for load in self.loads]


def _implies(condition: ir.Value, index: ir.Value, end: ir.Value) -> bool:
    """Whether a condition contains that the sum of an index and another is less than its end."""
    op = defining_op(condition)
    if op is None:
        return False
    if op.name == "arith.andi":
        return any(_implies(each, index, end) for each in op.operands)
    if op.name != "arith.cmpi" or op.operands[1] != end:
        return False
    less = ir.IntegerAttr(op.attributes["predicate"]).value == _LESS_THAN
    total = defining_op(op.operands[0])
    return less and (
        op.operands[0] == index
        or (
            total is not None
            and total.name == "arith.addi"
            and total.operands[0] == index
            and _is_count(total.operands[1])
        )
    )


def _is_count(value: ir.Value) -> bool:
    """Whether an index cannot be negative: a thread's number, or a part of it."""
    op = defining_op(value)
    if op is None:
        return bool(operation_of(value.owner.owner).name == "gpu.launch")
    if op.name == "arith.constant":
        return bool(ir.IntegerAttr(op.attributes["value"]).value >= 0)
    return op.name in _COUNTS and all(map(_is_count, op.operands))


def _load_if(condition: ir.Value, load: ir.Operation, known: dict[ir.Value, ir.Value]) -> ir.Value:
    """A copy of a load if a condition holds; else zeros."""
    type = load.result.type
    made = if_then(condition, [type])
    there, otherwise = (region.blocks[0] for region in made.regions)
    with ir.InsertionPoint(there):
        _copy(load, known)
    finish(there, [known[load.result]])
    with ir.InsertionPoint(otherwise):
        zeros = _zero(type)
    finish(otherwise, [zeros])
    return made.result


def _waits(op: ir.Operation) -> bool:
    """Whether an op is a loop with a barrier in each iteration."""
    return op.name == "scf.for" and any(
        each.name == _BARRIER for each in operations(op.regions[0].blocks[0])
    )


def _copy(op: ir.Operation, known: dict[ir.Value, ir.Value]) -> None:
    """Copy an op to the insertion point, with other operands for those that are known."""
    copy = op.clone()
    for each in [copy, *walk(copy)]:
        for place, operand in enumerate(each.operands):
            if operand in known:
                each.operands[place] = known[operand]
    known.update(zip(op.results, copy.results, strict=True))


def _unroll(loop: ir.Operation) -> None:
    """Unroll a loop of few iterations that loads vectors."""
    if loop.name != "scf.for" or len(loop.results):
        return
    bounds = [as_fold_result(operand) for operand in loop.operands]
    numbers = [each for each in bounds if isinstance(each, int)]
    if len(numbers) < len(bounds) or not any(each.name in _LOADS for each in walk(loop)):
        return
    counts = range(*numbers)
    if len(counts) > _MOST_UNROLLED:
        return
    body = loop.regions[0].blocks[0]
    for count in counts:
        with ir.InsertionPoint(loop), loop.location:
            known = {body.arguments[0]: index_value(count)}
            for op in list(operations(body))[:-1]:
                _copy(op, known)
    loop.erase()


def _is_load(op: ir.Operation) -> bool:
    """Whether an op is a load from global memory, or a condition around one."""
    if op.name in _LOADS:
        return not _is_shared(op.operands[0])
    if op.name != "scf.if" or len(op.results) != 1:
        return False
    inner = [each for each in walk(op) if each != op]
    loads = [each for each in inner if each.name in _LOADS]
    return (
        len(loads) == 1
        and not _is_shared(loads[0].operands[0])
        and all(each.name.startswith(_PURE) or each in loads for each in inner)
    )


def _operands(op: ir.Operation) -> list[ir.Value]:
    return [operand for each in [op, *walk(op)] for operand in each.operands]


def _is_shared(memory: ir.Value) -> bool:
    return _SHARED in str(ir.MemRefType(memory.type).memory_space)


def _zero(type: ir.Type) -> ir.Value:
    is_vector = isinstance(type, ir.VectorType)
    element = ir.VectorType(type).element_type if is_vector else type
    number = "0.0" if isinstance(element, ir.FloatType) else "0"
    text = f"dense<{number}>" if is_vector else number
    value = ir.Attribute.parse(f"{text} : {type}", type.context)
    return create_value("arith.constant", type, [], {"value": value})
