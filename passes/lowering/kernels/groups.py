"""Group ops that become one kernel.

A group has one op whose results are used outside, its root. The other members are used inside only,
so the group can be placed where the root is.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    in_order,
    is_structured,
    iterators,
    maps,
    num_inputs,
    operation_of,
)
from torch_refine.passes.lowering.kernels.attention.pattern import attention_of
from torch_refine.passes.lowering.kernels.attention.schedule import write_schedule
from torch_refine.passes.lowering.kernels.contractions.chain import CONTRACTION, chain_of

PRODUCT = "torch_refine.product"
"""On the contraction of a kernel for a GPU."""

PARTIAL = "torch_refine.partial"
"""On a reduction to partial results, which another kernel reduces."""

# Ops that are not computed row by row with their users.
_OWN_KERNELS = {PRODUCT, CONTRACTION, PARTIAL}
_WINDOWS = ("linalg.conv_2d_", "linalg.depthwise_conv_2d_", "linalg.pooling_n")


@dataclass
class Group:
    """Ops that become one kernel, whose kind selects its schedule.

    `kind` is `attention` for scores, their softmax and the sums of values weighted by it,
    `contraction` for a contraction with its elementwise epilogue, `packing` for the packing of an
    operand, `windows` for other convolutions and poolings, `transposes`, `rows` for reductions
    along the last dimensions fused with their users, `loops` for anything else. `rows` are the
    root's loops that all members have.
    """

    root: ir.Operation
    kind: str = "loops"
    members: list[ir.Operation] = field(default_factory=list)
    rows: frozenset[int] = frozenset()


def groups_of(block: ir.Block) -> list[Group]:
    """The groups of a block, the last one first; every structured op except fills is in one."""
    ops = [op for op in operations(block) if is_structured(op) and not _is_cheap(op)]
    taken: set[ir.Operation] = set()
    found = []
    for op in reversed(ops):
        if op in taken:
            continue
        group = Group(op, _kind_of(op), [op])
        is_contraction = _add_attention(group, taken) or (
            not _follows_attention(op) and _add_contraction(group, taken)
        )
        if not is_contraction and op.name == GENERIC and len(op.results) == 1:
            _add_rows(group, taken)
        taken.update(group.members)
        found.append(group)
    return found


def _kind_of(op: ir.Operation) -> str:
    """The kind of a kernel with a single op."""
    if op.name == "linalg.pack":
        return "packing"
    if op.name == "linalg.transpose":
        return "transposes"
    if op.name.startswith(_WINDOWS):
        return "windows"
    return "loops"


def _is_cheap(op: ir.Operation) -> bool:
    """Whether an op is cloned at its uses; a fill of a buffer is not."""
    return op.name == "linalg.fill" and len(op.results) > 0


def _add_attention(group: Group, taken: set[ir.Operation]) -> bool:
    """Turn a group into one of attention, if its root ends an attention."""
    attention = attention_of(group.root)
    if attention is None or any(each in taken for each in attention.members):
        return False
    group.kind = "attention"
    group.members = attention.members
    write_schedule(attention)
    return True


def _follows_attention(op: ir.Operation) -> bool:
    """Whether an op is elementwise behind attention of another type: a cast to a narrow one."""
    chain = chain_of(op)
    if chain is None or chain.last is None:
        return False
    return attention_of(chain.unpack or chain.sums) is not None


def _add_contraction(group: Group, taken: set[ir.Operation]) -> bool:
    """Turn a group into one of a contraction, if its root is one or its elementwise epilogue."""
    chain = chain_of(group.root)
    if chain is None or any(each in taken for each in chain.members):
        return False
    group.kind = "contraction"
    group.members = chain.members
    return True


def _producers_by_place(op: ir.Operation) -> list[tuple[int, ir.Operation]]:
    found = []
    for place, operand in enumerate(list(op.operands)[: num_inputs(op)]):
        producer = defining_op(operand)
        if producer is not None and producer.block == op.block:
            found.append((place, producer))
    return found


def _add_rows(group: Group, taken: set[ir.Operation]) -> None:
    """Add the reductions that a root uses row by row, and their producers."""
    root = group.root
    if set(iterators(root)) != {"parallel"}:
        return
    # For each member, the root's loop that each of its loops maps to; None for a reduction.
    loops: dict[ir.Operation, list[int | None]] = {root: list(range(len(iterators(root))))}
    rows: frozenset[int] | None = None
    grown = True
    while grown:
        grown = False
        for producer in _producers(list(loops)):
            if producer in loops or producer in taken or _adds_rows(producer):
                continue
            mapped = _map_loops_to_root(producer, loops)
            if mapped is None:
                continue
            own = frozenset(each for each in mapped if each is not None)
            shared = own if rows is None else rows & own
            if None not in mapped:
                shared = own if rows is None else rows
            if not shared or not shared <= own:
                continue
            if None in mapped:
                rows = shared
            loops[producer] = mapped
            grown = True
    if rows is None or not _is_leading(rows):
        return
    group.kind = "rows"
    group.rows = rows
    group.members = in_order(loops)


def _adds_rows(op: ir.Operation) -> bool:
    """Whether an op is a reduction whose innermost loop is parallel.

    It adds rows to a row: one column at a time, it would read each cache line once per element.
    """
    kinds = iterators(op)
    return "reduction" in kinds and kinds[-1] == "parallel"


def _is_leading(rows: frozenset[int]) -> bool:
    """Whether these are the outermost loops."""
    return rows == frozenset(range(len(rows)))


def _producers(members: list[ir.Operation]) -> list[ir.Operation]:
    return [
        producer
        for member in members
        for _, producer in _producers_by_place(member)
        if producer.name == GENERIC
        and not {PRODUCT, CONTRACTION, PARTIAL} & set(producer.attributes)
    ]


def _map_loops_to_root(
    producer: ir.Operation, loops: dict[ir.Operation, list[int | None]]
) -> list[int | None] | None:
    """Map the loops of a producer to the root's, if all its users are members and agree."""
    if len(producer.results) != 1:
        return None
    own_maps = maps(producer)
    written = dims_of(own_maps[-1])
    if written is None:
        return None
    found: list[int | None] | None = None
    for use in producer.results[0].uses:
        user = operation_of(use.owner)
        if user not in loops or use.operand_number >= num_inputs(user):
            return None
        read = dims_of(maps(user)[use.operand_number])
        if read is None or len(read) != len(written):
            return None
        mapped: list[int | None] = [None] * len(iterators(producer))
        for own, theirs in zip(written, read, strict=True):
            mapped[own] = loops[user][theirs]
            if mapped[own] is None and iterators(producer)[own] == "parallel":
                # The user reduces it: each row needs all of it.
                mapped[own] = -1
        found = mapped if found is None else _join_mappings(found, mapped)
        if found is None:
            return None
    return found


def _join_mappings(one: list[int | None], other: list[int | None]) -> list[int | None] | None:
    """Join the loop mappings of two uses of a producer, None if they conflict."""
    found = []
    for a, b in zip(one, other, strict=True):
        if a != b and -1 not in (a, b):
            return None
        found.append(b if a == -1 else a)
    return found
