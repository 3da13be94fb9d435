"""Make the result types of public functions as precise as what they return."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.casts import CAST
from torch_refine.passes.program import program_functions, redeclare, returns_of

_TO_TENSOR = "torch.copy.to_tensor"
_TO_VALUE = "torch.copy.to_vtensor"
_DEREFINE = "torch.derefine"
# Ops that refer to functions.
_CALLS = {"func.call", "func.constant"}


@dataclass
class RefinePublicReturn(Pass):
    """Make the result types of public functions as precise as what they return.

    Casts that only erase type information are bypassed, and an optional that is always a tensor is
    returned as the tensor. A `torch.copy.to_tensor` of a value is returned as that value, or as a
    copy of the tensor's current contents if it has other uses. Private functions keep their types,
    because their calls would have to change too, and so does a function that the module itself
    calls or that has several returns.

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
    counts_changes: ClassVar[bool] = True

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Refine all public functions of a module that nothing in it calls."""
        seen = state.seen.get(op.regions[0].blocks[0])
        without_calls = seen is not None and seen.names.isdisjoint(_CALLS)
        called = set() if without_calls else _called_symbols(op)
        types = Types(op.context)
        for function in program_functions(op):
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
    """The symbols referenced in a module."""
    called: set[str] = set()
    for inner in walk(op):
        if inner.name == "func.call":
            called.add(ir.FlatSymbolRefAttr(inner.attributes["callee"]).value)
        elif inner.name == "func.constant":
            called.add(ir.FlatSymbolRefAttr(inner.attributes["value"]).value)
    return called


def _refine(function: ir.Operation, returned: ir.Operation, types: Types) -> bool:
    """Return the operands of casts and copies, and update the function type."""
    before = list(returned.operands)
    found = {operand: _returned(returned, operand, types) for operand in dict.fromkeys(before)}
    after = [found[operand] for operand in before]
    for index, value in enumerate(after):
        returned.operands[index] = value
    _erase_unused(before)
    redeclare(function, returned)
    return after != before


def _returned(returned: ir.Operation, operand: ir.Value, types: Types) -> ir.Value:
    """The value to return for an operand of a return."""
    value = _without_casts(operand, types)
    if not isinstance(value.owner, ir.Block) and value.owner.operation.name == _DEREFINE:
        # There is one return, and the value is never None.
        source = value.owner.operation.operands[0]
        return value if types.tensor(source.type) is None else _returned(returned, source, types)
    declared = types.tensor(value.type)
    if declared is None or declared.value_semantics:
        return value
    copy, alone = _copy_behind(operand, returned)
    if copy is None:
        return value
    wanted = replace(declared, value_semantics=True)
    if not alone:
        # Other users may have written to it.
        return _create(_TO_VALUE, value, types.parse(wanted), returned)
    source = _without_casts(copy.operands[0], types)
    have = types.tensor(source.type)
    if have is None or not have.allows(wanted) or have.refines(wanted):
        return source
    return _create(CAST, source, types.parse(have.meet(wanted)), returned)


def _without_casts(value: ir.Value, types: Types) -> ir.Value:
    """The operand of a chain of casts that only erase type information."""
    seen = {value}
    while not isinstance(value.owner, ir.Block) and value.owner.operation.name == CAST:
        source = value.owner.operation.operands[0]
        precise, declared = types.tensor(source.type), types.tensor(value.type)
        if precise is None or declared is None or not precise.refines(declared) or source in seen:
            break
        seen.add(source)
        value = source
    return value


def _copy_behind(value: ir.Value, user: ir.Operation) -> tuple[ir.Operation | None, bool]:
    """The copy that created a tensor, through casts, and whether only the return uses it."""
    alone = True
    seen: set[ir.Value] = set()
    while not isinstance(value.owner, ir.Block) and value not in seen:
        seen.add(value)
        op = value.owner.operation
        alone = alone and all(use.owner.operation == user for use in value.uses)
        if op.name == _TO_TENSOR:
            return op, alone
        if op.name != CAST:
            break
        value, user = op.operands[0], op
    return None, False


def _create(name: str, operand: ir.Value, type: ir.Type, before: ir.Operation) -> ir.Value:
    return ir.Operation.create(
        name,
        results=[type],
        operands=[operand],
        loc=before.location,
        ip=ir.InsertionPoint(before),
    ).result


def _erase_unused(values: list[ir.Value]) -> None:
    """Erase casts and copies without uses, and their operands that become unused."""
    pending = dict.fromkeys(values)
    while pending:
        value, _ = pending.popitem()
        if isinstance(value.owner, ir.Block):
            continue
        op = value.owner.operation
        if op.name in (CAST, _TO_TENSOR, _DEREFINE) and next(iter(value.uses), None) is None:
            pending[op.operands[0]] = None
            op.erase()
