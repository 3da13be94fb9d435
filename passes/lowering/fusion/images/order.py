"""Dimension orders of images: channels first (NCHW) and channels last (NHWC)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.structured_ops import GENERIC, iterators, maps

T = TypeVar("T")

_SLICE = ("static_offsets", "static_sizes", "static_strides")
_UNKNOWN = ir.ShapedType.get_dynamic_size()

ORDER = (0, 2, 3, 1)
"""The permutation from channels first to channels last."""
BACK = (0, 3, 1, 2)
"""The permutation from channels last to channels first."""


def last(values: Sequence[T]) -> list[T]:
    """Permute per-dimension values from channels first to channels last."""
    return [values[place] for place in ORDER]


def is_image(value: ir.Value) -> bool:
    """Whether a value is a tensor of four dimensions."""
    return isinstance(value.type, ir.RankedTensorType) and value.type.rank == len(ORDER)


def type_of(value: ir.Value) -> ir.RankedTensorType:
    """The type of a tensor."""
    return ir.RankedTensorType(value.type)


def moved_type(type: ir.RankedTensorType, order: Sequence[int] = ORDER) -> ir.RankedTensorType:
    """A tensor type with its dimensions permuted."""
    with type.context, ir.Location.unknown():
        return ir.RankedTensorType.get([type.shape[place] for place in order], type.element_type)


def move_operand(op: ir.Operation, index: int) -> None:
    """Adjust the indexing map of an operand whose channels are last now."""
    _set_maps(op, [_read(map) if i == index else map for i, map in enumerate(maps(op))])


def move_loops(op: ir.Operation) -> None:
    """Permute the loops of a generic over images to channels last."""
    context = op.context
    loops = [ir.AffineExpr.get_dim(place, context) for place in BACK]
    renamed = [
        ir.AffineMap.get(
            len(loops), 0, [each.compose(_map(loops, context)) for each in map.results], context
        )
        for map in maps(op)
    ]
    _set_maps(op, renamed)
    number = ir.IntegerType.get_signless(64, context)
    for region in op.regions:
        for view in region.blocks[0].operations:
            inner = view.operation
            if inner.name == "linalg.index":
                dim = ir.IntegerAttr(inner.attributes["dim"]).value
                inner.attributes["dim"] = ir.IntegerAttr.get(number, BACK[dim])


def move_slice(op: ir.Operation) -> None:
    """Permute a slice of an image to channels last."""
    numbers = list(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"]))
    place = len(op.operands) - sum(numbers[-len(_SLICE) :])
    for name in _SLICE:
        static = list(ir.DenseI64ArrayAttr(op.attributes[name]))
        dynamic = [dim for dim, each in enumerate(static) if each == _UNKNOWN]
        values = dict(zip(dynamic, list(op.operands)[place : place + len(dynamic)], strict=True))
        for dim in ORDER:
            if dim in values:
                op.operands[place] = values[dim]
                place += 1
        op.attributes[name] = ir.DenseI64ArrayAttr.get(last(static), op.context)


def is_elementwise(op: ir.Operation) -> bool:
    """Whether an op on images is elementwise, with identity maps."""
    if op.name != GENERIC or len(op.results) != 1 or not is_image(op.results[0]):
        return False
    if set(iterators(op)) != {"parallel"}:
        return False
    return bool(maps(op)[-1] == ir.AffineMap.get_identity(len(ORDER), op.context))


def _map(results: list[ir.AffineExpr], context: ir.Context) -> ir.AffineMap:
    return ir.AffineMap.get(len(results), 0, results, context)


def _read(map: ir.AffineMap) -> ir.AffineMap:
    return ir.AffineMap.get(map.n_dims, map.n_symbols, last(list(map.results)), map.context)


def _set_maps(op: ir.Operation, found: list[ir.AffineMap]) -> None:
    op.attributes["indexing_maps"] = ir.ArrayAttr.get(
        [ir.AffineMapAttr.get(each) for each in found], op.context
    )
