"""Inputs that do not lie row by row: the program takes them in the order in which they lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.program import redeclare, returns_of, symbol_name


def order_of(sizes: Sequence[int], strides: Sequence[int]) -> tuple[int, ...] | None:
    """The dimensions of a tensor, the one with the widest stride first, if that is another order.

    None if they are in order already, or if the elements do not lie next to each other.
    """
    order = sorted(range(len(sizes)), key=lambda dim: (-strides[dim], dim))
    expected = 1
    for dim in reversed(order):
        if sizes[dim] != 1 and strides[dim] != expected:
            return None
        expected *= sizes[dim]
    if 0 in sizes or [dim for dim in order if sizes[dim] != 1] == [
        dim for dim in range(len(sizes)) if sizes[dim] != 1
    ]:
        return None
    return tuple(order)


def take_in_order(module: ir.Module, orders: Mapping[int, Sequence[int]]) -> None:
    """Let `main` take arguments, by their places, with their dimensions in another order.

    The first thing that it does is to put them back into the order of the program.
    """
    for function in operations(module.operation.regions[0].blocks[0]):
        if symbol_name(function) != "main":
            continue
        block = function.regions[0].blocks[0]
        first = next(operations(block))
        for place, order in orders.items():
            _reorder(block.arguments[place], order, first)
        redeclare(function, returns_of(function)[0])


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
