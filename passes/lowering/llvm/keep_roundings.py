"""Keep the roundings to 16-bit floats between operators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState

_HALVES = ("f16", "bf16")


@dataclass
class KeepRoundings(Pass):
    """Keep the roundings to 16-bit floats between operators, as eager mode rounds each result.

    Upstream's passes that compute 16-bit floats in f32 allow `extf` of `truncf` to be folded, by
    the flag `contract`; this one removes the flag from conversions to 16 bits.

    Before:

    ```mlir
    func.func @f(%arg0: f32) -> f32 {
      %0 = arith.truncf %arg0 fastmath<contract> : f32 to bf16
      %1 = arith.extf %0 fastmath<contract> : bf16 to f32
      return %1 : f32
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: f32) -> f32 {
      %0 = arith.truncf %arg0 : f32 to bf16
      %1 = arith.extf %0 fastmath<contract> : bf16 to f32
      return %1 : f32
    }
    ```
    """

    name: ClassVar[str] = "keep-roundings"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Remove flags in a module, or in one function."""
        for each in walk(op):
            if each.name != "arith.truncf" or _element(each.result.type) not in _HALVES:
                continue
            if "fastmath" in each.attributes:
                del each.attributes["fastmath"]
                state.count(self.name, "roundings")


def _element(type: ir.Type) -> str:
    return str(type.element_type if isinstance(type, ir.VectorType) else type)
