"""Compose chains of reshapes, also of dynamic sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.linalg.index_sizes import EqualSizes, Size, is_outermost, size_of

_COLLAPSE, _EXPAND, _CAST = "tensor.collapse_shape", "tensor.expand_shape", "tensor.cast"
_UNKNOWN = ir.ShapedType.get_dynamic_size()
_RESHAPES = (_COLLAPSE, _EXPAND)
_SEEN = (*_RESHAPES, "cf.assert", "func.func")
# Longer chains of reshapes are simplified in parts.
_MOST = 16

_Segment = tuple[list[int], list[int]]


@dataclass
class SimplifyReshapes(Pass):
    """Compose chains of reshapes, also of dynamic sizes.

    A view with several dynamic dimensions is lowered as a collapse into one dimension and an
    expansion of it. Sizes are compared as products of symbols, and by preceding assertions: a
    dimension that is only split is split, and one that stays is left alone. The users of the result
    can then be fused with the producer of the tensor.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<?x8x?x64xf32>, %arg1: index, %arg2: index) -> tensor<?x?x64xf32> {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %dim = tensor.dim %arg0, %c0 : tensor<?x8x?x64xf32>
      %dim_0 = tensor.dim %arg0, %c2 : tensor<?x8x?x64xf32>
      %0 = arith.muli %dim, %c8 : index
      %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2, 3]] : tensor<?x8x?x64xf32> into \
tensor<?xf32>
      %expanded = tensor.expand_shape %collapsed [[0, 1, 2]] output_shape [%0, %dim_0, 64] : \
tensor<?xf32> into tensor<?x?x64xf32>
      return %expanded : tensor<?x?x64xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<?x8x?x64xf32>, %arg1: index, %arg2: index) -> tensor<?x?x64xf32> {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %dim = tensor.dim %arg0, %c0 : tensor<?x8x?x64xf32>
      %dim_0 = tensor.dim %arg0, %c2 : tensor<?x8x?x64xf32>
      %0 = arith.muli %dim, %c8 : index
      %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<?x8x?x64xf32> into \
tensor<?x?x64xf32>
      return %collapsed : tensor<?x?x64xf32>
    }
    ```
    """

    name: ClassVar[str] = "simplify-reshapes"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        known = EqualSizes()
        for each in [each for each in walk(op) if each.name in _SEEN]:
            if each.name == "func.func":
                known = EqualSizes()
            elif each.name == "cf.assert":
                if is_outermost(each):
                    known.assume(each.operands[0])
            elif _simplify(each, known):
                state.count(self.name, "reshapes")


def _simplify(op: ir.Operation, known: EqualSizes) -> bool:
    """Compose a reshape with the reshapes before it, as far back as possible."""
    sources: list[ir.Value] = []
    source = defining_op(op.operands[0])
    while source is not None and source.name in _RESHAPES and len(sources) < _MOST:
        sources.append(source.operands[0])
        source = defining_op(source.operands[0])
    result = op.results[0]
    for value in reversed(sources):
        segments = _segments(_sizes(value, known), _sizes(result, known))
        if segments is None or not _is_simple(op, segments):
            continue
        with ir.InsertionPoint(op), op.location:
            result.replace_all_uses_with(_reshaped(value, segments, op))
        _erase_unused(op)
        return True
    return False


def _erase_unused(op: ir.Operation) -> None:
    """Erase a reshape, and the reshapes before it that become unused."""
    current: ir.Operation | None = op
    while current is not None and current.name in _RESHAPES:
        if any(True for _ in current.results[0].uses):
            break
        source = defining_op(current.operands[0])
        current.erase()
        current = source


def _is_simple(op: ir.Operation, segments: list[_Segment]) -> bool:
    """Whether dimensions are either collapsed or expanded; only expansions have size operands."""
    is_split = any(len(theirs) > 1 for _, theirs in segments)
    if is_split and op.name != _EXPAND:
        return False
    return not any(len(ours) > 1 and len(theirs) > 1 for ours, theirs in segments)


def _sizes(value: ir.Value, known: EqualSizes) -> list[Size]:
    rank = ir.RankedTensorType(value.type).rank
    return [known.canonical(size_of(value, dim)) for dim in range(rank)]


def _segments(before: Sequence[Size], after: Sequence[Size]) -> list[_Segment] | None:
    """The shortest groups of adjacent dimensions of two shapes with equal numbers of elements.

    None if it cannot be inferred from the sizes, or if there are no dimensions.
    """
    if not before or not after:
        return None
    found: list[_Segment] = []
    one, other = 0, 0
    while one < len(before) and other < len(after):
        ours, theirs = [one], [other]
        left, right = before[one], after[other]
        while left != right:
            # The remaining factors are in the following dimensions.
            if _is_larger(right, left) and ours[-1] + 1 < len(before):
                ours.append(ours[-1] + 1)
                left = left * before[ours[-1]]
            elif _is_larger(left, right) and theirs[-1] + 1 < len(after):
                theirs.append(theirs[-1] + 1)
                right = right * after[theirs[-1]]
            else:
                return None
        found.append((ours, theirs))
        one, other = ours[-1] + 1, theirs[-1] + 1
    for place in range(one, len(before)):
        if before[place] != Size(1):
            return None
        found[-1][0].append(place)
    for place in range(other, len(after)):
        if after[place] != Size(1):
            return None
        found[-1][1].append(place)
    return found


def _is_larger(whole: Size, part: Size) -> bool:
    """Whether a size is a multiple of another; no size is a multiple of zero."""
    return whole.known != 0 and part.known != 0 and whole.over(part) is not None


def _reshaped(value: ir.Value, segments: list[_Segment], op: ir.Operation) -> ir.Value:
    """Collapse or expand segments of a tensor's dimensions to the shape of an op's result."""
    result = ir.RankedTensorType(op.results[0].type)
    merged = [ours for ours, _ in segments]
    split = [theirs for _, theirs in segments]
    if any(len(group) > 1 for group in merged):
        attributes = {"reassociation": _reassociation(merged)}
        value = create_value(_COLLAPSE, _merged(value.type, merged), [value], attributes)
    wanted = _merged(result, split)
    if value.type != wanted:
        value = create_value(_CAST, wanted, [value])
    if all(len(group) == 1 for group in split):
        return value
    attributes = {
        "reassociation": _reassociation(split),
        "static_output_shape": op.attributes["static_output_shape"],
    }
    return create_value(_EXPAND, result, [value, *list(op.operands)[1:]], attributes)


def _merged(type: ir.Type, groups: list[list[int]]) -> ir.RankedTensorType:
    """The collapsed type of a tensor."""
    tensor = ir.RankedTensorType(type)
    shape = []
    for group in groups:
        sizes = [tensor.shape[dim] for dim in group]
        shape.append(_UNKNOWN if min(sizes) < 0 else math.prod(sizes))
    return ir.RankedTensorType.get(shape, tensor.element_type)


def _reassociation(groups: list[list[int]]) -> ir.Attribute:
    number = ir.IntegerType.get_signless(64)
    return ir.ArrayAttr.get(
        [ir.ArrayAttr.get([ir.IntegerAttr.get(number, dim) for dim in group]) for group in groups]
    )
