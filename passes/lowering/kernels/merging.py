"""Collapse loops of elementwise generics."""

from __future__ import annotations

from dataclasses import dataclass

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import create_op
from torch_refine.dialect.structured_ops import (
    defining_op,
    dims_of,
    iterators,
    maps,
    reassociation_of,
)
from torch_refine.passes.lowering.fusion.images.building import collapsed, expanded
from torch_refine.passes.lowering.fusion.images.order import type_of

EXPAND = "tensor.expand_shape"


def is_elementwise(op: ir.Operation) -> bool:
    """Whether an op is elementwise and does not use its indices."""
    return set(iterators(op)) == {"parallel"} and len(op.results) == 1 and not uses_indices(op)


def uses_indices(op: ir.Operation) -> bool:
    """Whether the body of a generic has `linalg.index` ops."""
    body = operations(op.regions[0].blocks[0])
    return any(each.name == "linalg.index" for each in body)


@dataclass
class MergedLoops:
    """A generic with one result, and which of its loops are collapsed.

    The loops of a group are adjacent in an indexing map, or absent from it.
    """

    op: ir.Operation
    loops: list[list[int]]
    """All loops; the loops of a group become one."""

    def write(self) -> ir.Value:
        """Replace the op by a generic of fewer loops; returns its result."""
        op = self.op
        context = op.context
        read = [dims_of(map) or [] for map in maps(op)]
        operands = [
            self._merged(operand, dims) for operand, dims in zip(op.operands, read, strict=True)
        ]
        place = {group[0]: number for number, group in enumerate(self.loops)}
        indexing = [
            ir.AffineMap.get(
                len(self.loops),
                0,
                [ir.AffineExpr.get_dim(place[dim], context) for dim in dims if dim in place],
                context,
            )
            for dims in read
        ]
        kinds = iterators(op)
        kept = ", ".join(f"#linalg.iterator_type<{kinds[group[0]]}>" for group in self.loops)
        with ir.InsertionPoint(op), op.location:
            made = create_op(
                "linalg.generic",
                operands,
                {
                    "indexing_maps": ir.ArrayAttr.get(
                        [ir.AffineMapAttr.get(map) for map in indexing]
                    ),
                    "iterator_types": ir.Attribute.parse(f"[{kept}]"),
                    "operandSegmentSizes": op.attributes["operandSegmentSizes"],
                },
                results=[operands[-1].type],
                regions=1,
            )
        memory = list(op.operands)[-1]
        op.regions[0].blocks[0].append_to(made.regions[0])
        seen = made.result
        if made.result.type != memory.type:
            seen = expanded(op, made.result, self._groups(read[-1]), memory)
        op.results[0].replace_all_uses_with(seen)
        op.erase()
        return made.result

    def _groups(self, dims: list[int]) -> list[list[int]]:
        """The reassociation of an operand's dimensions, if these follow the loops."""
        present = [group for group in self.loops if group[0] in dims]
        return sorted([dims.index(dim) for dim in group] for group in present)

    def _merged(self, operand: ir.Value, dims: list[int]) -> ir.Value:
        """An operand with its dimensions collapsed as the loops are."""
        groups = self._groups(dims)
        if len(groups) == type_of(operand).rank:
            return operand
        producer = defining_op(operand)
        if (
            producer is not None
            and producer.name == EXPAND
            and reassociation_of(producer) == groups
        ):
            return producer.operands[0]
        return collapsed(self.op, operand, groups)


def are_adjacent(group: list[int], maps: list[list[int]]) -> bool:
    """Whether the loops of a group are adjacent in each map that has one of them."""
    for dims in maps:
        present = [dim for dim in dims if dim in group]
        if not present:
            continue
        start = dims.index(present[0])
        if dims[start : start + len(group)] != group:
            return False
    return True
