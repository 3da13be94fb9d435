"""Compute products of 8-bit integers in 32 bits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from torch_refine.dialect.bindings import attributes_of, ir, walk
from torch_refine.dialect.ir_builder import create_op
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.torch.compute_in_f32 import converted, torch_type

# PyTorch's dtype codes.
_CODES = {"ui8": 0, "si8": 1}
_WIDE, _WIDE_CODE = "si32", 3
_PRODUCTS = frozenset(
    f"torch.aten.{name}"
    for name in ("mm", "bmm", "matmul", "mv", "dot", "convolution", "addmm", "linear")
)


@dataclass
class ComputeInI32(Pass):
    """Compute products of 8-bit integers in 32 bits.

    The wheel's conversions of contractions abort the process for 8-bit results. PyTorch's kernels
    let sums wrap around: they are the lowest bits of those of 32 bits.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],si8>, %arg1: !torch.vtensor<[3,2],si8>) -> \
!torch.vtensor<[2,2],si8> {
      %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[2,3],si8>, !torch.vtensor<[3,2],si8> -> \
!torch.vtensor<[2,2],si8>
      return %0 : !torch.vtensor<[2,2],si8>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],si8>, %arg1: !torch.vtensor<[3,2],si8>) -> \
!torch.vtensor<[2,2],si8> {
      %int3 = torch.constant.int 3
      %false = torch.constant.bool false
      %false_0 = torch.constant.bool false
      %none = torch.constant.none
      %0 = torch.aten.to.dtype %arg0, %int3, %false, %false_0, %none : \
!torch.vtensor<[2,3],si8>, !torch.int, !torch.bool, !torch.bool, !torch.none -> \
!torch.vtensor<[2,3],si32>
      %int3_1 = torch.constant.int 3
      %false_2 = torch.constant.bool false
      %false_3 = torch.constant.bool false
      %none_4 = torch.constant.none
      %1 = torch.aten.to.dtype %arg1, %int3_1, %false_2, %false_3, %none_4 : \
!torch.vtensor<[3,2],si8>, !torch.int, !torch.bool, !torch.bool, !torch.none -> \
!torch.vtensor<[3,2],si32>
      %2 = torch.aten.mm %0, %1 : !torch.vtensor<[2,3],si32>, !torch.vtensor<[3,2],si32> -> \
!torch.vtensor<[2,2],si32>
      %int1 = torch.constant.int 1
      %false_5 = torch.constant.bool false
      %false_6 = torch.constant.bool false
      %none_7 = torch.constant.none
      %3 = torch.aten.to.dtype %2, %int1, %false_5, %false_6, %none_7 : \
!torch.vtensor<[2,2],si32>, !torch.int, !torch.bool, !torch.bool, !torch.none -> \
!torch.vtensor<[2,2],si8>
      return %3 : !torch.vtensor<[2,2],si8>
    }
    ```
    """

    name: ClassVar[str] = "torch-compute-in-i32"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Widen the products in a module, or in one function."""
        types = Types(op.context)
        for each in [each for each in walk(op) if each.name in _PRODUCTS]:
            result = _bytes(each.results[0], types)
            if result is not None:
                _widen(each, result, types)
                state.count(self.name, "operators")


def _widen(op: ir.Operation, result: TensorType, types: Types) -> None:
    with ir.InsertionPoint(op), op.location:
        operands = list(op.operands)
        for place, operand in enumerate(operands):
            type = _bytes(operand, types)
            if type is not None:
                operands[place] = converted(operand, replace(type, element=_WIDE), _WIDE_CODE)
        wide = create_op(
            op.name,
            operands,
            attributes_of(op),
            results=[torch_type(replace(result, element=_WIDE), op.context)],
        )
        narrow = converted(wide.results[0], result, _CODES[str(result.element)])
    op.results[0].replace_all_uses_with(narrow)
    op.erase()


def _bytes(value: ir.Value, types: Types) -> TensorType | None:
    """The type of a value, if it is a tensor of 8-bit integers."""
    type = types.tensor(value.type)
    return type if type is not None and type.element in _CODES else None
