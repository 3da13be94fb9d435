"""Moving groups of ops into functions of their own."""

from __future__ import annotations

import itertools
import re

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.lowering.kernels.groups import Group
from torch_refine.passes.lowering.kernels.indexing import (
    in_order,
    is_structured,
    maker_of,
    number_of_inputs,
)
from torch_refine.passes.lowering.kernels.layouts import Layout, layout_of, set_layouts
from torch_refine.passes.program import symbol_name

KERNEL = "torch_refine.kernel"
"""On a kernel: its kind, which names the schedule that it gets."""
ROWS = "torch_refine.rows"
"""On a kernel of rows: how many of the outermost loops its members share."""

ROOT = "torch_refine.root"
"""On the op that computes a kernel's result."""

SCHEDULED = "scheduled"
"""The kind of a kernel that had its schedule."""

# What a kernel makes itself rather than take it as an argument.
_CLONED = ("arith.constant", "linalg.fill", "tensor.empty")


class Outliner:
    """Makes functions of groups; `known` are their names by their texts.

    If vectors have to be `aligned`, slices are read number by number.
    """

    def __init__(self, body: ir.Block, aligned: bool) -> None:
        self.body = body
        self.aligned = aligned
        self.known: dict[str, str] = {}
        self._taken = {symbol_name(op) for op in operations(body)}

    def outline(self, group: Group) -> None:
        """Move a group into a function, and call it."""
        root = group.root
        inside = _with_what_they_make(group)
        captured = _captured(inside)
        name = next(
            name
            for name in (f"{group.kind}_{n}" for n in itertools.count(len(self.known)))
            if name not in self._taken
        )
        function = self._function(group, name, inside, captured)
        text = re.sub(rf"@{name}\b", "@", function.get_asm(use_local_scope=True))
        if text in self.known:
            name = self.known[text]
            function.erase()
        else:
            self.known[text] = name
            self._taken.add(name)
        with ir.InsertionPoint(root), root.location:
            call = ir.Operation.create(
                "func.call",
                results=[result.type for result in root.results],
                operands=[_passed(value) for value in captured],
                attributes={"callee": ir.FlatSymbolRefAttr.get(name, root.context)},
            )
        for old, new in zip(root.results, call.results, strict=True):
            old.replace_all_uses_with(new)
        for member in reversed(group.members):
            member.erase()

    def _function(
        self, group: Group, name: str, inside: list[ir.Operation], captured: list[ir.Value]
    ) -> ir.Operation:
        root = group.root
        context = root.context
        results = [result.type for result in root.results]
        taken = [_type_of_argument(value.type) for value in captured]
        type = ir.FunctionType.get(taken, results, context)
        with ir.InsertionPoint(self.body), ir.Location.unknown(context):
            function = ir.Operation.create(
                "func.func",
                regions=1,
                attributes={
                    "sym_name": ir.StringAttr.get(name, context),
                    "sym_visibility": ir.StringAttr.get("private", context),
                    "function_type": ir.TypeAttr.get(type, context),
                    KERNEL: ir.StringAttr.get(group.kind, context),
                },
            )
            if group.rows:
                number = ir.IntegerType.get_signless(64, context)
                function.attributes[ROWS] = ir.IntegerAttr.get(number, len(group.rows))
            places = [ir.Location.unknown(context)] * len(captured)
            block = ir.Block.create_at_start(function.regions[0], taken, places)
        replaced = dict(zip(captured, block.arguments, strict=True))
        with ir.InsertionPoint(block):
            for op in inside:
                copy = op.clone()
                for old, new in zip(op.results, copy.results, strict=True):
                    replaced[old] = new
                _replace_operands(copy, replaced)
            returned = [replaced[result] for result in root.results]
            with ir.Location.unknown(context):
                ir.Operation.create("func.return", operands=returned)
        set_layouts(function, self._layouts(group, inside, captured))
        return function

    def _layouts(
        self, group: Group, inside: list[ir.Operation], captured: list[ir.Value]
    ) -> dict[int, Layout]:
        """The layouts of the arguments that a kernel takes with their strides, by their places.

        Others are copied: only plain loops read numbers that do not lie next to each other as fast
        as a copy would, and none writes them so.
        """
        written = {
            operand
            for op in inside
            if is_structured(op)
            for operand in list(op.operands)[number_of_inputs(op) :]
        }
        found = {}
        for place, value in enumerate(captured):
            is_written = value in written
            if not isinstance(value.type, ir.RankedTensorType) or (is_written and self.aligned):
                continue
            layout = layout_of(value)
            if layout is not None and self.aligned:
                layout = layout.apart()
            if layout is not None and is_written:
                layout = layout.of_any_rows()
            by_number = group.kind == "loops" and not is_written
            if layout is not None and (layout.has_rows or by_number):
                found[place] = layout
        return found


