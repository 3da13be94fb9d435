"""Memory accesses of ops, to decide where barriers are needed."""

from __future__ import annotations

from dataclasses import dataclass

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import defining_op

_READS = {"memref.load": 0, "vector.load": 0, "vector.transfer_read": 0}
_WRITES = {"memref.store": 1, "vector.store": 1, "vector.transfer_write": 1}
VIEWS = (
    "memref.subview",
    "memref.expand_shape",
    "memref.collapse_shape",
    "memref.cast",
    "memref.transpose",
    "memref.memory_space_cast",
)


@dataclass(frozen=True)
class Accesses:
    """The buffers, allocations or arguments, that are read and written."""

    reads: frozenset[ir.Value]
    writes: frozenset[ir.Value]

    def are_independent(self, other: Accesses) -> bool:
        """Whether there is no dependence between the accesses.

        Writes must be to allocations of the block: arguments of a kernel may alias.
        """
        mine, others = self.reads | self.writes, other.reads | other.writes
        written = self.writes | other.writes
        return (
            not self.writes & others and not other.writes & mine and all(map(_is_of_block, written))
        )

    def __or__(self, other: Accesses) -> Accesses:
        return Accesses(self.reads | other.reads, self.writes | other.writes)


NOTHING = Accesses(frozenset(), frozenset())


def accesses_of(op: ir.Operation) -> Accesses | None:
    """The accesses of an op and those nested in it; None if unknown."""
    reads, writes = set(), set()
    for each in [op, *walk(op)]:
        if each.name in _READS:
            reads.add(root_of(each.operands[_READS[each.name]]))
        elif each.name in _WRITES:
            writes.add(root_of(each.operands[_WRITES[each.name]]))
        elif each.name not in VIEWS and any(map(_is_memory, each.operands)):
            return None
    return Accesses(frozenset(reads), frozenset(writes))


def has_effects(op: ir.Operation) -> bool:
    """Whether an op has effects, other than a computation or a view of memory."""
    return op.name not in VIEWS and not op.name.startswith(("arith.", "affine.", "ub."))


def _is_memory(value: ir.Value) -> bool:
    return isinstance(value.type, ir.MemRefType)


def root_of(memory: ir.Value) -> ir.Value:
    """The buffer, allocation or argument, that a memref is a view of."""
    producer = defining_op(memory)
    while producer is not None and producer.name in VIEWS:
        memory = producer.operands[0]
        producer = defining_op(memory)
    return memory


def _is_of_block(memory: ir.Value) -> bool:
    """Whether memory was allocated in the launch, so nothing else aliases it."""
    producer = defining_op(memory)
    name: str = memory.owner.owner.name if producer is None else producer.name
    return name in ("memref.alloca", "gpu.launch")
