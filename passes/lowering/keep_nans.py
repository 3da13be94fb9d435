"""Let values that are not a number through where PyTorch does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState

# Predicates of arith.cmpf.
_OEQ, _OGT, _OGE, _OLT, _OLE, _ORD, _UGT, _ULT, _UNO = 1, 2, 3, 4, 5, 7, 9, 11, 14
_CLAMPS = {_ULT: "arith.maximumf", _UGT: "arith.minimumf"}
_EXTREMES = {_OGT: ("arith.maximumf", _UGT), _OLT: ("arith.minimumf", _ULT)}


@dataclass
class KeepNans(Pass):
    """Let values that are not a number through where PyTorch does.

    The wheel's conversions compare. `aten.clamp` becomes a comparison that takes the bound for what
    is not a number; the index of a maximum is where a value was greater, or equal to the maximum,
    and so never that of what is not a number, which PyTorch takes for the greatest, when it
    sorts, too.

    Before:

    ```mlir
    func.func @f(%arg0: f32, %arg1: f32) -> f32 {
      %0 = arith.cmpf ult, %arg0, %arg1 : f32
      %1 = arith.select %0, %arg1, %arg0 : f32
      return %1 : f32
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: f32, %arg1: f32) -> f32 {
      %0 = arith.maximumf %arg0, %arg1 : f32
      return %0 : f32
    }
    ```
    """

    name: ClassVar[str] = "keep-nans"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Mend the comparisons of a module, or of one function."""
        comparisons = [each for each in walk(op) if each.name == "arith.cmpf"]
        for each in comparisons:
            predicate = ir.IntegerAttr(each.attributes["predicate"]).value
            mended = (
                (predicate in _CLAMPS and _mend_clamp(each, _CLAMPS[predicate]))
                or (predicate in _EXTREMES and _mend_extreme(each, *_EXTREMES[predicate]))
                or (predicate == _OEQ and _mend_place(each))
                or (predicate in (_OLE, _OGE) and _mend_order(each, predicate))
            )
            if mended:
                state.count(self.name, "comparisons mended")


def _mend_clamp(comparison: ir.Operation, name: str) -> bool:
    """`x < bound ? bound : x`, which takes the bound for what is not a number, is a maximum."""
    value, bound = comparison.operands
    return _mend_choice(comparison, name, value, bound, bound, value)


def _mend_choice(
    comparison: ir.Operation,
    name: str,
    value: ir.Value,
    bound: ir.Value,
    if_true: ir.Value,
    if_false: ir.Value,
) -> bool:
    """Replace the choices that a comparison makes between its operands."""
    mended = False
    for select in _selects(comparison):
        if select.operands[1] == if_true and select.operands[2] == if_false:
            with ir.InsertionPoint(select), select.location:
                new = ir.Operation.create(name, results=[bound.type], operands=[value, bound])
            select.results[0].replace_all_uses_with(new.result)
            select.erase()
            mended = True
    if mended and not any(True for _ in comparison.results[0].uses):
        comparison.erase()
    return mended


def _mend_extreme(comparison: ir.Operation, name: str, predicate: int) -> bool:
    """Of a running maximum and its index: the first that is not a number is greater, too."""
    value, so_far = comparison.operands
    if _mend_choice(comparison, name, value, so_far, value, so_far):
        # `aten.maximum`
        return True
    paired = any(
        use.owner.operation.name == name and list(use.owner.operation.operands) == [value, so_far]
        for use in value.uses
    )
    if not paired or not _selects(comparison):
        return False
    greater = _compare(comparison, predicate, value, so_far)
    known = _compare(comparison, _ORD, so_far, so_far)
    _replace(comparison, _logical("arith.andi", comparison, greater, known))
    return True


def _mend_place(comparison: ir.Operation) -> bool:
    """Of the place where a pool's maximum is: where it is not a number, the last such value."""
    value, greatest = comparison.operands
    if _is_argument(value) or value.owner.name != "tensor.extract" or not _is_argument(greatest):
        return False
    selects = _selects(comparison)
    if len(selects) != 1:
        return False
    place = selects[0]
    latest = [each for each in _users(place.results[0]) if each.name == "arith.select"]
    if len(latest) != 1 or latest[0].operands[2] != place.operands[2]:
        return False
    missing = _compare(comparison, _UNO, value, value)
    with ir.InsertionPoint(latest[0]), latest[0].location:
        again = ir.Operation.create(
            "arith.ori", results=[missing.type], operands=[latest[0].operands[0], missing]
        ).result
    latest[0].operands[0] = again
    equal = _compare(comparison, _OEQ, value, greatest)
    _replace(comparison, _logical("arith.ori", comparison, equal, missing))
    return True


def _mend_order(comparison: ir.Operation, predicate: int) -> bool:
    """Of two values to sort: what is not a number is greater than any other."""
    parent = comparison.parent
    if parent is None or parent.operation.name != "tm_tensor.sort":
        return False
    first, second = comparison.operands
    greater = second if predicate == _OLE else first
    if any(each.name == "arith.ori" for each in _users(comparison.results[0])):
        # It was mended before.
        return False
    ordered = _compare(comparison, predicate, first, second)
    missing = _compare(comparison, _UNO, greater, greater)
    _replace(comparison, _logical("arith.ori", comparison, ordered, missing))
    return True


def _is_argument(value: ir.Value) -> bool:
    return isinstance(value.owner, ir.Block)


def _users(value: ir.Value) -> list[ir.Operation]:
    return [use.owner.operation for use in value.uses]


def _selects(comparison: ir.Operation) -> list[ir.Operation]:
    """What selects by a comparison."""
    condition = comparison.results[0]
    return [
        each
        for each in _users(condition)
        if each.name == "arith.select" and each.operands[0] == condition
    ]


def _compare(before: ir.Operation, predicate: int, left: ir.Value, right: ir.Value) -> ir.Value:
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64, before.context), predicate)
    with ir.InsertionPoint(before), before.location:
        return ir.Operation.create(
            "arith.cmpf",
            results=[ir.IntegerType.get_signless(1, before.context)],
            operands=[left, right],
            attributes={"predicate": number},
        ).result


def _logical(name: str, before: ir.Operation, left: ir.Value, right: ir.Value) -> ir.Value:
    with ir.InsertionPoint(before), before.location:
        return ir.Operation.create(name, results=[left.type], operands=[left, right]).result


def _replace(op: ir.Operation, value: ir.Value) -> None:
    op.results[0].replace_all_uses_with(value)
    op.erase()
