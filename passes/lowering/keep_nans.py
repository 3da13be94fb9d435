"""Let values that are not a number through where PyTorch does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState

# Predicates of arith.cmpf.
_OEQ, _OGT, _OGE, _OLT, _OLE, _ORD, _UGT, _ULT, _UNO = 1, 2, 3, 4, 5, 7, 9, 11, 14
# Predicates of arith.cmpi.
_EQ, _INTEGER_ULT = 0, 6
_CLAMPS = {_ULT: "arith.maximumf", _UGT: "arith.minimumf"}
_EXTREMES = {_OGT: ("arith.maximumf", _UGT), _OLT: ("arith.minimumf", _ULT)}


@dataclass
class KeepNans(Pass):
    """Let values that are not a number through where PyTorch does.

    The wheel's conversions compare. `aten.clamp` becomes a comparison that takes the bound for what
    is not a number; the index of a maximum is where a value was greater, or equal to the maximum,
    and so never that of what is not a number, which PyTorch takes for the greatest, when it
    sorts, too. Nor is it that of a window of nothing but -inf: no value is greater than what the
    maximum starts with, and the padding of a pool equals it.

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
    if predicate == _UGT:
        _mend_place_in_window(comparison)
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


def _mend_place_in_window(comparison: ir.Operation) -> None:
    """Of the place of an adaptive pool's maximum: the first, unless another is greater.

    Where values are not a number, the last of them.
    """
    value, so_far = comparison.operands
    places = [each for each in _selects(comparison) if _is_place_so_far(each)]
    if not places or not _is_argument(so_far) or _is_argument(value):
        return
    if not any(each.operands[2] == so_far for each in _selects(comparison)):
        return
    reduced = _reduced_dimensions(comparison)
    if not reduced:
        return
    taken = _compare(comparison, _UNO, value, value)
    first = _is_first(comparison, reduced)
    greater = _compare(comparison, _OGT, value, so_far)
    for each in (first, greater):
        taken = _logical("arith.ori", comparison, taken, each)
    for place in places:
        place.operands[0] = taken


def _is_place_so_far(select: ir.Operation) -> bool:
    """Whether a select keeps an integer that an iteration before this one found."""
    return _is_argument(select.operands[2]) and isinstance(select.results[0].type, ir.IntegerType)


def _reduced_dimensions(op: ir.Operation) -> list[int]:
    """The dimensions that the structured op around an op reduces."""
    parent = op.parent
    if parent is None or parent.operation.name != "linalg.generic":
        return []
    kinds = parent.operation.attributes["iterator_types"]
    return [place for place, kind in enumerate(kinds) if "reduction" in str(kind)]


def _is_first(before: ir.Operation, dimensions: list[int]) -> ir.Value:
    """Whether this is the first iteration over some dimensions."""
    context = before.context
    index = ir.IndexType.get(context)
    with ir.InsertionPoint(before), before.location:
        zero = _index_constant(0, index)
        each = [
            _compare_integers(
                before,
                _EQ,
                ir.Operation.create(
                    "linalg.index",
                    results=[index],
                    attributes={
                        "dim": ir.IntegerAttr.get(
                            ir.IntegerType.get_signless(64, context), dimension
                        )
                    },
                ).result,
                zero,
            )
            for dimension in dimensions
        ]
    found = each[0]
    for other in each[1:]:
        found = _logical("arith.andi", before, found, other)
    return found


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
    for inside in _inside_of_padding(comparison, value.owner):
        equal = _logical("arith.andi", comparison, equal, inside)
    _replace(comparison, _logical("arith.ori", comparison, equal, missing))
    return True


def _inside_of_padding(before: ir.Operation, extract: ir.Operation) -> list[ir.Value]:
    """For each padded dimension of what is read, whether the index is one of what is padded."""
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
            size = ir.Operation.create("tensor.dim", results=[index], operands=[source, place])
            offset = ir.Operation.create(
                "arith.subi", results=[index], operands=[indices[dimension], amount]
            )
        found.append(_compare_integers(before, _INTEGER_ULT, offset.result, size.result))
    return found


def _index_constant(value: int, index: ir.Type) -> ir.Value:
    return ir.Operation.create(
        "arith.constant", results=[index], attributes={"value": ir.IntegerAttr.get(index, value)}
    ).result


def _compare_integers(
    before: ir.Operation, predicate: int, left: ir.Value, right: ir.Value
) -> ir.Value:
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64, before.context), predicate)
    with ir.InsertionPoint(before), before.location:
        return ir.Operation.create(
            "arith.cmpi",
            results=[ir.IntegerType.get_signless(1, before.context)],
            operands=[left, right],
            attributes={"predicate": number},
        ).result


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
