"""Mutation analysis of lists."""

from __future__ import annotations

from torch_refine.abstract_interpreter.running import folding
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.calculate_ops import OP_NAMES
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes import branching

_CASTS = {"torch.derefine", "torch.prim.unchecked_cast"}
_READS_LISTS = {
    "torch.aten.__getitem__.t",
    "torch.aten.len.t",
    "torch.aten.list.t",
    "torch.aten.slice.t",
    "torch.aten.add.t",
    "torch.prim.ListUnpack",
    "func.return",
}
_OPERATORS = ("torch.aten.", "torch.prims.", "torch.quantized.", "torch._c10d_functional")
# The overload of operators such as `append`, which may mutate the list and return it.
_ON_LISTS = ".t"

# Names of operators found to return tensors, as every op of such a name does.
_readers: set[str] = set()


def only_read(value: ir.Value, types: Types, seen: set[ir.Value] | None = None) -> bool:
    """Whether nothing in the program can mutate a list after it was built.

    Operators that return tensors only read their list operands, and so do calculations: the
    evaluator refuses to mutate a list of the program. Any other op may keep the list and mutate it
    later. `seen` are aliases of the list, which are not visited again.
    """
    for use in value.uses:
        user = use.owner.operation
        name = user.name
        if name in _readers:
            continue
        name = name_of(user)
        if name in _READS_LISTS or in_calculation(user):
            continue
        names = _other_names(user, name, use.operand_number)
        if names is not None:
            seen = {value} if seen is None else seen
            for other in names:
                if other not in seen:
                    seen.add(other)
                    if not only_read(other, types, seen):
                        return False
        elif _is_tensor_operator(user, name, types):
            _readers.add(name)
        elif name not in folding.FOLDS:
            return False
    return True


def _is_tensor_operator(op: ir.Operation, name: str, types: Types) -> bool:
    """Whether an op returns tensors and has no list results."""
    if not name.startswith(_OPERATORS) or (name.endswith(_ON_LISTS) and name != "torch.aten.t"):
        return False
    return any("tensor" in types.text(result.type) for result in op.results)


def _other_names(op: ir.Operation, name: str, index: int) -> list[ir.Value] | None:
    """The aliases of a list operand that `op` creates; None if it escapes."""
    if name in _CASTS:
        return [op.results[0]]
    return branching.destinations(op, index)


def in_calculation(op: ir.Operation) -> bool:
    """Whether an op is inside a calculate op."""
    parent = op.parent
    while parent is not None:
        if parent.name in OP_NAMES:
            return True
        parent = parent.parent
    return False
