"""Distribute the body of a block over its threads."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    add,
    create_op,
    delinearize,
    equal,
    finish,
    for_loop,
    if_then,
    index_value,
    less_than,
    move_body,
    multiply,
)
from torch_refine.passes.base import PassFailure, RunState
from torch_refine.passes.lowering.gpu.host.launching import Launch, barrier
from torch_refine.passes.lowering.gpu.loops import (
    PARALLEL,
    THREADS,
    Bounds,
    holds,
    replace_indices,
    serialize_inside,
)
from torch_refine.passes.lowering.gpu.shared_accesses import NOTHING, accesses_of, has_effects

SHARED = "torch_refine.shared"
"""On allocations in shared memory."""

_READS = ("memref.load", "vector.transfer_read")
_ENDS = ("gpu.terminator", "scf.yield")
_WRITES = ("memref.store", "vector.transfer_write")


class BlockProgram:
    """The body of a block: written for one thread, with parallel loops inside.

    All threads run it. The iterations of its parallel loops are distributed over them; other writes
    to memory are done by the first thread. Each of these is followed by a barrier, and preceded by
    one where memory was read since the last. Adjacent loops without dependences, such as those that
    load two tiles, have one barrier after the last of them. There is none at the end of a kernel.
    """

    def __init__(self, launch: Launch, body: ir.Block, state: RunState) -> None:
        self.launch = launch
        self.body = body
        self.state = state
        self.has_read = False
        # The accesses of loops since the last barrier.
        self.since = NOTHING

    def map(self) -> None:
        """Distribute the work over the threads."""
        self._block(self.body)

    def _block(self, block: ir.Block) -> None:
        for op in list(operations(block)):
            if op.name in PARALLEL:
                self._wait_before(op)
                self._shared_loop(op)
            elif op.name in _READS:
                self.has_read = True
            elif op.name in _WRITES:
                self._first_thread(op)
            elif len(op.regions):
                self._structured(op)
            elif op.name in ("memref.alloca", "memref.alloc"):
                self._memory(op)

    def _wait_before(self, op: ir.Operation) -> None:
        if self.has_read:
            with ir.InsertionPoint(op), op.location:
                barrier()
            self.has_read = False

    def _shared_loop(self, op: ir.Operation) -> None:
        """Thread t runs the iterations t, t + 256, and so on."""
        body = op.regions[0].blocks[0]
        thread = self.launch.thread_id
        waits = self._waits_after(op)
        with ir.InsertionPoint(op), op.location:
            bounds = Bounds(op)
            total = bounds.total()
            divisors = bounds.divisors()
            inner: ir.Block | None = None
            if isinstance(total, int) and total < THREADS:
                inner = if_then(less_than(thread, total)).regions[0].blocks[0]
                position: ir.Value = thread
            elif total == THREADS:
                position = thread
            elif isinstance(total, int) and total % THREADS == 0:
                # The trip count per thread is a constant, so LLVM unrolls the loop.
                _, inner = for_loop(0, total // THREADS, 1)
                with ir.InsertionPoint(inner):
                    offset = multiply(inner.arguments[0], THREADS)
                    position = index_value(add(offset, thread))
            else:
                _, inner = for_loop(thread, total, THREADS)
                position = inner.arguments[0]
            with ir.InsertionPoint(inner) if inner is not None else ir.InsertionPoint(op):
                replace_indices(body, bounds.indices(delinearize(position, divisors)))
        if inner is not None:
            move_body(body, inner)
            moved = list(operations(inner))
            finish(inner)
        else:
            moved = list(operations(body))[:-1]
            for each in moved:
                each.move_before(op)
        if waits:
            with ir.InsertionPoint(op), op.location:
                barrier()
        op.erase()
        for each in moved:
            serialize_inside(each)
            self._private(each)

    def _waits_after(self, op: ir.Operation) -> bool:
        """Whether a barrier is needed between a loop and the next op."""
        own = accesses_of(op)
        ops = list(operations(op.block))
        following = next((each for each in ops[ops.index(op) + 1 :] if has_effects(each)), None)
        if op.block == self.body and (following is None or following.name in _ENDS):
            return False
        if own is not None and following is not None and following.name in PARALLEL:
            together, then = self.since | own, accesses_of(following)
            if then is not None and together.are_independent(then):
                self.since = together
                return False
        self.since = NOTHING
        return True

    def _first_thread(self, op: ir.Operation) -> None:
        self._wait_before(op)
        with ir.InsertionPoint(op), op.location:
            inner = if_then(equal(self.launch.thread_id, 0)).regions[0].blocks[0]
            barrier()
        op.detach_from_parent()
        inner.append(op)
        finish(inner)

    def _structured(self, op: ir.Operation) -> None:
        """A loop or a condition: it is uniform over the threads."""
        if not holds(op, (*PARALLEL, *_WRITES)):
            self.has_read = self.has_read or holds(op, _READS)
        elif not holds(op, PARALLEL) and not len(op.results):
            self._first_thread(op)
        else:
            self._wait_before(op)
            for region in op.regions:
                for block in region:
                    self._block(block)
                    # The next iteration may write to memory that this one read.
                    self._wait_before(list(operations(block))[-1])
            # Writes of iterations may be sunk below it (`keep-accumulators-in-registers`).
            following = list(operations(op.block))
            with ir.InsertionPoint(following[following.index(op) + 1]), op.location:
                barrier()

    def _memory(self, op: ir.Operation) -> None:
        type = ir.MemRefType(op.result.type)
        if not type.has_static_shape:
            self.state.diagnostics.error(
                op.location, "a block cannot have shared memory of this size"
            )
            raise PassFailure
        shared = self.launch.share(type)
        with ir.InsertionPoint(op), op.location:
            # LLVM infers the address space.
            cast = create_op("memref.memory_space_cast", [shared], results=[type])
        op.result.replace_all_uses_with(cast.result)
        op.erase()

    def _private(self, op: ir.Operation) -> None:
        """Allocations of a thread are private; in a loop they would grow the stack in each
        iteration."""
        for each in [*walk(op), op]:
            if each.name == "memref.alloc" or (each.name == "memref.alloca" and each.operands):
                self.state.diagnostics.error(
                    each.location, "a thread of a GPU cannot allocate memory of this size"
                )
                raise PassFailure
            if each.name == "memref.alloca":
                each.detach_from_parent()
                ir.InsertionPoint.at_block_begin(self.launch.body).insert(each)
