"""Duplicate each `linalg.generic` without inputs for each of its uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.structured_ops import (
    GENERIC,
    iterators,
    num_inputs,
    operation_of,
)
from torch_refine.passes.base import Pass, RunState

# Recomputing longer bodies may take longer than reading the result.
_MOST_OPS = 8


@dataclass
class DuplicateIndices(Pass):
    """Duplicate each `linalg.generic` without inputs for each of its uses.

    The result of such an op depends on indices only, as that of `torch.arange`, or a mask.
    Upstream's fusion fuses only producers with a single use: fused, it needs no buffer, and passes
    can analyse how the user depends on its indices.

    Before:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%arg0: tensor<4xi64>) -> tensor<4xi64> {
      %0 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} \
outs(%arg0 : tensor<4xi64>) {
      ^bb0(%out: i64):
        %2 = linalg.index 0 : index
        %3 = arith.index_cast %2 : index to i64
        linalg.yield %3 : i64
      } -> tensor<4xi64>
      %1 = linalg.mul ins(%0, %0 : tensor<4xi64>, tensor<4xi64>) outs(%arg0 : tensor<4xi64>) -> \
tensor<4xi64>
      return %1 : tensor<4xi64>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%arg0: tensor<4xi64>) -> tensor<4xi64> {
      %0 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} \
outs(%arg0 : tensor<4xi64>) {
      ^bb0(%out: i64):
        %3 = linalg.index 0 : index
        %4 = arith.index_cast %3 : index to i64
        linalg.yield %4 : i64
      } -> tensor<4xi64>
      %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} \
outs(%arg0 : tensor<4xi64>) {
      ^bb0(%out: i64):
        %3 = linalg.index 0 : index
        %4 = arith.index_cast %3 : index to i64
        linalg.yield %4 : i64
      } -> tensor<4xi64>
      %2 = linalg.mul ins(%0, %1 : tensor<4xi64>, tensor<4xi64>) outs(%arg0 : tensor<4xi64>) -> \
tensor<4xi64>
      return %2 : tensor<4xi64>
    }
    ```
    """

    name: ClassVar[str] = "duplicate-indices"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Duplicate them in a module, or in one function."""
        for each in [each for each in walk(op) if _depends_on_indices_only(each)]:
            _, *others = list(each.results[0].uses)
            for use in others:
                user = operation_of(use.owner)
                copy = each.clone(ir.InsertionPoint(each))
                user.operands[use.operand_number] = copy.results[0]
                state.count(self.name, "ops copied")


def _depends_on_indices_only(op: ir.Operation) -> bool:
    if op.name != GENERIC or len(op.results) != 1 or num_inputs(op):
        return False
    if set(iterators(op)) != {"parallel"} or not any(True for _ in op.results[0].uses):
        return False
    block = op.regions[0].blocks[0]
    body = list(operations(block))
    if len(body) > _MOST_OPS or any(True for _ in block.arguments[0].uses):
        return False
    return all(each.name.startswith(("arith.", "linalg.")) for each in body)
