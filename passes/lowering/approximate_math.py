"""Replace functions such as exp by arithmetic, which can be vectorised."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.templates import Templates

APPROXIMATIONS = Path(__file__).with_name("approximations.mlir")


@dataclass
class ApproximateMath(Pass):
    """Replace exp, log, tanh and erf of f32 by arithmetic, which can be vectorised.

    A call of the C library would be made for one element after the other. expm1 and log1p are
    replaced too, also those of f64: their conversions lose the digits that they are there for. That
    of erf has no f64.
    The functions are in `approximations.mlir`, with their errors.

    Before:

    ```mlir
    func.func @f(%arg0: f64) -> f64 {
      %0 = math.exp %arg0 : f64
      return %0 : f64
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: f64) -> f64 {
      %0 = math.exp %arg0 : f64
      return %0 : f64
    }
    ```
    """

    name: ClassVar[str] = "approximate-math"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Replace in a module, or in one function."""
        templates = Templates(APPROXIMATIONS, op.context)
        names = {
            (f"math.{name.partition('.')[0]}", body.arguments[0].type): name
            for name, body in templates.bodies.items()
        }
        # What a function is made of may be replaced too.
        pending = list(walk(op))
        while pending:
            each = pending.pop()
            if not each.name.startswith("math."):
                continue
            type = each.result.type
            is_vector = isinstance(type, ir.VectorType) and type.rank == 1
            name = names.get((each.name, type.element_type if is_vector else type))
            if name is not None:
                lanes = type.shape[0] if is_vector else 0
                with ir.InsertionPoint(each), each.location:
                    made = templates.put(name, list(each.operands), lanes)
                each.result.replace_all_uses_with(made.results[0])
                pending += made.ops
                state.count(self.name, f"{each.name.removeprefix('math.')} replaced")
                each.erase()
