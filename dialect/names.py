"""The naming scheme: schema, IR and library symbols of an operator.

`aten::add.Tensor` (schema) is `torch.aten.add.Tensor` (IR), and its functions are the symbols
`__torch_mlir_shape_fn.aten.add.Tensor` and `__torch_mlir_dtype_fn.aten.add.Tensor`. Existing
extra-library files use the same symbols, so they load unchanged. A decomposition function is
`__torch_mlir_decomposition_fn.aten.sgn`.
"""

from __future__ import annotations

from typing import Literal

from torch_refine.dialect.bindings import ir

Kind = Literal["shape", "dtype"]
FunctionKind = Literal["shape", "dtype", "decomposition"]
# The functions that describe an operator's results.
KINDS: tuple[Kind, Kind] = ("shape", "dtype")

# Function attribute: the type of the device that the program was exported for, `cpu` or `cuda`.
DEVICE_ATTRIBUTE = "torch_refine.device"

_PREFIX: dict[FunctionKind, str] = {
    "shape": "__torch_mlir_shape_fn.",
    "dtype": "__torch_mlir_dtype_fn.",
    "decomposition": "__torch_mlir_decomposition_fn.",
}

ELEMENT_PREFIX = "__torch_mlir_element_fn."
"""What precedes the name of an operator in the symbol of its element function."""


def ir_name(operator: str) -> str:
    """`torch.aten.add.Tensor` for `aten::add.Tensor`."""
    return f"torch.{operator.replace('::', '.', 1)}"


def operator_name(name: str) -> str:
    """`aten::add.Tensor` for `torch.aten.add.Tensor`, the inverse of `ir_name`."""
    return name.removeprefix("torch.").replace(".", "::", 1)


def library_symbol(kind: FunctionKind, operator: str) -> str:
    """The symbol of an operator's function, from the operator's schema name or IR name."""
    dotted = operator.replace("::", ".", 1).removeprefix("torch.").removeprefix("valsem.")
    return _PREFIX[kind] + dotted


def is_library_symbol(symbol: str) -> bool:
    """Whether a symbol names an operator's function."""
    return symbol.startswith(tuple(_PREFIX.values()))


def is_onnx(name: str) -> bool:
    """Whether a name is an ONNX operator, which appears as `torch.operator "onnx.…"`."""
    return name.startswith("onnx.")


def name_of(op: ir.Operation) -> str:
    """The op's name; for `torch.operator "torch.aten.foo"` the name in its attribute."""
    name: str = op.name
    if name == "torch.operator":
        name = ir.StringAttr(op.attributes["name"]).value
    return name
