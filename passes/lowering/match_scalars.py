"""Compute with numbers of the kind that the tensors beside them have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import operator_name
from torch_refine.dialect.schemas import schema
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.building import made
from torch_refine.passes.lowering.kernels.indexing import maker_of
from torch_refine.passes.lowering.torch_building import TorchBuilder

_COMPARISONS = frozenset(
    f"torch.aten.{name}.Scalar" for name in ("eq", "ne", "lt", "le", "gt", "ge")
)
_FLOATS = ("f16", "bf16", "f32", "f64")
# Whole exponents are multiplied out.
_EXPONENTS = ("torch.aten.pow.",)
_INT, _FLOAT = "torch.constant.int", "torch.constant.float"
# What the wheel folds as if it had a sign.
_UNSIGNED = ("i1", "ui8")
# The numbers that integers of a kind may be; PyTorch wraps others around.
_RANGES = {
    "ui8": range(1 << 8),
    **{f"si{bits}": range(-(1 << bits - 1), 1 << bits - 1) for bits in (8, 16, 32, 64)},
}


@dataclass
class MatchScalars(Pass):
    """Compute with numbers of the kind that the tensors beside them have.

    The wheel folds what is computed of a constant tensor and a constant number, and reads the
    number as if it were of the tensor's kind: -2 is 2**64 - 2 to a sum or product of floats, a
    comparison of a float and an int gives true or false by chance, an int and a float end the
    process, and bools are compared as if they had a sign.

    Beside tensors of floats, ints become floats here. Integers that are compared with floats
    become f32, and bools and unsigned integers that are compared with integers become si64, as
    PyTorch promotes them. A number that integers of the tensor's kind cannot be wraps around, as in
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
        """Match the numbers of a module, or of one function."""
        builder = TorchBuilder(Types(op.context))
        for each in list(walk(op)):
            is_comparison = each.name in _COMPARISONS
            if is_comparison and _match(each, builder):
                state.count(self.name, "comparisons")
            elif not is_comparison and _match_floats(each, builder):
                state.count(self.name, "numbers beside floats")


def _match_floats(op: ir.Operation, builder: TorchBuilder) -> bool:
    """Make the constant ints of an op floats, where PyTorch takes any number and all is floats."""
    places = _scalars(op.name)
    if not places or not _is_of_floats(op, builder):
        return False
    before = list(op.operands)
    with ir.InsertionPoint(op), op.location:
        for place in places:
            constant = maker_of(op.operands[place])
            if constant is not None and constant.name == _INT:
                op.operands[place] = _float(float(_value(constant)))
    return list(op.operands) != before


@cache
def _scalars(name: str) -> tuple[int, ...]:
    """The places of the arguments of an operator that are numbers of any kind."""
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
    constant = maker_of(number)
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
    return made(_FLOAT, ir.Type.parse("!torch.float"), [], {"value": attribute})
