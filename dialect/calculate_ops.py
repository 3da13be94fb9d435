"""The calculate ops: an operator together with the calculation of its results' shapes or dtypes.

%1 = torch.shape.calculate {
  %2 = torch.aten.tanh %0 : !torch.vtensor -> !torch.vtensor      // the body
  torch.shape.calculate.yield %2 : !torch.vtensor
} shapes {
  %3 = torch.aten.size %0 : !torch.vtensor -> !torch.list<int>    // the calculation
  torch.shape.calculate.yield.shapes %3 : !torch.list<int>
} : !torch.vtensor
"""

from __future__ import annotations

from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.names import Kind


@dataclass(frozen=True)
class CalculateOp:
    """The op names of one kind of calculation, and the type it yields per result."""

    op: str
    body_yield: str
    calculation_yield: str
    yielded: str


CALCULATE: dict[Kind, CalculateOp] = {
    "shape": CalculateOp(
        "torch.shape.calculate",
        "torch.shape.calculate.yield",
        "torch.shape.calculate.yield.shapes",
        "list<int>",
    ),
    "dtype": CalculateOp(
        "torch.dtype.calculate",
        "torch.dtype.calculate.yield",
        "torch.dtype.calculate.yield.dtypes",
        "int",
    ),
}

OP_NAMES = {calculate.op for calculate in CALCULATE.values()}
BODY_YIELDS = {calculate.body_yield for calculate in CALCULATE.values()}


def body(calculate: ir.Operation) -> ir.Block:
    """The block that holds the operator itself."""
    return calculate.regions[0].blocks[0]


def calculation(calculate: ir.Operation) -> ir.Block:
    """The block that calculates the shapes or dtypes."""
    return calculate.regions[1].blocks[0]


def terminator(block: ir.Block) -> ir.Operation:
    """The last operation of a block."""
    return block.operations[len(block.operations) - 1].operation


def wrap(op: ir.Operation, kind: Kind) -> ir.Operation:
    """Wrap `op` in a calculate op whose body holds it and whose calculation is empty.

    The uses of the op's results are replaced by the calculate op's.
    """
    names = CALCULATE[kind]
    types = [result.type for result in op.results]
    calculate = ir.Operation.create(
        names.op, results=types, regions=2, loc=op.location, ip=ir.InsertionPoint(op)
    )
    for result, replacement in zip(op.results, calculate.results, strict=True):
        result.replace_all_uses_with(replacement)
    inside = calculate.regions[0].blocks.append()
    calculate.regions[1].blocks.append()
    op.detach_from_parent()
    inside.append(op)
    ir.Operation.create(
        names.body_yield, operands=list(op.results), loc=op.location, ip=ir.InsertionPoint(inside)
    )
    return calculate


def drop(calculate: ir.Operation) -> None:
    """Replace a calculate op by its body, and erase its calculation."""
    last = terminator(body(calculate))
    for result, value in zip(calculate.results, list(last.operands), strict=True):
        result.replace_all_uses_with(value)
    for view in list(body(calculate).operations):
        if view.operation != last:
            view.operation.move_before(calculate)
    calculate.erase()


def is_reified(op: ir.Operation, kind: Kind) -> bool:
    """Whether `op` is in the body of a calculate op of this kind, directly or nested."""
    parent = op.parent
    while parent is not None and parent.name in OP_NAMES:
        if parent.name == CALCULATE[kind].op:
            return True
        parent = parent.parent
    return False
