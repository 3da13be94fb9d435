"""Making small IR: arithmetic on indices, loops, conditions.

Everything is made at the current insertion point and location. A number that is known stays a
Python int, so that arithmetic on known numbers leaves no operation behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from torch_refine.dialect.bindings import ir, operations

Number: TypeAlias = "int | ir.Value"

_LESS_THAN, _AT_LEAST, _EQUAL, _BELOW = 2, 5, 0, 6


def _context() -> ir.Context:
    return ir.Location.current.context


def index_type() -> ir.Type:
    """The type of indices."""
    return ir.IndexType.get(_context())


def value_of(number: Number) -> ir.Value:
    """A number as a value."""
    if not isinstance(number, int):
        return number
    attribute = ir.IntegerAttr.get(index_type(), number)
    return ir.Operation.create(
        "arith.constant", results=[index_type()], attributes={"value": attribute}
    ).result


def number_of(value: ir.Value) -> Number:
    """A value as a number, an int if it is a constant."""
    owner = value.owner
    if not isinstance(owner, ir.Block):
        op = owner.operation if isinstance(owner, ir.OpView) else owner
        if op.name == "arith.constant":
            return int(ir.IntegerAttr(op.attributes["value"]).value)
    return value


def _binary(name: str, a: Number, b: Number) -> ir.Value:
    return ir.Operation.create(
        name, results=[index_type()], operands=[value_of(a), value_of(b)]
    ).result


def add(a: Number, b: Number) -> Number:
    """A sum."""
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    if 0 in (a, b):
        return b if a == 0 else a
    return _binary("arith.addi", a, b)


def subtract(a: Number, b: Number) -> Number:
    """A difference."""
    if isinstance(a, int) and isinstance(b, int):
        return a - b
    return a if b == 0 else _binary("arith.subi", a, b)


def multiply(a: Number, b: Number) -> Number:
    """A product."""
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    if 1 in (a, b):
        return b if a == 1 else a
    return _binary("arith.muli", a, b)


def divide(a: Number, b: Number) -> Number:
    """A quotient of numbers that are not negative, rounded down."""
    if isinstance(a, int) and isinstance(b, int):
        return a // b
    return a if b == 1 else _binary("arith.divui", a, b)


def remainder(a: Number, b: Number) -> Number:
    """What a division of numbers that are not negative leaves."""
    if isinstance(a, int) and isinstance(b, int):
        return a % b
    return 0 if b == 1 else _binary("arith.remui", a, b)


def divide_up(a: Number, b: int) -> Number:
    """A quotient, rounded up."""
    return divide(add(a, b - 1), b)


def at_least_one(a: Number) -> Number:
    """A number, or 1 if it is 0."""
    return max(a, 1) if isinstance(a, int) else _binary("arith.maxui", a, 1)


def at_least_zero(a: Number) -> Number:
    """A number, or 0 if it is less."""
    return max(a, 0) if isinstance(a, int) else _binary("arith.maxsi", a, 0)


def _compare(predicate: int, a: Number, b: Number) -> ir.Value:
    attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64, _context()), predicate)
    return ir.Operation.create(
        "arith.cmpi",
        results=[ir.IntegerType.get_signless(1, _context())],
        operands=[value_of(a), value_of(b)],
        attributes={"predicate": attribute},
    ).result


def less_than(a: Number, b: Number) -> ir.Value:
    """Whether one number is less than another."""
    return _compare(_LESS_THAN, a, b)


def at_least(a: Number, b: Number) -> ir.Value:
    """Whether one number is not less than another."""
    return _compare(_AT_LEAST, a, b)


def equal(a: Number, b: Number) -> ir.Value:
    """Whether two numbers are equal."""
    return _compare(_EQUAL, a, b)


def is_index(a: Number, size: Number) -> ir.Value:
    """Whether a number is an index of a dimension of a size; a negative one is none."""
    return _compare(_BELOW, a, size)


def assert_that(condition: ir.Value, message: str) -> None:
    """Let the program fail with a message where a condition does not hold."""
    ir.Operation.create(
        "cf.assert", operands=[condition], attributes={"msg": ir.StringAttr.get(message)}
    )


def both(a: ir.Value, b: ir.Value) -> ir.Value:
    """Whether two conditions hold."""
    return ir.Operation.create("arith.andi", results=[a.type], operands=[a, b]).result


def either(a: ir.Value, b: ir.Value) -> ir.Value:
    """Whether one of two conditions holds, or both do."""
    return ir.Operation.create("arith.ori", results=[a.type], operands=[a, b]).result


def delinearize(position: Number, extents: Sequence[Number]) -> list[Number]:
    """The indices of a position, the last one changing fastest."""
    found: list[Number] = []
    for extent in reversed(extents[1:]):
        found.append(remainder(position, extent))
        position = divide(position, extent)
    return [position, *reversed(found)] if extents else []


def if_then(condition: ir.Value, results: Sequence[ir.Type] = ()) -> ir.Operation:
    """An `scf.if` whose regions have blocks without terminators, the second only with results."""
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
        operands=[value_of(start), value_of(end), value_of(step), *carried],
        regions=1,
    )
    arguments = [index_type(), *types]
    places = [ir.Location.current] * len(arguments)
    return made, ir.Block.create_at_start(made.regions[0], arguments, places)


def finish(block: ir.Block, values: Sequence[ir.Value] = ()) -> None:
    """End the body of a loop or condition."""
    with ir.InsertionPoint(block), block.owner.location:
        ir.Operation.create("scf.yield", operands=list(values))


def move_body(source: ir.Block, target: ir.Block) -> None:
    """Move the operations of a block, without its terminator, to the end of another."""
    for op in list(operations(source))[:-1]:
        op.detach_from_parent()
        target.append(op)


def parallel_loop(sizes: Sequence[Number]) -> ir.Block:
    """The body, without terminator, of an `scf.parallel` over all indices below some sizes."""
    rank = len(sizes)
    bounds = [value_of(each) for each in [*[0] * rank, *sizes, *[1] * rank]]
    loop = ir.Operation.create(
        "scf.parallel",
        operands=bounds,
        regions=1,
        attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([rank] * 3 + [0])},
    )
    places = [ir.Location.current] * rank
    return ir.Block.create_at_start(loop.regions[0], [index_type()] * rank, places)


def made(
    name: str,
    type: ir.Type,
    operands: Sequence[ir.Value],
    attributes: dict[str, ir.Attribute] | None = None,
) -> ir.Value:
    """The only result of a new op."""
    return ir.Operation.create(
        name, results=[type], operands=list(operands), attributes=attributes or {}
    ).result
