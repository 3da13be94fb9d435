"""Loops over the elements of tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import create_op


def elementwise(
    inputs: Sequence[tuple[ir.Value, ir.AffineMap]],
    memory: ir.Value,
    element: Callable[[Sequence[ir.Value]], ir.Value],
) -> ir.Value:
    """A tensor like `memory`, whose elements are computed from one of each input.

    A map tells where the element of an input is, for one of the result.
    """
    type = ir.RankedTensorType(memory.type)
    maps = [*(map for _, map in inputs), ir.AffineMap.get_identity(type.rank)]
    loop = create_op(
        "linalg.generic",
        [*(value for value, _ in inputs), memory],
        {
            "indexing_maps": ir.ArrayAttr.get([ir.AffineMapAttr.get(each) for each in maps]),
            "iterator_types": ir.ArrayAttr.get(
                [ir.Attribute.parse("#linalg.iterator_type<parallel>")] * type.rank
            ),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(inputs), 1]),
        },
        results=[type],
        regions=1,
    )
    tensors = [*(value for value, _ in inputs), memory]
    types = [ir.RankedTensorType(value.type).element_type for value in tensors]
    places = [ir.Location.current] * len(types)
    body = ir.Block.create_at_start(loop.regions[0], types, places)
    with ir.InsertionPoint(body):
        create_op("linalg.yield", [element(list(body.arguments)[:-1])])
    return loop.result
