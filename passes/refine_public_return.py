"""Make the result types of public functions as precise as what they return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.casts import CAST
from torch_refine.passes.program import program_functions, redeclare, returns_of


@dataclass
class RefinePublicReturn(Pass):
    """Make the result types of public functions as precise as what they return.

    Casts that only hid what was refined are returned through. Private functions keep their types,
    because the calls of them would have to change too, and so does a function that the module
    itself calls or that has several returns.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
      %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2,3],f32> to !torch.vtensor
      return %0 : !torch.vtensor
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
      return %arg0 : !torch.vtensor<[2,3],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-refine-public-return"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Refine all public functions of a module that nothing in it calls."""
        functions = list(program_functions(op))
        called = _called_symbols(op) if len(functions) > 1 else set()
        types = Types(op.context)
        for function in functions:
            if function.name != "func.func" or not _is_public(function):
                continue
            if ir.StringAttr(function.attributes["sym_name"]).value in called:
                continue
            returns = returns_of(function)
            if len(returns) == 1 and _refine(function, returns[0], types):
                state.count(self.name, "functions refined")


def _is_public(function: ir.Operation) -> bool:
    attributes = function.attributes
    return (
        "sym_visibility" not in attributes
        or ir.StringAttr(attributes["sym_visibility"]).value == "public"
    )


def _called_symbols(op: ir.Operation) -> set[str]:
    """The symbols that something in a module refers to."""
    called: set[str] = set()
    for inner in walk(op):
        if inner.name == "func.call":
            called.add(ir.FlatSymbolRefAttr(inner.attributes["callee"]).value)
        elif inner.name == "func.constant":
            called.add(ir.FlatSymbolRefAttr(inner.attributes["value"]).value)
    return called


def _refine(function: ir.Operation, returned: ir.Operation, types: Types) -> bool:
    """Return what a cast hides where it is more precise, and declare what is returned."""
    changed = False
    for index, operand in enumerate(list(returned.operands)):
        owner = operand.owner
        if isinstance(owner, ir.Block) or owner.operation.name != CAST:
            continue
        source = owner.operation.operands[0]
        precise, declared = types.tensor(source.type), types.tensor(operand.type)
        if precise is not None and declared is not None and precise.refines(declared):
            returned.operands[index] = source
            changed = True
            if next(iter(operand.uses), None) is None:
                owner.operation.erase()
    redeclare(function, returned)
    return changed
