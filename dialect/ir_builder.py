"""Builders of IR: index arithmetic, comparisons, loops, conditions.

Ops are created at the current insertion point and location. Constants stay Python ints, so that
arithmetic on them is folded and creates no op.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.structured_ops import defining_op

# MLIR's `OpFoldResult`: a constant, or a value.
Number: TypeAlias = "int | ir.Value"

_PREDICATES = {"eq": 0, "ne": 1, "slt": 2, "sge": 5, "ult": 6, "ule": 7}
_CASTS = ("arith.index_cast", "arith.extsi")


def _context() -> ir.Context:
    return ir.Location.current.context


def index_type() -> ir.Type:
    """The index type."""
    return ir.IndexType.get(_context())


def index_value(number: Number) -> ir.Value:
    """An `OpFoldResult` as a value; a constant is materialized."""
    if not isinstance(number, int):
        return number
    attribute = ir.IntegerAttr.get(index_type(), number)
    return ir.Operation.create(
        "arith.constant", results=[index_type()], attributes={"value": attribute}
    ).result


def as_fold_result(value: ir.Value) -> Number:
    """A value as an `OpFoldResult`: an int if it is a constant."""
    owner = value.owner
    if not isinstance(owner, ir.Block):
        op = owner.operation if isinstance(owner, ir.OpView) else owner
        if op.name == "arith.constant":
            return int(ir.IntegerAttr(op.attributes["value"]).value)
    return value


def _binary(name: str, a: Number, b: Number) -> ir.Value:
    return ir.Operation.create(
        name, results=[index_type()], operands=[index_value(a), index_value(b)]
    ).result


def add(a: Number, b: Number) -> Number:
    """`a + b`."""
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    if 0 in (a, b):
        return b if a == 0 else a
    return _binary("arith.addi", a, b)


def subtract(a: Number, b: Number) -> Number:
    """`a - b`."""
    if isinstance(a, int) and isinstance(b, int):
        return a - b
    return a if b == 0 else _binary("arith.subi", a, b)


def multiply(a: Number, b: Number) -> Number:
    """`a * b`."""
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    if 1 in (a, b):
        return b if a == 1 else a
    return _binary("arith.muli", a, b)


def divide(a: Number, b: Number) -> Number:
    """`a // b` for non-negative operands."""
    if isinstance(a, int) and isinstance(b, int):
        return a // b
    return a if b == 1 else _binary("arith.divui", a, b)


def remainder(a: Number, b: Number) -> Number:
    """`a % b` for non-negative operands."""
    if isinstance(a, int) and isinstance(b, int):
        return a % b
    return 0 if b == 1 else _binary("arith.remui", a, b)


def divide_up(a: Number, b: int) -> Number:
    """`ceildiv(a, b)`."""
    return divide(add(a, b - 1), b)


def at_least_one(a: Number) -> Number:
    """`max(a, 1)`."""
    return max(a, 1) if isinstance(a, int) else _binary("arith.maxui", a, 1)


def at_least_zero(a: Number) -> Number:
    """`max(a, 0)`."""
    return max(a, 0) if isinstance(a, int) else _binary("arith.maxsi", a, 0)


def minimum(a: Number, b: Number) -> Number:
    """`min(a, b)`."""
    if isinstance(a, int) and isinstance(b, int):
        return min(a, b)
    return _binary("arith.minsi", a, b)


def less_than(a: Number, b: Number) -> ir.Value:
    """`a < b`."""
    return compare("slt", index_value(a), index_value(b))


def at_least(a: Number, b: Number) -> ir.Value:
    """`a >= b`."""
    return compare("sge", index_value(a), index_value(b))


def equal(a: Number, b: Number) -> ir.Value:
    """`a == b`."""
    return compare("eq", index_value(a), index_value(b))


def is_index(a: Number, size: Number) -> ir.Value:
    """Whether `0 <= a < size`."""
    return compare("ult", index_value(a), index_value(size))


def assert_that(condition: ir.Value, message: str) -> None:
    """Assert a condition: the program fails with the message if it is false."""
    ir.Operation.create(
        "cf.assert", operands=[condition], attributes={"msg": ir.StringAttr.get(message)}
    )


def both(a: ir.Value, b: ir.Value) -> ir.Value:
    """The conjunction of two conditions."""
    return ir.Operation.create("arith.andi", results=[a.type], operands=[a, b]).result


def either(a: ir.Value, b: ir.Value) -> ir.Value:
    """The disjunction of two conditions."""
    return ir.Operation.create("arith.ori", results=[a.type], operands=[a, b]).result


def delinearize(position: Number, extents: Sequence[Number]) -> list[Number]:
    """The indices of a linear position in row-major order."""
    found: list[Number] = []
    for extent in reversed(extents[1:]):
        found.append(remainder(position, extent))
        position = divide(position, extent)
    return [position, *reversed(found)] if extents else []


def if_then(condition: ir.Value, results: Sequence[ir.Type] = ()) -> ir.Operation:
    """An `scf.if` whose blocks have no terminators yet; the else block exists only with results."""
    made = ir.Operation.create("scf.if", results=list(results), operands=[condition], regions=2)
    ir.Block.create_at_start(made.regions[0], [], [])
    if results:
        ir.Block.create_at_start(made.regions[1], [], [])
    return made


def for_loop(
    start: Number, end: Number, step: Number, carried: Sequence[ir.Value] = ()
) -> tuple[ir.Operation, ir.Block]:
    """An `scf.for`, and its body without terminator."""
    types = [value.type for value in carried]
    made = ir.Operation.create(
        "scf.for",
        results=types,
        operands=[index_value(start), index_value(end), index_value(step), *carried],
        regions=1,
    )
    arguments = [index_type(), *types]
    places = [ir.Location.current] * len(arguments)
    return made, ir.Block.create_at_start(made.regions[0], arguments, places)


def finish(block: ir.Block, values: Sequence[ir.Value] = ()) -> None:
    """Add the terminator of a loop or condition body."""
    with ir.InsertionPoint(block), block.owner.location:
        ir.Operation.create("scf.yield", operands=list(values))


def move_body(source: ir.Block, target: ir.Block) -> None:
    """Move the operations of a block, except its terminator, to the end of another."""
    for op in list(operations(source))[:-1]:
        op.detach_from_parent()
        target.append(op)


def parallel_loop(sizes: Sequence[Number]) -> ir.Block:
    """The body, without terminator, of an `scf.parallel` over these sizes."""
    rank = len(sizes)
    bounds = [index_value(each) for each in [*[0] * rank, *sizes, *[1] * rank]]
    loop = ir.Operation.create(
        "scf.parallel",
        operands=bounds,
        regions=1,
        attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([rank] * 3 + [0])},
    )
    places = [ir.Location.current] * rank
    return ir.Block.create_at_start(loop.regions[0], [index_type()] * rank, places)


def create_op(
    name: str,
    operands: Sequence[ir.Value] = (),
    attributes: dict[str, ir.Attribute] | None = None,
    results: Sequence[ir.Type] = (),
    regions: int = 0,
) -> ir.Operation:
    """A new op."""
    return ir.Operation.create(
        name, list(results), list(operands), attributes or {}, regions=regions
    )


def create_value(
    name: str,
    type: ir.Type,
    operands: Sequence[ir.Value],
    attributes: dict[str, ir.Attribute] | None = None,
) -> ir.Value:
    """Create an op, and return its only result."""
    return ir.Operation.create(
        name, results=[type], operands=list(operands), attributes=attributes or {}
    ).result


def constant(type: ir.Type, value: int) -> ir.Value:
    """A constant of an integer or index type."""
    return create_value("arith.constant", type, [], {"value": ir.IntegerAttr.get(type, value)})


def constant_int_value(value: ir.Value) -> int | None:
    """The signed value of a constant; None for any other value."""
    producer = defining_op(value)
    while producer is not None and producer.name in _CASTS:
        producer = defining_op(producer.operands[0])
    if producer is None or producer.name != "arith.constant":
        return None
    attribute = producer.attributes["value"]
    return int(attribute.value) if isinstance(attribute, ir.IntegerAttr) else None


def compare(predicate: str, a: ir.Value, b: ir.Value) -> ir.Value:
    """An `arith.cmpi` with a predicate."""
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _PREDICATES[predicate])
    return create_value("arith.cmpi", ir.IntegerType.get_signless(1), [a, b], {"predicate": number})