def _type_of_argument(type: ir.Type) -> ir.Type:
    """The type as which a kernel takes a value: where in its buffer a slice begins does not matter.

    Kernels that do the same to several slices of a buffer are one, then.
    """
    if not isinstance(type, ir.MemRefType) or not isinstance(type.layout, ir.StridedLayoutAttr):
        return type
    unknown = ir.ShapedType.get_dynamic_stride_or_offset()
    layout = ir.StridedLayoutAttr.get(unknown, list(type.layout.strides), type.context)
    with type.context, ir.Location.unknown():
        return ir.MemRefType.get(type.shape, type.element_type, layout, type.memory_space)


def _passed(value: ir.Value) -> ir.Value:
    """A value as a kernel takes it."""
    wanted = _type_of_argument(value.type)
    if value.type == wanted:
        return value
    return ir.Operation.create("memref.cast", results=[wanted], operands=[value]).result


def _replace_operands(op: ir.Operation, replaced: dict[ir.Value, ir.Value]) -> None:
    for each in [op, *walk(op)]:
        for index, operand in enumerate(each.operands):
            if operand in replaced:
                each.operands[index] = replaced[operand]


def _with_what_they_make(group: Group) -> list[ir.Operation]:
    """A group's members, and the cheap ops that make what they take, in program order.

    What the root's results are written to comes from the caller.
    """
    root = group.root
    outside = {operand for operand in root.operands if is_made_by(operand, "tensor.empty")}
    found: set[ir.Operation] = set(group.members)
    pending = list(group.members)
    while pending:
        op = pending.pop()
        for each in [op, *walk(op)]:
            for operand in each.operands:
                maker = maker_of(operand)
                if maker is None or operand in outside:
                    continue
                if maker.name == "linalg.fill" and op is root:
                    # A fill goes in, the memory that it fills does not.
                    outside.update(maker.operands[1:])
                if maker.name in _CLONED and maker not in found and maker.block == root.block:
                    found.add(maker)
                    pending.append(maker)
    return in_order(found)


def is_made_by(value: ir.Value, name: str) -> bool:
    """Whether a value is the result of an op of a name."""
    maker = maker_of(value)
    return maker is not None and bool(maker.name == name)


def _captured(inside: list[ir.Operation]) -> list[ir.Value]:
    """The values from outside that ops take, in the order in which they take them."""
    made = {result for op in inside for result in op.results}
    within = set(made)
    for op in inside:
        for region in op.regions:
            for block in region:
                within.update(block.arguments)
        for inner in walk(op):
            within.update(inner.results)
            for region in inner.regions:
                for block in region:
                    within.update(block.arguments)
    found: dict[ir.Value, None] = {}
    for op in inside:
        for each in [op, *walk(op)]:
            for operand in each.operands:
                if operand not in within:
                    found.setdefault(operand)
    return list(found)


def mark_root(kernel: ir.Operation) -> ir.Operation:
    """The op that computes a kernel's result, which schedules find by an attribute."""
    found = [op for op in walk(kernel) if ROOT in op.attributes]
    if not found:
        body = operations(kernel.regions[0].blocks[0])
        found = [op for op in body if is_structured(op)]
        found[-1].attributes[ROOT] = ir.UnitAttr.get(kernel.context)
    return found[-1]


def kernels(op: ir.Operation) -> list[tuple[str, ir.Operation]]:
    """The kernels of a module, with their kinds."""
    return [
        (str(ir.StringAttr(each.attributes[KERNEL]).value), each)
        for each in operations(op.regions[0].blocks[0])
        if KERNEL in each.attributes and ir.StringAttr(each.attributes[KERNEL]).value != SCHEDULED
    ]
