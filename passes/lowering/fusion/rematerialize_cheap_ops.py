"""Duplicate `linalg.generic` ops that cost less than their buffers for each of their uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.structured_ops import (
    GENERIC,
    dims_of,
    iterators,
    maps,
    num_inputs,
    operation_of,
)
from torch_refine.passes.base import Pass, RunState

# Casts without roundings: their result takes more memory than their operand.
_EXTENSIONS = ("arith.extf", "arith.extsi", "arith.extui")
# Recomputing longer bodies may take longer than reading the result.
_MOST_OPS = 8


@dataclass
class RematerializeCheapOps(Pass):
    """Duplicate `linalg.generic` ops that cost less than their buffers for each of their uses.

    These are ops without inputs, whose result depends on indices only, as that of `torch.arange`,
    or a mask; and extensions, such as the f64 that the mean and the squares of a variance read: for
    uses by other `linalg.generic` ops. Upstream's fusion fuses only producers with a single use:
    fused, the op needs no buffer, and passes can analyse how the user depends on its indices.

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

    name: ClassVar[str] = "rematerialize-cheap-ops"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Duplicate them in a module, or in one function."""
        for each in [each for each in walk(op) if _is_cheap(each)]:
            uses = [(operation_of(use.owner), use.operand_number) for use in each.results[0].uses]
            served = uses
            if num_inputs(each):
                # Only fusion saves the buffer of an extension.
                served = [(user, number) for user, number in uses if user.name == GENERIC]
            if len(served) == len(uses):
                # The first use keeps the op itself.
                served = served[1:]
            for user, number in served:
                user.operands[number] = each.clone(ir.InsertionPoint(each)).results[0]
                state.count(self.name, "ops copied")


def _is_cheap(op: ir.Operation) -> bool:
    if op.name != GENERIC or len(op.results) != 1 or set(iterators(op)) != {"parallel"}:
        return False
    block = op.regions[0].blocks[0]
    body = list(operations(block))
    if num_inputs(op):
        places = [dims_of(each) for each in maps(op)]
        in_order = list(range(len(iterators(op))))
        return len(body) == 2 and body[0].name in _EXTENSIONS and places == [in_order, in_order]
    if len(body) > _MOST_OPS or any(True for _ in block.arguments[0].uses):
        return False
    return all(each.name.startswith(("arith.", "linalg.")) for each in body)
