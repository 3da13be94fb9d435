"""Outline contractions and convolutions, so that fusion leaves them whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.groups import Group
from torch_refine.passes.lowering.kernels.outlining import KERNEL, Outliner
from torch_refine.passes.program import structured_blocks

_HIDDEN = (
    "linalg.matmul",
    "linalg.batch_matmul",
    "linalg.contract",
    "linalg.conv_",
    "linalg.depthwise_conv_",
)


@dataclass
class OutlineContractions(Pass):
    """Outline contractions and convolutions, so that fusion leaves them whole.

    Fusion would move the producers of an operand into the reduction loop. Each contraction becomes
    a private function, which `inline` inlines again.

    Before:

    ```mlir
    func.func @main(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %0 = linalg.matmul ins(%arg0, %arg0 : tensor<2x2xf32>, tensor<2x2xf32>) \
outs(%arg1 : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    }
    ```

    After:

    ```mlir
    func.func @main(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %0 = call @product_0(%arg0, %arg1) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    }
    func.func private @product_0(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2xf32>) \
-> tensor<2x2xf32> {
      %0 = linalg.matmul ins(%arg0, %arg0 : tensor<2x2xf32>, tensor<2x2xf32>) \
outs(%arg1 : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    }
    ```
    """

    name: ClassVar[str] = "outline-contractions"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Outline the contractions of a module's public functions."""
        body = op.regions[0].blocks[0]
        outliner = Outliner(body, aligned=False)
        for function in list(operations(body)):
            if "sym_visibility" in function.attributes or not len(function.regions[0].blocks):
                continue
            for block in list(structured_blocks(function)):
                for each in [each for each in operations(block) if each.name.startswith(_HIDDEN)]:
                    outliner.outline(Group(each, "product", [each]))
                    state.count(self.name, "products hidden")
        for function in operations(body):
            if KERNEL in function.attributes:
                del function.attributes[KERNEL]
