"""Loops over numbers one by one, fewer of which do the same."""

from __future__ import annotations

from dataclasses import dataclass

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.lowering.images.building import collapsed, expanded
from torch_refine.passes.lowering.images.order import type_of
from torch_refine.passes.lowering.kernels.indexing import (
    dims_of,
    groups_of,
    iterators,
    maker_of,
    maps,
)

EXPAND = "tensor.expand_shape"


def is_elementwise(op: ir.Operation) -> bool:
    """Whether an op computes number by number, and does not look at where they are."""
    return set(iterators(op)) == {"parallel"} and len(op.results) == 1 and not sees_places(op)


def sees_places(op: ir.Operation) -> bool:
    """Whether a generic computes with the numbers of its loops."""
    body = operations(op.regions[0].blocks[0])
    return any(each.name == "linalg.index" for each in body)


@dataclass
class MergedLoops:
    """A generic with one result, and which of its loops are to become one.

    Operands have the dimensions of such loops next to each other, or none of them.
    """

    op: ir.Operation
    loops: list[list[int]]
    """All loops, those that become one together."""

    def write(self) -> ir.Value:
        """Put a generic of fewer loops in the place of the op; what it gives."""
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
            made = ir.Operation.create(
                "linalg.generic",
                results=[operands[-1].type],
                operands=operands,
                regions=1,
                attributes={
                    "indexing_maps": ir.ArrayAttr.get(
                        [ir.AffineMapAttr.get(map) for map in indexing]
                    ),
                    "iterator_types": ir.Attribute.parse(f"[{kept}]"),
                    "operandSegmentSizes": op.attributes["operandSegmentSizes"],
                },
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
        """The dimensions of an operand that become one, if its dimensions follow these loops."""
        present = [group for group in self.loops if group[0] in dims]
        return sorted([dims.index(dim) for dim in group] for group in present)

    def _merged(self, operand: ir.Value, dims: list[int]) -> ir.Value:
        """An operand with its dimensions merged as the loops are."""
        groups = self._groups(dims)
        if len(groups) == type_of(operand).rank:
            return operand
        maker = maker_of(operand)
        if maker is not None and maker.name == EXPAND and groups_of(maker) == groups:
            return maker.operands[0]
        return collapsed(self.op, operand, groups)


def are_kept(group: list[int], maps: list[list[int]]) -> bool:
    """Whether loops follow each other wherever one of them is, by the loops of dimensions."""
    for dims in maps:
        present = [dim for dim in dims if dim in group]
        if not present:
            continue
        start = dims.index(present[0])
        if dims[start : start + len(group)] != group:
            return False
    return True
