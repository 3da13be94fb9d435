"""Convert scalars to the kind of the tensors they are computed with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.names import operator_name
from torch_refine.dialect.schemas import schema
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.dialect.tensor_type import Types
from torch_refine.dialect.torch_builder import TorchBuilder
from torch_refine.passes.base import Pass, RunState

_COMPARISONS = frozenset(
    f"torch.aten.{name}.Scalar" for name in ("eq", "ne", "lt", "le", "gt", "ge")
)
_FLOATS = ("f16", "bf16", "f32", "f64")
# Integer exponents are expanded into multiplications.
_EXPONENTS = ("torch.aten.pow.",)
_INT, _FLOAT = "torch.constant.int", "torch.constant.float"
# Element types that the wheel folds as signed.
_UNSIGNED = ("i1", "ui8")
# The ranges of integer element types; PyTorch wraps other values.
_RANGES = {
    "ui8": range(1 << 8),
    **{f"si{bits}": range(-(1 << bits - 1), 1 << bits - 1) for bits in (8, 16, 32, 64)},
}


@dataclass
class MatchScalars(Pass):
    """Convert scalars to the kind of the tensors they are computed with.

    The wheel folds ops on a constant tensor and a constant scalar, and reads the scalar as an
    element of the tensor: -2 becomes 2**64 - 2 in float arithmetic, a comparison of a float and an
    int has an arbitrary result, an int and a float abort the process, and bools are compared as
    signed.

    Next to float tensors, ints become floats here. Integers that are compared with floats become
    f32, and bools and unsigned integers that are compared with integers become si64, as PyTorch
    promotes them. A scalar out of the range of the tensor's integer type wraps around, as in
    PyTorch.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],i1> {
      %int1 = torch.constant.int 1
      %0 = torch.aten.gt.Scalar %arg0, %int1 : !torch.vtensor<[2],f32>, !torch.int -> \
!torch.vtensor<[2],i1>
      return %0 : !torch.vtensor<[2],i1>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],i1> {
      %int1 = torch.constant.int 1
      %float1.000000e00 = torch.constant.float 1.000000e+00
      %0 = torch.aten.gt.Scalar %arg0, %float1.000000e00 : !torch.vtensor<[2],f32>, \
!torch.float -> !torch.vtensor<[2],i1>
      return %0 : !torch.vtensor<[2],i1>
    }
    ```
    """

    name: ClassVar[str] = "torch-match-scalars"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Match the scalars of a module, or of one function."""
        builder = TorchBuilder(Types(op.context))
        for each in list(walk(op)):
            is_comparison = each.name in _COMPARISONS
            if is_comparison and _match(each, builder):
                state.count(self.name, "comparisons")
            elif not is_comparison and _match_floats(each, builder):
                state.count(self.name, "scalars with float tensors")


def _match_floats(op: ir.Operation, builder: TorchBuilder) -> bool:
    """Convert constant ints to floats, where PyTorch takes any scalar and all tensors are
    floats."""
    places = _scalars(op.name)
    if not places or not _is_of_floats(op, builder):
        return False
    before = list(op.operands)
    with ir.InsertionPoint(op), op.location:
        for place in places:
            constant = defining_op(op.operands[place])
            if constant is not None and constant.name == _INT:
                op.operands[place] = _float(float(_value(constant)))
    return list(op.operands) != before


@cache
def _scalars(name: str) -> tuple[int, ...]:
    """The numbers of an operator's arguments that are scalars of any type."""
    if not name.startswith("torch.aten.") or name.startswith(_EXPONENTS):
        return ()
    try:
        arguments = schema(operator_name(name)).arguments
    except KeyError:
        return ()
    return tuple(i for i, each in enumerate(arguments) if each.type in ("Scalar", "Scalar?"))


def _is_of_floats(op: ir.Operation, builder: TorchBuilder) -> bool:
    values = [*op.operands, *op.results]
    found = [type for value in values if (type := builder.types.tensor(value.type)) is not None]
    return len(found) > len(op.results) and all(type.element in _FLOATS for type in found)


def _match(op: ir.Operation, builder: TorchBuilder) -> bool:
    tensor, number = op.operands
    type = builder.types.tensor(tensor.type)
    if type is None or type.element is None or type.sizes is None:
        return False
    constant = defining_op(number)
    kind = "" if constant is None else constant.name
    before = list(op.operands)
    with ir.InsertionPoint(op), op.location:
        if type.element in _FLOATS:
            if constant is not None and kind == _INT:
                op.operands[1] = _float(float(_value(constant)))
        elif kind == _FLOAT:
            op.operands[0] = builder.to(tensor, "f32")
        elif str(number.type) == "!torch.int":
            allowed = _RANGES.get(type.element)
            if allowed is not None and constant is not None and kind == _INT:
                op.operands[1] = _wrapped(number, _value(constant), allowed, builder)
            if type.element in _UNSIGNED:
                op.operands[0] = builder.to(tensor, "si64")
    return list(op.operands) != before


def _value(constant: ir.Operation) -> int:
    return int(ir.IntegerAttr(constant.attributes["value"]).value)


def _wrapped(number: ir.Value, value: int, allowed: range, builder: TorchBuilder) -> ir.Value:
    if value in allowed:
        return number
    return builder.number((value - allowed.start) % len(allowed) + allowed.start)


def _float(value: float) -> ir.Value:
    attribute = ir.FloatAttr.get(ir.F64Type.get(), value)
    return create_value(_FLOAT, ir.Type.parse("!torch.float"), [], {"value": attribute})
