"""Non-contiguous inputs: the program takes them with their strides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.guards import permute_guards
from torch_refine.dialect.ir_builder import create_op, create_value
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.lowering.kernels.layouts import Layout, set_layouts
from torch_refine.passes.program import redeclare, returns_of, symbol_name


@dataclass(frozen=True)
class InputLayout:
    """The layout of a tensor that is not row-major contiguous."""

    order: tuple[int, ...] | None
    """The dimensions by descending stride; None if they are in order."""
    layout: Layout | None
    """The strided layout in that order; None if contiguous."""


def input_layout(sizes: Sequence[int], strides: Sequence[int]) -> InputLayout | None:
    """The strides of a tensor, in elements, as a layout; None if it is row-major contiguous."""
    order = sorted(range(len(sizes)), key=lambda dim: (-strides[dim], dim))
    if not _is_dense(sizes, strides, order):
        # Dimensions with stride 0 or size 1 keep their positions.
        moved = iter(dim for dim in order if sizes[dim] != 1 and strides[dim])
        order = [
            next(moved) if sizes[dim] != 1 and strides[dim] else dim for dim in range(len(sizes))
        ]
        rows: list[int | None] = [None] * len(order)
        if strides[order[-1]] == 1:
            rows[-1] = 1
        return InputLayout(_unless_sorted(sizes, order), Layout(tuple(rows)))
    changed = _unless_sorted(sizes, order)
    return None if changed is None else InputLayout(changed, None)


def _is_dense(sizes: Sequence[int], strides: Sequence[int], order: Sequence[int]) -> bool:
    expected = 1
    for dim in reversed(order):
        if sizes[dim] != 1 and strides[dim] != expected:
            return 0 in sizes
        expected *= sizes[dim]
    return True


def _unless_sorted(sizes: Sequence[int], order: Sequence[int]) -> tuple[int, ...] | None:
    """A dimension order, None if it only moves dimensions of size 0 or 1."""
    wide = [dim for dim in order if sizes[dim] != 1]
    return None if 0 in sizes or wide == sorted(wide) else tuple(order)


def set_input_layouts(module: ir.Module, inputs: Mapping[int, InputLayout]) -> None:
    """Change arguments of `main`, by index, to permuted dimensions and strided layouts.

    The function first transposes them back to the program's order. An attribute marks those that
    are not contiguous.
    """
    for function in operations(module.operation.regions[0].blocks[0]):
        if symbol_name(function) != "main":
            continue
        block = function.regions[0].blocks[0]
        first = next(operations(block))
        for place, layout in inputs.items():
            if layout.order is not None:
                _reorder(block.arguments[place], layout.order, first)
                permute_guards(function, place, layout.order)
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
            create_value(
                "torch.constant.int",
                integer,
                [],
                {"value": ir.IntegerAttr.get(number, order.index(dim))},
            )
            for dim in range(len(order))
        ]
        listed = create_value(
            "torch.prim.ListConstruct", ir.Type.parse("!torch.list<int>", context), dims
        )
        back = create_op("torch.aten.permute", [argument, listed], results=[type])
    for use in list(argument.uses):
        if use.owner.operation != back:
            use.owner.operation.operands[use.operand_number] = back.result
    moved = replace(tensor, sizes=tuple(tensor.sizes[dim] for dim in order))
    argument.set_type(types.parse(moved))
