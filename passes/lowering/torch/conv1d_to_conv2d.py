"""Convert 1-d convolutions to 2-d convolutions of height 1."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import Pass, RunState

_CONVOLUTION = "torch.aten.convolution"
_RANK = 3
# Batch and channels come first.
_ROWS = 2
# The value of each operand for the added dimension: stride, padding, dilation, output padding.
_LISTS = {3: 1, 4: 0, 5: 1, 7: 0}


@dataclass
class Conv1dToConv2d(Pass):
    """Convert 1-d convolutions to 2-d convolutions of height 1.

    Schedules exist for 2-D convolutions. The unit dimension is free: tensors are reshaped.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[1,4,9],f32>, %arg1: !torch.vtensor<[8,4,3],f32>) -> \
!torch.vtensor<[1,8,7],f32> {
      %false = torch.constant.bool false
      %none = torch.constant.none
      %int0 = torch.constant.int 0
      %int1 = torch.constant.int 1
      %0 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
      %1 = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
      %2 = torch.aten.convolution %arg0, %arg1, %none, %0, %1, %0, %false, %1, %int1 : \
!torch.vtensor<[1,4,9],f32>, !torch.vtensor<[8,4,3],f32>, !torch.none, !torch.list<int>, \
!torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> \
!torch.vtensor<[1,8,7],f32>
      return %2 : !torch.vtensor<[1,8,7],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[1,4,9],f32>, %arg1: !torch.vtensor<[8,4,3],f32>) -> \
!torch.vtensor<[1,8,7],f32> {
      %false = torch.constant.bool false
      %none = torch.constant.none
      %int0 = torch.constant.int 0
      %int1 = torch.constant.int 1
      %0 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
      %1 = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
      %int2 = torch.constant.int 2
      %2 = torch.aten.unsqueeze %arg0, %int2 : !torch.vtensor<[1,4,9],f32>, !torch.int -> \
!torch.vtensor<[1,4,1,9],f32>
      %3 = torch.aten.unsqueeze %arg1, %int2 : !torch.vtensor<[8,4,3],f32>, !torch.int -> \
!torch.vtensor<[8,4,1,3],f32>
      %int1_0 = torch.constant.int 1
      %4 = torch.prim.ListConstruct %int1_0, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
      %int0_1 = torch.constant.int 0
      %5 = torch.prim.ListConstruct %int0_1, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
      %int1_2 = torch.constant.int 1
      %6 = torch.prim.ListConstruct %int1_2, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
      %int0_3 = torch.constant.int 0
      %7 = torch.prim.ListConstruct %int0_3, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
      %8 = torch.aten.convolution %2, %3, %none, %4, %5, %6, %false, %7, %int1 : \
!torch.vtensor<[1,4,1,9],f32>, !torch.vtensor<[8,4,1,3],f32>, !torch.none, !torch.list<int>, \
!torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> \
!torch.vtensor<[1,8,1,7],f32>
      %9 = torch.aten.squeeze.dim %8, %int2 : !torch.vtensor<[1,8,1,7],f32>, !torch.int -> \
!torch.vtensor<[1,8,7],f32>
      return %9 : !torch.vtensor<[1,8,7],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-conv1d-to-conv2d"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        types = Types(op.context)
        for each in [each for each in walk(op) if each.name == _CONVOLUTION]:
            tensors = [each.operands[0], each.operands[1], each.results[0]]
            found = [types.tensor(value.type) for value in tensors]
            image, weights, result = found
            if image is None or weights is None or result is None:
                continue
            if any(type.sizes is None or len(type.sizes) != _RANK for type in (image, weights)):
                continue
            lists = {place: defining_op(each.operands[place]) for place in _LISTS}
            if all(
                producer is not None and producer.name == "torch.prim.ListConstruct"
                for producer in lists.values()
            ):
                _widen(each, image, weights, result)
                state.count(self.name, "convolutions")


def _widen(op: ir.Operation, image: TensorType, weights: TensorType, result: TensorType) -> None:
    context = op.context
    with ir.InsertionPoint(op), op.location:
        place = _integer(_ROWS)
        operands = list(op.operands)
        for index, type in enumerate((image, weights)):
            operands[index] = create_value(
                "torch.aten.unsqueeze", _with_unit_height(type, context), [operands[index], place]
            )
        for index, given in _LISTS.items():
            producer = defining_op(operands[index])
            assert producer is not None, "list operands must be constructed"
            operands[index] = create_value(
                producer.name, operands[index].type, [_integer(given), *producer.operands]
            )
        wide = create_value(op.name, _with_unit_height(result, context), operands)
        narrow = create_value("torch.aten.squeeze.dim", op.results[0].type, [wide, place])
        op.results[0].replace_all_uses_with(narrow)
    op.erase()


def _integer(value: int) -> ir.Value:
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
    return create_value("torch.constant.int", ir.Type.parse("!torch.int"), [], {"value": number})


def _with_unit_height(type: TensorType, context: ir.Context) -> ir.Type:
    """The type of a tensor with a height of 1."""
    sizes = None
    if type.sizes is not None:
        sizes = (*type.sizes[:_ROWS], 1, *type.sizes[_ROWS:])
    return ir.Type.parse(str(replace(type, sizes=sizes)), context)
