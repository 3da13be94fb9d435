"""Convert the operands of operators to the dtype in which they compute."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

from torch_refine.abstract_interp_lib.promotion import is_complex, is_floating, promote_dtypes
from torch_refine.abstract_interp_lib.promotion_kinds import Promotion, read_promotions
from torch_refine.abstract_interp_lib.scalar_types import BOOL, FLOAT32, FLOAT64, INT64
from torch_refine.dialect.bindings import attributes_of, ir, walk
from torch_refine.dialect.ir_builder import create_op, create_value
from torch_refine.dialect.names import name_of, operator_name
from torch_refine.dialect.schemas import Argument, schema
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.dialect.torch_builder import CODES, TorchBuilder
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.torch.seen_ops import constant_of

_ELEMENTS = {code: element for element, code in CODES.items()}
_FLOATS = ("f16", "bf16", "f32", "f64")
_SCALARS = {"!torch.int": INT64, "!torch.float": FLOAT64, "!torch.bool": BOOL}
# The ranges of integer element types; PyTorch wraps other values.
RANGES = {
    "ui8": range(1 << 8),
    **{f"si{bits}": range(-(1 << bits - 1), 1 << bits - 1) for bits in (8, 16, 32, 64)},
}
# The greatest elements of float types; PyTorch rejects scalars beyond them.
GREATEST = {"f16": 65504.0, "bf16": 3.3895313892515355e38, "f32": 3.4028234663852886e38}
_BYTES = dict.fromkeys(("ui8", "si8"), "si32")
_BYTES_AND_BOOLS = {"i1": "si32", **_BYTES}
_ORDERINGS = ("maximum", "minimum", "clamp", "clamp_min", "clamp_max")
# Operators whose lowest result bits depend on the lowest operand bits only.
_RINGS = ("add", "mul", "bitwise_and", "bitwise_or", "bitwise_xor")
# Others whose result in 32 bits has the lowest bits of that in 8.
_WIDENED = (
    "addcmul",
    "bitwise_left_shift",
    "bitwise_right_shift",
    "fmax",
    "fmin",
    "fmod",
    "pow",
    "remainder",
    "rsub",
    "sub",
)
# Integer exponents are expanded into multiplications.
_POWERS = ("pow",)
# Of 16-bit floats, kernels take a second operand of one element as it was given, in f32; and they
# multiply by alpha in f32.
_HALVES = ("f16", "bf16")
_BY_ONE = ("mul", "div")
_SCALED = ("add", "sub")
# Other scalars are rounded to the dtype.
_ROUNDED = ("rsub", *_SCALED)


@dataclass
class PromoteOperands(Pass):
    """Convert the operands of operators to the dtype in which they compute.

    The library declares for an operator how its operands promote
    (`abstract_interp_lib/promotion_kinds.py`). Here each is converted, and 8-bit integers are
    computed in 32 bits, whose lowest bits are the same; the result is converted back. The wheel's
    conversions promote, too, but extend and compare unsigned integers as signed, and abort at
    scalars with 8-bit tensors.

    A constant scalar gets the kind of the tensors: the wheel folds ops on a constant tensor and a
    constant scalar, and reads the scalar as an element of the tensor. A scalar that a float tensor
    is compared with is rounded to its dtype; one out of the range of an integer dtype wraps around.
    Products and quotients of 16-bit floats by a scalar, or by a tensor of one element, are those
    in f32 by the number that is given, which the dtype may not have.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2],f32>, %arg1: !torch.vtensor<[2],ui8>) -> \
!torch.vtensor<[2],f32> {
      %int1 = torch.constant.int 1
      %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[2],f32>, \
!torch.vtensor<[2],ui8>, !torch.int -> !torch.vtensor<[2],f32>
      return %0 : !torch.vtensor<[2],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2],f32>, %arg1: !torch.vtensor<[2],ui8>) -> \
