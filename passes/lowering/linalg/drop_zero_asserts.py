"""Drop asserts of the wheel's conversions that PyTorch does not make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState

_MESSAGE = "unimplemented: tensor with zero element"


@dataclass
class DropZeroAsserts(Pass):
    """Drop asserts of the wheel's conversions that PyTorch does not make.

    The wheel lowers `aten.reciprocal` to a division, and asserts that the divisor is not zero. In
    PyTorch the reciprocal of zero is infinite, as is the result of the division.

    Before:

    ```mlir
    func.func @f(%arg0: i1) {
      cf.assert %arg0, "unimplemented: tensor with zero element"
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: i1) {
      return
    }
    ```
    """

    name: ClassVar[str] = "drop-zero-asserts"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Remove them from a module, or from one function."""
        for each in list(walk(op)):
            if each.name == "cf.assert" and ir.StringAttr(each.attributes["msg"]).value == _MESSAGE:
                each.erase()
                state.count(self.name, "assertions removed")
