"""What the threads of a block do together."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import PassFailure, RunState
from torch_refine.passes.lowering.building import (
    add,
    delinearize,
    equal,
    finish,
    for_loop,
    if_then,
    less_than,
    move_body,
    multiply,
    value_of,
)
from torch_refine.passes.lowering.gpu.launching import Launch, barrier
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
"""On memory that the threads of a block share."""

_READS = ("memref.load", "vector.transfer_read")
_WRITES = ("memref.store", "vector.transfer_write")


class BlockProgram:
    """The body of a block: written for one thread, with parallel loops inside.

    All threads run it. They share the turns of its parallel loops; what else writes to memory is
    left to the first of them. After each of these all wait for each other, and before it, too,
    where they read memory since the last time. Loops that follow each other and have nothing to do
    with each other, such as those that load two tiles, have one barrier after the last of them.
    """

    def __init__(self, launch: Launch, body: ir.Block, state: RunState) -> None:
        self.launch = launch
        self.body = body
        self.state = state
        self.has_read = False
        # What loops accessed since the last barrier.
        self.since = NOTHING

    def map(self) -> None:
        """Share the work among the threads."""
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
        """Thread t does the turns t, t + 256, and so on."""
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
                # How many turns each thread has is plain to see, so LLVM unrolls them.
                _, inner = for_loop(0, total // THREADS, 1)
                with ir.InsertionPoint(inner):
                    turns = multiply(inner.arguments[0], THREADS)
                    position = value_of(add(turns, thread))
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
        """Whether there is a barrier between a loop and what comes next."""
        own = accesses_of(op)
        ops = list(operations(op.block))
        following = next((each for each in ops[ops.index(op) + 1 :] if has_effects(each)), None)
        if own is not None and following is not None and following.name in PARALLEL:
            together, then = self.since | own, accesses_of(following)
            if then is not None and together.are_apart(then):
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
        """A loop or a condition: every thread goes the same way, as no thread's number decides."""
        if not holds(op, (*PARALLEL, *_WRITES)):
            self.has_read = self.has_read or holds(op, _READS)
        elif not holds(op, PARALLEL) and not len(op.results):
            self._first_thread(op)
        else:
            self._wait_before(op)
            for region in op.regions:
                for block in region:
                    self._block(block)
                    # The next turn may write what this one read.
                    self._wait_before(list(operations(block))[-1])
            # What its turns wrote may be moved behind it (`keep-sums-in-registers`).
            following = list(operations(op.block))
            with ir.InsertionPoint(following[following.index(op) + 1]), op.location:
                barrier()

    def _memory(self, op: ir.Operation) -> None:
        type = ir.MemRefType(op.result.type)
        if not type.has_static_shape:
            self.state.diagnostics.error(op.location, "a block cannot share memory of this size")
            raise PassFailure
        shared = self.launch.share(type)
        with ir.InsertionPoint(op), op.location:
            # LLVM finds out where it points to.
            cast = ir.Operation.create(
                "memref.memory_space_cast", results=[type], operands=[shared]
            )
        op.result.replace_all_uses_with(cast.result)
        op.erase()

    def _private(self, op: ir.Operation) -> None:
        """What a thread allocates is its own; in a loop it would take more stack each time."""
        for each in [*walk(op), op]:
            if each.name == "memref.alloc" or (each.name == "memref.alloca" and each.operands):
                self.state.diagnostics.error(
                    each.location, "a thread of a GPU cannot allocate memory of this size"
                )
                raise PassFailure
            if each.name == "memref.alloca":
                each.detach_from_parent()
                ir.InsertionPoint.at_block_begin(self.launch.body).insert(each)
