"""Convert between f64 and 16-bit floats by way of f32, as PyTorch does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.passes.base import Pass, RunState

_CONVERSIONS = ("arith.truncf", "arith.extf")
_HALVES = ("f16", "bf16")


@dataclass
class ConvertInSteps(Pass):
    """Convert between f64 and 16-bit floats by way of f32, as PyTorch does.

    LLVM lowers the direct truncation to a library function that the process does not have, and
    extends elements of a vector of bf16 one by one.

    Before:

    ```mlir
    func.func @f(%arg0: f64) -> f16 {
      %0 = arith.truncf %arg0 : f64 to f16
      return %0 : f16
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: f64) -> f16 {
      %0 = arith.truncf %arg0 : f64 to f32
      %1 = arith.truncf %0 : f32 to f16
      return %1 : f16
    }
    ```
    """

    name: ClassVar[str] = "convert-in-steps"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for each in list(walk(op)):
            if each.name not in _CONVERSIONS:
                continue
            types = (each.operands[0].type, each.result.type)
            names = {str(_element(type)) for type in types}
            if "f64" in names and not names.isdisjoint(_HALVES):
                with ir.InsertionPoint(each), each.location:
                    step = create_value(each.name, _single(types[0]), [each.operands[0]])
                each.operands[0] = step
                state.count(self.name, "conversions")


def _element(type: ir.Type) -> ir.Type:
    return type.element_type if isinstance(type, ir.ShapedType) else type


def _single(type: ir.Type) -> ir.Type:
    """The same type with f32 elements."""
    single = ir.F32Type.get(type.context)
    if isinstance(type, ir.VectorType):
        return ir.VectorType.get(type.shape, single)
    return single