!torch.vtensor<[2],f32> {
      %int1 = torch.constant.int 1
      %false = torch.constant.bool false
      %int6 = torch.constant.int 6
      %none = torch.constant.none
      %0 = torch.aten.to.dtype %arg1, %int6, %false, %false, %none : !torch.vtensor<[2],ui8>, \
!torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[2],f32>
      %float1.000000e00 = torch.constant.float 1.000000e+00
      %1 = torch.aten.add.Tensor %arg0, %0, %float1.000000e00 : !torch.vtensor<[2],f32>, \
!torch.vtensor<[2],f32>, !torch.float -> !torch.vtensor<[2],f32>
      return %1 : !torch.vtensor<[2],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-promote-operands"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Convert operands in a module, or in one function."""
        builder = TorchBuilder(Types(op.context))
        for each in [each for each in walk(op) if each.name.startswith("torch.")]:
            operator = _operator(name_of(each))
            if operator is None:
                continue
            with ir.InsertionPoint(each), each.location:
                plan = None if operator.promotion is None else _plan(each, operator, builder)
                if plan is not None and _apply(each, operator, plan, builder):
                    state.count(self.name, "operators")
                elif plan is None and _match_floats(each, operator, builder):
                    state.count(self.name, "scalars with float tensors")


@dataclass(frozen=True)
class _Operator:
    """What the pass knows of an operator."""

    base: str
    """Without namespace and overload."""
    arguments: tuple[Argument, ...]
    promotion: Promotion | None

    @property
    def scalars(self) -> list[int]:
        """The places of the arguments that are scalars of any type."""
        return [i for i, each in enumerate(self.arguments) if each.type in ("Scalar", "Scalar?")]


@cache
def _operator(name: str) -> _Operator | None:
    if not name.startswith("torch.aten."):
        return None
    operator = operator_name(name)
    promotion = _promotions().get(operator)
    try:
        arguments = schema(operator).arguments
    except KeyError:
        return None
    found = _Operator(operator.partition("::")[2].partition(".")[0], arguments, promotion)
    return found if promotion is not None or found.scalars else None


@cache
def _promotions() -> dict[str, Promotion]:
    return read_promotions()


@dataclass(frozen=True)
class _Plan:
    """The element type that operands are converted to, and the wider one for the computation."""

    kind: str
    computed: str
    places: tuple[int, ...]
    """The operands that promote."""


def _plan(op: ir.Operation, operator: _Operator, builder: TorchBuilder) -> _Plan | None:
    """How the operands of an op promote; None if they need not, or their dtypes are unknown."""
    promotion = operator.promotion
    assert promotion is not None
    names = [each.name for each in operator.arguments]
    places = tuple(names.index(name) for name in promotion.operands)
    ranks: list[int | None] = []
    dtypes: list[int] = []
    has_scalar = False
    for place in places:
        value = op.operands[place]
        for each in _listed(value):
            type = builder.types.tensor(each.type)
            if type is not None:
                if type.sizes is None or type.element not in CODES:
                    return None
                # Tensors of a list promote without regard to their ranks.
                ranks.append(len(type.sizes) if each is value else 1)
                dtypes.append(CODES[type.element])
            elif (number := _SCALARS.get(str(each.type))) is not None:
                has_scalar = True
                ranks.append(None)
                dtypes.append(number)
            elif str(each.type) != "!torch.none":
                return None
    promoted = promote_dtypes(ranks, dtypes)
    if promoted is None or is_complex(promoted):
        return None
    if promotion.kind == "int-to-float" and not is_floating(promoted):
        promoted = FLOAT32
    elif promotion.kind == "bool-to-long" and promoted == BOOL:
        promoted = INT64
    kind = _ELEMENTS.get(promoted)
    if kind is None:
        return None
    wide: dict[str, str] = {}
    if promotion.kind == "always-bool" or operator.base in _ORDERINGS:
        wide = _BYTES_AND_BOOLS
    elif operator.base in _WIDENED or (operator.base in _RINGS and has_scalar):
        wide = _BYTES
    if kind in _HALVES and _computes_in_f32(op, operator, builder):
        wide = dict.fromkeys(_HALVES, "f32")
    return _Plan(kind, wide.get(kind, kind), places)


def _computes_in_f32(op: ir.Operation, operator: _Operator, builder: TorchBuilder) -> bool:
    """Whether an operator on 16-bit floats has a number that is not rounded to them."""
    names = [each.name for each in operator.arguments]
    if operator.base in _SCALED:
        is_of_tensors = builder.types.tensor(op.operands[1].type) is not None
        return is_of_tensors and constant_of(op.operands[names.index("alpha")]) != 1
    return operator.base in _BY_ONE and _is_one(op.operands[1], builder)


def _is_one(value: ir.Value, builder: TorchBuilder) -> bool:
    """Whether an operand is a scalar, or a tensor of one element."""
    type = builder.types.tensor(value.type)
    return type is None or (type.sizes is not None and set(type.sizes) <= {1})


def _listed(value: ir.Value) -> list[ir.Value]:
    """The elements of a constructed list, or the value itself."""
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.name != "torch.prim.ListConstruct":
        return [value]
    return list(owner.operands)


def _apply(op: ir.Operation, operator: _Operator, plan: _Plan, builder: TorchBuilder) -> bool:
    """Convert the operands of an op; returns whether it changed."""
    is_comparison = operator.promotion is not None and operator.promotion.kind == "always-bool"
    operands = list(op.operands)
    if operator.base in _ORDERINGS and not _has_bounds(op, operator, plan.kind):
        # It is refused.
        return False
    for place, value in enumerate(op.operands):
        if operator.arguments[place].type in ("Scalar", "Scalar?"):
            if place in plan.places or plan.kind in _FLOATS:
                operands[place] = _fitted(value, operator, plan.kind, is_comparison, builder)
        elif place in plan.places:
            is_given = operator.base in _BY_ONE and place == 1 and plan.computed != plan.kind
            own = replace(plan, kind=plan.computed) if is_given else plan
            operands[place] = _converted(value, own, builder)
    if operands == list(op.operands):
        return False
    [result] = op.results
    type = builder.types.tensor(result.type)
    assert type is not None
    is_wide = plan.computed != plan.kind and not is_comparison
    types = [_type(replace(type, element=plan.computed), builder) if is_wide else result.type]
    made = create_op(op.name, operands, attributes_of(op), results=types).results[0]
    result.replace_all_uses_with(builder.to(made, str(type.element)) if is_wide else made)
    op.erase()
    return True


def _has_bounds(op: ir.Operation, operator: _Operator, kind: str) -> bool:
    """Whether the dtype has the constant bounds of an ordering, or is none of integers."""
    bounds = [constant_of(op.operands[place]) for place in operator.scalars]
    return all(is_element(each, kind) for each in bounds)


def is_element(number: Any, element: str) -> bool:
    """Whether an element type has a number, whose fraction is dropped, or which is rounded."""
    if type(number) not in (int, float):
        return True
    if element in GREATEST:
        return not GREATEST[element] < abs(number) < math.inf
    allowed = RANGES.get(element)
    return allowed is None or bool(allowed.start <= number <= allowed.stop - 1)


def _type(type: TensorType, builder: TorchBuilder) -> ir.Type:
    return ir.Type.parse(str(type), builder.types.context)


def _converted(value: ir.Value, plan: _Plan, builder: TorchBuilder) -> ir.Value:
    """A tensor, or a list of them, in the computation dtype; anything else as it is."""
    listed = _listed(value)
    made = [
        each
        if builder.types.tensor(each.type) is None
        else builder.to(builder.to(each, plan.kind), plan.computed)
        for each in listed
    ]
    if made == listed:
        return value
    if len(listed) == 1 and listed[0] == value:
        return made[0]
    return create_value("torch.prim.ListConstruct", value.type, made)


def _fitted(
    value: ir.Value, operator: _Operator, kind: str, is_comparison: bool, builder: TorchBuilder
) -> ir.Value:
    """A constant scalar as an element of the kind; any other value as it is."""
    number = constant_of(value)
    if type(number) not in (bool, int, float):
        return value
    if operator.base in _POWERS and type(number) is int:
        return value
    if kind in _FLOATS:
        exact = _as_float(number)
        is_rounded = is_comparison or (operator.base in _ROUNDED and kind in _HALVES)
        fitted: Any = rounded(exact, kind) if is_rounded else exact
    elif kind in RANGES:
        fitted = wrapped(int(number), kind)
    else:
        return value
    if repr(fitted) == repr(number):
        return value
    return _float(fitted) if kind in _FLOATS else builder.number(fitted)


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def wrapped(number: int, element: str) -> int:
    """The integer of an element type with the same lowest bits."""
    allowed = RANGES[element]
    return (number - allowed.start) % (allowed.stop - allowed.start) + allowed.start


def rounded(number: float, element: str) -> float:
    """The nearest number of a float element type, rounded to f32 first like PyTorch's casts."""
    if element == "f64" or number != number:
        return number
    single = _through(number, "f")
    if element == "f32" or single in (float("inf"), float("-inf")):
        return single
    if element == "f16":
        return _through(single, "e")
    [bits] = struct.unpack("<I", struct.pack("<f", single))
    # Ties to even.
    bits = bits + 0x7FFF + (bits >> 16 & 1) & 0xFFFF0000
    found: float = struct.unpack("<f", struct.pack("<I", bits))[0]
    return found


def _through(number: float, format: str) -> float:
    try:
        found: float = struct.unpack(f"<{format}", struct.pack(f"<{format}", number))[0]
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")
    return found


def _match_floats(op: ir.Operation, operator: _Operator, builder: TorchBuilder) -> bool:
    """Convert constant ints to floats, where all tensors are floats."""
    if operator.base in _POWERS:
        return False
    values = [*op.operands, *op.results]
    found = [
        each for each in (builder.types.tensor(value.type) for value in values) if each is not None
    ]
    if len(found) <= len(op.results) or any(each.element not in _FLOATS for each in found):
        return False
    before = list(op.operands)
    for place in operator.scalars:
        number = constant_of(op.operands[place])
        if type(number) is int:
            op.operands[place] = _float(_as_float(number))
    return list(op.operands) != before


def _float(value: float) -> ir.Value:
    attribute = ir.FloatAttr.get(ir.F64Type.get(), value)
    return create_value(
        "torch.constant.float", ir.Type.parse("!torch.float"), [], {"value": attribute}
    )
