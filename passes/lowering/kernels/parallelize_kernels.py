"""Distribute the outermost loop of kernels over threads."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.structured_ops import (
    GENERIC,
    dims_of,
    is_structured,
    iterators,
    maps,
    num_inputs,
)
from torch_refine.passes.base import Pass, RunState, option
from torch_refine.passes.lowering.kernels.contractions.chain import CONTRACTION, Chain, chain_of
from torch_refine.passes.lowering.kernels.contractions.schedule import ScheduleError, schedule_of
from torch_refine.passes.lowering.kernels.outlining import kernels, mark_root
from torch_refine.passes.lowering.kernels.schedules import Schedules
from torch_refine.passes.lowering.kernels.targets.record import TargetError

# With fewer elements, waking threads takes longer than computing.
_LEAST_ELEMENTS = 1 << 15
# The tile size of a thread in a dynamic dimension.
_PART = 64
# The same threshold for a contraction, in multiplications.
_LEAST_WORK = 1 << 19


@dataclass
class ParallelizeKernels(Pass):
    """Distribute the outermost loop of kernels over threads.

    Each thread computes a slice of the result with the producers that it needs, and writes nothing
    else. The schedule is `threads.mlir`. Small kernels, and those whose result cannot be tiled, do
    not change.

    Before:

    ```mlir
    func.func private @kernel(%arg0: tensor<64x1024xf32>, %arg1: tensor<64x1024xf32>) -> \
tensor<64x1024xf32> attributes {torch_refine.kernel = "loops"} {
      %0 = linalg.exp ins(%arg0 : tensor<64x1024xf32>) outs(%arg1 : tensor<64x1024xf32>) -> \
tensor<64x1024xf32>
      return %0 : tensor<64x1024xf32>
    }
    ```

    After:

    ```mlir
    func.func private @kernel(%arg0: tensor<64x1024xf32>, %arg1: tensor<64x1024xf32>) -> \
tensor<64x1024xf32> attributes {torch_refine.kernel = "loops"} {
      %0 = scf.forall (%arg2) = (0) to (64) step (32) shared_outs(%arg3 = %arg1) -> \
(tensor<64x1024xf32>) {
        %extracted_slice = tensor.extract_slice %arg0[%arg2, 0] [32, 1024] [1, 1] : \
tensor<64x1024xf32> to tensor<32x1024xf32>
        %extracted_slice_0 = tensor.extract_slice %arg3[%arg2, 0] [32, 1024] [1, 1] : \
tensor<64x1024xf32> to tensor<32x1024xf32>
        %1 = linalg.exp {torch_refine.root} ins(%extracted_slice : tensor<32x1024xf32>) \
outs(%extracted_slice_0 : tensor<32x1024xf32>) -> tensor<32x1024xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %1 into %arg3[%arg2, 0] [32, 1024] [1, 1] : \
tensor<32x1024xf32> into tensor<64x1024xf32>
        }
      }
      return %0 : tensor<64x1024xf32>
    }
    ```
    """

    name: ClassVar[str] = "parallelize-kernels"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    threads: int = option(2, "the number of threads")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Parallelize the kernels of a module."""
        schedules = Schedules(self.name, state)
        for kind, kernel in kernels(op):
            body = _body(kernel)
            # Some only assert, in loops.
            if self.threads < 2 or not any(is_structured(each) for each in body):
                continue
            root = mark_root(kernel)
            if any(each.name == "scf.forall" for each in body):
                continue
            if any(_asserts(each) for each in body):
                # A thread cannot return from its function.
                state.count(self.name, "kernels that assert")
                continue
            chain = chain_of(root) if kind in ("attention", "contraction") else None
            if chain is not None:
                state.count(self.name, "kernels shared", _distribute(chain, self.threads))
                continue
            tiles = _tiles(root, self.threads)
            if tiles is None or not _has_elements(kernel):
                continue
            done = schedules.apply("threads", kernel, {"TILES": ", ".join(map(str, tiles))})
            state.count(self.name, "kernels shared" if done else "kernels that cannot be tiled")


def _asserts(op: ir.Operation) -> bool:
    """Whether a kernel has per-element assertions."""
    return op.name == GENERIC and any(each.name == "cf.assert" for each in walk(op))


def _body(kernel: ir.Operation) -> list[ir.Operation]:
    return list(operations(kernel.regions[0].blocks[0]))


def _distribute(chain: Chain, threads: int) -> int:
    """Set the threads of a contraction's schedule; 0 if parallelizing does not pay."""
    try:
        schedule = schedule_of(chain.sums)
    except (ScheduleError, TargetError):
        # `schedule-kernels` reports it.
        return 0
    if schedule is None or not _has_work(chain):
        return 0
    shared = replace(schedule, threads=threads)
    chain.sums.attributes[CONTRACTION] = shared.attribute(chain.sums.context)
    return 1


def _tiles(root: ir.Operation, threads: int) -> list[int] | None:
    """The tile sizes that give each thread a slice; None if no loop can be tiled."""
    for loop, size in _parallel_loops(root):
        if size < 0:
            part = _PART
        elif size >= threads:
            part = -(-size // threads)
        else:
            continue
        return [0] * loop + [part]
    return None


def _parallel_loops(root: ir.Operation) -> list[tuple[int, int]]:
    """The parallel loops with their sizes, in order."""
    if not len(root.results):
        return []
    sizes = ir.RankedTensorType(root.results[0].type).shape
    if root.name == "linalg.pack":
        # Its loops are those of its source.
        sizes = sizes[: ir.RankedTensorType(root.operands[0].type).rank]
    if root.name != GENERIC:
        return list(enumerate(sizes))
    dims = dims_of(maps(root)[num_inputs(root)])
    if dims is None:
        return []
    kinds = iterators(root)
    found = zip(dims, sizes, strict=True)
    return sorted((dim, size) for dim, size in found if kinds[dim] == "parallel")


def _has_work(chain: Chain) -> bool:
    work = 1
    for operand in chain.sums.operands:
        type = ir.RankedTensorType(operand.type)
        if not type.has_static_shape:
            return True
        work *= math.prod(type.shape)
    # Each loop is one of two operands or of an operand and the result.
    return math.isqrt(work) >= _LEAST_WORK


def _has_elements(kernel: ir.Operation) -> bool:
    elements = 0
    for argument in kernel.regions[0].blocks[0].arguments:
        if isinstance(argument.type, ir.RankedTensorType):
            type = ir.RankedTensorType(argument.type)
            if not type.has_static_shape:
                return True
            elements += math.prod(type.shape)
    return elements >= _LEAST_ELEMENTS
