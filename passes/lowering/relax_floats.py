"""Allow what makes floating-point code fast and no less exact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState, option
from torch_refine.passes.lowering.kernels.indexing import maker_of, operation_of

_CONTRACTED = ("arith.addf", "arith.subf", "arith.mulf")


@dataclass
class RelaxFloats(Pass):
    """Allow what makes floating-point code fast and no less exact.

    With `fast-math`, any sums and products may be reordered, divisions become products with
    reciprocals, and the sign of zero may be lost. That must not happen to approximations, so it
    comes before `approximate-math`. NaN and infinity are still what they are: masks of attention
    and the first value of a maximum are infinite in programs that never see one.

    Before:

    ```mlir
    func.func @f(%arg0: f32, %arg1: f32) -> f32 {
      %0 = arith.mulf %arg0, %arg1 : f32
      return %0 : f32
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: f32, %arg1: f32) -> f32 {
      %0 = arith.mulf %arg0, %arg1 fastmath<contract> : f32
      return %0 : f32
    }
    ```
    """

    name: ClassVar[str] = "relax-floats"

    fast_math: bool = option(False, "round as is fastest, whatever the order or the sign of zero")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Relax in a module, or in one function."""
        contract = ir.Attribute.parse("#arith.fastmath<contract>", op.context)
        reorder = ir.Attribute.parse("#arith.fastmath<reassoc,contract>", op.context)
        strict = ir.Attribute.parse("#arith.fastmath<none>", op.context)
        fast = ir.Attribute.parse("#arith.fastmath<reassoc,nsz,arcp,contract,afn>", op.context)
        for each in walk(op):
            if "fastmath" not in each.attributes or not _is_relaxed(each.operands[0].type):
                continue
            if self.fast_math:
                each.attributes["fastmath"] = fast
                state.count(self.name, "ops made fast")
            elif each.name in _CONTRACTED and each.attributes["fastmath"] == strict:
                accumulated = each.name != "arith.subf" and _is_accumulated(each)
                each.attributes["fastmath"] = reorder if accumulated else contract
                state.count(self.name, "sums reordered" if accumulated else "ops contracted")


def _is_accumulated(op: ir.Operation) -> bool:
    """Whether an op adds to what memory holds, and puts it back there."""
    uses = list(op.result.uses)
    if len(uses) != 1 or operation_of(uses[0].owner).name != "memref.store":
        return False
    store = operation_of(uses[0].owner)
    place = list(store.operands)[1:]
    for operand in op.operands:
        load = maker_of(operand)
        if load is not None and load.name == "memref.load" and list(load.operands) == place:
            return True
    return False


def _is_relaxed(type: ir.Type) -> bool:
    element = type.element_type if isinstance(type, ir.VectorType) else type
    return str(element) in ("f32", "f64")
