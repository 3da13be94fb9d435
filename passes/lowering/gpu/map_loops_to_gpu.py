"""Map parallel loops to the blocks and threads of a GPU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    add,
    delinearize,
    divide_up,
    finish,
    if_then,
    less_than,
    move_body,
    multiply,
)
from torch_refine.dialect.structured_ops import operation_of
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.gpu.block_program import BlockProgram
from torch_refine.passes.lowering.gpu.host.launching import Launch
from torch_refine.passes.lowering.gpu.loops import (
    PARALLEL,
    THREADS,
    Bounds,
    holds,
    maps_to,
    replace_indices,
    serialize_inside,
)

_ACCESSES = (
    "memref.load",
    "memref.store",
    "vector.load",
    "vector.store",
    "vector.transfer_read",
    "vector.transfer_write",
)
# Ops that stay on the host, with their ancestors.
_HOST = ("func.call", "memref.alloc", "memref.dealloc", "gpu.launch")
_ARITHMETIC = ("arith.", "math.", "affine.", "complex.", "ub.", "vector.", "cf.assert")


@dataclass
class MapLoopsToGpu(Pass):
    """Map parallel loops to the blocks and threads of a GPU.

    A loop that its schedule marked for blocks becomes a launch with a block per iteration; nested
    parallel loops are distributed over the block's threads, with a barrier after each. Sequential
    ops in it are run by the first thread. Any other parallel loop is tiled into blocks of 256
    iterations, one per thread. Sequential code outside runs in a single thread.

    Sizes need not be divisible by anything: excess threads are idle.

    Before:

    ```mlir
    func.func @f(%arg0: memref<1000xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c1000 = arith.constant 1000 : index
      %cst = arith.constant 0.000000e+00 : f32
      scf.parallel (%arg1) = (%c0) to (%c1000) step (%c1) {
        memref.store %cst, %arg0[%arg1] : memref<1000xf32>
        scf.reduce
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<1000xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c1000 = arith.constant 1000 : index
      %cst = arith.constant 0.000000e+00 : f32
      %c1_0 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %c4, %arg8 = %c1_0, %arg9 = %c1_0) \
threads(%arg4, %arg5, %arg6) in (%arg10 = %c256, %arg11 = %c1_0, %arg12 = %c1_0) {
        %c256_1 = arith.constant 256 : index
        %0 = arith.muli %arg1, %c256_1 : index
        %1 = arith.addi %0, %arg4 : index
        %c1000_2 = arith.constant 1000 : index
        %2 = arith.cmpi slt, %1, %c1000_2 : index
        scf.if %2 {
          memref.store %cst, %arg0[%1] : memref<1000xf32>
        }
        gpu.terminator
      }
      return
    }
    ```
    """

    name: ClassVar[str] = "map-loops-to-gpu"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Map the loops of all functions of a module."""
        for function in list(operations(op.regions[0].blocks[0])):
            if function.name == "func.func" and len(function.regions[0].blocks):
                for block in function.regions[0]:
                    _Host(block, state).map()


