"""How structured ops index their operands."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir

GENERIC = "linalg.generic"


def operation_of(owner: ir.OpView | ir.Operation) -> ir.Operation:
    """The operation behind what the bindings say owns or uses a value."""
    return owner.operation if isinstance(owner, ir.OpView) else owner


def maker_of(value: ir.Value) -> ir.Operation | None:
    """The operation whose result a value is, None for the argument of a block."""
    return None if isinstance(value.owner, ir.Block) else operation_of(value.owner)


def is_structured(op: ir.Operation) -> bool:
    """Whether an op is one that computes on tensors, loop by loop."""
    return op.name.startswith("linalg.") and op.name not in ("linalg.yield", "linalg.index")


def is_contraction(op: ir.Operation) -> bool:
    """Whether an op is a product of matrices."""
    return op.name in ("linalg.matmul", "linalg.batch_matmul")


def iterators(op: ir.Operation) -> list[str]:
    """The kinds of a generic's loops, `parallel` or `reduction`."""
    return [str(each).split("<")[1].rstrip(">") for each in op.attributes["iterator_types"]]


def maps(op: ir.Operation) -> list[ir.AffineMap]:
    """A generic's map for each operand."""
    return [ir.AffineMapAttr(each).value for each in op.attributes["indexing_maps"]]


def dims_of(map: ir.AffineMap) -> list[int] | None:
    """The loop that each dimension of an operand follows; None where it is not that simple."""
    found = []
    for result in map.results:
        if not isinstance(result, ir.AffineDimExpr):
            return None
        found.append(result.position)
    return found if len(set(found)) == len(found) else None


def number_of_inputs(op: ir.Operation) -> int:
    """How many of an op's operands are read only; the others are what results are written to."""
    if "operandSegmentSizes" not in op.attributes:
        return len(op.operands) - len(op.results)
    segments = ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"])
    return int(segments[0])
