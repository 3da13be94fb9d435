"""Assert that dynamic sizes that a squeeze drops are 1, and that those it keeps are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import assert_that, compare, constant
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.torch.assertions.sizes import size_as_i64
from torch_refine.passes.lowering.torch.seen_ops import constant_of

_SQUEEZE, _SQUEEZE_DIM = "torch.aten.squeeze", "torch.aten.squeeze.dim"
# Marks a squeeze whose sizes are asserted.
_CHECKED = "torch_refine.checked"


@dataclass
class AssertSqueezedSizes(Pass):
    """Assert that dynamic sizes that a squeeze drops are 1, and that those it keeps are not.

    The rank of the result of `aten.squeeze` depends on sizes. A program has a static rank for it,
    which is valid for these sizes only. A squeeze of one size that is kept is its operand.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
      %int0 = torch.constant.int 0
      %0 = torch.aten.squeeze.dim %arg0, %int0 : !torch.vtensor<[?,3],f32>, !torch.int -> \
!torch.vtensor<[?,3],f32>
      return %0 : !torch.vtensor<[?,3],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
      %int0 = torch.constant.int 0
      %int0_0 = torch.constant.int 0
      %0 = torch.aten.size.int %arg0, %int0_0 : !torch.vtensor<[?,3],f32>, !torch.int -> !torch.int
      %1 = torch_c.to_i64 %0
      %c1_i64 = arith.constant 1 : i64
      %2 = arith.cmpi ne, %1, %c1_i64 : i64
      cf.assert %2, "squeeze: size 0 was assumed not to be 1"
      return %arg0 : !torch.vtensor<[?,3],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-assert-squeezed-sizes"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Assert in a module, or in one function."""
        types = Types(op.context)
        failed = False
        for each in list(walk(op)):
            if each.name not in (_SQUEEZE, _SQUEEZE_DIM) or _CHECKED in each.attributes:
                continue
            found = _ambiguous_dims(each, types)
            if found is None:
                message = f"{each.name} is not lowered: the rank of its result is unknown"
                state.diagnostics.error(each.location, message)
                failed = True
                continue
            dims, is_kept = found
            if dims:
                each.attributes[_CHECKED] = ir.UnitAttr.get(op.context)
            with each.location, ir.InsertionPoint(each):
                for dim in dims:
                    _assert(each.operands[0], dim, is_kept)
                    state.count(self.name, "sizes")
            result, operand = each.results[0], each.operands[0]
            if is_kept and dims and each.name == _SQUEEZE_DIM and result.type == operand.type:
                # The conversion drops it.
                result.replace_all_uses_with(operand)
                each.erase()
        if failed:
            raise PassFailure(self.name)


def _ambiguous_dims(op: ir.Operation, types: Types) -> tuple[list[int], bool] | None:
    """The dynamic dimensions that may be squeezed, and whether the result keeps them."""
    tensors = [types.tensor(op.operands[0].type), types.tensor(op.results[0].type)]
    sizes, kept = (None if each is None else each.sizes for each in tensors)
    if sizes is None or kept is None:
        return None
    dims = list(range(len(sizes)))
    if op.name == _SQUEEZE_DIM and sizes:
        dim = constant_of(op.operands[1])
        if not isinstance(dim, int) or not -len(sizes) <= dim < len(sizes):
            return None
        dims = [dim % len(sizes)]
    doubtful = [dim for dim in dims if not isinstance(sizes[dim], int)]
    missing = len(sizes) - len(kept) - sum(sizes[dim] == 1 for dim in dims)
    if missing not in (0, len(doubtful)):
        return None
    return doubtful, missing == 0


def _assert(tensor: ir.Value, dim: int, is_kept: bool) -> None:
    size = size_as_i64(tensor, dim)
    held = compare("ne" if is_kept else "eq", size, constant(size.type, 1))
    assert_that(held, f"squeeze: size {dim} was assumed {'not ' if is_kept else ''}to be 1")
