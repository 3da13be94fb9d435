"""Disable the unrolling of short loops that can be vectorized."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.kernels.targets.record import TargetError, target_of

_BRANCH, _CONDITION = "llvm.br", "llvm.cond_br"
_LOOP = "loop_annotation"
_ANNOTATION = "#llvm.loop_annotation<unroll = <disable = true>>"
# The element type for which a loop must have a whole vector of iterations.
_BITS = 32
# LLVM completely unrolls no longer loop of a few instructions. Others are vectorized first, and
# unrolled then, which they profit from.
_MOST_ITERATIONS = 128


@dataclass
class DisableUnrolling(Pass):
    """Disable the unrolling of short loops that can be vectorized.

    LLVM unrolls a short loop of constant trip count before it vectorizes loops, and does not
    vectorize the instructions then: a copy of rows of 64 elements was 64 scalar loads and stores.
    This applies to innermost loops of up to 128 iterations, at least as many as a vector has
    elements, that have memory accesses and are not vectorized yet. The vectorizer interleaves
    iterations itself.

    Runs on the llvm dialect.

    Before:

    ```mlir
    llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
      %0 = llvm.mlir.constant(0 : index) : i64
      %1 = llvm.mlir.constant(1 : index) : i64
      %2 = llvm.mlir.constant(64 : index) : i64
      llvm.br ^bb1(%0 : i64)
    ^bb1(%3: i64):
      %4 = llvm.icmp "slt" %3, %2 : i64
      llvm.cond_br %4, ^bb2, ^bb3
    ^bb2:
      %5 = llvm.getelementptr %arg0[%3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %6 = llvm.load %5 : !llvm.ptr -> f32
      %7 = llvm.getelementptr %arg1[%3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %6, %7 : f32, !llvm.ptr
      %8 = llvm.add %3, %1 : i64
      llvm.br ^bb1(%8 : i64)
    ^bb3:
      llvm.return
    }
    ```

    After:

    ```mlir
    #loop_unroll = #llvm.loop_unroll<disable = true>
    #loop_annotation = #llvm.loop_annotation<unroll = #loop_unroll>
    llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
      %0 = llvm.mlir.constant(0 : index) : i64
      %1 = llvm.mlir.constant(1 : index) : i64
      %2 = llvm.mlir.constant(64 : index) : i64
      llvm.br ^bb1(%0 : i64)
    ^bb1(%3: i64):  // 2 preds: ^bb0, ^bb2
      %4 = llvm.icmp "slt" %3, %2 : i64
      llvm.cond_br %4, ^bb2, ^bb3
    ^bb2:  // pred: ^bb1
      %5 = llvm.getelementptr %arg0[%3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %6 = llvm.load %5 : !llvm.ptr -> f32
      %7 = llvm.getelementptr %arg1[%3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %6, %7 : f32, !llvm.ptr
      %8 = llvm.add %3, %1 : i64
      llvm.br ^bb1(%8 : i64) {loop_annotation = #loop_annotation}
    ^bb3:  // pred: ^bb1
      llvm.return
    }
    ```
    """

    name: ClassVar[str] = "disable-unrolling"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Annotate the loops of a module."""
        try:
            lanes = target_of(op).lanes(_BITS)
        except TargetError as error:
            state.diagnostics.error(op.location, str(error))
            raise PassFailure(self.name) from error
        annotation = ir.Attribute.parse(_ANNOTATION, op.context)
        for each in walk(op):
            if each.name == _BRANCH and _LOOP not in each.attributes:
                count = _trip_count(each)
                is_short = count is not None and lanes <= count <= _MOST_ITERATIONS
                if is_short and _can_be_vectorized(each):
                    each.attributes[_LOOP] = annotation
                    state.count(self.name, "loops")


def _trip_count(latch: ir.Operation) -> int | None:
    """The trip count of a loop of one block that a branch ends, if it is constant; else None.

    This is the form that `convert-scf-to-cf` gives a loop: the header compares the first argument
    with the upper bound, and the body branches back to it.
    """
    (header,) = list(latch.successors)
    first = next(operations(header))
    *_, end = operations(header)
    if first.name != "llvm.icmp" or end.name != _CONDITION or not len(header.arguments):
        return None
    if latch.block not in list(end.successors) or end.operands[0] != first.results[0]:
        return None
    counter, bound = first.operands
    if counter != header.arguments[0]:
        return None
    starts = [_passed(each, header) for each in _branches_to(header) if each != latch]
    if len(starts) != 1 or not starts[0]:
        return None
    step = defining_op(latch.operands[0])
    if step is None or step.name != "llvm.add" or step.operands[0] != counter:
        return None
    low, high, by = map(_constant, (starts[0][0], bound, step.operands[1]))
    if low is None or high is None or by is None or by <= 0:
        return None
    return max(0, -(-(high - low) // by))


def _branches_to(block: ir.Block) -> list[ir.Operation]:
    """The ops that branch to a block."""
    return [list(operations(other))[-1] for other in block.predecessors]


def _passed(branch: ir.Operation, block: ir.Block) -> list[ir.Value]:
    """The values that a branch passes to a block; none if that is unknown."""
    operands = list(branch.operands)
    if branch.name == _BRANCH:
        return operands
    targets = list(branch.successors)
    if branch.name != _CONDITION or targets.count(block) != 1:
        return []
    first, other = list(ir.DenseI32ArrayAttr(branch.attributes["operandSegmentSizes"]))[1:]
    passed = operands[1 : 1 + first], operands[1 + first : 1 + first + other]
    return passed[targets.index(block)]


def _constant(value: ir.Value) -> int | None:
    op = defining_op(value)
    if op is None or op.name != "llvm.mlir.constant":
        return None
    attribute = op.attributes["value"]
    return int(attribute.value) if isinstance(attribute, ir.IntegerAttr) else None


def _can_be_vectorized(latch: ir.Operation) -> bool:
    """Whether a loop accesses memory, and has neither calls nor vectors."""
    body = list(operations(latch.block))
    types = [result.type for op in body for result in op.results]
    names = {op.name for op in body}
    return (
        not any(isinstance(type, ir.VectorType) for type in types)
        and "llvm.call" not in names
        and bool(names & {"llvm.load", "llvm.store"})
    )
