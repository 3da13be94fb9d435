"""Disable LLVM's vectorization of loops with conditional divisions, which it computes wrongly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.base import Pass, RunState

_FUNCTION, _CONSTANT = "llvm.func", "llvm.mlir.constant"
_DIVISIONS = frozenset(("llvm.udiv", "llvm.urem", "llvm.sdiv", "llvm.srem"))
_LOOP = "loop_annotation"
_ANNOTATION = "#llvm.loop_annotation<vectorize = <disable = true>>"
_INNER = "#llvm.loop_annotation<vectorize = <disable = true>, unroll = <disable = true>>"


@dataclass
class DisableVectorization(Pass):
    """Disable LLVM's vectorization of loops with conditional divisions.

    Where a loop divides integers by a number that is no constant, under a condition, and the result
    is part of an address, LLVM 24 computes it for the first of the iterations of a vector, and uses
    it for all of them, if the CPU has gathers of AVX-512. It moves an unconditional division into
    the only branch that uses it, so this applies to all loops with such a division and more than
    one condition. Divisions are scalar in vectorized loops, too, so little is lost.

    A loop of OpenMP has no annotation: loops in it are not unrolled, so that it is not innermost.

    Runs on the llvm dialect.

    Before:

    ```mlir
    llvm.func @f(%arg0: !llvm.ptr, %arg1: i64, %arg2: i64, %arg3: i64) {
      %0 = llvm.mlir.constant(0 : i64) : i64
      %1 = llvm.mlir.constant(1 : i64) : i64
      %2 = llvm.mlir.constant(0.0 : f32) : f32
      llvm.br ^bb1(%0 : i64)
    ^bb1(%3: i64):
      %4 = llvm.icmp "slt" %3, %arg1 : i64
      llvm.cond_br %4, ^bb2, ^bb5
    ^bb2:
      %5 = llvm.icmp "slt" %3, %arg2 : i64
      llvm.cond_br %5, ^bb3, ^bb4
    ^bb3:
      %6 = llvm.urem %3, %arg3 : i64
      %7 = llvm.getelementptr %arg0[%6] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %2, %7 : f32, !llvm.ptr
      llvm.br ^bb4
    ^bb4:
      %8 = llvm.add %3, %1 : i64
      llvm.br ^bb1(%8 : i64)
    ^bb5:
      llvm.return
    }
    ```

    After:

    ```mlir
    #loop_vectorize = #llvm.loop_vectorize<disable = true>
    #loop_annotation = #llvm.loop_annotation<vectorize = #loop_vectorize>
    llvm.func @f(%arg0: !llvm.ptr, %arg1: i64, %arg2: i64, %arg3: i64) {
      %0 = llvm.mlir.constant(0 : i64) : i64
      %1 = llvm.mlir.constant(1 : i64) : i64
      %2 = llvm.mlir.constant(0.000000e+00 : f32) : f32
      llvm.br ^bb1(%0 : i64)
    ^bb1(%3: i64):  // 2 preds: ^bb0, ^bb4
      %4 = llvm.icmp "slt" %3, %arg1 : i64
      llvm.cond_br %4, ^bb2, ^bb5
    ^bb2:  // pred: ^bb1
      %5 = llvm.icmp "slt" %3, %arg2 : i64
      llvm.cond_br %5, ^bb3, ^bb4
    ^bb3:  // pred: ^bb2
      %6 = llvm.urem %3, %arg3 : i64
      %7 = llvm.getelementptr %arg0[%6] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %2, %7 : f32, !llvm.ptr
      llvm.br ^bb4
    ^bb4:  // 2 preds: ^bb2, ^bb3
      %8 = llvm.add %3, %1 : i64
      llvm.br ^bb1(%8 : i64) {loop_annotation = #loop_annotation}
    ^bb5:  // pred: ^bb1
      llvm.return
    }
    ```
    """

    name: ClassVar[str] = "disable-vectorization"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Annotate the loops of a module."""
        annotation, of_inner = (
            ir.Attribute.parse(each, op.context) for each in (_ANNOTATION, _INNER)
        )
        for function in operations(op.regions[0].blocks[0]):
            if function.name != _FUNCTION:
                continue
            dividing = {each.block for each in walk(function) if _is_division(each)}
            if not dividing:
                continue
            for owner, region in _regions(function):
                for latch, blocks in _loops(region):
                    if _LOOP in latch.attributes or dividing.isdisjoint(blocks):
                        continue
                    if sum(len(_terminator(block).successors) > 1 for block in blocks) > 1:
                        latch.attributes[_LOOP] = annotation if owner == function else of_inner
                        state.count(self.name, "loops")


def _is_division(op: ir.Operation) -> bool:
    """Whether an op divides numbers by one that is no constant."""
    if op.name not in _DIVISIONS or not isinstance(op.results[0].type, ir.IntegerType):
        return False
    divisor = defining_op(op.operands[1])
    return divisor is None or divisor.name != _CONSTANT


def _regions(op: ir.Operation) -> Iterator[tuple[ir.Operation, ir.Region]]:
    """The regions of an op, and of the ops in them, with their owners."""
    for each in (op, *walk(op)):
        for region in each.regions:
            yield each, region


def _terminator(block: ir.Block) -> ir.Operation:
    *_, last = operations(block)
    return last


def _loops(region: ir.Region) -> Iterator[tuple[ir.Operation, set[ir.Block]]]:
    """The natural loops of a region: the branches back to their headers, and their blocks."""
    following = {block: list(_terminator(block).successors) for block in region}
    before: dict[ir.Block, list[ir.Block]] = {block: [] for block in following}
    for block, targets in following.items():
        for target in targets:
            before[target].append(block)
    for latch, header in _back_edges(region.blocks[0], following):
        yield _terminator(latch), _blocks_between(header, latch, before)


def _back_edges(
    entry: ir.Block, following: Mapping[ir.Block, Sequence[ir.Block]]
) -> list[tuple[ir.Block, ir.Block]]:
    """The edges to a block that a depth-first walk has entered and not left."""
    found = []
    entered, left = {entry}, set()
    path = [(entry, iter(following[entry]))]
    while path:
        block, targets = path[-1]
        target = next(targets, None)
        if target is None:
            left.add(block)
            path.pop()
        elif target not in entered:
            entered.add(target)
            path.append((target, iter(following[target])))
        elif target not in left:
            found.append((block, target))
    return found


def _blocks_between(
    header: ir.Block, latch: ir.Block, before: Mapping[ir.Block, Sequence[ir.Block]]
) -> set[ir.Block]:
    """The blocks from which the latch is reached without the header, and the header."""
    found, waiting = {header}, [latch]
    while waiting:
        block = waiting.pop()
        if block not in found:
            found.add(block)
            waiting += before[block]
    return found
