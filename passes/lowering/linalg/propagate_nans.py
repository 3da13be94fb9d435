"""Propagate NaN like PyTorch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_op, create_value
from torch_refine.passes.base import Pass, RunState

# Predicates of arith.cmpf.
_OEQ, _OGT, _OGE, _OLT, _OLE, _ORD, _UGT, _ULT, _UNO = 1, 2, 3, 4, 5, 7, 9, 11, 14
# Predicates of arith.cmpi.
_EQ, _INTEGER_ULT = 0, 6
_CLAMPS = {_ULT: "arith.maximumf", _UGT: "arith.minimumf"}
_EXTREMES = {_OGT: ("arith.maximumf", _UGT), _OLT: ("arith.minimumf", _ULT)}


@dataclass
class PropagateNans(Pass):
    """Propagate NaN like PyTorch.

    The wheel's conversions compare. `aten.clamp` becomes a comparison that selects the bound for
    NaN; the index of a maximum is where a value is greater than, or equal to, the maximum, and so
    never that of a NaN, which PyTorch treats as the greatest, also in sorts. Nor is it in a window
    of -inf only, as the padding of a pool equals it.

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

    name: ClassVar[str] = "propagate-nans"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the comparisons of a module, or of one function."""
        comparisons = [each for each in walk(op) if each.name == "arith.cmpf"]
        for each in comparisons:
            predicate = ir.IntegerAttr(each.attributes["predicate"]).value
            mended = (
                (predicate in _CLAMPS and _rewrite_clamp(each, _CLAMPS[predicate]))
                or (predicate in _EXTREMES and _rewrite_extremum(each, *_EXTREMES[predicate]))
                or (predicate == _OEQ and _rewrite_pool_index(each))
                or (predicate in (_OLE, _OGE) and _rewrite_sort_comparator(each, predicate))
            )
            if mended:
                state.count(self.name, "comparisons mended")


def _rewrite_clamp(comparison: ir.Operation, name: str) -> bool:
    """Turn `x < bound ? bound : x`, which selects the bound for NaN, into a maximum."""
    value, bound = comparison.operands
    return _rewrite_selects(comparison, name, value, bound, bound, value)


def _rewrite_selects(
    comparison: ir.Operation,
    name: str,
    value: ir.Value,
    bound: ir.Value,
    if_true: ir.Value,
    if_false: ir.Value,
) -> bool:
    """Replace the selects of a comparison between its operands."""
    mended = False
    for select in _selects(comparison):
        if select.operands[1] == if_true and select.operands[2] == if_false:
            with ir.InsertionPoint(select), select.location:
                new = create_op(name, [value, bound], results=[bound.type])
            select.results[0].replace_all_uses_with(new.result)
            select.erase()
            mended = True
    if mended and not any(True for _ in comparison.results[0].uses):
        comparison.erase()
    return mended


def _rewrite_extremum(comparison: ir.Operation, name: str, predicate: int) -> bool:
    """For a running maximum and its index: the first NaN counts as greater."""
    value, so_far = comparison.operands
    if _rewrite_selects(comparison, name, value, so_far, value, so_far):
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


def _rewrite_pool_index(comparison: ir.Operation) -> bool:
    """For the index of a pool's maximum: the last NaN, if there is one."""
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
        again = create_value("arith.ori", missing.type, [latest[0].operands[0], missing])
    latest[0].operands[0] = again
    equal = _compare(comparison, _OEQ, value, greatest)
    for inside in _inside_of_padding(comparison, value.owner):
        equal = _logical("arith.andi", comparison, equal, inside)
    _replace(comparison, _logical("arith.ori", comparison, equal, missing))
    return True


def _inside_of_padding(before: ir.Operation, extract: ir.Operation) -> list[ir.Value]:
    """For each padded dimension of the operand, whether the index is inside of the padding."""
    tensor, *indices = extract.operands
    if _is_argument(tensor) or tensor.owner.name != "tensor.pad":
        return []
    pad = tensor.owner
    source = pad.operands[0]
    index = ir.IndexType.get(before.context)
    low, high = (list(ir.DenseI64ArrayAttr(pad.attributes[f"static_{e}"])) for e in ("low", "high"))
    unknown = iter(list(pad.operands)[1:])
    found = []
    for dimension, (number, behind) in enumerate(zip(low, high, strict=True)):
        if (number, behind) == (0, 0):
            continue
        with ir.InsertionPoint(before), before.location:
            amount, place = (
                next(unknown)
                if given == ir.ShapedType.get_dynamic_size()
                else _index_constant(given, index)
                for given in (number, dimension)
            )
            size = create_op("tensor.dim", [source, place], results=[index])
            offset = create_op("arith.subi", [indices[dimension], amount], results=[index])
        found.append(_compare_integers(before, _INTEGER_ULT, offset.result, size.result))
    return found


def _index_constant(value: int, index: ir.Type) -> ir.Value:
    return create_value("arith.constant", index, [], {"value": ir.IntegerAttr.get(index, value)})


def _compare_integers(
    before: ir.Operation, predicate: int, left: ir.Value, right: ir.Value
) -> ir.Value:
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64, before.context), predicate)
    with ir.InsertionPoint(before), before.location:
        return create_value(
            "arith.cmpi",
            ir.IntegerType.get_signless(1, before.context),
            [left, right],
            {"predicate": number},
        )


def _rewrite_sort_comparator(comparison: ir.Operation, predicate: int) -> bool:
    """For a sort comparator: NaN is greater than any other value."""
    parent = comparison.parent
    if parent is None or parent.operation.name != "tm_tensor.sort":
        return False
    first, second = comparison.operands
    greater = second if predicate == _OLE else first
    if any(each.name == "arith.ori" for each in _users(comparison.results[0])):
        # Already rewritten.
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
    """The selects on a comparison."""
    condition = comparison.results[0]
    return [
        each
        for each in _users(condition)
        if each.name == "arith.select" and each.operands[0] == condition
    ]


def _compare(before: ir.Operation, predicate: int, left: ir.Value, right: ir.Value) -> ir.Value:
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64, before.context), predicate)
    with ir.InsertionPoint(before), before.location:
        return create_value(
            "arith.cmpf",
            ir.IntegerType.get_signless(1, before.context),
            [left, right],
            {"predicate": number},
        )


def _logical(name: str, before: ir.Operation, left: ir.Value, right: ir.Value) -> ir.Value:
    with ir.InsertionPoint(before), before.location:
        return create_value(name, left.type, [left, right])


def _replace(op: ir.Operation, value: ir.Value) -> None:
    op.results[0].replace_all_uses_with(value)
    op.erase()
