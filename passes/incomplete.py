"""Why types are incomplete."""

from __future__ import annotations

from collections.abc import Callable

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.library import Library
from torch_refine.dialect.names import is_onnx, library_symbol, name_of
from torch_refine.dialect.tensor_type import Types

_OF_ONNX = "an operator of ONNX, which torch-onnx-to-torch-pipeline converts"


def reason_of(
    op: ir.Operation,
    library: Library,
    types: Types,
    is_declared: Callable[[ir.Value], object] = lambda value: False,
) -> str:
    """Why the types of an operator's results are incomplete.

    `is_declared` tells whether the unknown sizes of a value are declared dynamic by the program.
    """
    name = name_of(op)
    if is_onnx(name):
        return _OF_ONNX
    missing = [k for k in ("shape", "dtype") if library_symbol(k, name) not in library]
    if missing and not name.startswith(("torch.prim.", "torch.aten.__getitem__")):
        return f"no {' and no '.join(missing)} function"
    for operand in op.operands:
        tensor = types.tensor(operand.type)
        if tensor is not None and not tensor.is_complete and not is_declared(operand):
            return "the type of an operand is incomplete"
    return "it is data-dependent"
