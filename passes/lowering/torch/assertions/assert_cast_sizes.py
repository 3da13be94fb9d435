"""Assert that dynamic sizes that a cast makes static are these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import assert_that, compare, constant
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.torch.assertions.sizes import size_as_i64

_CAST = "torch.tensor_static_info_cast"
# Marks a cast whose sizes are asserted.
_CHECKED = "torch_refine.checked"


@dataclass
class AssertCastSizes(Pass):
    """Assert that dynamic sizes that a cast makes static are these.

    A trace takes a size that depends on values to be what the operators that use it need, and
    checks that at run time; decomposing the program folds the check. What the trace took for
    granted is in the types, to which the tensor is cast.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor<[2],f32> {
      %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[?],f32> to !torch.vtensor<[2],f32>
      return %0 : !torch.vtensor<[2],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor<[2],f32> {
      %int0 = torch.constant.int 0
      %0 = torch.aten.size.int %arg0, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
      %1 = torch_c.to_i64 %0
      %c2_i64 = arith.constant 2 : i64
      %2 = arith.cmpi eq, %1, %c2_i64 : i64
      cf.assert %2, "size 0 of a tensor was assumed to be 2"
      %3 = torch.tensor_static_info_cast %arg0 {torch_refine.checked} : \
!torch.vtensor<[?],f32> to !torch.vtensor<[2],f32>
      return %3 : !torch.vtensor<[2],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-assert-cast-sizes"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Assert in a module, or in one function."""
        types = Types(op.context)
        for each in list(walk(op)):
            if each.name != _CAST or _CHECKED in each.attributes:
                continue
            tensors = [types.tensor(value.type) for value in (each.operands[0], each.results[0])]
            given, taken = (None if tensor is None else tensor.sizes for tensor in tensors)
            if given is None or taken is None or len(given) != len(taken):
                continue
            with each.location, ir.InsertionPoint(each):
                for dim, (size, wanted) in enumerate(zip(given, taken, strict=True)):
                    if size is None and wanted is not None:
                        _assert(each.operands[0], dim, wanted)
                        each.attributes[_CHECKED] = ir.UnitAttr.get(op.context)
                        state.count(self.name, "sizes")


def _assert(tensor: ir.Value, dim: int, wanted: int) -> None:
    size = size_as_i64(tensor, dim)
    held = compare("eq", size, constant(size.type, wanted))
    assert_that(held, f"size {dim} of a tensor was assumed to be {wanted}")
