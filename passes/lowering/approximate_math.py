"""Replace functions such as exp by arithmetic, which can be vectorised."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.program import symbol_name

APPROXIMATIONS = Path(__file__).with_name("approximations.mlir")


@dataclass
class ApproximateMath(Pass):
    """Replace exp, log, tanh and erf of f32 by arithmetic, which can be vectorised.

    A call of the C library would be made for one element after the other. expm1 and log1p are
    replaced too, also those of f64: their conversions lose the digits that they are there for.
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
        module = ir.Module.parse(APPROXIMATIONS.read_text(encoding="utf-8"), op.context)
        functions = {}
        for each in operations(module.operation.regions[0].blocks[0]):
            body = each.regions[0].blocks[0]
            name = (symbol_name(each) or "").partition(".")[0]
            functions[f"math.{name}", body.arguments[0].type] = body
        # What a function is made of may be replaced too.
        pending = list(walk(op))
        while pending:
            each = pending.pop()
            if not each.name.startswith("math."):
                continue
            function = functions.get((each.name, each.result.type))
            if function is not None:
                pending += _inline(function, each)
                state.count(self.name, f"{each.name.removeprefix('math.')} replaced")
                each.erase()


def _inline(function: ir.Block, op: ir.Operation) -> list[ir.Operation]:
    """Put the body of a function in front of an op, and its result in its place; the new ops."""
    replaced = dict(zip(function.arguments, op.operands, strict=True))
    made = []
    with ir.InsertionPoint(op):
        for inner in operations(function):
            if inner.name == "func.return":
                op.result.replace_all_uses_with(replaced[inner.operands[0]])
                break
            copy = inner.clone()
            for index, operand in enumerate(inner.operands):
                copy.operands[index] = replaced[operand]
            copy.location = op.location
            replaced[inner.result] = copy.result
            made.append(copy)
    return made
