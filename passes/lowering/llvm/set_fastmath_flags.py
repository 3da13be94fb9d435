"""Set fast-math flags that cost no accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.passes.base import Pass, RunState, option

_CONTRACTED = ("arith.addf", "arith.subf", "arith.mulf")


@dataclass
class SetFastmathFlags(Pass):
    """Set fast-math flags that cost no accuracy.

    With `fast-math`, sums and products may be reassociated, divisions become multiplications by
    reciprocals, and the sign of zero may be lost. That must not happen to approximations, so the
    pass runs before `approximate-math`. NaN and infinity are preserved: masks of attention and
    initial values of a maximum are infinite even if no input is.

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

    name: ClassVar[str] = "set-fastmath-flags"

    fast_math: bool = option(False, "allow reassociation and reciprocals, ignore the sign of zero")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Set flags in a module, or in one function."""
        contract = ir.Attribute.parse("#arith.fastmath<contract>", op.context)
        reorder = ir.Attribute.parse("#arith.fastmath<reassoc,contract>", op.context)
        strict = ir.Attribute.parse("#arith.fastmath<none>", op.context)
        fast = ir.Attribute.parse("#arith.fastmath<reassoc,nsz,arcp,contract,afn>", op.context)
        for each in walk(op):
            if "fastmath" not in each.attributes or not _is_relaxed(each.operands[0].type):
                continue
            if self.fast_math:
                each.attributes["fastmath"] = fast
                state.count(self.name, "ops with fast-math flags")
            elif each.name in _CONTRACTED and each.attributes["fastmath"] == strict:
                accumulated = each.name != "arith.subf" and _is_accumulated(each)
                each.attributes["fastmath"] = reorder if accumulated else contract
                state.count(self.name, "sums reordered" if accumulated else "ops contracted")


def _is_accumulated(op: ir.Operation) -> bool:
    """Whether an op accumulates into an element of a memref."""
    uses = list(op.result.uses)
    if len(uses) != 1 or operation_of(uses[0].owner).name != "memref.store":
        return False
    store = operation_of(uses[0].owner)
    place = list(store.operands)[1:]
    for operand in op.operands:
        load = defining_op(operand)
        if load is not None and load.name == "memref.load" and list(load.operands) == place:
            return True
    return False


def _is_relaxed(type: ir.Type) -> bool:
    element = type.element_type if isinstance(type, ir.VectorType) else type
    return str(element) in ("f32", "f64")
