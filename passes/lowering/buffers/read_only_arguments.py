"""Mark tensor arguments of public functions as not writable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.abi import WRITTEN
from torch_refine.passes.program import is_private

_WRITABLE = "bufferization.writable"


@dataclass
class ReadOnlyArguments(Pass):
    """Mark tensor arguments of public functions as not writable.

    Bufferization assumes that a function may write to its arguments. Those of a public one belong
    to its caller: inputs and weights, which a program must not modify. With the mark, it copies an
    argument before it writes to it. An argument that is the destination of its own new value
    (`carry-in-place`) gets none.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<2xf32>, %arg1: index) -> tensor<2xf32> {
      return %arg0 : tensor<2xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<2xf32> {bufferization.writable = false}, %arg1: index) -> \
tensor<2xf32> {
      return %arg0 : tensor<2xf32>
    }
    ```
    """

    name: ClassVar[str] = "read-only-arguments"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Mark the arguments of a module's public functions."""
        for function in operations(op.regions[0].blocks[0]):
            if function.name == "func.func" and not is_private(function):
                state.count(self.name, "arguments", _mark(function))


def _mark(function: ir.Operation) -> int:
    """Mark the tensor arguments of a function; returns how many."""
    context = function.context
    inputs = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value).inputs
    said: list[dict[str, ir.Attribute]] = [{} for _ in inputs]
    if "arg_attrs" in function.attributes:
        given = ir.ArrayAttr(function.attributes["arg_attrs"])
        said = [{each.name: each.attr for each in ir.DictAttr(one)} for one in given]
    written = (
        list(ir.DenseI64ArrayAttr(function.attributes[WRITTEN]))
        if WRITTEN in function.attributes
        else []
    )
    tensors = [
        place
        for place, type in enumerate(inputs)
        if isinstance(type, ir.RankedTensorType) and place not in written
    ]
    for place in tensors:
        said[place][_WRITABLE] = ir.BoolAttr.get(False, context)
    if tensors:
        function.attributes["arg_attrs"] = ir.ArrayAttr.get(
            [ir.DictAttr.get(each, context) for each in said], context
        )
    return len(tensors)
