"""Whether anything in a program can change a list after it was built."""

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
_OPERATORS = ("torch.aten.", "torch.prims.", "torch.quantized.")
# The overload of operators such as `append`, which may change the list and give it back.
_ON_LISTS = ".t"

# Operators that were seen to give tensors, as every op of such a name does.
_readers: set[str] = set()


def only_read(value: ir.Value, types: Types, seen: set[ir.Value] | None = None) -> bool:
    """Whether nothing in the program can change a list after it was built.

    Operators that give tensors read the lists that they are given, and so do calculations: the
    evaluator refuses to change a list of the program. Anything else may keep the list and change
    it later. `seen` are other names of the list, on whose uses the answer does not wait.
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
    """Whether an op is an operator that gives tensors, and none on lists of any type."""
    if not name.startswith(_OPERATORS) or (name.endswith(_ON_LISTS) and name != "torch.aten.t"):
        return False
    return any("tensor" in types.text(result.type) for result in op.results)


def _other_names(op: ir.Operation, name: str, index: int) -> list[ir.Value] | None:
    """The values that are the same list as an operand of `op`; None if it is not passed on so."""
    if name in _CASTS:
        return [op.results[0]]
    return branching.destinations(op, index)


def in_calculation(op: ir.Operation) -> bool:
    """Whether an op stands inside a calculate op."""
    parent = op.parent
    while parent is not None:
        if parent.name in OP_NAMES:
            return True
        parent = parent.parent
    return False
