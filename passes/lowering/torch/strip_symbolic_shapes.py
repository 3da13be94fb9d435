"""Strip ops that only state symbolic shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import name_of
from torch_refine.passes.base import Pass, RunState

_NOTES = frozenset({"torch.bind_symbolic_shape", "torch.symbolic_int"})


@dataclass
class StripSymbolicShapes(Pass):
    """Strip ops that only state symbolic shapes.

    `torch.symbolic_int` and `torch.bind_symbolic_shape` name sizes. Those of arguments are asserted
    by `torch-assert-guards`.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
      %0 = torch.symbolic_int "s0" {min_val = 1, max_val = 64} : !torch.int
      torch.bind_symbolic_shape %arg0, [%0], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?],f32>
      return %arg0 : !torch.vtensor<[?],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
      return %arg0 : !torch.vtensor<[?],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-strip-symbolic-shapes"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Remove them from a module, or from one function."""
        found = [each for each in walk(op) if name_of(each) in _NOTES]
        for each in reversed(found):
            if not any(True for result in each.results for _ in result.uses):
                each.erase()
                state.count(self.name, "ops removed")
