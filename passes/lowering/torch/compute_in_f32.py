"""Compute multi-step operators of f16 and bf16 in f32."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from torch_refine.dialect.bindings import attributes_of, ir, walk
from torch_refine.dialect.element_types import FLOAT8, dtype_of_element
from torch_refine.dialect.ir_builder import create_op, create_value
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.torch.seen_ops import Seen, constant_of, seen_of

# PyTorch's dtype codes.
_CODES = {each: dtype_of_element(each) for each in ("f16", "bf16", *FLOAT8)}
_SINGLE = 6
# Operators that the wheel converts to several steps, each of which would round.
_COMPUTED = frozenset(
    [
        "_adaptive_avg_pool2d",
        "adaptive_avg_pool1d",
        "adaptive_avg_pool2d",
        "atan2",
        "avg_pool1d",
        "avg_pool2d",
        "avg_pool3d",
        "cumprod",
        "cumsum",
        "gelu",
        "gelu_backward",
        "linalg_vector_norm",
        "logcumsumexp",
        "logsumexp",
        "prod",
        "rsub",
        "sigmoid",
        "sigmoid_backward",
    ]
)

# Those whose last operand is a dtype.
_WITH_DTYPE = (
    "torch.aten.cumprod",
    "torch.aten.cumsum",
    "torch.aten.linalg_vector_norm",
    "torch.aten.prod",
    "torch.aten.prod.dim_int",
)
# A product of matrices, whose sums later passes round to 16 bits once, but not to 8.
_PRODUCT = "mm"
# Operators that cast, or compare with zero, which not all formats of 8 bits have.
_CASTS = ("_to_copy", "any", "convert_element_type", "logical_not", "to")


@dataclass
class ComputeInF32(Pass):
    """Compute multi-step operators of f16 and bf16 in f32.

    PyTorch's kernels do this (`at::opmath_type`), and round each result once. Operators of a single
    arithmetic step, and contractions, whose conversions accumulate in f32, do not change. A cast of
    8-bit floats to others is one to f32 and one from it.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2],f16>) -> !torch.vtensor<[2],f16> {
      %0 = torch.aten.sigmoid %arg0 : !torch.vtensor<[2],f16> -> !torch.vtensor<[2],f16>
      return %0 : !torch.vtensor<[2],f16>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2],f16>) -> !torch.vtensor<[2],f16> {
      %int6 = torch.constant.int 6
      %false = torch.constant.bool false
      %false_0 = torch.constant.bool false
      %none = torch.constant.none
      %0 = torch.aten.to.dtype %arg0, %int6, %false, %false_0, %none : !torch.vtensor<[2],f16>, \
!torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[2],f32>
      %1 = torch.aten.sigmoid %0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
      %int5 = torch.constant.int 5
      %false_1 = torch.constant.bool false
      %false_2 = torch.constant.bool false
      %none_3 = torch.constant.none
      %2 = torch.aten.to.dtype %1, %int5, %false_1, %false_2, %none_3 : !torch.vtensor<[2],f32>, \
!torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[2],f16>
      return %2 : !torch.vtensor<[2],f16>
    }
    ```
    """

    name: ClassVar[str] = "torch-compute-in-f32"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Widen operators in a module, or in one function."""
        types = Types(op.context)
        for each in list(walk(op)):
            if not each.name.startswith("torch."):
                continue
            seen = seen_of(each, types)
            if seen is None:
                continue
            if seen.base in _CASTS and _is_cast_by_f32(seen):
                _cast_by_f32(each, types)
                state.count(self.name, "operators")
            is_product = seen.base == _PRODUCT and seen.element_of_operands(*FLOAT8)
            if seen.base not in _COMPUTED and not is_product:
                continue
            if each.name in _WITH_DTYPE:
                _convert_first(each, types)
            if any(_half(value, types) is not None for value in each.operands):
                _widen(each, types)
                state.count(self.name, "operators")


def _is_cast_by_f32(seen: Seen) -> bool:
    """Whether 8-bit floats are cast to others, or to bools."""
    return seen.element_of_operands(*FLOAT8) and seen.element_of_results("i1", *FLOAT8)


def _cast_by_f32(op: ir.Operation, types: Types) -> None:
    """Cast the operand to f32 first."""
    type = types.tensor(op.operands[0].type)
    assert type is not None, "the first operand is a tensor"
    with ir.InsertionPoint(op), op.location:
        op.operands[0] = _converted(op.operands[0], replace(type, element="f32"), _SINGLE)


def _convert_first(op: ir.Operation, types: Types) -> None:
    """Convert the operand to the dtype that is asked for, if it has 16 bits."""
    type = types.tensor(op.operands[0].type)
    code = constant_of(op.operands[len(op.operands) - 1])
    element = next((each for each, number in _CODES.items() if number == code), None)
    if type is None or element is None or type.element in (None, element):
        return
    with ir.InsertionPoint(op), op.location:
        op.operands[0] = _converted(op.operands[0], replace(type, element=element), code)


def _widen(op: ir.Operation, types: Types) -> None:
    context = op.context
    halves = [_half(result, types) for result in op.results]
    with ir.InsertionPoint(op), op.location:
        operands = list(op.operands)
        for place, operand in enumerate(operands):
            type = _half(operand, types)
            if type is not None:
                operands[place] = _converted(operand, replace(type, element="f32"), _SINGLE)
        if op.name in _WITH_DTYPE and constant_of(operands[-1]) in _CODES.values():
            operands[-1] = create_value(
                "torch.constant.none", ir.Type.parse("!torch.none", context), []
            )
        wide = create_op(
            op.name,
            operands,
            attributes_of(op),
            results=[
                result.type if half is None else _torch_type(replace(half, element="f32"), context)
                for result, half in zip(op.results, halves, strict=True)
            ],
        )
        for old, new, half in zip(op.results, wide.results, halves, strict=True):
            narrow = new if half is None else _converted(new, half, _CODES[str(half.element)])
            old.replace_all_uses_with(narrow)
    op.erase()


def _half(value: ir.Value, types: Types) -> TensorType | None:
    """The type of a value, if it is a tensor of floats of at most 16 bits."""
    type = types.tensor(value.type)
    return type if type is not None and type.element in _CODES else None


def _converted(value: ir.Value, type: TensorType, code: int | None) -> ir.Value:
    """A tensor converted to a type, whose element type has the dtype code."""
    context = value.type.context
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64, context), code)
    no = ir.BoolAttr.get(False, context)
    made = [
        create_value(
            f"torch.constant.{name}",
            ir.Type.parse(f"!torch.{name}", context),
            [],
            {} if value is None else {"value": value},
        )
        for name, value in (("int", number), ("bool", no), ("bool", no), ("none", None))
    ]
    return create_value("torch.aten.to.dtype", _torch_type(type, context), [value, *made])


def _torch_type(type: TensorType, context: ir.Context) -> ir.Type:
    """A tensor type of the dialect."""
    return ir.Type.parse(str(type), context)
