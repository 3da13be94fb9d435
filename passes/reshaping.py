"""Operators that change the sizes of an operand in place.

`torch.aten.unsqueeze_ %x` changes the sizes of `%x` itself, so types inferred before do not hold
after it. Only tensors without value semantics (`!torch.tensor`) are affected.
"""

from __future__ import annotations

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import Types

_RESHAPING = {
    "as_strided_",
    "resize_",
    "resize_as_",
    "resize_as_sparse_",
    "set_",
    "squeeze_",
    "swapaxes_",
    "swapdims_",
    "t_",
    "transpose_",
    "unsqueeze_",
}
_KNOWN = ("torch.", "func.", "cf.", "builtin.")


def reshapes_in_place(module: ir.Operation, types: Types) -> bool:
    """Whether a module may change the sizes of some tensor in place.

    A custom operator may do anything to such a tensor.
    """
    for op in walk(module):
        name = name_of(op)
        if name.startswith("torch.aten."):
            if name.split(".")[2] in _RESHAPING:
                return True
        elif not name.startswith(_KNOWN) or op.name == "torch.operator":
            tensors = (types.tensor(operand.type) for operand in op.operands)
            if any(tensor is not None and not tensor.value_semantics for tensor in tensors):
                return True
    return False
