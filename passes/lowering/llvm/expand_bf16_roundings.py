"""Expand roundings of f32 to bf16 to integer arithmetic of 32 bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.templates import Templates

# To the nearest, of two equally near ones the even one. The sum would make infinities of some NaNs.
# One NaN is selected for all first: LLVM would move a selection of the sum behind the truncation.
_FUNCTION = """
func.func private @truncf(%x: f32) -> bf16 {
  %bias = arith.constant 0x7FFF : i32
  %nan = arith.constant 0x7FC00000 : f32
  %one = arith.constant 1 : i32
  %i16 = arith.constant 16 : i32
  %is_nan = arith.cmpf uno, %x, %x : f32
  %quiet = arith.select %is_nan, %nan, %x : f32
  %bits = arith.bitcast %quiet : f32 to i32
  %upper = arith.shrui %bits, %i16 : i32
  %odd = arith.andi %upper, %one : i32
  %most = arith.addi %bits, %bias : i32
  %sum = arith.addi %most, %odd : i32
  %moved = arith.shrui %sum, %i16 : i32
  %half = arith.trunci %moved : i32 to i16
  %value = arith.bitcast %half : i16 to bf16
  return %value : bf16
}
"""


@dataclass
class ExpandBf16Roundings(Pass):
    """Expand roundings of f32 to bf16 to integer arithmetic of 32 bits.

    Upstream's expansion selects the NaN among numbers of 16 bits, by a comparison of 32 bits. Where
    masks are vectors, LLVM does that for each element.

    Before:

    ```mlir
    func.func @f(%arg0: f32) -> bf16 {
      %0 = arith.truncf %arg0 : f32 to bf16
      return %0 : bf16
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: f32) -> bf16 {
      // ...
      %0 = arith.cmpf uno, %arg0, %arg0 : f32
      %1 = arith.select %0, %cst, %arg0 : f32
      %2 = arith.bitcast %1 : f32 to i32
      %3 = arith.shrui %2, %c16_i32 : i32
      %4 = arith.andi %3, %c1_i32 : i32
      %5 = arith.addi %2, %c32767_i32 : i32
      %6 = arith.addi %5, %4 : i32
      %7 = arith.shrui %6, %c16_i32 : i32
      %8 = arith.trunci %7 : i32 to i16
      %9 = arith.bitcast %8 : i16 to bf16
      return %9 : bf16
    }
    ```
    """

    name: ClassVar[str] = "expand-bf16-roundings"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        template: Templates | None = None
        for each in [each for each in walk(op) if each.name == "arith.truncf"]:
            lanes = _lanes(each.result.type, "bf16")
            if lanes is None or lanes != _lanes(each.operands[0].type, "f32"):
                continue
            template = template or Templates(_FUNCTION, op.context)
            with ir.InsertionPoint(each), each.location:
                made = template.put("truncf", list(each.operands), lanes)
            each.result.replace_all_uses_with(made.results[0])
            each.erase()
            state.count(self.name, "roundings")


def _lanes(type: ir.Type, element: str) -> int | None:
    """The size of a vector of such elements, 0 of one of them, None of other types."""
    if not isinstance(type, ir.VectorType):
        return 0 if str(type) == element else None
    is_plain = type.rank == 1 and not any(type.scalable_dims)
    return type.shape[0] if is_plain and str(type.element_type) == element else None
