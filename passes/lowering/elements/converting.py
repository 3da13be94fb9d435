"""Element types of tensors, and conversions of single elements between them."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.tensor_type import TensorType

_BITS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}


def builtin(element: str) -> ir.Type:
    """The builtin type of an element type of the torch dialect, of which integers are signless."""
    return ir.Type.parse(element[1:] if element.startswith(("si", "ui")) else element)


def builtin_tensor(type: TensorType) -> ir.RankedTensorType:
    """The builtin type of a tensor of known rank."""
    assert type.sizes is not None and type.element is not None, "rank and dtype must be known"
    unknown = ir.ShapedType.get_dynamic_size()
    shape = [unknown if size is None else size for size in type.sizes]
    return ir.RankedTensorType.get(shape, builtin(type.element))


def computation_type(element: str) -> str:
    """The type in which elements are computed: f32 or f64, or i64 for integers."""
    if element in _BITS:
        return "f64" if element == "f64" else "f32"
    return "si64"


def converted(value: ir.Value, source: str, target: str) -> ir.Value:
    """An element in another element type, of real numbers; integers wrap."""
    if source == target:
        return value
    type = builtin(target)
    if source in _BITS and target in _BITS:
        return _between_floats(value, source, target, type)
    if target in _BITS:
        name = "arith.sitofp" if source.startswith("si") else "arith.uitofp"
        return create_value(name, type, [value])
    assert source not in _BITS, "floats are not converted to integers"
    if value.type == type:
        return value
    if type.width < value.type.width:
        return create_value("arith.trunci", type, [value])
    name = "arith.extsi" if source.startswith("si") else "arith.extui"
    return create_value(name, type, [value])


def _between_floats(value: ir.Value, source: str, target: str, type: ir.Type) -> ir.Value:
    if {source, target} == {"f16", "bf16"}:
        value = create_value("arith.extf", ir.F32Type.get(), [value])
        return create_value("arith.truncf", type, [value])
    name = "arith.extf" if _BITS[source] < _BITS[target] else "arith.truncf"
    return create_value(name, type, [value])
