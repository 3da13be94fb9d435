"""Which memory an op reads and writes, to know whether threads must wait."""

from __future__ import annotations

from dataclasses import dataclass

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.lowering.kernels.indexing import maker_of

_READS = {"memref.load": 0, "vector.load": 0, "vector.transfer_read": 0}
_WRITES = {"memref.store": 1, "vector.store": 1, "vector.transfer_write": 1}
_VIEWS = (
    "memref.subview",
    "memref.expand_shape",
    "memref.collapse_shape",
    "memref.cast",
    "memref.memory_space_cast",
)


@dataclass(frozen=True)
class Accesses:
    """The memory, allocations or arguments, that is read and written."""

    reads: frozenset[ir.Value]
    writes: frozenset[ir.Value]

    def are_apart(self, other: Accesses) -> bool:
        """Whether neither writes what the other reads or writes.

        What is written must be the block's own: arguments of a kernel may be the same memory.
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
    """What an op and those inside it access; None if that cannot be told."""
    reads, writes = set(), set()
    for each in [op, *walk(op)]:
        if each.name in _READS:
            reads.add(_root(each.operands[_READS[each.name]]))
        elif each.name in _WRITES:
            writes.add(_root(each.operands[_WRITES[each.name]]))
        elif each.name not in _VIEWS and any(map(_is_memory, each.operands)):
            return None
    return Accesses(frozenset(reads), frozenset(writes))


def has_effects(op: ir.Operation) -> bool:
    """Whether an op does more than computing a number or a view of memory."""
    return op.name not in _VIEWS and not op.name.startswith(("arith.", "affine.", "ub."))


def _is_memory(value: ir.Value) -> bool:
    return isinstance(value.type, ir.MemRefType)


def _root(memory: ir.Value) -> ir.Value:
    maker = maker_of(memory)
    while maker is not None and maker.name in _VIEWS:
        memory = maker.operands[0]
        maker = maker_of(memory)
    return memory


def _is_of_block(memory: ir.Value) -> bool:
    """Whether memory was allocated in the launch; then it is no other memory."""
    maker = maker_of(memory)
    name: str = memory.owner.owner.name if maker is None else maker.name
    return name in ("memref.alloca", "gpu.launch")
