"""Make convolutions over one dimension convolutions over images of one row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.indexing import maker_of

_CONVOLUTION = "torch.aten.convolution"
_RANK = 3
# Batch and channels come first.
_ROWS = 2
# What an operand says of the added dimension: stride, padding, dilation, output padding.
_LISTS = {3: 1, 4: 0, 5: 1, 7: 0}


@dataclass
class WidenConvolutions(Pass):
    """Make convolutions over one dimension convolutions over images of one row.

    Schedules are for images. A row more costs nothing: the tensors are looked at in another way.

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

    name: ClassVar[str] = "torch-widen-convolutions"

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
            lists = {place: maker_of(each.operands[place]) for place in _LISTS}
            if all(
                maker is not None and maker.name == "torch.prim.ListConstruct"
                for maker in lists.values()
            ):
                _widen(each, image, weights, result)
                state.count(self.name, "convolutions")


def _widen(op: ir.Operation, image: TensorType, weights: TensorType, result: TensorType) -> None:
    context = op.context
    with ir.InsertionPoint(op), op.location:
        place = _integer(_ROWS)
        operands = list(op.operands)
        for index, type in enumerate((image, weights)):
            operands[index] = ir.Operation.create(
                "torch.aten.unsqueeze",
                results=[_with_row(type, context)],
                operands=[operands[index], place],
            ).result
        for index, given in _LISTS.items():
            maker = maker_of(operands[index])
            assert maker is not None, "lists are constructed, which was checked"
            operands[index] = ir.Operation.create(
                maker.name,
                results=[operands[index].type],
                operands=[_integer(given), *maker.operands],
            ).result
        wide = ir.Operation.create(
            op.name, results=[_with_row(result, context)], operands=operands
        ).result
        narrow = ir.Operation.create(
            "torch.aten.squeeze.dim", results=[op.results[0].type], operands=[wide, place]
        ).result
        op.results[0].replace_all_uses_with(narrow)
    op.erase()


def _integer(value: int) -> ir.Value:
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
    return ir.Operation.create(
        "torch.constant.int",
        results=[ir.Type.parse("!torch.int")],
        attributes={"value": number},
    ).result


def _with_row(type: TensorType, context: ir.Context) -> ir.Type:
    """A tensor of images of one row."""
    sizes = None
    if type.sizes is not None:
        sizes = (*type.sizes[:_ROWS], 1, *type.sizes[_ROWS:])
    return ir.Type.parse(str(replace(type, sizes=sizes)), context)
