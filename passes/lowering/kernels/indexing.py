"""How structured ops index their operands."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cmp_to_key

from torch_refine.dialect.bindings import ir, operations

GENERIC = "linalg.generic"


def operation_of(owner: ir.OpView | ir.Operation) -> ir.Operation:
    """The operation behind what the bindings say owns or uses a value."""
    return owner.operation if isinstance(owner, ir.OpView) else owner


def maker_of(value: ir.Value) -> ir.Operation | None:
    """The operation whose result a value is, None for the argument of a block."""
    return None if isinstance(value.owner, ir.Block) else operation_of(value.owner)


def in_order(ops: Iterable[ir.Operation]) -> list[ir.Operation]:
    """Ops of one block in the order of the program."""
    return sorted(ops, key=cmp_to_key(_compare))


def _compare(one: ir.Operation, other: ir.Operation) -> int:
    return -1 if one.is_before_in_block(other) else 1


def is_structured(op: ir.Operation) -> bool:
    """Whether an op is one that computes on tensors, loop by loop."""
    return op.name.startswith("linalg.") and op.name not in ("linalg.yield", "linalg.index")


def is_contraction(op: ir.Operation) -> bool:
    """Whether an op is a product of matrices."""
    return op.name in ("linalg.matmul", "linalg.batch_matmul", "linalg.contract")


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


def only_op(op: ir.Operation) -> ir.Operation | None:
    """The op that a generic does to each number of its one operand; None if it does more.

    The numbers stay where they are.
    """
    if op.name != GENERIC or number_of_inputs(op) != 1 or len(op.results) != 1:
        return None
    loops = list(range(len(iterators(op))))
    if set(iterators(op)) != {"parallel"} or any(dims_of(map) != loops for map in maps(op)):
        return None
    block = op.regions[0].blocks[0]
    *body, end = operations(block)
    if len(body) != 1 or list(body[0].operands) != [block.arguments[0]]:
        return None
    return body[0] if end.operands[0] == body[0].results[0] else None


def set_maps(op: ir.Operation, indexing: list[ir.AffineMap]) -> None:
    """Give a generic other maps."""
    op.attributes["indexing_maps"] = ir.ArrayAttr.get(
        [ir.AffineMapAttr.get(each) for each in indexing], op.context
    )


def before_transpose(map: ir.AffineMap, transpose: ir.Operation) -> ir.AffineMap:
    """How a generic indexes what a `linalg.transpose` takes, if so it indexes what that gives."""
    moved = list(map.results)
    permutation = ir.DenseI64ArrayAttr(transpose.attributes["permutation"])
    for result, dim in zip(map.results, permutation, strict=True):
        moved[dim] = result
    return ir.AffineMap.get(map.n_dims, 0, moved, transpose.context)


def number_of_inputs(op: ir.Operation) -> int:
    """How many of an op's operands are read only; the others are what results are written to."""
    if "operandSegmentSizes" not in op.attributes:
        return len(op.operands) - len(op.results)
    segments = ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"])
    return int(segments[0])


def memory_behind(value: ir.Value) -> ir.Value:
    """The tensor that structured ops write their results to; its sizes are those of the results.

    To ask a result for its sizes would be to use it: what is not used otherwise would be computed.
    """
    maker = maker_of(value)
    while maker is not None and is_structured(maker):
        value = maker.operands[number_of_inputs(maker) + list(maker.results).index(value)]
        maker = maker_of(value)
    return value


def groups_of(reshape: ir.Operation) -> list[list[int]]:
    """Which dimensions of the larger tensor are one of the smaller, each for one."""
    return [
        [ir.IntegerAttr(dim).value for dim in group]
        for group in ir.ArrayAttr(reshape.attributes["reassociation"])
    ]
