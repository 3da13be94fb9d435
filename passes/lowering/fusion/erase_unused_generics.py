"""Erase each `linalg.generic` whose results are unused, even if it asserts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import GENERIC
from torch_refine.passes.base import Pass, RunState


@dataclass
class EraseUnusedGenerics(Pass):
    """Erase each `linalg.generic` whose results are unused, even if it asserts.

    Upstream's fusion clones a producer into its consumer, with its assertions, and leaves the
    producer to be erased as unused. An assertion has a side effect, so it would stay, and each op
    of a chain would recompute all ops in front of it.

    Before:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%arg0: tensor<4xindex>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
      %c4 = arith.constant 4 : index
      %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} \
ins(%arg0 : tensor<4xindex>) outs(%arg1 : tensor<4xf32>) {
      ^bb0(%in: index, %out: f32):
        %1 = arith.cmpi ult, %in, %c4 : index
        cf.assert %1, "index is out of bounds"
        linalg.yield %out : f32
      } -> tensor<4xf32>
      return %arg1 : tensor<4xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<4xindex>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
      %c4 = arith.constant 4 : index
      return %arg1 : tensor<4xf32>
    }
    ```
    """

    name: ClassVar[str] = "erase-unused-generics"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Erase them in a module, or in one function."""
        found = [each for each in walk(op) if each.name == GENERIC and len(each.results)]
        for each in reversed(found):
            if not any(True for result in each.results for _ in result.uses):
                each.erase()
                state.count(self.name, "ops erased")
