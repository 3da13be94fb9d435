"""Why types stayed incomplete."""

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
    """Why an operator's results are not known in full.

    `is_declared` says of values whether their unknown sizes are those that the program declares.
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
            return "an operand is not known in full"
    return "it depends on the values of its operands"
