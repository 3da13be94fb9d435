"""Corrections of the wheel's ONNX conversion, where its results differ from PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.element_types import dtype_of_element
from torch_refine.dialect.schemas import schema
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.program import program_functions

OPSET = "torch.onnx_meta.opset_version"
"""The attribute of functions imported from ONNX."""
# Filled in PyTorch's default dtype, unless the call has one.
_FILLED = {f"torch.aten.{name}": f"aten::{name}" for name in ("ones", "zeros")}
_DEFAULT = "f32"
_AVERAGES = tuple(f"torch.aten.avg_pool{count}d" for count in (1, 2, 3))
_SCALARS = ("torch.aten.item", "torch.aten.Int.Tensor")


def correct(module: ir.Operation) -> int:
    """Correct the functions of a module imported from ONNX; returns how many operators changed."""
    types = Types(module.context)
    found = 0
    for function in program_functions(module):
        if OPSET not in function.attributes:
            continue
        for op in [op for op in walk(function) if op.name in _SCALARS]:
            found += _number_of_literal(op, types)
        for op in list(walk(function)):
            if op.name == "torch.aten.select.int":
                found += _rank_of_selected(op, types)
            elif op.name in _AVERAGES:
                found += _strides_of_average(op, types)
            elif op.name == "torch.prims.squeeze":
                found += _negative_dimensions(op, types)
            elif op.name in _FILLED:
                found += _dtype_of_filled(op, types)
            elif op.name == "torch.aten.div.Tensor":
                found += _division_of_integers(op, types)
    return found


def _tensors(values: Sequence[ir.Value], types: Types) -> list[TensorType]:
    return [each for value in values if (each := types.tensor(value.type)) is not None]


def _rank_of_selected(op: ir.Operation, types: Types) -> bool:
    """An element of a list of sizes, declared with sizes [1]: `item` accepts rank 0, too."""
    given, declared = _tensors([op.operands[0], op.results[0]], types)
    if given.sizes is None or len(given.sizes) != 1 or declared.sizes != (1,):
        return False
    if not all(use.owner.operation.name in _SCALARS for use in op.results[0].uses):
        return False
    op.results[0].set_type(types.parse(replace(declared, sizes=())))
    return True


def _number_of_literal(op: ir.Operation, types: Types) -> bool:
    """An element of a constant list is a constant."""
    selected = _defined_by(op.operands[0], "torch.aten.select.int")
    literal = (
        None if selected is None else _defined_by(selected.operands[0], "torch.vtensor.literal")
    )
    if selected is None or literal is None or str(op.results[0].type) != "!torch.int":
        return False
    dimension, index = map(_constant, selected.operands[1:])
    values = literal.attributes["value"]
    if dimension != 0 or index is None or not isinstance(values, ir.DenseIntElementsAttr):
        return False
    numbers = [int(number) for number in values]
    if len(ir.ShapedType(values.type).shape) != 1 or not -len(numbers) <= index < len(numbers):
        return False
    number = _before(
        op, "torch.constant.int", "!torch.int", types, value=_int(numbers[index], op.context)
    )
    op.results[0].replace_all_uses_with(number)
    op.erase()
    if not list(selected.results[0].uses):
        selected.erase()
    return True


def _negative_dimensions(op: ir.Operation, types: Types) -> bool:
    """`prims::squeeze` accepts no negative dimension, as ONNX has them."""
    (given,) = _tensors([op.operands[0]], types)
    listed = _defined_by(op.operands[1], "torch.prim.ListConstruct")
    if listed is None or given.sizes is None:
        return False
    numbers = [_constant(operand) for operand in listed.operands]
    rank = len(given.sizes)
    if None in numbers or all(number is None or number >= 0 for number in numbers):
        return False
    positive = [
        _before(
            op, "torch.constant.int", "!torch.int", types, value=_int(number + rank, op.context)
        )
        if number is not None and -rank <= number < 0
        else operand
        for number, operand in zip(numbers, listed.operands, strict=True)
    ]
    op.operands[1] = ir.Operation.create(
        listed.name,
        results=[listed.results[0].type],
        operands=positive,
        loc=op.location,
        ip=ir.InsertionPoint(op),
    ).results[0]
    return True


def _strides_of_average(op: ir.Operation, types: Types) -> bool:
    """Strides that ONNX omits are ones, of which the wheel lists two per dimension."""
    kernel, strides = (_defined_by(op.operands[i], "torch.prim.ListConstruct") for i in (1, 2))
    if kernel is None or strides is None:
        return False
    count = len(kernel.operands)
    if len(strides.operands) != 2 * count or any(_constant(each) != 1 for each in strides.operands):
        return False
    op.operands[2] = ir.Operation.create(
        strides.name,
        results=[strides.results[0].type],
        operands=list(strides.operands)[:count],
        loc=op.location,
        ip=ir.InsertionPoint(op),
    ).results[0]
    return True


def _defined_by(value: ir.Value, name: str) -> ir.Operation | None:
    """The defining op of a value, if it has this name."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return None
    op = owner.operation
    return op if op.name == name else None


def _constant(value: ir.Value) -> int | None:
    op = _defined_by(value, "torch.constant.int")
    return None if op is None else int(ir.IntegerAttr(op.attributes["value"]).value)


def _dtype_of_filled(op: ir.Operation, types: Types) -> bool:
    """A tensor filled without a dtype is f32 in PyTorch, but should have the declared dtype."""
    (declared,) = _tensors(op.results, types)
    names = [argument.name for argument in schema(_FILLED[op.name]).arguments]
    place = names.index("dtype")
    number = None if declared.element is None else dtype_of_element(declared.element)
    is_named = str(op.operands[place].type) != "!torch.none"
    if is_named or number is None or declared.element == _DEFAULT:
        return False
    op.operands[place] = _before(
        op, "torch.constant.int", "!torch.int", types, value=_int(number, op.context)
    )
    return True


def _division_of_integers(op: ir.Operation, types: Types) -> bool:
    """ONNX divides integers by truncation; `aten::div.Tensor` would return floats."""
    involved = _tensors([*op.operands, *op.results], types)
    if not all(each.element is not None and _is_integer(each.element) for each in involved):
        return False
    mode = _before(
        op,
        "torch.constant.str",
        "!torch.str",
        types,
        value=ir.StringAttr.get("trunc", context=op.context),
    )
    divided = ir.Operation.create(
        "torch.aten.div.Tensor_mode",
        results=[op.results[0].type],
        operands=[*op.operands, mode],
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    op.results[0].replace_all_uses_with(divided.results[0])
    op.erase()
    return True


def _is_integer(element: str) -> bool:
    return element.startswith(("si", "ui"))


def _int(number: int, context: ir.Context) -> ir.Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64, context=context), number)


def _before(
    op: ir.Operation, name: str, type: str, types: Types, **attributes: ir.Attribute
) -> ir.Value:
    """Create an op in front of another; returns its result."""
    return ir.Operation.create(
        name,
        results=[types.parse(type)],
        attributes=attributes,
        loc=op.location,
        ip=ir.InsertionPoint(op),
    ).results[0]
