"""Bounds of parallel loops, and their conversion to sequential loops."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    as_fold_result,
    at_least_one,
    create_op,
    divide_up,
    finish,
    for_loop,
    index_type,
    index_value,
    move_body,
    multiply,
    subtract,
)

PARALLEL = ("scf.parallel", "scf.forall")
THREADS = 256
"""The number of threads of a block."""


def maps_to(op: ir.Operation, kind: str) -> bool:
    """Whether a parallel loop is marked for `block` or `thread`."""
    return "mapping" in op.attributes and f"#gpu.{kind}<" in str(op.attributes["mapping"])


def holds(op: ir.Operation, names: tuple[str, ...]) -> bool:
    """Whether an op, or one nested in it, has one of these names."""
    return op.name in names or any(each.name in names for each in walk(op))


class Bounds:
    """Lower bounds, steps and trip counts of a parallel loop."""

    def __init__(self, op: ir.Operation) -> None:
        self.starts, ends, self.steps = _forall(op) if op.name == "scf.forall" else _parallel(op)
        self.extents: list[Number] = []
        for start, end, step in zip(self.starts, ends, self.steps, strict=True):
            distance = subtract(end, start)
            if isinstance(distance, int):
                distance = max(distance, 0)
            if not isinstance(step, int):
                raise ValueError("the step of a parallel loop is not constant")
            self.extents.append(divide_up(distance, step))

    def total(self) -> Number:
        """The total number of iterations."""
        total: Number = 1
        for extent in self.extents:
            total = multiply(total, extent)
        return total

    def divisors(self) -> list[Number]:
        """The trip counts as divisors: at least one."""
        return [at_least_one(each) for each in self.extents]

    def indices(self, counts: list[Number]) -> list[Number]:
        """The induction variables of an iteration, by its number along each dimension."""
        return [
            add(start, multiply(count, step))
            for start, count, step in zip(self.starts, counts, self.steps, strict=True)
        ]


def _parallel(op: ir.Operation) -> tuple[list[Number], list[Number], list[Number]]:
    numbers = [as_fold_result(value) for value in op.operands]
    rank = len(op.regions[0].blocks[0].arguments)
    return numbers[:rank], numbers[rank : 2 * rank], numbers[2 * rank : 3 * rank]


def _forall(op: ir.Operation) -> tuple[list[Number], list[Number], list[Number]]:
    values = iter(op.operands)
    found: list[list[Number]] = []
    for name in ("staticLowerBound", "staticUpperBound", "staticStep"):
        static = list(ir.DenseI64ArrayAttr(op.attributes[name]))
        dynamic = ir.ShapedType.get_dynamic_size()
        found.append([as_fold_result(next(values)) if each == dynamic else each for each in static])
    return found[0], found[1], found[2]


def mapped_loop(extent: Number, kind: str) -> ir.Block:
    """The body of an `scf.forall` of one dimension over `block` or `thread`."""
    context = ir.Location.current.context
    is_static = isinstance(extent, int)
    bound = extent if isinstance(extent, int) else ir.ShapedType.get_dynamic_size()
    loop = create_op(
        "scf.forall",
        [] if isinstance(extent, int) else [extent],
        {
            "staticLowerBound": ir.DenseI64ArrayAttr.get([0], context),
            "staticUpperBound": ir.DenseI64ArrayAttr.get([bound], context),
            "staticStep": ir.DenseI64ArrayAttr.get([1], context),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, int(not is_static), 0, 0], context),
            "mapping": ir.Attribute.parse(f"[#gpu.{kind}<linear_dim_0>]", context),
        },
        regions=1,
    )
    places = [ir.Location.current]
    return ir.Block.create_at_start(loop.regions[0], [index_type()], places)


def finish_mapped_loop(body: ir.Block) -> None:
    """Add the terminator of an `scf.forall` without results."""
    with ir.InsertionPoint(body), body.owner.location:
        end = create_op("scf.forall.in_parallel", regions=1)
        ir.Block.create_at_start(end.regions[0], [], [])


def replace_indices(body: ir.Block, indices: list[Number]) -> None:
    """Replace a body's arguments by values, created at the insertion point."""
    for argument, index in zip(list(body.arguments), indices, strict=True):
        if any(True for _ in argument.uses):
            argument.replace_all_uses_with(index_value(index))


def serialize(op: ir.Operation) -> None:
    """Convert a parallel loop to sequential loops, and those nested in it."""
    body = op.regions[0].blocks[0]
    with ir.InsertionPoint(op), op.location:
        bounds = Bounds(op)
        indices: list[Number] = []
        blocks: list[ir.Block] = []
        for start, extent, step in zip(bounds.starts, bounds.extents, bounds.steps, strict=True):
            point = ir.InsertionPoint(blocks[-1]) if blocks else ir.InsertionPoint(op)
            with point:
                end = add(start, multiply(extent, step))
                _, block = for_loop(start, end, step)
            blocks.append(block)
            indices.append(block.arguments[0])
        replace_indices(body, indices)
        if blocks:
            move_body(body, blocks[-1])
            for block in blocks:
                finish(block)
        else:
            for inner in list(operations(body))[:-1]:
                inner.move_before(op)
    inside = [each for block in blocks[-1:] for each in operations(block)]
    op.erase()
    for each in inside:
        serialize_inside(each)


def serialize_inside(op: ir.Operation) -> None:
    """Convert an op's parallel loops, itself included, to sequential loops."""
    if op.name in PARALLEL:
        serialize(op)
        return
    for region in op.regions:
        for block in region:
            for each in list(operations(block)):
                serialize_inside(each)