class _Host:
    """A block of host code."""

    def __init__(self, block: ir.Block, state: RunState) -> None:
        self.block = block
        self.state = state
        # A sequence of loads, stores, arithmetic and conditions on what was loaded.
        self.straight: list[ir.Operation] = []

    def map(self) -> None:
        """Create launches for the ops that compute."""
        for op in list(operations(self.block)):
            if op.name in _ACCESSES or op.name.startswith(_ARITHMETIC) or _is_scalar(op):
                self.straight.append(op)
                continue
            self._launch_sequence()
            if op.name in PARALLEL:
                self._parallel(op)
            elif len(op.regions) and op.name.startswith("scf."):
                self._structured(op)
        self._launch_sequence()

    def _count(self, what: str) -> None:
        self.state.count(MapLoopsToGpu.name, what)

    def _fail(self, op: ir.Operation, why: str) -> None:
        self.state.diagnostics.error(op.location, why)
        raise PassFailure

    def _parallel(self, op: ir.Operation) -> None:
        if len(op.results):
            self._fail(op, "a parallel loop with results cannot run on a GPU")
        if maps_to(op, "block"):
            self._blocks(op)
        else:
            self._flat(op)

    def _blocks(self, op: ir.Operation) -> None:
        """A block per iteration."""
        body = op.regions[0].blocks[0]
        with ir.InsertionPoint(op), op.location:
            bounds = Bounds(op)
            total = bounds.total()
            divisors = bounds.divisors()
            launch = Launch(total, THREADS)
        inner = launch.body
        with ir.InsertionPoint(launch.body), op.location:
            if not isinstance(total, int) or total == 0:
                inner = if_then(less_than(launch.block_id, total)).regions[0].blocks[0]
        with ir.InsertionPoint(inner), op.location:
            counts = delinearize(launch.block_id, divisors)
            replace_indices(body, bounds.indices(counts))
        move_body(body, inner)
        op.erase()
        if inner != launch.body:
            finish(inner)
        launch.finish()
        BlockProgram(launch, inner, self.state).map()
        self._count("loops over blocks")

    def _flat(self, op: ir.Operation) -> None:
        """A thread per iteration."""
        body = op.regions[0].blocks[0]
        with ir.InsertionPoint(op), op.location:
            bounds = Bounds(op)
            total = bounds.total()
            divisors = bounds.divisors()
            launch = Launch(divide_up(total, THREADS), THREADS)
        with ir.InsertionPoint(launch.body), op.location:
            position = add(multiply(launch.block_id, THREADS), launch.thread_id)
            inner = launch.body
            if not isinstance(total, int) or total % THREADS or total == 0:
                inner = if_then(less_than(position, total)).regions[0].blocks[0]
        with ir.InsertionPoint(inner), op.location:
            replace_indices(body, bounds.indices(delinearize(position, divisors)))
        move_body(body, inner)
        op.erase()
        self._sequential(launch, inner)
        if inner != launch.body:
            finish(inner)
        launch.finish()
        self._count("flat loops")

    def _structured(self, op: ir.Operation) -> None:
        """A loop or condition of the host, or the whole op in a single thread."""
        if holds(op, _HOST) or not holds(op, (*PARALLEL, *_ACCESSES)):
            for region in op.regions:
                for block in region:
                    _Host(block, self.state).map()
            return
        if len(op.results):
            self._fail(op, "the host needs a value that the GPU computes")
        self._single([op])

    def _launch_sequence(self) -> None:
        """Launch a single thread for the loads and stores so far, with the ops between them."""
        accesses = [op for op in self.straight if op.name in _ACCESSES or holds(op, _ACCESSES)]
        moved: list[ir.Operation] = []
        values: set[ir.Value] = set()
        for op in self.straight if accesses else ():
            if op in accesses or _uses(op, values):
                moved.append(op)
                values.update(op.results)
        straight, self.straight = self.straight, []
        if not moved:
            return
        inside = set(moved)
        for op in moved:
            if any(not _is_used_in(inside, use) for result in op.results for use in result.uses):
                self._fail(op, "the host needs a value that the GPU computes")
        # What only these use, too: a launch cannot take every type.
        for op in reversed(straight):
            uses = [use for result in op.results for use in result.uses]
            if op not in inside and uses and all(_is_used_in(inside, use) for use in uses):
                inside.add(op)
        self._single([op for op in straight if op in inside])

    def _single(self, ops: list[ir.Operation]) -> None:
        with ir.InsertionPoint(ops[-1]), ops[-1].location:
            launch = Launch(1, 1)
        for op in ops:
            op.detach_from_parent()
            launch.body.append(op)
        self._sequential(launch, launch.body)
        launch.finish()
        self._count("single-thread launches")

    def _sequential(self, launch: Launch, body: ir.Block) -> None:
        """Serialize parallel loops inside, and make allocations private."""
        for op in list(operations(body)):
            serialize_inside(op)
        for op in list(walk(launch.op)):
            if op.name == "memref.alloc":
                self._fail(op, "a thread of a GPU cannot allocate memory of this size")
            if op.name == "memref.alloca" and op.block != launch.body:
                # An alloca in a loop would grow the stack in each iteration.
                if len(op.operands):
                    self._fail(op, "a thread of a GPU cannot allocate memory of this size")
                op.detach_from_parent()
                ir.InsertionPoint.at_block_begin(launch.body).insert(op)


def _is_scalar(op: ir.Operation) -> bool:
    """Whether an op is a condition or a loop that computes scalars, and nothing in parallel."""
    is_structured = bool(len(op.regions)) and op.name.startswith("scf.")
    return is_structured and not holds(op, (*PARALLEL, *_HOST))


def _is_used_in(ops: set[ir.Operation], use: ir.OpOperand) -> bool:
    """Whether a use is by one of some ops, or nested in one."""
    owner: ir.Operation | None = operation_of(use.owner)
    while owner is not None and owner not in ops:
        parent = owner.parent
        owner = None if parent is None else operation_of(parent)
    return owner is not None


def _uses(op: ir.Operation, values: set[ir.Value]) -> bool:
    return any(operand in values for each in [op, *walk(op)] for operand in each.operands)
