"""Outline groups of ops into functions."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import create_op, create_value
from torch_refine.dialect.structured_ops import (
    defining_op,
    in_order,
    is_structured,
    num_inputs,
)
from torch_refine.passes.lowering.kernels.groups import Group
from torch_refine.passes.lowering.kernels.layouts import Layout, layout_of, set_layouts
from torch_refine.passes.program import symbol_name

KERNEL = "torch_refine.kernel"
"""On a kernel: its kind, which names the schedule that it gets."""
ROWS = "torch_refine.rows"
"""On a kernel of rows: the number of outermost loops that its members share."""

ROOT = "torch_refine.root"
"""On the root op of a kernel, which computes its result."""

SCHEDULED = "scheduled"
"""The kind of a kernel that is already scheduled."""

CLONED = ("arith.constant", "linalg.fill", "tensor.empty")
"""Ops that are cloned into a kernel rather than passed as arguments."""


class Outliner:
    """Outlines groups into functions; `known` maps their text to their names.

    If vectors must be `aligned`, slices are read by scalar loads.
    """

    def __init__(self, body: ir.Block, aligned: bool) -> None:
        self.body = body
        self.aligned = aligned
        self.known: dict[str, str] = {}
        self._taken = {symbol_name(op) for op in operations(body)}

    def outline(self, group: Group) -> ir.Operation:
        """Move a group into a function, and call it; returns the call."""
        root = group.root
        inside = _with_cheap_producers(group)
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
            call = create_op(
                "func.call",
                [_as_operand(value) for value in captured],
                {"callee": ir.FlatSymbolRefAttr.get(name, root.context)},
                results=[result.type for result in root.results],
            )
        for old, new in zip(root.results, call.results, strict=True):
            old.replace_all_uses_with(new)
        for member in reversed(group.members):
            member.erase()
        return call

    def _function(
        self, group: Group, name: str, inside: list[ir.Operation], captured: list[ir.Value]
    ) -> ir.Operation:
        root = group.root
        context = root.context
        results = [result.type for result in root.results]
        taken = [_type_of_argument(value.type) for value in captured]
        type = ir.FunctionType.get(taken, results, context)
        with ir.InsertionPoint(self.body), ir.Location.unknown(context):
            function = create_op(
                "func.func",
                attributes={
                    "sym_name": ir.StringAttr.get(name, context),
                    "sym_visibility": ir.StringAttr.get("private", context),
                    "function_type": ir.TypeAttr.get(type, context),
                    KERNEL: ir.StringAttr.get(group.kind, context),
                },
                regions=1,
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
                create_op("func.return", returned)
        set_layouts(function, self._layouts(group, inside, captured))
        return function

    def _layouts(
        self, group: Group, inside: list[ir.Operation], captured: list[ir.Value]
    ) -> dict[int, Layout]:
        """The layouts of the arguments that a kernel takes with their strides, by index.

        Others are copied: only plain loops read non-contiguous elements as fast as a copy would,
        and no kernel writes them.
        """
        written = {
            operand
            for op in inside
            if is_structured(op)
            for operand in list(op.operands)[num_inputs(op) :]
        }
        found = {}
        for place, value in enumerate(captured):
            is_written = value in written
            if not isinstance(value.type, ir.RankedTensorType) or (is_written and self.aligned):
                continue
            layout = layout_of(value)
            if layout is not None and self.aligned:
                layout = layout.with_dynamic_last_stride()
            if layout is not None and is_written:
                layout = layout.with_dynamic_strides()
            by_number = group.kind == "loops" and not is_written
            if layout is not None and (layout.has_unit_stride or by_number):
                found[place] = layout
        return found


def _type_of_argument(type: ir.Type) -> ir.Type:
    """The type of the kernel argument for a value: with a dynamic offset for slices.

    So kernels that differ only in the offsets of their slices are one function.
    """
    if not isinstance(type, ir.MemRefType) or not isinstance(type.layout, ir.StridedLayoutAttr):
        return type
    unknown = ir.ShapedType.get_dynamic_stride_or_offset()
    layout = ir.StridedLayoutAttr.get(unknown, list(type.layout.strides), type.context)
    with type.context, ir.Location.unknown():
        return ir.MemRefType.get(type.shape, type.element_type, layout, type.memory_space)


def _as_operand(value: ir.Value) -> ir.Value:
    """A value as an operand of a kernel call."""
    wanted = _type_of_argument(value.type)
    if value.type == wanted:
        return value
    return create_value("memref.cast", wanted, [value])


def _replace_operands(op: ir.Operation, replaced: dict[ir.Value, ir.Value]) -> None:
    for each in [op, *walk(op)]:
        for index, operand in enumerate(each.operands):
            if operand in replaced:
                each.operands[index] = replaced[operand]


def _with_cheap_producers(group: Group) -> list[ir.Operation]:
    """A group's members in program order, and the cheap ops that define their operands.

    The destination of the root is allocated by the caller.
    """
    root = group.root
    outside = {operand for operand in root.operands if is_defined_by(operand, "tensor.empty")}
    found: set[ir.Operation] = set(group.members)
    pending = list(group.members)
    while pending:
        op = pending.pop()
        for each in [op, *walk(op)]:
            for operand in each.operands:
                producer = defining_op(operand)
                if producer is None or operand in outside:
                    continue
                if producer.name == "linalg.fill" and op is root:
                    # A fill is cloned into the kernel, the tensor that it fills is not.
                    outside.update(producer.operands[1:])
                if (
                    producer.name in CLONED
                    and producer not in found
                    and producer.block == root.block
                ):
                    found.add(producer)
                    pending.append(producer)
    return _with_producers_at_uses(in_order(group.members), found)


def _with_producers_at_uses(
    members: list[ir.Operation], found: set[ir.Operation]
) -> list[ir.Operation]:
    """The members in order, each after those of its producers that no earlier one has.

    So kernels of the same members are the same function, wherever a program has their producers.
    """
    ordered: dict[ir.Operation, None] = {}

    def add(op: ir.Operation) -> None:
        for each in [op, *walk(op)]:
            for operand in each.operands:
                producer = defining_op(operand)
                if producer is not None and producer in found and producer not in ordered:
                    add(producer)
        ordered.setdefault(op)

    for member in members:
        add(member)
    return list(ordered)


def sink_cheap_producers(block: ir.Block) -> None:
    """Clone cheap ops that define operands outside of a block in front of its structured ops.

    Memory stays outside, where a loop allocates it once.
    """
    for op in [each for each in operations(block) if is_structured(each)]:
        inside = {block, *(inner for region in op.regions for inner in region)}
        for each in [op, *walk(op)]:
            for index, operand in enumerate(each.operands):
                producer = defining_op(operand)
                if (
                    producer is not None
                    and producer.name in CLONED
                    and producer.name != "tensor.empty"
                    and producer.block not in inside
                ):
                    with ir.InsertionPoint(op):
                        each.operands[index] = producer.clone().results[0]


def is_defined_by(value: ir.Value, name: str) -> bool:
    """Whether a value is the result of an op of a name."""
    producer = defining_op(value)
    return producer is not None and bool(producer.name == name)


def _captured(inside: list[ir.Operation]) -> list[ir.Value]:
    """The values defined outside that ops use, in the order of their uses."""
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
    """Mark the op that computes a kernel's result with an attribute, for the schedules."""
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


def walk_outside_kernels(op: ir.Operation) -> Iterator[ir.Operation]:
    """The operations inside of a module or a function, except kernels and what they contain."""
    if KERNEL in op.attributes:
        return
    if op.name != "builtin.module":
        yield from walk(op)
        return
    for each in operations(op.regions[0].blocks[0]):
        if KERNEL not in each.attributes:
            yield each
            yield from walk(each)
