"""Lay out the operands of products of matrices for the kernel that computes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.indexing import is_contraction
from torch_refine.passes.lowering.schedules import apply_schedule

_PACKED = "torch_refine.packed"
# Below this number of multiplications packing costs more than it brings.
_LEAST_WORK = 4096


@dataclass
class PackProducts(Pass):
    """Lay out the operands of products of matrices for the kernel that computes them.

    `linalg.matmul` and `linalg.batch_matmul` of f32 become a `linalg.generic` over packed operands,
    by the schedule `pack.mlir`. Small ones stay as they are.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2xf32>, %arg2: tensor<2x2xf32>) \
-> tensor<2x2xf32> {
      %0 = linalg.matmul ins(%arg0, %arg1 : tensor<2x2xf32>, tensor<2x2xf32>) \
outs(%arg2 : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2xf32>, %arg2: tensor<2x2xf32>) \
-> tensor<2x2xf32> {
      %0 = linalg.matmul ins(%arg0, %arg1 : tensor<2x2xf32>, tensor<2x2xf32>) \
outs(%arg2 : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    }
    ```
    """

    name: ClassVar[str] = "pack-products"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Pack in the functions of a module."""
        for function in list(operations(op.regions[0].blocks[0])):
            chosen = [each for each in walk(function) if _is_worth_it(each)]
            for each in chosen:
                each.attributes[_PACKED] = ir.UnitAttr.get(op.context)
            if chosen and apply_schedule("pack", function):
                state.count(self.name, "products packed", len(chosen))


def _is_worth_it(op: ir.Operation) -> bool:
    if not is_contraction(op):
        return False
    left, right = (ir.RankedTensorType(operand.type) for operand in list(op.operands)[:2])
    if str(left.element_type) != "f32" or str(right.element_type) != "f32":
        return False
    work = 1
    for size in [*left.shape[-2:], right.shape[-1]]:
        # A size that is not known is taken for a large one.
        work *= 1024 if size < 0 else size
    return work >= _LEAST_WORK
