"""Inputs that do not lie row by row: the program takes them as they lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.lowering.guards import permute_guards
from torch_refine.passes.lowering.kernels.layouts import Layout, set_layouts
from torch_refine.passes.program import redeclare, returns_of, symbol_name


@dataclass(frozen=True)
class Lying:
    """How a tensor lies, where that is not row by row in one piece."""

    order: tuple[int, ...] | None
    """The dimensions, the one with the widest stride first; None if they are in order."""
    layout: Layout | None
    """In that order, how rows lie; None if each follows the one before."""


def lying_of(sizes: Sequence[int], strides: Sequence[int]) -> Lying | None:
    """How a tensor of sizes and strides (in elements) lies; None for row by row in one piece."""
    order = sorted(range(len(sizes)), key=lambda dim: (-strides[dim], dim))
    if not _is_dense(sizes, strides, order):
        # Dimensions that are repeated, or that have one number, stay where they are.
        moved = iter(dim for dim in order if sizes[dim] != 1 and strides[dim])
        order = [
            next(moved) if sizes[dim] != 1 and strides[dim] else dim for dim in range(len(sizes))
        ]
        rows: list[int | None] = [None] * len(order)
        if strides[order[-1]] == 1:
            rows[-1] = 1
        return Lying(_unless_sorted(sizes, order), Layout(tuple(rows)))
    changed = _unless_sorted(sizes, order)
    return None if changed is None else Lying(changed, None)


def _is_dense(sizes: Sequence[int], strides: Sequence[int], order: Sequence[int]) -> bool:
    expected = 1
    for dim in reversed(order):
        if sizes[dim] != 1 and strides[dim] != expected:
            return 0 in sizes
        expected *= sizes[dim]
    return True


def _unless_sorted(sizes: Sequence[int], order: Sequence[int]) -> tuple[int, ...] | None:
    """An order, None if it moves only dimensions that have one number or none."""
    wide = [dim for dim in order if sizes[dim] != 1]
    return None if 0 in sizes or wide == sorted(wide) else tuple(order)


def take_as_they_lie(module: ir.Module, inputs: Mapping[int, Lying]) -> None:
    """Let `main` take arguments, by their places, with their dimensions in another order.

    The first thing that it does is to put them back into the order of the program. An attribute
    says which do not lie in one piece.
    """
    for function in operations(module.operation.regions[0].blocks[0]):
        if symbol_name(function) != "main":
            continue
        block = function.regions[0].blocks[0]
        first = next(operations(block))
        for place, lying in inputs.items():
            if lying.order is not None:
                _reorder(block.arguments[place], lying.order, first)
                permute_guards(function, place, lying.order)
        redeclare(function, returns_of(function)[0])
        layouts = {place: each.layout for place, each in inputs.items() if each.layout is not None}
        set_layouts(function, layouts)


def _reorder(argument: ir.BlockArgument, order: Sequence[int], before: ir.Operation) -> None:
    context = before.context
    integer = ir.Type.parse("!torch.int", context)
    number = ir.IntegerType.get_signless(64, context)
    type = argument.type
    types = Types(context)
    tensor = types.tensor(type)
    assert tensor is not None and tensor.sizes is not None, "exported types are known"
    with ir.InsertionPoint(before), ir.Location.unknown(context):
        dims = [
            ir.Operation.create(
                "torch.constant.int",
                results=[integer],
                attributes={"value": ir.IntegerAttr.get(number, order.index(dim))},
            ).result
            for dim in range(len(order))
        ]
        listed = ir.Operation.create(
            "torch.prim.ListConstruct",
            results=[ir.Type.parse("!torch.list<int>", context)],
            operands=dims,
        ).result
        back = ir.Operation.create(
            "torch.aten.permute", results=[type], operands=[argument, listed]
        )
    for use in list(argument.uses):
        if use.owner.operation != back:
            use.owner.operation.operands[use.operand_number] = back.result
    moved = replace(tensor, sizes=tuple(tensor.sizes[dim] for dim in order))
    argument.set_type(types.parse(moved))
