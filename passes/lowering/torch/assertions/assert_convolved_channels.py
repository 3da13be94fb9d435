"""Assert that a convolution has input channels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import assert_that, create_value
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.torch.assertions.sizes import size_as_i64
from torch_refine.passes.lowering.torch.seen_ops import constant_of

_CONVOLUTION = "torch.aten.convolution"
_TRANSPOSED = 6
_GREATER = 4
_MESSAGE = "convolution: the input was assumed to have channels"


@dataclass
class AssertConvolvedChannels(Pass):
    """Assert that a convolution has input channels.

    A convolution without input channels has no channels, otherwise as many as the weight has. Where
    both are possible, the type says neither, and the wheel's conversion fails.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,?,9],f32>, %arg1: !torch.vtensor<[4,?,3],f32>, \
%arg2: !torch.list<int>, %arg3: !torch.int) -> !torch.vtensor<[2,?,?],f32> {
      %false = torch.constant.bool false
      %none = torch.constant.none
      %0 = torch.aten.convolution %arg0, %arg1, %none, %arg2, %arg2, %arg2, %false, %arg2, %arg3 : \
!torch.vtensor<[2,?,9],f32>, !torch.vtensor<[4,?,3],f32>, !torch.none, !torch.list<int>, \
!torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> \
!torch.vtensor<[2,?,?],f32>
      return %0 : !torch.vtensor<[2,?,?],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,?,9],f32>, %arg1: !torch.vtensor<[4,?,3],f32>, \
%arg2: !torch.list<int>, %arg3: !torch.int) -> !torch.vtensor<[2,?,?],f32> {
      %false = torch.constant.bool false
      %none = torch.constant.none
      %int1 = torch.constant.int 1
      %0 = torch.aten.size.int %arg1, %int1 : !torch.vtensor<[4,?,3],f32>, !torch.int -> !torch.int
      %1 = torch_c.to_i64 %0
      %c0_i64 = arith.constant 0 : i64
      %2 = arith.cmpi sgt, %1, %c0_i64 : i64
      cf.assert %2, "convolution: the input was assumed to have channels"
      %3 = torch.aten.convolution %arg0, %arg1, %none, %arg2, %arg2, %arg2, %false, %arg2, %arg3 : \
!torch.vtensor<[2,?,9],f32>, !torch.vtensor<[4,?,3],f32>, !torch.none, !torch.list<int>, \
!torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> \
!torch.vtensor<[2,4,?],f32>
      %4 = torch.tensor_static_info_cast %3 : !torch.vtensor<[2,4,?],f32> to \
!torch.vtensor<[2,?,?],f32>
      return %4 : !torch.vtensor<[2,?,?],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-assert-convolved-channels"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Assert in a module, or in one function."""
        types = Types(op.context)
        for each in list(walk(op)):
            if each.name == _CONVOLUTION and _assert_channels(each, types):
                state.count(self.name, "convolutions")


def _assert_channels(op: ir.Operation, types: Types) -> bool:
    """Assert that there are channels, if only then the result has those of the weight."""
    weight, result = types.tensor(op.operands[1].type), types.tensor(op.results[0].type)
    if weight is None or result is None or constant_of(op.operands[_TRANSPOSED]) is not False:
        return False
    if not weight.sizes or not result.sizes:
        return False
    produced, channels = weight.sizes[0], weight.sizes[1]
    if produced is None or channels is not None or result.sizes[1] is not None:
        return False
    with op.location, ir.InsertionPoint(op):
        value = size_as_i64(op.operands[1], 1)
        number = value.type
        zero = create_value("arith.constant", number, [], {"value": ir.IntegerAttr.get(number, 0)})
        predicate = {"predicate": ir.IntegerAttr.get(number, _GREATER)}
        has_some = create_value(
            "arith.cmpi", ir.IntegerType.get_signless(1), [value, zero], predicate
        )
        assert_that(has_some, _MESSAGE)
        known = replace(result, sizes=(result.sizes[0], produced, *result.sizes[2:]))
        found = create_value(_CONVOLUTION, types.parse(known), list(op.operands))
        cast = create_value("torch.tensor_static_info_cast", op.results[0].type, [found])
    op.results[0].replace_all_uses_with(cast)
    op.erase()
    return True
